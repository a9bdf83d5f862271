/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * json_text: a tree of cJSON as text: numbers with all their digits, whatever the locale.
 */
#ifndef WEDGE_JSON_TEXT_H
#define WEDGE_JSON_TEXT_H

#include <cjson/cJSON.h>

#include "cache/writer.h"

void json_text_put(writer *out, const cJSON *value);

#endif
