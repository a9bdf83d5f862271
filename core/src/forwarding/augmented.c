/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "forwarding/augmented.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "forwarding/augmented_point.h"
#include "math/hypotenuse.h"

/* How many times stiffer a contact is than what it holds. Each round of the multiplier method
 * divides the violation by about this; the larger, the fewer rounds, and the fewer digits are left
 * to the linear solver. */
static const double STIFFNESS = 1e4;

/* The same when the method has to be patient: soft enough for Newton's method to find its way from
 * one set of active contacts to another, at the price of more rounds. */
static const double PATIENT_STIFFNESS = 30;

void augmented_create(const model *m, const linsys_options *linear, augmented *out) {
  *out = (augmented){.model = m, .linear_options = *linear};
}

void augmented_free(augmented *t) {
  linsys_free(t->wide_linear);
  arena_free(&t->wide_memory);
  arena_free(&t->memory);
  *t = (augmented){0};
}

/* ---- the pattern ------------------------------------------------------------------------------
 */

static int ascending(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

static bool fits(const augmented *t, const bcsr_pattern *pattern) {
  for (size_t i = 0; i < t->set->count; i++)
    for (size_t a = t->set->start[i]; a < t->set->start[i + 1]; a++)
      for (size_t b = t->set->start[i]; b < a; b++) {
        int32_t row = contact_row(t, a), column = contact_row(t, b);
        if (row >= 0 && column >= 0 && bcsr_find(pattern, row, column) < 0) return false;
      }
  return true;
}

/* For every row the rows that contacts couple it with, each once, ascending; in CSR form. */
static bool couplings(const augmented *t, arena *memory, size_t **start, int32_t **columns) {
  const contact_set *set = t->set;
  size_t rows = (size_t)t->model->row_count;
  *start = ARENA_ARRAY(memory, size_t, rows + 2);
  if (!*start) return false;
  for (size_t i = 0; i < set->count; i++)
    for (size_t a = set->start[i]; a < set->start[i + 1]; a++)
      if (contact_row(t, a) >= 0)
        (*start)[contact_row(t, a) + 2] += set->start[i + 1] - set->start[i];
  for (size_t row = 0; row < rows; row++) (*start)[row + 2] += (*start)[row + 1];
  *columns = ARENA_ARRAY(memory, int32_t, (*start)[rows + 1]);
  if (!*columns) return false;
  for (size_t i = 0; i < set->count; i++)
    for (size_t a = set->start[i]; a < set->start[i + 1]; a++)
      for (size_t b = set->start[i]; contact_row(t, a) >= 0 && b < set->start[i + 1]; b++)
        (*columns)[(*start)[contact_row(t, a) + 1]++] = contact_row(t, b);
  for (size_t row = 0; row < rows; row++)
    qsort(*columns + (*start)[row], (*start)[row + 1] - (*start)[row], sizeof **columns, ascending);
  return true;
}

/* free_pattern and the couplings of the set, merged row by row. */
static tribo_status widen(augmented *t, arena *memory, bcsr_pattern *out, int32_t **of_free,
                          tribo_error *err) {
  const bcsr_pattern *base = &t->model->free_pattern;
  size_t *start;
  int32_t *columns;
  if (!couplings(t, &t->memory, &start, &columns)) return status_no_memory(err, "contacts");
  size_t most = (size_t)bcsr_block_count(base) + start[base->rows];
  out->rows = base->rows;
  out->row_start = ARENA_ARRAY(memory, int32_t, base->rows + 1);
  out->columns = ARENA_ARRAY(memory, int32_t, most);
  out->diagonal = ARENA_ARRAY(memory, int32_t, base->rows);
  *of_free = ARENA_ARRAY(memory, int32_t, bcsr_block_count(base));
  if (!out->row_start || !out->columns || !out->diagonal || !*of_free)
    return status_no_memory(err, "the pattern of contacts");
  int32_t count = 0;
  for (int32_t row = 0; row < base->rows; row++) {
    int32_t k = base->row_start[row], k_end = base->row_start[row + 1];
    size_t c = start[row], c_end = start[row + 1];
    while (k < k_end || c < c_end) {
      if (c < c_end && columns[c] < 0) {
        c++;
        continue;
      }
      bool own = k < k_end && (c == c_end || base->columns[k] <= columns[c]);
      int32_t column = own ? base->columns[k] : columns[c];
      if (own) (*of_free)[k++] = count;
      while (c < c_end && columns[c] == column) c++;
      if (column == row) out->diagonal[row] = count;
      out->columns[count++] = column;
    }
    out->row_start[row + 1] = count;
  }
  return TRIBO_OK;
}

static bool same_pattern(const bcsr_pattern *a, const bcsr_pattern *b) {
  return a->rows == b->rows && bcsr_block_count(a) == bcsr_block_count(b) &&
         memcmp(a->row_start, b->row_start, ((size_t)a->rows + 1) * sizeof *a->row_start) == 0 &&
         memcmp(a->columns, b->columns, (size_t)bcsr_block_count(a) * sizeof *a->columns) == 0;
}

/* Analyses the wide pattern, unless it is the one at hand; `own` has ordered the model's. */
static tribo_status take_pattern(augmented *t, const linsys *own, tribo_error *err) {
  bcsr_pattern next;
  int32_t *of_free;
  TRY(widen(t, &t->memory, &next, &of_free, err));
  if (t->wide_linear && same_pattern(&next, &t->wide)) return TRIBO_OK;

  linsys_free(t->wide_linear);
  t->wide_linear = NULL;
  arena_reset(&t->wide_memory);
  TRY(widen(t, &t->wide_memory, &t->wide, &t->wide_of_free, err));
  return linsys_create_like(own, &t->linear_options, &t->wide, &t->wide_linear, err);
}

/* ---- a set ------------------------------------------------------------------------------------
 */

/* Remembers where the blocks of every contact stand. */
static tribo_status place_blocks(augmented *t, tribo_error *err) {
  const contact_set *set = t->set;
  size_t total = 0;
  t->first_block = ARENA_ARRAY(&t->memory, size_t, set->count + 1);
  if (!t->first_block) return status_no_memory(err, "contacts");
  for (size_t i = 0; i < set->count; i++) {
    size_t entries = set->start[i + 1] - set->start[i];
    t->first_block[i] = total;
    total += entries * entries;
  }
  t->block = ARENA_ARRAY(&t->memory, int32_t, total);
  if (!t->block) return status_no_memory(err, "contacts");
  size_t k = 0;
  for (size_t i = 0; i < set->count; i++)
    for (size_t a = set->start[i]; a < set->start[i + 1]; a++)
      for (size_t b = set->start[i]; b < set->start[i + 1]; b++) {
        int32_t row = contact_row(t, a), column = contact_row(t, b);
        t->block[k++] = row < 0 || column < 0 ? -1 : bcsr_find(t->bonded.pattern, row, column);
      }
  return TRIBO_OK;
}

/* gap and slip are linear in x: rows, and their values where the set was linearised or the step
 * began. */
static void make_rows(augmented *t) {
  const contact_set *set = t->set;
  for (size_t i = 0; i < set->count; i++) {
    const friction_cone *c = &t->cones[i];
    vec3 surface_velocity = vec3_scale(t->h, set->contacts[i].surface_velocity);
    t->offset[i] = vec3_make(set->contacts[i].gap, -vec3_dot(c->t, surface_velocity),
                             -vec3_dot(c->b, surface_velocity));
    for (size_t e = set->start[i]; e < set->start[i + 1]; e++) {
      mat3 columns = mat3_from_columns(set->by_node[e], mat3_tmul_vec3(&set->carry[e], c->t),
                                       mat3_tmul_vec3(&set->carry[e], c->b));
      t->rows[e] = mat3_transposed(&columns);
    }
  }
}

tribo_status augmented_begin(augmented *t, const contact_task *task, linsys *own, linsys **linear,
                             tribo_error *err) {
  const contact_set *set = task->set;
  size_t count = set->count;
  arena_reset(&t->memory);
  t->set = set;
  t->cones = task->cones;
  t->friction = task->friction;
  t->start = task->start;
  t->h = task->h;
  t->force = task->force;
  t->stiff = t->frozen = t->follow = false;
  t->rows = ARENA_ARRAY(&t->memory, mat3, set->start[count]);
  t->offset = ARENA_ARRAY(&t->memory, vec3, count);
  t->rho = ARENA_ARRAY(&t->memory, double, count);
  t->s = ARENA_ARRAY(&t->memory, double, count);
  t->radius = ARENA_ARRAY(&t->memory, double, count);
  t->pushes = ARENA_ARRAY(&t->memory, bool, count);
  t->grip = ARENA_ARRAY(&t->memory, contact_grip, count);
  t->saved_force = ARENA_ARRAY(&t->memory, vec3, count);
  t->saved_radius = ARENA_ARRAY(&t->memory, double, count);
  t->ahead = ARENA_ARRAY(&t->memory, vec3, count);
  t->held = ARENA_ARRAY(&t->memory, vec3, count);
  t->bond = ARENA_ARRAY(&t->memory, mat3, count);
  if (!t->rows || !t->offset || !t->rho || !t->s || !t->radius || !t->pushes || !t->grip ||
      !t->saved_force || !t->saved_radius || !t->ahead || !t->held || !t->bond)
    return status_no_memory(err, "contacts");
  make_rows(t);
  augmented_load_cones(t);

  bool narrow = fits(t, &t->model->free_pattern);
  if (!narrow) TRY(take_pattern(t, own, err));
  *linear = narrow ? own : t->wide_linear;
  t->bonded.pattern = narrow ? &t->model->free_pattern : &t->wide;
  t->bonded.blocks = ARENA_ARRAY(&t->memory, mat3, bcsr_block_count(t->bonded.pattern));
  if (!t->bonded.blocks) return status_no_memory(err, "contacts");
  return place_blocks(t, err);
}

void augmented_stiffen(augmented *t, const bcsr *hessian) {
  const contact_set *set = t->set;
  if (t->stiff) return;
  t->stiff = true;
  for (size_t i = 0; i < set->count; i++) {
    mat3 give = {0}; /* J D^-1 J^T: how far a newton would move the contact, m/N, at the least */
    for (size_t e = set->start[i]; e < set->start[i + 1]; e++) {
      int32_t row = contact_row(t, e);
      if (row < 0) continue;
      mat3 inverse = mat3_inverse(&hessian->blocks[hessian->pattern->diagonal[row]]);
      mat3 moved = mat3_mul(&t->rows[e], &inverse), part = mat3_mul_t(&moved, &t->rows[e]);
      give = mat3_add(&give, &part);
    }
    double along = give.m[0][0], across = fmax(give.m[1][1], give.m[2][2]);
    t->rho[i] = along > 0 ? STIFFNESS / along : 1;
    t->s[i] = across > 0 ? CONTACT_GRIP_STIFFNESS / across : 1;
  }
}

void augmented_soften(augmented *t) {
  for (size_t i = 0; i < t->set->count; i++) {
    t->rho[i] *= PATIENT_STIFFNESS / STIFFNESS;
    t->s[i] *= PATIENT_STIFFNESS / CONTACT_GRIP_STIFFNESS;
  }
}

void augmented_harden(augmented *t) {
  for (size_t i = 0; i < t->set->count; i++) {
    t->rho[i] *= STIFFNESS / PATIENT_STIFFNESS;
    t->s[i] *= CONTACT_GRIP_STIFFNESS / PATIENT_STIFFNESS;
  }
}

void augmented_load_cones(augmented *t) {
  for (size_t i = 0; t->friction && i < t->set->count; i++)
    t->radius[i] = cone_mu(&t->cones[i]) * fmax(0, t->force[i].x);
}

void augmented_ease_cones(augmented *t, double part) {
  for (size_t i = 0; t->friction && i < t->set->count; i++) {
    double radius = cone_mu(&t->cones[i]) * fmax(0, t->force[i].x);
    t->radius[i] += part * (radius - t->radius[i]);
  }
}

/* ---- at a place -------------------------------------------------------------------------------
 */

static vec3 force_at(const augmented *t, size_t i, const vec3 *x) {
  return contact_bear(t, i, contact_aim(t, i, contact_reach(t, i, x)));
}

void augmented_guess(augmented *t, const vec3 *x) {
  for (size_t i = 0; i < t->set->count; i++) {
    vec3 z = contact_aim(t, i, contact_reach(t, i, x));
    t->pushes[i] = z.x > 0;
    t->grip[i] = contact_grip_of(t, i, z, 0);
  }
}

void augmented_recall(augmented *t) {
  for (size_t i = 0; i < t->set->count; i++) {
    double friction = contact_size(t, i, t->force[i].y, t->force[i].z), radius = t->radius[i];
    t->pushes[i] = t->force[i].x > 0;
    t->grip[i] = !t->friction || !(radius > 0)    ? CONTACT_OPEN
                 : friction < radius * (1 - 1e-6) ? CONTACT_STICKS
                                                  : CONTACT_SLIPS;
  }
}

double augmented_energy(const augmented *t, const vec3 *x) {
  double sum = 0;
  for (size_t i = 0; i < t->set->count; i++) {
    vec3 at = contact_reach(t, i, x), f = t->force[i], z = contact_aim(t, i, at);
    double rho = t->rho[i], s = t->s[i], radius = t->radius[i];
    /* (z^2 - f^2) / (2 rho) with z = f - rho c, without the cancellation */
    sum += z.x > 0 ? at.x * (rho * at.x / 2 - f.x) : -f.x * f.x / (2 * rho);
    if (!t->friction) continue;
    if (t->frozen) {
      sum -= f.y * at.y + f.z * at.z;
      continue;
    }
    if (contact_size(t, i, z.y, z.z) <= radius) {
      sum += at.y * (s * at.y / 2 - f.y) + at.z * (s * at.z / 2 - f.z);
    } else {
      /* |z|^2 - |z - p|^2 with p the nearest on the rim */
      vec3 p = radius > 0 ? contact_rim(t, i, z, NULL) : vec3_make(0, 0, 0);
      sum += (p.y * (2 * z.y - p.y) + p.z * (2 * z.z - p.z) - f.y * f.y - f.z * f.z) / (2 * s);
    }
  }
  return sum;
}

double augmented_slope(const augmented *t, const vec3 *x, const vec3 *d) {
  const contact_set *set = t->set;
  double slope = 0;
  for (size_t i = 0; i < set->count; i++) {
    vec3 f = force_at(t, i, x);
    for (size_t e = set->start[i]; e < set->start[i + 1]; e++)
      slope -= vec3_dot(contact_felt(t, e, f), d[set->node[e]]);
  }
  return slope;
}

double augmented_gradient(const augmented *t, const vec3 *x, vec3 *g) {
  const contact_set *set = t->set;
  double total = 0;
  for (size_t i = 0; i < set->count; i++) {
    vec3 f = force_at(t, i, x);
    if (f.x == 0 && f.y == 0 && f.z == 0) continue;
    for (size_t e = set->start[i]; e < set->start[i + 1]; e++) {
      vec3 push = contact_felt(t, e, f);
      g[set->node[e]] = vec3_sub(g[set->node[e]], push);
      if (contact_row(t, e) >= 0) total += vec3_norm2(push);
    }
  }
  return sqrt(total);
}

/* The gap, in metres, that x cannot tell from none. Stiff as a contact is, that may be a force
 * worth mention: in short steps, and where many contacts share the load of a rigid body. */
static double rounding_of(const augmented *t, size_t i, const vec3 *x) {
  double largest = 0;
  for (size_t e = t->set->start[i]; e < t->set->start[i + 1]; e++)
    largest = fmax(largest, vec3_max_abs(x[t->set->node[e]]));
  return 32 * DBL_EPSILON * fmax(largest, t->model->size);
}

void augmented_violation(const augmented *t, const vec3 *x, double *metres, double *cones) {
  double worst = 0, apart = 0, largest = 0;
  for (size_t i = 0; i < t->set->count; i++) {
    vec3 f = force_at(t, i, x), change = vec3_sub(f, t->force[i]);
    double sideways = t->friction ? hypotenuse(change.y, change.z) / t->s[i] : 0;
    worst = fmax(worst, fmax(fabs(change.x) / t->rho[i], sideways));
    double radius = t->friction && !t->frozen ? cone_mu(&t->cones[i]) * f.x : t->radius[i];
    double unsure = cone_mu(&t->cones[i]) * t->rho[i] * rounding_of(t, i, x);
    apart = fmax(apart, fabs(radius - t->radius[i]) - unsure);
    largest = fmax(largest, radius);
  }
  *metres = t->stiff ? worst : INFINITY;
  *cones = apart > 0 ? apart / fmax(largest, apart) : 0;
}

double augmented_update(augmented *t, const vec3 *x) {
  double changed = 0, size = 0;
  for (size_t i = 0; i < t->set->count; i++) {
    vec3 f = force_at(t, i, x);
    changed += vec3_norm2(vec3_sub(f, t->force[i]));
    size += vec3_norm2(f);
    t->force[i] = f;
  }
  return changed > 0 ? sqrt(changed / fmax(size, changed)) : 0;
}

void augmented_save(augmented *t) {
  memcpy(t->saved_force, t->force, t->set->count * sizeof *t->force);
  memcpy(t->saved_radius, t->radius, t->set->count * sizeof *t->radius);
}

void augmented_restore(augmented *t, const vec3 *x) {
  memcpy(t->force, t->saved_force, t->set->count * sizeof *t->force);
  memcpy(t->radius, t->saved_radius, t->set->count * sizeof *t->radius);
  augmented_guess(t, x);
}
