/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fclib: contact problems in the HDF5 layout of FCLIB (the Frictional Contact Library's
 * collection), local form in 3D: /fclib_local/W (triplet, compressed columns or rows),
 * /fclib_local/vectors/q and mu, /fclib_local/spacedim, and impulses from /solution or the first of
 * /guesses.
 *
 * FCLIB knows round cones. An elliptic one keeps its first coefficient in `mu` and has the second
 * in a dataset of our own beside it, /fclib_local/vectors/mu_b.
 *
 * HDF5 is an option of the build: without it both functions are TRIBO_UNAVAILABLE and say what to
 * install. Its library is not made for several threads: one call at a time.
 */
#ifndef IO_FCLIB_H
#define IO_FCLIB_H

#include <stdint.h>

#include "base/status.h"

typedef enum fclib_storage { FCLIB_TRIPLET, FCLIB_COLUMNS, FCLIB_ROWS } fclib_storage;

typedef struct fclib_problem {
  int32_t contacts;
  size_t entries; /* of W; several for one place add up */
  int32_t *row, *column;
  double *value;
  double *q;    /* 3 a contact: N, t, b */
  double *mu;   /* a contact */
  double *mu_b; /* NULL: as mu */
  double *r;    /* 3 a contact; NULL: none */
  char title[128];
} fclib_problem;

tribo_status fclib_read(const char *path, fclib_problem *out, tribo_error *err);

/* The same from memory; `name` stands for it in messages. */
tribo_status fclib_parse(const char *name, const void *data, size_t size, fclib_problem *out,
                         tribo_error *err);

/* Complete or absent. Compressed storage wants entries sorted by column, or by row, each place
 * once. r becomes the solution. */
tribo_status fclib_write(const char *path, const fclib_problem *p, fclib_storage storage,
                         tribo_error *err);

void fclib_free(fclib_problem *p);

/* Whether this build has HDF5. */
bool fclib_available(void);

#endif
