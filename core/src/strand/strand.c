/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "strand/strand.h"

#include <string.h>

const strand_model *const strand_models[] = {&strand_mass_spring, &strand_super_helix,
                                             &strand_corde};
const size_t strand_model_count = sizeof strand_models / sizeof *strand_models;

const strand_model *strand_model_find(const char *name) {
  for (size_t i = 0; i < strand_model_count; i++)
    if (strcmp(strand_models[i]->name, name) == 0) return strand_models[i];
  return NULL;
}

static tribo_status check_positive(const char *what, double value, const char *unit,
                                   tribo_error *err) {
  if (value > 0 && isfinite(value)) return TRIBO_OK;
  return status_fail(err, TRIBO_BAD_INPUT, "the %s of a strand is %g%s; it must be above 0", what,
                     value, unit);
}

static tribo_status check_def(const strand_def *def, tribo_error *err) {
  const strand_material *m = &def->material;
  TRY(check_positive("radius", m->radius, " m", err));
  TRY(check_positive("density", m->density, " kg/m^3", err));
  TRY(check_positive("Young's modulus", m->young, " Pa", err));
  TRY(check_positive("shear modulus", m->shear, " Pa", err));
  TRY(check_positive("length of an element", def->length, " m", err));
  if (!(m->damping >= 0) || !isfinite(m->damping))
    return status_fail(err, TRIBO_BAD_INPUT, "the damping of a strand is %g 1/s; 0 means none",
                       m->damping);
  if (def->elements < 1)
    return status_fail(err, TRIBO_BAD_INPUT, "a strand has %d elements; give it one or more",
                       (int)def->elements);
  for (int32_t i = 0; def->points && i <= def->elements; i++)
    if (!vec3_finite(def->points[i]))
      return status_fail(err, TRIBO_BAD_INPUT, "point %d of a strand is not a number", (int)i);
  return TRIBO_OK;
}

tribo_status strand_create(const strand_model *model, const strand_def *def, arena *memory,
                           strand *out, tribo_error *err) {
  TRY(check_def(def, err));
  *out = (strand){.model = model,
                  .material = def->material,
                  .elements = def->elements,
                  .length = def->length,
                  .rooted = def->free_root ? -1 : def->length};
  TRY(model->create(def, memory, out, err));
  size_t n = (size_t)out->freedoms;
  int half = out->factor.half < out->freedoms ? out->factor.half : out->freedoms - 1;
  out->factor = (band){.n = out->freedoms,
                       .half = half,
                       .a = ARENA_ARRAY(memory, double, band_size(out->freedoms, half))};
  out->free = ARENA_ARRAY(memory, double, n);
  if (!out->factor.a || !out->free) return status_no_memory(err, "a strand");
  return TRIBO_OK;
}

/* A led freedom: its row and column say v = what is given. */
static void lead(strand *s, double *rhs) {
  band *a = &s->factor;
  for (int i = 0; i < s->freedoms; i++) {
    for (int j = i > a->half ? i - a->half : 0; j <= i; j++) {
      double *entry = band_at(a, i, j);
      if (i == j || !(s->led[i] || s->led[j])) continue;
      if (!s->led[i]) rhs[i] -= *entry * s->v[j];
      if (!s->led[j]) rhs[j] -= *entry * s->v[i];
      *entry = 0;
    }
  }
  for (int i = 0; i < s->freedoms; i++)
    if (s->led[i]) *band_at(a, i, i) = 1, rhs[i] = s->v[i];
}

static bool factor(strand *s, const strand_step *step, const double *v, double *scratch) {
  s->model->linearise(s, step, v, scratch);
  if (s->led) lead(s, scratch);
  return band_factor(&s->factor);
}

bool strand_relinearise(strand *s, const strand_step *step, const double *v, double *scratch) {
  s->tensed = true;
  if (!factor(s, step, v, scratch)) {
    s->tensed = false;
    if (!factor(s, step, v, scratch)) return false;
  }
  memcpy(s->free, scratch, (size_t)s->freedoms * sizeof *scratch);
  band_forward(&s->factor, 1, 0, s->free);
  band_backward(&s->factor, 1, s->free);
  return true;
}

bool strand_begin(strand *s, const strand_step *step, double *scratch) {
  s->model->prepare(s, step);
  return strand_relinearise(s, step, s->v, scratch);
}

double strand_mass(const strand *s) {
  return s->material.density * strand_area(&s->material) * s->length * s->elements;
}
