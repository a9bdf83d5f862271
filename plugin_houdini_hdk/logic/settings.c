/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geo.h"
#include "parms.h"

bool hou_settings_create(hou_settings *out) {
  *out = (hou_settings){.count = hou_parm_count()};
  out->values = calloc(out->count, sizeof *out->values);
  out->texts = calloc(out->count, sizeof *out->texts);
  bool ok = out->values && out->texts;
  for (size_t row = 0; ok && row < out->count; row++) {
    hou_parm p;
    hou_parm_at(row, &p);
    memcpy(out->values[row], p.value, sizeof p.value);
    if (p.text) ok = hou_settings_text(out, row, row == HOU_PARM_BUNDLE ? "" : p.text);
  }
  if (!ok) hou_settings_free(out);
  return ok;
}

bool hou_settings_copy(const hou_settings *from, hou_settings *out) {
  if (!hou_settings_create(out)) return false;
  bool ok = true;
  for (size_t row = 0; ok && row < from->count; row++) {
    memcpy(out->values[row], from->values[row], sizeof *from->values);
    if (from->texts[row]) ok = hou_settings_text(out, row, from->texts[row]);
  }
  if (!ok) hou_settings_free(out);
  return ok;
}

void hou_settings_free(hou_settings *s) {
  for (size_t row = 0; s->texts && row < s->count; row++) free(s->texts[row]);
  free(s->texts);
  free(s->values);
  *s = (hou_settings){0};
}

bool hou_settings_text(hou_settings *s, size_t row, const char *text) {
  char *copy = strdup(text);
  if (!copy) return false;
  free(s->texts[row]);
  s->texts[row] = copy;
  return true;
}

uint64_t hou_settings_hash(const hou_settings *s) {
  uint64_t h = 7;
  for (size_t row = 0; row < s->count; row++) {
    hou_parm p;
    hou_parm_at(row, &p);
    if (p.shown_only) continue;
    h = hou_mix(h, s->values[row], sizeof *s->values);
    if (s->texts[row]) h = hou_mix(h, s->texts[row], strlen(s->texts[row]) + 1);
  }
  return h;
}

static tribo_status refuse(tribo_error *err, const char *name, const char *value,
                           const char *wanted) {
  if (err) {
    err->status = TRIBO_BAD_INPUT;
    snprintf(err->message, sizeof err->message, "parameter '%.60s' is '%.200s'; give %s", name,
             value, wanted);
  }
  return TRIBO_BAD_INPUT;
}

static bool choose(size_t row, const char *value, double *out) {
  char choice[64];
  for (size_t i = 0; hou_parm_choice(row, i, choice, sizeof choice); i++)
    if (strcmp(choice, value) == 0) {
      *out = (double)i;
      return true;
    }
  return false;
}

tribo_status hou_settings_set(hou_settings *s, const char *name, const char *value,
                              tribo_error *err) {
  size_t row = hou_parm_find(name);
  hou_parm p;
  if (row == SIZE_MAX) return refuse(err, name, value, "a name of the node's parameters");
  hou_parm_at(row, &p);
  if (p.type == HOU_PARM_TEXT || p.type == HOU_PARM_FILE)
    return hou_settings_text(s, row, value) ? TRIBO_OK : TRIBO_NO_MEMORY;
  if (p.type == HOU_PARM_MENU && choose(row, value, &s->values[row][0])) return TRIBO_OK;
  size_t wanted = p.type == HOU_PARM_VEC3 ? 3 : 1;
  double numbers[3] = {0};
  const char *at = value;
  for (size_t k = 0; k < wanted; k++) {
    char *end;
    numbers[k] = strtod(at, &end);
    if (end == at) return refuse(err, name, value, wanted == 3 ? "three numbers" : "a number");
    at = end;
  }
  memcpy(s->values[row], numbers, sizeof numbers);
  return TRIBO_OK;
}
