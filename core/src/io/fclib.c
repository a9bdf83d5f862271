/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/fclib.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum { MOST_CONTACTS = 1 << 24 };
/* HDF5 wants a name for a file in memory, and that no file has it. */
static const char NOWHERE[] = "/dev/null/contact_problem";
static const size_t MOST_ENTRIES = (size_t)1 << 30;

bool fclib_available(void) { return true; }

void fclib_free(fclib_problem *p) {
  void *arrays[] = {p->row, p->column, p->value, p->q, p->mu, p->mu_b, p->r};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
  *p = (fclib_problem){0};
}

/* ---- in ---- */

typedef struct reader {
  const char *name;
  hid_t file;
} reader;

/* HDF5 asks for every step of a path in turn. */
static bool there(hid_t file, const char *path) {
  char step[128];
  for (const char *end = strchr(path + 1, '/');; end = strchr(end + 1, '/')) {
    size_t length = end ? (size_t)(end - path) : strlen(path);
    if (length >= sizeof step) return false;
    memcpy(step, path, length);
    step[length] = 0;
    if (H5Lexists(file, step, H5P_DEFAULT) <= 0) return false;
    if (!end) return true;
  }
}

/* All of a dataset, as values of `type`. The number of values must be `wanted`. */
static tribo_status read_values(const reader *in, const char *path, hid_t type, size_t wanted,
                                void *out, tribo_error *err) {
  if (!there(in->file, path))
    return status_fail(err, TRIBO_BAD_INPUT, "'%s' has no dataset %s; is it a local FCLIB problem?",
                       in->name, path);
  hid_t set = H5Dopen2(in->file, path, H5P_DEFAULT), space = set < 0 ? -1 : H5Dget_space(set);
  hssize_t count = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
  tribo_status status = TRIBO_OK;
  if (count < 0)
    status = status_fail(err, TRIBO_BAD_INPUT, "'%s': %s is not a dataset", in->name, path);
  else if ((size_t)count != wanted)
    status = status_fail(err, TRIBO_BAD_INPUT, "'%s': %s has %lld values instead of %zu", in->name,
                         path, (long long)count, wanted);
  else if (wanted > 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0)
    status =
        status_fail(err, TRIBO_BAD_INPUT, "'%s': %s cannot be read as numbers", in->name, path);
  if (space >= 0) H5Sclose(space);
  if (set >= 0) H5Dclose(set);
  return status;
}

static tribo_status read_integer(const reader *in, const char *path, int32_t *out,
                                 tribo_error *err) {
  return read_values(in, path, H5T_NATIVE_INT32, 1, out, err);
}

static tribo_status read_integers(const reader *in, const char *path, size_t count, int32_t **out,
                                  tribo_error *err) {
  *out = malloc((count + 1) * sizeof **out);
  if (!*out) return status_no_memory(err, "the contact problem");
  return read_values(in, path, H5T_NATIVE_INT32, count, *out, err);
}

static tribo_status read_doubles(const reader *in, const char *path, size_t count, double **out,
                                 tribo_error *err) {
  *out = malloc((count + 1) * sizeof **out);
  if (!*out) return status_no_memory(err, "the contact problem");
  TRY(read_values(in, path, H5T_NATIVE_DOUBLE, count, *out, err));
  for (size_t i = 0; i < count; i++)
    if (!isfinite((*out)[i]))
      return status_fail(err, TRIBO_BAD_INPUT, "'%s': value %zu of %s is %g", in->name, i, path,
                         (*out)[i]);
  return TRIBO_OK;
}

/* Pointers of compressed storage into an index for every entry. */
static tribo_status expand(const reader *in, const int32_t *start, size_t lines, size_t entries,
                           int32_t *index, tribo_error *err) {
  if (start[0] != 0 || start[lines] < 0 || (size_t)start[lines] != entries)
    return status_fail(err, TRIBO_BAD_INPUT, "'%s': W/p must go from 0 to %zu, not from %d to %d",
                       in->name, entries, start[0], start[lines]);
  /* All of it before any is used: up and never down, it stays within the entries. */
  for (size_t l = 0; l < lines; l++)
    if (start[l] > start[l + 1])
      return status_fail(err, TRIBO_BAD_INPUT, "'%s': W/p falls at %zu", in->name, l);
  for (size_t l = 0; l < lines; l++)
    for (int32_t k = start[l]; k < start[l + 1]; k++) index[k] = (int32_t)l;
  return TRIBO_OK;
}

static tribo_status read_compressed(const reader *in, size_t lines, int32_t **line, int32_t **other,
                                    fclib_problem *out, tribo_error *err) {
  int32_t *start = NULL;
  tribo_status status = read_integers(in, "/fclib_local/W/p", lines + 1, &start, err);
  /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): lines + 1 of them */
  if (status == TRIBO_OK && start[lines] > 0) out->entries = (size_t)start[lines];
  if (status == TRIBO_OK && out->entries > MOST_ENTRIES)
    status = status_fail(err, TRIBO_BAD_INPUT, "'%s': W has too many entries", in->name);
  if (status == TRIBO_OK) status = read_integers(in, "/fclib_local/W/i", out->entries, other, err);
  if (status == TRIBO_OK) {
    *line = malloc((out->entries + 1) * sizeof **line);
    status = *line ? expand(in, start, lines, out->entries, *line, err)
                   : status_no_memory(err, "the contact problem");
  }
  free(start);
  return status;
}

static tribo_status read_matrix(const reader *in, fclib_problem *out, tribo_error *err) {
  int32_t m, n, nz;
  TRY(read_integer(in, "/fclib_local/W/m", &m, err));
  TRY(read_integer(in, "/fclib_local/W/n", &n, err));
  TRY(read_integer(in, "/fclib_local/W/nz", &nz, err));
  if (m != n || m < 0 || m % 3 != 0 || m / 3 > MOST_CONTACTS)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%s': W is %d x %d; it must be square, with 3 rows a contact", in->name, m,
                       n);
  out->contacts = m / 3;
  if (nz >= 0) {
    out->entries = (size_t)nz;
    if (out->entries > MOST_ENTRIES)
      return status_fail(err, TRIBO_BAD_INPUT, "'%s': W has too many entries", in->name);
    TRY(read_integers(in, "/fclib_local/W/p", out->entries, &out->row, err));
    TRY(read_integers(in, "/fclib_local/W/i", out->entries, &out->column, err));
  } else if (nz == -1) {
    TRY(read_compressed(in, (size_t)n, &out->column, &out->row, out, err));
  } else if (nz == -2) {
    TRY(read_compressed(in, (size_t)m, &out->row, &out->column, out, err));
  } else {
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%s': W/nz is %d; it must be the number of triplets, -1 (compressed "
                       "columns) or -2 (rows)",
                       in->name, nz);
  }
  TRY(read_doubles(in, "/fclib_local/W/x", out->entries, &out->value, err));
  for (size_t k = 0; k < out->entries; k++)
    if (out->row[k] < 0 || out->row[k] >= m || out->column[k] < 0 || out->column[k] >= m)
      return status_fail(err, TRIBO_BAD_INPUT,
                         "'%s': entry %zu of W stands at (%d, %d), outside it", in->name, k,
                         out->row[k], out->column[k]);
  return TRIBO_OK;
}

static void read_title(const reader *in, char *title, size_t size) {
  const char *path = "/fclib_local/info/title";
  if (!there(in->file, path)) return;
  hid_t set = H5Dopen2(in->file, path, H5P_DEFAULT), type = set < 0 ? -1 : H5Dget_type(set);
  if (type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
      H5Tget_size(type) < 4096) {
    char text[4096] = {0};
    hid_t space = H5Dget_space(set);
    if (space >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
        H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0)
      snprintf(title, size, "%.*s", (int)size - 1, text);
    if (space >= 0) H5Sclose(space);
  }
  if (type >= 0) H5Tclose(type);
  if (set >= 0) H5Dclose(set);
}

static tribo_status read_all(const reader *in, fclib_problem *out, tribo_error *err) {
  if (!there(in->file, "/fclib_local"))
    return status_fail(
        err, TRIBO_BAD_INPUT,
        there(in->file, "/fclib_global")
            ? "'%s' holds a global problem (M, H); only local ones (W, q) can be read"
            : "'%s' has no group fclib_local: it is not a contact problem of FCLIB",
        in->name);
  int32_t dimension;
  TRY(read_integer(in, "/fclib_local/spacedim", &dimension, err));
  if (dimension != 3)
    return status_fail(err, TRIBO_BAD_INPUT, "'%s' is a problem in %d dimensions; only 3 are read",
                       in->name, dimension);
  if (there(in->file, "/fclib_local/R"))
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%s' has equality constraints (fclib_local/R), which are not read",
                       in->name);
  TRY(read_matrix(in, out, err));
  size_t contacts = (size_t)out->contacts;
  TRY(read_doubles(in, "/fclib_local/vectors/q", 3 * contacts, &out->q, err));
  TRY(read_doubles(in, "/fclib_local/vectors/mu", contacts, &out->mu, err));
  if (there(in->file, "/fclib_local/vectors/mu_b"))
    TRY(read_doubles(in, "/fclib_local/vectors/mu_b", contacts, &out->mu_b, err));
  const char *start = there(in->file, "/solution/r")    ? "/solution/r"
                      : there(in->file, "/guesses/1/r") ? "/guesses/1/r"
                                                        : NULL;
  if (start) TRY(read_doubles(in, start, 3 * contacts, &out->r, err));
  read_title(in, out->title, sizeof out->title);
  return TRIBO_OK;
}

static tribo_status parse(const char *name, const void *data, size_t size, fclib_problem *out,
                          tribo_error *err) {
  tribo_status status = TRIBO_OK;
  reader in = {.name = name, .file = -1};
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  /* From memory: no lock, no path, and nothing is ever written back. */
  if (access >= 0 && H5Pset_fapl_core(access, 1 << 16, 0) >= 0 &&
      H5Pset_file_image(access, (void *)(uintptr_t)data, size) >= 0)
    in.file = H5Fopen(NOWHERE, H5F_ACC_RDONLY, access);
  if (in.file < 0)
    status = status_fail(err, TRIBO_BAD_INPUT, "'%s' is not an HDF5 file, or it is damaged", name);
  else
    status = read_all(&in, out, err);
  if (in.file >= 0) H5Fclose(in.file);
  if (access >= 0) H5Pclose(access);
  return status;
}

tribo_status fclib_parse(const char *name, const void *data, size_t size, fclib_problem *out,
                         tribo_error *err) {
  *out = (fclib_problem){0};
  tribo_status status = TRIBO_OK;
  H5E_BEGIN_TRY { status = parse(name, data, size, out, err); }
  H5E_END_TRY
  if (status != TRIBO_OK) fclib_free(out);
  return status;
}

tribo_status fclib_read(const char *path, fclib_problem *out, tribo_error *err) {
  *out = (fclib_problem){0};
  file_text text;
  TRY(file_read(path, &text, err));
  tribo_status status = fclib_parse(path, text.data, text.size, out, err);
  free(text.data);
  return status;
}

/* ---- out ---- */

static bool write_values(hid_t at, const char *name, hid_t type, hid_t memory, size_t count,
                         const void *values) {
  hsize_t size = count;
  hid_t space = H5Screate_simple(1, &size, NULL);
  hid_t set =
      space < 0 ? -1 : H5Dcreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  bool done =
      set >= 0 && (count == 0 || H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  if (set >= 0) H5Dclose(set);
  if (space >= 0) H5Sclose(space);
  return done;
}

static bool write_integers(hid_t at, const char *name, size_t count, const int32_t *values) {
  return write_values(at, name, H5T_STD_I32LE, H5T_NATIVE_INT32, count, values);
}

static bool write_doubles(hid_t at, const char *name, size_t count, const double *values) {
  return write_values(at, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, values);
}

static bool write_text(hid_t at, const char *name, const char *text) {
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  bool done = type >= 0 && space >= 0 && H5Tset_size(type, strlen(text) + 1) >= 0;
  hid_t set = done ? H5Dcreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) : -1;
  done = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
  if (set >= 0) H5Dclose(set);
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  return done;
}

/* Entries sorted by `line` into the places where each line starts; NULL when out of memory. */
static int32_t *starts(const int32_t *line, size_t entries, size_t lines) {
  int32_t *start = calloc(lines + 1, sizeof *start);
  for (size_t k = 0; start && k < entries; k++) start[line[k] + 1]++;
  for (size_t l = 0; start && l < lines; l++) start[l + 1] += start[l];
  return start;
}

static bool write_matrix(hid_t at, const fclib_problem *p, fclib_storage storage) {
  int32_t size = 3 * p->contacts, most = (int32_t)p->entries;
  int32_t nz = storage == FCLIB_TRIPLET ? most : storage == FCLIB_COLUMNS ? -1 : -2;
  bool done = write_integers(at, "nzmax", 1, &most) && write_integers(at, "m", 1, &size) &&
              write_integers(at, "n", 1, &size) && write_integers(at, "nz", 1, &nz) &&
              write_doubles(at, "x", p->entries, p->value);
  if (storage == FCLIB_TRIPLET)
    return done && write_integers(at, "p", p->entries, p->row) &&
           write_integers(at, "i", p->entries, p->column);
  bool columns = storage == FCLIB_COLUMNS;
  int32_t *start = starts(columns ? p->column : p->row, p->entries, (size_t)size);
  done = done && start && write_integers(at, "p", (size_t)size + 1, start) &&
         write_integers(at, "i", p->entries, columns ? p->row : p->column);
  free(start);
  return done;
}

/* A group, what `fill` puts in it, and closed again. */
typedef bool (*filler)(hid_t at, const fclib_problem *p, fclib_storage storage);

static bool write_group(hid_t at, const char *name, filler fill, const fclib_problem *p,
                        fclib_storage storage) {
  hid_t group = H5Gcreate2(at, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  bool done = group >= 0 && fill(group, p, storage);
  if (group >= 0) H5Gclose(group);
  return done;
}

static bool write_vectors(hid_t at, const fclib_problem *p, fclib_storage storage) {
  (void)storage;
  size_t contacts = (size_t)p->contacts;
  return write_doubles(at, "q", 3 * contacts, p->q) && write_doubles(at, "mu", contacts, p->mu) &&
         (!p->mu_b || write_doubles(at, "mu_b", contacts, p->mu_b));
}

static bool write_info(hid_t at, const fclib_problem *p, fclib_storage storage) {
  (void)storage;
  return write_text(at, "title", p->title) &&
         write_text(at, "description", "a contact problem of Tribo") &&
         write_text(at, "math_info", "");
}

static bool write_local(hid_t at, const fclib_problem *p, fclib_storage storage) {
  int32_t dimension = 3;
  return write_integers(at, "spacedim", 1, &dimension) &&
         write_group(at, "W", write_matrix, p, storage) &&
         write_group(at, "vectors", write_vectors, p, storage) &&
         write_group(at, "info", write_info, p, storage);
}

static bool write_solution(hid_t at, const fclib_problem *p, fclib_storage storage) {
  (void)storage;
  return write_doubles(at, "r", 3 * (size_t)p->contacts, p->r);
}

/* The bytes of the file, made in memory so that base/file can put them on disk whole. */
static void *make_image(const fclib_problem *p, fclib_storage storage, size_t *size) {
  void *image = NULL;
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), file = -1;
  if (access >= 0 && H5Pset_fapl_core(access, 1 << 16, 0) >= 0)
    file = H5Fcreate(NOWHERE, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  if (file >= 0 && write_group(file, "fclib_local", write_local, p, storage) &&
      (!p->r || write_group(file, "solution", write_solution, p, storage)) &&
      H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0) {
    ssize_t bytes = H5Fget_file_image(file, NULL, 0);
    if (bytes > 0) image = malloc((size_t)bytes);
    if (image && H5Fget_file_image(file, image, (size_t)bytes) != bytes) free(image), image = NULL;
    *size = image ? (size_t)bytes : 0;
  }
  if (file >= 0) H5Fclose(file);
  if (access >= 0) H5Pclose(access);
  return image;
}

tribo_status fclib_write(const char *path, const fclib_problem *p, fclib_storage storage,
                         tribo_error *err) {
  void *image = NULL;
  size_t size = 0;
  H5E_BEGIN_TRY { image = make_image(p, storage, &size); }
  H5E_END_TRY
  if (!image) return status_no_memory(err, "the file of a contact problem");
  tribo_status status = file_write(path, image, size, err);
  free(image);
  return status;
}
