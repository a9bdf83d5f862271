/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/carry.h"

enum { GRAIN = 4096 };

static vec3 turning(const model_rigid *r, const vec3 *x) {
  return vec3_scale(1 / r->length, x[r->node + 1]);
}

quat carry_turn(const model *m, const vec3 *x, const quat *turns, size_t rigid) {
  vec3 theta = turning(&m->rigids[rigid], x);
  return quat_normalized(quat_multiply(quat_exp(theta), turns[rigid]));
}

/* ---- all vertices -----------------------------------------------------------------------------
 */

/* A body's vertices as combinations of what its nodes hold: positions or velocities. */
typedef struct carry_job {
  const model_body *body;
  const vec3 *nodes;
  vec3 *out;  /* of the body's first vertex */
  mat3 frame; /* rigid: from the body's frame to the world */
  vec3 centre, spin;
} carry_job;

static void copy_nodes(void *context, size_t begin, size_t end) {
  const carry_job *job = context;
  for (size_t i = begin; i < end; i++) job->out[i] = job->nodes[(size_t)job->body->first_node + i];
}

static void embed(void *context, size_t begin, size_t end) {
  const carry_job *job = context;
  for (size_t i = begin; i < end; i++) {
    vec3 sum = {0, 0, 0};
    for (int k = 0; k < 4; k++)
      sum = vec3_madd(sum, job->body->weight[i][k], job->nodes[job->body->anchor[i][k]]);
    job->out[i] = sum;
  }
}

static void place_rigid(void *context, size_t begin, size_t end) {
  const carry_job *job = context;
  for (size_t i = begin; i < end; i++)
    job->out[i] = vec3_add(job->centre, mat3_mul_vec3(&job->frame, job->body->local[i]));
}

static void move_rigid(void *context, size_t begin, size_t end) {
  const carry_job *job = context;
  for (size_t i = begin; i < end; i++) {
    vec3 arm = mat3_mul_vec3(&job->frame, job->body->local[i]);
    job->out[i] = vec3_add(job->centre, vec3_cross(job->spin, arm));
  }
}

static void carry_body(const tasks *t, carry_job *job, tasks_body rigid) {
  tasks_body bodies[] = {
      [CARRY_NODES] = copy_nodes, [CARRY_EMBEDDED] = embed, [CARRY_RIGID] = rigid};
  tasks_for(t, (size_t)job->body->vertex_count, GRAIN, bodies[job->body->carriage], job);
}

void carry_positions(const model *m, const tasks *t, const vec3 *x, const quat *turns, vec3 *out) {
  for (size_t b = 0; b < m->body_count; b++) {
    const model_body *body = &m->bodies[b];
    carry_job job = {.body = body, .nodes = x, .out = out + body->first_vertex};
    if (body->carriage == CARRY_RIGID) {
      job.frame = quat_to_matrix(carry_turn(m, x, turns, (size_t)body->rigid));
      job.centre = x[m->rigids[body->rigid].node];
    }
    carry_body(t, &job, place_rigid);
  }
}

void carry_velocities(const model *m, const tasks *t, const vec3 *x, const quat *turns,
                      const vec3 *v, vec3 *out) {
  (void)x; /* every carriage is linear in it, or takes the turning as 0 */
  for (size_t b = 0; b < m->body_count; b++) {
    const model_body *body = &m->bodies[b];
    carry_job job = {.body = body, .nodes = v, .out = out + body->first_vertex};
    if (body->carriage == CARRY_RIGID) {
      const model_rigid *rigid = &m->rigids[body->rigid];
      job.frame = quat_to_matrix(turns[body->rigid]);
      job.centre = v[rigid->node];
      job.spin = turning(rigid, v);
    }
    carry_body(t, &job, move_rigid);
  }
}

/* ---- one point --------------------------------------------------------------------------------
 */

/* d(exp(theta) arm) = (J d theta) x arm, the arm turned already. */
static carry_row rigid_row(const model_rigid *r, const vec3 *x, vec3 at) {
  vec3 a = vec3_sub(at, x[r->node]);
  mat3 jacobian = quat_left_jacobian(turning(r, x));
  mat3 minus_cross = {{{0, a.z, -a.y}, {-a.z, 0, a.x}, {a.y, -a.x, 0}}};
  mat3 by_theta = mat3_mul(&minus_cross, &jacobian);
  carry_row row = {.count = 2, .node = {r->node, r->node + 1}};
  row.block[0] = mat3_identity();
  row.block[1] = mat3_scale(1 / r->length, &by_theta);
  return row;
}

carry_row carry_point(const model *m, const vec3 *x, const quat *turns, int32_t body,
                      int32_t vertex, vec3 at) {
  (void)turns; /* they are in `at` */
  const model_body *b = &m->bodies[body];
  if (b->carriage == CARRY_RIGID) return rigid_row(&m->rigids[b->rigid], x, at);
  mat3 one = mat3_identity();
  if (b->carriage == CARRY_NODES)
    return (carry_row){.count = 1, .node = {b->first_node + vertex}, .block = {one}};
  carry_row row = {.count = CARRY_ENTRIES};
  for (int k = 0; k < CARRY_ENTRIES; k++) {
    row.node[k] = b->anchor[vertex][k];
    row.block[k] = mat3_scale(b->weight[vertex][k], &one);
  }
  return row;
}
