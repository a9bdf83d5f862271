/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * contact_prox: proximal Gauss-Seidel with an adaptive r-factor (002, Algorithm 2).
 *
 * Each contact takes a step against its velocity, r over its own diagonal of W, and is put back:
 * the normal impulse onto the half-line, then the friction onto the disc that the new normal
 * impulse allows. A sweep that moves the impulses further than the one before is undone and r
 * shrinks.
 */
#include <float.h>
#include <string.h>

#include "coulomb/contact_solver.h"
#include "math/hypotenuse.h"

static const double SHRINK = 0.7, SMALLEST = 1e-6;
enum { LOOK_EVERY = 8 };

typedef struct proximal {
  const contact_unit *p;
  double factor;
  vec3 *r, *before;
} proximal;

static vec3 velocity_of(const proximal *s, int32_t i) {
  const bcsr_pattern *pattern = &s->p->pattern;
  vec3 u = s->p->q[i];
  for (int32_t k = pattern->row_start[i]; k < pattern->row_start[i + 1]; k++)
    u = vec3_add(u, mat3_mul_vec3(&s->p->w.blocks[k], s->r[pattern->columns[k]]));
  return u;
}

/* One contact, whose drilling is row d (-1: none). The step across is one for all of friction, or
 * what it ends at would not be what dissipates most. Returns the change of the torque. */
static double step_back(proximal *s, int32_t i, int32_t d) {
  const mat3 *own = &s->p->w.blocks[s->p->pattern.diagonal[i]];
  vec3 old = s->r[i], u = velocity_of(s, i), next = {0, 0, 0};
  double n = own->m[0][0], t = fmax(own->m[1][1], own->m[2][2]), spin = 0, torque = 0;
  if (d >= 0) {
    t = fmax(t, s->p->w.blocks[s->p->pattern.diagonal[d]].m[0][0]);
    spin = velocity_of(s, d).x;
    torque = s->r[d].x;
  }
  next.x = fmax(0, old.x - (n > 0 ? s->factor / n : 0) * u.x);
  double step = t > 0 ? s->factor / t : 0;
  next.y = old.y - step * u.y;
  next.z = old.z - step * u.z;
  double drilled = torque - step * spin, length = hypotenuse(next.y, next.z);
  if (d >= 0) length = hypotenuse(length, drilled);
  double fit = length > next.x ? next.x / length : 1;
  s->r[i] = vec3_make(next.x, fit * next.y, fit * next.z);
  if (d >= 0) s->r[d].x = fit * drilled;
  return d >= 0 ? fabs(s->r[d].x - torque) : 0;
}

/* The largest change of an impulse. */
static double sweep(proximal *s) {
  double largest = 0;
  for (int32_t i = 0; i < s->p->count; i++) {
    contact_row_kind kind = contact_kind(s->p->drill, (size_t)i);
    if (kind == CONTACT_DRILLING) continue; /* with its contact */
    vec3 old = s->r[i];
    double turned = step_back(s, i, kind == CONTACT_DRILLS ? s->p->drill[i] : -1);
    largest = fmax(largest, fmax(turned, vec3_max_abs(vec3_sub(s->r[i], old))));
  }
  return largest;
}

static tribo_status solve(const contact_unit *p, const contact_goal *goal, arena *scratch, vec3 *r,
                          contact_run *run, tribo_error *err) {
  proximal s = {.p = p, .factor = 1, .r = r, .before = ARENA_ARRAY(scratch, vec3, p->count)};
  vec3 *u = ARENA_ARRAY(scratch, vec3, p->count);
  contact_track track;
  if (!s.before || !u) return status_no_memory(err, "the proximal solver");
  TRY(contact_track_begin(p, r, u, scratch, &track, err));
  double moved = INFINITY;
  int done = 0;
  while (track.residual > goal->residual && done < goal->iterations) {
    done++;
    memcpy(s.before, r, (size_t)p->count * sizeof *r);
    double now = sweep(&s);
    if (now > moved && s.factor > SMALLEST) {
      memcpy(r, s.before, (size_t)p->count * sizeof *r);
      s.factor *= SHRINK;
    } else {
      moved = now;
    }
    if (done % LOOK_EVERY && done < goal->iterations && moved > 0) continue;
    contact_unit_velocity(p, r, u);
    contact_track_note(&track, u, r);
    if (!(moved > 0)) break;
  }
  contact_track_end(&track, done, r, run);
  run->used = contact_prox.name;
  return TRIBO_OK;
}

const contact_solver contact_prox = {
    .name = "prox",
    .about = "proximal Gauss-Seidel with an adaptive r-factor",
    .caps = {.singular = true, .drilling = true, .iterations = 10000},
    .solve = solve,
};
