/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "potential/objective.h"

#include "core/model/closed.h"
#include "forwarding/newton.h"
#include "kinds/build.h"
#include "model/kinematics.h"
#include "model/rigid.h"

/* A box that spins and a cloth of one triangle, pushed about. */
typedef struct lab {
  model model;
  arena memory;
  objective objective;
  quat turn;
} lab;

static const double H = 0.02;

static void open_lab(lab *l) {
  static const double corners[9] = {2, 0, 0, 3, 0, 0, 2, 1, 0};
  static const int32_t triangle[3] = {0, 1, 2};
  *l = (lab){0};
  closed *box = closed_box(0.1, 0.2, 0.4);
  tribo_object_def defs[2] = {tribo_object_default(TRIBO_CLOTH), closed_object(box, "box")};
  defs[0].name = "cloth";
  defs[0].positions = corners;
  defs[0].vertex_count = 3;
  defs[0].triangles = triangle;
  defs[0].triangle_count = 1;
  defs[0].cloth.damping_stiffness = 0.01;
  memcpy(defs[1].object.spin, (double[]){3, 7, -5}, sizeof defs[1].object.spin);
  tribo_world_params world = tribo_world_defaults();
  tribo_time_params time = tribo_time_defaults();
  claim_ok(model_build(defs, 2, &world, &time, &l->model, err));
  free(box);
  tasks t = tasks_create(1);
  claim_ok(objective_create(&l->model, &t, &l->memory, &l->objective, err));
  l->turn = quat_multiply(quat_exp(vec3_make(1, 2, 3)), l->model.rigids[0].turn);
  objective_begin(&l->objective, l->model.rest, l->model.start_velocity, &l->turn, H, H);
  for (int32_t i = 0; i < l->model.node_count; i++)
    l->objective.push[i] = vec3_make(0.1 * i, 2, -0.5 * i);
}

static void close_lab(lab *l) {
  arena_free(&l->memory);
  model_free(&l->model);
}

static void turning__is_predicted_as_free_rotation_in_metres(void **unused) {
  (void)unused;
  lab l;
  open_lab(&l);
  const model_rigid *r = &l.model.rigids[0];
  vec3 theta = rigid_free_rotation(r, l.turn, vec3_make(3, 7, -5), H);
  vec3 predicted = l.objective.predicted[r->node + 1];
  claim_below(vec3_norm(vec3_sub(predicted, vec3_scale(r->length, theta))), 1e-16);
  /* Its inertia has the mass on the mean, so that both nodes weigh alike. */
  const mat3 *m = &l.objective.turning[0];
  claim_near((m->m[0][0] + m->m[1][1] + m->m[2][2]) / 3, r->mass, 1e-12 * r->mass);
  close_lab(&l);
}

static void derivatives__agree_with_finite_differences(void **unused) {
  (void)unused;
  enum { N = 5 };
  static const double offsets[4] = {1, -1, 2, -2}, weights[4] = {8, -8, -1, 1}, step = 1e-4;
  lab l;
  open_lab(&l);
  assert_int_equal(l.model.node_count, N);
  uint64_t seed = 4;
  vec3 x[N], g[N], other[N];
  double scale, *coordinates = &x->x;
  for (int i = 0; i < N; i++) x[i] = l.objective.predicted[i];
  for (int i = 0; i < 3 * N; i++) coordinates[i] += claim_between(&seed, -0.02, 0.02);

  bcsr hessian = {&l.model.pattern,
                  ARENA_ARRAY(&l.memory, mat3, bcsr_block_count(&l.model.pattern))};
  objective_hessian(&l.objective, x, HESSIAN_EXACT, &hessian);
  objective_gradient(&l.objective, x, g, &scale);
  double steepest = objective_free_norm(&l.objective, g);
  for (int i = 0; i < 3 * N; i++) {
    double slope = 0, rates[3 * N] = {0}, kept = coordinates[i];
    for (int k = 0; k < 4; k++) {
      coordinates[i] = kept + offsets[k] * step;
      slope += weights[k] * objective_energy(&l.objective, x) / (12 * step);
      objective_gradient(&l.objective, x, other, &scale);
      for (int j = 0; j < 3 * N; j++) rates[j] += weights[k] * (&other->x)[j] / (12 * step);
    }
    coordinates[i] = kept;
    claim_near((&g->x)[i], slope, 1e-8 * steepest);
    for (int j = 0; j < 3 * N; j++) {
      int32_t block = bcsr_find(&l.model.pattern, j / 3, i / 3);
      double entry = block < 0 ? 0 : hessian.blocks[block].m[j % 3][i % 3];
      claim_near(entry, rates[j], 1e-7 * steepest);
    }
  }
  /* A rigid body's two nodes are coupled in the pattern, as contact will need. */
  assert_true(bcsr_find(&l.model.pattern, 3, 4) >= 0);
  close_lab(&l);
}

/* A force on one corner, through its row: the body's momentum and angular momentum change by just
 * the impulse and its torque. */
static void push_on_a_corner__changes_momentum_and_angular_momentum_by_its_impulse(void **unused) {
  (void)unused;
  enum { N = 5 };
  lab l;
  open_lab(&l);
  newton n;
  linsys_options linear = {.kind = LINSYS_CHOLMOD, .tasks = tasks_create(1)};
  claim_ok(newton_create(&l.objective, &linear, &l.memory, &n, err));
  const model_rigid *r = &l.model.rigids[0];
  vec3 force = {5, -3, 8}, x[N], at[11];
  tasks t = tasks_create(1);
  kinematics_positions(&l.model, &t, l.model.rest, &l.turn, at);
  int32_t node[4];
  mat3 block[4];
  kinematic_row row = {.node = node, .block = block};
  kinematics_row_of(&l.model, l.model.rest, 1, 6, at[3 + 6], &row);
  for (int i = 0; i < N; i++) l.objective.push[i] = vec3_make(0, 0, 0);
  for (int e = 0; e < row.count; e++)
    l.objective.push[row.node[e]] = mat3_tmul_vec3(&row.block[e], force);

  for (int i = 0; i < N; i++) x[i] = l.model.rest[i];
  constrained_report report;
  constrained_options options = {.tolerance = 1e-12, .iterations = 20};
  claim_ok(newton_minimize(&n, &options, NULL, x, &report, err));
  assert_int_equal(report.outcome, CONSTRAINED_CONVERGED);

  vec3 spin = vec3_scale(1 / r->length, l.model.start_velocity[r->node + 1]);
  vec3 before = rigid_momentum(r, l.turn, spin), centre = l.model.rest[r->node];
  quat turn = l.turn;
  rigid_turn(r, vec3_scale(1 / r->length, x[r->node + 1]),
             vec3_scale(1 / r->length, l.objective.predicted[r->node + 1]), H, &turn, &spin);
  vec3 torque = vec3_cross(vec3_sub(at[3 + 6], centre), force);
  vec3 wanted = vec3_madd(before, H, torque), found = rigid_momentum(r, turn, spin);
  claim_below(vec3_norm(vec3_sub(found, wanted)), 1e-10 * vec3_norm(before));

  vec3 v = vec3_scale(1 / H, vec3_sub(x[r->node], centre));
  vec3 falls = vec3_add(vec3_scale(r->mass, l.model.gravity), force);
  claim_below(vec3_norm(vec3_sub(vec3_scale(r->mass, v), vec3_scale(H, falls))), 1e-10 * r->mass);
  newton_free(&n);
  close_lab(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(turning__is_predicted_as_free_rotation_in_metres),
      cmocka_unit_test(derivatives__agree_with_finite_differences),
      cmocka_unit_test(push_on_a_corner__changes_momentum_and_angular_momentum_by_its_impulse),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
