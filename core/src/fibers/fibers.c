/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fibers/fibers.h"

#include <string.h>

#include "fibers/fiber_delassus.h"
#include "fibers/find.h"

/* Of what sides are too deep, the part that a step takes back. */
static const double RECOVERY = 0.2;
/* A strand is linearised anew where it is out of balance by this part of the impulses on it. */
static const double OUT_OF_BALANCE = 1e-4;
static const double TOLERANCE = 1e-8;

/* Solvers in turn, each from the best impulses so far, until all groups are solved. Sweeps that are
 * mixed get there alone as a rule. Of few contacts `auto` takes what is left, with the paper's
 * Newton method in its turns. Of many that is dear, and where they outnumber the freedoms (nu above
 * 1) W lacks rank and Newton's steps lead nowhere: there the interior point is sure. */
typedef struct turn {
  const contact_solver *solver;
  int iterations;
  double nu; /* at most, */
  size_t contacts;
} turn;

static const turn TURNS[] = {
    {&contact_mixed, 60, INFINITY, SIZE_MAX},  {&contact_auto, 20000, INFINITY, 250},
    {&contact_mixed, 600, INFINITY, SIZE_MAX}, {&contact_interior, 80, INFINITY, SIZE_MAX},
    {&contact_alart_curnier, 40, 2.5, 1000},   {&contact_mixed, 2000, INFINITY, SIZE_MAX},
};

typedef struct advance {
  fibers *f;
  arena *memory;
  double **velocity, **scratch; /* by strand: at the end of the step; room */
  bool *bad, *again;            /* by strand: not to be factored; out of balance */
  fiber_delassus d;
  fiber_contact *contacts;
  size_t count;
  int64_t freedoms;
  vec3 *q, *r;
} advance;

static void begin_strands(void *context, size_t begin, size_t end) {
  advance *a = context;
  for (size_t i = begin; i < end; i++)
    a->bad[i] = !strand_begin(&a->f->strands[i], &a->f->step, a->scratch[i]);
}

static tribo_status check_steps(const fibers *f, tribo_error *err) {
  for (size_t i = 0; i < f->count; i++) {
    const strand *s = &f->strands[i];
    double longest = s->model->longest ? s->model->longest(s) : INFINITY;
    if (f->step.h > longest)
      return status_fail(
          err, TRIBO_BAD_INPUT,
          "strand %d: the explicit model %s bears no step of %g s; take %g s or less, "
          "or an implicit model",
          (int)i, s->model->name, f->step.h, longest);
  }
  return TRIBO_OK;
}

static tribo_status begin_all(advance *a, tribo_error *err) {
  size_t n = a->f->count;
  a->velocity = ARENA_ARRAY(a->memory, double *, n);
  a->scratch = ARENA_ARRAY(a->memory, double *, n);
  a->bad = ARENA_ARRAY(a->memory, bool, n), a->again = ARENA_ARRAY(a->memory, bool, n);
  if (!a->velocity || !a->scratch || !a->bad || !a->again)
    return status_no_memory(err, "a step of strands");
  for (size_t i = 0; i < n; i++) {
    a->freedoms += a->f->strands[i].freedoms;
    a->velocity[i] = ARENA_ARRAY(a->memory, double, a->f->strands[i].freedoms);
    a->scratch[i] = ARENA_ARRAY(a->memory, double, a->f->strands[i].freedoms);
    if (!a->velocity[i] || !a->scratch[i]) return status_no_memory(err, "a step of strands");
  }
  tasks_for(&a->f->tasks, n, 1, begin_strands, a);
  return TRIBO_OK;
}

static tribo_status check_factors(const advance *a, tribo_error *err) {
  for (size_t i = 0; i < a->f->count; i++)
    if (a->bad[i])
      return status_fail(
          err, TRIBO_BAD_INPUT,
          "strand %d has positions or velocities that are not numbers; take a shorter "
          "step",
          (int)i);
  return TRIBO_OK;
}

/* What an obstacle moves at and the gap, taken to the velocity J v of the strands. */
static vec3 add_drift(const fibers *f, const fiber_contact *c, vec3 u) {
  if (c->b < 0) {
    const fiber_obstacle *o = &f->obstacles[~c->b];
    vec3 at = vec3_add(o->velocity, vec3_cross(o->spin, vec3_sub(c->foot, o->centre)));
    u = vec3_sub(u, vec3_make(vec3_dot(at, c->n), vec3_dot(at, c->t), vec3_dot(at, c->b_axis)));
  }
  u.x += (c->gap > 0 ? 1 : RECOVERY) * c->gap / f->step.h;
  return u;
}

static tribo_status take_turns(advance *a, const contact_problem *problem, fibers_report *report,
                               tribo_error *err) {
  contact_solve_options options = {.tolerance = a->f->tolerance > 0 ? a->f->tolerance : TOLERANCE,
                                   .tasks = a->f->tasks};
  size_t count = a->f->solver ? 1 : sizeof TURNS / sizeof *TURNS;
  double nu = 3. * (double)a->count / (double)a->freedoms;
  for (size_t k = 0; k < count; k++) {
    contact_solve_report solved;
    options.iterations = a->f->solver ? 0 : TURNS[k].iterations;
    if (!a->f->solver && (nu > TURNS[k].nu || a->count > TURNS[k].contacts)) continue;
    const contact_solver *solver = a->f->solver ? a->f->solver : TURNS[k].solver;
    TRY(contact_solve(problem, solver, &options, a->r, &solved, err));
    report->groups = solved.groups, report->largest = solved.largest;
    report->residual = solved.residual, report->converged = solved.converged;
    report->used = solved.used;
    report->iterations += solved.iterations;
    if (solved.converged) break;
  }
  return TRIBO_OK;
}

/* The contact problem in units of its own: W with a mean diagonal of 1, velocities whose mean
 * square is 1. A tolerance means the same for hairs and for ropes then. */
static tribo_status solve(advance *a, fibers_report *report, tribo_error *err) {
  size_t n = a->count;
  const bcsr_pattern *p = &a->d.pattern;
  double diagonal = 0, square = 0;
  for (size_t i = 0; i < n; i++) {
    a->q[i] = add_drift(a->f, &a->contacts[i], a->q[i]);
    const mat3 *w = &a->d.w.blocks[p->diagonal[i]];
    diagonal += (w->m[0][0] + w->m[1][1] + w->m[2][2]) / (3 * (double)n);
    square += vec3_norm2(a->q[i]) / (double)n;
  }
  double slow = square > 0 ? 1 / sqrt(square) : 1, light = diagonal > 0 ? 1 / diagonal : 1;
  contact_coefficients *grip = ARENA_ARRAY(a->memory, contact_coefficients, n);
  if (!grip) return status_no_memory(err, "contacts of strands");
  for (int32_t k = 0; k < bcsr_block_count(p); k++)
    a->d.w.blocks[k] = mat3_scale(light, &a->d.w.blocks[k]);
  for (size_t i = 0; i < n; i++) {
    grip[i] = (contact_coefficients){a->contacts[i].mu, a->contacts[i].mu};
    a->q[i] = vec3_scale(slow, a->q[i]);
    a->r[i] = vec3_scale(slow / light, a->r[i]);
  }
  contact_problem problem = {.w = a->d.w, .q = a->q, .grip = grip};
  TRY(take_turns(a, &problem, report, err));
  for (size_t i = 0; i < n; i++) a->r[i] = vec3_scale(light / slow, a->r[i]);
  return TRIBO_OK;
}

static double norm_of(const double *x, int32_t count) {
  double sum = 0;
  for (int32_t k = 0; k < count; k++) sum += x[k] * x[k];
  return sqrt(sum);
}

/* The velocities at the end of the step; whether the equations that are not linear are met there.
 */
static void respond(void *context, size_t begin, size_t end) {
  advance *a = context;
  for (size_t i = begin; i < end; i++) {
    strand *s = &a->f->strands[i];
    double *v = a->velocity[i], *f = a->scratch[i];
    if (a->count > 0)
      fiber_delassus_respond(&a->d, i, a->r, v);
    else
      memcpy(v, s->free, (size_t)s->freedoms * sizeof *v);
    a->again[i] = false;
    if (s->model->linear || a->f->passes == 0) continue;
    memset(f, 0, (size_t)s->freedoms * sizeof *f);
    if (a->count > 0) fiber_delassus_push(&a->d, i, a->r, f);
    double pushed = norm_of(f, s->freedoms);
    s->model->residual(s, &a->f->step, v, f);
    if (a->count > 0) fiber_delassus_push(&a->d, i, a->r, f);
    for (int32_t k = 0; s->led && k < s->freedoms; k++)
      if (s->led[k]) f[k] = 0;
    double weight = strand_mass(s) * vec3_norm(a->f->step.gravity) * a->f->step.h;
    a->again[i] = norm_of(f, s->freedoms) > OUT_OF_BALANCE * (pushed + weight);
  }
}

static void relinearise(void *context, size_t begin, size_t end) {
  advance *a = context;
  for (size_t i = begin; i < end; i++)
    if (a->again[i])
      a->bad[i] =
          !strand_relinearise(&a->f->strands[i], &a->f->step, a->velocity[i], a->scratch[i]);
}

static bool any_again(const advance *a) {
  for (size_t i = 0; i < a->f->count; i++)
    if (a->again[i]) return true;
  return false;
}

static tribo_status solve_passes(advance *a, fibers_report *report, tribo_error *err) {
  for (int pass = 0;; pass++) {
    if (a->count > 0) {
      fiber_delassus_fill(&a->d, a->q);
      TRY(solve(a, report, err));
    }
    tasks_for(&a->f->tasks, a->f->count, 1, respond, a);
    if (pass == a->f->passes || !any_again(a)) return TRIBO_OK;
    report->passes++;
    tasks_for(&a->f->tasks, a->f->count, 1, relinearise, a);
    TRY(check_factors(a, err));
  }
}

static void measure(const advance *a, fibers_report *report) {
  vec3 *columns = NULL;
  int32_t most = 0;
  for (size_t i = 0; i < a->f->count; i++) {
    if (a->f->strands[i].freedoms > most) most = a->f->strands[i].freedoms;
  }
  columns = ARENA_ARRAY(a->memory, vec3, most);
  report->contacts = a->count;
  report->nu = 3. * (double)a->count / (double)a->freedoms;
  for (size_t i = 0; i < a->count; i++) report->active += a->contacts[i].r.x > 0;
  for (size_t i = 0; i < a->count; i++) report->deepest = fmin(report->deepest, a->contacts[i].gap);
  for (size_t i = 0; columns && i < a->f->count; i++)
    for (int32_t e = 0; e <= a->f->strands[i].elements; e++) {
      const strand *s = &a->f->strands[i];
      strand_place at = {.element = e ? e - 1 : 0, .s = e ? s->length : 0};
      vec3 u = fibers_velocity(s, &at, a->velocity[i], columns);
      report->fastest = fmax(report->fastest, vec3_norm(u));
    }
}

static tribo_status run(advance *a, fibers_report *report, tribo_error *err) {
  fibers *f = a->f;
  TRY(begin_all(a, err));
  TRY(check_factors(a, err));
  TRY(fibers_find(f, a->memory, &a->contacts, &a->count, err));
  fibers_carry(f, f->contacts, f->contact_count, a->contacts, a->count);
  if (a->count > 0) {
    TRY(fiber_delassus_make(f, a->contacts, a->count, a->memory, &a->d, err));
    a->q = ARENA_ARRAY(a->memory, vec3, a->count), a->r = ARENA_ARRAY(a->memory, vec3, a->count);
    if (!a->q || !a->r) return status_no_memory(err, "contacts of strands");
    for (size_t i = 0; i < a->count; i++) a->r[i] = a->contacts[i].r;
  }
  report->converged = true;
  TRY(solve_passes(a, report, err));
  for (size_t i = 0; i < a->count; i++) a->contacts[i].r = a->r[i];
  measure(a, report);
  for (size_t i = 0; i < f->count; i++)
    f->strands[i].model->commit(&f->strands[i], &f->step, a->velocity[i]);
  return TRIBO_OK;
}

tribo_status fibers_advance(fibers *f, fibers_report *report, tribo_error *err) {
  *report = (fibers_report){0};
  TRY(check_steps(f, err));
  f->turn = !f->turn;
  arena_reset(&f->memory[f->turn]);
  advance a = {.f = f, .memory = &f->memory[f->turn]};
  TRY(run(&a, report, err));
  f->contacts = a.contacts, f->contact_count = a.count;
  return TRIBO_OK;
}

void fibers_free(fibers *f) {
  arena_free(&f->memory[0]), arena_free(&f->memory[1]);
  f->contacts = NULL, f->contact_count = 0;
}
