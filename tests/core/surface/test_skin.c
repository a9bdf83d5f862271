/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h" /* first: its parameters are called state */

#include "core/model/closed.h"
#include "scenes/scenes.h"
#include "scenes/shapes.h"

/* The skin of an object is where a contact would find its surface. */

enum { RINGS = 14, SECTORS = 24 };

/* A ball of radius 1 about `centre`, by latitude and longitude. */
typedef struct ball {
  double positions[3 * (2 + (RINGS - 1) * SECTORS)];
  int32_t triangles[3 * 2 * SECTORS * (RINGS - 1)];
} ball;

static tribo_object_def make_ball(ball *b) {
  static const double pi = 3.14159265358979323846;
  size_t count = 0, at = 0;
  double *p = b->positions;
  memcpy(p, (double[]){0, 0, 1}, 3 * sizeof *p);
  count = 1;
  for (int r = 1; r < RINGS; r++)
    for (int s = 0; s < SECTORS; s++, count++) {
      double polar = pi * r / RINGS, around = 2 * pi * s / SECTORS;
      p[3 * count] = sin(polar) * cos(around);
      p[3 * count + 1] = sin(polar) * sin(around);
      p[3 * count + 2] = cos(polar);
    }
  memcpy(p + 3 * count, (double[]){0, 0, -1}, 3 * sizeof *p);
  int32_t last = (int32_t)count, *t = b->triangles;
  for (int32_t s = 0; s < SECTORS; s++) {
    int32_t next = (s + 1) % SECTORS, first = 1, low = 1 + (RINGS - 2) * SECTORS;
    int32_t top[3] = {0, first + s, first + next}, end[3] = {last, low + next, low + s};
    memcpy(t + 3 * at++, top, sizeof top);
    memcpy(t + 3 * at++, end, sizeof end);
    for (int32_t r = 0; r + 2 < RINGS; r++) {
      int32_t a = 1 + r * SECTORS + s, b2 = 1 + r * SECTORS + next, c = a + SECTORS,
              d = b2 + SECTORS;
      int32_t one[3] = {a, c, d}, two[3] = {a, d, b2};
      memcpy(t + 3 * at++, one, sizeof one);
      memcpy(t + 3 * at++, two, sizeof two);
    }
  }
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "ball";
  def.positions = b->positions;
  def.vertex_count = count + 1;
  def.triangles = b->triangles;
  def.triangle_count = at;
  return def;
}

static tribo_skin skin_of(const tribo_object_def *def, double spacing) {
  tribo_scene *scene = NULL;
  claim_ok(tribo_scene_create(&scene, err));
  claim_ok(tribo_scene_add(scene, def, NULL, err));
  tribo_skin skin;
  claim_ok(tribo_scene_skin(scene, 0, spacing, &skin, err));
  tribo_scene_free(scene);
  return skin;
}

static double radius_of(const double *p) { return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]); }

static void smooth_ball__has_a_round_skin_without_holes(void **unused) {
  (void)unused;
  ball b;
  tribo_object_def def = make_ball(&b);
  def.surface.contact = TRIBO_CONTACT_MLS;
  tribo_skin plain = skin_of(&def, 0), fine = skin_of(&def, 0.1);
  assert_int_equal(plain.vertex_count, def.vertex_count);
  assert_int_equal(plain.triangle_count, def.triangle_count);
  assert_true(fine.vertex_count > 2 * plain.vertex_count);
  double least = 2, most = 0;
  for (size_t v = 0; v < fine.vertex_count; v++) {
    assert_int_equal(fine.thin[v], 0);
    least = fmin(least, radius_of(fine.positions + 3 * v));
    most = fmax(most, radius_of(fine.positions + 3 * v));
  }
  print_message("radius %.4f to %.4f\n", least, most);
  claim_near(least, 1, 0.03); /* within the ball's facets and what smoothing takes away */
  claim_near(most, 1, 0.03);
  tribo_skin_free(&plain);

  /* Thickness is what others keep off. */
  def.surface.thickness = 0.2;
  tribo_skin thick = skin_of(&def, 0.1);
  for (size_t v = 0; v < fine.vertex_count; v++)
    claim_near(radius_of(thick.positions + 3 * v) - radius_of(fine.positions + 3 * v), 0.2, 2e-3);
  tribo_skin_free(&thick);
  tribo_skin_free(&fine);
}

static void short_reach__opens_holes_between_the_samples(void **unused) {
  (void)unused;
  ball b;
  tribo_object_def def = make_ball(&b);
  def.surface.contact = TRIBO_CONTACT_MLS;
  def.surface.radius = 0.05; /* far less than the triangles' sides */
  tribo_skin skin = skin_of(&def, 0);
  size_t holes = 0;
  for (size_t v = 0; v < skin.vertex_count; v++) holes += skin.thin[v] == 2;
  print_message("%zu of %zu vertices are holes\n", holes, skin.vertex_count);
  assert_true(holes > skin.vertex_count / 2);
  tribo_skin_free(&skin);
}

static void exact_surfaces__have_the_skin_of_their_mesh_or_shape(void **unused) {
  (void)unused;
  closed *box = closed_box(1, 2, 3);
  tribo_object_def def = closed_object(box, "box");
  def.kind = TRIBO_RIGID;
  def.surface.contact = TRIBO_CONTACT_MESH;
  tribo_skin skin = skin_of(&def, 0);
  assert_int_equal(skin.vertex_count, 8);
  for (size_t i = 0; i < 24; i++) claim_near(skin.positions[i], box->positions[i], 1e-12);
  for (size_t v = 0; v < 8; v++) assert_int_equal(skin.thin[v], 0);
  tribo_skin_free(&skin);
  free(box);

  ball b;
  def = make_ball(&b);
  def.surface.contact = TRIBO_CONTACT_SPHERE;
  skin = skin_of(&def, 0.1);
  for (size_t v = 0; v < skin.vertex_count; v++)
    claim_near(radius_of(skin.positions + 3 * v), 1, 1e-9);
  tribo_skin_free(&skin);
}

/* A collider is shown where its motion puts it at the first frame. */
static void moved_collider__has_its_skin_where_it_is(void **unused) {
  (void)unused;
  ball b;
  tribo_object_def def = make_ball(&b);
  double there[16] = {0, -1, 0, 5, 1, 0, 0, -2, 0, 0, 1, 3, 0, 0, 0, 1};
  def.motion =
      (tribo_motion_def){.transforms = there, .sample_count = 1, .start = 1, .interval = 1};
  tribo_skin skin = skin_of(&def, 0);
  for (size_t v = 0; v < skin.vertex_count; v++) {
    double from[3] = {skin.positions[3 * v] - 5, skin.positions[3 * v + 1] + 2,
                      skin.positions[3 * v + 2] - 3};
    claim_near(radius_of(from), 1, 0.03);
  }
  tribo_skin_free(&skin);
}

static void object_without_a_surface__is_named(void **unused) {
  (void)unused;
  tribo_scene *scene = NULL;
  claim_ok(scene_hanging_cloth(3, &scene, err));
  tribo_skin skin;
  claim_fails(tribo_scene_skin(scene, 0, 0, &skin, err), TRIBO_BAD_INPUT,
              "has no surface that others touch");
  claim_fails(tribo_scene_skin(scene, 7, 0, &skin, err), TRIBO_BAD_INPUT, "no object 7");
  claim_fails(tribo_scene_skin(scene, 0, NAN, &skin, err), TRIBO_BAD_INPUT, "spacing");
  tribo_skin_free(&skin);
  tribo_scene_free(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(smooth_ball__has_a_round_skin_without_holes),
      cmocka_unit_test(short_reach__opens_holes_between_the_samples),
      cmocka_unit_test(exact_surfaces__have_the_skin_of_their_mesh_or_shape),
      cmocka_unit_test(moved_collider__has_its_skin_where_it_is),
      cmocka_unit_test(object_without_a_surface__is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
