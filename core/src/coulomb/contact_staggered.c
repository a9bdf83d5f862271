/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * contact_staggered: staggered projections (000, section 5.5.2, (24) to (27)) on a contact problem
 * with its matrix: in turn the friction that dissipates most for given normal impulses, over discs,
 * and the normal impulses for given friction, over half-lines. Each by Gauss-Seidel with the exact
 * disc of friction/disc.h; an ellipse is a disc in a unit problem.
 *
 * Staggering has a fixed point where Coulomb's law holds, but nothing makes it go there.
 */
#include <string.h>

#include "coulomb/contact_solver.h"
#include "friction/disc.h"
#include "math/hypotenuse.h"

/* Sweeps of one projection at most, and how much tighter it is solved than the alternation moved.
 */
enum { SWEEPS = 100 };
static const double INNER = 1e-2;

typedef struct stagger {
  const contact_unit *p;
  vec3 *r;
} stagger;

static vec3 velocity(const stagger *s, int32_t i) {
  const bcsr_pattern *pattern = &s->p->pattern;
  vec3 u = s->p->q[i];
  for (int32_t k = pattern->row_start[i]; k < pattern->row_start[i + 1]; k++)
    u = vec3_add(u, mat3_mul_vec3(&s->p->w.blocks[k], s->r[pattern->columns[k]]));
  return u;
}

static double friction_at(stagger *s, int32_t i) {
  const mat3 *own = &s->p->w.blocks[s->p->pattern.diagonal[i]];
  vec3 *r = &s->r[i];
  double y0[2] = {r->y, r->z}, y[2] = {0, 0};
  if (r->x > 0) {
    vec3 u = velocity(s, i);
    double g[2] = {u.y, u.z}, least = 1e-14 * (own->m[1][1] + own->m[2][2]) + 1e-300;
    disc_least(own->m[1][1] + least, (own->m[1][2] + own->m[2][1]) / 2, own->m[2][2] + least, g, y0,
               r->x, y);
  }
  r->y = y[0], r->z = y[1];
  return hypotenuse(y[0] - y0[0], y[1] - y0[1]);
}

static double normal_at(stagger *s, int32_t i) {
  double own = s->p->w.blocks[s->p->pattern.diagonal[i]].m[0][0], old = s->r[i].x;
  if (!(own > 0)) return 0;
  s->r[i].x = fmax(0, old - velocity(s, i).x / own);
  return fabs(s->r[i].x - old);
}

/* How far the impulses moved in all sweeps, the furthest at once. */
static double project(stagger *s, double (*at)(stagger *, int32_t), double enough) {
  double furthest = 0;
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    double moved = 0;
    for (int32_t i = 0; i < s->p->count; i++) moved = fmax(moved, at(s, i));
    furthest = fmax(furthest, moved);
    if (moved <= enough) break;
  }
  return furthest;
}

static tribo_status solve(const contact_unit *p, const contact_goal *goal, arena *scratch, vec3 *r,
                          contact_run *run, tribo_error *err) {
  stagger s = {.p = p, .r = r};
  vec3 *u = ARENA_ARRAY(scratch, vec3, p->count);
  contact_track track;
  if (!u) return status_no_memory(err, "staggered projections");
  TRY(contact_track_begin(p, r, u, scratch, &track, err));
  double moved = 1;
  int done = 0;
  while (track.residual > goal->residual && done < goal->iterations) {
    done++;
    double enough = fmin(INNER * moved, 1e-3);
    moved = project(&s, normal_at, enough);
    moved = fmax(moved, project(&s, friction_at, enough));
    contact_unit_velocity(p, r, u);
    contact_track_note(&track, u, r);
    if (!(moved > 0)) break;
  }
  contact_track_end(&track, done, r, run);
  run->used = contact_staggered.name;
  return TRIBO_OK;
}

const contact_solver contact_staggered = {
    .name = "staggered",
    .about = "staggered projections onto discs and half-lines",
    .caps = {.singular = true, .iterations = 2000},
    .solve = solve,
};
