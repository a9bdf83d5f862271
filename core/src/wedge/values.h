/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * values: what a key shall be, from the text that the user gave: a list, or a range.
 *
 *   0.1,0.2,0.4          numbers, words or, in brackets, vectors
 *   LOW:HIGH:COUNT       v_i = LOW + (HIGH - LOW) i / (COUNT - 1)
 *   LOW:HIGH:COUNT:log   v_i = LOW (HIGH / LOW)^(i / (COUNT - 1)); both above 0
 *   LOW:HIGH:COUNT:random=SEED   evenly spread, the same for the same seed on every machine
 *
 * A range of whole numbers whose values come out whole has whole numbers.
 */
#ifndef WEDGE_VALUES_H
#define WEDGE_VALUES_H

#include <cjson/cJSON.h>

#include "base/status.h"

enum { VALUES_MOST = 100000 };

/* An array of JSON values, at least one. Free with cJSON_Delete. */
tribo_status values_parse(const char *text, cJSON **out, tribo_error *err);

#endif
