/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solve/contact_term.h"

#include <stdlib.h>
#include <string.h>

/* How many times stiffer a contact is than what it holds. Each round of the multiplier method
 * divides the violation by about this; the larger, the fewer rounds, and the fewer digits are left
 * to the linear solver. */
static const double STIFFNESS = 1e4, GRIP_STIFFNESS = 100;

/* The same when the method has to be patient: soft enough for Newton's method to find its way from
 * one set of active contacts to another, at the price of more rounds. */
static const double PATIENT_STIFFNESS = 30;

void contact_term_create(const model *m, const linsys_options *linear, contact_term *out) {
  *out = (contact_term){.model = m, .linear_options = *linear};
}

void contact_term_free(contact_term *t) {
  linsys_free(t->wide_linear);
  arena_free(&t->wide_memory);
  arena_free(&t->memory);
  *t = (contact_term){0};
}

/* ---- the pattern ------------------------------------------------------------------------------
 */

static int ascending(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

/* The free rows of a contact's nodes, -1 for hard-pinned ones. */
static int32_t row_of(const contact_term *t, size_t entry) {
  return t->model->row_of_node[t->set->node[entry]];
}

static bool fits(const contact_term *t, const bcsr_pattern *pattern) {
  for (size_t i = 0; i < t->set->count; i++)
    for (size_t a = t->set->start[i]; a < t->set->start[i + 1]; a++)
      for (size_t b = t->set->start[i]; b < a; b++) {
        int32_t row = row_of(t, a), column = row_of(t, b);
        if (row >= 0 && column >= 0 && bcsr_find(pattern, row, column) < 0) return false;
      }
  return true;
}

/* For every row the rows that contacts couple it with, each once, ascending; in CSR form. */
static bool couplings(const contact_term *t, arena *memory, size_t **start, int32_t **columns) {
  const contact_set *set = t->set;
  size_t rows = (size_t)t->model->row_count;
  *start = ARENA_ARRAY(memory, size_t, rows + 2);
  if (!*start) return false;
  for (size_t i = 0; i < set->count; i++)
    for (size_t a = set->start[i]; a < set->start[i + 1]; a++)
      if (row_of(t, a) >= 0) (*start)[row_of(t, a) + 2] += set->start[i + 1] - set->start[i];
  for (size_t row = 0; row < rows; row++) (*start)[row + 2] += (*start)[row + 1];
  *columns = ARENA_ARRAY(memory, int32_t, (*start)[rows + 1]);
  if (!*columns) return false;
  for (size_t i = 0; i < set->count; i++)
    for (size_t a = set->start[i]; a < set->start[i + 1]; a++)
      for (size_t b = set->start[i]; row_of(t, a) >= 0 && b < set->start[i + 1]; b++)
        (*columns)[(*start)[row_of(t, a) + 1]++] = row_of(t, b);
  for (size_t row = 0; row < rows; row++)
    qsort(*columns + (*start)[row], (*start)[row + 1] - (*start)[row], sizeof **columns, ascending);
  return true;
}

/* free_pattern and the couplings of the set, merged row by row. */
static tribo_status widen(contact_term *t, arena *memory, bcsr_pattern *out, int32_t **of_free,
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
static tribo_status take_pattern(contact_term *t, const linsys *own, tribo_error *err) {
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
static tribo_status place_blocks(contact_term *t, tribo_error *err) {
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
        int32_t row = row_of(t, a), column = row_of(t, b);
        t->block[k++] = row < 0 || column < 0 ? -1 : bcsr_find(t->bonded.pattern, row, column);
      }
  return TRIBO_OK;
}

/* gap and slip are linear in x: rows, and their values where the set was linearised or the step
 * began. */
static void make_rows(contact_term *t) {
  const contact_set *set = t->set;
  for (size_t i = 0; i < set->count; i++) {
    const friction_cone *c = &t->cones[i];
    vec3 drift = vec3_scale(t->h, set->contacts[i].drift);
    t->offset[i] = vec3_make(set->contacts[i].gap, -vec3_dot(c->t, drift), -vec3_dot(c->b, drift));
    for (size_t e = set->start[i]; e < set->start[i + 1]; e++) {
      mat3 columns = mat3_from_columns(set->by_node[e], mat3_tmul_vec3(&set->carry[e], c->t),
                                       mat3_tmul_vec3(&set->carry[e], c->b));
      t->rows[e] = mat3_transposed(&columns);
    }
  }
}

tribo_status contact_term_begin(contact_term *t, const contact_task *task, linsys *own,
                                linsys **linear, tribo_error *err) {
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
  contact_term_load_cones(t);

  bool narrow = fits(t, &t->model->free_pattern);
  if (!narrow) TRY(take_pattern(t, own, err));
  *linear = narrow ? own : t->wide_linear;
  t->bonded.pattern = narrow ? &t->model->free_pattern : &t->wide;
  t->bonded.blocks = ARENA_ARRAY(&t->memory, mat3, bcsr_block_count(t->bonded.pattern));
  if (!t->bonded.blocks) return status_no_memory(err, "contacts");
  return place_blocks(t, err);
}

void contact_term_stiffen(contact_term *t, const bcsr *hessian) {
  const contact_set *set = t->set;
  if (t->stiff) return;
  t->stiff = true;
  for (size_t i = 0; i < set->count; i++) {
    mat3 give = {0}; /* J D^-1 J^T: how far a newton would move the contact, m/N, at the least */
    for (size_t e = set->start[i]; e < set->start[i + 1]; e++) {
      int32_t row = row_of(t, e);
      if (row < 0) continue;
      mat3 inverse = mat3_inverse(&hessian->blocks[hessian->pattern->diagonal[row]]);
      mat3 moved = mat3_mul(&t->rows[e], &inverse), part = mat3_mul_t(&moved, &t->rows[e]);
      give = mat3_add(&give, &part);
    }
    double along = give.m[0][0], across = fmax(give.m[1][1], give.m[2][2]);
    t->rho[i] = along > 0 ? STIFFNESS / along : 1;
    t->s[i] = across > 0 ? GRIP_STIFFNESS / across : 1;
  }
}

void contact_term_soften(contact_term *t) {
  for (size_t i = 0; i < t->set->count; i++) {
    t->rho[i] *= PATIENT_STIFFNESS / STIFFNESS;
    t->s[i] *= PATIENT_STIFFNESS / GRIP_STIFFNESS;
  }
}

void contact_term_load_cones(contact_term *t) {
  for (size_t i = 0; t->friction && i < t->set->count; i++)
    t->radius[i] = t->cones[i].mu * fmax(0, t->force[i].x);
}

/* ---- at a place -------------------------------------------------------------------------------
 */

/* Gap and slip at x. The gap is measured from where the set was linearised, the slip from the start
 * of the step. */
static vec3 reach(const contact_term *t, size_t i, const vec3 *x) {
  const contact_set *set = t->set;
  vec3 sum = t->offset[i];
  for (size_t e = set->start[i]; e < set->start[i + 1]; e++) {
    int32_t node = set->node[e];
    vec3 slip = mat3_mul_vec3(&t->rows[e], vec3_sub(x[node], t->start[node]));
    sum.x += vec3_dot(set->by_node[e], vec3_sub(x[node], set->at[node]));
    sum.y += slip.y;
    sum.z += slip.z;
  }
  return sum;
}

/* z: where the forces would go from the gap and slip at hand. */
static vec3 aim(const contact_term *t, size_t i, vec3 at) {
  vec3 f = t->force[i];
  return vec3_make(f.x - t->rho[i] * at.x, f.y - t->s[i] * at.y, f.z - t->s[i] * at.z);
}

/* The nearest force that a contact can bear. */
static vec3 bear(const contact_term *t, size_t i, vec3 z) {
  vec3 f = {fmax(0, z.x), 0, 0};
  if (t->frozen) return vec3_make(f.x, t->force[i].y, t->force[i].z);
  double size = t->friction ? hypot(z.y, z.z) : 0;
  if (size > 0 && t->radius[i] > 0) {
    double fit = fmin(1, t->radius[i] / size);
    f.y = fit * z.y;
    f.z = fit * z.z;
  }
  return f;
}

static contact_grip grip_of(const contact_term *t, size_t i, vec3 z, double fit) {
  if (!t->friction || t->frozen || !(t->radius[i] > 0)) return CONTACT_OPEN;
  return hypot(z.y, z.z) <= t->radius[i] * (1 + fit) ? CONTACT_STICKS : CONTACT_SLIPS;
}

static vec3 force_at(const contact_term *t, size_t i, const vec3 *x) {
  return bear(t, i, aim(t, i, reach(t, i, x)));
}

void contact_term_guess(contact_term *t, const vec3 *x) {
  for (size_t i = 0; i < t->set->count; i++) {
    vec3 z = aim(t, i, reach(t, i, x));
    t->pushes[i] = z.x > 0;
    t->grip[i] = grip_of(t, i, z, 0);
  }
}

void contact_term_recall(contact_term *t) {
  for (size_t i = 0; i < t->set->count; i++) {
    double friction = hypot(t->force[i].y, t->force[i].z), radius = t->radius[i];
    t->pushes[i] = t->force[i].x > 0;
    t->grip[i] = !t->friction || !(radius > 0)    ? CONTACT_OPEN
                 : friction < radius * (1 - 1e-6) ? CONTACT_STICKS
                                                  : CONTACT_SLIPS;
  }
}

double contact_term_energy(const contact_term *t, const vec3 *x) {
  double sum = 0;
  for (size_t i = 0; i < t->set->count; i++) {
    vec3 at = reach(t, i, x), f = t->force[i], z = aim(t, i, at);
    double rho = t->rho[i], s = t->s[i], radius = t->radius[i];
    /* (z^2 - f^2) / (2 rho) with z = f - rho c, without the cancellation */
    sum += z.x > 0 ? at.x * (rho * at.x / 2 - f.x) : -f.x * f.x / (2 * rho);
    if (!t->friction) continue;
    if (t->frozen) {
      sum -= f.y * at.y + f.z * at.z;
      continue;
    }
    double size = hypot(z.y, z.z), before = f.y * f.y + f.z * f.z;
    if (size <= radius)
      sum += at.y * (s * at.y / 2 - f.y) + at.z * (s * at.z / 2 - f.z);
    else
      sum += (2 * radius * size - radius * radius - before) / (2 * s);
  }
  return sum;
}

/* The force that a node of entry e feels from the force f of its contact. */
static vec3 felt(const contact_term *t, size_t e, vec3 f) { return mat3_tmul_vec3(&t->rows[e], f); }

double contact_term_slope(const contact_term *t, const vec3 *x, const vec3 *d) {
  const contact_set *set = t->set;
  double slope = 0;
  for (size_t i = 0; i < set->count; i++) {
    vec3 f = force_at(t, i, x);
    for (size_t e = set->start[i]; e < set->start[i + 1]; e++)
      slope -= vec3_dot(felt(t, e, f), d[set->node[e]]);
  }
  return slope;
}

double contact_term_gradient(const contact_term *t, const vec3 *x, vec3 *g) {
  const contact_set *set = t->set;
  double total = 0;
  for (size_t i = 0; i < set->count; i++) {
    vec3 f = force_at(t, i, x);
    if (f.x == 0 && f.y == 0 && f.z == 0) continue;
    for (size_t e = set->start[i]; e < set->start[i + 1]; e++) {
      vec3 push = felt(t, e, f);
      g[set->node[e]] = vec3_sub(g[set->node[e]], push);
      if (row_of(t, e) >= 0) total += vec3_norm2(push);
    }
  }
  return sqrt(total);
}

void contact_term_violation(const contact_term *t, const vec3 *x, double *metres, double *cones) {
  double worst = 0, apart = 0, largest = 0;
  for (size_t i = 0; i < t->set->count; i++) {
    vec3 f = force_at(t, i, x), change = vec3_sub(f, t->force[i]);
    double sideways = t->friction ? hypot(change.y, change.z) / t->s[i] : 0;
    worst = fmax(worst, fmax(fabs(change.x) / t->rho[i], sideways));
    double radius = t->friction && !t->frozen ? t->cones[i].mu * f.x : t->radius[i];
    apart = fmax(apart, fabs(radius - t->radius[i]));
    largest = fmax(largest, radius);
  }
  *metres = t->stiff ? worst : INFINITY;
  *cones = apart > 0 ? apart / fmax(largest, apart) : 0;
}

double contact_term_update(contact_term *t, const vec3 *x) {
  double changed = 0, size = 0;
  for (size_t i = 0; i < t->set->count; i++) {
    vec3 f = force_at(t, i, x);
    changed += vec3_norm2(vec3_sub(f, t->force[i]));
    size += vec3_norm2(f);
    t->force[i] = f;
  }
  return changed > 0 ? sqrt(changed / fmax(size, changed)) : 0;
}

void contact_term_save(contact_term *t) {
  memcpy(t->saved_force, t->force, t->set->count * sizeof *t->force);
  memcpy(t->saved_radius, t->radius, t->set->count * sizeof *t->radius);
}

void contact_term_restore(contact_term *t, const vec3 *x) {
  memcpy(t->force, t->saved_force, t->set->count * sizeof *t->force);
  memcpy(t->radius, t->saved_radius, t->set->count * sizeof *t->radius);
  contact_term_guess(t, x);
}

/* ---- the direction ----------------------------------------------------------------------------
 */

/* The force of a contact in its present bonds, whether it could bear it or not, when gap and slip
 * are `at`. */
static vec3 bonded_force(const contact_term *t, size_t i, vec3 at) {
  vec3 z = aim(t, i, at), f = {t->pushes[i] ? z.x : 0, 0, 0};
  if (t->frozen) {
    f.y = t->force[i].y;
    f.z = t->force[i].z;
  }
  if (t->grip[i] == CONTACT_OPEN) return f;
  double size = hypot(z.y, z.z);
  double fit = t->grip[i] == CONTACT_SLIPS && size > 0 ? t->radius[i] / size : 1;
  f.y = fit * z.y;
  f.z = fit * z.z;
  return f;
}

/* Minus its derivative by gap and slip. A slipping contact resists being turned, not being moved
 * on. */
static mat3 stiffness_of(const contact_term *t, size_t i, vec3 at) {
  mat3 k = {0};
  if (t->pushes[i]) k.m[0][0] = t->rho[i];
  if (t->grip[i] == CONTACT_STICKS) k.m[1][1] = k.m[2][2] = t->s[i];
  if (t->grip[i] == CONTACT_SLIPS) {
    vec3 z = aim(t, i, at);
    double size = hypot(z.y, z.z);
    if (!(size > 0)) return k;
    double y = z.y / size, x = z.z / size, turn = t->s[i] * t->radius[i] / size;
    k.m[1][1] = turn * x * x;
    k.m[1][2] = k.m[2][1] = -turn * x * y;
    k.m[2][2] = turn * y * y;
  }
  return k;
}

static void add_bonds(contact_term *t, size_t i) {
  const contact_set *set = t->set;
  const int32_t *block = t->block + t->first_block[i];
  for (size_t a = set->start[i]; a < set->start[i + 1]; a++) {
    mat3 transposed = mat3_transposed(&t->rows[a]), stiff = mat3_mul(&transposed, &t->bond[i]);
    for (size_t b = set->start[i]; b < set->start[i + 1]; b++, block++) {
      if (*block < 0) continue;
      mat3 bond = mat3_mul(&stiff, &t->rows[b]);
      t->bonded.blocks[*block] = mat3_add(&t->bonded.blocks[*block], &bond);
    }
  }
}

static void push_rows(const contact_term *t, size_t i, vec3 f, vec3 *rows) {
  for (size_t e = t->set->start[i]; e < t->set->start[i + 1]; e++) {
    int32_t row = row_of(t, e);
    if (row >= 0) rows[row] = vec3_add(rows[row], felt(t, e, f));
  }
}

const bcsr *contact_term_bond(contact_term *t, const vec3 *x, bool again, const bcsr *hessian,
                              vec3 *rows) {
  size_t blocks = (size_t)bcsr_block_count(hessian->pattern);
  if (t->bonded.pattern == hessian->pattern) {
    memcpy(t->bonded.blocks, hessian->blocks, blocks * sizeof *hessian->blocks);
  } else {
    memset(t->bonded.blocks, 0,
           (size_t)bcsr_block_count(t->bonded.pattern) * sizeof *t->bonded.blocks);
    for (size_t k = 0; k < blocks; k++) t->bonded.blocks[t->wide_of_free[k]] = hessian->blocks[k];
  }
  for (size_t i = 0; i < t->set->count; i++) {
    /* Slipping is not linear; it is linearised where the last try led. */
    vec3 at = reach(t, i, x), base = again ? t->ahead[i] : at;
    t->bond[i] = stiffness_of(t, i, base);
    t->held[i] = vec3_add(bonded_force(t, i, base), mat3_mul_vec3(&t->bond[i], vec3_sub(base, at)));
    t->ahead[i] = at;
    if (!t->pushes[i] && t->grip[i] == CONTACT_OPEN && !t->frozen) continue;
    push_rows(t, i, t->held[i], rows);
    add_bonds(t, i);
  }
  return &t->bonded;
}

void contact_term_go_on(contact_term *t, const vec3 *d) {
  const contact_set *set = t->set;
  for (size_t i = 0; i < set->count; i++) {
    vec3 further = {0, 0, 0};
    for (size_t e = set->start[i]; e < set->start[i + 1]; e++)
      further = vec3_add(further, mat3_mul_vec3(&t->rows[e], d[set->node[e]]));
    t->ahead[i] = vec3_add(t->ahead[i], further);
    t->held[i] = vec3_sub(t->held[i], mat3_mul_vec3(&t->bond[i], further));
  }
}

/* The friction of a slipping contact stays as the linear model has it, but for the size of its
 * cone. Where it is turned to is seen in the next model: turning it round by round, with a
 * stiffness that was right somewhere else, need not converge. */
static void slip_on(contact_term *t, size_t i, double radius_before, vec3 *next) {
  double grown = radius_before > 0 ? t->radius[i] / radius_before : 1;
  next->y = grown * t->held[i].y;
  next->z = grown * t->held[i].z;
  double size = hypot(next->y, next->z), fit = size > 0 ? t->radius[i] / size : 0;
  t->force[i].y = fit * next->y;
  t->force[i].z = fit * next->z;
}

contact_gap contact_term_correct(contact_term *t, vec3 *rows) {
  double worst = 0, apart = 0, largest = 0, changed = 0, size = 0;
  memset(rows, 0, (size_t)t->model->row_count * sizeof *rows);
  for (size_t i = 0; i < t->set->count; i++) {
    if (!t->pushes[i] && t->grip[i] == CONTACT_OPEN) continue;
    double was = t->radius[i];
    t->force[i] = bonded_force(t, i, t->ahead[i]);
    if (t->friction && t->follow) {
      double radius = t->cones[i].mu * fmax(0, t->force[i].x);
      apart = fmax(apart, fabs(radius - t->radius[i]));
      largest = fmax(largest, radius);
      t->radius[i] = radius;
    }
    vec3 next = bonded_force(t, i, t->ahead[i]);
    if (t->grip[i] == CONTACT_SLIPS) slip_on(t, i, was, &next);
    vec3 change = vec3_sub(next, t->held[i]);
    t->held[i] = vec3_add(t->held[i], change);
    worst = fmax(worst, fmax(fabs(change.x) / t->rho[i], hypot(change.y, change.z) / t->s[i]));
    changed += vec3_norm2(change);
    size += vec3_norm2(t->force[i]);
    push_rows(t, i, change, rows);
  }
  return (contact_gap){.metres = worst,
                       .cones = apart > 0 ? apart / fmax(largest, apart) : 0,
                       .forces = changed > 0 ? sqrt(changed / fmax(size, changed)) : 0};
}

/* Whether a contact will slip once it has friction is told by how far it slid without: by what
 * would hold it back against its own node's stiffness. */
static contact_grip first_grip(contact_term *t, size_t i, vec3 slid) {
  if (!(t->radius[i] > 0)) return CONTACT_OPEN;
  double k = t->s[i] / GRIP_STIFFNESS, y = t->force[i].y - k * slid.y,
         z = t->force[i].z - k * slid.z;
  double size = hypot(y, z);
  if (size <= t->radius[i]) return CONTACT_STICKS;
  t->force[i].y = t->radius[i] / size * y;
  t->force[i].z = t->radius[i] / size * z;
  return CONTACT_SLIPS;
}

size_t contact_term_revise(contact_term *t, double slack, double fit) {
  size_t changed = 0;
  t->turned = 0;
  for (size_t i = 0; i < t->set->count; i++) {
    bool pushes = t->pushes[i] ? t->force[i].x > 0 : t->ahead[i].x < -slack;
    if (!pushes || !t->pushes[i]) {
      t->force[i] = t->frozen ? vec3_make(0, t->force[i].y, t->force[i].z) : vec3_make(0, 0, 0);
      t->radius[i] = 0;
    }
    contact_grip grip = grip_of(t, i, aim(t, i, t->ahead[i]), fit);
    if (grip != CONTACT_OPEN && t->grip[i] == CONTACT_OPEN) grip = first_grip(t, i, t->ahead[i]);
    /* Friction that drives is none: it was guessed the wrong way round, or too large. */
    vec3 u = t->ahead[i], f = t->held[i];
    if (grip == CONTACT_SLIPS && t->grip[i] == CONTACT_SLIPS && u.y * f.y + u.z * f.z > 0)
      grip = CONTACT_STICKS;
    t->turned += pushes != t->pushes[i];
    changed += pushes != t->pushes[i] || grip != t->grip[i];
    t->pushes[i] = pushes;
    t->grip[i] = grip;
  }
  return changed;
}

void contact_term_freeze(contact_term *t, const vec3 *x) {
  t->frozen = true;
  contact_term_restore(t, x);
}

void contact_term_thaw(contact_term *t, const vec3 *x) {
  t->frozen = false;
  for (size_t i = 0; i < t->set->count; i++) {
    vec3 at = reach(t, i, x);
    t->force[i].x = fmax(0, aim(t, i, at).x);
    t->pushes[i] = t->force[i].x > 0;
    t->radius[i] = t->cones[i].mu * t->force[i].x;
    t->grip[i] = first_grip(t, i, at);
    if (t->grip[i] == CONTACT_OPEN) t->force[i].y = t->force[i].z = 0;
  }
}
