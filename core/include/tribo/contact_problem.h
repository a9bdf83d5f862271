/* Tribo: contact problems in files. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Coulomb's law at a set of contacts, u = W r + q, read from and written to files in the layout of
 * FCLIB (HDF5), and solved by any of Tribo's solvers. Impulses r and velocities u of a contact
 * stand as normal, first tangent, second tangent. docs/contact_problems.md says more.
 */
#ifndef TRIBO_CONTACT_PROBLEM_H
#define TRIBO_CONTACT_PROBLEM_H

#include "tribo/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tribo_contact_problem tribo_contact_problem;

typedef struct tribo_contact_info {
  const char *title; /* of the file */
  size_t contacts;
  size_t blocks;          /* 3x3 blocks of W that are there */
  size_t groups, largest; /* contacts that see each other; contacts of the largest group */
  double asymmetry;       /* largest |W - W^T| over largest |W| */
  double q_norm;
  double mu_low, mu_high;        /* over all contacts and both directions */
  size_t elliptic, frictionless; /* contacts with two coefficients; with none */
  bool has_impulses;             /* the file holds impulses, a start or a solution */
  double residual;               /* of those, or of r = 0 */
} tribo_contact_info;

typedef struct tribo_contact_options {
  const char *solver; /* NULL: "auto" */
  double tolerance;   /* natural map over 1 + |q|; 0: 1e-8 */
  int iterations;     /* at most, a group; 0: what the solver thinks sensible */
  int threads;        /* over groups; 0: all. The same bits for any number */
  bool cold;          /* start from r = 0 even where the file has impulses */
} tribo_contact_options;

typedef struct tribo_contact_report {
  size_t groups, largest;
  int iterations;   /* of the group that took most */
  double residual;  /* measured anew on the whole problem */
  double seconds;   /* for information; nothing is decided by it */
  bool converged;   /* residual <= tolerance */
  const char *used; /* the solver that gave the largest group's answer */
} tribo_contact_report;

/* TRIBO_UNAVAILABLE in a build without HDF5, with what to install. */
TRIBO_API tribo_status tribo_contact_problem_read(const char *path, tribo_contact_problem **out,
                                                  tribo_error *err);

/* With its impulses as the file's solution, once there are any. Complete or absent. */
TRIBO_API tribo_status tribo_contact_problem_write(const tribo_contact_problem *problem,
                                                   const char *path, tribo_error *err);
TRIBO_API void tribo_contact_problem_free(tribo_contact_problem *problem);

TRIBO_API tribo_status tribo_contact_problem_about(const tribo_contact_problem *problem,
                                                   tribo_contact_info *out, tribo_error *err);

/* The best impulses found stay in the problem, also when the tolerance was not reached. An unknown
 * solver is TRIBO_BAD_INPUT. */
TRIBO_API tribo_status tribo_contact_problem_solve(tribo_contact_problem *problem,
                                                   const tribo_contact_options *options,
                                                   tribo_contact_report *report, tribo_error *err);

/* 3 doubles a contact, good until the problem is freed. */
TRIBO_API const double *tribo_contact_problem_impulses(const tribo_contact_problem *problem);

/* Names of the solvers, and a line about each; NULL from the end on. */
TRIBO_API const char *tribo_contact_solver_name(size_t index);
TRIBO_API const char *tribo_contact_solver_about(size_t index);

#ifdef __cplusplus
}
#endif

#endif
