/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/potential/rig.h"
#include "projective/projective_cloth.h"

typedef struct sheet {
  rig *r;
  projective_cloth c;
  vec4 *x;
  size_t nodes;
} sheet;

/* A sheet that is flat, or bent to a quarter of a tube, at rest. */
static sheet make_sheet(bool bent, double poisson, double bend) {
  mesh shape = shape_sheet(6, 5, 0.6, 0.5);
  for (size_t i = 0; bent && i < shape.vertex_count; i++) {
    double *p = shape.positions + 3 * i, angle = p[0] / 0.4;
    p[0] = 0.4 * sin(angle);
    p[2] = 0.4 * cos(angle);
  }
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.cloth.stretch = 900;
  def.cloth.stretch_weft = 500;
  def.cloth.shear = 150;
  def.cloth.poisson = poisson;
  def.cloth.bend = bend;
  sheet s = {.r = rig_make(def, &shape, vec3_make(0, 0, 0), 0.01, 1)};
  s.nodes = (size_t)s.r->m.node_count;
  tasks one = tasks_create(1);
  claim_ok(projective_cloth_create(&s.r->m, &one, &s.r->memory, &s.c, err));
  s.x = ARENA_ARRAY(&s.r->memory, vec4, s.nodes);
  return s;
}

static void shake(sheet *s, double by, uint64_t seed) {
  for (size_t i = 0; i < s->nodes; i++) {
    const vec3 *rest = &s->r->m.rest[i];
    for (int k = 0; k < 3; k++) s->x[i].at[k] = (&rest->x)[k] + claim_between(&seed, -by, by);
  }
}

static void free_sheet(sheet *s) { rig_free(s->r); }

/* What its elements make of node i. */
static vec3 force_on(const sheet *s, size_t i) {
  vec4 force;
  projective_cloth_forces(&s->c, s->x, i, i + 1, &force);
  return vec3_from(force.at);
}

static void forces__are_the_negative_gradient_of_the_energy(void **unused) {
  (void)unused;
  for (int bent = 0; bent < 2; bent++) {
    sheet s = make_sheet(bent, 0.2, 0.05);
    shake(&s, bent ? 0.003 : 0.02, 3); /* no hinge is bent to the wrong side */
    projective_cloth_elements(&s.c, s.x);
    double step = 1e-6, size = 0;
    for (size_t i = 0; i < s.nodes; i++) size = fmax(size, vec3_norm(force_on(&s, i)));
    for (size_t i = 0; i < s.nodes; i++)
      for (int k = 0; k < 3; k++) {
        vec3 on = force_on(&s, i);
        double at = s.x[i].at[k], force = k == 0 ? on.x : k == 1 ? on.y : on.z;
        s.x[i].at[k] = at + step;
        double more = projective_cloth_energy(&s.c, s.x);
        s.x[i].at[k] = at - step;
        double less = projective_cloth_energy(&s.c, s.x);
        s.x[i].at[k] = at;
        claim_near(force, (less - more) / (2 * step), 1e-6 * size);
      }
    free_sheet(&s);
  }
}

/* The energy of the model itself at the same positions. */
static double model_energy(const sheet *s) {
  for (size_t i = 0; i < s->nodes; i++) s->r->x[i] = vec3_from(s->x[i].at);
  double sum = 0;
  for (size_t k = 0; k < s->r->m.elastic_count; k++)
    sum += elements_energy(&s->r->m.elastics[k].term, &s->r->o.tasks, s->r->x, s->r->o.energies);
  return sum;
}

/* They differ by the third order: with a tenth of the strain, by a tenth of the share. */
static void stretch_energy__is_that_of_the_material_at_small_strain(void **unused) {
  (void)unused;
  for (int bent = 0; bent < 2; bent++) {
    sheet s = make_sheet(bent, 0.2, 0);
    double share[2];
    for (int k = 0; k < 2; k++) {
      shake(&s, k ? 1e-5 : 1e-4, 4);
      double wanted = model_energy(&s);
      share[k] = fabs(projective_cloth_energy(&s.c, s.x) / wanted - 1);
    }
    claim_below(share[0], 0.01);
    claim_below(share[1], 0.2 * share[0]);
    free_sheet(&s);
  }
}

/* From flat to a tube and back, about the y axis: every hinge turns by theta or not at all, except
 * for diagonals, which turn by less. The chord 2 sin(theta/2) stands for theta. On the tube the
 * triangles are chords too, narrower than flat by the same factor; t1 and t2 are of unit length at
 * rest, so that what was flat feels it. */
static void bending_energy__is_that_of_the_hinges_by_the_chord_of_their_angle(void **unused) {
  (void)unused;
  for (int bent = 0; bent < 2; bent++) {
    sheet s = make_sheet(bent, 0, 1e3); /* stretch, of some thousandths, counts for nothing */
    sheet to = make_sheet(!bent, 0, 1e3);
    for (size_t i = 0; i < s.nodes; i++) {
      vec3 x = to.r->m.rest[i];
      s.x[i] = (vec4){{x.x, x.y, x.z, 0}};
    }
    double theta = 0.1 / 0.4, chord = 2 * sin(theta / 2) / theta;
    double narrowed = bent ? 1 : chord;
    claim_near(projective_cloth_energy(&s.c, s.x) / model_energy(&s), pow(chord * narrowed, 2),
               0.001);
    free_sheet(&s);
    free_sheet(&to);
  }
}

/* E(x + d) <= E(x) - f . d + d . K d / 2: every iteration without contact goes down. */
static void matrix__bounds_the_energy_from_above(void **unused) {
  (void)unused;
  sheet s = make_sheet(false, 0.2, 0.05);
  const bcsr_pattern *p = &s.r->m.pattern;
  double *k = calloc((size_t)bcsr_block_count(p), sizeof *k);
  projective_cloth_matrix(&s.c, 1, k);
  for (uint64_t seed = 1; seed <= 40; seed++) {
    uint64_t state = seed * 77;
    shake(&s, 0.03, seed * 13);
    vec4 *from = calloc(s.nodes, sizeof *from);
    vec3 *d = calloc(s.nodes, sizeof *d);
    memcpy(from, s.x, s.nodes * sizeof *from);
    projective_cloth_elements(&s.c, s.x);
    double before = projective_cloth_energy(&s.c, s.x), bound = before;
    double size = pow(10, claim_between(&state, -4, -1.3));
    for (size_t i = 0; i < s.nodes; i++) {
      d[i] = vec3_make(claim_between(&state, -size, size), claim_between(&state, -size, size),
                       claim_between(&state, -size, size));
      bound -= vec3_dot(d[i], force_on(&s, i));
    }
    for (int32_t i = 0; i < p->rows; i++)
      for (int32_t e = p->row_start[i]; e < p->row_start[i + 1]; e++)
        bound += 0.5 * k[e] * vec3_dot(d[i], d[p->columns[e]]);
    for (size_t i = 0; i < s.nodes; i++)
      for (int c = 0; c < 3; c++) s.x[i].at[c] = from[i].at[c] + (&d[i].x)[c];
    claim_below(projective_cloth_energy(&s.c, s.x), bound + 1e-12 * fabs(bound));
    free(from);
    free(d);
  }
  free(k);
  free_sheet(&s);
}

/* Neither pushes nor turns as a whole, however bent. */
static void forces__sum_to_nothing_and_have_no_torque(void **unused) {
  (void)unused;
  for (int bent = 0; bent < 2; bent++) {
    sheet s = make_sheet(bent, 0.2, 0.05);
    shake(&s, bent ? 0.003 : 0.02, 8);
    projective_cloth_elements(&s.c, s.x);
    vec3 sum = {0, 0, 0}, torque = {0, 0, 0};
    double size = 0;
    for (size_t i = 0; i < s.nodes; i++) {
      vec3 f = force_on(&s, i);
      sum = vec3_add(sum, f);
      torque = vec3_add(torque, vec3_cross(vec3_from(s.x[i].at), f));
      size += vec3_norm(f);
    }
    claim_below(vec3_norm(sum), 1e-12 * size);
    claim_below(vec3_norm(torque), 1e-12 * size);
    free_sheet(&s);
  }
}

/* Triangles without area, and without any size at all. */
static void collapsed_sheet__has_finite_forces(void **unused) {
  (void)unused;
  for (int k = 0; k < 3; k++) {
    sheet s = make_sheet(k > 0, 0.2, 0.05);
    for (size_t i = 0; i < s.nodes; i++) {
      vec3 rest = s.r->m.rest[i];
      s.x[i] = (vec4){{k < 2 ? rest.x : 0, 0, 0, 0}};
    }
    projective_cloth_elements(&s.c, s.x);
    for (size_t i = 0; i < s.nodes; i++) assert_true(isfinite(vec3_norm(force_on(&s, i))));
    free_sheet(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forces__are_the_negative_gradient_of_the_energy),
      cmocka_unit_test(stretch_energy__is_that_of_the_material_at_small_strain),
      cmocka_unit_test(bending_energy__is_that_of_the_hinges_by_the_chord_of_their_angle),
      cmocka_unit_test(matrix__bounds_the_energy_from_above),
      cmocka_unit_test(forces__sum_to_nothing_and_have_no_torque),
      cmocka_unit_test(collapsed_sheet__has_finite_forces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
