/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "forwarding/staggered.h"

#include <float.h>
#include <string.h>

#include "friction/disc.h"
#include "math/hypotenuse.h"

/* The two projections are solved so much more tightly than their alternation. */
static const double INNER = 1e-3;
enum { SWEEPS = 2000 };

typedef struct solver {
  const friction_problem *p;
  mat3 *rows;    /* an entry: the rows N, t, b of J at its node */
  mat3 *own;     /* a contact: its diagonal block of W */
  vec3 *base;    /* a contact: velocity without change, normal: the room */
  vec3 *impulse; /* (N, t, b) */
  vec3 *change;  /* of the nodes' velocities */
  double least;  /* an impulse below this is nothing */
  const tasks *tasks;
} solver;

static vec3 in_frame(const friction_cone *c, vec3 v) {
  return vec3_make(vec3_dot(c->normal, v), vec3_dot(c->t, v), vec3_dot(c->b, v));
}

static void set_up(solver *s) {
  const friction_problem *p = s->p;
  const contact_set *set = p->set;
  for (size_t i = 0; i < set->count; i++) {
    vec3 slip = vec3_scale(-1, set->contacts[i].surface_velocity);
    mat3 own = {0};
    for (size_t e = set->start[i]; e < set->start[i + 1]; e++) {
      int32_t node = set->node[e];
      s->rows[e] = friction_rows(p, i, e);
      mat3 moved = mat3_mul(&s->rows[e], &p->inverse_mass[node]);
      mat3 part = mat3_mul_t(&moved, &s->rows[e]);
      own = mat3_add(&own, &part);
      slip = vec3_add(slip, mat3_mul_vec3(&set->carry[e], p->velocity[node]));
    }
    s->own[i] = own;
    s->base[i] = in_frame(&p->cones[i], slip);
    s->base[i].x = p->room[i];
  }
}

/* Adds an impulse to contact i, and what it does to the nodes. */
static void apply(solver *s, size_t i, vec3 impulse) {
  const contact_set *set = s->p->set;
  for (size_t e = set->start[i]; e < set->start[i + 1]; e++) {
    int32_t node = set->node[e];
    vec3 push = mat3_tmul_vec3(&s->rows[e], impulse);
    s->change[node] = vec3_add(s->change[node], mat3_mul_vec3(&s->p->inverse_mass[node], push));
  }
}

static vec3 velocity(const solver *s, size_t i) {
  const contact_set *set = s->p->set;
  vec3 u = s->base[i];
  for (size_t e = set->start[i]; e < set->start[i + 1]; e++)
    u = vec3_add(u, mat3_mul_vec3(&s->rows[e], s->change[set->node[e]]));
  return u;
}

/* One sweep of (24): every contact's friction anew. Returns the largest change. */
static double sweep_tangents(solver *s) {
  double largest = 0;
  for (size_t i = 0; i < s->p->set->count; i++) {
    vec3 *r = &s->impulse[i];
    double radius = cone_mu(&s->p->cones[i]) * r->x;
    const mat3 *d = &s->own[i];
    double y0[2] = {r->y, r->z}, y[2] = {0, 0};
    if (radius > 0 && d->m[1][1] > 0) {
      vec3 u = velocity(s, i);
      double g[2] = {u.y, u.z};
      disc_least(d->m[1][1], d->m[1][2], d->m[2][2], g, y0, radius, y);
    }
    vec3 step = {0, y[0] - y0[0], y[1] - y0[1]};
    if (step.y == 0 && step.z == 0) continue;
    r->y = y[0];
    r->z = y[1];
    apply(s, i, step);
    largest = fmax(largest, hypotenuse(step.y, step.z));
  }
  return largest;
}

/* One sweep of (25). */
static double sweep_normals(solver *s) {
  double largest = 0;
  for (size_t i = 0; i < s->p->set->count; i++) {
    double own = s->own[i].m[0][0];
    if (!(own > 0)) continue;
    double next = fmax(0, s->impulse[i].x - velocity(s, i).x / own);
    double step = next - s->impulse[i].x;
    if (step == 0) continue;
    s->impulse[i].x = next;
    apply(s, i, vec3_make(step, 0, 0));
    largest = fmax(largest, fabs(step));
  }
  return largest;
}

static bool project(solver *s, double (*sweep)(solver *), double enough, int *sweeps) {
  for (int i = 0; i < SWEEPS && !(s->tasks && tasks_stopped(s->tasks)); i++) {
    ++*sweeps;
    if (sweep(s) <= enough) return true;
  }
  return false;
}

static double largest_impulse(const solver *s) {
  double largest = 0;
  for (size_t i = 0; i < s->p->set->count; i++) largest = fmax(largest, vec3_norm(s->impulse[i]));
  return largest;
}

static tribo_status allocate(solver *s, arena *scratch, vec3 **before, tribo_error *err) {
  const contact_set *set = s->p->set;
  s->rows = ARENA_ARRAY(scratch, mat3, set->start[set->count]);
  s->own = ARENA_ARRAY(scratch, mat3, set->count);
  s->base = ARENA_ARRAY(scratch, vec3, set->count);
  *before = ARENA_ARRAY(scratch, vec3, set->count);
  if (!s->rows || !s->own || !s->base || !*before) return status_no_memory(err, "friction");
  return TRIBO_OK;
}

tribo_status staggered_solve(const friction_problem *p, const staggered_options *options,
                             arena *scratch, vec3 *impulse, vec3 *change, friction_report *report,
                             tribo_error *err) {
  *report = (friction_report){.converged = true};
  friction_respond(p, impulse, change);
  size_t count = p->set->count;
  if (count == 0) return TRIBO_OK;
  solver s = {.p = p, .impulse = impulse, .change = change, .tasks = options->tasks};
  vec3 *before;
  TRY(allocate(&s, scratch, &before, err));
  set_up(&s);

  for (report->converged = false; report->iterations < options->iterations;) {
    report->iterations++;
    memcpy(before, impulse, count * sizeof *before);
    double size = fmax(largest_impulse(&s), DBL_MIN), enough = INNER * options->tolerance * size;
    bool done = project(&s, sweep_tangents, enough, &report->inner);
    done = project(&s, sweep_normals, enough, &report->inner) && done;
    if (s.tasks) TRY(tasks_check(s.tasks, err));
    double moved = 0;
    for (size_t i = 0; i < count; i++)
      moved = fmax(moved, vec3_norm(vec3_sub(impulse[i], before[i])));
    report->residual = moved / fmax(largest_impulse(&s), DBL_MIN);
    report->converged = done && report->residual <= options->tolerance;
    if (report->converged) break;
  }
  return TRIBO_OK;
}
