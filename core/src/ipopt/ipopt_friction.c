/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ipopt/ipopt_friction.h"

#include <string.h>

#include "ipopt/ipopt_polar.h"
#include "ipopt/ipopt_run.h"
#include "math/hypotenuse.h"

/* The paper's, in units in which first derivatives are near 1. Where no friction is called for, the
 * barrier keeps a at the square root of the complementarity, so that must be far smaller. */
static const double RESIDUAL = 1e-10;
static const double COMPLEMENTARITY = 1e-14;
enum { MOST_ITERATIONS = 500 };

/* A disc smaller than this part of the largest bears nothing. */
static const double SMALLEST_DISC = 1e-12;

/* What Ipopt says of its success is not believed: a projection is done when no contact alone could
 * lower the energy by going farther than this part of the largest impulse (or disc). In particular,
 * at a = 0 every theta that does not point downhill is a stationary point of (28), though the disc
 * has none there. It does happen. A contact that ends so is turned downhill, and the projection
 * done again. */
static const double MISTAKEN = 1e-6;
enum { RESTARTS = 5 };

/* Nearer to the centre of its disc than this the barrier has the say, not the energy: it keeps a at
 * the square root of the complementarity, and theta, which then means nothing, anywhere. Contacts
 * that end there are finished without polar coordinates. */
static const double CENTRE = 1e-5;
enum { SWEEPS = 50 };

static const double SHORTEST_PART = 0.1, LONGEST_PART = 4;

/* One projection. */
typedef struct projection {
  ipopt_watch watch;
  delassus *d;
  contact_choice chosen;
  double *radius; /* tangential: of the disc of each chosen contact */
  polar polar;
  double impulse, energy; /* normal: the units */
  double *z, *low, *high; /* two a contact at most */
} projection;

static Bool no_constraint(Index n, Number *z, Bool new_z, Index count, Number *out,
                          UserDataPtr user) {
  (void)n, (void)z, (void)new_z, (void)count, (void)out, (void)user;
  return TRUE;
}

static Bool no_jacobian(Index n, Number *z, Bool new_z, Index count, Index entries, Index *rows,
                        Index *columns, Number *values, UserDataPtr user) {
  (void)n, (void)z, (void)new_z, (void)count, (void)entries;
  (void)rows, (void)columns, (void)values, (void)user;
  return TRUE;
}

static tribo_status run(projection *q, ipopt_problem problem, friction_report *report,
                        ipopt_outcome *outcome, tribo_error *err) {
  static const ipopt_options mumps = {.linear = IPOPT_MUMPS};
  ipopt_settings settings = {.options = &mumps,
                             .threads = 1,
                             .tolerance = RESIDUAL,
                             .complementarity = COMPLEMENTARITY,
                             .feasibility = RESIDUAL,
                             .iterations = MOST_ITERATIONS};
  problem.low = q->low;
  problem.high = q->high;
  problem.constraint = no_constraint;
  problem.jacobian = no_jacobian;
  problem.user = q;
  TRY(ipopt_run(&problem, &settings, q->z, NULL, outcome, err));
  report->inner += q->watch.iterations;
  return TRIBO_OK;
}

/* ---- normal impulses, (25) ---------------------------------------------------------------------
 */

static void place_normal(const projection *q, const double *z) {
  for (int32_t k = 0; k < q->chosen.count; k++)
    q->d->impulse[q->chosen.contact[k]].x = q->impulse * z[k];
  delassus_respond(q->d);
}

static Bool normal_value(Index n, Number *z, Bool new_z, Number *out, UserDataPtr user) {
  (void)n, (void)new_z;
  const projection *q = user;
  place_normal(q, z);
  *out = delassus_energy(q->d) / q->energy;
  return TRUE;
}

static Bool normal_gradient(Index n, Number *z, Bool new_z, Number *out, UserDataPtr user) {
  (void)n, (void)new_z;
  const projection *q = user;
  place_normal(q, z);
  for (int32_t k = 0; k < q->chosen.count; k++)
    out[k] = q->impulse / q->energy * q->d->velocity[q->chosen.contact[k]].x;
  return TRUE;
}

static Bool normal_hessian(Index n, Number *z, Bool new_z, Number factor, Index count,
                           Number *multiplier, Bool new_multiplier, Index entries, Index *rows,
                           Index *columns, Number *values, UserDataPtr user) {
  (void)n, (void)z, (void)new_z, (void)count, (void)multiplier, (void)new_multiplier, (void)entries;
  const projection *q = user;
  const bcsr_pattern *w = q->d->w.pattern;
  double unit = factor * q->impulse * q->impulse / q->energy;
  int out = 0;
  for (int32_t k = 0; k < q->chosen.count; k++)
    for (int32_t at = w->row_start[q->chosen.contact[k]]; at <= w->diagonal[q->chosen.contact[k]];
         at++) {
      int32_t other = q->chosen.place[w->columns[at]];
      if (other < 0) continue;
      if (values) {
        values[out] = unit * q->d->w.blocks[at].m[0][0];
      } else {
        rows[out] = k;
        columns[out] = other;
      }
      out++;
    }
  return TRUE;
}

/* A force between a contact and nothing that moves changes nothing: it takes no part. */
static tribo_status project_normal(projection *q, friction_report *report, bool *solved,
                                   tribo_error *err) {
  delassus *d = q->d;
  contact_choice_begin(&q->chosen, q->d->count);
  delassus_respond(d);
  double stiffest = 0;
  q->impulse = 0;
  for (int32_t i = 0; i < d->count; i++) {
    double own = delassus_own(d, i)->m[0][0];
    if (!(own > 0)) continue;
    contact_choice_add(&q->chosen, i);
    stiffest = fmax(stiffest, own);
    q->impulse = fmax(q->impulse, fmax(d->impulse[i].x, fabs(d->velocity[i].x) / own));
  }
  if (q->impulse == 0) return TRIBO_OK; /* all is at rest, without any force */
  q->energy = q->impulse * q->impulse * stiffest;
  for (int32_t k = 0; k < q->chosen.count; k++) {
    q->z[k] = d->impulse[q->chosen.contact[k]].x / q->impulse;
    q->low[k] = 0;
    q->high[k] = INFINITY;
  }
  ipopt_problem problem = {
      .variables = q->chosen.count,
      .hessian_entries = (int)contact_choice_pairs(&q->chosen, q->d->w.pattern),
      .value = normal_value,
      .gradient = normal_gradient,
      .hessian = normal_hessian,
      .quadratic = true};
  ipopt_outcome outcome;
  TRY(run(q, problem, report, &outcome, err));
  place_normal(q, q->z);
  /* The barrier leaves a little of everything. Where the contact opens faster than it presses, both
   * in our units, it does not press. */
  double worst = 0;
  for (int32_t k = 0; k < q->chosen.count; k++) {
    int32_t i = q->chosen.contact[k];
    double r = d->impulse[i].x, u = d->velocity[i].x;
    worst = fmax(worst, fabs(r - fmax(r - u / delassus_own(d, i)->m[0][0], 0)));
    if (q->impulse / q->energy * u > q->z[k]) d->impulse[i].x = 0;
  }
  *solved &= worst <= MISTAKEN * q->impulse;
  return TRIBO_OK;
}

/* ---- tangential impulses in polar coordinates, (28) --------------------------------------------
 */

static Bool tangent_value(Index n, Number *z, Bool new_z, Number *out, UserDataPtr user) {
  (void)n, (void)new_z;
  *out = polar_value(&((const projection *)user)->polar, z);
  return TRUE;
}

static Bool tangent_gradient(Index n, Number *z, Bool new_z, Number *out, UserDataPtr user) {
  (void)n, (void)new_z;
  polar_gradient(&((const projection *)user)->polar, z, out);
  return TRUE;
}

static Bool tangent_hessian(Index n, Number *z, Bool new_z, Number factor, Index count,
                            Number *multiplier, Bool new_multiplier, Index entries, Index *rows,
                            Index *columns, Number *values, UserDataPtr user) {
  (void)n, (void)new_z, (void)count, (void)multiplier, (void)new_multiplier, (void)entries;
  const projection *q = user;
  if (values)
    polar_hessian(&q->polar, z, factor, values);
  else
    polar_places(&q->polar, rows, columns);
  return TRUE;
}

/* Into the disc. */
static void clamp(vec3 *r, double radius) {
  double length = hypotenuse(r->y, r->z);
  if (length <= radius) return;
  r->y *= radius / length;
  r->z *= radius / length;
}

/* A step of steepest descent in the disc of contact i, the others held: where it leads. It stays
 * exactly at a solution. */
static vec3 downhill(const delassus *d, int32_t i, double radius) {
  const mat3 *own = delassus_own(d, i);
  double stiffness = own->m[1][1] + own->m[2][2];
  vec3 r = d->impulse[i];
  r.y -= d->velocity[i].y / stiffness;
  r.z -= d->velocity[i].z / stiffness;
  clamp(&r, radius);
  return r;
}

/* Starts every contact one step downhill of where it is. Where that is the centre of the disc, any
 * direction will do. */
static void start_tangent(projection *q) {
  delassus *d = q->d;
  delassus_respond(d);
  double largest = 0;
  for (int32_t k = 0; k < q->chosen.count; k++) {
    int32_t i = q->chosen.contact[k];
    const mat3 *own = delassus_own(d, i);
    vec3 r = downhill(d, i, q->radius[k]);
    q->z[2 * k] = hypotenuse(r.y, r.z) / q->radius[k];
    q->z[2 * k + 1] = atan2(r.z, r.y);
    q->low[2 * k] = 0;
    q->high[2 * k] = 1;
    q->low[2 * k + 1] = -INFINITY;
    q->high[2 * k + 1] = INFINITY;
    double slip = hypotenuse(d->velocity[i].y, d->velocity[i].z);
    double bend = (own->m[1][1] + own->m[2][2]) * q->radius[k];
    largest = fmax(largest, q->radius[k] * fmax(slip, bend));
  }
  q->polar.energy = largest;
}

/* How far the worst contact is from the minimum over its disc, against the largest disc. */
static double worst_mistake(const projection *q, double largest) {
  double worst = 0;
  for (int32_t k = 0; k < q->chosen.count; k++) {
    vec3 r = q->d->impulse[q->chosen.contact[k]],
         to = downhill(q->d, q->chosen.contact[k], q->radius[k]);
    worst = fmax(worst, hypotenuse(to.y - r.y, to.z - r.z) / largest);
  }
  return worst;
}

/* The tangential velocity of contact i, with the impulses as they are. */
static void slip_of(const delassus *d, int32_t i, double *y, double *z) {
  const bcsr_pattern *w = d->w.pattern;
  vec3 u = d->free[i];
  for (int32_t at = w->row_start[i]; at < w->row_start[i + 1]; at++) {
    int32_t j = w->columns[at];
    u = vec3_add(u, mat3_mul_vec3(&d->w.blocks[at], vec3_sub(d->impulse[j], d->p->given[j])));
  }
  *y = u.y;
  *z = u.z;
}

/* The minimum over contact i's own tangents, the others held: W_TT dr = -u_T. Returns the way. */
static double centre(delassus *d, int32_t i, double radius) {
  const mat3 *own = delassus_own(d, i);
  double a = own->m[1][1], b = own->m[1][2], c = own->m[2][2], determinant = a * c - b * b;
  double y, z;
  slip_of(d, i, &y, &z);
  if (!(determinant > 0)) return 0;
  vec3 r = d->impulse[i];
  r.y -= (c * y - b * z) / determinant;
  r.z -= (a * z - b * y) / determinant;
  clamp(&r, radius);
  double way = hypotenuse(r.y - d->impulse[i].y, r.z - d->impulse[i].z);
  d->impulse[i] = r;
  return way;
}

/* Contacts that ended at the centres of their discs go to their minima one after the other. */
static void finish_centres(projection *q, double largest) {
  double farthest = INFINITY;
  for (int sweep = 0; sweep < SWEEPS && farthest > 1e-14 * largest; sweep++) {
    farthest = 0;
    for (int32_t k = 0; k < q->chosen.count; k++)
      if (q->z[2 * k] < CENTRE)
        farthest = fmax(farthest, centre(q->d, q->chosen.contact[k], q->radius[k]));
  }
  delassus_respond(q->d);
}

static tribo_status project_tangent(projection *q, friction_report *report, bool *solved,
                                    tribo_error *err) {
  delassus *d = q->d;
  double largest = 0;
  contact_choice_begin(&q->chosen, q->d->count);
  for (int32_t i = 0; i < d->count; i++)
    largest = fmax(largest, cone_mu(&d->p->cones[i]) * d->impulse[i].x);
  for (int32_t i = 0; i < d->count; i++) {
    double radius = cone_mu(&d->p->cones[i]) * d->impulse[i].x;
    const mat3 *own = delassus_own(d, i);
    if (radius > SMALLEST_DISC * largest && own->m[1][1] + own->m[2][2] > 0) {
      q->radius[q->chosen.count] = radius;
      clamp(&d->impulse[i], radius);
      contact_choice_add(&q->chosen, i);
    } else {
      d->impulse[i].y = d->impulse[i].z = 0;
    }
  }
  if (q->chosen.count == 0) return TRIBO_OK;
  ipopt_problem problem = {.variables = 2 * q->chosen.count,
                           .hessian_entries = (int)polar_entries(&q->polar),
                           .value = tangent_value,
                           .gradient = tangent_gradient,
                           .hessian = tangent_hessian};
  for (int restart = 0; restart <= RESTARTS; restart++) {
    ipopt_outcome outcome;
    start_tangent(q);
    TRY(run(q, problem, report, &outcome, err));
    polar_place(&q->polar, q->z);
    finish_centres(q, largest);
    if (worst_mistake(q, largest) <= MISTAKEN) return TRIBO_OK;
  }
  *solved = false;
  return TRIBO_OK;
}

/* ---- the two in turn, (26) ---------------------------------------------------------------------
 */

/* What one round did: `before` are the impulses it began with, way[i] is where the last one wanted
 * a normal impulse to go. */
typedef struct round_trip {
  vec3 *before;
  double *way, part, residual; /* of the round before */
} round_trip;

/* The change of impulses by what it does to velocities, in the norm of W: contacts that share a
 * load may share it in many ways, among which the projections drift without any effect. Against the
 * impulses each for itself, because in a pile they cancel. */
static double change(delassus *d, const round_trip *r) {
  double size = 0, moved = 0;
  for (int32_t i = 0; i < d->count; i++) {
    size += vec3_dot(d->impulse[i], mat3_mul_vec3(delassus_own(d, i), d->impulse[i]));
    d->difference[i] = vec3_sub(d->impulse[i], r->before[i]);
  }
  bcsr_multiply(&d->w, &d->tasks, d->difference, d->velocity);
  for (int32_t i = 0; i < d->count; i++) moved += vec3_dot(d->difference[i], d->velocity[i]);
  return moved > 0 ? sqrt(moved / fmax(size, moved)) : 0;
}

/* Staggered projections need not converge: with strong coupling they go to and fro for ever, and
 * elsewhere they creep. So normal impulses go only a part of their way, or more than all of it, by
 * Aitken's rule: the part that would have ended a straight sequence at once. That moves no fixed
 * point, and convergence is always judged by the whole way. What drifts without any effect may be
 * most of it and ask for parts that throw the rest out: after a round that was worse than the one
 * before the whole way is gone. */
static void relax(delassus *d, const friction_report *report, round_trip *r) {
  double turn = 0, size = 0;
  for (int32_t i = 0; i < d->count; i++) {
    double way = d->impulse[i].x - r->before[i].x, bend = way - r->way[i];
    turn += r->way[i] * bend;
    size += bend * bend;
    r->way[i] = way;
  }
  bool first = report->iterations == 1, worse = !first && report->residual > r->residual;
  r->residual = report->residual;
  if (worse)
    r->part = 1;
  else if (!first && size > 0)
    r->part = fmin(fmax(-r->part * turn / size, SHORTEST_PART), LONGEST_PART);
  for (int32_t i = 0; i < d->count; i++)
    d->impulse[i].x = fmax(r->before[i].x + r->part * r->way[i], 0);
}

static tribo_status make_projection(delassus *d, arena *memory, projection *out, tribo_error *err) {
  size_t count = (size_t)d->count;
  *out = (projection){.d = d,
                      .chosen = {.contact = ARENA_ARRAY(memory, int32_t, count),
                                 .place = ARENA_ARRAY(memory, int32_t, count)},
                      .radius = ARENA_ARRAY(memory, double, count),
                      .z = ARENA_ARRAY(memory, double, 2 * count),
                      .low = ARENA_ARRAY(memory, double, 2 * count),
                      .high = ARENA_ARRAY(memory, double, 2 * count)};
  out->polar = (polar){.d = d, .chosen = &out->chosen, .radius = out->radius};
  bool whole =
      out->chosen.contact && out->chosen.place && out->radius && out->z && out->low && out->high;
  return whole ? TRIBO_OK : status_no_memory(err, "the friction problem");
}

tribo_status ipopt_friction_solve(const friction_problem *p, double tolerance, int iterations,
                                  arena *memory, vec3 *impulse, friction_report *report,
                                  tribo_error *err) {
  size_t count = p->set->count;
  delassus d;
  projection q;
  *report = (friction_report){.converged = count == 0};
  if (count == 0) return TRIBO_OK;
  TRY(delassus_build(p, impulse, memory, &d, err));
  TRY(make_projection(&d, memory, &q, err));
  round_trip trip = {ARENA_ARRAY(memory, vec3, count), ARENA_ARRAY(memory, double, count), 1, 0};
  if (!trip.before || !trip.way) return status_no_memory(err, "the friction problem");
  if (bcsr_block_count(d.w.pattern) > INT32_MAX / 4)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "%zu contacts couple in more ways than Ipopt's 32-bit indices take; use a "
                       "coarser mesh or the native solver",
                       count);
  for (size_t i = 0; i < count; i++) impulse[i].x = fmax(impulse[i].x, 0);

  while (!report->converged && report->iterations < iterations) {
    bool solved = true;
    if (report->iterations > 0) relax(&d, report, &trip);
    memcpy(trip.before, impulse, count * sizeof *impulse);
    TRY(project_tangent(&q, report, &solved, err));
    TRY(project_normal(&q, report, &solved, err));
    report->iterations++;
    report->residual = change(&d, &trip);
    report->converged = solved && report->residual <= tolerance;
  }
  /* The last normal projection has moved the discs' rims, by no more than the residual. */
  for (size_t i = 0; i < count; i++) clamp(&impulse[i], cone_mu(&p->cones[i]) * impulse[i].x);
  return TRIBO_OK;
}
