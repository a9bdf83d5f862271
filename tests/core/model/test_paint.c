/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/paint.h"

#include "claims.h"
#include "math/quat.h"

static const double PI = 3.14159265358979323846;

/* Two triangles that make the unit square of the plane z = 0, with UVs and maps to be set. */
typedef struct square {
  double positions[12];
  int32_t triangles[6], given[2];
  double uvs[12];
  vec3 now[4];
  float pixels[4 * 64 * 64];
  tribo_object_def def;
  arena memory;
  paint p;
} square;

static square *make_square(void) {
  square *s = calloc(1, sizeof *s);
  const double positions[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  const int32_t triangles[6] = {0, 1, 2, 0, 2, 3};
  memcpy(s->positions, positions, sizeof positions);
  memcpy(s->triangles, triangles, sizeof triangles);
  s->given[1] = 1;
  for (int i = 0; i < 6; i++) {
    s->uvs[2 * i] = positions[3 * triangles[i]];
    s->uvs[2 * i + 1] = positions[3 * triangles[i] + 1];
  }
  for (int v = 0; v < 4; v++) s->now[v] = vec3_from(positions + 3 * v);
  s->def = tribo_object_default(TRIBO_COLLIDER);
  s->def.name = "square";
  s->def.positions = s->positions;
  s->def.vertex_count = 4;
  s->def.triangles = s->triangles;
  s->def.triangle_count = 2;
  s->def.uvs = s->uvs;
  return s;
}

static void build(square *s) {
  claim_ok(paint_build(&s->def, s->triangles, s->given, 2, &s->memory, &s->p, err));
}

static void free_square(square *s) {
  arena_free(&s->memory);
  free(s);
}

/* Red and green of an angle, at a strength. */
static void set_angle(float *pixel, double angle, double strength) {
  pixel[0] = (float)((1 + strength * cos(angle)) / 2);
  pixel[1] = (float)((1 + strength * sin(angle)) / 2);
  pixel[2] = 0;
}

static void set_map(square *s, int width, int height) {
  s->def.structure_map = (tribo_map_def){s->pixels, width, height, 3};
}

/* The place (x, y) of the square as triangle and weights. */
static size_t locate(double x, double y, double weight[3]) {
  bool lower = y <= x;
  weight[0] = lower ? 1 - x : 1 - y;
  weight[1] = lower ? x - y : x;
  weight[2] = lower ? y : y - x;
  return !lower;
}

static paint_value at(const square *s, double x, double y) {
  double weight[3];
  size_t t = locate(x, y, weight);
  const int32_t *v = s->triangles + 3 * t;
  vec3 sides[2] = {vec3_sub(s->now[v[1]], s->now[v[0]]), vec3_sub(s->now[v[2]], s->now[v[0]])};
  vec3 normal = vec3_normalized(vec3_cross(sides[0], sides[1]));
  return paint_at_place(&s->p, t, weight, sides, normal);
}

/* The same but for the sign. */
static void claim_along(vec3 actual, vec3 expected, double tolerance) {
  claim_near(vec3_norm(actual), 1, 1e-12);
  claim_near(vec3_norm(vec3_cross(actual, vec3_normalized(expected))), 0, tolerance);
}

/* ---- structure from a map -------------------------------------------------------------------- */

static void structure__runs_as_painted_at_every_angle(void **state) {
  (void)state;
  for (int i = 0; i < 36; i++) {
    square *s = make_square();
    double angle = i * PI / 18;
    set_angle(s->pixels, angle, 0.9);
    set_map(s, 1, 1);
    build(s);
    claim_along(at(s, 0.7, 0.2).structure, vec3_make(cos(angle), sin(angle), 0), 1e-6);
    claim_along(at(s, 0.2, 0.7).structure, vec3_make(cos(angle), sin(angle), 0), 1e-6);
    free_square(s);
  }
}

static void structure__of_texels_s_and_minus_s_is_s_between_them(void **state) {
  (void)state;
  square *s = make_square();
  set_angle(s->pixels, 0.3, 1);
  set_angle(s->pixels + 3, 0.3 + PI, 1);
  set_map(s, 2, 1);
  build(s);
  for (double x = 0.3; x < 0.71; x += 0.05)
    claim_along(at(s, x, 0.1).structure, vec3_make(cos(0.3), sin(0.3), 0), 1e-6);
  free_square(s);
}

static void structure__halfway_between_two_angles_is_the_angle_between(void **state) {
  (void)state;
  /* 10 and 170 degrees are 20 apart without sign: in the middle they meet at 0, not at 90 */
  square *s = make_square();
  set_angle(s->pixels, PI / 18, 1);
  set_angle(s->pixels + 3, 17 * PI / 18, 1);
  set_map(s, 2, 1);
  build(s);
  claim_along(at(s, 0.5, 0.1).structure, vec3_make(1, 0, 0), 1e-6);
  free_square(s);
}

static void structure__of_texels_across_each_other_is_none_in_the_middle(void **state) {
  (void)state;
  square *s = make_square();
  set_angle(s->pixels, 0.3, 1);
  set_angle(s->pixels + 3, 0.3 + PI / 2, 1);
  set_map(s, 2, 1);
  build(s);
  claim_near(vec3_norm(at(s, 0.5, 0.1).structure), 0, 0);
  claim_along(at(s, 0.3, 0.1).structure, vec3_make(cos(0.3), sin(0.3), 0), 1e-6);
  free_square(s);
}

static void structure__below_a_tenth_is_none(void **state) {
  (void)state;
  for (int above = 0; above < 2; above++) {
    square *s = make_square();
    set_angle(s->pixels, 1, above ? 0.101 : 0.099);
    set_map(s, 1, 1);
    build(s);
    claim_near(vec3_norm(at(s, 0.5, 0.5).structure), above, 1e-12);
    free_square(s);
  }
}

static void structure__changes_within_one_texel_at_a_border(void **state) {
  (void)state;
  enum { W = 64 };
  square *s = make_square();
  for (int x = 0; x < W; x++) set_angle(s->pixels + 3 * x, x < W / 2 ? 0 : PI / 4, 1);
  set_map(s, W, 1);
  build(s);
  /* two triangles for the whole: the border is no wider for that */
  claim_along(at(s, 0.5 - 0.5 / W, 0.3).structure, vec3_make(1, 0, 0), 1e-6);
  claim_along(at(s, 0.5 + 0.5 / W, 0.3).structure, vec3_make(1, 1, 0), 1e-6);
  claim_along(at(s, 0.5, 0.3).structure, vec3_make(cos(PI / 8), sin(PI / 8), 0), 1e-6);
  free_square(s);
}

/* A triangle's UVs, small around the middle of texel 0 or 1 of two, turned and mirrored. */
static void place_uvs(square *s, size_t triangle, int texel, double turn, bool mirror) {
  for (size_t i = 3 * triangle; i < 3 * triangle + 3; i++) {
    const double *p = s->positions + 3 * s->triangles[i];
    double x = 0.1 * (mirror ? 0.5 - p[0] : p[0] - 0.5), y = 0.1 * (p[1] - 0.5);
    s->uvs[2 * i] = (texel ? 0.9 : 0.1) + cos(turn) * x - sin(turn) * y;
    s->uvs[2 * i + 1] = 0.5 + sin(turn) * x + cos(turn) * y;
  }
}

/* What to paint on such an island for a direction in the world. */
static double painted_angle(double world, double turn, bool mirror) {
  return mirror ? turn + PI - world : turn + world;
}

static void structure__is_the_same_on_a_turned_and_on_a_mirrored_island(void **state) {
  (void)state;
  for (int mirror = 0; mirror < 2; mirror++)
    for (int i = 0; i < 12; i++) {
      square *s = make_square();
      double turn = 0.2 + i * PI / 6, world = 0.5;
      place_uvs(s, 0, 0, 0, false);
      place_uvs(s, 1, 1, turn, mirror);
      set_angle(s->pixels, world, 1);
      set_angle(s->pixels + 3, painted_angle(world, turn, mirror), 1);
      set_map(s, 2, 1);
      build(s);
      vec3 expected = vec3_make(cos(world), sin(world), 0);
      claim_along(at(s, 0.7, 0.2).structure, expected, 1e-6);
      claim_along(at(s, 0.2, 0.7).structure, expected, 1e-6);
      assert_int_equal(s->p.report.islands, 2);
      assert_int_equal(s->p.report.mirrored, mirror);
      /* and so at the vertices on the seam between the two, seen from above and from below */
      for (int v = 0; v < 3; v += 2)
        for (int side = -1; side < 2; side += 2)
          claim_along(paint_at_vertex(&s->p, v, vec3_make(0, 0, side), s->now).structure, expected,
                      1e-6);
      free_square(s);
    }
}

static void structure__at_a_vertex_is_the_mean_of_its_triangles_without_sign(void **state) {
  (void)state;
  /* one island says 170 degrees, the other 50: 120 and so 60 apart. Their angles at vertex 0 are
   * equal, so the mean is 20 degrees, not 110. */
  square *s = make_square();
  place_uvs(s, 0, 0, 0, false);
  place_uvs(s, 1, 1, 0, false);
  set_angle(s->pixels, 170 * PI / 180, 1);
  set_angle(s->pixels + 3, 50 * PI / 180, 1);
  set_map(s, 2, 1);
  build(s);
  vec3 mean = paint_at_vertex(&s->p, 0, vec3_make(0, 0, -1), s->now).structure;
  claim_along(mean, vec3_make(cos(PI / 9), sin(PI / 9), 0), 1e-6);
  free_square(s);
}

static void structure__of_a_triangle_without_uv_area_is_none_and_reported(void **state) {
  (void)state;
  square *s = make_square();
  for (int i = 6; i < 12; i++) s->uvs[i] = 0.5;
  set_angle(s->pixels, 0.3, 1);
  set_map(s, 1, 1);
  build(s);
  assert_int_equal(s->p.report.flat, 1);
  assert_int_equal(s->p.report.first_flat, 1);
  claim_near(vec3_norm(at(s, 0.2, 0.7).structure), 0, 0);
  claim_along(at(s, 0.7, 0.2).structure, vec3_make(cos(0.3), sin(0.3), 0), 1e-6);
  /* it does not weaken what its neighbour says at their vertices */
  claim_along(paint_at_vertex(&s->p, 2, vec3_make(0, 0, -1), s->now).structure,
              vec3_make(cos(0.3), sin(0.3), 0), 1e-6);
  free_square(s);
}

/* ---- structure on what moves ----------------------------------------------------------------- */

static void structure__turns_with_the_body(void **state) {
  (void)state;
  square *s = make_square();
  set_angle(s->pixels, 0.7, 1);
  set_map(s, 1, 1);
  build(s);
  quat turn = quat_exp(vec3_make(0.4, -1.1, 0.8));
  for (int v = 0; v < 4; v++) s->now[v] = quat_rotate(turn, s->now[v]);
  vec3 expected = quat_rotate(turn, vec3_make(cos(0.7), sin(0.7), 0));
  claim_along(at(s, 0.6, 0.3).structure, expected, 1e-6);
  claim_along(paint_at_vertex(&s->p, 1, quat_rotate(turn, vec3_make(0, 0, -1)), s->now).structure,
              expected, 1e-6);
  free_square(s);
}

static void structure__is_carried_like_a_line_drawn_on_the_matter(void **state) {
  (void)state;
  square *s = make_square();
  set_angle(s->pixels, 0.7, 1);
  set_map(s, 1, 1);
  build(s);
  /* stretch by 2 and shear by 0.5, lifted out of the plane: x' = F x */
  mat3 f = {{{2, 0.5, 0}, {0, 1.2, 0}, {0.3, -0.4, 1}}};
  for (int v = 0; v < 4; v++) s->now[v] = mat3_mul_vec3(&f, s->now[v]);
  vec3 expected = mat3_mul_vec3(&f, vec3_make(cos(0.7), sin(0.7), 0));
  claim_along(at(s, 0.6, 0.3).structure, expected, 1e-6);
  claim_along(at(s, 0.3, 0.6).structure, expected, 1e-6);
  free_square(s);
}

static void structure__is_across_the_contacts_normal(void **state) {
  (void)state;
  square *s = make_square();
  set_angle(s->pixels, 0.7, 1);
  set_map(s, 1, 1);
  build(s);
  vec3 sides[2] = {{1, 0, 0}, {1, 1, 0}};
  vec3 normal = vec3_normalized(vec3_make(0.3, 0.2, 1));
  const double weight[3] = {0.2, 0.3, 0.5};
  claim_near(vec3_dot(paint_at_place(&s->p, 0, weight, sides, normal).structure, normal), 0, 1e-14);
  claim_near(vec3_dot(paint_at_vertex(&s->p, 0, normal, s->now).structure, normal), 0, 1e-14);
  free_square(s);
}

/* The corner of a box: three squares' triangles around vertex 0, each with its own direction and
 * friction by vertex of its own. */
static void vertex__of_a_box_feels_with_the_side_it_stands_on(void **state) {
  (void)state;
  /* z = 0 looks down, x = 0 and y = 0 look sideways */
  double positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  int32_t triangles[] = {0, 2, 1, 0, 1, 3, 0, 3, 2}, given[] = {0, 1, 2};
  /* texel 0 for the bottom, 1 for the sides */
  double uvs[] = {0.1, 0.5, 0.1,  0.52, 0.12, 0.5, /* u along x, v along y */
                  0.9, 0.5, 0.92, 0.5,  0.9,  0.52, 0.9, 0.5, 0.9, 0.52, 0.92, 0.5};
  float pixels[] = {1, 0.5f, 0.25f, 0.5f, 1, 1};
  vec3 now[4];
  for (int v = 0; v < 4; v++) now[v] = vec3_from(positions + 3 * v);
  tribo_object_def def = tribo_object_default(TRIBO_RIGID);
  def.name = "box";
  def.positions = positions;
  def.vertex_count = 4;
  def.triangles = triangles;
  def.triangle_count = 3;
  def.uvs = uvs;
  def.maps.friction_channel = TRIBO_CHANNEL_B;
  def.structure_map = def.friction_map = (tribo_map_def){pixels, 2, 1, 3};
  arena memory = {0};
  paint p;
  claim_ok(paint_build(&def, triangles, given, 3, &memory, &p, err));
  paint_value v = paint_at_vertex(&p, 0, vec3_make(0, 0, 1), now);
  claim_along(v.structure, vec3_make(1, 0, 0), 1e-12);
  claim_near(v.friction, 0.25, 1e-12);
  arena_free(&memory);
}

/* ---- structure by vertex --------------------------------------------------------------------- */

static void by_vertex__structure_is_met_at_vertices_and_between_them(void **state) {
  (void)state;
  square *s = make_square();
  s->def.uvs = NULL;
  double structure[12];
  for (int v = 0; v < 4; v++) {
    double angle = v == 1 ? 0.9 : 0.4;
    double sign = v % 2 ? -3 : 1; /* sign and length do not matter */
    memcpy(structure + 3 * v, (double[3]){sign * cos(angle), sign * sin(angle), 0}, 24);
  }
  s->def.vertex_structure = structure;
  build(s);
  vec3 down = {0, 0, -1};
  claim_along(paint_at_vertex(&s->p, 1, down, s->now).structure, vec3_make(cos(0.9), sin(0.9), 0),
              1e-12);
  claim_along(at(s, 0.2, 0.6).structure, vec3_make(cos(0.4), sin(0.4), 0), 1e-12);
  /* halfway from vertex 0 to vertex 1, 0.4 and 0.9 meet in the middle */
  claim_along(at(s, 0.5, 0).structure, vec3_make(cos(0.65), sin(0.65), 0), 1e-12);
  free_square(s);
}

static void by_vertex__a_direction_out_of_the_surface_is_none(void **state) {
  (void)state;
  square *s = make_square();
  double structure[12] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
  s->def.vertex_structure = structure;
  build(s);
  claim_near(vec3_norm(at(s, 0.2, 0.6).structure), 0, 0);
  free_square(s);
}

/* ---- friction -------------------------------------------------------------------------------- */

static void friction__follows_a_gradient_in_the_map(void **state) {
  (void)state;
  enum { W = 16 };
  square *s = make_square();
  for (int x = 0; x < W; x++) s->pixels[x] = (float)x / W;
  s->def.friction_map = (tribo_map_def){s->pixels, W, 1, 1};
  s->def.maps.friction_scale = 3;
  build(s);
  for (double x = 0.5 / W; x < 1 - 0.5 / W; x += 0.013)
    claim_near(at(s, x, 0.4).friction, 3 * (x - 0.5 / W), 1e-6);
  claim_near(vec3_norm(at(s, 0.5, 0.4).structure), 0, 0);
  claim_near(s->p.report.least, 0, 0);
  claim_near(s->p.report.most, 3.0 * 15 / 16, 1e-6);
  free_square(s);
}

static void wrap__repeats_by_itself_only_where_uvs_leave_the_picture(void **state) {
  (void)state;
  const float pixels[] = {1, 3};
  const int wraps[] = {TRIBO_WRAP_AUTO, TRIBO_WRAP_REPEAT, TRIBO_WRAP_CLAMP};
  const double at_0[] = {1, 2, 1}, at_5_4[] = {1, 1, 3}; /* u = 0, and u = 5/4 where it is tiled */
  for (int i = 0; i < 3; i++)
    for (int tiled = 0; tiled < 2; tiled++) {
      square *s = make_square();
      for (int k = 0; k < 6; k++) s->uvs[2 * k] *= tiled ? 2.5 : 1;
      s->def.friction_map = (tribo_map_def){pixels, 2, 1, 1};
      s->def.maps.wrap = wraps[i];
      build(s);
      if (tiled)
        claim_near(at(s, 0.5, 0.2).friction, at_5_4[i], 1e-12);
      else
        claim_near(at(s, 0, 0).friction, at_0[i], 1e-12);
      free_square(s);
    }
}

static void friction__is_read_from_the_channel_asked_for(void **state) {
  (void)state;
  const float rgba[] = {0.1f, 0.2f, 0.4f, 0.8f}, grey[] = {0.3f, 0.7f};
  const double of_rgba[] = {0.2126 * 0.1 + 0.7152 * 0.2 + 0.0722 * 0.4, 0.1, 0.2, 0.4, 0.8};
  const double of_grey[] = {0.3, 0.3, 0.3, 0.3, 0.7};
  for (int channel = TRIBO_CHANNEL_LUMINANCE; channel <= TRIBO_CHANNEL_A; channel++)
    for (int colour = 0; colour < 2; colour++) {
      square *s = make_square();
      s->def.friction_map = (tribo_map_def){colour ? rgba : grey, 1, 1, colour ? 4 : 2};
      s->def.maps.friction_channel = channel;
      build(s);
      double expected = (colour ? of_rgba : of_grey)[channel];
      claim_near(at(s, 0.3, 0.3).friction, expected, 1e-7);
      claim_near(paint_at_vertex(&s->p, 0, vec3_make(0, 0, -1), s->now).friction, expected, 1e-7);
      free_square(s);
    }
}

static void friction__by_vertex_is_linear_between_them(void **state) {
  (void)state;
  square *s = make_square();
  double friction[] = {1, 2, 4, 3}; /* 1 + x + 2 y */
  s->def.vertex_friction = friction;
  s->def.uvs = NULL;
  build(s);
  claim_near(at(s, 0.3, 0.6).friction, 1 + 0.3 + 1.2, 1e-12);
  claim_near(at(s, 0.6, 0.3).friction, 1 + 0.6 + 0.6, 1e-12);
  claim_near(paint_at_vertex(&s->p, 2, vec3_make(0, 0, 1), s->now).friction, 4, 1e-12);
  free_square(s);
}

static void unpainted__is_friction_as_it_is_and_no_structure(void **state) {
  (void)state;
  square *s = make_square();
  build(s);
  assert_false(paint_any(&s->p));
  claim_near(paint_none().friction, 1, 0);
  claim_near(vec3_norm(paint_none().structure), 0, 0);
  free_square(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(structure__runs_as_painted_at_every_angle),
      cmocka_unit_test(structure__of_texels_s_and_minus_s_is_s_between_them),
      cmocka_unit_test(structure__halfway_between_two_angles_is_the_angle_between),
      cmocka_unit_test(structure__of_texels_across_each_other_is_none_in_the_middle),
      cmocka_unit_test(structure__below_a_tenth_is_none),
      cmocka_unit_test(structure__changes_within_one_texel_at_a_border),
      cmocka_unit_test(structure__is_the_same_on_a_turned_and_on_a_mirrored_island),
      cmocka_unit_test(structure__at_a_vertex_is_the_mean_of_its_triangles_without_sign),
      cmocka_unit_test(structure__of_a_triangle_without_uv_area_is_none_and_reported),
      cmocka_unit_test(structure__turns_with_the_body),
      cmocka_unit_test(structure__is_carried_like_a_line_drawn_on_the_matter),
      cmocka_unit_test(structure__is_across_the_contacts_normal),
      cmocka_unit_test(vertex__of_a_box_feels_with_the_side_it_stands_on),
      cmocka_unit_test(by_vertex__structure_is_met_at_vertices_and_between_them),
      cmocka_unit_test(by_vertex__a_direction_out_of_the_surface_is_none),
      cmocka_unit_test(friction__follows_a_gradient_in_the_map),
      cmocka_unit_test(wrap__repeats_by_itself_only_where_uvs_leave_the_picture),
      cmocka_unit_test(friction__is_read_from_the_channel_asked_for),
      cmocka_unit_test(friction__by_vertex_is_linear_between_them),
      cmocka_unit_test(unpainted__is_friction_as_it_is_and_no_structure),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
