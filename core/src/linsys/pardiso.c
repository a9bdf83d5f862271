/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "linsys/backend.h"

static tribo_status pardiso_create(const linsys_options *options, const bcsr_pattern *pattern,
                                   void **out, tribo_error *err) {
  (void)options, (void)pattern, (void)out;
  return status_fail(err, TRIBO_UNAVAILABLE,
                     "the solver pardiso needs Intel MKL: run scripts/setup --with-mkl");
}

const linsys_backend linsys_backend_pardiso = {
    .caps = {.name = "pardiso", .direct = true, .indefinite = true, .deterministic = false},
    .create = pardiso_create,
};
