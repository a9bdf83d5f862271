/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mls_shapes.h"

static const mls_transport TRANSPORTS[3] = {MLS_PARALLEL, MLS_PLAIN, MLS_RIGID};

typedef struct contact {
  shape mesh;
  mls_surface surface;
  mls_patch patch;
  mat3 *by_member, *by_vertex;
} contact;

static contact contact_at(const shape *mesh, vec3 q, mls_transport transport, arena *memory) {
  contact c = {.mesh = *mesh, .surface = mls_of(mesh, MLS_CUBIC, 0, memory)};
  double *spacing = ARENA_ARRAY(memory, double, c.surface.count);
  mls_spacing_of_mesh(&c.surface, spacing);
  claim_ok(mls_set_radii(spacing, MLS_SCALE, &c.surface, err));
  claim_ok(mls_patch_create(&c.surface, q, mls_everyone(c.surface.count, memory), c.surface.count,
                            memory, &c.patch, err));
  c.by_member = ARENA_ARRAY(memory, mat3, c.patch.count);
  c.by_vertex = ARENA_ARRAY(memory, mat3, c.patch.vertex_count);
  mls_patch_transport(&c.patch, transport, c.by_member);
  mls_transport_to_vertices(&c.patch, c.by_member, c.by_vertex);
  return c;
}

static void the_rotation__is_the_smallest_that_takes_one_normal_to_the_other(void **unused) {
  (void)unused;
  uint64_t seed = 21;
  for (int round = 0; round < 200; round++) {
    vec3 from = vec3_normalized(mls_random_vector(&seed, 1));
    vec3 to = vec3_normalized(mls_random_vector(&seed, 1));
    /* towards the half turn, and at it */
    if (round >= 100) to = vec3_normalized(vec3_madd(to, -pow(10, (round - 100) / 5.0), from));
    if (round == 199) to = vec3_scale(-1, from);
    mat3 q = mls_rotation(from, to), square = mat3_mul_t(&q, &q);
    for (int i = 0; i < 3; i++) square.m[i][i] -= 1;
    /* At an angle of pi - d the turn's axis is known to eps/d; below 1e-12 it is chosen. */
    double blur = 1e-14 + 1e-15 / fmax(vec3_norm(vec3_add(from, to)), 1e-12);
    claim_below(sqrt(mat3_frobenius2(&square)), 4 * blur);
    claim_near(mat3_det(&q), 1, 4 * blur);
    claim_below(vec3_norm(vec3_sub(mat3_mul_vec3(&q, from), to)), 4 * blur);
    /* The angle is that between the two: trace = 1 + 2 cos. */
    claim_near(q.m[0][0] + q.m[1][1] + q.m[2][2], 1 + 2 * vec3_dot(from, to), 4 * blur);
  }
}

/* With the gradient's own length instead of 1, the formula as printed gives no rotation: a half and
 * more of its length is missing in the potential of two samples that face away. */
static void the_gradient__has_not_length_one(void **unused) {
  (void)unused;
  arena memory = {0};
  vec3 points[2] = {{-0.3, 0, 0}, {0.3, 0, 0}}, normals[2] = {{-0.8, 0, 0.6}, {0.8, 0, 0.6}};
  mls_surface s;
  int32_t both[2] = {0, 1};
  claim_ok(mls_from_points(MLS_CUBIC, 0, points, normals, NULL, 2, &memory, &s, err));
  claim_ok(mls_set_radius(1, &s, err));
  mls_patch patch;
  claim_ok(mls_patch_create(&s, (vec3){0, 0, 0}, both, 2, &memory, &patch, err));
  claim_near(vec3_norm(patch.at.gradient), 0.6, 1e-15);
  mat3 blocks[2];
  mls_patch_transport(&patch, MLS_PARALLEL, blocks);
  for (int i = 0; i < 2; i++) {
    mat3 q = mat3_scale(2, &blocks[i]), square = mat3_mul_t(&q, &q);
    for (int k = 0; k < 3; k++) square.m[k][k] -= 1;
    claim_below(sqrt(mat3_frobenius2(&square)), 1e-14);
    claim_below(vec3_norm(vec3_sub(mat3_mul_vec3(&q, s.samples[i].normal), (vec3){0, 0, 1})),
                1e-14);
  }
  arena_free(&memory);
}

static void a_plane__moves_as_its_samples_do_with_all_transports(void **unused) {
  (void)unused;
  uint64_t seed = 22;
  arena memory = {0};
  shape sheet = mls_sheet(6, 0.3, 0, 0, &seed, &memory);
  vec3 v = mls_random_vector(&seed, 1), q = {0.05, -0.08, 0.1};
  for (int t = 0; t < 3; t++) {
    contact c = contact_at(&sheet, q, TRANSPORTS[t], &memory);
    vec3 *velocities = ARENA_ARRAY(&memory, vec3, sheet.vertex_count);
    for (size_t i = 0; i < sheet.vertex_count; i++) velocities[i] = v;
    vec3 seen =
        mls_transport_velocity(c.by_vertex, c.patch.vertices, c.patch.vertex_count, velocities);
    claim_below(vec3_max_abs(vec3_sub(seen, v)), 1e-14);
  }
  arena_free(&memory);
}

/* What a transport sees of a rigid motion, and what becomes of an impulse and its torque: the same
 * number, by duality. Returns the errors for a motion of size 1. */
typedef struct loss {
  double translation, rotation, linear, angular;
} loss;

static loss losses(const contact *c, uint64_t *seed, arena *memory) {
  vec3 v = vec3_normalized(mls_random_vector(seed, 1)), q = c->patch.query;
  vec3 spin = vec3_normalized(mls_random_vector(seed, 1));
  vec3 *push = ARENA_ARRAY(memory, vec3, c->mesh.vertex_count);
  vec3 *turn = ARENA_ARRAY(memory, vec3, c->mesh.vertex_count);
  for (size_t i = 0; i < c->mesh.vertex_count; i++) {
    push[i] = v;
    turn[i] = vec3_cross(spin, vec3_sub(c->mesh.vertices[i], q));
  }
  const mls_patch *p = &c->patch;
  vec3 pushed = mls_transport_velocity(c->by_vertex, p->vertices, p->vertex_count, push);
  vec3 turned = mls_transport_velocity(c->by_vertex, p->vertices, p->vertex_count, turn);
  vec3 linear = v, angular = {0, 0, 0}; /* of the impulse v at q, seen from q */
  for (size_t i = 0; i < p->vertex_count; i++) {
    vec3 impulse = mat3_tmul_vec3(&c->by_vertex[i], v);
    vec3 arm = vec3_sub(c->mesh.vertices[p->vertices[i]], q);
    linear = vec3_sub(linear, impulse);
    angular = vec3_add(angular, vec3_cross(arm, impulse));
  }
  return (loss){vec3_norm(vec3_sub(pushed, v)), vec3_norm(turned), vec3_norm(linear),
                vec3_norm(angular)};
}

/* The rotations of parallel transport do not average to the identity: what is left is of the order
 * of R times the curvature, as the gradient at x tilts from the mean normal by that much where the
 * samples do not lie evenly around x. So halving the triangles halves it. */
static void plain_and_rigid__conserve_what_they_promise_and_parallel_does_not(void **unused) {
  (void)unused;
  enum { QUERIES = 24 };
  uint64_t seed = 23;
  double before = 0;
  for (int n = 8; n <= 32; n *= 2) {
    arena memory = {0};
    shape sphere = mls_sphere(n, &memory);
    uint64_t where = 5;
    loss mean = {0, 0, 0, 0}, mean_plain = {0, 0, 0, 0};
    for (int i = 0; i < QUERIES; i++) {
      vec3 q = vec3_normalized(mls_random_vector(&where, 1));
      contact parallel = contact_at(&sphere, q, MLS_PARALLEL, &memory);
      contact plain = contact_at(&sphere, q, MLS_PLAIN, &memory);
      contact rigid = contact_at(&sphere, q, MLS_RIGID, &memory);
      loss a = losses(&parallel, &seed, &memory), b = losses(&plain, &seed, &memory);
      loss c = losses(&rigid, &seed, &memory);
      claim_below(b.translation, 1e-14);
      claim_below(b.linear, 1e-14);
      claim_below(c.translation, 1e-13);
      claim_below(c.rotation, 1e-13);
      claim_below(c.linear, 1e-13);
      claim_below(c.angular, 1e-13);
      mean.translation += a.translation / QUERIES;
      mean.linear += a.linear / QUERIES;
      mean_plain.angular += b.angular / QUERIES;
      mean_plain.rotation += b.rotation / QUERIES;
    }
    print_message(
        "sphere of %zu triangles, mean: parallel sees translations %.2e off and loses "
        "%.2e of an impulse; plain gives it a torque of %.2e radii\n",
        sphere.triangle_count, mean.translation, mean.linear, mean_plain.angular);
    claim_below(1e-4, mean.translation); /* it does show */
    claim_below(1e-4, mean_plain.angular);
    claim_below(1e-4, mean_plain.rotation);
    if (before > 0) claim_near(before / mean.linear, 2, 0.5);
    before = mean.linear;
    arena_free(&memory);
  }
}

/* What stays in the tangent plane of its sample arrives in the tangent plane at the contact. */
static void parallel__keeps_tangents_tangent_and_normals_normal(void **unused) {
  (void)unused;
  uint64_t seed = 24;
  arena memory = {0};
  shape sphere = mls_sphere(6, &memory);
  contact c = contact_at(&sphere, vec3_normalized((vec3){0.3, -0.5, 0.7}), MLS_PARALLEL, &memory);
  vec3 *velocities = ARENA_ARRAY(&memory, vec3, c.surface.count);
  vec3 normal = vec3_normalized(c.patch.at.gradient);
  for (size_t i = 0; i < c.surface.count; i++) velocities[i] = c.surface.samples[i].normal;
  vec3 seen = mls_transport_velocity(c.by_member, c.patch.samples, c.patch.count, velocities);
  claim_below(vec3_max_abs(vec3_sub(seen, normal)), 1e-14);
  for (size_t i = 0; i < c.surface.count; i++)
    velocities[i] = vec3_cross(c.surface.samples[i].normal, mls_random_vector(&seed, 1));
  seen = mls_transport_velocity(c.by_member, c.patch.samples, c.patch.count, velocities);
  claim_below(0.01, vec3_norm(seen));
  claim_near(vec3_dot(seen, normal), 0, 1e-15);
  arena_free(&memory);
}

static void degenerate_patches__have_the_outcome_that_is_written(void **unused) {
  (void)unused;
  arena memory = {0};
  vec3 points[3] = {{0, 0, 0}, {0.2, 0, 0}, {-0.2, 0, 0}};
  vec3 normals[3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
  int32_t all[3] = {0, 1, 2};
  mls_surface s;
  claim_ok(mls_from_points(MLS_CUBIC, 0, points, normals, NULL, 3, &memory, &s, err));
  claim_ok(mls_set_radius(1, &s, err));
  vec3 q = {0.05, 0.1, 0.1}, spin = {0.4, -0.3, 0.7}, v[3];
  for (int i = 0; i < 3; i++) v[i] = vec3_cross(spin, points[i]);
  mls_patch patch;
  mat3 blocks[3];

  /* On a line: the turning about the line is not seen, the rest is. */
  claim_ok(mls_patch_create(&s, q, all, 3, &memory, &patch, err));
  mls_patch_transport(&patch, MLS_RIGID, blocks);
  vec3 seen = mls_transport_velocity(blocks, patch.samples, 3, v);
  vec3 wanted = vec3_cross((vec3){0, spin.y, spin.z}, q);
  claim_below(vec3_max_abs(vec3_sub(seen, wanted)), 1e-14);

  /* One sample: plain. */
  claim_ok(mls_patch_create(&s, q, all + 1, 1, &memory, &patch, err));
  for (int t = 0; t < 3; t++) {
    mls_patch_transport(&patch, TRANSPORTS[t], blocks);
    for (int i = 0; i < 9; i++) claim_near(blocks[0].m[i / 3][i % 3], i % 4 == 0, 1e-15);
  }

  /* No sample: no velocity. */
  claim_ok(mls_patch_create(&s, (vec3){5, 0, 0}, all, 3, &memory, &patch, err));
  for (int t = 0; t < 3; t++) {
    mls_patch_transport(&patch, TRANSPORTS[t], blocks);
    seen = mls_transport_velocity(blocks, patch.samples, patch.count, v);
    assert_true(vec3_max_abs(seen) == 0);
  }

  /* Two samples that face each other have no gradient between them: no rotation. */
  vec3 facing[2] = {{0, 0, 1}, {0, 0, -1}}, ends[2] = {{0.2, 0, 0}, {-0.2, 0, 0}};
  claim_ok(mls_from_points(MLS_CUBIC, 0, ends, facing, NULL, 2, &memory, &s, err));
  claim_ok(mls_set_radius(1, &s, err));
  claim_ok(mls_patch_create(&s, (vec3){0, 0, 0}, all, 2, &memory, &patch, err));
  assert_true(vec3_max_abs(patch.at.gradient) == 0);
  mls_patch_transport(&patch, MLS_PARALLEL, blocks);
  for (int i = 0; i < 9; i++) claim_near(blocks[0].m[i / 3][i % 3], i % 4 == 0 ? 0.5 : 0, 1e-15);
  arena_free(&memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_rotation__is_the_smallest_that_takes_one_normal_to_the_other),
      cmocka_unit_test(the_gradient__has_not_length_one),
      cmocka_unit_test(a_plane__moves_as_its_samples_do_with_all_transports),
      cmocka_unit_test(plain_and_rigid__conserve_what_they_promise_and_parallel_does_not),
      cmocka_unit_test(parallel__keeps_tangents_tangent_and_normals_normal),
      cmocka_unit_test(degenerate_patches__have_the_outcome_that_is_written),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
