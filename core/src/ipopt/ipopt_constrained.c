/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ipopt/ipopt_constrained.h"

#include <float.h>
#include <string.h>

#include "base/clock.h"
#include "ipopt/ipopt_run.h"

/* As in newton.c: a force that moves a free node by less than this fraction of the model's size is
 * none. */
static const double NEGLIGIBLE_MOTION = 1e-12;

/* The barrier's own error is multiplier times slack; where a contact is neither pressed nor open it
 * shows as the square root. */
static const double COMPLEMENTARITY = 1e-12;
static const double RELAX = 1e-9;
static const double SMALLEST_TOLERANCE = 1e-14;
enum { ROUNDS = 4 };

struct ipopt_constrained {
  objective *objective;
  ipopt_options options;
  bcsr hessian;                  /* over all nodes */
  bcsr system;                   /* over the free ones */
  vec3 *base, *trial, *gradient; /* all nodes; base: where z is 0 */
  double *z, *low, *high;        /* free ones */
  arena scratch;                 /* what hangs on the contact set of a call */
};

/* One call: x = base + length z over the free nodes, and everything in units of length and force.
 */
typedef struct walk {
  ipopt_watch watch;
  ipopt_constrained *s;
  const contact_set *set;
  double length, force;
  int constraints, entries;
  int32_t *contact; /* of each constraint */
  double *offset;   /* of each constraint, where z is 0 */
  double *multiplier, *floor, *ceiling;
  double assembly_seconds;
} walk;

tribo_status ipopt_constrained_create(objective *o, const ipopt_options *options, arena *memory,
                                      ipopt_constrained **out, tribo_error *err) {
  const model *m = o->model;
  size_t nodes = (size_t)m->node_count, unknowns = 3 * (size_t)m->row_count;
  ipopt_constrained *s = ARENA_ARRAY(memory, ipopt_constrained, 1);
  *out = NULL;
  TRY(ipopt_find_linear(options, err));
  if (!s) return status_no_memory(err, "Ipopt's work space");
  *s = (ipopt_constrained){
      .objective = o,
      .options = *options,
      .hessian = {&m->pattern, ARENA_ARRAY(memory, mat3, bcsr_block_count(&m->pattern))},
      .system = {&m->free_pattern, NULL},
      .base = ARENA_ARRAY(memory, vec3, nodes),
      .trial = ARENA_ARRAY(memory, vec3, nodes),
      .gradient = ARENA_ARRAY(memory, vec3, nodes),
      .z = ARENA_ARRAY(memory, double, unknowns),
      .low = ARENA_ARRAY(memory, double, unknowns),
      .high = ARENA_ARRAY(memory, double, unknowns),
  };
  if (m->free_blocks)
    s->system.blocks = ARENA_ARRAY(memory, mat3, bcsr_block_count(&m->free_pattern));
  bool whole = s->hessian.blocks && s->base && s->trial && s->gradient && s->z && s->low &&
               s->high && (!m->free_blocks || s->system.blocks);
  if (!whole) return status_no_memory(err, "Ipopt's work space");
  for (size_t i = 0; i < unknowns; i++) {
    s->low[i] = -INFINITY;
    s->high[i] = INFINITY;
  }
  *out = s;
  return TRIBO_OK;
}

void ipopt_constrained_free(ipopt_constrained *s) {
  if (s) arena_free(&s->scratch);
}

static void place(walk *w, const double *z) {
  const model *m = w->s->objective->model;
  for (int32_t row = 0; row < m->row_count; row++) {
    int32_t node = m->node_of_row[row];
    w->s->trial[node] = vec3_madd(w->s->base[node], w->length, vec3_from(z + 3 * row));
  }
}

static Bool value(Index n, Number *z, Bool new_z, Number *out, UserDataPtr user) {
  (void)n, (void)new_z;
  walk *w = user;
  double began = clock_seconds();
  place(w, z);
  *out = objective_energy(w->s->objective, w->s->trial) / (w->force * w->length);
  w->assembly_seconds += clock_seconds() - began;
  return isfinite(*out) ? TRUE : FALSE; /* FALSE: Ipopt takes a shorter step */
}

static Bool gradient(Index n, Number *z, Bool new_z, Number *out, UserDataPtr user) {
  (void)n, (void)new_z;
  walk *w = user;
  const model *m = w->s->objective->model;
  double scale, began = clock_seconds();
  place(w, z);
  objective_gradient(w->s->objective, w->s->trial, w->s->gradient, &scale);
  Bool finite = TRUE;
  for (int32_t row = 0; row < m->row_count; row++) {
    vec3 g = vec3_scale(1 / w->force, w->s->gradient[m->node_of_row[row]]);
    memcpy(out + 3 * row, &g, sizeof g);
    if (!vec3_finite(g)) finite = FALSE;
  }
  w->assembly_seconds += clock_seconds() - began;
  return finite;
}

static Bool constraint(Index n, Number *z, Bool new_z, Index count, Number *out, UserDataPtr user) {
  (void)n, (void)new_z;
  const walk *w = user;
  const model *m = w->s->objective->model;
  for (int k = 0; k < count; k++) {
    double sum = w->offset[k] / w->length;
    int32_t i = w->contact[k];
    for (size_t e = w->set->start[i]; e < w->set->start[i + 1]; e++) {
      int32_t row = m->row_of_node[w->set->node[e]];
      if (row >= 0) sum += vec3_dot(w->set->by_node[e], vec3_from(z + 3 * row));
    }
    out[k] = sum;
  }
  return TRUE;
}

static Bool jacobian(Index n, Number *z, Bool new_z, Index count, Index entries, Index *rows,
                     Index *columns, Number *values, UserDataPtr user) {
  (void)n, (void)z, (void)new_z, (void)entries;
  const walk *w = user;
  const model *m = w->s->objective->model;
  int at = 0;
  for (int k = 0; k < count; k++)
    for (size_t e = w->set->start[w->contact[k]]; e < w->set->start[w->contact[k] + 1]; e++) {
      int32_t row = m->row_of_node[w->set->node[e]];
      if (row < 0) continue;
      if (values) memcpy(values + at, &w->set->by_node[e], sizeof(vec3));
      for (int c = 0; !values && c < 3; c++) {
        rows[at + c] = k;
        columns[at + c] = 3 * row + c;
      }
      at += 3;
    }
  return TRUE;
}

/* Of a symmetric matrix Ipopt wants the lower triangle. */
static int hessian_entries(const bcsr_pattern *p) {
  int64_t below = 0;
  for (int32_t i = 0; i < p->rows; i++) below += p->diagonal[i] - p->row_start[i];
  int64_t entries = 9 * below + 6 * (int64_t)p->rows;
  return entries < INT32_MAX ? (int)entries : -1;
}

static void hessian_places(const bcsr_pattern *p, Index *rows, Index *columns) {
  int at = 0;
  for (int32_t i = 0; i < p->rows; i++)
    for (int32_t k = p->row_start[i]; k <= p->diagonal[i]; k++)
      for (int r = 0; r < 3; r++)
        for (int c = 0; c < (k == p->diagonal[i] ? r + 1 : 3); c++, at++) {
          rows[at] = 3 * i + r;
          columns[at] = 3 * p->columns[k] + c;
        }
}

static Bool hessian(Index n, Number *z, Bool new_z, Number factor, Index count, Number *multiplier,
                    Bool new_multiplier, Index entries, Index *rows, Index *columns, Number *values,
                    UserDataPtr user) {
  (void)n, (void)new_z, (void)count, (void)multiplier, (void)new_multiplier, (void)entries;
  walk *w = user;
  ipopt_constrained *s = w->s;
  const model *m = s->objective->model;
  const bcsr_pattern *p = &m->free_pattern;
  if (!values) {
    hessian_places(p, rows, columns);
    return TRUE;
  }
  double began = clock_seconds(), unit = factor * w->length / w->force;
  place(w, z);
  objective_hessian(s->objective, s->trial, s->options.hessian, &s->hessian);
  model_restrict(m, &s->objective->tasks, &s->hessian, &s->system);
  bool finite = true;
  for (int32_t i = 0; i < p->rows; i++)
    for (int32_t k = p->row_start[i]; k <= p->diagonal[i]; k++)
      for (int r = 0; r < 3; r++)
        for (int c = 0; c < (k == p->diagonal[i] ? r + 1 : 3); c++) {
          *values = unit * s->system.blocks[k].m[r][c];
          finite &= isfinite(*values++) != 0;
        }
  w->assembly_seconds += clock_seconds() - began;
  return finite ? TRUE : FALSE;
}

/* Contacts that some free node can change become constraints. */
static tribo_status gather(walk *w, tribo_error *err) {
  const contact_set *set = w->set;
  const model *m = w->s->objective->model;
  arena *memory = &w->s->scratch;
  arena_reset(memory);
  w->contact = ARENA_ARRAY(memory, int32_t, set->count);
  w->offset = ARENA_ARRAY(memory, double, set->count);
  w->multiplier = ARENA_ARRAY(memory, double, set->count);
  w->floor = ARENA_ARRAY(memory, double, set->count);
  w->ceiling = ARENA_ARRAY(memory, double, set->count);
  if (!w->contact || !w->offset || !w->multiplier || !w->floor || !w->ceiling)
    return status_no_memory(err, "the contact constraints");
  int64_t entries = 0;
  w->constraints = 0;
  for (size_t i = 0; i < set->count; i++) {
    double gap = set->contacts[i].gap;
    int free_nodes = 0;
    for (size_t e = set->start[i]; e < set->start[i + 1]; e++) {
      int32_t node = set->node[e];
      free_nodes += m->row_of_node[node] >= 0;
      gap += vec3_dot(set->by_node[e], vec3_sub(w->s->base[node], set->at[node]));
    }
    if (free_nodes == 0) continue;
    int k = w->constraints++;
    w->contact[k] = (int32_t)i;
    w->offset[k] = gap;
    w->ceiling[k] = INFINITY;
    entries += 3 * free_nodes;
  }
  if (entries > INT32_MAX)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "%zu contacts are more than Ipopt's 32-bit indices take; use a coarser mesh",
                       set->count);
  w->entries = (int)entries;
  return TRIBO_OK;
}

static double rms_mass(const model *m) {
  double sum = 0;
  for (int32_t row = 0; row < m->row_count; row++) {
    double mass = m->mass[m->node_of_row[row]];
    sum += mass * mass;
  }
  return sqrt(sum / m->row_count);
}

/* Units in which first derivatives and inertia are near 1. L also covers the worst violation: a
 * body that only has to be pushed out has no other length. */
static void choose_units(walk *w, double scale) {
  const objective *o = w->s->objective;
  double mass = rms_mass(o->model), h2 = o->h * o->h;
  double force = scale / sqrt(3.0 * o->model->row_count);
  double length = fmax(force * h2 / mass, 1e-9 * o->model->size);
  for (int k = 0; k < w->constraints; k++) length = fmax(length, -w->offset[k]);
  w->length = length;
  w->force = mass * length / h2;
}

typedef struct balance {
  double residual, violation;
  double wanted; /* the largest entry of the gradient that would do, in units of force */
} balance;

/* Where x = trial and the forces are lambda: what is left of the forces, and of the gaps. Forces
 * that act at a distance are struck off first, so that they count as imbalance. */
static balance measure(walk *w, const constrained_options *options, double *lambda) {
  ipopt_constrained *s = w->s;
  const objective *o = s->objective;
  const contact_set *set = w->set;
  const model *m = o->model;
  balance b = {0};
  double scale;
  objective_gradient(s->objective, s->trial, s->gradient, &scale);
  for (int k = 0; k < w->constraints; k++) {
    int32_t i = w->contact[k];
    double gap = set->contacts[i].gap;
    for (size_t e = set->start[i]; e < set->start[i + 1]; e++) {
      int32_t node = set->node[e];
      gap += vec3_dot(set->by_node[e], vec3_sub(s->trial[node], set->at[node]));
    }
    b.violation = fmax(b.violation, -gap);
    if (gap > options->gap) lambda[i] = 0;
    for (size_t e = set->start[i]; e < set->start[i + 1]; e++)
      s->gradient[set->node[e]] = vec3_madd(s->gradient[set->node[e]], -lambda[i], set->by_node[e]);
  }
  double negligible =
      rms_mass(m) * sqrt(m->row_count) * NEGLIGIBLE_MOTION * m->size / (o->h * o->h);
  double norm = objective_free_norm(o, s->gradient);
  b.residual = norm == 0 ? 0 : norm / (scale + negligible / options->tolerance);
  b.wanted = (options->tolerance * scale + negligible) / (sqrt(3.0 * m->row_count) * w->force);
  return b;
}

/* Takes x for the start, where z is 0, and chooses units there. */
static tribo_status begin_at(walk *w, const vec3 *x, tribo_error *err) {
  ipopt_constrained *s = w->s;
  const model *m = s->objective->model;
  double scale;
  memcpy(s->base, x, (size_t)m->node_count * sizeof *x);
  memcpy(s->trial, x, (size_t)m->node_count * sizeof *x);
  memset(s->z, 0, 3 * (size_t)m->row_count * sizeof *s->z);
  TRY(gather(w, err));
  objective_gradient(s->objective, x, s->gradient, &scale);
  choose_units(w, scale);
  return TRIBO_OK;
}

static bool finite_at(walk *w, const double *z) {
  for (int32_t i = 0; i < 3 * w->s->objective->model->row_count; i++)
    if (!isfinite(z[i])) return false;
  place(w, z);
  return isfinite(objective_energy(w->s->objective, w->s->trial)) != 0;
}

/* One run of Ipopt from where begin_at put it; x and lambda are the last point it reached. */
static tribo_status run(walk *w, const constrained_options *options, double tolerance,
                        int iterations, vec3 *x, double *lambda, ipopt_outcome *outcome,
                        tribo_error *err) {
  ipopt_constrained *s = w->s;
  const model *m = s->objective->model;
  double gap = options->gap / w->length; /* in our unit */
  ipopt_problem problem = {.variables = 3 * m->row_count,
                           .constraints = w->constraints,
                           .jacobian_entries = w->entries,
                           .hessian_entries = hessian_entries(&m->free_pattern),
                           .low = s->low,
                           .high = s->high,
                           .floor = w->floor,
                           .ceiling = w->ceiling,
                           .value = value,
                           .gradient = gradient,
                           .constraint = constraint,
                           .jacobian = jacobian,
                           .hessian = hessian,
                           .user = w};
  ipopt_settings settings = {.options = &s->options,
                             .threads = s->objective->tasks.threads,
                             .tolerance = fmax(tolerance, SMALLEST_TOLERANCE),
                             .complementarity = COMPLEMENTARITY,
                             .feasibility = 0.1 * gap,
                             .relax = fmin(RELAX, 0.1 * gap),
                             .iterations = iterations};
  if (problem.hessian_entries < 0)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "the system matrix has more entries than Ipopt's 32-bit indices take; use a "
                       "coarser mesh");
  TRY(ipopt_run(&problem, &settings, s->z, w->multiplier, outcome, err));
  if (!finite_at(w, s->z)) {
    *outcome = IPOPT_BROKE;
    return TRIBO_OK;
  }
  for (int32_t row = 0; row < m->row_count; row++)
    x[m->node_of_row[row]] = s->trial[m->node_of_row[row]];
  for (int k = 0; k < w->constraints; k++)
    lambda[w->contact[k]] = fmax(-w->multiplier[k] * w->force, 0);
  return TRIBO_OK;
}

static constrained_outcome outcome_of(ipopt_outcome outcome) {
  switch (outcome) {
    case IPOPT_RAN_OUT: return CONSTRAINED_UNFINISHED;
    case IPOPT_BROKE: return CONSTRAINED_BROKEN;
    default: return CONSTRAINED_STALLED;
  }
}

/* Units chosen at a start far from the solution may be too coarse for it. So each round chooses
 * them anew where the last one ended, and asks for more. */
tribo_status ipopt_constrained_minimize(ipopt_constrained *s, const contact_set *set,
                                        const constrained_options *options, vec3 *x, double *lambda,
                                        constrained_report *report, tribo_error *err) {
  double began = clock_seconds(), ask = 1;
  walk w = {.s = s, .set = set};
  ipopt_outcome outcome = IPOPT_SOLVED;
  bool done = false;
  *report = (constrained_report){.outcome = CONSTRAINED_BROKEN};
  for (size_t i = 0; i < set->count; i++) lambda[i] = fmax(lambda[i], 0);
  if (s->objective->model->row_count == 0) { /* all is pinned */
    report->outcome = CONSTRAINED_CONVERGED;
    return TRIBO_OK;
  }
  TRY(begin_at(&w, x, err));
  for (int round = 0;; round++, ask *= 0.1) {
    balance b = measure(&w, options, lambda);
    report->residual = b.residual;
    report->violation = b.violation;
    if (round == 0 && !(isfinite(b.residual) && finite_at(&w, s->z))) return TRIBO_OK;
    done = b.residual <= options->tolerance && b.violation <= options->gap;
    int left = options->iterations - report->iterations;
    if (left <= 0) outcome = IPOPT_RAN_OUT;
    if (done || outcome == IPOPT_RAN_OUT || outcome == IPOPT_BROKE || round == ROUNDS) break;
    TRY(run(&w, options, ask * b.wanted, left, x, lambda, &outcome, err));
    report->iterations += w.watch.iterations;
    TRY(begin_at(&w, x, err));
  }
  report->outcome = done ? CONSTRAINED_CONVERGED : outcome_of(outcome);
  report->assembly_seconds = w.assembly_seconds;
  report->linear_seconds = clock_seconds() - began - w.assembly_seconds;
  return TRIBO_OK;
}
