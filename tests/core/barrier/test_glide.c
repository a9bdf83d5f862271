/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contacts with a smooth surface in the method `barrier` (barrier/glide.h) against finite
 * differences, and against the round thing that a coarse mesh stands for.
 */
#include "barrier/contacts.h"
#include "claims.h"
#include "scene/compile.h"
#include "scenes/scenes.h"
#include "scenes/shapes_turned.h"

static const double RADIUS = 0.3;

typedef struct bench {
  compiled c;
  arena memory;
  surface_mesh mesh;
  barrier_scale scale;
  glide glide;
  candidates near;
  barrier_contact_list list;
  vec3 *x;
} bench;

/* A sheet, and a coarse globe that is smooth by wish. */
static void bench_make(bench *b) {
  *b = (bench){0};
  tasks one = {1};
  tribo_scene *scene = NULL;
  claim_ok(tribo_scene_create(&scene, err));
  mesh sheet = shape_sheet(3, 3, 0.2, 0.2), globe = shape_globe(4, RADIUS);
  tribo_object_def cloth = tribo_object_default(TRIBO_CLOTH);
  tribo_object_def round = tribo_object_default(TRIBO_COLLIDER);
  cloth.name = "sheet", round.name = "globe";
  cloth.surface.thickness = 0.002;
  round.surface.contact = TRIBO_CONTACT_MLS;
  claim_ok(scenes_add(scene, cloth, &sheet, NULL, err));
  claim_ok(scenes_add(scene, round, &globe, NULL, err));
  claim_ok(compile_scene(scene, &b->c, err));
  tribo_scene_free(scene);
  claim_ok(surface_mesh_build(&b->c.m, &b->memory, &b->mesh, err));
  claim_ok(barrier_scale_create(&b->mesh, 0.02, 9.81, &one, &b->memory, &b->scale, err));
  claim_ok(glide_create(&b->mesh, &one, &b->memory, &b->glide, err));
  assert_int_equal(b->glide.count, 1);
  b->scale.glide = &b->glide;
  barrier_scale_step(&b->scale, 0.02, 9.81);
  claim_ok(candidates_create(&b->mesh, &b->memory, &b->near, err));
  b->x = ARENA_ARRAY(&b->memory, vec3, b->mesh.vertex_count);
}

static void bench_free(bench *b) {
  ARRAY_FREE(b->list);
  candidates_free(&b->near);
  glide_free(&b->glide);
  model_free(&b->c.m);
  arena_free(&b->memory);
}

/* The collider turned, larger and elsewhere; vertices of the sheet all around it, near the corners'
 * sphere. */
static void scatter(bench *b, uint64_t *seed) {
  quat turn = quat_normalized((quat){0.9, 0.15, -0.35, 0.1});
  vec3 centre = {0.1, -0.2, 0.4};
  for (int32_t v = 0; v < b->mesh.vertex_count; v++) {
    if (v >= b->mesh.body_vertices) {
      b->x[v] = vec3_add(centre, quat_rotate(turn, vec3_scale(1.5, b->mesh.rest[v])));
      continue;
    }
    vec3 way = {claim_between(seed, -1, 1), claim_between(seed, -1, 1), claim_between(seed, -1, 1)};
    b->x[v] = vec3_madd(centre, 1.5 * RADIUS, vec3_normalized(way));
  }
  glide_place at = glide_place_of(&b->glide, 0, b->x);
  for (int32_t v = 0; v < b->mesh.body_vertices; v++) {
    barrier_constants of = barrier_scale_glide(&b->scale, v, b->glide.parts[0].part);
    double gap = of.band * claim_between(seed, 0.1, 1.2);
    for (int k = 0; k < 5; k++) { /* onto that height */
      glide_gap now = glide_ask(&at, &b->mesh, b->x[v]);
      vec3 out = vec3_normalized(vec3_sub(b->x[v], centre));
      b->x[v] = vec3_madd(b->x[v], of.thickness + gap - now.height, out);
    }
  }
}

static double energy(bench *b) {
  double sum;
  claim_ok(barrier_contacts_energy(&b->scale, &b->near, b->x, &b->list, &sum, err));
  return sum;
}

static void derivatives__are_those_of_the_energy(void **unused) {
  (void)unused;
  bench b;
  bench_make(&b);
  uint64_t seed = 11;
  int seen = 0;
  for (int n = 0; n < 20; n++) {
    scatter(&b, &seed);
    if (!isfinite(energy(&b))) continue;
    double force = 0, curve = 0;
    for (size_t i = 0; i < b.list.count; i++) {
      force = fmax(force, b.list.data[i].force);
      curve = fmax(curve, b.list.data[i].curve);
    }
    for (size_t i = 0; i < b.list.count; i++) {
      barrier_contact c = b.list.data[i];
      assert_true(c.glides);
      double h[144];
      barrier_contact_hessian(&c, &b.mesh, b.x, h);
      vec3 g = barrier_contact_gradient(&c, 0);
      for (int k = 0; k < 3; k++) {
        double *at = &b.x[c.vertex[0]].x + k, was = *at, step = 1e-7;
        double value[2];
        vec3 slope[2] = {{0, 0, 0}, {0, 0, 0}};
        for (int side = 0; side < 2; side++) {
          *at = was + (side ? -step : step);
          value[side] = energy(&b);
          for (size_t j = 0; j < b.list.count; j++)
            if (b.list.data[j].key == c.key)
              slope[side] = barrier_contact_gradient(&b.list.data[j], 0);
        }
        *at = was;
        claim_near((&g.x)[k], (value[0] - value[1]) / (2 * step), 2e-5 * force);
        vec3 bent = vec3_scale(1 / (2 * step), vec3_sub(slope[0], slope[1]));
        for (int j = 0; j < 3; j++) claim_near(h[12 * k + j], (&bent.x)[j], 2e-4 * curve);
      }
      energy(&b);
      seen++;
    }
  }
  print_message("%d contacts\n", seen);
  assert_true(seen > 60);
  bench_free(&b);
}

/* All around the globe the gap of 0 is as near to the sphere of the corners as the facets are, but
 * outside; nothing of the mesh sticks out of it; its gradient turns as the radius does, where the
 * facets' normals jump by 23 degrees from one to the next. */
static void surface__turns_as_the_round_thing_does(void **unused) {
  (void)unused;
  bench b;
  bench_make(&b);
  for (int32_t v = 0; v < b.mesh.vertex_count; v++) b.x[v] = b.mesh.rest[v];
  glide_place at = glide_place_of(&b.glide, 0, b.x);
  double low = INFINITY, high = -INFINITY, jump = 0;
  vec3 before = {0, 0, 0};
  for (int n = 0; n < 3600; n++) { /* once around, in tenths of a degree */
    double angle = 2 * 3.14159265358979 * n / 3600;
    vec3 way = {cos(angle), 0.6 * sin(angle), 0.8 * sin(angle)};
    glide_gap gap = glide_ask(&at, &b.mesh, vec3_scale(RADIUS, way));
    assert_true(gap.near);
    low = fmin(low, gap.height), high = fmax(high, gap.height);
    vec3 now = vec3_normalized(gap.by_point);
    if (n) jump = fmax(jump, vec3_norm(vec3_cross(before, now)));
    before = now;
  }
  for (int32_t v = b.mesh.body_vertices; v < b.mesh.vertex_count; v++) {
    glide_gap gap = glide_ask(&at, &b.mesh, b.x[v]);
    assert_true(gap.near && gap.height <= 1e-12);
  }
  print_message(
      "on the sphere the gap is %.2g to %.2g m; in a tenth of a degree the normal turns "
      "by %.2g degrees at most\n",
      low, high, jump * 180 / 3.14159265358979);
  assert_true(low > -0.02 * RADIUS && high < 0.002 * RADIUS);
  claim_below(jump * 180 / 3.14159265358979, 0.4);
  bench_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives__are_those_of_the_energy),
      cmocka_unit_test(surface__turns_as_the_round_thing_does),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
