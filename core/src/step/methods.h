/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * methods: the table of methods. To add one, see docs/add_a_method.md.
 */
#ifndef STEP_METHODS_H
#define STEP_METHODS_H

#include "method/method.h"

/* The row of TRIBO_METHOD_...: numbers are those of the choice `method` in params.inl. */
const method *methods_row(int number);
int methods_count(void);

/* The first row that moves objects of all the kinds, bits 1 << TRIBO_..., and is not `but`; NULL:
 * none does. */
const method *methods_for(unsigned kinds, const method *but);

#endif
