/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "step/methods.h"

#include "barrier/barrier_method.h"
#include "forwarding/forwarding_method.h"
#include "projective/projective_method.h"

static const method *const ROWS[] = {[TRIBO_METHOD_FORWARDING] = &forwarding_method,
                                     [TRIBO_METHOD_ELASTIC] = &elastic_method,
                                     [TRIBO_METHOD_PROJECTIVE] = &projective_method,
                                     [TRIBO_METHOD_BARRIER] = &barrier_method};

int methods_count(void) { return (int)(sizeof ROWS / sizeof *ROWS); }

const method *methods_row(int number) { return ROWS[number]; }

const method *methods_for(unsigned kinds, const method *but) {
  for (int i = 0; i < methods_count(); i++)
    if (ROWS[i] != but && (ROWS[i]->can.kinds & kinds) == kinds) return ROWS[i];
  return NULL;
}
