/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "projective/projective.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "contact/set_cones.h"
#include "model/kinematics.h"
#include "potential/force.h"

/* Nodes that are worth a thread. An iteration of six thousand takes half a millisecond in a dozen
 * parts: threads that sleep until they are wanted would wake up for longer than they work. */
enum { GRAIN = 4096 };

/* Of the tolerance of gaps: what moves by less within a step did not slip. */
static const double STUCK = 1e-3;

/* Drag is no part of P: what it adds to the mass of a node in a step, at most. */
static const double DRAG_SHARE = 0.25;

/* ---- setting up -------------------------------------------------------------------------------
 */

static tribo_status allocate(projective *p, tribo_error *err) {
  const model *m = p->model;
  size_t nodes = (size_t)m->node_count;
  arena *a = &p->memory;
  p->elastic = ARENA_ARRAY(a, double, m->body_count + 1);
  p->mass = ARENA_ARRAY(a, double, nodes);
  p->soft = ARENA_ARRAY(a, double, nodes);
  p->target = ARENA_ARRAY(a, vec3, nodes);
  p->start = ARENA_ARRAY(a, vec3, nodes);
  p->carried = ARENA_ARRAY(a, vec3, nodes);
  p->v = ARENA_ARRAY(a, vec3, nodes);
  p->g = ARENA_ARRAY(a, vec3, nodes);
  p->change = ARENA_ARRAY(a, vec3, nodes);
  p->x = ARENA_ARRAY(a, vec4, nodes);
  p->touches_obstacle = ARENA_ARRAY(a, bool, nodes);
  p->before = ARENA_ARRAY(a, vec3, m->vertex_count);
  p->velocities = ARENA_ARRAY(a, vec3, m->vertex_count);
  bool whole = p->elastic && p->mass && p->soft && p->target && p->start && p->carried && p->v &&
               p->g && p->change && p->x && p->touches_obstacle && p->before && p->velocities;
  if (m->skin_count > 0) {
    p->air = ARENA_ARRAY(a, vec3, nodes);
    p->x_air = ARENA_ARRAY(a, vec3, nodes);
    p->wind = ARENA_ARRAY(a, wind_element, m->skin_triangles);
    whole = whole && p->air && p->x_air && p->wind;
  }
  return whole ? TRIBO_OK : status_no_memory(err, "a step's work space");
}

static double pin_stiffness(const model_pin *pin, size_t i) {
  return pin->stiffness * (pin->share ? pin->share[i] : 1);
}

static void weigh(projective *p) {
  const model *m = p->model;
  for (int32_t i = 0; i < m->node_count; i++)
    p->mass[i] = m->mass[i] + p->options.h * m->mass_damping[i];
  forces_bound(m, p->soft);
}

/* Where cloth is held most by its elements, for its mass. Contacts of solids know their matrix. */
static void find_stiffest(projective *p, const double *values) {
  const model *m = p->model;
  double h = p->options.h;
  for (size_t b = 0; b < m->body_count; b++) {
    const model_body *body = &m->bodies[b];
    int32_t end = body->first_node + body->node_count;
    for (int32_t i = body->first_node; body->sheet && i < end; i++) {
      if (m->row_of_node[i] < 0) continue;
      double own = p->mass[i] + h * h * p->soft[i];
      double stiffness = (values[m->pattern.diagonal[i]] - own) / p->mass[i];
      if (!(stiffness > p->stiffness)) continue;
      p->stiffness = stiffness;
      p->stiffest = b;
    }
  }
}

/* P over the nodes that are free. */
static tribo_status factor(projective *p, tribo_error *err) {
  const model *m = p->model;
  double h = p->options.h;
  size_t free_blocks = (size_t)bcsr_block_count(&m->free_pattern);
  double *values = calloc((size_t)bcsr_block_count(&m->pattern) + 1, sizeof *values);
  double *kept = calloc(free_blocks + 1, sizeof *kept);
  tribo_status status = TRIBO_OK;
  if (!values || !kept) {
    status = status_no_memory(err, "the matrix of a step");
  } else if (m->row_count > 0) {
    projective_cloth_matrix(&p->cloth, h * h, values);
    projective_solid_matrix(&p->solid, h * h, values);
    projective_damping_matrix(&p->damping, h, values);
    for (int32_t i = 0; i < m->node_count; i++)
      values[m->pattern.diagonal[i]] += p->mass[i] + h * h * p->soft[i];
    find_stiffest(p, values);
    for (size_t k = 0; k < free_blocks; k++)
      kept[k] = values[m->free_blocks ? (size_t)m->free_blocks[k] : k];
    status = prefactor_create(&m->free_pattern, kept, m->node_of_row, &p->options.tasks, &p->matrix,
                              err);
  }
  free(values);
  free(kept);
  return status;
}

/* How near what may touch within a step is at its start, beyond its own way, m. */
static double contact_margin(const projective *p) {
  return 2 * p->options.h * p->options.h * vec3_norm(p->model->gravity) + 4 * p->options.gap;
}

static double still_speed(const projective_options *o) { return STUCK * o->gap / o->h; }

tribo_status projective_create(const model *m, const pairs *mu, const projective_options *options,
                               projective *out, tribo_error *err) {
  *out = (projective){.model = m, .pairs = mu, .options = *options};
  const tasks *t = &options->tasks;
  TRY(allocate(out, err));
  weigh(out);
  TRY(projective_cloth_create(m, t, &out->memory, &out->cloth, err));
  TRY(projective_solid_create(m, t, &out->memory, &out->solid, err));
  TRY(projective_damping_create(m, t, &out->memory, &out->damping, err));
  TRY(factor(out, err));
  TRY(anderson_create(3 * (size_t)m->node_count, t, &out->memory, &out->mixing, err));
  /* Surfaces of cloth are not touched this way. */
  TRY(contact_finder_create(m, BROAD_PHASE_COLLIDERS, options->transport, t, &out->finder, err));
  TRY(projective_solid_contact_create(m, t, &out->memory, &out->solid_contact, err));
  TRY(projective_guard_create(m, &out->memory, &out->guard, err));
  TRY(projective_descent_create(m, &out->memory, &out->descent, err));
  double still = still_speed(options);
  TRY(projective_edges_create(m, mu, &out->finder, options->h, still, t, &out->memory, &out->edges,
                              err));
  TRY(projective_layers_create(m, mu, options->h, t, &out->memory, &out->layers, err));
  double margin = contact_margin(out);
  TRY(skins_create(m, &out->finder, options->h, margin, t, &out->memory, &out->skins, err));
  TRY(projective_passing_create(m, &out->layers.finder, &out->skins, out->mass, t, &out->memory,
                                &out->passing, err));
  return layers_cones_create(m, mu, out->layers.finder.body, still, t, &out->memory,
                             &out->layers_cones, err);
}

void projective_free(projective *p) {
  if (p->model) contact_finder_free(&p->finder);
  prefactor_free(p->matrix);
  projective_passing_free(&p->passing);
  skins_free(&p->skins);
  arena_free(&p->step);
  arena_free(&p->memory);
  *p = (projective){0};
}

/* ---- the start of a step ----------------------------------------------------------------------
 */

/* Several springs on a node, as those of the vertices that a cage carries, are one at the mean of
 * their targets. Hard pins are last: they have the say. */
static void aim_pins(projective *p, double end) {
  const model *m = p->model;
  for (int32_t i = 0; i < m->node_count; i++) p->target[i] = vec3_make(0, 0, 0);
  for (int hard = 0; hard < 2; hard++)
    for (size_t k = 0; k < m->pin_count; k++) {
      const model_pin *pin = &m->pins[k];
      if (hard == (pin->stiffness > 0)) continue;
      for (size_t i = 0; i < pin->vertex_count; i++) {
        int32_t node = pin->vertices[i];
        vec3 target = model_pin_target(pin, i, end);
        double part = hard ? 1 : pin_stiffness(pin, i) / p->soft[node];
        p->target[node] = hard ? target : vec3_madd(p->target[node], part, target);
      }
    }
}

/* The air, with its factors at the start of the step, and no stronger than the matrix can do
 * without: a node of light cloth in a storm is blown along, not past the wind. */
static void aim_wind(projective *p, const projective_start *start) {
  const model *m = p->model;
  double h = p->options.h;
  for (size_t k = 0; k < m->skin_count; k++) {
    const model_skin *skin = &m->skins[k];
    wind_element *wind = p->wind + skin->first;
    wind_prepare(&skin->set, &skin->air, h, start->x, start->v, &p->options.tasks, wind);
    for (size_t e = 0; e < skin->set.count; e++) {
      const int32_t *corner = skin->set.vertices + 3 * e;
      double least = fmin(p->mass[corner[0]], fmin(p->mass[corner[1]], p->mass[corner[2]]));
      wind[e].stiffness = fmin(wind[e].stiffness, DRAG_SHARE * least / (h * h));
    }
  }
}

static void begin(projective *p, const projective_start *start) {
  const model *m = p->model;
  double h = p->options.h;
  aim_pins(p, start->seconds + h);
  aim_wind(p, start);
  for (int32_t i = 0; i < m->node_count; i++) {
    p->start[i] = start->x[i];
    p->carried[i] = vec3_scale(m->mass[i], vec3_madd(start->v[i], h, m->gravity));
    bool held = m->row_of_node[i] < 0;
    p->v[i] = held ? vec3_scale(1 / h, vec3_sub(p->target[i], start->x[i])) : start->v[i];
    p->change[i] = vec3_make(0, 0, 0);
  }
  projective_damping_begin(&p->damping, start->x);
  anderson_begin(&p->mixing);
}

static tribo_status meet_obstacles(projective *p, const projective_start *start, tribo_error *err) {
  const model *m = p->model;
  const tasks *t = &p->options.tasks;
  double h = p->options.h;
  p->set = (contact_set){0};
  p->contacts = NULL;
  p->edges.count = p->edges.sharp_count = 0;
  p->solid_contact.count = 0;
  p->passing.hits.count = 0;
  if (p->finder.broad_phase.count == 0) return TRIBO_OK;
  kinematics_positions(m, t, start->x, start->turns, p->before);
  kinematics_velocities(m, t, start->x, start->turns, start->v, p->velocities);
  contact_moment moment = {.start = start->seconds,
                           .h = h,
                           .x = p->start,
                           .turns = start->turns,
                           .vertices = p->before,
                           .x_before = p->start,
                           .before = p->before,
                           .first = start->seconds == 0,
                           .touches = start->touches,
                           .touch_count = start->touch_count};
  double margin = contact_margin(p);
  TRY(contact_find(&p->finder, &moment, p->velocities, margin, &p->set, err));
  size_t count = p->set.count;
  p->contacts = ARENA_ARRAY(&p->step, projective_contact, count);
  p->cones = ARENA_ARRAY(&p->step, friction_cone, count);
  p->impulses = ARENA_ARRAY(&p->step, vec3, count);
  if (!p->contacts || !p->cones || !p->impulses) return status_no_memory(err, "contacts");
  set_cones from = {m, p->pairs, &p->set, start->v, still_speed(&p->options)};
  for (size_t i = 0; i < count; i++) {
    const contact_point *c = &p->set.contacts[i];
    friction_cone cone = p->cones[i] = set_cone(&from, i);
    int32_t node = p->set.node[p->set.start[i]];
    for (size_t e = p->set.start[i]; e < p->set.start[i + 1]; e++)
      p->touches_obstacle[p->set.node[e]] |= c->gap <= 2 * p->options.gap;
    p->contacts[i] =
        (projective_contact){.node = node,
                             .held = m->row_of_node[node] < 0,
                             .mass = p->mass[node],
                             .cone = cone,
                             .shift = {c->gap / h, -vec3_dot(cone.t, c->surface_velocity),
                                       -vec3_dot(cone.b, c->surface_velocity)}};
  }
  TRY(projective_edges_detect(&p->edges, p->start, start->v, p->mass, margin, &p->step, err));
  TRY(skins_begin(&p->skins, start->seconds, p->start, start->v, err));
  TRY(projective_between_detect(&p->skins, p->start, start->v, p->mass, &p->edges, &p->step, err));
  for (size_t i = 0; i < p->edges.count; i++) {
    const projective_stencil *c = &p->edges.stencils[i];
    for (int k = 0; k < 4; k++)
      p->touches_obstacle[c->node[k]] |= h * c->shift.x <= 2 * p->options.gap;
  }
  return projective_solid_contact_begin(&p->solid_contact, &p->set, p->mass, p->matrix, p->contacts,
                                        &p->step, err);
}

static tribo_status detect(projective *p, const projective_start *start, tribo_error *err) {
  arena_reset(&p->step);
  memset(p->touches_obstacle, 0, (size_t)p->model->node_count * sizeof *p->touches_obstacle);
  TRY(meet_obstacles(p, start, err));
  TRY(projective_layers_detect(&p->layers, p->start, start->v, p->mass, p->touches_obstacle,
                               &p->step, err));
  layers_cones_set(&p->layers_cones, p->start, start->v, p->layers.count, p->layers.stencils);
  return TRIBO_OK;
}

/* ---- local ------------------------------------------------------------------------------------
 */

static void move_nodes(void *context, size_t begin, size_t end) {
  projective *p = context;
  double h = p->options.h;
  for (size_t i = begin; i < end; i++) {
    vec3 x = vec3_madd(p->start[i], h, p->v[i]);
    p->x[i] = (vec4){{x.x, x.y, x.z, 0}};
  }
}

/* g = carried - M v + h (forces at x), of some nodes at a time: their forces stay at hand. */
static void balance_nodes(void *context, size_t begin, size_t end) {
  enum { SOME = 128 };
  projective *p = context;
  double h = p->options.h;
  vec4 forces[SOME];
  for (size_t first = begin, last; first < end; first = last) {
    last = first + SOME < end ? first + SOME : end;
    projective_cloth_forces(&p->cloth, p->x, first, last, forces);
    projective_solid_add(&p->solid, first, last, forces);
    projective_damping_add(&p->damping, first, last, forces);
    for (size_t i = first; i < last; i++) {
      vec3 force = vec3_from(forces[i - first].at);
      if (p->soft[i] > 0)
        force = vec3_madd(force, p->soft[i], vec3_sub(p->target[i], vec3_from(p->x[i].at)));
      if (p->air) force = vec3_sub(force, p->air[i]);
      p->g[i] = vec3_madd(vec3_madd(p->carried[i], -p->mass[i], p->v[i]), h, force);
    }
  }
}

static void add_drag(projective *p) {
  const model *m = p->model;
  size_t nodes = (size_t)m->node_count;
  if (!p->air) return;
  memset(p->air, 0, nodes * sizeof *p->air);
  for (size_t i = 0; i < nodes; i++) p->x_air[i] = vec3_from(p->x[i].at);
  for (size_t k = 0; k < m->skin_count; k++) {
    energy_term term = {&wind_kernel, &m->skins[k].set, p->wind + m->skins[k].first};
    elements_gradient(&term, &p->options.tasks, p->x_air, p->air);
  }
}

void projective_residual(projective *p) {
  const tasks *t = &p->options.tasks;
  size_t nodes = (size_t)p->model->node_count;
  tasks_for(t, nodes, GRAIN, move_nodes, p);
  projective_cloth_elements(&p->cloth, p->x);
  projective_solid_elements(&p->solid, p->x);
  projective_damping_elements(&p->damping, p->v);
  add_drag(p);
  tasks_for(t, nodes, GRAIN, balance_nodes, p);
}

typedef struct touch_job {
  projective *p;
  size_t first;
} touch_job;

static void touch_nodes(void *context, size_t begin, size_t end) {
  const touch_job *job = context;
  projective *p = job->p;
  for (size_t i = job->first + begin; i < job->first + end; i++) {
    projective_contact *c = &p->contacts[i];
    if (!c->held && !c->pressed) projective_contact_update(c, p->v[c->node], &p->g[c->node]);
  }
}

/* A node has one contact with an obstacle, so those of one obstacle are side by side; a node
 * between two feels them one after the other. */
static void touch_all(projective *p, int round) {
  const contact_point *all = p->set.contacts;
  projective_layers_resume(&p->layers, p->g);
  projective_edges_resume(&p->edges, p->g);
  for (size_t first = 0, end; first < p->set.count; first = end) {
    for (end = first + 1; end < p->set.count; end++)
      if (all[end].probe != all[first].probe || all[end].surface != all[first].surface) break;
    touch_job job = {p, first};
    tasks_for(&p->options.tasks, end - first, GRAIN, touch_nodes, &job);
  }
  projective_edges_update(&p->edges, round == 0, p->v, p->g);
  projective_solid_contact_update(&p->solid_contact, p->contacts, p->v, p->g);
  projective_layers_update(&p->layers, round, p->v, p->g);
}

/* ---- the step ---------------------------------------------------------------------------------
 */

/* Relative to the largest of what balances: the momentum carried, and the contact impulses. */
static double imbalance(const projective *p) {
  const model *m = p->model;
  double lack = 0, size = 0;
  for (int32_t r = 0; r < m->row_count; r++) {
    int32_t i = m->node_of_row[r];
    lack += vec3_norm2(p->g[i]);
    size += vec3_norm2(p->carried[i]);
  }
  return size > 0 ? sqrt(lack / size) : 0;
}

static void finish_contacts(projective *p) {
  for (size_t i = 0; i < p->set.count; i++) {
    projective_contact *c = &p->contacts[i];
    if (!c->pressed) c->velocity = projective_contact_velocity(c, p->v[c->node]);
  }
  projective_solid_contact_finish(&p->solid_contact, p->v, p->contacts);
}

static void measure(const projective *p, projective_report *report) {
  double sum = 0, size = 0;
  for (size_t i = 0; i < p->set.count; i++) {
    const projective_contact *c = &p->contacts[i];
    if (c->held) continue;
    sum += vec3_norm(cone_residual(&c->cone, c->impulse, c->velocity, c->mass));
    size += vec3_norm(c->impulse);
    report->contacts += c->impulse.x > 0;
    double depth = p->set.contacts[i].allowed - p->options.h * c->velocity.x;
    report->penetration = fmax(report->penetration, depth);
  }
  for (size_t i = 0; i < p->edges.count + p->layers.count; i++) {
    bool edge = i < p->edges.count;
    const projective_stencil *c =
        edge ? &p->edges.stencils[i] : &p->layers.stencils[i - p->edges.count];
    vec3 u = projective_stencil_velocity(c, p->v);
    sum += vec3_norm(cone_residual(&c->cone, c->impulse, u, c->mass));
    size += vec3_norm(c->impulse);
    report->contacts += c->impulse.x > 0;
    if (i < p->edges.sharp_count)
      report->penetration = fmax(report->penetration, -p->options.h * u.x);
  }
  report->friction = size > 0 ? sum / size : 0;
}

static void commit(projective *p, vec3 *x, projective_report *report) {
  const model *m = p->model;
  double sum = 0;
  for (int32_t i = 0; i < m->node_count; i++) {
    bool held = m->row_of_node[i] < 0;
    x[i] = held ? p->target[i] : vec3_madd(p->start[i], p->options.h, p->v[i]);
    sum += vec3_norm2(x[i]);
  }
  report->finite = isfinite(sum);
  for (size_t i = 0; i < p->set.count; i++) p->impulses[i] = p->contacts[i].impulse;
}

/* What a start lacks, in the norm of P^-1: twice what an iteration is sure to win from there. */
static double residual_norm(projective *p) {
  double sum = 0;
  projective_residual(p);
  prefactor_solve(p->matrix, p->g, p->change);
  for (int32_t r = 0; r < p->model->row_count; r++) {
    int32_t i = p->model->node_of_row[r];
    sum += vec3_dot(p->g[i], p->change[i]);
  }
  return sum;
}

/* Two starts: everything goes on as it did, or stands still. The first is what moves steadily. But
 * where stiff cloth trembles, going on strains it more and more from step to step, while standing
 * still is bound to lose energy. The better one is taken. */
static void choose_start(projective *p, const projective_start *start) {
  const model *m = p->model;
  if (!p->matrix) return;
  double going = residual_norm(p);
  for (int32_t r = 0; r < m->row_count; r++) p->v[m->node_of_row[r]] = vec3_make(0, 0, 0);
  if (residual_norm(p) < going) return;
  for (int32_t r = 0; r < m->row_count; r++) p->v[m->node_of_row[r]] = start->v[m->node_of_row[r]];
}

static void iterate(projective *p, projective_report *report) {
  size_t nodes = (size_t)p->model->node_count;
  bool last = report->iterations + 1 == p->options.iterations;
  double t0 = clock_seconds();
  projective_residual(p);
  double t1 = clock_seconds();
  touch_all(p, report->iterations);
  double t2 = clock_seconds();
  if (last) report->residual = imbalance(p);
  double t3 = clock_seconds();
  if (p->matrix) prefactor_solve(p->matrix, p->g, p->change);
  double t4 = clock_seconds();
  /* The last is not mixed: its velocities are those that its contact impulses lead to. */
  if (last)
    for (size_t i = 0; i < nodes; i++) p->v[i] = vec3_add(p->v[i], p->change[i]);
  else
    anderson_next(&p->mixing, &p->change->x, &p->v->x);
  double t5 = clock_seconds();
  report->local_seconds += t1 - t0;
  report->contact_seconds += t2 - t1;
  report->solve_seconds += t4 - t3;
  report->mix_seconds += t5 - t4;
  report->iterations++;
}

static tribo_status run(projective *p, const projective_start *start, projective_report *report,
                        tribo_error *err) {
  choose_start(p, start);
  while (report->iterations < p->options.iterations) {
    TRY(tasks_check(&p->options.tasks, err));
    iterate(p, report);
  }
  projective_edges_separate(&p->edges, p->v);
  projective_layers_separate(&p->layers, p->v);
  return TRIBO_OK;
}

/* Where contacts have made energy it is taken away; pieces of which too much would go take the step
 * once more, down its potential. */
static tribo_status mind_energy(projective *p, const projective_start *start,
                                projective_report *report, tribo_error *err) {
  finish_contacts(p);
  report->made = projective_guard_hold(p, start);
  if (report->made.joules == 0) return TRIBO_OK;
  if (report->made.again) {
    TRY(projective_descent_run(p, err));
    bool lost = projective_guard_hold(p, start).again;
    report->tangled = lost && p->passing.starts_tangled;
  }
  finish_contacts(p);
  return TRIBO_OK;
}

/* What is stopped is stretched, and may have more energy than before. A shorter part of the same
 * way passes nothing that rests either; but what moves has the last word. */
static tribo_status let_nothing_pass(projective *p, const projective_start *start,
                                     projective_report *report, tribo_error *err) {
  TRY(projective_passing_stop(&p->passing, p->start, start->v, p->contacts, p->set.count, p->v,
                              &report->passing, err));
  bool held = report->passing.stopped > 0 && projective_guard_hold(p, start).joules > 0;
  if (held && skins_move(&p->skins))
    TRY(projective_passing_stop(&p->passing, p->start, start->v, p->contacts, p->set.count, p->v,
                                &report->passing, err));
  report->tangled |= report->passing.passed > 0;
  finish_contacts(p);
  return TRIBO_OK;
}

tribo_status projective_solve(projective *p, const projective_start *start, vec3 *x,
                              projective_report *report, tribo_error *err) {
  *report = (projective_report){0};
  double began = clock_seconds();
  begin(p, start);
  TRY(detect(p, start, err));
  report->detect_seconds = clock_seconds() - began;
  TRY(run(p, start, report, err));
  TRY(mind_energy(p, start, report, err));
  TRY(let_nothing_pass(p, start, report, err));
  measure(p, report);
  commit(p, x, report);
  return TRIBO_OK;
}

const double *projective_elastic(projective *p, const vec3 *x) {
  const model *m = p->model;
  const int32_t *body = p->layers.finder.body;
  memset(p->elastic, 0, m->body_count * sizeof *p->elastic);
  for (int32_t i = 0; i < m->node_count; i++) p->x[i] = (vec4){{x[i].x, x[i].y, x[i].z, 0}};
  projective_cloth_energies(&p->cloth, p->x, body, p->elastic);
  projective_solid_energies(&p->solid, p->x, body, p->elastic);
  return p->elastic;
}

size_t projective_touches(const projective *p, touch *touches) {
  size_t count = 0;
  for (size_t i = 0; i < p->set.count; i++) {
    const contact_point *c = &p->set.contacts[i];
    if (c->allowed > 0 || c->side != 0) touches[count++] = (touch){.key = c->key, .side = c->side};
  }
  return count;
}
