/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * projective_method: the row of `projective` (projective.h).
 */
#ifndef PROJECTIVE_PROJECTIVE_METHOD_H
#define PROJECTIVE_PROJECTIVE_METHOD_H

#include "method/method.h"

extern const method projective_method;

#endif
