/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/kinematics.h"

#include "model/rigid.h"

enum { GRAIN = 4096 };

/* ---- what all of them share ------------------------------------------------------------------ */

/* A body's vertices as combinations of what its nodes hold: positions or velocities. */
typedef struct vertex_job {
  const model_body *body;
  const vec3 *nodes;
  vec3 *out;  /* of the body's first vertex */
  mat3 frame; /* rigid: from the body's frame to the world */
  vec3 centre, spin;
} vertex_job;

static void each_vertex(const tasks *t, vertex_job *job, tasks_body work) {
  tasks_for(t, (size_t)job->body->vertex_count, GRAIN, work, job);
}

/* y = x + h v + h^2 g */
static void predict_points(const model *m, const model_body *body, kinematic_moment start,
                           const kinematic_prediction *out) {
  double h = out->h;
  int32_t end = body->first_node + kinematics_point_count(body);
  for (int32_t i = body->first_node; i < end; i++)
    out->y[i] = vec3_madd(vec3_madd(start.x[i], h, start.v[i]), h * h, m->gravity);
}

static void commit_points(const model *m, const model_body *body, const kinematic_commit *step) {
  (void)m;
  int32_t end = body->first_node + kinematics_point_count(body);
  for (int32_t i = body->first_node; i < end; i++) {
    step->v[i] = vec3_scale(1 / step->h, vec3_sub(step->end[i], step->x[i]));
    step->x[i] = step->end[i];
  }
}

/* A frame has no lumped mass. */
static double kinetic_of_points(const model *m, const model_body *body, const vec3 *v,
                                const quat *turns) {
  (void)turns;
  double sum = 0;
  for (int32_t i = body->first_node; i < body->first_node + body->node_count; i++)
    sum += m->mass[i] * vec3_norm2(v[i]) / 2;
  return sum;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void copy_nodes(void *context, size_t begin, size_t end) {
  const vertex_job *job = context;
  for (size_t i = begin; i < end; i++) job->out[i] = job->nodes[(size_t)job->body->first_node + i];
}

static void positions_of_nodes(const model *m, const tasks *t, const model_body *body,
                               kinematic_moment at, vec3 *out) {
  (void)m;
  each_vertex(t, &(vertex_job){.body = body, .nodes = at.x, .out = out}, copy_nodes);
}

static void velocities_of_nodes(const model *m, const tasks *t, const model_body *body,
                                kinematic_moment at, vec3 *out) {
  (void)m;
  each_vertex(t, &(vertex_job){.body = body, .nodes = at.v, .out = out}, copy_nodes);
}

static void row_of_node(const model *m, const model_body *body, const vec3 *x, int32_t vertex,
                        vec3 at, kinematic_row *out) {
  (void)m, (void)x, (void)at;
  out->count = 1;
  out->node[0] = body->first_node + vertex;
  out->block[0] = mat3_identity();
}

static bool is_held(const model *m, const model_body *body, int32_t vertex) {
  return m->row_of_node[body->first_node + vertex] < 0;
}

const kinematics kinematics_nodes = {.name = "nodes",
                                     .deforms = true,
                                     .by_vertex = true,
                                     .entries = 1,
                                     .positions = positions_of_nodes,
                                     .velocities = velocities_of_nodes,
                                     .row = row_of_node,
                                     .held = is_held,
                                     .predict = predict_points,
                                     .commit = commit_points,
                                     .kinetic = kinetic_of_points};

/* ---- rods ------------------------------------------------------------------------------------ */

/* Directors fly on; they are arrows, and have no weight. */
static void predict_rod(const model *m, const model_body *body, kinematic_moment start,
                        const kinematic_prediction *out) {
  predict_points(m, body, start, out);
  int32_t first = body->first_node;
  for (int32_t i = first + body->vertex_count; i < first + body->node_count; i++)
    out->y[i] = vec3_madd(start.x[i], out->h, start.v[i]);
}

static void commit_rod(const model *m, const model_body *body, const kinematic_commit *step) {
  commit_points(m, body, step);
  int32_t first = body->first_node;
  for (int32_t i = first + body->vertex_count; i < first + body->node_count; i++) {
    step->v[i] = vec3_scale(1 / step->h, vec3_sub(step->end[i], step->x[i]));
    step->x[i] = step->end[i];
  }
}

const kinematics kinematics_rod = {.name = "rod",
                                   .deforms = true,
                                   .by_vertex = true,
                                   .directors = true,
                                   .entries = 1,
                                   .positions = positions_of_nodes,
                                   .velocities = velocities_of_nodes,
                                   .row = row_of_node,
                                   .held = is_held,
                                   .predict = predict_rod,
                                   .commit = commit_rod,
                                   .kinetic = kinetic_of_points};

/* ---- embedded in tets ------------------------------------------------------------------------ */

static void embed(void *context, size_t begin, size_t end) {
  const vertex_job *job = context;
  for (size_t i = begin; i < end; i++) {
    vec3 sum = {0, 0, 0};
    for (int k = 0; k < 4; k++)
      sum = vec3_madd(sum, job->body->weight[i][k], job->nodes[job->body->anchor[i][k]]);
    job->out[i] = sum;
  }
}

static void positions_in_cage(const model *m, const tasks *t, const model_body *body,
                              kinematic_moment at, vec3 *out) {
  (void)m;
  each_vertex(t, &(vertex_job){.body = body, .nodes = at.x, .out = out}, embed);
}

static void velocities_in_cage(const model *m, const tasks *t, const model_body *body,
                               kinematic_moment at, vec3 *out) {
  (void)m;
  each_vertex(t, &(vertex_job){.body = body, .nodes = at.v, .out = out}, embed);
}

static void row_in_cage(const model *m, const model_body *body, const vec3 *x, int32_t vertex,
                        vec3 at, kinematic_row *out) {
  (void)m, (void)x, (void)at;
  mat3 one = mat3_identity();
  out->count = 4;
  for (int k = 0; k < 4; k++) {
    out->node[k] = body->anchor[vertex][k];
    out->block[k] = mat3_scale(body->weight[vertex][k], &one);
  }
}

static bool is_held_in_cage(const model *m, const model_body *body, int32_t vertex) {
  for (int k = 0; k < 4; k++)
    if (m->row_of_node[body->anchor[vertex][k]] >= 0) return false;
  return true;
}

const kinematics kinematics_embedded = {.name = "embedded",
                                        .deforms = true,
                                        .entries = 4,
                                        .positions = positions_in_cage,
                                        .velocities = velocities_in_cage,
                                        .row = row_in_cage,
                                        .held = is_held_in_cage,
                                        .predict = predict_points,
                                        .commit = commit_points,
                                        .kinetic = kinetic_of_points};

/* ---- rigid ----------------------------------------------------------------------------------- */

static vec3 turning(const model_rigid *r, const vec3 *x) {
  return vec3_scale(1 / r->length, x[r->node + 1]);
}

quat kinematics_turn(const model *m, const vec3 *x, const quat *turns, size_t k) {
  vec3 theta = turning(&m->rigids[k], x);
  return quat_normalized(quat_multiply(quat_exp(theta), turns[k]));
}

static void place_rigid(void *context, size_t begin, size_t end) {
  const vertex_job *job = context;
  for (size_t i = begin; i < end; i++)
    job->out[i] = vec3_add(job->centre, mat3_mul_vec3(&job->frame, job->body->local[i]));
}

static void move_rigid(void *context, size_t begin, size_t end) {
  const vertex_job *job = context;
  for (size_t i = begin; i < end; i++) {
    vec3 arm = mat3_mul_vec3(&job->frame, job->body->local[i]);
    job->out[i] = vec3_add(job->centre, vec3_cross(job->spin, arm));
  }
}

static void positions_of_rigid(const model *m, const tasks *t, const model_body *body,
                               kinematic_moment at, vec3 *out) {
  quat turn = kinematics_turn(m, at.x, at.turns, (size_t)body->rigid);
  vertex_job job = {.body = body,
                    .out = out,
                    .frame = quat_to_matrix(turn),
                    .centre = at.x[m->rigids[body->rigid].node]};
  each_vertex(t, &job, place_rigid);
}

static void velocities_of_rigid(const model *m, const tasks *t, const model_body *body,
                                kinematic_moment at, vec3 *out) {
  const model_rigid *rigid = &m->rigids[body->rigid];
  vertex_job job = {.body = body,
                    .out = out,
                    .frame = quat_to_matrix(at.turns[body->rigid]),
                    .centre = at.v[rigid->node],
                    .spin = turning(rigid, at.v)};
  each_vertex(t, &job, move_rigid);
}

/* d(exp(theta) arm) = (J d theta) x arm, the arm turned already. */
static void row_of_rigid(const model *m, const model_body *body, const vec3 *x, int32_t vertex,
                         vec3 at, kinematic_row *out) {
  (void)vertex;
  const model_rigid *r = &m->rigids[body->rigid];
  vec3 a = vec3_sub(at, x[r->node]);
  mat3 jacobian = quat_left_jacobian(turning(r, x));
  mat3 minus_cross = {{{0, a.z, -a.y}, {-a.z, 0, a.x}, {a.y, -a.x, 0}}};
  mat3 by_theta = mat3_mul(&minus_cross, &jacobian);
  out->count = 2;
  out->node[0] = r->node;
  out->node[1] = r->node + 1;
  out->block[0] = mat3_identity();
  out->block[1] = mat3_scale(1 / r->length, &by_theta);
}

static bool is_held_rigid(const model *m, const model_body *body, int32_t vertex) {
  (void)vertex;
  return m->row_of_node[body->first_node] < 0 && m->row_of_node[body->first_node + 1] < 0;
}

static size_t couple_rigid(const model_body *body, int32_t *pairs) {
  if (pairs) pairs[0] = body->first_node, pairs[1] = body->first_node + 1;
  return 1;
}

static void predict_rigid(const model *m, const model_body *body, kinematic_moment start,
                          const kinematic_prediction *out) {
  predict_points(m, body, start, out);
  int32_t k = body->rigid;
  const model_rigid *r = &m->rigids[k];
  vec3 theta = rigid_free_rotation(r, start.turns[k], turning(r, start.v), out->h);
  mat3 inertia = rigid_inertia(r, start.turns[k]);
  out->y[r->node + 1] = vec3_scale(r->length, theta);
  out->inertia[k] = mat3_scale(1 / (r->length * r->length), &inertia);
}

/* What the frame turned goes into its orientation, and is 0 again for the next step. */
static void commit_rigid(const model *m, const model_body *body, const kinematic_commit *step) {
  const model_rigid *r = &m->rigids[body->rigid];
  int32_t i = r->node + 1;
  vec3 spin = turning(r, step->v);
  rigid_turn(r, turning(r, step->end), turning(r, step->free_end), step->h,
             &step->turns[body->rigid], &spin);
  step->v[i] = vec3_scale(r->length, spin);
  step->x[i] = vec3_make(0, 0, 0);
  commit_points(m, body, step);
}

static double kinetic_of_rigid(const model *m, const model_body *body, const vec3 *v,
                               const quat *turns) {
  const model_rigid *r = &m->rigids[body->rigid];
  return kinetic_of_points(m, body, v, turns) +
         rigid_spin_energy(r, turns[body->rigid], turning(r, v));
}

const kinematics kinematics_rigid = {.name = "rigid",
                                     .frames = 1,
                                     .entries = 2,
                                     .positions = positions_of_rigid,
                                     .velocities = velocities_of_rigid,
                                     .row = row_of_rigid,
                                     .held = is_held_rigid,
                                     .couple = couple_rigid,
                                     .predict = predict_rigid,
                                     .commit = commit_rigid,
                                     .kinetic = kinetic_of_rigid};

/* ---- all bodies ------------------------------------------------------------------------------ */

void kinematics_positions(const model *m, const tasks *t, const vec3 *x, const quat *turns,
                          vec3 *out) {
  kinematic_moment at = {.x = x, .turns = turns};
  for (size_t b = 0; b < m->body_count; b++) {
    const model_body *body = &m->bodies[b];
    body->kinematics->positions(m, t, body, at, out + body->first_vertex);
  }
}

void kinematics_velocities(const model *m, const tasks *t, const vec3 *x, const quat *turns,
                           const vec3 *v, vec3 *out) {
  kinematic_moment at = {.x = x, .v = v, .turns = turns};
  for (size_t b = 0; b < m->body_count; b++) {
    const model_body *body = &m->bodies[b];
    body->kinematics->velocities(m, t, body, at, out + body->first_vertex);
  }
}

void kinematics_predict(const model *m, kinematic_moment start, const kinematic_prediction *out) {
  for (size_t b = 0; b < m->body_count; b++)
    m->bodies[b].kinematics->predict(m, &m->bodies[b], start, out);
}

void kinematics_commit(const model *m, const kinematic_commit *step) {
  for (size_t b = 0; b < m->body_count; b++)
    m->bodies[b].kinematics->commit(m, &m->bodies[b], step);
}

double kinematics_kinetic(const model *m, const model_body *body, const vec3 *v,
                          const quat *turns) {
  return body->kinematics->kinetic(m, body, v, turns);
}

/* ---- one point ------------------------------------------------------------------------------- */

size_t kinematics_entries(const model *m, int32_t body) {
  const model_body *b = &m->bodies[body];
  return (size_t)(b->kinematics->entries ? b->kinematics->entries : b->node_count);
}

size_t kinematics_most_entries(const model *m) {
  size_t most = 0;
  for (size_t b = 0; b < m->body_count; b++) {
    size_t own = kinematics_entries(m, (int32_t)b);
    if (own > most) most = own;
  }
  return most;
}

kinematic_row kinematics_row_make(size_t entries, arena *memory) {
  return (kinematic_row){.node = ARENA_ARRAY(memory, int32_t, entries),
                         .block = ARENA_ARRAY(memory, mat3, entries)};
}

void kinematics_row_of(const model *m, const vec3 *x, int32_t body, int32_t vertex, vec3 at,
                       kinematic_row *out) {
  const model_body *b = &m->bodies[body];
  b->kinematics->row(m, b, x, vertex, at, out);
}

bool kinematics_vertices_are_nodes(const model_body *body) {
  if (body->kinematics->by_vertex) return true;
  if (body->kinematics != &kinematics_embedded) return false;
  for (int32_t v = 0; v < body->vertex_count; v++)
    for (int a = 0; a < 4; a++)
      if (body->weight[v][a] != 0 && body->anchor[v][a] != body->first_node + v) return false;
  return true;
}

bool kinematics_is_held(const model *m, int32_t body, int32_t vertex) {
  const model_body *b = &m->bodies[body];
  return b->kinematics->held(m, b, vertex);
}

/* ---- frames ---------------------------------------------------------------------------------- */

int32_t kinematics_frame(const model *m, size_t k) { return m->rigids[k].node + 1; }

void kinematics_start_turns(const model *m, quat *turns) {
  for (size_t k = 0; k < m->rigid_count; k++) turns[k] = m->rigids[k].turn;
}

vec3 kinematics_turn_about(const model *m, int32_t body, int32_t node, vec3 axis) {
  if (body < 0 || m->bodies[body].kinematics->frames == 0) return vec3_make(0, 0, 0);
  const model_rigid *r = &m->rigids[m->bodies[body].rigid];
  return node == r->node + 1 ? vec3_scale(1 / r->length, axis) : vec3_make(0, 0, 0);
}
