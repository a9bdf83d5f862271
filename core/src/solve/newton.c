/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solve/newton.h"

#include <float.h>

#include "base/clock.h"

/* A force that would move a free vertex by less than this fraction of the model's size within the
 * step is no force worth balancing; it is also where rounding takes over. */
static const double NEGLIGIBLE_MOTION = 1e-12;

/* Armijo's condition: a step must earn this share of the decrease that the slope promises. */
static const double SUFFICIENT_DECREASE = 1e-4;
static const double SMALLEST_STEP = 1e-9;
static const double LONGEST_STEP = 64;

/* The imbalance from which the exact Hessian is tried, and for how many iterations it is not tried
 * again once it was indefinite. Chosen by trying 0.01, 0.1, 1 and 100 and pauses of 0, 1, 3 and 10
 * on two scenes, a hanging cloth and a flag: iterations differed by up to a tenth on the cloth and
 * a fifth on the flag. */
static const double EXACT_BELOW = 0.1;
enum { EXACT_PAUSE = 3 };

tribo_status newton_create(objective *o, const linsys_options *linear, arena *memory, newton *out,
                           tribo_error *err) {
  const model *m = o->model;
  size_t vertices = (size_t)m->vertex_count;
  *out = (newton){
      .objective = o,
      .hessian = {&m->pattern, ARENA_ARRAY(memory, mat3, bcsr_block_count(&m->pattern))},
      .system = {&m->free_pattern, NULL},
      .gradient = ARENA_ARRAY(memory, vec3, vertices),
      .trial_gradient = ARENA_ARRAY(memory, vec3, vertices),
      .direction = ARENA_ARRAY(memory, vec3, vertices),
      .trial = ARENA_ARRAY(memory, vec3, vertices),
      .rows = ARENA_ARRAY(memory, vec3, m->row_count),
  };
  if (m->free_blocks)
    out->system.blocks = ARENA_ARRAY(memory, mat3, bcsr_block_count(&m->free_pattern));
  bool whole = out->hessian.blocks && out->gradient && out->trial_gradient && out->direction &&
               out->trial && out->rows && (!m->free_blocks || out->system.blocks);
  if (!whole) return status_no_memory(err, "Newton's work space");
  return linsys_create(linear, &m->free_pattern, &out->linear, err);
}

void newton_free(newton *n) {
  linsys_free(n->linear);
  *n = (newton){0};
}

/* The imbalance, relative: |g| / (scale + floor). At the tolerance it compares |g| with
 * tolerance * scale + the negligible force. */
static double imbalance(const newton *n, const vec3 *g, double scale, double tolerance) {
  const objective *o = n->objective;
  const model *m = o->model;
  double mass2 = 0;
  for (int32_t row = 0; row < m->row_count; row++) {
    double mass = m->mass[m->vertex_of_row[row]];
    mass2 += mass * mass;
  }
  double negligible = sqrt(mass2) * NEGLIGIBLE_MOTION * m->size / (o->h * o->h);
  double norm = objective_free_norm(o, g);
  return norm == 0 ? 0 : norm / (scale + negligible / tolerance);
}

/* Adds to the diagonal in proportion to it, when rounding has made the system indefinite. */
static void stiffen(bcsr *a, double factor) {
  for (int32_t row = 0; row < a->pattern->rows; row++) {
    mat3 *block = &a->blocks[a->pattern->diagonal[row]];
    for (int c = 0; c < 3; c++) block->m[c][c] *= 1 + factor;
  }
}

/* Assembles, factors and solves: direction = -H^-1 gradient, left in n->rows. */
static tribo_status try_hessian(newton *n, const vec3 *x, hessian_kind kind, newton_report *report,
                                linsys_outcome *outcome, tribo_error *err) {
  objective *o = n->objective;
  const model *m = o->model;
  double began = clock_seconds();
  objective_hessian(o, x, kind, &n->hessian);
  model_restrict(m, &o->tasks, &n->hessian, &n->system);
  for (int32_t row = 0; row < m->row_count; row++)
    n->rows[row] = vec3_scale(-1, n->gradient[m->vertex_of_row[row]]);
  double assembled = clock_seconds();
  report->assembly_seconds += assembled - began;

  /* A projected Hessian can only be indefinite by rounding: stiffen it until it is not. */
  double factor = 1e-12;
  do {
    linsys_values(n->linear, &n->system);
    TRY(linsys_factor(n->linear, outcome, err));
    if (*outcome == LINSYS_DONE)
      TRY(linsys_solve(n->linear, &n->rows->x, 1, &n->rows->x, outcome, err));
    report->linear_iterations += linsys_iterations(n->linear);
    if (*outcome != LINSYS_NOT_POSITIVE_DEFINITE || kind == HESSIAN_EXACT) break;
    stiffen(&n->system, factor);
    factor *= 100;
  } while (factor < 1);
  report->linear_seconds += clock_seconds() - assembled;
  return TRIBO_OK;
}

/* The direction over all vertices, 0 at the pinned ones. Far from the minimum the Hessian is
 * projected; near it the exact one is tried first, with which Newton converges quadratically where
 * the projected one creeps (cloth in compression). An exact one that turns out indefinite costs a
 * factorisation for nothing, so it is then left alone for a few iterations. */
static tribo_status find_direction(newton *n, const vec3 *x, double residual, newton_report *report,
                                   bool *found, tribo_error *err) {
  const model *m = n->objective->model;
  linsys_outcome outcome = LINSYS_NOT_POSITIVE_DEFINITE;
  bool near = residual < EXACT_BELOW;
  if (near && n->exact_pause-- <= 0) {
    TRY(try_hessian(n, x, HESSIAN_EXACT, report, &outcome, err));
    if (outcome == LINSYS_NOT_POSITIVE_DEFINITE) n->exact_pause = EXACT_PAUSE;
  }
  n->at_saddle = near && outcome == LINSYS_NOT_POSITIVE_DEFINITE;
  if (outcome == LINSYS_NOT_POSITIVE_DEFINITE)
    TRY(try_hessian(n, x, HESSIAN_PROJECTED, report, &outcome, err));

  *found = outcome != LINSYS_NOT_POSITIVE_DEFINITE;
  for (int32_t i = 0; i < m->vertex_count; i++) {
    int32_t row = m->row_of_vertex[i];
    n->direction[i] = row < 0 ? vec3_make(0, 0, 0) : n->rows[row];
    if (!vec3_finite(n->direction[i])) *found = false;
  }
  return TRIBO_OK;
}

static double largest_move(const newton *n) {
  double largest = 0;
  for (int32_t i = 0; i < n->objective->model->vertex_count; i++)
    largest = fmax(largest, vec3_max_abs(n->direction[i]));
  return largest;
}

static void move(const newton *n, const vec3 *x, double length) {
  for (int32_t i = 0; i < n->objective->model->vertex_count; i++)
    n->trial[i] = vec3_madd(x[i], length, n->direction[i]);
}

/* Where to begin the line search. Newton's own length is 1; but on a saddle, where cloth is about
 * to buckle, the projected Hessian hides the downward curvature and its steps are far too short, so
 * they are doubled for as long as that pays. */
static double first_length(newton *n, const vec3 *x) {
  double length = 1, lowest = INFINITY;
  for (double trial = 1; n->at_saddle && trial <= LONGEST_STEP; trial *= 2) {
    move(n, x, trial);
    double energy = objective_energy(n->objective, n->trial);
    if (!(energy < lowest)) break;
    lowest = energy;
    length = trial;
  }
  return length;
}

/* Goes along the direction to a point of lower energy; false when there is none to be found. On
 * success x, energy, gradient and residual are those of the new point. */
static bool descend(newton *n, double tolerance, vec3 *x, double *energy, double *residual) {
  objective *o = n->objective;
  int32_t vertices = o->model->vertex_count;
  double slope = 0;
  for (int32_t i = 0; i < vertices; i++) slope += vec3_dot(n->gradient[i], n->direction[i]);
  if (!(slope < 0)) return false;

  /* Near the minimum the decrease drowns in the rounding of the energy, but the gradient is still
   * sharp: there a step counts as down when it lowers the imbalance. */
  double rounding = 16 * DBL_EPSILON * fabs(*energy);
  for (double length = first_length(n, x); length >= SMALLEST_STEP; length /= 2) {
    move(n, x, length);
    double trial_energy = objective_energy(o, n->trial);
    bool drowned = -length * slope <= rounding && trial_energy <= *energy + rounding;
    if (!drowned && !(trial_energy <= *energy + SUFFICIENT_DECREASE * length * slope)) continue;

    double scale;
    objective_gradient(o, n->trial, n->trial_gradient, &scale);
    double trial_residual = imbalance(n, n->trial_gradient, scale, tolerance);
    if (drowned && !(trial_residual < *residual)) return false;
    for (int32_t i = 0; i < vertices; i++) x[i] = n->trial[i];
    vec3 *swap = n->gradient;
    n->gradient = n->trial_gradient;
    n->trial_gradient = swap;
    *energy = trial_energy;
    *residual = trial_residual;
    return true;
  }
  return false;
}

tribo_status newton_minimize(newton *n, const newton_options *options, vec3 *x,
                             newton_report *report, tribo_error *err) {
  objective *o = n->objective;
  *report = (newton_report){.outcome = NEWTON_BROKEN};

  double scale, energy = objective_energy(o, x);
  objective_gradient(o, x, n->gradient, &scale);
  double residual = imbalance(n, n->gradient, scale, options->tolerance);
  report->residual = residual;
  n->exact_pause = 0;
  linsys_begin(n->linear);
  if (!isfinite(energy) || !isfinite(residual)) return TRIBO_OK;

  while (residual > options->tolerance && report->iterations < options->iterations) {
    report->iterations++;
    bool found;
    TRY(find_direction(n, x, residual, report, &found, err));
    if (!found) return TRIBO_OK;
    if (!descend(n, options->tolerance, x, &energy, &residual)) {
      /* Nothing lower within rounding, and what Newton would still move is invisible: this is the
       * minimum as far as doubles can tell. */
      bool at_rounding = largest_move(n) <= 1e-9 * o->model->size;
      report->outcome = at_rounding ? NEWTON_CONVERGED : NEWTON_STALLED;
      report->residual = residual;
      return TRIBO_OK;
    }
    report->residual = residual;
  }
  report->outcome = residual <= options->tolerance ? NEWTON_CONVERGED : NEWTON_UNFINISHED;
  return TRIBO_OK;
}
