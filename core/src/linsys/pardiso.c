/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pardiso: Intel MKL's direct solver, found at run time; nothing of MKL is needed to build.
 *
 * A matrix is first factored as positive definite (type 2). Where that fails it is factored again
 * as indefinite (type -2), so that a caller who wants to may solve with it all the same and learn
 * how many eigenvalues are negative. Entries of iparm are named by their number in MKL's manual,
 * less 1.
 */
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linsys/backend.h"

enum { DEFINITE = 2, INDEFINITE = -2 };
enum { ANALYZE = 11, FACTOR = 22, SOLVE = 33, RELEASE = -1 };
enum { NOT_DEFINITE = -4 }; /* PARDISO's error */
enum { GNU_THREADS = 3 };

typedef void (*pardiso_fn)(void *handle, const int *maxfct, const int *mnum, const int *mtype,
                           const int *phase, const int *n, const double *a, const int *ia,
                           const int *ja, int *perm, const int *nrhs, int *iparm, const int *msglvl,
                           double *b, double *x, int *error);
typedef int (*set_fn)(int value);

typedef struct library {
  void *handle;
  pardiso_fn pardiso;
  set_fn set_threads; /* for the calling thread; returns what was before */
} library;

/* PARDISO's own memory, once for each type of matrix. */
typedef struct instance {
  void *handle[64];
  int iparm[64];
  bool analyzed;
} instance;

typedef struct state {
  library mkl;
  const bcsr_pattern *pattern;
  int threads, n;
  int *start, *columns; /* upper triangle, scalar, from 0 */
  double *values;
  bool finite;
  int type; /* of the factors at hand; 0: none */
  instance definite, indefinite;
  double *kept; /* right-hand sides, when b and x are the same */
  size_t kept_size;
} state;

#ifdef TRIBO_SANITIZED
enum { OPEN_FLAGS = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE }; /* sanitizers forbid deep binding */
#else
enum { OPEN_FLAGS = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND | RTLD_NODELETE };
#endif

/* A function pointer through memory: C does not convert one from void *. */
static bool find(void *handle, const char *name, void *function, size_t size) {
  void *symbol = dlsym(handle, name);
  memcpy(function, &symbol, size);
  return symbol != NULL;
}

static tribo_status library_open(library *out, tribo_error *err) {
  static const char *const names[] = {"libmkl_rt.so.2", "libmkl_rt.so.1", "libmkl_rt.so"};
  *out = (library){0};
  /* MKL's GNU layer expects GCC's runtime among the global symbols, and does not ask for it. It is
   * never closed: threads may sleep in it. */
  dlopen("libgomp.so.1", RTLD_NOW | RTLD_GLOBAL);
  for (size_t i = 0; !out->handle && i < sizeof names / sizeof *names; i++)
    out->handle = dlopen(names[i], OPEN_FLAGS);
  if (!out->handle)
    return status_fail(err, TRIBO_UNAVAILABLE,
                       "the solver pardiso needs Intel MKL: run scripts/setup --with-mkl");
  set_fn set_layer;
  if (!find(out->handle, "pardiso", &out->pardiso, sizeof out->pardiso) ||
      !find(out->handle, "MKL_Set_Num_Threads_Local", &out->set_threads, sizeof(set_fn)) ||
      !find(out->handle, "MKL_Set_Threading_Layer", &set_layer, sizeof set_layer)) {
    dlclose(out->handle);
    return status_fail(err, TRIBO_UNAVAILABLE,
                       "the Intel MKL on this machine is too old for the solver pardiso: run "
                       "scripts/setup --with-mkl");
  }
  set_layer(GNU_THREADS); /* without effect when the host has chosen already */
  return TRIBO_OK;
}

bool linsys_pardiso_available(void) {
  library mkl;
  if (library_open(&mkl, NULL) != TRIBO_OK) return false;
  dlclose(mkl.handle);
  return true;
}

static const char *reason(int error) {
  switch (error) {
    case -1: return "inconsistent input";
    case -2: return "out of memory";
    case -3: return "reordering failed";
    case -4: return "zero pivot";
    case -5: return "internal error";
    case -6: return "reordering failed";
    case -7: return "singular diagonal";
    case -8: return "32-bit integers overflow";
    case -9: return "out of memory for out-of-core work";
    default: return "unknown error";
  }
}

static tribo_status failed(const char *what, int error, tribo_error *err) {
  bool memory = error == -2 || error == -8 || error == -9;
  return status_fail(err, memory ? TRIBO_NO_MEMORY : TRIBO_BAD_INPUT,
                     "PARDISO could not %s: %s (error %d)", what, reason(error), error);
}

static int call(state *s, int type, int phase, double *b, int nrhs, double *x) {
  static const int one = 1, silent = 0;
  instance *at = type == DEFINITE ? &s->definite : &s->indefinite;
  int error = 0, perm = 0, before = s->mkl.set_threads(s->threads);
  s->mkl.pardiso(at->handle, &one, &one, &type, &phase, &s->n, s->values, s->start, s->columns,
                 &perm, &nrhs, at->iparm, &silent, b, x, &error);
  s->mkl.set_threads(before);
  return error;
}

static int analyze(state *s, int type) {
  instance *at = type == DEFINITE ? &s->definite : &s->indefinite;
  if (at->analyzed) return 0;
  memset(at->iparm, 0, sizeof at->iparm);
  at->iparm[0] = 1;                   /* the values below, not the defaults */
  at->iparm[1] = 2;                   /* nested dissection */
  at->iparm[9] = 8;                   /* perturb pivots below 1e-8 (type -2) */
  at->iparm[20] = type == INDEFINITE; /* 1x1 and 2x2 pivots */
  at->iparm[34] = 1;                  /* indices from 0 */
  int error = call(s, type, ANALYZE, NULL, 1, NULL);
  at->analyzed = error == 0;
  return error;
}

static void pardiso_free(void *context) {
  state *s = context;
  if (s->definite.analyzed) call(s, DEFINITE, RELEASE, NULL, 1, NULL);
  if (s->indefinite.analyzed) call(s, INDEFINITE, RELEASE, NULL, 1, NULL);
  free(s->start);
  free(s->columns);
  free(s->values);
  free(s->kept);
  dlclose(s->mkl.handle);
  free(s);
}

static bool spell_out_pattern(state *s) {
  const bcsr_pattern *p = s->pattern;
  size_t entries = 0;
  for (int32_t i = 0; i < p->rows; i++)
    entries += 9 * (size_t)(p->row_start[i + 1] - p->diagonal[i]) - 3;
  s->start = malloc(((size_t)s->n + 1) * sizeof *s->start);
  /* NOLINTNEXTLINE(clang-analyzer-optin.portability.UnixAPI): a matrix has rows */
  s->columns = malloc(entries * sizeof *s->columns);
  s->values = calloc(entries, sizeof *s->values);
  if (!s->start || !s->columns || !s->values) return false;
  int at = 0;
  for (int32_t i = 0; i < p->rows; i++)
    for (int r = 0; r < 3; r++) {
      s->start[3 * i + r] = at;
      for (int c = r; c < 3; c++) s->columns[at++] = 3 * i + c;
      for (int32_t k = p->diagonal[i] + 1; k < p->row_start[i + 1]; k++)
        for (int c = 0; c < 3; c++) s->columns[at++] = 3 * p->columns[k] + c;
    }
  s->start[s->n] = at;
  return true;
}

static tribo_status pardiso_create(const linsys_options *options, const bcsr_pattern *pattern,
                                   void **out, tribo_error *err) {
  library mkl;
  TRY(library_open(&mkl, err));
  int64_t entries = 9 * (int64_t)bcsr_block_count(pattern);
  state *s = entries < INT32_MAX ? calloc(1, sizeof *s) : NULL;
  if (!s) {
    dlclose(mkl.handle);
    return status_no_memory(err, "the linear solver");
  }
  s->mkl = mkl;
  s->pattern = pattern;
  s->threads = options->tasks.threads;
  s->n = 3 * pattern->rows;
  tribo_status status = TRIBO_OK;
  int error;
  if (!spell_out_pattern(s))
    status = status_no_memory(err, "the linear solver");
  else if ((error = analyze(s, DEFINITE)) != 0)
    status = failed("analyse the matrix", error, err);
  if (status == TRIBO_OK)
    *out = s;
  else
    pardiso_free(s);
  return status;
}

static void pardiso_values(void *context, const bcsr *a) {
  state *s = context;
  const bcsr_pattern *p = s->pattern;
  double *to = s->values;
  for (int32_t i = 0; i < p->rows; i++)
    for (int r = 0; r < 3; r++) {
      const mat3 *block = &a->blocks[p->diagonal[i]], *end = &a->blocks[p->row_start[i + 1]];
      for (int c = r; c < 3; c++) *to++ = block->m[r][c];
      for (block++; block < end; block++, to += 3) memcpy(to, block->m[r], 3 * sizeof *to);
    }
  s->finite = true;
  for (const double *v = s->values; v < to; v++) s->finite &= isfinite(*v) != 0;
}

static tribo_status pardiso_factor(void *context, linsys_outcome *outcome, tribo_error *err) {
  state *s = context;
  s->type = 0;
  *outcome = LINSYS_NOT_POSITIVE_DEFINITE;
  if (!s->finite) return TRIBO_OK; /* no factors at all */

  int error = call(s, DEFINITE, FACTOR, NULL, 1, NULL);
  if (error == 0) {
    s->type = DEFINITE;
    *outcome = LINSYS_DONE;
    return TRIBO_OK;
  }
  if (error != NOT_DEFINITE) return failed("factor the matrix", error, err);
  error = analyze(s, INDEFINITE);
  if (error == 0) error = call(s, INDEFINITE, FACTOR, NULL, 1, NULL);
  if (error == 0) s->type = INDEFINITE;
  if (error == 0 || error == NOT_DEFINITE) return TRIBO_OK;
  return failed("factor the matrix", error, err);
}

static tribo_status pardiso_solve(void *context, const double *b, int nrhs, double *x,
                                  linsys_outcome *outcome, tribo_error *err) {
  state *s = context;
  size_t size = (size_t)s->n * (size_t)nrhs;
  if (s->type == 0) {
    *outcome = LINSYS_NOT_POSITIVE_DEFINITE;
    return TRIBO_OK;
  }
  if (size > s->kept_size) {
    double *grown = realloc(s->kept, size * sizeof *grown);
    if (!grown) return status_no_memory(err, "the right-hand sides");
    s->kept = grown;
    s->kept_size = size;
  }
  memcpy(s->kept, b, size * sizeof *b);
  int error = call(s, s->type, SOLVE, s->kept, nrhs, x);
  if (error != 0) return failed("solve", error, err);
  *outcome = LINSYS_DONE;
  return TRIBO_OK;
}

static int pardiso_inertia(const void *context) {
  const state *s = context;
  if (s->type == DEFINITE) return 0;
  return s->type == INDEFINITE ? s->indefinite.iparm[22] : -1;
}

const linsys_backend linsys_backend_pardiso = {
    .caps = {.name = "pardiso", .direct = true, .indefinite = true, .deterministic = false},
    .create = pardiso_create,
    .values = pardiso_values,
    .factor = pardiso_factor,
    .solve = pardiso_solve,
    .inertia = pardiso_inertia,
    .free = pardiso_free,
};
