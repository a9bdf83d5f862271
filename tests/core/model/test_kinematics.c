/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/kinematics.h"

#include "closed.h"
#include "model/rigid.h"

enum { NODES = 8, VERTICES = 3 + 2 + 8 };

/* A triangle of cloth, two vertices in a tet, and a box: one body of each row, by hand. The
 * cage's nodes are 3 to 5 and 2, shared with the cloth, for the test's sake. */
static const int32_t ANCHOR[2][4] = {{2, 3, 4, 5}, {5, 4, 3, 2}};
static const double WEIGHT[2][4] = {{0.25, 0.25, 0.25, 0.25}, {0.5, 0.2, 0.2, 0.1}};
static vec3 local[8];
static model_rigid rigid = {.body = 2, .node = 6, .mass = 2, .inertia = {1, 2, 2.5}, .length = 0.7};
static model_body bodies[3] = {
    {.vertex_count = 3, .node_count = 3, .kinematics = &kinematics_nodes},
    {.first_vertex = 3,
     .vertex_count = 2,
     .first_node = 3,
     .node_count = 3,
     .kinematics = &kinematics_embedded,
     .anchor = ANCHOR,
     .weight = WEIGHT},
    {.first_vertex = 5,
     .vertex_count = 8,
     .first_node = 6,
     .node_count = 2,
     .kinematics = &kinematics_rigid,
     .local = local}};

static double masses[NODES] = {1, 1, 1, 1, 1, 1, 2, 0};

static model make_model(void) {
  for (int i = 0; i < 8; i++) local[i] = vec3_make(i & 1 ? 1 : -1, i & 2 ? 2 : -2, i & 4 ? 3 : -3);
  return (model){.bodies = bodies,
                 .body_count = 3,
                 .node_count = NODES,
                 .vertex_count = VERTICES,
                 .mass = masses,
                 .rigids = &rigid,
                 .rigid_count = 1};
}

static void random_vectors(uint64_t *seed, vec3 *out) {
  for (int i = 0; i < 3 * NODES; i++) (&out->x)[i] = claim_between(seed, -1, 1);
}

static void positions__are_nodes_or_between_them_or_turned(void **unused) {
  (void)unused;
  model m = make_model();
  tasks t = tasks_create(1);
  uint64_t seed = 5;
  vec3 x[NODES], out[VERTICES];
  random_vectors(&seed, x);
  quat turn = quat_exp(vec3_make(0.3, -1, 2));
  kinematics_positions(&m, &t, x, &turn, out);
  assert_memory_equal(out, x, 3 * sizeof *x);
  for (int v = 0; v < 2; v++)
    for (int c = 0; c < 3; c++) {
      double sum = 0;
      for (int k = 0; k < 4; k++) sum += WEIGHT[v][k] * (&x[ANCHOR[v][k]].x)[c];
      claim_near((&out[3 + v].x)[c], sum, 1e-15);
    }
  /* theta is x[7] over the length 0.7. */
  quat turned = quat_multiply(quat_exp(vec3_scale(1 / 0.7, x[7])), turn);
  for (int v = 0; v < 8; v++) {
    vec3 wanted = vec3_add(x[6], quat_rotate(turned, local[v]));
    claim_below(vec3_max_abs(vec3_sub(out[5 + v], wanted)), 1e-14);
  }
  quat whole = kinematics_turn(&m, x, &turn, 0);
  claim_below(vec3_norm(quat_log(quat_multiply(whole, quat_conjugate(turned)))), 1e-15);
}

/* What a motion of all nodes does to the vertices, by differences of fourth order. */
static void rates(const model *m, const vec3 *x, const quat *turns, const vec3 *v, vec3 *out) {
  static const double offsets[4] = {1, -1, 2, -2}, weights[4] = {8, -8, -1, 1}, step = 1e-3;
  tasks t = tasks_create(1);
  memset(out, 0, VERTICES * sizeof *out);
  for (int k = 0; k < 4; k++) {
    vec3 moved[NODES], at[VERTICES];
    for (int i = 0; i < NODES; i++) moved[i] = vec3_madd(x[i], offsets[k] * step, v[i]);
    kinematics_positions(m, &t, moved, turns, at);
    for (int i = 0; i < VERTICES; i++) out[i] = vec3_madd(out[i], weights[k] / (12 * step), at[i]);
  }
}

static void velocities__are_the_rates_of_positions_at_the_start_of_a_step(void **unused) {
  (void)unused;
  model m = make_model();
  tasks t = tasks_create(1);
  uint64_t seed = 6;
  vec3 x[NODES], v[NODES], out[VERTICES], wanted[VERTICES];
  random_vectors(&seed, x);
  random_vectors(&seed, v);
  quat turn = quat_exp(vec3_make(0.3, -1, 2));
  x[7] = vec3_make(0, 0, 0);
  kinematics_velocities(&m, &t, x, &turn, v, out);
  rates(&m, x, &turn, v, wanted);
  for (int i = 0; i < VERTICES; i++) claim_below(vec3_max_abs(vec3_sub(out[i], wanted[i])), 1e-10);
}

static void points__move_as_their_rows_say_also_when_turned(void **unused) {
  (void)unused;
  model m = make_model();
  tasks t = tasks_create(1);
  uint64_t seed = 7;
  for (int trial = 0; trial < 20; trial++) {
    vec3 x[NODES], v[NODES], at[VERTICES], wanted[VERTICES];
    random_vectors(&seed, x);
    random_vectors(&seed, v);
    if (trial == 0) x[7] = vec3_make(0, 0, 0);
    quat turn = quat_exp(vec3_make(0.3, -1, claim_between(&seed, -2, 2)));
    kinematics_positions(&m, &t, x, &turn, at);
    rates(&m, x, &turn, v, wanted);
    for (int32_t b = 0; b < 3; b++)
      for (int32_t k = 0; k < bodies[b].vertex_count; k++) {
        int32_t vertex = bodies[b].first_vertex + k;
        int32_t node[4];
        mat3 block[4];
        kinematic_row row = {.node = node, .block = block};
        kinematics_row_of(&m, x, b, k, at[vertex], &row);
        assert_int_equal(row.count, b == 0 ? 1 : b == 1 ? 4 : 2);
        vec3 moved = {0, 0, 0};
        for (int e = 0; e < row.count; e++)
          moved = vec3_add(moved, mat3_mul_vec3(&row.block[e], v[row.node[e]]));
        claim_below(vec3_max_abs(vec3_sub(moved, wanted[vertex])), 1e-9);
      }
  }
}

/* A point of a rigid body that is no vertex: halfway between two of them moves halfway. */
static void any_point_of_a_rigid_body__moves_with_it(void **unused) {
  (void)unused;
  model m = make_model();
  tasks t = tasks_create(1);
  uint64_t seed = 8;
  vec3 x[NODES], v[NODES], at[VERTICES], wanted[VERTICES];
  random_vectors(&seed, x);
  random_vectors(&seed, v);
  quat turn = quat_identity();
  kinematics_positions(&m, &t, x, &turn, at);
  rates(&m, x, &turn, v, wanted);
  int32_t node[4];
  mat3 block[4];
  kinematic_row row = {.node = node, .block = block};
  kinematics_row_of(&m, x, 2, 0, vec3_scale(0.5, vec3_add(at[5], at[12])), &row);
  vec3 moved = {0, 0, 0};
  for (int e = 0; e < row.count; e++)
    moved = vec3_add(moved, mat3_mul_vec3(&row.block[e], v[row.node[e]]));
  vec3 middle = vec3_scale(0.5, vec3_add(wanted[5], wanted[12]));
  claim_below(vec3_max_abs(vec3_sub(moved, middle)), 1e-9);
}

/* A step of h that leads where free motion does leaves points with the velocity of their way, a
 * frame with its angular momentum, no turning to take along, and the orientation that the turning
 * made. */
static void commit__of_free_motion_keeps_angular_momentum(void **unused) {
  (void)unused;
  model m = make_model();
  model_body own[2] = {bodies[0], bodies[2]};
  m.bodies = own, m.body_count = 2;
  double h = 0.01;
  uint64_t seed = 9;
  vec3 x[NODES], v[NODES], y[NODES], start[NODES];
  random_vectors(&seed, x);
  random_vectors(&seed, v);
  x[7] = vec3_make(0, 0, 0);
  memcpy(start, x, sizeof x);
  quat turn = quat_exp(vec3_make(0.3, -1, 2)), turned;
  mat3 inertia;
  vec3 spin = vec3_scale(1 / rigid.length, v[7]);
  vec3 before = rigid_momentum(&rigid, turn, spin);
  kinematics_predict(&m, (kinematic_moment){x, v, &turn}, &(kinematic_prediction){h, y, &inertia});
  claim_near(mat3_mul_vec3(&inertia, vec3_make(1, 0, 0)).x * rigid.length * rigid.length,
             rigid_inertia(&rigid, turn).m[0][0], 1e-12);
  turned = kinematics_turn(&m, y, &turn, 0);
  double kinetic = kinematics_kinetic(&m, &own[1], v, &turn);
  kinematics_commit(&m, &(kinematic_commit){y, y, h, x, v, &turn});
  for (int i = 0; i < NODES; i++) {
    if (i > 2 && i < 6) continue; /* of no body here */
    bool frame = i == 7;
    vec3 way = vec3_scale(1 / h, vec3_sub(y[i], start[i]));
    claim_below(vec3_max_abs(vec3_sub(x[i], frame ? vec3_make(0, 0, 0) : y[i])), 1e-15);
    if (!frame) claim_below(vec3_max_abs(vec3_sub(v[i], way)), 1e-12);
  }
  claim_below(vec3_norm(quat_log(quat_multiply(turn, quat_conjugate(turned)))), 1e-12);
  spin = vec3_scale(1 / rigid.length, v[7]);
  vec3 after = rigid_momentum(&rigid, turn, spin);
  claim_below(vec3_max_abs(vec3_sub(after, before)), 1e-12);
  claim_near(kinematics_kinetic(&m, &own[1], v, &turn), kinetic, 1e-4 * kinetic);
}

/* A vertex is held when all that it hangs on is. */
static void vertices__are_held_by_all_their_nodes(void **unused) {
  (void)unused;
  model m = make_model();
  int32_t rows[NODES] = {-1, 0, -1, -1, -1, -1, -1, 1};
  m.row_of_node = rows;
  assert_true(kinematics_is_held(&m, 0, 0));
  assert_false(kinematics_is_held(&m, 0, 1));
  assert_true(kinematics_is_held(&m, 1, 0));
  rows[5] = 2;
  assert_false(kinematics_is_held(&m, 1, 0));
  assert_false(kinematics_is_held(&m, 2, 3));
  assert_int_equal(kinematics_most_entries(&m), 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(positions__are_nodes_or_between_them_or_turned),
      cmocka_unit_test(velocities__are_the_rates_of_positions_at_the_start_of_a_step),
      cmocka_unit_test(points__move_as_their_rows_say_also_when_turned),
      cmocka_unit_test(any_point_of_a_rigid_body__moves_with_it),
      cmocka_unit_test(commit__of_free_motion_keeps_angular_momentum),
      cmocka_unit_test(vertices__are_held_by_all_their_nodes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
