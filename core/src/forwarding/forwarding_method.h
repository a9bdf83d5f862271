/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * forwarding_method: the rows of `forwarding` (contact with friction forwarding, forwarding.h) and
 * of `elastic`, which is the same step without contact.
 */
#ifndef FORWARDING_FORWARDING_METHOD_H
#define FORWARDING_FORWARDING_METHOD_H

#include "method/method.h"

extern const method forwarding_method, elastic_method;

#endif
