/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fclib_missing: the functions of fclib.h in a build without HDF5.
 */
#include "io/fclib.h"

bool fclib_available(void) { return false; }

static tribo_status missing(const char *path, tribo_error *err) {
  return status_fail(err, TRIBO_UNAVAILABLE,
                     "'%s': this Tribo was built without HDF5; install libhdf5-dev and build it "
                     "again to read and write contact problems",
                     path);
}

tribo_status fclib_read(const char *path, fclib_problem *out, tribo_error *err) {
  *out = (fclib_problem){0};
  return missing(path, err);
}

tribo_status fclib_parse(const char *name, const void *data, size_t size, fclib_problem *out,
                         tribo_error *err) {
  (void)data;
  (void)size;
  return fclib_read(name, out, err);
}

tribo_status fclib_write(const char *path, const fclib_problem *p, fclib_storage storage,
                         tribo_error *err) {
  (void)p;
  (void)storage;
  return missing(path, err);
}

void fclib_free(fclib_problem *p) { *p = (fclib_problem){0}; }
