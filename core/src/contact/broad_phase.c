/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/broad_phase.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/kinematics.h"

/* ---- who may ----------------------------------------------------------------------------------
 */

static bool analytic(const model_surface *s) {
  return s->params.contact >= TRIBO_CONTACT_PLANE && s->params.contact <= TRIBO_CONTACT_BOX;
}

bool broad_phase_exact_rigid(const model *m, const model_surface *s) {
  return s->body >= 0 && !m->bodies[s->body].kinematics->deforms &&
         (s->params.contact != TRIBO_CONTACT_MLS || !s->wished);
}

/* A pair of simulated bodies can meet in two ways; whether the one from f to s is taken. */
bool broad_phase_allowed(const broad_phase *by, size_t probes, size_t surface) {
  const model *m = by->model;
  const model_probes *f = &m->probes[probes];
  const model_surface *s = &m->surfaces[surface];
  if (f->object == s->object) return false;
  if (s->collider >= 0) return true;
  if (by->whom == BROAD_PHASE_COLLIDERS) return false;
  int32_t own = by->surface_of[f->object], felt = by->probes_of[s->object];
  if (own < 0 || felt < 0) return true; /* there is no other way */
  const model_surface *mine = &m->surfaces[own];
  int a = f->params.role, b = s->params.role;
  if (a == TRIBO_ROLE_BOTH || b == TRIBO_ROLE_BOTH) return true;
  if (a == TRIBO_ROLE_SURFACE || b == TRIBO_ROLE_POINTS)
    return a == b; /* both insist on the same: better one way too many than none */
  if (a == TRIBO_ROLE_POINTS || b == TRIBO_ROLE_SURFACE) return true;
  if (broad_phase_exact_rigid(m, s) && broad_phase_exact_rigid(m, mine)) {
    /* a ball is felt in full by its centre; two sharp bodies may touch with corners of either */
    bool ball = f->params.contact == TRIBO_CONTACT_SPHERE;
    bool other = s->params.contact == TRIBO_CONTACT_SPHERE;
    return ball == other ? !ball || f->object < s->object : ball;
  }
  if (analytic(s) != analytic(mine)) return analytic(s);
  if (f->spacing != s->spacing) return f->spacing < s->spacing;
  return f->object < s->object;
}

static bool always_near(const model_surface *s) {
  return s->body < 0 || s->params.contact == TRIBO_CONTACT_MLS;
}

/* Counts all pairs; fills those that are always looked at where there is room for them. */
static void count_pairs(const model *m, int32_t *touched, contact_pair *always, broad_phase *out) {
  out->always_count = out->count = 0;
  for (size_t i = 0; i < m->probe_count; i++)
    for (size_t j = 0; j < m->surface_count; j++) {
      if (!broad_phase_allowed(out, i, j)) continue;
      out->count++;
      touched[j] = true;
      if (!always_near(&m->surfaces[j])) continue;
      if (always) always[out->always_count] = (contact_pair){(int32_t)i, (int32_t)j};
      out->always_count++;
    }
}

tribo_status broad_phase_create(const model *m, broad_phase_whom whom, arena *memory,
                                broad_phase *out, tribo_error *err) {
  *out = (broad_phase){.model = m, .whom = whom};
  int32_t *surface_of = ARENA_ARRAY(memory, int32_t, m->object_count);
  int32_t *probes_of = ARENA_ARRAY(memory, int32_t, m->object_count);
  int32_t *touched = ARENA_ARRAY(memory, int32_t, m->surface_count);
  if (!surface_of || !probes_of || !touched) return status_no_memory(err, "contact pairs");
  for (size_t i = 0; i < m->object_count; i++) surface_of[i] = probes_of[i] = -1;
  for (size_t j = 0; j < m->surface_count; j++) surface_of[m->surfaces[j].object] = (int32_t)j;
  for (size_t i = 0; i < m->probe_count; i++) probes_of[m->probes[i].object] = (int32_t)i;
  out->surface_of = surface_of;
  out->probes_of = probes_of;
  out->touched = touched;
  count_pairs(m, touched, NULL, out);
  contact_pair *always = ARENA_ARRAY(memory, contact_pair, out->always_count);
  if (!always) return status_no_memory(err, "contact pairs");
  count_pairs(m, touched, always, out);
  out->always = always;
  return TRIBO_OK;
}

/* ---- who is near ------------------------------------------------------------------------------
 */

/* Where a body begins and ends along the axis of the sweep. */
typedef struct span {
  double low, high;
  int32_t body;
} span;

static int by_low(const void *a, const void *b) {
  const span *x = a, *y = b;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  return (x->body > y->body) - (x->body < y->body);
}

static int by_pair(const void *a, const void *b) {
  const contact_pair *x = a, *y = b;
  if (x->probes != y->probes) return x->probes < y->probes ? -1 : 1;
  return (x->surface > y->surface) - (x->surface < y->surface);
}

static double along(vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/* The axis along which the bodies lie farthest apart, by the squares of their distances. */
static int widest_axis(const broad_phase_ball *balls, size_t count) {
  vec3 mean = {0, 0, 0}, spread = {0, 0, 0};
  for (size_t b = 0; b < count; b++) mean = vec3_madd(mean, 1 / (double)count, balls[b].centre);
  for (size_t b = 0; b < count; b++) {
    vec3 d = vec3_sub(balls[b].centre, mean);
    spread = vec3_add(spread, vec3_make(d.x * d.x, d.y * d.y, d.z * d.z));
  }
  if (spread.x >= spread.y && spread.x >= spread.z) return 0;
  return spread.y >= spread.z ? 1 : 2;
}

static bool balls_meet(const broad_phase_ball *a, const broad_phase_ball *b) {
  double reach = a->radius + b->radius;
  /* written so that what is not a number is looked at */
  return !(vec3_norm2(vec3_sub(a->centre, b->centre)) > reach * reach);
}

typedef struct pair_list {
  contact_pair *pairs; /* NULL: they are only counted */
  size_t count;
} pair_list;

/* The probes of a on the surface of b. */
static void add_way(const broad_phase *m, size_t a, size_t b, pair_list *to) {
  int32_t probes = m->probes_of[m->model->bodies[a].object];
  int32_t on = m->surface_of[m->model->bodies[b].object];
  if (probes < 0 || on < 0 || always_near(&m->model->surfaces[on])) return;
  if (!broad_phase_allowed(m, (size_t)probes, (size_t)on)) return;
  if (to->pairs) to->pairs[to->count] = (contact_pair){probes, on};
  to->count++;
}

static void sweep(const broad_phase *m, const broad_phase_ball *balls, const span *spans,
                  pair_list *to) {
  size_t count = m->model->body_count;
  for (size_t i = 0; i < count; i++)
    for (size_t j = i + 1; j < count && !(spans[j].low > spans[i].high); j++) {
      size_t a = (size_t)spans[i].body, b = (size_t)spans[j].body;
      if (!balls_meet(&balls[a], &balls[b])) continue;
      add_way(m, a, b, to);
      add_way(m, b, a, to);
    }
}

tribo_status broad_phase_near(const broad_phase *m, const broad_phase_ball *balls, arena *memory,
                              contact_pair **out, size_t *count, tribo_error *err) {
  size_t bodies = m->model->body_count;
  int axis = widest_axis(balls, bodies);
  span *spans = ARENA_ARRAY(memory, span, bodies);
  if (!spans) return status_no_memory(err, "contact pairs");
  for (size_t b = 0; b < bodies; b++) {
    double middle = along(balls[b].centre, axis);
    double low = middle - balls[b].radius, high = middle + balls[b].radius;
    bool known = isfinite(low) && isfinite(high); /* or it might be anywhere */
    spans[b] = (span){known ? low : -INFINITY, known ? high : INFINITY, (int32_t)b};
  }
  qsort(spans, bodies, sizeof *spans, by_low);
  pair_list found = {0};
  sweep(m, balls, spans, &found);
  found.count += m->always_count;
  found.pairs = ARENA_ARRAY(memory, contact_pair, found.count);
  if (!found.pairs) return status_no_memory(err, "contact pairs");
  if (m->always_count) memcpy(found.pairs, m->always, m->always_count * sizeof *m->always);
  found.count = m->always_count;
  sweep(m, balls, spans, &found);
  qsort(found.pairs, found.count, sizeof *found.pairs, by_pair);
  *out = found.pairs;
  *count = found.count;
  return TRIBO_OK;
}
