/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "step/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "contact/feel.h"
#include "math/hypotenuse.h"
#include "model/carry.h"
#include "model/collider.h"
#include "model/extend.h"
#include "step/step.h"

struct simulation {
  model model;
  arena memory; /* work space */
  state state;
  state next;                   /* a step works here; success swaps it in */
  vec3 *positions, *velocities; /* of all vertices, at `state` */
  vec3 *next_positions;         /* at `next`, before it is swapped in */
  tribo_contact *contacts;      /* of the last step */
  size_t contact_count;
  arena contact_memory;
  pairs friction;
  double step_seconds;
  double contact_tolerance; /* metres */
  bool told_of_tangles, told_of_made;
  trouble_told told;
  log_sink log;
  stepper stepper;
  judge *judge;
};

/* The vertices follow the state. */
static void carry_along(simulation *s) {
  const tasks *t = &s->stepper.objective.tasks;
  carry_positions(&s->model, t, s->state.x, s->state.turns, s->positions);
  carry_velocities(&s->model, t, s->state.x, s->state.turns, s->state.v, s->velocities);
}

static void put_at_start(const model *m, state *out) {
  memcpy(out->x, m->rest, out->node_count * sizeof *m->rest);
  memcpy(out->v, m->start_velocity, out->node_count * sizeof *m->start_velocity);
  for (size_t k = 0; k < m->rigid_count; k++) out->turns[k] = m->rigids[k].turn;
  /* The object's velocity is not that of vertices held in place. */
  for (size_t p = 0; p < m->pin_count; p++)
    for (size_t i = 0; m->pins[p].stiffness == 0 && i < m->pins[p].vertex_count; i++)
      out->v[m->pins[p].vertices[i]] = vec3_make(0, 0, 0);
}

/* What is inside of surfaces. */
typedef struct buried {
  size_t count;
  const contact_point *worst; /* NULL: nothing is */
  double depth;               /* of the worst, metres */
} buried;

/* appearing: of the surfaces that appear in the step alone. */
static tribo_status find_buried(simulation *s, const contact_moment *now, const vec3 *velocities,
                                bool appearing, buried *out, tribo_error *err) {
  contact_finder *finder = step_touching(&s->stepper).finder;
  double slack = 10 * s->contact_tolerance;
  contact_set set;
  *out = (buried){0};
  TRY(contact_find(finder, now, velocities, 0, &set, err));
  for (size_t i = 0; i < set.count; i++) {
    const contact_point *c = &set.contacts[i];
    double depth = c->allowed - c->gap;
    if (!(depth > slack) || (appearing && !contact_surface(finder, c)->appears)) continue;
    out->count++;
    if (!out->worst || depth > out->depth) out->worst = c, out->depth = depth;
  }
  return TRIBO_OK;
}

static const char *feeler_name(const simulation *s, const contact_point *c) {
  return s->model.bodies[s->model.feelers[c->feeler].body].name;
}

/* A smooth surface that the user insists on, and that lies off its mesh (model/smooth.h). */
static void warn_of_straying(const simulation *s) {
  const model *m = &s->model;
  for (size_t i = 0; s->log.write && i < m->surface_count; i++) {
    const model_surface *of = &m->surfaces[i];
    if (!(of->strays > 0)) continue;
    vec3 at = of->strays_at;
    char by[64];
    snprintf(by, sizeof by, isfinite(of->strays) ? "%.3g m" : "out of reach", of->strays);
    log_write(
        &s->log, TRIBO_LOG_WARNING,
        "object '%s': its smooth surface is off its mesh, by %s at (%.4g, %.4g, %.4g) of the "
        "mesh; there the mesh is felt instead. Give it 'auto' or 'mesh' for surface.contact, or "
        "give it more samples (surface.spacing)",
        model_surface_name(m, (int32_t)i), by, at.x, at.y, at.z);
  }
}

/* What starts inside something is pushed out (contact/feel.h): say so. A smooth surface that lies
 * off its mesh does this where the mesh looks free. */
static tribo_status warn_of_start(simulation *s, tribo_error *err) {
  const model *m = &s->model;
  if (!s->stepper.touching) return TRIBO_OK;
  contact_moment now = {.start = (double)s->state.step * s->step_seconds,
                        .h = 1e-6 * s->step_seconds, /* colliders are where this ends */
                        .x = s->state.x,
                        .turns = s->state.turns,
                        .vertices = s->positions,
                        .x_before = s->state.x,
                        .before = s->positions,
                        .first = true};
  buried found;
  TRY(find_buried(s, &now, s->velocities, false, &found, err));
  if (!found.worst) return TRIBO_OK;
  judge_start_depth(s->judge, found.depth);
  log_write(&s->log, TRIBO_LOG_WARNING,
            "object '%s': vertex %d starts %.3g m inside the surface of '%s', and %zu of all "
            "vertices start inside something; they are pushed out in about %.2g s. Move them, or "
            "where the surface is smooth and lies off its mesh, give it more samples "
            "(surface.spacing)",
            feeler_name(s, found.worst), found.worst->vertex, found.depth,
            model_surface_name(m, found.worst->surface), found.count,
            feel_seconds_inside(m, found.depth));
  return TRIBO_OK;
}

static bool anything_appears(const model *m, double seconds, double h) {
  for (size_t i = 0; i < m->collider_count; i++) {
    const model_collider *c = &m->colliders[i];
    if (collider_present(c, seconds + h) && !collider_present(c, seconds)) return true;
  }
  return false;
}

/* The same of what is inside of a collider that appears in the step from `moving`. */
static tribo_status warn_of_appearing(simulation *s, double seconds, const state *moving,
                                      tribo_error *err) {
  const model *m = &s->model;
  const tasks *t = &s->stepper.objective.tasks;
  if (!s->stepper.touching || !s->log.write || !anything_appears(m, seconds, s->step_seconds))
    return TRIBO_OK;
  arena scratch = {0};
  vec3 *positions = ARENA_ARRAY(&scratch, vec3, m->vertex_count);
  vec3 *velocities = ARENA_ARRAY(&scratch, vec3, m->vertex_count);
  tribo_status status = TRIBO_OK;
  if (!positions || !velocities) {
    status = status_no_memory(err, "contacts");
  } else {
    carry_positions(m, t, moving->x, moving->turns, positions);
    carry_velocities(m, t, moving->x, moving->turns, moving->v, velocities);
    contact_moment now = {.start = seconds,
                          .h = s->step_seconds,
                          .x = moving->x,
                          .turns = moving->turns,
                          .vertices = positions,
                          .x_before = moving->x,
                          .before = positions};
    buried found;
    status = find_buried(s, &now, velocities, true, &found, err);
    if (status == TRIBO_OK && found.worst)
      log_write(&s->log, TRIBO_LOG_WARNING,
                "object '%s': vertex %d is %.3g m inside the surface of '%s' when that appears, at "
                "%.6g s, and %zu of all vertices are inside of what appears there; they are pushed "
                "out in about %.2g s. Let it appear elsewhere, or at another time",
                feeler_name(s, found.worst), found.worst->vertex, found.depth,
                model_surface_name(m, found.worst->surface), seconds + s->step_seconds, found.count,
                feel_seconds_inside(m, found.depth));
  }
  arena_free(&scratch);
  return status;
}

/* What the method projective settles: a step's stiffness against its mass, for every iteration
 * (measured: docs/projective.md). */
static const double STIFFNESS_AN_ITERATION = 500;

/* It grows with the square of the step, so that shorter ones help most. */
static void warn_of_stiffness(const simulation *s) {
  const model *m = &s->model;
  const projective *p = &s->stepper.projective;
  if (!s->stepper.projects || !s->log.write) return;
  double most = STIFFNESS_AN_ITERATION * p->options.iterations;
  if (!(p->stiffness > most)) return;
  log_write(&s->log, TRIBO_LOG_WARNING,
            "object '%s' is stiff for its mass and the size of its elements: %.2g times what %d "
            "iterations of the method projective settle, and contacts will be off. Take %.2g times "
            "as many substeps (time.substeps) or more solver.projective_iterations, make it softer "
            "(elastic), or coarser",
            m->bodies[p->stiffest].name, p->stiffness / most, p->options.iterations,
            ceil(10 * sqrt(p->stiffness / most)) / 10);
}

/* Those that others could meet. */
static void warn_of_lattices(const simulation *s) {
  const model *m = &s->model;
  if (!s->stepper.projects || m->body_count < 2) return;
  for (size_t b = 0; b < m->body_count; b++) {
    if (!layers_finder_leaves_out(&s->stepper.projective.layers.finder, b)) continue;
    log_write(
        &s->log, TRIBO_LOG_WARNING,
        "object '%s' is carried by a lattice of tets: with the method projective it touches "
        "colliders alone, and passes through cloth and soft bodies. Close and clean its mesh, "
        "so that it can be filled (tets.from), or take the method 'forwarding'",
        m->bodies[b].name);
  }
}

static tribo_status set_up_judge(simulation *s, const simulation_options *options,
                                 tribo_error *err) {
  int substeps = options->substeps > 0 ? options->substeps : 1;
  judge_options how = {
      .crossings =
          options->method == TRIBO_METHOD_ELASTIC ? TRIBO_CROSSINGS_OFF : options->solver.crossings,
      .first_frame = options->first_frame,
      .frame_seconds = options->step_seconds * substeps,
      .substeps = substeps,
      .last_step = options->frames > 0 ? (int64_t)(options->frames - 1) * substeps : INT64_MAX,
      .contact_tolerance = s->contact_tolerance,
      .projects = options->method == TRIBO_METHOD_PROJECTIVE,
      .go_on = options->solver.on_failure == TRIBO_ON_FAILURE_CONTINUE,
      .by = s->stepper.projects ? &s->stepper.projective : NULL,
      .log = options->log};
  return judge_create(&s->model, &s->stepper.objective.tasks, &how, s->positions, &s->judge, err);
}

static tribo_status set_up(simulation *s, const simulation_options *options, tribo_error *err) {
  const model *m = &s->model;
  s->positions = ARENA_ARRAY(&s->memory, vec3, m->vertex_count);
  s->velocities = ARENA_ARRAY(&s->memory, vec3, m->vertex_count);
  s->next_positions = ARENA_ARRAY(&s->memory, vec3, m->vertex_count);
  if (!state_create((size_t)m->node_count, m->rigid_count, &s->state) ||
      !state_create((size_t)m->node_count, m->rigid_count, &s->next) || !s->positions ||
      !s->velocities || !s->next_positions)
    return status_no_memory(err, "the state");
  put_at_start(m, &s->state);
  tasks t = tasks_create(options->threads);
  t.stop = options->stop;
  TRY(tasks_check(&t, err));
  int substeps = options->substeps > 0 ? options->substeps : 1;
  step_options how = {.method = options->method,
                      .solver = &options->solver,
                      .friction = &s->friction,
                      .seconds = options->step_seconds,
                      .frame_seconds = substeps * options->step_seconds,
                      .first_frame = options->first_frame};
  s->contact_tolerance = options->solver.contact_tolerance * m->smallest;
  TRY(step_create(m, &how, &t, &s->memory, &s->stepper, err));
  carry_along(s);
  TRY(set_up_judge(s, options, err));
  warn_of_stiffness(s);
  warn_of_lattices(s);
  warn_of_straying(s);
  return options->inside_out ? TRIBO_OK : warn_of_start(s, err);
}

tribo_status simulation_create(model *m, const simulation_options *options, simulation **out,
                               tribo_error *err) {
  *out = NULL;
  simulation *s = calloc(1, sizeof *s);
  if (!s) {
    model_free(m);
    return status_no_memory(err, "a simulation");
  }
  s->model = *m;
  *m = (model){0};
  s->friction = options->friction;
  s->step_seconds = options->step_seconds;
  s->log = options->log;
  tribo_status status = set_up(s, options, err);
  if (status != TRIBO_OK) {
    simulation_free(s);
    return status;
  }
  *out = s;
  return TRIBO_OK;
}

void simulation_free(simulation *s) {
  if (!s) return;
  judge_free(s->judge);
  trouble_told_free(&s->told);
  step_free(&s->stepper);
  state_free(&s->state);
  state_free(&s->next);
  arena_free(&s->contact_memory);
  arena_free(&s->memory);
  model_free(&s->model);
  free(s);
}

static void put(double *to, vec3 from) {
  to[0] = from.x;
  to[1] = from.y;
  to[2] = from.z;
}

/* Friction within a thousandth of the cone counts as slip: iterations end a little beside it. A
 * contact that drills has a torque (impulse) in the cone, too. */
static tribo_contact_state state_of(const friction_cone *cone, vec3 impulse, double torque) {
  const double inside = 1 - 1e-3;
  double most_t = inside * cone->mu_t * impulse.x, most_b = inside * cone->mu_b * impulse.x;
  /* in the ellipse of (most_t, most_b), without dividing by a coefficient that may be 0 */
  double across = hypotenuse(impulse.y * most_b, impulse.z * most_t), most = most_t * most_b;
  if (cone->mu_drill > 0)
    across = hypotenuse(across, most * torque / (inside * cone->mu_drill * impulse.x));
  return across < most ? TRIBO_STICK : TRIBO_SLIP;
}

/* At the end of the step, by the linear model that it was solved with. */
static double gap_at_end(const simulation *s, const contact_set *set, size_t i) {
  double gap = set->contacts[i].gap;
  for (size_t e = set->start[i]; e < set->start[i + 1]; e++) {
    int32_t node = set->node[e];
    gap += vec3_dot(set->by_node[e], vec3_sub(s->stepper.guess[node], set->at[node]));
  }
  return gap;
}

/* Below the feeler, where the step has brought it. The set remembers where it was found. */
static vec3 foot_at_end(const simulation *s, const contact_finder *finder, const contact_point *c,
                        double gap) {
  if (c->corner) return c->point;
  const feelers *with = contact_feelers(finder, c);
  contact_moment now = {.x = s->state.x, .turns = s->state.turns, .vertices = s->positions};
  size_t i = (size_t)c->number;
  vec3 point = feelers_place(with, &s->model, &now, i, c->part);
  double thickness = s->model.surfaces[c->surface].params.thickness +
                     feelers_thickness(with, &s->model, &now, i, c->normal);
  return vec3_madd(point, -(gap + thickness), c->normal);
}

/* Before the state moves: afterwards nothing may fail any more. */
static tribo_status make_room_for_contacts(simulation *s, tribo_error *err) {
  size_t most = step_touching(&s->stepper).set->count + step_between_count(&s->stepper);
  s->contacts = NULL;
  s->contact_count = 0;
  if (most == 0) return TRIBO_OK;
  arena_reset(&s->contact_memory);
  s->contacts = ARENA_ARRAY(&s->contact_memory, tribo_contact, most);
  return s->contacts ? TRIBO_OK : status_no_memory(err, "contacts");
}

/* Its torque is known. */
static void put_forces(const simulation *s, const friction_cone *cone, vec3 r, vec3 slip,
                       tribo_contact *out) {
  double h = step_seconds(&s->stepper);
  vec3 impulse = vec3_madd(vec3_madd(vec3_scale(r.x, cone->normal), r.y, cone->t), r.z, cone->b);
  out->mu = cone_mu(cone);
  out->state = state_of(cone, r, h * out->torque);
  put(out->normal, cone->normal);
  put(out->impulse, impulse);
  put(out->force, vec3_scale(1 / h, impulse));
  put(out->slip, slip);
}

static void list_between(simulation *s) {
  for (size_t i = 0; i < step_between_count(&s->stepper); i++) {
    projective_listed c = step_between(&s->stepper, s->state.x, i);
    if (!(c.impulse.x > 0)) continue;
    tribo_contact *out = &s->contacts[s->contact_count++];
    *out = (tribo_contact){.object = (size_t)c.body,
                           .vertex = c.node - s->model.bodies[c.body].first_node,
                           .surface = c.surface,
                           .gap = c.gap};
    put(out->position, c.point);
    put_forces(s, c.cone, c.impulse, c.slip, out);
  }
}

/* What the last step found, for those who look on; state and vertices are at its end. */
static void list_contacts(simulation *s) {
  const model *m = &s->model;
  step_contacts last = step_touching(&s->stepper);
  for (size_t i = 0; i < last.set->count; i++) {
    vec3 r = last.impulses[i];
    if (!(r.x > 0)) continue;
    const contact_point *c = &last.set->contacts[i];
    const friction_cone *cone = &last.cones[i];
    tribo_contact *out = &s->contacts[s->contact_count++];
    *out = (tribo_contact){.object = (size_t)m->feelers[c->feeler].body,
                           .vertex = c->vertex,
                           .surface = model_surface_name(m, c->surface),
                           .gap = gap_at_end(s, last.set, i),
                           .torque = last.torques ? last.torques[i] : 0};
    put(out->position, foot_at_end(s, last.finder, c, out->gap));
    put_forces(s, cone, r, step_slip(&s->stepper, i), out);
  }
  list_between(s);
}

/* Of all that is inside, with or without a force: what began there is let out without one, and how
 * deep it may stay meanwhile counts as outside for the step, but not for who looks at the frame. */
static void judge_depths(simulation *s) {
  const model *m = &s->model;
  step_contacts last = step_touching(&s->stepper);
  for (size_t i = 0; i < last.set->count; i++) {
    const contact_point *c = &last.set->contacts[i];
    double gap = gap_at_end(s, last.set, i) - c->allowed;
    if (gap < 0)
      judge_inside(s->judge, (size_t)m->feelers[c->feeler].body, c->vertex,
                   model_surface_name(m, c->surface), gap, c->allowed > 0);
  }
  for (size_t i = 0; i < s->contact_count; i++) {
    const tribo_contact *c = &s->contacts[i];
    if (c->gap < 0) judge_inside(s->judge, c->object, c->vertex, c->surface, c->gap, false);
  }
}

tribo_status simulation_export_problem(simulation *s, const char *folder, int number,
                                       tribo_error *err) {
  if (s->contact_count == 0 || s->stepper.projects) return TRIBO_OK;
  return forwarding_export(&s->stepper.forwarding, folder, number, err);
}

/* Once: what is tangled may stay so for the rest of a bake, and every frame says it in its report.
 */
static void warn_of_tangles(simulation *s, double seconds) {
  if (!s->stepper.tangled || s->told_of_tangles) return;
  s->told_of_tangles = true;
  log_write(
      &s->log, TRIBO_LOG_WARNING,
      "near %.6g s contacts of cloth on cloth contradict each other: it started through itself, "
      "or pins and colliders drive it through; what they touch is held back where they would blow "
      "it up. Let it start apart, or move what drives it otherwise",
      seconds);
}

/* Of mass times gravity times the scene's size, in one step: what cannot be seen is not told. */
static const double TOLD = 1e-3;

/* Once, like tangles; `held_back` has it in every frame. */
static void warn_of_made_energy(simulation *s, double seconds) {
  const guard_made *made = &s->stepper.made;
  if (!(made->share > TOLD) || s->told_of_made) return;
  s->told_of_made = true;
  const projective *p = &s->stepper.projective;
  log_write(
      &s->log, TRIBO_LOG_WARNING,
      "object '%s': near %.6g s its contacts made %.3g J that nobody put in, which were taken "
      "away: its steps are too long for how stiff it is, and it may move less freely than it "
      "should. Use more substeps (time.substeps) or solver.projective_iterations, or softer "
      "materials (elastic)",
      s->model.bodies[p->layers.finder.body[made->node]].name, seconds, made->joules);
}

static double seconds_of(const simulation *s, const state *at) {
  return (double)at->step * s->step_seconds;
}

/* Before it is put in place: what is judged may still be refused. */
static tribo_status judge_next(simulation *s, tribo_report *report, tribo_error *err) {
  const tasks *t = &s->stepper.objective.tasks;
  carry_positions(&s->model, t, s->next.x, s->next.turns, s->next_positions);
  return judge_end(s->judge, t, &s->next, seconds_of(s, &s->next), s->next_positions, report, err);
}

tribo_status simulation_steps(simulation *s, int count, tribo_report *report, tribo_error *err) {
  double began = clock_seconds();
  *report = (tribo_report){.converged = true, .crossings = -1};
  s->stepper.worst = s->stepper.pins = (trouble){.kind = TROUBLE_NONE};
  judge_begin(s->judge, &s->stepper.objective.tasks, &s->state, seconds_of(s, &s->state));
  if (!state_copy(&s->state, &s->next)) return status_no_memory(err, "the next state");

  tribo_status status = TRIBO_OK;
  for (int i = 0; i < count && status == TRIBO_OK; i++) {
    double seconds = (double)s->next.step * s->step_seconds;
    status = warn_of_appearing(s, seconds, &s->next, err);
    if (status == TRIBO_OK)
      status = step_advance(&s->stepper, seconds, s->step_seconds, &s->next, report, err);
    s->next.step++;
    if (s->stepper.tangled) report->rough |= TRIBO_ROUGH_TANGLED;
    warn_of_tangles(s, seconds);
    warn_of_made_energy(s, seconds);
  }
  if (status == TRIBO_OK) status = make_room_for_contacts(s, err);
  if (status == TRIBO_OK) status = judge_next(s, report, err);
  if (status == TRIBO_OK) {
    state last = s->state;
    s->state = s->next;
    s->next = last;
    carry_along(s);
    if (count > 0) list_contacts(s);
    if (count > 0) judge_depths(s);
    judge_contacts(s->judge, seconds_of(s, &s->state), report);
    trouble_warn(&s->told, &s->stepper.worst, &s->log);
    trouble_warn(&s->told, &s->stepper.pins, &s->log);
  }
  report->seconds = clock_seconds() - began;
  return status;
}

tribo_status simulation_step(simulation *s, tribo_report *report, tribo_error *err) {
  return simulation_steps(s, 1, report, err);
}

tribo_status simulation_extend_collider(simulation *s, size_t object, const double *sample,
                                        tribo_error *err) {
  return extend_collider(&s->model, object, sample, err);
}

tribo_status simulation_extend_presence(simulation *s, size_t object, double seconds, bool present,
                                        tribo_error *err) {
  return extend_presence(&s->model, object, seconds, present, err);
}

tribo_status simulation_extend_pin(simulation *s, size_t object, size_t pin, const double *sample,
                                   tribo_error *err) {
  return extend_pin(&s->model, object, pin, sample, err);
}

const model *simulation_model(const simulation *s) { return &s->model; }
const state *simulation_state(const simulation *s) { return &s->state; }

const vec3 *simulation_positions(const simulation *s) { return s->positions; }
const vec3 *simulation_velocities(const simulation *s) { return s->velocities; }

const tribo_contact *simulation_contacts(const simulation *s, size_t *count) {
  *count = s->contact_count;
  return s->contacts;
}

const tribo_crossing *simulation_crossings(const simulation *s, size_t *count) {
  *count = 0;
  const crossed_objects *c = judge_crossed(s->judge);
  return c ? crossed_pairs(c, count) : NULL;
}

const int32_t *simulation_pierced(const simulation *s, size_t object, size_t *count) {
  *count = 0;
  const crossed_objects *c = judge_crossed(s->judge);
  return c ? crossed_pierced(c, object, count) : NULL;
}

judge_deep simulation_deepest(const simulation *s) { return judge_deepest(s->judge); }
judge_gain simulation_gained(const simulation *s) { return judge_gained(s->judge); }

tribo_status simulation_restore(simulation *s, const state *saved, tribo_error *err) {
  if (!state_copy(saved, &s->state)) return status_no_memory(err, "the saved state");
  s->contacts = NULL;
  s->contact_count = 0;
  carry_along(s);
  return TRIBO_OK;
}

const char *simulation_linear_solver(const simulation *s, bool *deterministic) {
  const forwarding *f = &s->stepper.forwarding;
  if (s->stepper.projects) {
    if (deterministic) *deterministic = true;
    return "prefactor";
  }
  if (f->ipopt) {
    if (deterministic) *deterministic = false;
    return f->options.with.linear == IPOPT_PARDISO ? "ipopt pardiso" : "ipopt mumps";
  }
  const linsys_caps *caps = linsys_capabilities(s->stepper.newton.linear);
  if (deterministic) *deterministic = caps->deterministic;
  return caps->name;
}
