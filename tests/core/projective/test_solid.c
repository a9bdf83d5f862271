/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/potential/rig.h"
#include "energy/solid.h"
#include "polar.h"
#include "projective/projective_solid.h"

typedef struct block {
  rig *r;
  projective_solid s;
  vec4 *x;
  size_t nodes;
} block;

static block make_block(double poisson) {
  mesh shape = shape_block(2, 2, 3, 0.2, 0.25, 0.4);
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.solid.young = 3000;
  def.solid.poisson = poisson;
  block b = {.r = rig_make(def, &shape, vec3_make(0, 0, 0), 0.01, 1)};
  b.nodes = (size_t)b.r->m.node_count;
  tasks one = tasks_create(1);
  claim_ok(projective_solid_create(&b.r->m, &one, &b.r->memory, &b.s, err));
  b.x = ARENA_ARRAY(&b.r->memory, vec4, b.nodes);
  return b;
}

static void free_block(block *b) { rig_free(b->r); }

/* What its tets make of node i. */
static vec3 force_on(const block *b, size_t i) {
  vec4 force = {{0, 0, 0, 0}};
  projective_solid_add(&b->s, i, i + 1, &force);
  return vec3_from(force.at);
}

/* Stretched along the axes, then every node moved by at most `by`. */
static void shake(block *b, vec3 stretch, double by, uint64_t seed) {
  for (size_t i = 0; i < b->nodes; i++) {
    const vec3 *rest = &b->r->m.rest[i];
    for (int k = 0; k < 3; k++)
      b->x[i].at[k] = (&stretch.x)[k] * (&rest->x)[k] + claim_between(&seed, -by, by);
  }
}

static const vec3 AS_IT_IS = {1, 1, 1};

/* The shapes that the three ways of computing a stress are for: regular ones, inverted ones, and
 * tets that are long and thin. */
static const struct {
  vec3 stretch;
  double by;
} shapes[] = {{{1, 1, 1}, 0.01},      {{1, 1, 1}, 0.1},      {{1, 1, -1}, 0.01},
              {{0.3, 0.3, 0.3}, 0.1}, {{4, 0.4, 0.4}, 0.01}, {{6, 0.3, 0.2}, 0.1},
              {{4.5, 4, -3.5}, 0.1},  {{1, 1, 0}, 1e-3}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* ---- forces -----------------------------------------------------------------------------------
 */

static void forces__are_the_negative_gradient_of_the_energy(void **unused) {
  (void)unused;
  block b = make_block(0.3);
  for (int shape = 0; shape < SHAPES; shape++) {
    shake(&b, shapes[shape].stretch, shapes[shape].by, 3);
    projective_solid_elements(&b.s, b.x);
    double step = 1e-7, size = 0;
    for (size_t i = 0; i < b.nodes; i++) size = fmax(size, vec3_norm(force_on(&b, i)));
    for (size_t i = 0; i < b.nodes; i++)
      for (int k = 0; k < 3; k++) {
        vec3 on = force_on(&b, i);
        double at = b.x[i].at[k], force = k == 0 ? on.x : k == 1 ? on.y : on.z;
        b.x[i].at[k] = at + step;
        double more = projective_solid_energy(&b.s, b.x);
        b.x[i].at[k] = at - step;
        double less = projective_solid_energy(&b.s, b.x);
        b.x[i].at[k] = at;
        claim_near(force, (less - more) / (2 * step), 2e-6 * size);
      }
  }
  free_block(&b);
}

static void forces__sum_to_nothing_and_have_no_torque(void **unused) {
  (void)unused;
  block b = make_block(0.3);
  for (int shape = 0; shape < SHAPES; shape++) {
    shake(&b, shapes[shape].stretch, shapes[shape].by, 8);
    projective_solid_elements(&b.s, b.x);
    vec3 sum = {0, 0, 0}, torque = {0, 0, 0};
    double size = 0;
    for (size_t i = 0; i < b.nodes; i++) {
      vec3 f = force_on(&b, i);
      sum = vec3_add(sum, f);
      torque = vec3_add(torque, vec3_cross(vec3_from(b.x[i].at), f));
      size += vec3_norm(f);
    }
    claim_below(vec3_norm(sum), 1e-12 * size);
    claim_below(vec3_norm(torque), 1e-12 * size);
  }
  free_block(&b);
}

/* As long as tets are neither flat nor very long, Newton's iteration and the singular values say
 * the same: the stress 2 mu (F - R) + lambda (tr S - 3) R, asked of the polar decomposition. */
static void forces__are_those_of_the_corotated_material(void **unused) {
  (void)unused;
  block b = make_block(0.3);
  const solid_element *elements = b.r->m.elastics[0].term.data;
  shake(&b, AS_IT_IS, 0.02, 5);
  projective_solid_elements(&b.s, b.x);
  for (size_t e = 0; e < b.s.count; e++) {
    const solid_element *of = &elements[e];
    vec3 at[4];
    for (int k = 0; k < 4; k++) at[k] = vec3_from(b.x[b.s.corner[k][e]].at);
    mat3 edges =
        mat3_from_columns(vec3_sub(at[1], at[0]), vec3_sub(at[2], at[0]), vec3_sub(at[3], at[0]));
    mat3 f = mat3_mul(&edges, &of->inverse_rest), r, s;
    polar_of(&f, &r, &s);
    double trace = s.m[0][0] + s.m[1][1] + s.m[2][2];
    mat3 on_f = mat3_scale(2 * of->mu, &f);
    mat3 on_r = mat3_scale(of->lambda * (trace - 3) - 2 * of->mu, &r);
    mat3 stress = mat3_add(&on_f, &on_r), forces = mat3_mul_t(&stress, &of->inverse_rest);
    for (int k = 0; k < 3; k++) {
      vec3 wanted = vec3_scale(-of->volume, mat3_column(&forces, k));
      vec3 found = vec3_from(b.s.force[4 * e + 1 + (size_t)k].at);
      claim_below(vec3_norm(vec3_sub(found, wanted)), 1e-13 * of->volume * of->mu * 100);
    }
  }
  free_block(&b);
}

/* ---- the material -----------------------------------------------------------------------------
 */

static double model_energy(const block *b) {
  for (size_t i = 0; i < b->nodes; i++) b->r->x[i] = vec3_from(b->x[i].at);
  return elements_energy(&b->r->m.elastics[0].term, &b->r->o.tasks, b->r->x, b->r->o.energies);
}

/* They differ by the third order: with a tenth of the strain, by a tenth of the share. */
static void energy__is_that_of_the_material_at_small_strain(void **unused) {
  (void)unused;
  const double poissons[] = {0, 0.3, 0.45};
  for (int p = 0; p < 3; p++) {
    block b = make_block(poissons[p]);
    double share[2];
    for (int k = 0; k < 2; k++) {
      shake(&b, AS_IT_IS, k ? 1e-5 : 1e-4, 4);
      share[k] = fabs(projective_solid_energy(&b.s, b.x) / model_energy(&b) - 1);
    }
    claim_below(share[0], 0.01);
    claim_below(share[1], 0.2 * share[0]);
    free_block(&b);
  }
}

/* E(x + d) <= E(x) - f . d + d . K d / 2 between any two shapes: every iteration without contact
 * goes down. */
static void matrix__bounds_the_energy_from_above(void **unused) {
  (void)unused;
  const double poissons[] = {0, 0.3, 0.49};
  for (int p = 0; p < 3; p++) {
    block b = make_block(poissons[p]);
    const bcsr_pattern *pattern = &b.r->m.pattern;
    double *k = calloc((size_t)bcsr_block_count(pattern), sizeof *k);
    vec4 *from = ARENA_ARRAY(&b.r->memory, vec4, b.nodes);
    vec3 *d = calloc(b.nodes, sizeof *d);
    projective_solid_matrix(&b.s, 1, k);
    for (uint64_t seed = 1; seed <= 80; seed++) {
      uint64_t state = seed * 77;
      size_t shape = seed % SHAPES;
      shake(&b, shapes[shape].stretch, shapes[shape].by, seed * 13);
      memcpy(from, b.x, b.nodes * sizeof *from);
      projective_solid_elements(&b.s, b.x);
      double bound = projective_solid_energy(&b.s, b.x);
      double size = pow(10, claim_between(&state, -4, 0));
      for (size_t i = 0; i < b.nodes; i++) {
        d[i] = vec3_make(claim_between(&state, -size, size), claim_between(&state, -size, size),
                         claim_between(&state, -size, size));
        bound -= vec3_dot(d[i], force_on(&b, i));
      }
      for (int32_t i = 0; i < pattern->rows; i++)
        for (int32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++)
          bound += 0.5 * k[e] * vec3_dot(d[i], d[pattern->columns[e]]);
      for (size_t i = 0; i < b.nodes; i++)
        for (int c = 0; c < 3; c++) b.x[i].at[c] = from[i].at[c] + (&d[i].x)[c];
      claim_below(projective_solid_energy(&b.s, b.x), bound + 1e-12 * fabs(bound));
    }
    free(k);
    free(d);
    free_block(&b);
  }
}

/* And is not larger than it must be: blown up as a whole, the two are equal at rest. */
static void matrix__is_the_hessian_of_what_grows_in_all_directions(void **unused) {
  (void)unused;
  block b = make_block(0.3);
  const bcsr_pattern *pattern = &b.r->m.pattern;
  double *k = calloc((size_t)bcsr_block_count(pattern), sizeof *k), bound = 0, by = 1e-4;
  projective_solid_matrix(&b.s, 1, k);
  for (int32_t i = 0; i < pattern->rows; i++)
    for (int32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++)
      bound += 0.5 * k[e] * by * by * vec3_dot(b.r->m.rest[i], b.r->m.rest[pattern->columns[e]]);
  shake(&b, vec3_make(1 + by, 1 + by, 1 + by), 0, 1);
  claim_near(projective_solid_energy(&b.s, b.x), bound, 1e-6 * bound);
  free(k);
  free_block(&b);
}

/* Nothing left of it, a plane, a line. */
static void collapsed_block__has_finite_forces(void **unused) {
  (void)unused;
  block b = make_block(0.3);
  const vec3 stretches[] = {{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {1e9, 1e-9, 1}, {-1, -1, -1}};
  for (int k = 0; k < 5; k++) {
    shake(&b, stretches[k], 0, 1);
    projective_solid_elements(&b.s, b.x);
    for (size_t i = 0; i < b.nodes; i++) assert_true(isfinite(vec3_norm(force_on(&b, i))));
  }
  free_block(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forces__are_the_negative_gradient_of_the_energy),
      cmocka_unit_test(forces__sum_to_nothing_and_have_no_torque),
      cmocka_unit_test(forces__are_those_of_the_corotated_material),
      cmocka_unit_test(energy__is_that_of_the_material_at_small_strain),
      cmocka_unit_test(matrix__bounds_the_energy_from_above),
      cmocka_unit_test(matrix__is_the_hessian_of_what_grows_in_all_directions),
      cmocka_unit_test(collapsed_block__has_finite_forces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
