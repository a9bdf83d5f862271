/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The force of soft pins: springs between nodes and their targets at the end of the step
 * (energy/pin.h). Hard pins are no force: their nodes are given.
 */
#include "energy/pin.h"
#include "potential/force.h"

static size_t element_count(const model *m) { return m->soft_pins.count; }

static double stiffness_of(const model_pin *pin, size_t i) {
  return pin->stiffness * (pin->share ? pin->share[i] : 1);
}

static void prepare(const model *m, const force_step *step, void *elements) {
  pin_element *out = elements;
  for (size_t p = 0; p < m->pin_count; p++) {
    const model_pin *pin = &m->pins[p];
    if (pin->stiffness == 0) continue;
    for (size_t i = 0; i < pin->vertex_count; i++)
      out[pin->elements[i]] = (pin_element){.stiffness = stiffness_of(pin, i),
                                            .target = model_pin_target(pin, i, step->end)};
  }
}

static size_t term_count(const model *m) {
  (void)m;
  return 1;
}

static energy_term term(const model *m, const void *elements, size_t k) {
  (void)k;
  return (energy_term){&pin_kernel, &m->soft_pins, elements};
}

/* A spring is its own bound. */
static void bound(const model *m, double *of_node) {
  for (size_t p = 0; p < m->pin_count; p++)
    for (size_t i = 0; i < m->pins[p].vertex_count; i++)
      of_node[m->pins[p].vertices[i]] += stiffness_of(&m->pins[p], i);
}

const force_source force_pins = {.name = "soft pins",
                                 .element_count = element_count,
                                 .element_size = sizeof(pin_element),
                                 .prepare = prepare,
                                 .term_count = term_count,
                                 .term = term,
                                 .bound = bound};
