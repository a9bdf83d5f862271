/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wedge/json_text.h"

static void put_members(writer *out, const cJSON *value, bool named) {
  writer_open(out, named ? '{' : '[');
  for (const cJSON *item = value->child; item; item = item->next) {
    if (named) writer_key(out, item->string);
    json_text_put(out, item);
  }
  writer_close(out, named ? '}' : ']');
}

void json_text_put(writer *out, const cJSON *value) {
  if (cJSON_IsObject(value))
    put_members(out, value, true);
  else if (cJSON_IsArray(value))
    put_members(out, value, false);
  else if (cJSON_IsString(value))
    writer_string(out, value->valuestring);
  else if (cJSON_IsNumber(value))
    writer_number(out, value->valuedouble);
  else if (cJSON_IsBool(value))
    writer_bool(out, cJSON_IsTrue(value));
  else
    writer_null(out);
}
