/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "coulomb/contact_problem.h"

#include <assert.h>
#include <float.h>
#include <math.h>

#include "friction/cone.h"
#include "math/hypotenuse.h"

double contact_problem_norm(const contact_problem *p) {
  double sum = 0;
  for (size_t i = 0; i < contact_problem_count(p); i++) sum += vec3_norm2(p->q[i]);
  return sqrt(sum);
}

/* ---- the law at one contact ---- */

static vec3 project_round(double mu, vec3 r) {
  double length = hypotenuse(r.y, r.z);
  if (r.x >= 0 && length <= mu * r.x) return r;
  if (mu * length <= -r.x) return vec3_make(0, 0, 0);
  double normal = (r.x + mu * length) / (1 + mu * mu);
  double fit = mu * normal / length;
  return vec3_make(normal, fit * r.y, fit * r.z);
}

static vec3 project_elliptic(contact_coefficients grip, vec3 r) {
  friction_cone cone = {.mu_t = grip.t, .mu_b = grip.b};
  return cone_project(&cone, r, NULL);
}

vec3 contact_problem_project(contact_coefficients grip, vec3 r) {
  return grip.t == grip.b ? project_round(grip.t, r) : project_elliptic(grip, r);
}

vec3 contact_problem_law(contact_coefficients grip, vec3 u, vec3 r) {
  vec3 lifted = {u.x + hypotenuse(grip.t * u.y, grip.b * u.z), u.y, u.z};
  return vec3_sub(r, contact_problem_project(grip, vec3_sub(r, lifted)));
}

double contact_problem_law_drill(contact_coefficients grip, double mu_d, vec3 u, double u_d, vec3 r,
                                 double r_d) {
  friction_cone cone = {.mu_t = grip.t, .mu_b = grip.b, .mu_drill = mu_d};
  double lift = hypotenuse(hypotenuse(grip.t * u.y, grip.b * u.z), mu_d * u_d), square = 0;
  const double at[4] = {r.x, r.y, r.z, r_d};
  double aim[4] = {r.x - u.x - lift, r.y - u.y, r.z - u.z, r_d - u_d}, borne[4];
  cone_project_drill(&cone, aim, borne, NULL);
  for (int k = 0; k < 4; k++) square += (at[k] - borne[k]) * (at[k] - borne[k]);
  return square;
}

static vec3 velocity_of(const contact_problem *p, const vec3 *r, size_t i) {
  vec3 u = p->q[i];
  for (int32_t k = p->w.pattern->row_start[i]; k < p->w.pattern->row_start[i + 1]; k++)
    u = vec3_add(u, mat3_mul_vec3(&p->w.blocks[k], r[p->w.pattern->columns[k]]));
  return u;
}

double contact_problem_residual(const contact_problem *p, const vec3 *r, vec3 *velocity) {
  double sum = 0;
  for (size_t i = 0; i < contact_problem_count(p); i++) {
    vec3 u = velocity_of(p, r, i);
    if (velocity) velocity[i] = u;
    contact_row_kind kind = contact_kind(p->drill, i);
    if (kind == CONTACT_PLAIN) {
      sum += vec3_norm2(contact_problem_law(p->grip[i], u, r[i]));
    } else if (kind == CONTACT_DRILLS) {
      size_t d = (size_t)p->drill[i];
      double u_d = velocity_of(p, r, d).x;
      sum += contact_problem_law_drill(p->grip[i], p->grip[d].t, u, u_d, r[i], r[d].x);
    }
  }
  return sqrt(sum) / (1 + contact_problem_norm(p));
}

/* ---- check ---- */

double contact_problem_asymmetry(const bcsr *w) {
  double largest = 0, apart = 0;
  for (int32_t i = 0; i < w->pattern->rows; i++)
    for (int32_t k = w->pattern->row_start[i]; k < w->pattern->row_start[i + 1]; k++) {
      int32_t back = bcsr_find(w->pattern, w->pattern->columns[k], i);
      for (int a = 0; a < 9; a++) {
        double here = w->blocks[k].m[a / 3][a % 3];
        double there = back < 0 ? 0 : w->blocks[back].m[a % 3][a / 3];
        largest = fmax(largest, fabs(here));
        apart = fmax(apart, fabs(here - there));
      }
    }
  return largest > 0 ? apart / largest : 0;
}

static tribo_status check_row(const contact_problem *p, int32_t i, tribo_error *err) {
  const bcsr_pattern *pattern = p->w.pattern;
  const mat3 *own = &p->w.blocks[pattern->diagonal[i]];
  for (int c = 0; c < 3; c++)
    if (own->m[c][c] < 0)
      return status_fail(err, TRIBO_BAD_INPUT,
                         "contact %d: W has %g on its diagonal, which no masses give; it must not "
                         "be negative",
                         i, own->m[c][c]);
  for (int32_t k = pattern->row_start[i]; k < pattern->row_start[i + 1]; k++)
    for (int a = 0; a < 9; a++)
      if (!isfinite(p->w.blocks[k].m[a / 3][a % 3]))
        return status_fail(err, TRIBO_BAD_INPUT, "contact %d: W is not finite", i);
  return TRIBO_OK;
}

tribo_status contact_problem_check(const contact_problem *p, tribo_error *err) {
  for (size_t i = 0; i < contact_problem_count(p); i++) {
    contact_coefficients g = p->grip[i];
    if (!vec3_finite(p->q[i]))
      return status_fail(err, TRIBO_BAD_INPUT, "contact %zu: q is not finite", i);
    if (!(g.t >= 0) || !(g.b >= 0) || !isfinite(g.t) || !isfinite(g.b))
      return status_fail(err, TRIBO_BAD_INPUT,
                         "contact %zu: the coefficients of friction are %g and %g; they must be 0 "
                         "or more",
                         i, g.t, g.b);
    TRY(check_row(p, (int32_t)i, err));
  }
  return TRIBO_OK;
}

/* ---- groups ---- */

tribo_status contact_groups_find(const bcsr_pattern *pattern, arena *memory, contact_groups *out,
                                 tribo_error *err) {
  size_t count = (size_t)pattern->rows, group = 0, filled = 0;
  int32_t *of = ARENA_ARRAY(memory, int32_t, count), *queue = ARENA_ARRAY(memory, int32_t, count);
  *out = (contact_groups){.start = ARENA_ARRAY(memory, size_t, count + 1),
                          .contact = ARENA_ARRAY(memory, int32_t, count)};
  if (!of || !queue || !out->start || !out->contact)
    return status_no_memory(err, "the groups of contacts");
  for (size_t i = 0; i < count; i++) of[i] = -1;
  for (size_t first = 0; first < count; first++) {
    if (of[first] >= 0) continue;
    size_t begin = filled;
    queue[filled++] = (int32_t)first;
    of[first] = (int32_t)group;
    for (size_t at = begin; at < filled; at++)
      for (int32_t k = pattern->row_start[queue[at]]; k < pattern->row_start[queue[at] + 1]; k++) {
        int32_t other = pattern->columns[k];
        if (of[other] >= 0) continue;
        of[other] = (int32_t)group;
        queue[filled++] = other;
      }
    out->start[++group] = filled;
  }
  out->count = group;
  /* A pass over the contacts in order fills the groups in order; queue is the cursor meanwhile. */
  for (size_t g = 0; g < group; g++) queue[g] = (int32_t)out->start[g];
  for (size_t i = 0; i < count; i++) out->contact[queue[of[i]]++] = (int32_t)i;
  return TRIBO_OK;
}

/* ---- the unit problem ---- */

static tribo_status unit_allocate(const contact_problem *p, const int32_t *contact, size_t count,
                                  arena *memory, contact_unit *out, tribo_error *err) {
  size_t blocks = 0;
  for (size_t i = 0; i < count; i++)
    blocks +=
        (size_t)(p->w.pattern->row_start[contact[i] + 1] - p->w.pattern->row_start[contact[i]]);
  *out = (contact_unit){.count = (int32_t)count,
                        .pattern = {.rows = (int32_t)count,
                                    .row_start = ARENA_ARRAY(memory, int32_t, count + 1),
                                    .columns = ARENA_ARRAY(memory, int32_t, blocks),
                                    .diagonal = ARENA_ARRAY(memory, int32_t, count)},
                        .q = ARENA_ARRAY(memory, vec3, count),
                        .scale = ARENA_ARRAY(memory, vec3, count),
                        .grip = ARENA_ARRAY(memory, contact_coefficients, count)};
  if (p->drill && !(out->drill = ARENA_ARRAY(memory, int32_t, count)))
    return status_no_memory(err, "the contact problem");
  out->w = (bcsr){.pattern = &out->pattern, .blocks = ARENA_ARRAY(memory, mat3, blocks)};
  if (!out->pattern.row_start || !out->pattern.columns || !out->pattern.diagonal || !out->q ||
      !out->scale || !out->grip || !out->w.blocks)
    return status_no_memory(err, "the contact problem");
  return TRIBO_OK;
}

static int32_t place(const int32_t *contact, size_t count, int32_t wanted) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (contact[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  assert(low < count && contact[low] == wanted);
  return (int32_t)low;
}

/* Scales, and what is scaled row by row. A row of drilling is in one group with its contact, since
 * both hang on what turns. */
static void unit_scale(const contact_problem *p, const int32_t *contact, size_t count,
                       contact_unit *out) {
  for (size_t i = 0; i < count; i++) {
    size_t from = (size_t)contact[i];
    contact_coefficients grip = p->grip[from];
    bool drilling = contact_kind(p->drill, from) == CONTACT_DRILLING;
    vec3 d = drilling ? vec3_make(grip.t, 0, 0) : vec3_make(1, grip.t, grip.b), q = p->q[from];
    out->grip[i] = grip;
    out->scale[i] = d;
    out->q[i] = vec3_make(d.x * q.x, d.y * q.y, d.z * q.z);
    if (out->drill) out->drill[i] = p->drill[from] < 0 ? -1 : place(contact, count, p->drill[from]);
  }
}

static void unit_rows(const contact_problem *p, const int32_t *contact, size_t count,
                      contact_unit *out) {
  const bcsr_pattern *from = p->w.pattern;
  int32_t at = 0;
  for (size_t i = 0; i < count; i++) {
    int32_t row = contact[i];
    for (int32_t k = from->row_start[row]; k < from->row_start[row + 1]; k++, at++) {
      int32_t j =
          count == (size_t)from->rows ? from->columns[k] : place(contact, count, from->columns[k]);
      if ((size_t)j == i) out->pattern.diagonal[i] = at;
      out->pattern.columns[at] = j;
      vec3 a = out->scale[i], b = out->scale[j];
      const mat3 *w = &p->w.blocks[k];
      out->w.blocks[at] =
          (mat3){{{a.x * w->m[0][0] * b.x, a.x * w->m[0][1] * b.y, a.x * w->m[0][2] * b.z},
                  {a.y * w->m[1][0] * b.x, a.y * w->m[1][1] * b.y, a.y * w->m[1][2] * b.z},
                  {a.z * w->m[2][0] * b.x, a.z * w->m[2][1] * b.y, a.z * w->m[2][2] * b.z}}};
    }
    out->pattern.row_start[i + 1] = at;
  }
}

/* Mean of the diagonal of the directions that have one, and the root mean square of q'. */
static void unit_measure(const contact_unit *p, double *stiffness, double *speed) {
  double sum = 0, squares = 0;
  size_t rows = 0;
  for (int32_t i = 0; i < p->count; i++) {
    const mat3 *own = &p->w.blocks[p->pattern.diagonal[i]];
    for (int c = 0; c < 3; c++)
      if (own->m[c][c] > 0) sum += own->m[c][c], rows++;
    squares += vec3_norm2(p->q[i]);
  }
  *stiffness = rows ? sum / (double)rows : 1;
  *speed = sqrt(squares / (double)p->count);
  if (!(*speed > 0)) *speed = 1;
}

/* Rows in order meet the blocks of a column in order: a cursor a row finds each block's other half
 * without a search. */
static tribo_status find_symmetry(arena *memory, contact_unit *p, tribo_error *err) {
  int32_t *cursor = ARENA_ARRAY(memory, int32_t, p->count);
  if (!cursor) return status_no_memory(err, "the contact problem");
  double apart = 0;
  for (int32_t i = 0; i < p->count; i++) cursor[i] = p->pattern.row_start[i];
  for (int32_t i = 0; i < p->count; i++)
    for (int32_t k = p->pattern.row_start[i]; k < p->pattern.row_start[i + 1]; k++) {
      const mat3 *a = &p->w.blocks[k], *b = &p->w.blocks[cursor[p->pattern.columns[k]]++];
      for (int e = 0; e < 9; e++)
        apart = fmax(apart, fabs(a->m[e / 3][e % 3] - b->m[e % 3][e / 3]));
    }
  p->symmetric = apart <= 64 * DBL_EPSILON; /* the mean diagonal is 1 */
  return TRIBO_OK;
}

tribo_status contact_unit_make(const contact_problem *p, const int32_t *contact, size_t count,
                               arena *memory, contact_unit *out, tribo_error *err) {
  assert(count > 0);
  TRY(unit_allocate(p, contact, count, memory, out, err));
  unit_scale(p, contact, count, out);
  unit_rows(p, contact, count, out);
  double stiffness;
  unit_measure(out, &stiffness, &out->u_unit);
  out->r_unit = out->u_unit / stiffness;
  for (int32_t k = 0; k < bcsr_block_count(&out->pattern); k++)
    out->w.blocks[k] = mat3_scale(1 / stiffness, &out->w.blocks[k]);
  for (size_t i = 0; i < count; i++) {
    mat3 *own = &out->w.blocks[out->pattern.diagonal[i]];
    if (!(out->scale[i].y > 0)) own->m[1][1] = 1;
    if (!(out->scale[i].z > 0)) own->m[2][2] = 1;
    out->q[i] = vec3_scale(1 / out->u_unit, out->q[i]);
  }
  return find_symmetry(memory, out, err);
}

void contact_unit_velocity(const contact_unit *p, const vec3 *r, vec3 *u) {
  bcsr_multiply_rows(&p->w, r, 0, (size_t)p->count, u);
  for (int32_t i = 0; i < p->count; i++) u[i] = vec3_add(u[i], p->q[i]);
}

void contact_unit_project(const contact_unit *p, vec3 *r) {
  static const contact_coefficients one = {1, 1};
  for (int32_t i = 0; i < p->count; i++) {
    contact_row_kind kind = contact_kind(p->drill, (size_t)i);
    if (kind == CONTACT_PLAIN) r[i] = contact_problem_project(one, r[i]);
    if (kind != CONTACT_DRILLS) continue;
    double *torque = &r[p->drill[i]].x, length = contact_unit_across(p, i, r);
    if (length <= r[i].x) continue;
    double normal = fmax(0, (r[i].x + length) / 2), fit = normal > 0 ? normal / length : 0;
    r[i] = vec3_make(normal, fit * r[i].y, fit * r[i].z);
    *torque *= fit;
  }
}

/* Velocities of row i in true units. */
static vec3 true_velocity(const contact_unit *p, int32_t i, const vec3 *u) {
  vec3 d = p->scale[i], v = vec3_scale(p->u_unit, u[i]);
  return vec3_make(v.x / d.x, d.y > 0 ? v.y / d.y : 0, d.z > 0 ? v.z / d.z : 0);
}

double contact_unit_residual(const contact_unit *p, const vec3 *u, const vec3 *r) {
  double sum = 0;
  for (int32_t i = 0; i < p->count; i++) {
    contact_row_kind kind = contact_kind(p->drill, (size_t)i);
    if (kind == CONTACT_DRILLING) continue;
    vec3 v = true_velocity(p, i, u), impulse = contact_unit_out(p, i, r[i]);
    if (kind == CONTACT_PLAIN) {
      sum += vec3_norm2(contact_problem_law(p->grip[i], v, impulse));
    } else {
      int32_t d = p->drill[i];
      sum += contact_problem_law_drill(p->grip[i], p->grip[d].t, v, true_velocity(p, d, u).x,
                                       impulse, contact_unit_out(p, d, r[d]).x);
    }
  }
  return sqrt(sum);
}
