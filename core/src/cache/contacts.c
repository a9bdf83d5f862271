/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache/contacts.h"

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
