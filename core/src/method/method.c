/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "method/method.h"

double method_gap(const model *m, const tribo_solver_params *solver) {
  return solver->contact_tolerance * m->smallest;
}

mls_transport method_transport(const tribo_solver_params *solver) {
  static const mls_transport transports[] = {[TRIBO_TRANSPORT_RIGID] = MLS_RIGID,
                                             [TRIBO_TRANSPORT_PARALLEL] = MLS_PARALLEL,
                                             [TRIBO_TRANSPORT_PLAIN] = MLS_PLAIN};
  return transports[solver->transport];
}
