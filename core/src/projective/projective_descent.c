/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "projective/projective_descent.h"

#include <math.h>
#include <string.h>

#include "math/hypotenuse.h"
#include "projective/projective.h"

/* Of the first slope: where a search has got far enough. */
static const double LEVEL = 1e-10;

/* P bounds the Hessian from above, and by far across a sheet: a search may go this many times as
 * far as P says. */
static const double FARTHEST = 50;

/* What contacts take off a direction may leave nothing of it. They are then left out of it, and it
 * is asked for again, up to so many times, until this share is left. */
enum { ATTEMPTS = 4 };
static const double KEPT = 0.3;

/* Sweeps over contacts that share nodes. */
enum { SWEEPS = 4 };

tribo_status projective_descent_create(const model *m, arena *memory, projective_descent *out,
                                       tribo_error *err) {
  size_t nodes = (size_t)m->node_count;
  *out = (projective_descent){.lacking = ARENA_ARRAY(memory, vec3, nodes),
                              .driven = ARENA_ARRAY(memory, vec3, nodes),
                              .direction = ARENA_ARRAY(memory, vec3, nodes),
                              .last = ARENA_ARRAY(memory, vec3, nodes),
                              .from = ARENA_ARRAY(memory, vec3, nodes),
                              .descends = ARENA_ARRAY(memory, bool, nodes)};
  bool whole =
      out->descends && out->lacking && out->driven && out->direction && out->last && out->from;
  return whole ? TRIBO_OK : status_no_memory(err, "a step's work space");
}

/* ---- contacts ---------------------------------------------------------------------------------
 */

/* What is inside of something stays as deep: what pushes it out does work. */
static void take(projective *p, const friction_cone *cone, vec3 shift, int count,
                 const int32_t *node, const double *weight, vec3 *tell) {
  const model *m = p->model;
  bool descends = false;
  for (int k = 0; k < count; k++) descends |= weight[k] != 0 && p->descent.descends[node[k]];
  if (!descends) return;
  double flexible = 0;
  descent_contact c = {.cone = cone, .shift = shift, .least = fmin(0, -shift.x), .tell = tell};
  for (int k = 0; k < count; k++) {
    if (weight[k] == 0) continue;
    c.node[c.count] = node[k];
    c.weight[c.count] = weight[k];
    c.inverse[c.count] = m->row_of_node[node[k]] < 0 ? 0 : 1 / p->mass[node[k]];
    flexible += weight[k] * weight[k] * c.inverse[c.count++];
  }
  *tell = vec3_make(0, 0, 0);
  if (!(flexible > 0)) return;
  c.mass = 1 / flexible;
  p->descent.contacts[p->descent.count++] = c;
}

static tribo_status take_all(projective *p, tribo_error *err) {
  projective_descent *d = &p->descent;
  const contact_set *set = &p->set;
  size_t most = set->count + p->edges.count + p->layers.count;
  d->count = 0;
  d->contacts = ARENA_ARRAY(&p->step, descent_contact, most);
  if (!d->contacts) return status_no_memory(err, "contacts");
  for (size_t i = 0; i < set->count; i++) {
    projective_contact *c = &p->contacts[i];
    int32_t node[4] = {0};
    double weight[4] = {0};
    int count = 0;
    for (size_t e = set->start[i]; e < set->start[i + 1] && count < 4; e++) {
      node[count] = set->node[e];
      weight[count++] = set->carry[e].m[0][0];
    }
    take(p, &c->cone, c->shift, count, node, weight, &c->impulse);
  }
  for (size_t i = 0; i < p->edges.count + p->layers.count; i++) {
    bool edge = i < p->edges.count;
    projective_stencil *c = edge ? &p->edges.stencils[i] : &p->layers.stencils[i - p->edges.count];
    take(p, &c->cone, c->shift, 4, c->node, c->weight, &c->impulse);
  }
  return TRIBO_OK;
}

static vec3 sum_of(const descent_contact *c, const vec3 *of) {
  vec3 sum = {0, 0, 0};
  for (int k = 0; k < c->count; k++) sum = vec3_madd(sum, c->weight[k], of[c->node[k]]);
  return projective_to_frame(c->cone, sum);
}

/* An impulse in the frame, on the masses alone. */
static void push(const descent_contact *c, vec3 r, vec3 *velocities) {
  vec3 world = projective_to_world(c->cone, r);
  for (int k = 0; k < c->count; k++)
    velocities[c->node[k]] = vec3_madd(velocities[c->node[k]], c->weight[k] * c->inverse[k], world);
}

static double slip2(vec3 u) { return u.y * u.y + u.z * u.z; }

/* What a contact that is closed bears of what drives it; friction resists what slips, or what
 * would begin to. */
static void resist(const projective *p, descent_contact *c, double still) {
  vec3 now = sum_of(c, p->v);
  vec3 u = vec3_add(now, c->shift);
  vec3 d = vec3_madd(sum_of(c, p->descent.driven), -1 / c->mass, c->impulse);
  vec3 r = {0, 0, 0};
  bool slips = slip2(u) > still * still;
  if (c->blocked) {
    r = vec3_scale(-c->mass, d);
  } else if (c->closed) {
    r.x = -c->mass * d.x;
  } else if (now.x <= c->least + still) {
    double far = slips ? 1e3 * (fabs(d.x) + hypotenuse(d.y, d.z)) / sqrt(slip2(u)) : 0;
    vec3 by = slips ? vec3_make(d.x, far * u.y, far * u.z) : d;
    r = projective_bear(c->cone, by, c->mass);
  }
  vec3 left = vec3_madd(d, 1 / c->mass, r);
  c->stuck = c->blocked || (!slips && r.x > 0 && slip2(left) <= 1e-20 * slip2(d));
  push(c, vec3_sub(r, c->impulse), p->descent.driven);
  c->impulse = r;
}

static int sweeps(const projective *p) {
  return p->edges.count + p->layers.count + p->solid_contact.count > 0 ? SWEEPS : 1;
}

static void resist_all(projective *p) {
  const model *m = p->model;
  projective_descent *d = &p->descent;
  double still = 1e-6 * p->options.gap / p->options.h;
  for (int32_t i = 0; i < m->node_count; i++)
    d->driven[i] = vec3_scale(1 / p->mass[i], d->lacking[i]);
  for (size_t i = 0; i < d->count; i++) d->contacts[i].impulse = vec3_make(0, 0, 0);
  for (int round = 0; round < sweeps(p); round++)
    for (size_t i = 0; i < d->count; i++) resist(p, &d->contacts[i], still);
  for (int32_t i = 0; i < m->node_count; i++) p->g[i] = vec3_scale(p->mass[i], d->driven[i]);
}

/* Takes off a change of velocity what contacts do not allow, and notes which do not: nothing closes
 * by more than its gap, slips back within a search, or goes where friction pushes it. */
static void limit(const projective *p, descent_contact *c, vec3 *change) {
  vec3 now = sum_of(c, p->v), u = vec3_add(now, c->shift), by = sum_of(c, change), off = {0, 0, 0};
  bool bears = c->closed || c->impulse.x > 0;
  bool closes = !bears && now.x + by.x < c->least;
  if (bears) off.x = -by.x;
  if (closes) off.x = fmin(now.x, c->least) - now.x - by.x, c->closed = true;
  bool pushed = bears && c->impulse.y * by.y + c->impulse.z * by.z > 0;
  bool back = bears && (u.y + by.y) * u.y + (u.z + by.z) * u.z < 0;
  if (c->stuck) {
    off.y = -by.y, off.z = -by.z;
  } else if (back) {
    off.y = -u.y - by.y, off.z = -u.z - by.z;
  } else if (pushed) {
    off.y = -by.y, off.z = -by.z;
    c->blocked = true;
  }
  if (off.x != 0 || off.y != 0 || off.z != 0) push(c, vec3_scale(c->mass, off), change);
}

static void limit_all(projective *p, vec3 *change) {
  const projective_descent *d = &p->descent;
  for (int round = 0; round < sweeps(p); round++)
    for (size_t i = 0; i < d->count; i++) limit(p, &d->contacts[i], change);
}

/* ---- the search -------------------------------------------------------------------------------
 */

static double product(const projective *p, const vec3 *a, const vec3 *b) {
  const model *m = p->model;
  double sum = 0;
  for (int32_t r = 0; r < m->row_count; r++)
    sum += vec3_dot(a[m->node_of_row[r]], b[m->node_of_row[r]]);
  return sum;
}

static void go(projective *p, double way) {
  const model *m = p->model;
  const projective_descent *d = &p->descent;
  for (int32_t r = 0; r < m->row_count; r++) {
    int32_t i = m->node_of_row[r];
    p->v[i] = vec3_madd(d->from[i], way, d->direction[i]);
  }
}

/* Conjugate to the last; or, where that does not lead down, by itself. */
static double choose_direction(projective *p, double *before) {
  const model *m = p->model;
  projective_descent *d = &p->descent;
  double now = product(p, p->g, p->change), turned = now - product(p, d->last, p->change);
  double share = *before > 0 ? fmax(0, turned / *before) : 0;
  for (int32_t r = 0; r < m->row_count; r++) {
    int32_t i = m->node_of_row[r];
    d->direction[i] = vec3_madd(p->change[i], share, d->direction[i]);
  }
  if (share > 0) limit_all(p, d->direction);
  double slope = product(p, p->g, d->direction);
  if (!(slope > 0)) {
    memcpy(d->direction, p->change, (size_t)m->node_count * sizeof *d->direction);
    slope = now;
  }
  memcpy(d->last, p->g, (size_t)m->node_count * sizeof *d->last);
  *before = now;
  return slope;
}

/* One search; false: it is level. */
static bool descend(projective *p, double *before, double *first) {
  const model *m = p->model;
  projective_descent *d = &p->descent;
  size_t all = (size_t)m->node_count * sizeof *p->g;
  projective_residual(p);
  for (int32_t i = 0; i < m->node_count; i++)
    d->lacking[i] = d->descends[i] ? p->g[i] : vec3_make(0, 0, 0);
  for (size_t i = 0; i < d->count; i++) d->contacts[i].closed = d->contacts[i].blocked = false;
  for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
    resist_all(p);
    prefactor_solve(p->matrix, p->g, p->change);
    double wanted = product(p, p->g, p->change);
    limit_all(p, p->change);
    if (product(p, p->g, p->change) > KEPT * wanted) break;
  }
  double slope = choose_direction(p, before);
  if (!(*first > 0)) *first = slope;
  if (!(slope > LEVEL * *first)) return false;
  memcpy(d->from, p->v, all);
  /* r . d is what it was: the search ends where g + r has nothing along d */
  double borne = slope - product(p, d->lacking, d->direction);
  go(p, 1);
  projective_residual(p);
  double end = product(p, p->g, d->direction) + borne;
  double way = end < slope ? fmin(slope / (slope - end), FARTHEST) : FARTHEST;
  go(p, 0);
  for (int32_t r = 0; way > 1 && r < m->row_count; r++) {
    int32_t i = m->node_of_row[r];
    d->direction[i] = vec3_scale(way, d->direction[i]);
  }
  if (way > 1) limit_all(p, d->direction);
  go(p, fmin(way, 1));
  return true;
}

tribo_status projective_descent_run(projective *p, tribo_error *err) {
  const model *m = p->model;
  projective_descent *d = &p->descent;
  double before = 0, first = 0;
  for (int32_t i = 0; i < m->node_count; i++) {
    d->descends[i] = m->row_of_node[i] >= 0 && projective_guard_again(&p->guard, i);
    if (d->descends[i]) p->v[i] = vec3_make(0, 0, 0);
  }
  TRY(take_all(p, err));
  memset(d->direction, 0, (size_t)m->node_count * sizeof *d->direction);
  memset(d->last, 0, (size_t)m->node_count * sizeof *d->last);
  for (int round = 0; round < p->options.iterations; round++) {
    TRY(tasks_check(&p->options.tasks, err));
    if (!descend(p, &before, &first)) break;
  }
  for (size_t i = 0; i < d->count; i++) *d->contacts[i].tell = d->contacts[i].impulse;
  return TRIBO_OK;
}
