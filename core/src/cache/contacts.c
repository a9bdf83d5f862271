/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache/contacts.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

static const char *const STATE_NAMES[] = {[TRIBO_STICK] = "stick", [TRIBO_SLIP] = "slip"};

static void put_text(writer *w, const char *key, const char *text) {
  writer_key(w, key);
  writer_string(w, text);
}

static void put_number(writer *w, const char *key, double value) {
  writer_key(w, key);
  writer_number(w, value);
}

static void put_vector(writer *w, const char *key, const double value[3]) {
  writer_key(w, key);
  writer_numbers(w, value, 3);
}

static void put_contact(writer *w, const model *m, const tribo_contact *c) {
  writer_open(w, '{');
  put_text(w, "object", m->bodies[c->object].name);
  writer_key(w, "vertex");
  writer_integer(w, c->vertex);
  put_text(w, "surface", c->surface);
  put_vector(w, "point", c->position);
  put_vector(w, "normal", c->normal);
  put_number(w, "gap", c->gap);
  put_number(w, "mu", c->mu);
  put_vector(w, "force", c->force);
  put_number(w, "torque", c->torque);
  put_vector(w, "slip", c->slip);
  put_text(w, "state", STATE_NAMES[c->state]);
  writer_close(w, '}');
}

tribo_status contacts_append(lines *to, int frame, const model *m, const tribo_contact *contacts,
                             size_t count, tribo_error *err) {
  writer w = {0};
  writer_open(&w, '{');
  writer_key(&w, "frame");
  writer_integer(&w, frame);
  writer_key(&w, "contacts");
  writer_open(&w, '[');
  for (size_t i = 0; i < count; i++) put_contact(&w, m, &contacts[i]);
  writer_close(&w, ']');
  writer_close(&w, '}');
  writer_newline(&w);
  tribo_status status = lines_append(to, &w, err);
  writer_free(&w);
  return status;
}

/* ---- reading ---- */

static bool get_vector(const cJSON *object, const char *key, double out[3]) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, key);
  if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) != 3) return false;
  const cJSON *item = list->child;
  for (int k = 0; k < 3; k++, item = item->next) {
    if (!cJSON_IsNumber(item)) return false;
    out[k] = item->valuedouble;
  }
  return true;
}

static bool get_number(const cJSON *object, const char *key, double *out) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  *out = cJSON_IsNumber(item) ? item->valuedouble : 0;
  return cJSON_IsNumber(item);
}

static const char *get_text(const cJSON *object, const char *key) {
  return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
}

/* False for what no bake writes. */
static bool get_contact(const cJSON *item, const manifest *m, tribo_contact *out) {
  *out = (tribo_contact){.surface = get_text(item, "surface"), .object = m->objects.count};
  const char *object = get_text(item, "object"), *state = get_text(item, "state");
  double vertex;
  if (!object || !state || !out->surface || !get_number(item, "vertex", &vertex)) return false;
  for (size_t i = 0; i < m->objects.count; i++)
    if (strcmp(m->objects.data[i].name, object) == 0) out->object = i;
  if (out->object == m->objects.count || !(vertex >= 0) ||
      !(vertex < (double)m->objects.data[out->object].vertex_count))
    return false;
  out->vertex = (int32_t)vertex;
  get_number(item, "torque", &out->torque); /* older bakes have none */
  out->state = strcmp(state, STATE_NAMES[TRIBO_STICK]) == 0 ? TRIBO_STICK : TRIBO_SLIP;
  return get_vector(item, "point", out->position) && get_vector(item, "normal", out->normal) &&
         get_vector(item, "force", out->force) && get_vector(item, "slip", out->slip) &&
         get_number(item, "gap", &out->gap) && get_number(item, "mu", &out->mu);
}

static tribo_status parse_line(contacts_reader *r, const char *path, const char *text,
                               const manifest *m, int frame, tribo_error *err) {
  cJSON_Delete(r->text);
  r->text = cJSON_Parse(text);
  r->found.count = 0;
  double number;
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(r->text, "contacts"), *item;
  bool sound = cJSON_IsArray(list) && get_number(r->text, "frame", &number) && number == frame;
  if (sound) cJSON_ArrayForEach(item, list) {
      tribo_contact contact;
      sound = sound && get_contact(item, m, &contact);
      if (sound && !ARRAY_PUSH(r->found, contact)) return status_no_memory(err, path);
    }
  if (sound) return TRIBO_OK;
  r->found.count = 0;
  return status_fail(err, TRIBO_BAD_INPUT, "'%s' is damaged where frame %d should be", path, frame);
}

static tribo_status read_frame(contacts_reader *r, const char *path, const manifest *m, int frame,
                               tribo_error *err) {
  size_t number = frame < m->start ? SIZE_MAX / 2 : (size_t)(frame - m->start);
  char *text;
  TRY(lines_read(path, &r->line, number, &text, err));
  if (!text)
    return status_fail(err, TRIBO_BAD_INPUT, "'%s' has no contacts of frame %d", path, frame);
  tribo_status status = parse_line(r, path, text, m, frame, err);
  free(text);
  return status;
}

tribo_status contacts_read(contacts_reader *r, const char *path, const manifest *m, int frame,
                           tribo_error *err) {
  bool known = r->line.count > 0;
  tribo_status status = read_frame(r, path, m, frame, err);
  if (status == TRIBO_OK || !known) return status;
  r->line.count = 0; /* a bake may have gone back and on since */
  return read_frame(r, path, m, frame, err);
}

void contacts_reader_free(contacts_reader *r) {
  cJSON_Delete(r->text);
  ARRAY_FREE(r->line);
  ARRAY_FREE(r->found);
  *r = (contacts_reader){0};
}
