/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "potential/objective.h"

#include <string.h>

#include "model/kinematics.h"

tribo_status objective_create(const model *m, const tasks *t, arena *memory, objective *out,
                              tribo_error *err) {
  size_t vertices = (size_t)m->node_count;
  *out = (objective){
      .model = m,
      .tasks = *t,
      .start = ARENA_ARRAY(memory, vec3, vertices),
      .predicted = ARENA_ARRAY(memory, vec3, vertices),
      .push = ARENA_ARRAY(memory, vec3, vertices),
      .turning = ARENA_ARRAY(memory, mat3, m->rigid_count),
      .inertia = ARENA_ARRAY(memory, vec3, vertices),
      .damping = {.pattern = &m->pattern},
      .energies = ARENA_ARRAY(memory, double, m->largest_set),
      .moved = ARENA_ARRAY(memory, vec3, vertices),
      .drawn = ARENA_ARRAY(memory, vec3, vertices),
  };
  if (m->damped) out->damping.blocks = ARENA_ARRAY(memory, mat3, bcsr_block_count(&m->pattern));
  bool whole = out->start && out->predicted && out->push && out->turning && out->inertia &&
               out->energies && out->moved && out->drawn && (!m->damped || out->damping.blocks);
  if (!whole) return status_no_memory(err, "a step's work space");
  return forces_create(m, memory, &out->forces, err);
}

static void clear(bcsr *a) {
  memset(a->blocks, 0, (size_t)bcsr_block_count(a->pattern) * sizeof *a->blocks);
}

void objective_begin(objective *o, const vec3 *x0, const vec3 *v0, const quat *turns, double h,
                     double end_seconds) {
  const model *m = o->model;
  o->h = h;
  for (int32_t i = 0; i < m->node_count; i++) {
    o->start[i] = x0[i];
    o->push[i] = vec3_make(0, 0, 0);
  }
  kinematics_predict(m, (kinematic_moment){x0, v0, turns},
                     &(kinematic_prediction){h, o->predicted, o->turning});
  forces_prepare(&o->forces,
                 &(force_step){.x0 = x0, .v0 = v0, .h = h, .end = end_seconds, .tasks = &o->tasks});
  if (!o->damping.blocks) return;
  clear(&o->damping);
  for (size_t k = 0; k < m->elastic_count; k++)
    if (m->elastics[k].damping_stiffness > 0)
      elements_hessian(&m->elastics[k].term, &o->tasks, x0, HESSIAN_PROJECTED,
                       m->elastics[k].damping_stiffness, &o->damping);
}

/* moved = x - x0, drawn = D moved; returns moved . drawn */
static double draw(objective *o, const vec3 *x) {
  size_t vertices = (size_t)o->model->node_count;
  for (size_t i = 0; i < vertices; i++) o->moved[i] = vec3_sub(x[i], o->start[i]);
  bcsr_multiply(&o->damping, &o->tasks, o->moved, o->drawn);
  return tasks_dot(&o->tasks, &o->moved->x, &o->drawn->x, 3 * vertices);
}

/* M_r (x_r - y_r) of frame k */
static vec3 lag(const objective *o, const vec3 *x, size_t k) {
  int32_t i = kinematics_frame(o->model, k);
  return mat3_mul_vec3(&o->turning[k], vec3_sub(x[i], o->predicted[i]));
}

double objective_energy(objective *o, const vec3 *x) {
  const model *m = o->model;
  double h = o->h, inertia = 0, damping = 0, pushed = 0;
  for (int32_t i = 0; i < m->node_count; i++) {
    inertia += m->mass[i] * vec3_norm2(vec3_sub(x[i], o->predicted[i]));
    vec3 moved = vec3_sub(x[i], o->start[i]);
    damping += m->mass_damping[i] * vec3_norm2(moved);
    pushed += vec3_dot(o->push[i], moved);
  }
  for (size_t k = 0; k < m->rigid_count; k++) {
    int32_t i = kinematics_frame(m, k);
    inertia += vec3_dot(lag(o, x, k), vec3_sub(x[i], o->predicted[i]));
  }
  double total = inertia / (2 * h * h) + damping / (2 * h) - pushed;
  for (size_t k = 0; k < m->elastic_count; k++)
    total += elements_energy(&m->elastics[k].term, &o->tasks, x, o->energies);
  for (size_t k = 0; k < forces_term_count(m); k++) {
    energy_term term = forces_term(&o->forces, k);
    total += elements_energy(&term, &o->tasks, x, o->energies);
  }
  if (o->damping.blocks) total += draw(o, x) / (2 * h);
  return total;
}

double objective_free_norm(const objective *o, const vec3 *g) {
  const model *m = o->model;
  double sum = 0;
  for (int32_t row = 0; row < m->row_count; row++) sum += vec3_norm2(g[m->node_of_row[row]]);
  return sqrt(sum);
}

/* Of node i at the start: what pulls besides inertia and weight. */
static vec3 pull_besides(const objective *o, const vec3 *pull, int32_t i) {
  vec3 flight = vec3_sub(o->predicted[i], o->start[i]);
  return vec3_madd(pull[i], -o->model->mass[i] / (o->h * o->h), flight);
}

void objective_go_on(const objective *o, const vec3 *pull, vec3 *x) {
  const model *m = o->model;
  double h2 = o->h * o->h;
  for (size_t b = 0; b < m->body_count; b++) {
    const model_body *body = &m->bodies[b];
    int32_t first = body->first_node, end = first + kinematics_point_count(body);
    vec3 sum = {0, 0, 0};
    double mass = 0;
    for (int32_t i = first; i < end; i++) {
      if (m->row_of_node[i] < 0) continue;
      sum = vec3_add(sum, pull_besides(o, pull, i));
      mass += m->mass[i];
    }
    for (int32_t i = first; i < end; i++)
      if (m->row_of_node[i] >= 0 && mass > 0) x[i] = vec3_madd(o->predicted[i], h2 / mass, sum);
    int32_t frames = first + body->node_count - body->kinematics->frames;
    for (int32_t i = end; i < frames; i++) /* directors */
      if (m->row_of_node[i] >= 0) x[i] = o->start[i];
  }
  for (size_t k = 0; k < m->rigid_count; k++) {
    int32_t i = kinematics_frame(m, k);
    if (m->row_of_node[i] < 0) continue;
    mat3 inverse = mat3_inverse(&o->turning[k]);
    x[i] = vec3_madd(o->start[i], h2, mat3_mul_vec3(&inverse, pull[i]));
  }
}

void objective_gradient(objective *o, const vec3 *x, vec3 *g, double *scale) {
  const model *m = o->model;
  size_t vertices = (size_t)m->node_count;
  double h = o->h;

  memset(g, 0, vertices * sizeof *g);
  for (size_t k = 0; k < m->elastic_count; k++)
    elements_gradient(&m->elastics[k].term, &o->tasks, x, g);
  double elastic = objective_free_norm(o, g);

  /* At the minimum inertia balances all the rest, so it and the elastic forces set the scale;
   * gravity too, for a body that falls freely and has nothing else. */
  double weight = 0;
  for (size_t i = 0; i < vertices; i++)
    o->inertia[i] = vec3_scale(m->mass[i] / (h * h), vec3_sub(x[i], o->predicted[i]));
  for (size_t k = 0; k < m->rigid_count; k++)
    o->inertia[kinematics_frame(m, k)] = vec3_scale(1 / (h * h), lag(o, x, k));
  for (size_t i = 0; i < vertices; i++) {
    g[i] = vec3_sub(vec3_add(g[i], o->inertia[i]), o->push[i]);
    g[i] = vec3_madd(g[i], m->mass_damping[i] / h, vec3_sub(x[i], o->start[i]));
    weight += m->mass[i] * m->mass[i];
  }
  weight = sqrt(weight) * vec3_norm(m->gravity);
  *scale = fmax(fmax(elastic, objective_free_norm(o, o->inertia)), weight);

  for (size_t k = 0; k < forces_term_count(m); k++) {
    energy_term term = forces_term(&o->forces, k);
    elements_gradient(&term, &o->tasks, x, g);
  }
  if (o->damping.blocks) {
    draw(o, x);
    for (size_t i = 0; i < vertices; i++) g[i] = vec3_madd(g[i], 1 / h, o->drawn[i]);
  }
}

void objective_hessian(objective *o, const vec3 *x, hessian_kind kind, bcsr *out) {
  const model *m = o->model;
  double h = o->h;
  if (o->damping.blocks) {
    const double *from = &o->damping.blocks->m[0][0];
    double *to = &out->blocks->m[0][0];
    size_t count = 9 * (size_t)bcsr_block_count(&m->pattern);
    for (size_t k = 0; k < count; k++) to[k] = from[k] / h;
  } else {
    clear(out);
  }
  for (int32_t i = 0; i < m->node_count; i++) {
    mat3 *diagonal = &out->blocks[m->pattern.diagonal[i]];
    for (int c = 0; c < 3; c++) diagonal->m[c][c] += m->mass[i] / (h * h) + m->mass_damping[i] / h;
  }
  for (size_t k = 0; k < m->rigid_count; k++) {
    mat3 *diagonal = &out->blocks[m->pattern.diagonal[kinematics_frame(m, k)]];
    mat3 turning = mat3_scale(1 / (h * h), &o->turning[k]);
    *diagonal = mat3_add(diagonal, &turning);
  }
  for (size_t k = 0; k < m->elastic_count; k++)
    elements_hessian(&m->elastics[k].term, &o->tasks, x, kind, 1, out);
  for (size_t k = 0; k < forces_term_count(m); k++) {
    energy_term term = forces_term(&o->forces, k);
    elements_hessian(&term, &o->tasks, x, kind, 1, out);
  }
}
