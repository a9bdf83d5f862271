/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ipopt_options: what a caller may choose about Ipopt.
 */
#ifndef IPOPT_IPOPT_OPTIONS_H
#define IPOPT_IPOPT_OPTIONS_H

#include "energy/elements.h"

typedef enum ipopt_linear { IPOPT_MUMPS, IPOPT_PARDISO } ipopt_linear;

typedef struct ipopt_options {
  ipopt_linear linear;
  const char *adapter;  /* IPOPT_PARDISO: the file of the adapter; NULL: beside this library. It is
                           not copied. */
  hessian_kind hessian; /* an indefinite one is regularised by Ipopt */
} ipopt_options;

/* Whether this build has Ipopt. */
bool ipopt_available(void);

#endif
