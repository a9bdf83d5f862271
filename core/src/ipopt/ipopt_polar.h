/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ipopt_polar: the energy of the tangential projection, equation (28), in polar coordinates, with
 * its derivatives.
 *
 *   y_k = radius_k a_k (cos theta_k, sin theta_k),   z = (a_0, theta_0, a_1, theta_1, ...)
 *
 * so that a disc is 0 <= a <= 1, whatever its size. Values are in units of `energy`.
 */
#ifndef IPOPT_IPOPT_POLAR_H
#define IPOPT_IPOPT_POLAR_H

#include "ipopt/ipopt_delassus.h"

/* Which contacts are solved for. */
typedef struct contact_choice {
  int32_t count;
  int32_t *contact; /* of each chosen one */
  int32_t *place;   /* of each contact among the chosen; -1: not chosen */
} contact_choice;

void contact_choice_begin(contact_choice *c, int32_t contacts);
void contact_choice_add(contact_choice *c, int32_t contact);

/* Blocks of W between chosen contacts, each pair once, and each contact with itself. */
int64_t contact_choice_pairs(const contact_choice *c, const bcsr_pattern *w);

typedef struct polar {
  delassus *d;
  const contact_choice *chosen;
  const double *radius; /* of each chosen contact */
  double energy;
} polar;

/* Sets the impulses, and with them the velocities. */
void polar_place(const polar *p, const double *z);

double polar_value(const polar *p, const double *z);
void polar_gradient(const polar *p, const double *z, double *out);

/* The lower triangle, entry by entry: places, and values times `factor`. */
int64_t polar_entries(const polar *p);
void polar_places(const polar *p, int *rows, int *columns);
void polar_hessian(const polar *p, const double *z, double factor, double *values);

#endif
