/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "forwarding/multipliers.h"

#include <math.h>
#include <string.h>

/* Rounds of the multiplier method, and Newton steps in each, at most. */
enum { ROUNDS = 60, STEPS = 25 };

/* Forces that change by less than this, relative, tell who sticks and who slips. */
static const double SETTLED = 1e-6;

/* A minimum is good enough when what is out of balance is this part of the last change of forces,
 * and a length when the slope there is this part of the slope at the start. */
static const double INNER = 0.1, LEVEL = 1e-3;

typedef struct work {
  const multipliers_model *m;
  vec3 *d;      /* the direction so far */
  vec3 *step;   /* right-hand side, then the Newton step */
  vec3 *bent;   /* H times d, or times step */
  vec3 *along;  /* what step does to gap and slip */
  double scale; /* of the forces that balance */
  multipliers_report *report;
} work;

static bool spent(const work *w) {
  return w->m->most > 0 && w->report->factorizations >= w->m->most;
}

static double dot(const vec3 *a, const vec3 *b, int32_t rows) {
  double sum = 0;
  for (int32_t i = 0; i < rows; i++) sum += vec3_dot(a[i], b[i]);
  return sum;
}

/* -(g + H d), into w->step. */
static void pull(work *w) {
  const model *nodes = w->m->contact->model;
  bcsr_multiply(w->m->hessian, w->m->tasks, w->d, w->bent);
  for (int32_t i = 0; i < nodes->row_count; i++)
    w->step[i] = vec3_scale(-1, vec3_add(w->m->gradient[nodes->node_of_row[i]], w->bent[i]));
}

/* psi' along w->step is a + b t and what the contacts add: it never falls. Where it is level. */
static double level_length(const work *w, double a, double b) {
  const augmented *t = w->m->contact;
  double begin = a + augmented_resistance(t, w->along, 0), low = 0, high = 1, at_low = begin;
  double at_high = a + b + augmented_resistance(t, w->along, 1);
  while (at_high < LEVEL * begin && high < 64) {
    low = high, at_low = at_high;
    high *= 2;
    at_high = a + b * high + augmented_resistance(t, w->along, high);
  }
  if (!(at_high > -LEVEL * begin)) return high;
  for (int i = 0; i < 60; i++) {
    /* the secant, kept off the ends by a tenth so that the bracket shrinks */
    double part = fmin(fmax(at_low / (at_low - at_high), 0.1), 0.9);
    double middle = low + part * (high - low);
    double slope = a + b * middle + augmented_resistance(t, w->along, middle);
    if (fabs(slope) <= -LEVEL * begin) return middle;
    if (slope < 0)
      low = middle, at_low = slope;
    else
      high = middle, at_high = slope;
  }
  return low;
}

/* One Newton step on psi; *done where it is at its minimum to `tolerance`. */
static tribo_status descend(work *w, double tolerance, bool *done, tribo_error *err) {
  const multipliers_model *m = w->m;
  int32_t rows = m->contact->model->row_count;
  size_t bytes = (size_t)rows * sizeof *w->step;
  pull(w);
  double alone = sqrt(dot(w->step, w->step, rows));
  vec3 *free = w->bent; /* the pull, without contacts */
  memcpy(free, w->step, bytes);
  const bcsr *matrix = augmented_bond_here(m->contact, m->hessian, w->step);
  double left = sqrt(dot(w->step, w->step, rows));
  w->scale = fmax(w->scale, alone);
  *done = left <= tolerance * w->scale || spent(w);
  if (*done) return TRIBO_OK;

  linsys_outcome outcome;
  linsys_values(m->linear, matrix);
  w->report->factorizations++;
  TRY(linsys_factor(m->linear, &outcome, err));
  if (outcome == LINSYS_DONE)
    TRY(linsys_solve(m->linear, &w->step->x, 1, &w->step->x, &outcome, err));
  *done = outcome != LINSYS_DONE;
  if (*done) return TRIBO_OK;
  double a = -dot(free, w->step, rows);
  bcsr_multiply(m->hessian, m->tasks, w->step, w->bent);
  double b = dot(w->bent, w->step, rows);
  augmented_along(m->contact, w->step, w->along);
  double length = level_length(w, a, b);
  augmented_move(m->contact, w->along, length);
  for (int32_t i = 0; i < rows; i++) w->d[i] = vec3_madd(w->d[i], length, w->step[i]);
  return TRIBO_OK;
}

tribo_status multipliers(const multipliers_model *m, vec3 *direction, multipliers_report *report,
                         tribo_error *err) {
  augmented *t = m->contact;
  size_t rows = (size_t)t->model->row_count;
  work w = {.m = m,
            .d = direction,
            .step = ARENA_ARRAY(&t->memory, vec3, rows),
            .bent = ARENA_ARRAY(&t->memory, vec3, rows),
            .along = ARENA_ARRAY(&t->memory, vec3, t->set->count),
            .report = report};
  *report = (multipliers_report){.change = 1};
  if (!w.step || !w.bent || !w.along) return status_no_memory(err, "contacts");
  memset(direction, 0, rows * sizeof *direction);
  augmented_soften(t);
  augmented_stand(t, m->x);
  tribo_status status = TRIBO_OK;
  for (int round = 0; status == TRIBO_OK && round < ROUNDS && !report->settled; round++) {
    bool done = false;
    for (int step = 0; status == TRIBO_OK && step < STEPS && !done; step++)
      status = descend(&w, fmax(INNER * report->change, SETTLED) * INNER, &done, err);
    report->change = augmented_take(t);
    report->settled = report->change <= SETTLED;
    if (spent(&w)) break;
  }
  augmented_harden(t);
  return status;
}
