/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * contact_pivoting: block pivoting with a direct solve (002, section 4.3).
 *
 * Every contact has a label: off (r = 0), stick (u = 0) or slide (u_N = 0, r_T = r_N d with a
 * direction d that stays for the solve). One direct solve gives all unknowns; whoever breaks the
 * condition of his label gets another (Bard's rule, for all at once). When the number of those does
 * not fall for a while, only the first of them is changed, until it does: all at once may cycle.
 * As in the document, labels start from normal impulses without friction.
 */
#include <string.h>

#include "coulomb/contact_linear.h"
#include "coulomb/contact_solver.h"
#include "math/hypotenuse.h"

typedef enum label { OFF, STICK, SLIDE } label;

enum { TRIES = 10, PATIENCE = 60 };
static const double REGULAR = 1e-10;

typedef struct pivoting {
  const contact_unit *p;
  contact_linear *linear;
  label *is, *wanted;
  double (*d)[2]; /* of sliding contacts */
  vec3 *r, *u, *y;
  mat3 *by_u, *by_r;
} pivoting;

static bool allocate(pivoting *s, arena *scratch) {
  size_t n = (size_t)s->p->count;
  s->is = ARENA_ARRAY(scratch, label, n);
  s->wanted = ARENA_ARRAY(scratch, label, n);
  s->d = arena_alloc(scratch, n, sizeof *s->d);
  s->u = ARENA_ARRAY(scratch, vec3, n);
  s->y = ARENA_ARRAY(scratch, vec3, n);
  s->by_u = ARENA_ARRAY(scratch, mat3, n);
  s->by_r = ARENA_ARRAY(scratch, mat3, n);
  return s->is && s->wanted && s->d && s->u && s->y && s->by_u && s->by_r;
}

/* The impulses that the labels ask for. by_u u + by_r r = 0 with u = W r + q; REGULAR r is added to
 * u and taken off again on the right, so that what is singular stays where it was. */
static bool solve_labels(pivoting *s) {
  for (int32_t i = 0; i < s->p->count; i++) {
    mat3 *a = &s->by_u[i], *b = &s->by_r[i];
    *a = *b = (mat3){0};
    if (s->is[i] == OFF)
      *b = mat3_identity();
    else
      a->m[0][0] = 1;
    if (s->is[i] == STICK) a->m[1][1] = a->m[2][2] = 1;
    if (s->is[i] == SLIDE)
      for (int c = 0; c < 2; c++) b->m[c + 1][c + 1] = 1, b->m[c + 1][0] = -s->d[i][c];
    vec3 right = vec3_madd(s->p->q[i], -REGULAR, s->r[i]);
    s->y[i] = vec3_scale(-1, mat3_mul_vec3(a, right));
  }
  if (!contact_linear_factor(s->linear, s->by_u, s->by_r, REGULAR)) return false;
  if (!contact_linear_solve(s->linear, s->y, s->r)) return false;
  contact_unit_velocity(s->p, s->r, s->u);
  return true;
}

/* The label that the projection of r - u would have, and its direction: the same for a contact that
 * keeps its condition. */
static void look(pivoting *s, int32_t i, bool friction) {
  const mat3 *w = &s->p->w.blocks[s->p->pattern.diagonal[i]];
  vec3 r = s->r[i], u = s->u[i];
  double n = r.x - (w->m[0][0] > 0 ? u.x / w->m[0][0] : 0);
  if (!(n > 0)) {
    s->wanted[i] = OFF;
    return;
  }
  if (!friction) {
    s->wanted[i] = SLIDE;
    s->d[i][0] = s->d[i][1] = 0;
    return;
  }
  double t = (w->m[1][1] + w->m[2][2]) / 2, y = r.y - u.y / t, z = r.z - u.z / t;
  double length = hypotenuse(y, z);
  s->wanted[i] = length <= n ? STICK : SLIDE;
  if (s->wanted[i] == SLIDE) s->d[i][0] = y / length, s->d[i][1] = z / length;
}

static void begin(pivoting *s, bool friction) {
  contact_unit_velocity(s->p, s->r, s->u);
  for (int32_t i = 0; i < s->p->count; i++) {
    look(s, i, friction);
    s->is[i] = s->wanted[i];
  }
}

/* One solve and the change of labels. Returns how many wanted another, -1 when it cannot go on. */
static int32_t pivot(pivoting *s, bool friction, bool one) {
  if (!solve_labels(s)) return -1;
  int32_t wrong = 0;
  for (int32_t i = 0; i < s->p->count; i++) {
    look(s, i, friction);
    if (s->wanted[i] == s->is[i]) continue;
    if (!one || wrong == 0) s->is[i] = s->wanted[i];
    wrong++;
  }
  return wrong;
}

static void run_pivots(pivoting *s, bool friction, const contact_goal *goal, contact_track *track,
                       int *iterations) {
  int32_t fewest = INT32_MAX;
  int tries = TRIES, since = 0;
  double stood = track->residual;
  while (*iterations < goal->iterations && track->residual > goal->residual) {
    ++*iterations;
    int32_t wrong = pivot(s, friction, tries == 0);
    if (wrong < 0) return;
    contact_track_note(track, s->u, s->r);
    if (wrong == 0 && !friction) return;
    if (wrong < fewest)
      fewest = wrong, tries = TRIES;
    else if (tries > 0)
      tries--;
    if (track->residual < 0.9 * stood)
      stood = track->residual, since = 0;
    else if (++since > PATIENCE)
      return;
  }
}

static tribo_status solve(const contact_unit *p, const contact_goal *goal, arena *scratch, vec3 *r,
                          contact_run *run, tribo_error *err) {
  pivoting s = {.p = p, .r = r};
  contact_track track;
  if (!allocate(&s, scratch)) return status_no_memory(err, "pivoting");
  TRY(contact_track_begin(p, r, s.u, scratch, &track, err));
  TRY(contact_linear_create(p, &s.linear, err));
  int iterations = 0;
  if (track.residual > goal->residual) {
    begin(&s, false);
    run_pivots(&s, false, goal, &track, &iterations);
    begin(&s, true);
    run_pivots(&s, true, goal, &track, &iterations);
  }
  contact_linear_free(s.linear);
  contact_track_end(&track, iterations, r, run);
  run->used = contact_pivoting.name;
  return TRIBO_OK;
}

const contact_solver contact_pivoting = {
    .name = "pivoting",
    .about = "block pivoting with a direct solve",
    .caps = {.singular = true, .direct = true, .iterations = 400},
    .solve = solve,
};
