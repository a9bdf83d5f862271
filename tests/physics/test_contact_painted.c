/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is painted on a surface, as motion: grip and ice side by side, borders crossed within one
 * texel, and UVs that are mirrored, turned and cut without a trace.
 */
#include "physics/lab_painted.h"

/* ---- a picture on a square -------------------------------------------------------------------
 * The ground is a square of 4 m, x from -1 to 3 and y from -2 to 2. An island maps it, or one side
 * of x = 1, to the UVs by a similarity:
 *
 *   uv = middle + scale Q (p - centre),  Q orthogonal. */

static const lab_floor LEVEL = {.slope = 0, .low = -1, .high = 3, .half = 2};
static const double SIDE = 4;

typedef struct island {
  double q[2][2], centre[2], middle[2], scale;
} island;

static void island_uv(const island *i, const double p[2], double uv[2]) {
  for (int k = 0; k < 2; k++)
    uv[k] = i->middle[k] +
            i->scale * (i->q[k][0] * (p[0] - i->centre[0]) + i->q[k][1] * (p[1] - i->centre[1]));
}

/* The place that a pixel is painted on. */
static void island_place(const island *i, const double uv[2], double p[2]) {
  for (int k = 0; k < 2; k++)
    p[k] = i->centre[k] +
           (i->q[0][k] * (uv[0] - i->middle[0]) + i->q[1][k] * (uv[1] - i->middle[1])) / i->scale;
}

/* The square as it lies in the picture after a turn by `degrees`, mirrored before. */
static island whole(double degrees, bool mirrored, double scale) {
  double c = cos(degrees * LAB_PI / 180), s = sin(degrees * LAB_PI / 180), m = mirrored ? -1 : 1;
  return (island){{{m * c, -s}, {m * s, c}}, {1, 0}, {0.5, 0.5}, scale};
}

/* What is painted at a place: the angle of the structure, and the multiplier of friction. */
typedef struct coat {
  double angle, grip;
} coat;
typedef coat (*painter)(double x, double y);

/* A picture of the islands: the left half shows the first, the right half the second; with one
 * island all shows that one. RGB, the multiplier in blue. The caller frees. */
static float *paint_picture(int width, int height, const island *islands, int count,
                            painter painted) {
  float *pixels = malloc((size_t)width * (size_t)height * 3 * sizeof *pixels), *rgb = pixels;
  assert_non_null(pixels);
  for (int row = 0; row < height; row++)
    for (int column = 0; column < width; column++, rgb += 3) {
      double uv[2] = {(column + 0.5) / width, 1 - (row + 0.5) / height}, p[2];
      const island *i = &islands[count == 2 && uv[0] > 0.5];
      island_place(i, uv, p);
      coat c = painted(p[0], p[1]);
      double turned[2];
      for (int k = 0; k < 2; k++) turned[k] = i->q[k][0] * cos(c.angle) + i->q[k][1] * sin(c.angle);
      lab_paint_direction(atan2(turned[1], turned[0]), rgb);
      rgb[2] = (float)c.grip;
    }
  return pixels;
}

typedef struct ground {
  double slope; /* radians */
  int width, height;
  island islands[2];
  int island_count; /* 2: cut at x = 1 */
  painter painted;
  double along, across, mu;
  double dt;
} ground;

static tribo_scene *ground_scene(const ground *g) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, g->dt);
  mesh m = shape_sheet(2, 1, SIDE, SIDE);
  shape_move(&m, LEVEL.low, -LEVEL.half, 0);
  for (size_t corner = 0; corner < 3 * m.triangle_count; corner++) {
    size_t first = corner - corner % 3;
    double middle = 0; /* of the triangle: which half it is in */
    for (int k = 0; k < 3; k++) middle += m.positions[3 * m.triangles[first + (size_t)k]] / 3;
    const island *i = &g->islands[g->island_count == 2 && middle > 1];
    island_uv(i, m.positions + 3 * m.triangles[corner], m.uvs + 2 * corner);
  }
  shape_turn(&m, 1, g->slope);
  float *pixels = paint_picture(g->width, g->height, g->islands, g->island_count, g->painted);
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "ground";
  def.structure_map = def.friction_map = (tribo_map_def){pixels, g->width, g->height, 3};
  def.maps.friction_channel = TRIBO_CHANNEL_B;
  def.maps.wrap = TRIBO_WRAP_CLAMP;
  claim_ok(scenes_add(scene, def, &m, NULL, err));
  free(pixels);
  tribo_friction_params *friction = tribo_scene_friction(scene);
  friction->mu = g->mu;
  friction->mu_along = g->along;
  friction->mu_across = g->across;
  return scene;
}

static void add_box(tribo_scene *scene, const char *name, double slope, double x, double y,
                    const double velocity[2]) {
  lab_floor f = LEVEL;
  f.slope = slope;
  mesh m = lab_slider_mesh(&f, TRIBO_RIGID, 1, 0.2, x, y);
  tribo_object_def def = tribo_object_default(TRIBO_RIGID);
  def.name = name;
  def.surface.role = TRIBO_ROLE_POINTS;
  vec3 v =
      vec3_add(vec3_scale(velocity[0], lab_floor_direction(&f, 0)), vec3_make(0, velocity[1], 0));
  memcpy(def.object.velocity, &v.x, sizeof def.object.velocity);
  claim_ok(scenes_add(scene, def, &m, NULL, err));
}

/* ---- half and half --------------------------------------------------------------------------- */

static coat ice_and_grip(double x, double y) {
  (void)x;
  return (coat){0, y > 0 ? 1 : 0.25};
}

/* On 20 degrees, whose tangent is 0.364, with mu 0.6 times 1/4 on one half and 1 on the other. */
static void twin_boxes__one_slides_and_one_sticks_as_their_halves_are_painted(void **unused) {
  (void)unused;
  double slope = 20 * LAB_PI / 180, still[2] = {0, 0};
  ground g = {.slope = slope,
              .width = 64,
              .height = 64,
              .islands = {whole(0, false, 1 / SIDE)},
              .island_count = 1,
              .painted = ice_and_grip,
              .along = -1,
              .across = -1,
              .mu = 0.6,
              .dt = 0.005};
  tribo_scene *scene = ground_scene(&g);
  add_box(scene, "on_ice", slope, 0, -1, still);
  add_box(scene, "on_grip", slope, 0, 1, still);
  simulation *s = lab_simulation(scene);
  vec3 start[2] = {lab_centre(s, 0), lab_centre(s, 1)};
  enum { STEPS = 200 };
  lab_steps(s, STEPS);
  vec3 ice = vec3_sub(lab_centre(s, 0), start[0]), grip = vec3_sub(lab_centre(s, 1), start[1]);
  /* backward Euler: sum of h v, with v = a h k */
  double way = LAB_G * (sin(slope) - 0.15 * cos(slope)) * g.dt * g.dt * STEPS * (STEPS + 1) / 2;
  claim_near(vec3_norm(ice), way, 1e-6 * way);
  claim_below(vec3_norm(grip), 1e-8);
  simulation_free(s);
}

/* ---- borders --------------------------------------------------------------------------------- */

static coat smooth_then_rough(double x, double y) {
  (void)y;
  return (coat){0, x > 1 ? 1 : 0.5};
}

static coat along_then_across(double x, double y) {
  (void)y;
  return (coat){x > 1 ? LAB_PI / 2 : 0, 1};
}

/* A sphere thrown without spin across the border at x = 1 touches with one point, and slips all the
 * way. Its deceleration is mu g on either side, from half a texel before the border to half a texel
 * beyond something between; a step moves it by a twentieth of a texel. */
static void claim_border(painter painted, double before, double after) {
  const double speed = 2;
  ground g = {.width = 100,
              .height = 4,
              .islands = {whole(0, false, 1 / SIDE)},
              .island_count = 1,
              .painted = painted,
              .along = painted == along_then_across ? 0.1 : -1,
              .across = painted == along_then_across ? 0.3 : -1,
              .mu = 0.2,
              .dt = 0.001};
  double texel = SIDE / g.width;
  tribo_scene *scene = ground_scene(&g);
  mesh m = shape_globe(4, 0.1);
  shape_move(&m, 0.9, 0, 0.1);
  tribo_object_def def = tribo_object_default(TRIBO_RIGID);
  def.name = "sphere";
  def.surface.contact = TRIBO_CONTACT_SPHERE;
  def.object.velocity[0] = speed;
  claim_ok(scenes_add(scene, def, &m, NULL, err));
  simulation *s = lab_simulation(scene);
  lab_steps(s, 2); /* onto the ground */
  int seen[3] = {0, 0, 0};
  while (lab_centre(s, 0).x < 1.1) {
    double x = lab_centre(s, 0).x - 1, v = lab_velocity(s, 0).x;
    lab_steps(s, 1);
    double found = (v - lab_velocity(s, 0).x) / (g.dt * LAB_G);
    int part = x < -texel / 2 ? 0 : x > texel / 2 ? 2 : 1;
    seen[part]++;
    if (part != 1)
      claim_near(found, part == 0 ? before : after, 1e-5);
    else
      assert_true(found > before - 1e-5 && found < after + 1e-5);
  }
  for (int k = 0; k < 3; k++) assert_true(seen[k] > 10);
  simulation_free(s);
}

static void border_of_friction__is_felt_within_one_texel(void **unused) {
  (void)unused;
  claim_border(smooth_then_rough, 0.1, 0.2);
}

static void border_of_structure__is_felt_within_one_texel(void **unused) {
  (void)unused;
  claim_border(along_then_across, 0.1, 0.3);
}

/* ---- UVs ------------------------------------------------------------------------------------- */

static coat slalom(double x, double y) {
  return (coat){0.7 * sin(2 * LAB_PI * x / 1.5) + 0.2 * y, 0.8 + 0.2 * cos(3 * x)};
}

static coat straight(double x, double y) {
  (void)x, (void)y;
  return (coat){0.5, 1};
}

/* Where a box gets to in 0.7 s on 30 degrees, and how it lies. */
typedef struct landing {
  vec3 x;
  quat turn;
} landing;

static landing land(ground g) {
  const double push[2] = {1, 0.3};
  g.slope = LAB_PI / 6;
  g.along = 0.1, g.across = 0.45, g.mu = 0.3;
  g.dt = 0.005;
  tribo_scene *scene = ground_scene(&g);
  add_box(scene, "box", g.slope, 0, 0, push);
  simulation *s = lab_simulation(scene);
  vec3 start = lab_centre(s, 0);
  lab_steps(s, 140);
  landing l = {vec3_sub(lab_centre(s, 0), start), simulation_state(s)->turns[0]};
  simulation_free(s);
  return l;
}

/* Of the distance travelled, and radians. */
static double landing_error(const landing *a, const landing *b) {
  quat turned = quat_multiply(a->turn, quat_conjugate(b->turn));
  double angle = 2 * vec3_norm(vec3_make(turned.x, turned.y, turned.z));
  return fmax(angle, vec3_norm(vec3_sub(a->x, b->x)) / vec3_norm(b->x));
}

static ground as_painted(painter painted, int size, island i) {
  return (ground){
      .width = size, .height = size, .islands = {i}, .island_count = 1, .painted = painted};
}

/* All ways in which a square fits its picture: the texels lie on each other, and only their seven
 * digits differ. */
static void island__turned_by_right_angles_and_mirrored_moves_alike(void **unused) {
  (void)unused;
  landing plain = land(as_painted(slalom, 128, whole(0, false, 1 / SIDE)));
  for (int k = 1; k < 8; k++) {
    landing other = land(as_painted(slalom, 128, whole(90 * (k % 4), k / 4, 1 / SIDE)));
    claim_below(landing_error(&other, &plain), 1e-6);
  }
}

/* A structure that is the same everywhere, on islands turned by any angle, half the size. */
static void island__turned_by_any_angle_moves_alike(void **unused) {
  (void)unused;
  landing plain = land(as_painted(straight, 16, whole(0, false, 1 / SIDE)));
  for (int degrees = 20; degrees < 360; degrees += 40)
    for (int mirrored = 0; mirrored < 2; mirrored++) {
      landing other = land(as_painted(straight, 16, whole(degrees, mirrored, 0.5 / SIDE)));
      claim_below(landing_error(&other, &plain), 1e-6);
    }
}

/* Cut at x = 1, which the box crosses, into an island that lies as it is and one that is mirrored
 * and turned by 130 degrees, in a picture of 1024 x 512. Between texels the two differ by the
 * error of bilinear filtering, so the claim is 1e-3. */
static void seam__between_a_plain_island_and_a_mirrored_turned_one_is_not_felt(void **unused) {
  (void)unused;
  landing plain = land(as_painted(slalom, 512, whole(0, false, 1 / SIDE)));
  ground g = {.width = 1024, .height = 512, .painted = slalom, .island_count = 2};
  g.islands[0] = whole(0, false, 0.1);
  g.islands[1] = whole(130, true, 0.1);
  g.islands[0].centre[0] = 0, g.islands[0].middle[0] = 0.25;
  g.islands[1].centre[0] = 2, g.islands[1].middle[0] = 0.75;
  landing cut = land(g);
  assert_true(cut.x.x > 1.3); /* it did cross */
  print_message("%.3g of the way\n", landing_error(&cut, &plain));
  claim_below(landing_error(&cut, &plain), 1e-3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(twin_boxes__one_slides_and_one_sticks_as_their_halves_are_painted),
      cmocka_unit_test(border_of_friction__is_felt_within_one_texel),
      cmocka_unit_test(border_of_structure__is_felt_within_one_texel),
      cmocka_unit_test(island__turned_by_right_angles_and_mirrored_moves_alike),
      cmocka_unit_test(island__turned_by_any_angle_moves_alike),
      cmocka_unit_test(seam__between_a_plain_island_and_a_mirrored_turned_one_is_not_felt),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
