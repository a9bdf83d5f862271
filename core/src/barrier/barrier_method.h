/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * barrier_method: the row of `barrier` (barrier.h).
 */
#ifndef BARRIER_BARRIER_METHOD_H
#define BARRIER_BARRIER_METHOD_H

#include "method/method.h"

extern const method barrier_method;

#endif
