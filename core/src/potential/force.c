/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "potential/force.h"

#include <assert.h>

/* The order in which energies and gradients are summed. */
static const force_source *const SOURCES[] = {&force_pins, &force_air};
enum { SOURCE_COUNT = sizeof SOURCES / sizeof *SOURCES };

tribo_status forces_create(const model *m, arena *memory, force_set *out, tribo_error *err) {
  *out = (force_set){.model = m, .elements = ARENA_ARRAY(memory, void *, SOURCE_COUNT)};
  if (!out->elements) return status_no_memory(err, "forces");
  for (size_t i = 0; i < SOURCE_COUNT; i++) {
    const force_source *s = SOURCES[i];
    out->elements[i] = arena_alloc(memory, s->element_count(m), s->element_size);
    if (!out->elements[i]) return status_no_memory(err, s->name);
  }
  return TRIBO_OK;
}

void forces_prepare(force_set *f, const force_step *step) {
  for (size_t i = 0; i < SOURCE_COUNT; i++) SOURCES[i]->prepare(f->model, step, f->elements[i]);
}

size_t forces_term_count(const model *m) {
  size_t count = 0;
  for (size_t i = 0; i < SOURCE_COUNT; i++) count += SOURCES[i]->term_count(m);
  return count;
}

energy_term forces_term(const force_set *f, size_t k) {
  size_t i = 0;
  for (; i + 1 < SOURCE_COUNT && k >= SOURCES[i]->term_count(f->model); i++)
    k -= SOURCES[i]->term_count(f->model);
  assert(k < SOURCES[i]->term_count(f->model));
  return SOURCES[i]->term(f->model, f->elements[i], k);
}

void forces_bound(const model *m, double *of_node) {
  for (size_t i = 0; i < SOURCE_COUNT; i++)
    if (SOURCES[i]->bound) SOURCES[i]->bound(m, of_node);
}
