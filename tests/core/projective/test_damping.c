/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/potential/rig.h"
#include "projective/projective_cloth.h"
#include "projective/projective_damping.h"
#include "projective/projective_solid.h"

static const double BETA = 0.02;

typedef enum body_kind { FLAT, BENT, BLOCK, KINDS } body_kind;

typedef struct body {
  rig *r;
  projective_cloth cloth;
  projective_solid solid;
  projective_damping d;
  vec3 *x, *v;
  vec4 *at, *force, *elastic;
  size_t nodes;
} body;

/* A flat sheet, a quarter of a tube, or a block; a model on its way. */
static body make_body(body_kind kind, double bend) {
  mesh shape = kind == BLOCK ? shape_block(3, 2, 2, 0.3, 0.2, 0.2) : shape_sheet(6, 5, 0.6, 0.5);
  for (size_t i = 0; kind == BENT && i < shape.vertex_count; i++) {
    double *p = shape.positions + 3 * i, angle = p[0] / 0.4;
    p[0] = 0.4 * sin(angle);
    p[2] = 0.4 * cos(angle);
  }
  tribo_object_def def = tribo_object_default(kind == BLOCK ? TRIBO_SOLID : TRIBO_CLOTH);
  def.cloth.stretch = 900;
  def.cloth.stretch_weft = 500;
  def.cloth.shear = 150;
  def.cloth.poisson = 0.2;
  def.cloth.bend = bend;
  def.cloth.damping_stiffness = def.solid.damping_stiffness = BETA;
  body b = {.r = rig_make(def, &shape, vec3_make(0, 0, 0), 0.01, 1)};
  b.nodes = (size_t)b.r->m.node_count;
  arena *a = &b.r->memory;
  tasks one = tasks_create(1);
  claim_ok(projective_cloth_create(&b.r->m, &one, a, &b.cloth, err));
  claim_ok(projective_solid_create(&b.r->m, &one, a, &b.solid, err));
  claim_ok(projective_damping_create(&b.r->m, &one, a, &b.d, err));
  b.x = ARENA_ARRAY(a, vec3, b.nodes);
  b.v = ARENA_ARRAY(a, vec3, b.nodes);
  b.at = ARENA_ARRAY(a, vec4, b.nodes);
  b.force = ARENA_ARRAY(a, vec4, b.nodes);
  b.elastic = ARENA_ARRAY(a, vec4, b.nodes);
  memcpy(b.x, b.r->m.rest, b.nodes * sizeof *b.x);
  return b;
}

static vec3 any(uint64_t *seed, double by) {
  double x = claim_between(seed, -by, by), y = claim_between(seed, -by, by);
  return vec3_make(x, y, claim_between(seed, -by, by));
}

static void shake(body *b, double by, uint64_t seed) {
  for (size_t i = 0; i < b->nodes; i++) {
    b->x[i] = vec3_add(b->r->m.rest[i], any(&seed, by));
    b->v[i] = any(&seed, 1);
  }
}

static void damp(body *b) {
  projective_damping_begin(&b->d, b->x);
  projective_damping_elements(&b->d, b->v);
  memset(b->force, 0, b->nodes * sizeof *b->force);
  projective_damping_add(&b->d, 0, b->nodes, b->force);
}

static vec3 force_on(const body *b, size_t i) { return vec3_from(b->force[i].at); }

static double size_of_forces(const body *b) {
  double most = 0;
  for (size_t i = 0; i < b->nodes; i++) most = fmax(most, vec3_norm(force_on(b, i)));
  return most;
}

/* Adds times the elastic forces at rest + by v. */
static void add_elastic(body *b, double by, double times) {
  vec4 forces[128];
  assert_true(b->nodes <= 128);
  for (size_t i = 0; i < b->nodes; i++) {
    vec3 x = vec3_madd(b->r->m.rest[i], by, b->v[i]);
    b->at[i] = (vec4){{x.x, x.y, x.z, 0}};
  }
  projective_cloth_elements(&b->cloth, b->at);
  projective_solid_elements(&b->solid, b->at);
  projective_cloth_forces(&b->cloth, b->at, 0, b->nodes, forces);
  projective_solid_add(&b->solid, 0, b->nodes, forces);
  for (size_t i = 0; i < b->nodes; i++)
    for (int c = 0; c < 3; c++) b->elastic[i].at[c] += times * forces[i].at[c];
}

/* A flat sheet is moved along its normal, and in its plane only where it hardly bends: its bending
 * energy is that of a constant matrix, which feels stretching a little. */
static void damping_at_rest__is_beta_times_the_stiffness(void **unused) {
  (void)unused;
  for (int k = 0; k < 3; k++) {
    body b = make_body(k == 2 ? BLOCK : FLAT, k == 1 ? 1e-9 : 0.05);
    shake(&b, 0, 5);
    for (size_t i = 0; k < 2 && i < b.nodes; i++)
      b.v[i] = k == 0 ? vec3_make(0, 0, b.v[i].z) : vec3_make(b.v[i].x, b.v[i].y, 0);
    damp(&b);
    double step = 1e-6, size = size_of_forces(&b);
    add_elastic(&b, step, 1 / (2 * step));
    add_elastic(&b, -step, -1 / (2 * step));
    assert_true(size > 1);
    for (size_t i = 0; i < b.nodes; i++) {
      vec3 wanted = vec3_scale(BETA, vec3_from(b.elastic[i].at));
      claim_near(vec3_norm(vec3_sub(force_on(&b, i), wanted)), 0, 1e-6 * size);
    }
    rig_free(b.r);
  }
}

static void damping__takes_energy_and_no_more_than_its_matrix(void **unused) {
  (void)unused;
  for (body_kind kind = 0; kind < KINDS; kind++) {
    body b = make_body(kind, 0.05);
    const bcsr_pattern *p = &b.r->m.pattern;
    double *k = calloc((size_t)bcsr_block_count(p), sizeof *k);
    projective_damping_matrix(&b.d, 1, k);
    for (uint64_t seed = 1; seed <= 40; seed++) {
      shake(&b, 0.05, 11 * seed);
      damp(&b);
      double taken = 0, bound = 0;
      for (size_t i = 0; i < b.nodes; i++) taken -= vec3_dot(b.v[i], force_on(&b, i));
      for (int32_t i = 0; i < p->rows; i++)
        for (int32_t e = p->row_start[i]; e < p->row_start[i + 1]; e++)
          bound += k[e] * vec3_dot(b.v[i], b.v[p->columns[e]]);
      assert_true(taken > 0);
      claim_below(taken, bound);
    }
    free(k);
    rig_free(b.r);
  }
}

/* However bent and stretched it is. */
static void what_moves_and_turns_as_a_whole__is_not_damped(void **unused) {
  (void)unused;
  for (body_kind kind = 0; kind < KINDS; kind++) {
    body b = make_body(kind, 0.05);
    shake(&b, 0.01, 3);
    damp(&b);
    double size = size_of_forces(&b);
    vec3 speed = {2, -1, 3}, spin = {0.5, 2, -1};
    for (size_t i = 0; i < b.nodes; i++) b.v[i] = vec3_add(speed, vec3_cross(spin, b.x[i]));
    damp(&b);
    claim_below(size_of_forces(&b), 1e-13 * size);
    rig_free(b.r);
  }
}

static void impulses_of_damping__sum_to_nothing(void **unused) {
  (void)unused;
  for (body_kind kind = 0; kind < KINDS; kind++) {
    body b = make_body(kind, 0.05);
    shake(&b, 0.02, 9);
    damp(&b);
    vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < b.nodes; i++) sum = vec3_add(sum, force_on(&b, i));
    claim_below(vec3_norm(sum), 1e-12 * size_of_forces(&b));
    rig_free(b.r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(damping_at_rest__is_beta_times_the_stiffness),
      cmocka_unit_test(damping__takes_energy_and_no_more_than_its_matrix),
      cmocka_unit_test(what_moves_and_turns_as_a_whole__is_not_damped),
      cmocka_unit_test(impulses_of_damping__sum_to_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
