/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "forwarding/newton.h"

#include <float.h>
#include <limits.h>

#include "base/clock.h"
#include "forwarding/multipliers.h"

/* A force that would move a free vertex by less than this fraction of the model's size within the
 * step is no force worth balancing; it is also where rounding takes over. */
static const double NEGLIGIBLE_MOTION = 1e-12;

/* Armijo's condition: a step must earn this share of the decrease that the slope promises. */
static const double SUFFICIENT_DECREASE = 1e-4;
static const double SMALLEST_STEP = 1e-9;
static const double LONGEST_STEP = 64;

/* Contacts are so stiff that an invisible move may carry a large force: with them, rounding is an
 * excuse for no more than this many times the tolerance. */
static const double ROUNDED = 100;

/* The imbalance from which the exact Hessian is tried, and for how many iterations it is not tried
 * again once it was indefinite. Chosen by trying 0.01, 0.1, 1 and 100 and pauses of 0, 1, 3 and 10
 * on two scenes, a hanging cloth and a flag: iterations differed by up to a tenth on the cloth and
 * a fifth on the flag. */
static const double EXACT_BELOW = 0.1;
enum { EXACT_PAUSE = 3 };

/* Rounds of the multiplier method on one factorisation, and revisions of the active set before the
 * direction is taken as it is. */
enum { MULTIPLIER_ROUNDS = 8, REVISIONS = 15, STUMBLES = 5 };

/* Factorisations that a minimisation gets where none are left: enough to go down a little. */
enum { LAST_FACTORIZATIONS = 8 };

/* A contact is taken in as soon as the direction leads inside by this share of the tolerance: what
 * it would push with, stiff as it is, must be nothing against the forces that balance. */
static const double NOTHING = 1e-6;

/* When patient, forces are brought up to date once the imbalance is this share of their last
 * change.
 */
static const double PATIENCE = 0.03;

/* And cones then go this part of the way to the normal forces. All of it runs in circles where
 * rigid bodies wedge: friction here changes the normal force there, and back. */
static const double EASE = 0.5;

/* Updates of the forces balance what contacts oppose ever better, each by a large factor. Where so
 * many in a row leave a violation at this part of what it was or above, there is no room for what
 * is between them, and forces would grow for ever. */
static const double NO_BETTER = 0.9;
enum { CONTRADICTIONS = 5 };

/* Where a step goes on as the last one did, its forces must be as good as those that solving it
 * would find: this part of the tolerances. */
static const double AS_GOOD = 0.1;

/* The first direction is often the last. Where its bonds hold at once, or nearly, they are closed
 * to this part of the tolerance: the better the forces, the longer a thing goes on with them. */
static const double LASTING = 1e-4;

tribo_status newton_create(objective *o, const linsys_options *linear, arena *memory, newton *out,
                           tribo_error *err) {
  const model *m = o->model;
  size_t vertices = (size_t)m->node_count;
  *out = (newton){
      .objective = o,
      .left = INT_MAX,
      .hessian = {&m->pattern, ARENA_ARRAY(memory, mat3, bcsr_block_count(&m->pattern))},
      .system = {&m->free_pattern, NULL},
      .gradient = ARENA_ARRAY(memory, vec3, vertices),
      .trial_gradient = ARENA_ARRAY(memory, vec3, vertices),
      .direction = ARENA_ARRAY(memory, vec3, vertices),
      .trial = ARENA_ARRAY(memory, vec3, vertices),
      .balance = ARENA_ARRAY(memory, vec3, vertices),
      .rows = ARENA_ARRAY(memory, vec3, m->row_count),
  };
  if (m->free_blocks)
    out->system.blocks = ARENA_ARRAY(memory, mat3, bcsr_block_count(&m->free_pattern));
  bool whole = out->hessian.blocks && out->gradient && out->trial_gradient && out->direction &&
               out->trial && out->balance && out->rows && (!m->free_blocks || out->system.blocks);
  if (!whole) return status_no_memory(err, "Newton's work space");
  augmented_create(m, linear, &out->contact);
  TRY(linsys_create(linear, &m->free_pattern, &out->own, err));
  out->linear = out->own;
  return TRIBO_OK;
}

void newton_free(newton *n) {
  augmented_free(&n->contact);
  linsys_free(n->own);
  *n = (newton){0};
}

/* The imbalance of forces at x, relative: |g| / (scale + floor). At the tolerance it compares |g|
 * with tolerance * scale + the negligible force. g: the gradient of the objective alone, which
 * objective_gradient gave together with the scale. */
static double imbalance(newton *n, const vec3 *x, const vec3 *g, double scale, double tolerance) {
  const objective *o = n->objective;
  const model *m = o->model;
  double mass2 = 0;
  for (int32_t row = 0; row < m->row_count; row++) {
    double mass = m->mass[m->node_of_row[row]];
    mass2 += mass * mass;
  }
  double negligible = sqrt(mass2) * NEGLIGIBLE_MOTION * m->size / (o->h * o->h);
  if (n->constrained) {
    for (int32_t i = 0; i < m->node_count; i++) n->balance[i] = g[i];
    scale = fmax(scale, augmented_gradient(&n->contact, x, n->balance));
    g = n->balance;
  }
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

/* The solution in n->rows, spread over all nodes: 0 at the pinned ones. */
static void spread(const newton *n, vec3 *out) {
  const model *m = n->objective->model;
  for (int32_t i = 0; i < m->node_count; i++) {
    int32_t row = m->row_of_node[i];
    out[i] = row < 0 ? vec3_make(0, 0, 0) : n->rows[row];
  }
}

/* Factors `matrix` and solves for the right-hand side in n->rows. A projected Hessian can only be
 * indefinite by rounding: it is stiffened until it is not. */
static tribo_status factor_and_solve(newton *n, bcsr *matrix, hessian_kind kind,
                                     constrained_report *report, linsys_outcome *outcome,
                                     tribo_error *err) {
  double began = clock_seconds(), factor = 1e-12;
  do {
    linsys_values(n->linear, matrix);
    n->left--;
    TRY(linsys_factor(n->linear, outcome, err));
    if (*outcome == LINSYS_DONE)
      TRY(linsys_solve(n->linear, &n->rows->x, 1, &n->rows->x, outcome, err));
    report->linear_iterations += linsys_iterations(n->linear);
    if (*outcome != LINSYS_NOT_POSITIVE_DEFINITE || kind == HESSIAN_EXACT) break;
    stiffen(matrix, factor);
    factor *= 100;
  } while (factor < 1);
  report->linear_seconds += clock_seconds() - began;
  return TRIBO_OK;
}

/* One more solve with the factorisation at hand, for the right-hand side in n->rows. */
static tribo_status one_round(newton *n, constrained_report *report, tribo_error *err) {
  linsys_outcome outcome;
  TRY(linsys_solve(n->linear, &n->rows->x, 1, &n->rows->x, &outcome, err));
  report->linear_iterations += linsys_iterations(n->linear);
  spread(n, n->trial);
  augmented_go_on(&n->contact, n->trial);
  for (int32_t i = 0; i < n->objective->model->node_count; i++)
    n->direction[i] = vec3_add(n->direction[i], n->trial[i]);
  return TRIBO_OK;
}

/* The multiplier method on the linear model: corrects the direction until the bonds are closed and
 * the cones fit the normal forces, each round with one solve of the factorisation at hand. */
static tribo_status close_contacts(newton *n, const constrained_options *options,
                                   constrained_report *report, tribo_error *err) {
  double began = clock_seconds(), last = INFINITY;
  double forces =
      (report->iterations == 1 && report->revisions <= 1 ? LASTING : 0.1) * options->tolerance;
  for (int round = 0; round < MULTIPLIER_ROUNDS; round++) {
    contact_gap open = augmented_correct(&n->contact, n->rows);
    /* More contacts than a body has freedoms cannot all be closed; some will have to go. */
    if (open.metres > options->gap / 10 && open.metres > last / 2) break;
    last = open.metres;
    if (open.metres <= options->gap / 10 && open.cones <= options->cones / 10 &&
        open.forces <= forces)
      break;
    TRY(one_round(n, report, err));
  }
  report->linear_seconds += clock_seconds() - began;
  return TRIBO_OK;
}

/* First with the cones as they are; once the bonds hold, with cones that follow. */
static tribo_status close_and_revise(newton *n, const constrained_options *options,
                                     constrained_report *report, size_t *changed,
                                     tribo_error *err) {
  double slack = NOTHING * options->gap;
  TRY(close_contacts(n, options, report, err));
  *changed = augmented_revise(&n->contact, slack, options->cones);
  if (*changed > 0 || n->contact.frozen || !n->contact.friction) return TRIBO_OK;
  n->contact.follow = true;
  tribo_status status = close_contacts(n, options, report, err);
  n->contact.follow = false;
  *changed = augmented_revise(&n->contact, slack, options->cones);
  return status;
}

/* Where guessing runs in circles, direction and forces are found another way. The next direction
 * begins with its bonds. */
static tribo_status multipliers_contacts(newton *n, const vec3 *x, constrained_report *report,
                                         tribo_error *err) {
  multipliers_model quadratic = {.contact = &n->contact,
                                 .linear = n->linear,
                                 .tasks = &n->objective->tasks,
                                 .hessian = &n->system,
                                 .most = n->left - n->floor,
                                 .gradient = n->gradient,
                                 .x = x};
  multipliers_report settled;
  double began = clock_seconds();
  augmented_restore(&n->contact, x);
  TRY(multipliers(&quadratic, n->rows, &settled, err));
  spread(n, n->direction);
  n->left -= settled.factorizations;
  report->revisions += settled.factorizations;
  report->linear_seconds += clock_seconds() - began;
  return TRIBO_OK;
}

/* Direction and contact forces that solve the quadratic model at x under its contacts. */
static tribo_status solve_model(newton *n, const vec3 *x, hessian_kind kind,
                                const constrained_options *options, constrained_report *report,
                                linsys_outcome *outcome, tribo_error *err) {
  const model *m = n->objective->model;
  if (n->constrained) augmented_save(&n->contact);
  for (int revision = 0;; revision++) {
    for (int32_t row = 0; row < m->row_count; row++)
      n->rows[row] = vec3_scale(-1, n->gradient[m->node_of_row[row]]);
    bcsr matrix = n->system;
    if (n->constrained) matrix = *augmented_bond(&n->contact, x, revision > 0, &n->system, n->rows);
    TRY(factor_and_solve(n, &matrix, kind, report, outcome, err));
    if (*outcome == LINSYS_NOT_POSITIVE_DEFINITE) return TRIBO_OK;
    spread(n, n->direction);
    if (!n->constrained || n->plain) return TRIBO_OK;
    augmented_go_on(&n->contact, n->direction);
    size_t changed;
    TRY(close_and_revise(n, options, report, &changed, err));
    if (changed == 0 || n->left <= n->floor) return TRIBO_OK;
    report->revisions++;
    /* Where much is new, friction has nothing to hold on to before the normal forces are known. */
    bool loose = n->contact.friction && !n->contact.frozen;
    bool fresh = n->contact.turned > n->contact.set->count / 8;
    if (loose && fresh && !n->was_frozen) {
      augmented_freeze(&n->contact, x);
      n->was_frozen = true;
      revision = -1;
    } else if (revision == REVISIONS) {
      return multipliers_contacts(n, x, report, err);
    }
  }
}

/* Assembles the Hessian and finds the direction with it. */
static tribo_status try_hessian(newton *n, const vec3 *x, hessian_kind kind,
                                const constrained_options *options, constrained_report *report,
                                linsys_outcome *outcome, tribo_error *err) {
  double began = clock_seconds();
  objective_hessian(n->objective, x, kind, &n->hessian);
  model_restrict(n->objective->model, &n->objective->tasks, &n->hessian, &n->system);
  report->assembly_seconds += clock_seconds() - began;
  if (n->constrained && !n->contact.stiff) {
    augmented_stiffen(&n->contact, &n->system);
    augmented_recall(&n->contact);
  }
  return solve_model(n, x, kind, options, report, outcome, err);
}

/* Far from the minimum the Hessian is projected; near it the exact one is tried first, with which
 * Newton converges quadratically where the projected one creeps (cloth in compression). An exact
 * one that turns out indefinite costs a factorisation for nothing, so it is then left alone for a
 * few iterations. */
static tribo_status find_direction(newton *n, const vec3 *x, double residual,
                                   const constrained_options *options, constrained_report *report,
                                   bool *found, tribo_error *err) {
  linsys_outcome outcome = LINSYS_NOT_POSITIVE_DEFINITE;
  bool near = residual < EXACT_BELOW;
  if (near && n->exact_pause-- <= 0) {
    TRY(try_hessian(n, x, HESSIAN_EXACT, options, report, &outcome, err));
    if (outcome == LINSYS_NOT_POSITIVE_DEFINITE) n->exact_pause = EXACT_PAUSE;
  }
  n->at_saddle = near && outcome == LINSYS_NOT_POSITIVE_DEFINITE;
  if (outcome == LINSYS_NOT_POSITIVE_DEFINITE)
    TRY(try_hessian(n, x, HESSIAN_PROJECTED, options, report, &outcome, err));

  *found = outcome != LINSYS_NOT_POSITIVE_DEFINITE;
  for (int32_t i = 0; *found && i < n->objective->model->node_count; i++)
    *found = vec3_finite(n->direction[i]);
  return TRIBO_OK;
}

static double largest_move(const newton *n) {
  double largest = 0;
  for (int32_t i = 0; i < n->objective->model->node_count; i++)
    largest = fmax(largest, vec3_max_abs(n->direction[i]));
  return largest;
}

static void move(const newton *n, const vec3 *x, double length) {
  for (int32_t i = 0; i < n->objective->model->node_count; i++)
    n->trial[i] = vec3_madd(x[i], length, n->direction[i]);
}

static double contact_energy(const newton *n, const vec3 *x) {
  return n->constrained ? augmented_energy(&n->contact, x) : 0;
}

/* *alone: without the contacts. */
static double trial_energy(newton *n, double *alone) {
  *alone = objective_energy(n->objective, n->trial);
  return *alone + contact_energy(n, n->trial);
}

/* Where to begin the line search. Newton's own length is 1; but on a saddle, where cloth is about
 * to buckle, the projected Hessian hides the downward curvature and its steps are far too short, so
 * they are doubled for as long as that pays. */
static double first_length(newton *n, const vec3 *x) {
  double length = 1, lowest = INFINITY, alone;
  for (double trial = 1; n->at_saddle && trial <= LONGEST_STEP; trial *= 2) {
    move(n, x, trial);
    double energy = trial_energy(n, &alone);
    if (!(energy < lowest)) break;
    lowest = energy;
    length = trial;
  }
  return length;
}

/* Goes along the direction to a point of lower energy; false when there is none to be found. On
 * success x, energy, gradient and residual are those of the new point. */
static bool descend(newton *n, double tolerance, vec3 *x, double *residual) {
  objective *o = n->objective;
  int32_t nodes = o->model->node_count;
  double slope = n->constrained ? augmented_slope(&n->contact, x, n->direction) : 0;
  for (int32_t i = 0; i < nodes; i++) slope += vec3_dot(n->gradient[i], n->direction[i]);
  if (!(slope < 0)) return false;

  /* Near the minimum the decrease drowns in the rounding of the energy, but the gradient is still
   * sharp: there a step counts as down when it lowers the imbalance. */
  double energy = n->energy + contact_energy(n, x), alone;
  double rounding = 16 * DBL_EPSILON * fabs(energy);
  for (double length = first_length(n, x); length >= SMALLEST_STEP; length /= 2) {
    move(n, x, length);
    double trial = trial_energy(n, &alone);
    bool drowned = -length * slope <= rounding && trial <= energy + rounding;
    if (!drowned && !(trial <= energy + SUFFICIENT_DECREASE * length * slope)) continue;

    double scale;
    objective_gradient(o, n->trial, n->trial_gradient, &scale);
    double trial_residual = imbalance(n, n->trial, n->trial_gradient, scale, tolerance);
    if (drowned && !(trial_residual < *residual)) return false;
    for (int32_t i = 0; i < nodes; i++) x[i] = n->trial[i];
    vec3 *swap = n->gradient;
    n->gradient = n->trial_gradient;
    n->trial_gradient = swap;
    n->energy = alone;
    *residual = trial_residual;
    return true;
  }
  return false;
}

/* What is out of balance at x, for the contact forces as they are now. */
static double balance_at(newton *n, const vec3 *x, double tolerance) {
  double scale;
  objective_gradient(n->objective, x, n->gradient, &scale);
  return imbalance(n, x, n->gradient, scale, tolerance);
}

/* One Newton step on L for the forces and cones at hand, with the bonds that hold at x: it descends
 * in any case. */
static tribo_status step_plainly(newton *n, const constrained_options *options, vec3 *x,
                                 double *residual, constrained_report *report, bool *lower,
                                 tribo_error *err) {
  linsys_outcome outcome;
  augmented_guess(&n->contact, x);
  n->plain = true;
  tribo_status status = try_hessian(n, x, HESSIAN_PROJECTED, options, report, &outcome, err);
  n->plain = false;
  TRY(status);
  *lower = outcome != LINSYS_NOT_POSITIVE_DEFINITE && descend(n, options->tolerance, x, residual);
  return TRIBO_OK;
}

/* Whether the violation that the forces are about to be updated for has not become less. */
static void note_contradiction(newton *n, const constrained_options *options, const vec3 *x) {
  double metres, cones;
  augmented_violation(&n->contact, x, &metres, &cones);
  bool worse = metres > options->gap && metres >= NO_BETTER * n->open;
  n->contradicted = worse ? n->contradicted + 1 : 0;
  n->open = metres;
}

/* Where guessing the active contacts runs in circles: the method of multipliers as it is in the
 * book. Plain steps for given forces, and forces brought up to date whenever that is solved well
 * enough. */
static tribo_status go_patiently(newton *n, const constrained_options *options, vec3 *x,
                                 double *residual, constrained_report *report, bool *lower,
                                 tribo_error *err) {
  if (*residual > fmax(options->tolerance, PATIENCE * n->forces_changed))
    return step_plainly(n, options, x, residual, report, lower, err);
  note_contradiction(n, options, x);
  n->forces_changed = augmented_update(&n->contact, x);
  augmented_ease_cones(&n->contact, EASE);
  *residual = balance_at(n, x, options->tolerance);
  *lower = true;
  return TRIBO_OK;
}

/* Back to the forces and cones before a direction that was no good, and on with softer bonds. */
static void become_patient(newton *n, const constrained_options *options, const vec3 *x,
                           double *residual) {
  augmented_restore(&n->contact, x);
  augmented_soften(&n->contact);
  n->contact.frozen = false;
  n->patient = true;
  n->open = INFINITY;
  n->contradicted = 0;
  n->forces_changed = 1;
  *residual = balance_at(n, x, options->tolerance);
}

static tribo_status begin(newton *n, const contact_task *contacts, tribo_error *err) {
  n->exact_pause = 0;
  n->was_frozen = n->patient = false;
  n->stumbles = n->contradicted = 0;
  n->linear = n->own;
  n->constrained = contacts && contacts->set->count > 0;
  if (n->constrained) TRY(augmented_begin(&n->contact, contacts, n->own, &n->linear, err));
  linsys_begin(n->linear);
  return TRIBO_OK;
}

/* Whether the contacts obey their laws at x. */
static bool contacts_hold(newton *n, const constrained_options *options, const vec3 *x,
                          constrained_report *report) {
  report->violation = report->cones = 0;
  if (n->constrained) augmented_violation(&n->contact, x, &report->violation, &report->cones);
  return report->violation <= options->gap && report->cones <= options->cones;
}

/* The normal forces are found: friction comes back to life. */
static void thaw(newton *n, const constrained_options *options, const vec3 *x, double *residual) {
  augmented_thaw(&n->contact, x);
  *residual = balance_at(n, x, options->tolerance);
}

/* Whether forces balance at x, or the last direction moved nothing that doubles can tell: contacts
 * are so stiff in short steps that the last bit of a position is out of balance. */
static bool balanced(const newton *n, const constrained_options *options, double residual,
                     int iterations) {
  if (residual <= options->tolerance) return true;
  bool still = iterations > 0 && largest_move(n) <= 16 * DBL_EPSILON * n->objective->model->size;
  return n->constrained && still && residual <= ROUNDED * options->tolerance;
}

/* After a direction that led nowhere: whether to go on, another way, or what it came to. */
static tribo_status recover(newton *n, const constrained_options *options, vec3 *x,
                            double *residual, constrained_report *report, bool *go_on,
                            tribo_error *err) {
  *go_on = false;
  /* x stays, but the forces are new: what is out of balance has to be asked anew. */
  *residual = balance_at(n, x, options->tolerance);
  bool hold = contacts_hold(n, options, x, report);
  /* Nothing lower within rounding, and what Newton would still move is invisible: this is the
   * minimum as far as doubles can tell. */
  if (largest_move(n) <= 1e-9 * n->objective->model->size) {
    bool done = hold && (!n->constrained || *residual <= ROUNDED * options->tolerance);
    *go_on = done && n->constrained && n->contact.frozen;
    if (*go_on) thaw(n, options, x, residual);
    report->outcome = CONSTRAINED_CONVERGED;
    if (done) return TRIBO_OK;
  }
  report->outcome = CONSTRAINED_STALLED;
  if (!n->constrained || n->patient) return TRIBO_OK;

  if (n->stumbles++ < STUMBLES) {
    augmented_restore(&n->contact, x);
    *residual = balance_at(n, x, options->tolerance);
    TRY(step_plainly(n, options, x, residual, report, go_on, err));
  }
  if (!*go_on) become_patient(n, options, x, residual);
  *go_on = true;
  return TRIBO_OK;
}

/* What rests, or slides steadily, goes on with the forces of the last step, and where these lead
 * can be told without solving for it: nowhere, or as far as they move the masses. x, when its
 * forces balance and its contacts answer with the same forces. */
static bool goes_on(newton *n, const constrained_options *options, vec3 *x,
                    constrained_report *report) {
  objective *o = n->objective;
  const model *m = o->model;
  double enough = AS_GOOD * options->tolerance, slack = NOTHING * options->gap, scale;
  for (int32_t i = 0; i < m->node_count; i++)
    n->trial[i] = m->row_of_node[i] < 0 ? x[i] : o->start[i];
  objective_gradient(o, n->trial, n->gradient, &scale);
  double residual = imbalance(n, n->trial, n->gradient, scale, options->tolerance);
  bool rests = residual <= enough;
  if (!rests) {
    for (int32_t i = 0; i < m->node_count; i++) n->balance[i] = vec3_scale(-1, n->balance[i]);
    objective_go_on(o, n->balance, n->trial);
  }
  if (!augmented_answers(&n->contact, n->trial, slack, AS_GOOD * options->cones)) return false;
  if (!rests) {
    objective_gradient(o, n->trial, n->gradient, &scale);
    residual = imbalance(n, n->trial, n->gradient, scale, options->tolerance);
  }
  if (!(residual <= enough)) return false;
  for (int32_t i = 0; i < m->node_count; i++) x[i] = n->trial[i];
  *report = (constrained_report){.outcome = CONSTRAINED_CONVERGED, .residual = residual};
  return true;
}

tribo_status newton_minimize(newton *n, const constrained_options *options,
                             const contact_task *contacts, vec3 *x, constrained_report *report,
                             tribo_error *err) {
  *report = (constrained_report){.outcome = CONSTRAINED_BROKEN};
  n->floor = n->left < LAST_FACTORIZATIONS ? n->left - LAST_FACTORIZATIONS : 0;
  TRY(begin(n, contacts, err));
  if (n->constrained && contacts->first && contacts->friction && goes_on(n, options, x, report))
    return TRIBO_OK;
  n->energy = objective_energy(n->objective, x);
  double residual = balance_at(n, x, options->tolerance);
  report->residual = residual;
  if (!isfinite(n->energy) || !isfinite(residual)) return TRIBO_OK;

  for (;;) {
    TRY(tasks_check(&n->objective->tasks, err));
    if (contacts_hold(n, options, x, report) &&
        balanced(n, options, residual, report->iterations)) {
      if (!n->constrained || !n->contact.frozen) break;
      thaw(n, options, x, &residual);
    }
    if (n->contradicted == CONTRADICTIONS) {
      report->outcome = CONSTRAINED_NO_ROOM;
      return TRIBO_OK;
    }
    if (report->iterations == options->iterations || n->left <= n->floor) {
      report->outcome = CONSTRAINED_UNFINISHED;
      return TRIBO_OK;
    }
    report->iterations++;
    bool lower = false;
    if (n->patient) {
      TRY(go_patiently(n, options, x, &residual, report, &lower, err));
    } else {
      bool found;
      TRY(find_direction(n, x, residual, options, report, &found, err));
      if (!found) return TRIBO_OK;
      lower = descend(n, options->tolerance, x, &residual);
    }
    if (!lower) TRY(recover(n, options, x, &residual, report, &lower, err));
    report->residual = residual;
    if (!lower) return TRIBO_OK;
  }
  if (n->constrained) augmented_update(&n->contact, x);
  report->outcome = CONSTRAINED_CONVERGED;
  return TRIBO_OK;
}
