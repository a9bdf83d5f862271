/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the comb writes is read back by the core (model/paint.h) wherever a claim is about
 * directions: both must mean the same by a pixel.
 */
#include "sheet.h"

static void random_weights(uint64_t *seed, double weight[3]) {
  double u = claim_random(seed), v = claim_random(seed);
  if (u + v > 1) {
    u = 1 - u;
    v = 1 - v;
  }
  weight[0] = 1 - u - v;
  weight[1] = u;
  weight[2] = v;
}

/* Degrees between two lines without sign. */
static double angle_between(vec3 a, vec3 b) {
  return atan2(vec3_norm(vec3_cross(a, b)), fabs(vec3_dot(a, b))) * 180 / PI;
}

/* Along the sheet at a slope, from end to end, on the surface. */
static void line(double slope, double bend, vec3 *points, size_t count) {
  for (size_t i = 0; i < count; i++) {
    double x = 0.1 + 1.8 * (double)i / (double)(count - 1);
    points[i] = bent(x, 0.5 + slope * (x - 1), bend);
  }
}

static const comb_brush wide = {COMB_ALONG, 0.25, 1, 0};

/* ---- directions ------------------------------------------------------------------------------ */

static void stroke__across_a_seam_has_one_direction_in_the_world(void **state) {
  (void)state;
  double worst = 0;
  for (int mirrored = 0; mirrored < 2; mirrored++)
    for (double slope = -0.3; slope < 0.31; slope += 0.15)
      for (double turn = 0; turn < 6; turn += 1.3) {
        sheet *s = make_sheet(0, turn, mirrored);
        vec3 points[2];
        line(slope, 0, points, 2);
        stroke(s, wide, points, 2);
        core_view view = see(s);
        vec3 wanted = vec3_sub(points[1], points[0]);
        uint64_t seed = 5;
        size_t checked = 0, at_seam = 0;
        for (int i = 0; i < 4000; i++) {
          double weight[3];
          random_weights(&seed, weight);
          seen q =
              core_at(s, &view, (size_t)(claim_random(&seed) * (double)s->triangle_count), weight);
          double t;
          double away = sqrt(distance_point_segment(q.point, points[0], points[1], &t));
          if (away > 0.2) continue;
          assert_true(vec3_norm(q.structure) > 0.5);
          worst = fmax(worst, angle_between(q.structure, wanted));
          checked++;
          at_seam += fabs(q.point.x - 1) < 0.01;
        }
        assert_true(checked > 800 && at_seam > 5);
        free_view(&view);
        free_sheet(s);
      }
  printf("worst angle to the stroke: %g degrees\n", worst);
  claim_below(worst, 0.01);
}

static void stroke__around_a_bend_keeps_to_the_surface(void **state) {
  (void)state;
  const double bend = 1.2; /* 7.5 cm quads on a cylinder of 83 cm: 8.6 degrees a column */
  sheet *s = make_sheet(bend, 2.3, true);
  vec3 points[65];
  line(0.2, bend, points, 65);
  stroke(s, wide, points, 65);
  core_view view = see(s);
  uint64_t seed = 9;
  double worst = 0;
  for (int i = 0; i < 4000; i++) {
    double weight[3];
    random_weights(&seed, weight);
    seen q = core_at(s, &view, (size_t)(claim_random(&seed) * (double)s->triangle_count), weight);
    double x = atan2(q.point.x, 1 / bend - q.point.z) / bend;
    if (x < 0.2 || x > 1.8 || fabs(q.point.y - 0.5 - 0.2 * (x - 1)) > 0.15) continue;
    /* the line of slope 0.2 on the rolled out sheet, at this place */
    vec3 wanted = vec3_make(cos(bend * x), 0.2, sin(bend * x));
    assert_true(vec3_norm(q.structure) > 0.5);
    worst = fmax(worst, angle_between(q.structure, wanted));
  }
  printf("worst angle around the bend: %g degrees\n", worst);
  claim_below(worst, 0.5 * 8.6 + 0.5); /* a triangle's plane is off by half a column's angle */
  free_view(&view);
  free_sheet(s);
}

static void look__sees_what_the_core_sees(void **state) {
  (void)state;
  sheet *s = make_sheet(0.7, 0.9, true);
  uint64_t seed = 3;
  for (size_t i = 0; i < (size_t)SIZE * SIZE; i++)
    for (size_t k = 0; k < 2; k++) s->pixels[4 * i + k] = (float)claim_random(&seed);
  core_view view = see(s);
  for (int i = 0; i < 2000; i++) {
    double weight[3];
    random_weights(&seed, weight);
    size_t t = (size_t)(claim_random(&seed) * (double)s->triangle_count);
    seen q = core_at(s, &view, t, weight);
    comb_glyph mine = comb_look(s->c, s->pixels, t, weight);
    claim_near(vec3_norm(vec3_sub(mine.point, q.point)), 0, 1e-12);
    double length = vec3_norm(mine.structure);
    if (fabs(length - PAINT_LEAST) < 1e-6) continue;
    assert_int_equal(length > PAINT_LEAST, vec3_norm(q.structure) > 0.5);
    if (length > PAINT_LEAST) claim_below(angle_between(mine.structure, q.structure), 1e-3);
  }
  free_view(&view);
  free_sheet(s);
}

/* ---- the brush ------------------------------------------------------------------------------- */

static comb_glyph look_at(const sheet *s, double x, double y) {
  int32_t triangle;
  vec3 point;
  assert_true(comb_pick(s->c, vec3_make(x, y, 3), vec3_make(0, 0, -1), &triangle, &point));
  claim_near(vec3_norm(vec3_sub(point, vec3_make(x, y, 0))), 0, 1e-9);
  vec3 c[3];
  for (size_t k = 0; k < 3; k++) c[k] = s->at[s->triangles[3 * triangle + (int32_t)k]];
  distance_foot foot = distance_point_triangle(point, c);
  return comb_look(s->c, s->pixels, (size_t)triangle, foot.weight);
}

static void stroke__fades_towards_the_rim_of_the_brush(void **state) {
  (void)state;
  sheet *s = make_sheet(0, 0.4, false);
  const vec3 points[2] = {{0.3, 0.5, 0}, {0.7, 0.5, 0}};
  comb_brush brush = {COMB_ALONG, 0.3, 0.6, 0};
  stroke(s, brush, points, 2);
  claim_near(vec3_norm(look_at(s, 0.5, 0.5).structure), 0.6, 1e-3);
  claim_near(vec3_norm(look_at(s, 0.5, 0.62).structure), 0.6, 1e-3);
  claim_near(vec3_norm(look_at(s, 0.5, 0.725).structure), 0.3, 0.02); /* 3/4 of the radius: half */
  claim_near(vec3_norm(look_at(s, 0.5, 0.82).structure), 0, 1e-6);
  free_sheet(s);
}

static void stroke__leaves_what_it_does_not_reach_and_blue_and_alpha(void **state) {
  (void)state;
  sheet *s = make_sheet(0, 0.4, false);
  const vec3 points[2] = {{0.3, 0.5, 0}, {0.7, 0.5, 0}};
  comb_rect rect = stroke(s, (comb_brush){COMB_ALONG, 0.1, 1, 0}, points, 2);
  assert_true(rect.width > 20 && rect.width < 80 && rect.height > 10 && rect.height < 40);
  size_t changed = 0;
  for (int y = 0; y < SIZE; y++)
    for (int x = 0; x < SIZE; x++) {
      const float *p = s->pixels + 4 * (y * SIZE + x);
      bool within =
          x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;
      bool touched = p[0] != 0.5f || p[1] != 0.5f;
      assert_true(within || !touched);
      assert_true(p[2] == 0.25f && p[3] == 1);
      changed += touched;
    }
  assert_true(changed > 200);
  free_sheet(s);
}

static void stroke__does_not_depend_on_the_calls_that_made_it(void **state) {
  (void)state;
  sheet *s = make_sheet(0.5, 2, true);
  vec3 points[40];
  for (size_t i = 0; i < 40; i++) {
    double x = 0.2 + 1.6 * (double)i / 39;
    points[i] = bent(x, 0.5 + 0.2 * sin(5 * x), 0.5);
  }
  comb_brush brush = {COMB_ALONG, 0.2, 0.7, 0};
  stroke(s, brush, points, 40);
  float *whole = malloc(4 * SIZE * SIZE * sizeof *whole);
  memcpy(whole, s->pixels, 4 * SIZE * SIZE * sizeof *whole);
  clear(s->pixels);
  claim_ok(comb_begin(s->c, &brush, err));
  comb_rect changed = {0};
  for (size_t i = 0; i < 40;) {
    size_t some = i % 3 + 1 < 40 - i ? i % 3 + 1 : 40 - i;
    claim_ok(comb_extend(s->c, points + i, some, s->pixels, &changed, err));
    i += some;
  }
  assert_memory_equal(whole, s->pixels, 4 * SIZE * SIZE * sizeof *whole);
  free(whole);
  free_sheet(s);
}

static void stroke__turns_what_was_there_without_thinning_it(void **state) {
  (void)state;
  sheet *s = make_sheet(0, 0.4, false);
  comb_rect changed = {0};
  claim_ok(comb_fill_axis(s->c, vec3_make(1, 0, 0), 1, s->pixels, &changed, err));
  double angle = 50 * PI / 180;
  const vec3 points[2] = {{0.4, 0.4, 0}, {0.4 + 0.2 * cos(angle), 0.4 + 0.2 * sin(angle), 0}};
  stroke(s, (comb_brush){COMB_ALONG, 0.2, 0.5, 0}, points, 2);
  vec3 now = look_at(s, 0.46, 0.48).structure;
  claim_near(vec3_norm(now), 1, 1e-3);
  /* halfway between the double angles 0 and 100 degrees */
  claim_near(angle_between(now, vec3_make(1, 0, 0)), 25, 0.1);
  free_sheet(s);
}

/* A comb of the mesh after one stroke of 20 cm on an empty map; frees nothing. */
static comb *comb_once(comb_mesh mesh, const vec3 points[2], float **pixels, comb_rect *changed) {
  comb *c;
  claim_ok(comb_create(&mesh, NULL, SIZE, SIZE, COMB_WRAP_AUTO, &c, err));
  *pixels = malloc(4 * SIZE * SIZE * sizeof **pixels);
  clear(*pixels);
  comb_brush brush = {COMB_ALONG, 0.2, 1, 0};
  claim_ok(comb_begin(c, &brush, err));
  claim_ok(comb_extend(c, points, 2, *pixels, changed, err));
  return c;
}

static void stroke__spares_the_other_side_of_something_thin(void **state) {
  (void)state;
  /* two squares back to back, 1 cm apart, side by side in the picture */
  const vec3 at[8] = {{0, 0, 0},     {1, 0, 0},     {1, 1, 0},     {0, 1, 0},
                      {0, 0, -0.01}, {1, 0, -0.01}, {1, 1, -0.01}, {0, 1, -0.01}};
  const int32_t triangles[12] = {0, 1, 2, 0, 2, 3, 4, 6, 5, 4, 7, 6};
  double uvs[24];
  for (int i = 0; i < 12; i++) {
    uvs[2 * i] = 0.05 + 0.4 * at[triangles[i]].x + (i < 6 ? 0 : 0.5);
    uvs[2 * i + 1] = 0.05 + 0.4 * at[triangles[i]].y;
  }
  const vec3 points[2] = {{0.3, 0.5, 0}, {0.7, 0.5, 0}};
  float *pixels;
  comb_rect changed = {0};
  comb *c = comb_once((comb_mesh){at, 8, triangles, 4, uvs}, points, &pixels, &changed);
  assert_true(changed.width > 0 && changed.x + changed.width < SIZE / 2);
  free(pixels);
  comb_free(c);
}

static void stroke__paints_islands_that_lie_on_each_other(void **state) {
  (void)state;
  /* two squares apart in space that share their UVs, the second mirrored in them */
  const vec3 at[8] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                      {3, 0, 0}, {4, 0, 0}, {4, 1, 0}, {3, 1, 0}};
  const int32_t triangles[12] = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7};
  double uvs[24];
  for (int i = 0; i < 12; i++) {
    double x = at[triangles[i]].x;
    uvs[2 * i] = 0.1 + 0.8 * (i < 6 ? x : 4 - x);
    uvs[2 * i + 1] = 0.1 + 0.8 * at[triangles[i]].y;
  }
  const vec3 points[2] = {{3.2, 0.2, 0}, {3.8, 0.8, 0}};
  float *pixels;
  comb_rect changed = {0};
  comb *c = comb_once((comb_mesh){at, 8, triangles, 4, uvs}, points, &pixels, &changed);
  const double middle[3] = {0.5, 0, 0.5};
  claim_below(angle_between(comb_look(c, pixels, 2, middle).structure, vec3_make(1, 1, 0)), 0.01);
  claim_below(angle_between(comb_look(c, pixels, 0, middle).structure, vec3_make(1, -1, 0)), 0.01);
  free(pixels);
  comb_free(c);
}

static void stroke__jumps_gaps_without_a_line_between(void **state) {
  (void)state;
  sheet *s = make_sheet(0, 0, false);
  const vec3 points[5] = {
      {0.2, 0.3, 0}, {0.2, 0.7, 0}, {0.5, 0.5, 1}, {0.8, 0.3, 0}, {0.8, 0.7, 0}};
  stroke(s, (comb_brush){COMB_ALONG, 0.1, 1, 0}, points, 5);
  claim_near(vec3_norm(look_at(s, 0.5, 0.5).structure), 0, 1e-6);
  claim_below(angle_between(look_at(s, 0.2, 0.5).structure, vec3_make(0, 1, 0)), 0.01);
  claim_below(angle_between(look_at(s, 0.8, 0.5).structure, vec3_make(0, 1, 0)), 0.01);
  free_sheet(s);
}

/* ---- modes ----------------------------------------------------------------------------------- */

static void erase__takes_structure_away_by_its_strength(void **state) {
  (void)state;
  sheet *s = make_sheet(0, 1, true);
  comb_rect changed = {0};
  claim_ok(comb_fill_axis(s->c, vec3_make(1, 0.3, 0), 1, s->pixels, &changed, err));
  const vec3 dab[1] = {{1, 0.5, 0}};
  stroke(s, (comb_brush){COMB_ERASE, 0.3, 1, 0}, dab, 1);
  claim_near(vec3_norm(look_at(s, 0.95, 0.5).structure), 0, 1e-6);
  claim_near(vec3_norm(look_at(s, 1.05, 0.5).structure), 0, 1e-6);
  claim_near(vec3_norm(look_at(s, 0.5, 0.5).structure), 1, 1e-6);
  const vec3 other[1] = {{0.4, 0.5, 0}};
  stroke(s, (comb_brush){COMB_ERASE, 0.2, 0.25, 0}, other, 1);
  claim_near(vec3_norm(look_at(s, 0.4, 0.5).structure), 0.75, 1e-3);
  free_sheet(s);
}

static void smooth__makes_one_of_two_directions_across_a_seam(void **state) {
  (void)state;
  sheet *s = make_sheet(0, 2, true);
  const double up = 40 * PI / 180;
  comb_rect changed = {0};
  claim_ok(comb_fill_axis(s->c, vec3_make(cos(up), sin(up), 0), 1, s->pixels, &changed, err));
  for (size_t i = 0; i < (size_t)SIZE * SIZE; i++) {
    int32_t owner = comb_get_map(s->c)->owner[i];
    if (owner < 0 || owner >= COLUMNS / 2 * 8) continue;
    s->pixels[4 * i] = 1; /* along u, which is x on the left */
    s->pixels[4 * i + 1] = 0.5f;
  }
  claim_near(angle_between(look_at(s, 0.97, 0.5).structure, vec3_make(1, 0, 0)), 0, 0.1);
  claim_near(angle_between(look_at(s, 1.03, 0.5).structure, vec3_make(1, 0, 0)), 40, 0.1);
  const vec3 dab[1] = {{1, 0.5, 0}};
  for (int i = 0; i < 20; i++) stroke(s, (comb_brush){COMB_SMOOTH, 0.3, 1, 0}, dab, 1);
  double before = 0;
  for (double x = 0.75; x < 1.25; x += 0.02) {
    vec3 d = look_at(s, x, 0.5).structure;
    double angle = angle_between(d, vec3_make(1, 0, 0));
    assert_true(angle >= before - 0.1 && angle < before + 8); /* it was a step of 40 degrees */
    if (fabs(x - 1) < 0.015) claim_near(angle, 20, 5);
    before = angle;
  }
  claim_near(angle_between(look_at(s, 0.5, 0.5).structure, vec3_make(1, 0, 0)), 0, 1e-3);
  free_sheet(s);
}

static void fill__runs_along_an_axis_on_every_island(void **state) {
  (void)state;
  sheet *s = make_sheet(0, 2.5, true);
  comb_rect changed = {0};
  claim_ok(comb_fill_axis(s->c, vec3_make(1, 2, 5), 1, s->pixels, &changed, err));
  for (double x = 0.05; x < 2; x += 0.1)
    claim_below(angle_between(look_at(s, x, 0.4).structure, vec3_make(1, 2, 0)), 0.01);
  claim_ok(comb_fill_none(s->c, s->pixels, &changed, err));
  claim_near(vec3_norm(look_at(s, 1, 0.4).structure), 0, 0);
  claim_ok(comb_fill_uv(s->c, PI / 2, 1, s->pixels, &changed, err));
  claim_below(angle_between(look_at(s, 0.5, 0.4).structure, vec3_make(0, 1, 0)), 0.01);
  free_sheet(s);
}

static void mirror__repeats_the_stroke_in_the_objects_axes(void **state) {
  (void)state;
  sheet *s = make_sheet(0, 2.5, true);
  comb_free(s->c);
  /* the object's own middle is the middle of the sheet, and it is scaled */
  const double transform[16] = {2, 0, 0, 1, 0, 0.5, 0, 0.5, 0, 0, 1, 0, 0, 0, 0, 1};
  comb_mesh mesh = mesh_of(s);
  claim_ok(comb_create(&mesh, transform, SIZE, SIZE, COMB_WRAP_AUTO, &s->c, err));
  const vec3 points[2] = {{0.2, 0.6, 0}, {0.4, 0.7, 0}};
  stroke(s, (comb_brush){COMB_ALONG, 0.15, 1, COMB_MIRROR_X | COMB_MIRROR_Y}, points, 2);
  const vec3 up = {2, 1, 0}, down = {2, -1, 0};
  claim_below(angle_between(look_at(s, 0.3, 0.65).structure, up), 0.01);
  claim_below(angle_between(look_at(s, 1.7, 0.65).structure, down), 0.01);
  claim_below(angle_between(look_at(s, 0.3, 0.35).structure, down), 0.01);
  claim_below(angle_between(look_at(s, 1.7, 0.35).structure, up), 0.01);
  free_sheet(s);
}

/* ---- undo ------------------------------------------------------------------------------------ */

static void swap__undoes_and_redoes_to_the_bit(void **state) {
  (void)state;
  size_t bytes = 4 * SIZE * SIZE * sizeof(float);
  sheet *s = make_sheet(0, 1, true);
  const vec3 first[2] = {{0.3, 0.3, 0}, {1.6, 0.6, 0}}, second[2] = {{1, 0.1, 0}, {1, 0.9, 0}};
  stroke(s, wide, first, 2);
  float *before = malloc(bytes), *after = malloc(bytes);
  memcpy(before, s->pixels, bytes);
  for (int mode = COMB_ALONG; mode <= COMB_ERASE; mode++) {
    stroke(s, (comb_brush){(comb_mode)mode, 0.25, 0.8, 0}, second, 2);
    const comb_saved *saved;
    size_t count;
    comb_end(s->c, &saved, &count);
    assert_true(count > 1000);
    comb_saved *record = malloc(count * sizeof *record);
    memcpy(record, saved, count * sizeof *record);
    memcpy(after, s->pixels, bytes);
    assert_memory_not_equal(before, after, bytes);
    comb_rect changed = {0};
    claim_ok(comb_swap(SIZE, SIZE, record, count, s->pixels, &changed, err));
    assert_memory_equal(s->pixels, before, bytes);
    claim_ok(comb_swap(SIZE, SIZE, record, count, s->pixels, &changed, err));
    assert_memory_equal(s->pixels, after, bytes);
    claim_ok(comb_swap(SIZE, SIZE, record, count, s->pixels, &changed, err));
    free(record);
  }
  comb_saved wrong = {SIZE * SIZE, {0, 0}};
  comb_rect changed = {0};
  claim_fails(comb_swap(SIZE, SIZE, &wrong, 1, s->pixels, &changed, err), TRIBO_BAD_INPUT,
              "outside");
  free(before);
  free(after);
  free_sheet(s);
}

/* ---- maps and faults ------------------------------------------------------------------------- */

static void margin__reaches_beyond_the_islands(void **state) {
  (void)state;
  sheet *s = make_sheet(0, 0, false);
  comb_rect changed = {0};
  claim_ok(comb_fill_uv(s->c, 0, 1, s->pixels, &changed, err));
  /* the left island begins at u = v = 0.05: texel 12.8 */
  for (int beyond = 1; beyond <= 3; beyond++) {
    const float *p = s->pixels + 4 * (40 * SIZE + 12 - beyond);
    claim_near((double)p[0], 1, 1e-6);
  }
  claim_near((double)s->pixels[4 * (40 * SIZE + 12 - 6)], 0.5, 0);
  free_sheet(s);
}

static void glyphs__spread_over_the_surface_by_its_area(void **state) {
  (void)state;
  sheet *s = make_sheet(0, 1, true);
  comb_rect changed = {0};
  claim_ok(comb_fill_axis(s->c, vec3_make(1, 1, 0), 1, s->pixels, &changed, err));
  comb_glyph glyphs[1000];
  size_t count = comb_glyphs(s->c, s->pixels, 0.05, glyphs, 1000);
  claim_near((double)count, 800, 2); /* two square metres */
  size_t quarter[4] = {0};
  for (size_t i = 0; i < count; i++) {
    assert_true(glyphs[i].normal.z > 0.99);
    claim_below(angle_between(glyphs[i].structure, vec3_make(1, 1, 0)), 0.01);
    quarter[(int)(glyphs[i].point.x * 2)]++;
  }
  for (int i = 0; i < 4; i++) claim_near((double)quarter[i], 200, 4);
  free_sheet(s);
}

static void faults__are_told(void **state) {
  (void)state;
  sheet *s = make_sheet(0, 0, false);
  comb_mesh mesh = mesh_of(s);
  comb *c;
  claim_fails(comb_create(&mesh, NULL, 0, 4, COMB_WRAP_AUTO, &c, err), TRIBO_BAD_INPUT, "0 x 4");
  const double flat[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  claim_fails(comb_create(&mesh, flat, 8, 8, COMB_WRAP_AUTO, &c, err), TRIBO_BAD_INPUT, "flat");
  s->uvs[8] = (double)NAN;
  claim_fails(comb_create(&mesh, NULL, 8, 8, COMB_WRAP_AUTO, &c, err), TRIBO_BAD_INPUT,
              "triangle 1, corner 1");
  for (size_t i = 0; i < 6 * s->triangle_count; i++) s->uvs[i] = (double)(i % 7) * 9;
  claim_fails(comb_create(&mesh, NULL, 8, 8, COMB_WRAP_AUTO, &c, err), TRIBO_BAD_INPUT,
              "too often");
  comb_rect changed = {0};
  comb_brush none = {COMB_ALONG, 0, 1, 0}, strong = {COMB_ALONG, 1, 2, 0};
  claim_fails(comb_begin(s->c, &none, err), TRIBO_BAD_INPUT, "radius");
  claim_fails(comb_begin(s->c, &strong, err), TRIBO_BAD_INPUT, "strength");
  const vec3 far[1] = {{(double)NAN, 0, 0}};
  claim_fails(comb_extend(s->c, far, 1, s->pixels, &changed, err), TRIBO_BAD_INPUT, "not begun");
  claim_ok(comb_begin(s->c, &wide, err));
  claim_fails(comb_extend(s->c, far, 1, s->pixels, &changed, err), TRIBO_BAD_INPUT, "point 0");
  free_sheet(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stroke__across_a_seam_has_one_direction_in_the_world),
      cmocka_unit_test(stroke__around_a_bend_keeps_to_the_surface),
      cmocka_unit_test(look__sees_what_the_core_sees),
      cmocka_unit_test(stroke__fades_towards_the_rim_of_the_brush),
      cmocka_unit_test(stroke__leaves_what_it_does_not_reach_and_blue_and_alpha),
      cmocka_unit_test(stroke__does_not_depend_on_the_calls_that_made_it),
      cmocka_unit_test(stroke__turns_what_was_there_without_thinning_it),
      cmocka_unit_test(stroke__spares_the_other_side_of_something_thin),
      cmocka_unit_test(stroke__paints_islands_that_lie_on_each_other),
      cmocka_unit_test(stroke__jumps_gaps_without_a_line_between),
      cmocka_unit_test(erase__takes_structure_away_by_its_strength),
      cmocka_unit_test(smooth__makes_one_of_two_directions_across_a_seam),
      cmocka_unit_test(fill__runs_along_an_axis_on_every_island),
      cmocka_unit_test(mirror__repeats_the_stroke_in_the_objects_axes),
      cmocka_unit_test(swap__undoes_and_redoes_to_the_bit),
      cmocka_unit_test(margin__reaches_beyond_the_islands),
      cmocka_unit_test(glyphs__spread_over_the_surface_by_its_area),
      cmocka_unit_test(faults__are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
