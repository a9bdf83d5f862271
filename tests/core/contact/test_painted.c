/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/painted.h"

#include "stage.h"

static const double PI = 3.14159265358979323846;

enum { W = 64 };

/* The map of a floor: where u < 1/2 the structure runs at 30 degrees to u and friction is halved,
 * beyond at 75 degrees and doubled (the blue channel times 2). */
static float picture[3 * W];

static tribo_map_def paint_picture(void) {
  for (int x = 0; x < W; x++) {
    double angle = (x < W / 2 ? 30 : 75) * PI / 180;
    picture[3 * x] = (float)((1 + cos(angle)) / 2);
    picture[3 * x + 1] = (float)((1 + sin(angle)) / 2);
    picture[3 * x + 2] = x < W / 2 ? 0.25f : 1;
  }
  return (tribo_map_def){picture, W, 1, 3};
}

static void paint_with_picture(tribo_object_def *def, const mesh *shape) {
  def->uvs = shape->uvs;
  def->structure_map = def->friction_map = paint_picture();
  def->maps.friction_channel = TRIBO_CHANNEL_B;
  def->maps.friction_scale = 2;
}

/* A floor of two triangles, 2 m wide, painted, and a small cloth of 25 vertices that hovers over
 * it. The floor has objects' number 0. */
static stage *make_floor(int contact, double spacing) {
  stage *s = stage_make();
  tribo_object_def floor = stage_def(TRIBO_COLLIDER, contact);
  floor.surface.spacing = spacing;
  stage_add(s, floor, stage_sheet(1, 2, 0));
  paint_with_picture(&s->defs[0], &s->shapes[0]);
  stage_add(s, stage_def(TRIBO_CLOTH, TRIBO_CONTACT_AUTO), stage_sheet(4, 0.2, 0.001));
  return s;
}

static vec3 flat_direction(double degrees) {
  return vec3_make(cos(degrees * PI / 180), sin(degrees * PI / 180), 0);
}

static double off(vec3 structure, vec3 expected) {
  return vec3_norm(vec3_cross(structure, vec3_normalized(expected)));
}

/* The same but for the sign. */
static void claim_along(vec3 actual, vec3 expected, double tolerance) {
  claim_near(vec3_norm(actual), 1, 1e-12);
  claim_near(off(actual, expected), 0, tolerance);
}

static void move_cloth(stage *s, double x, double y) {
  const model_body *cloth = &s->m.bodies[0];
  for (int32_t i = 0; i < cloth->node_count; i++) {
    vec3 rest = s->m.rest[cloth->first_node + i];
    s->x[cloth->first_node + i] = vec3_make(rest.x + x, rest.y + y, rest.z);
  }
}

/* ---- a floor --------------------------------------------------------------------------------- */

/* Every contact of the cloth as the picture says, at any place, half a texel from the border on. */
static void claim_floor(stage *s) {
  stage_build(s, MLS_RIGID, 1);
  uint64_t seed = 1;
  size_t left = 0, right = 0;
  for (int i = 0; i < 40; i++) {
    move_cloth(s, claim_between(&seed, -0.3, 0.3), claim_between(&seed, -0.8, 0.8));
    stage_find(s, 0.01);
    assert_int_equal(s->set.count, 25);
    for (size_t c = 0; c < s->set.count; c++) {
      const contact_point *p = &s->set.contacts[c];
      claim_near(p->paint.probe_friction, 1, 0);
      claim_near(vec3_norm(p->paint.probe_structure), 0, 0);
      double texels = p->point.x * W / 2; /* from the border */
      if (fabs(texels) < 0.5) continue;
      bool far_side = texels > 0;
      claim_along(p->paint.surface_structure, flat_direction(far_side ? 75 : 30), 1e-6);
      claim_near(p->paint.surface_friction, far_side ? 2 : 0.5, 1e-6);
      left += !far_side, right += far_side;
    }
  }
  assert_true(left > 100 && right > 100);
  stage_free(s);
}

static void floor__as_an_exact_mesh_is_as_painted_to_half_a_texel(void **state) {
  (void)state;
  claim_floor(make_floor(TRIBO_CONTACT_MESH, 0));
}

static void floor__as_a_smooth_surface_cut_finer_keeps_its_uvs(void **state) {
  (void)state;
  claim_floor(make_floor(TRIBO_CONTACT_MLS, 0.17));
}

static void floor__as_a_plane_is_painted_where_its_mesh_is(void **state) {
  (void)state;
  claim_floor(make_floor(TRIBO_CONTACT_PLANE, 0));
}

/* What jumps through in one step has the triangle that it crossed, of the finer mesh too. */
static void floor__is_painted_where_a_point_went_through_it(void **state) {
  (void)state;
  const int forms[] = {TRIBO_CONTACT_MESH, TRIBO_CONTACT_MLS, TRIBO_CONTACT_PLANE};
  for (int i = 0; i < 3; i++)
    for (int side = -1; side < 2; side += 2) {
      stage *s = make_floor(forms[i], 0.17);
      stage_build(s, MLS_RIGID, 1);
      move_cloth(s, 0.4 * side, 0.3);
      memcpy(s->x_before, s->x, (size_t)s->m.node_count * sizeof *s->x);
      stage_carry(s);
      memcpy(s->before, s->vertices, (size_t)s->m.vertex_count * sizeof *s->vertices);
      stage_moves(s);
      for (int32_t n = 0; n < s->m.node_count; n++) s->x[n].z = -0.9;
      stage_find(s, 0.01);
      assert_int_equal(s->set.count, 25);
      for (size_t c = 0; c < 25; c++) {
        const contact_point *p = &s->set.contacts[c];
        claim_near(p->gap, -0.9, 1e-9);
        claim_along(p->paint.surface_structure, flat_direction(side > 0 ? 75 : 30), 1e-6);
        claim_near(p->paint.surface_friction, side > 0 ? 2 : 0.5, 1e-6);
      }
      stage_free(s);
    }
}

static void border__is_crossed_within_one_texel(void **state) {
  (void)state;
  stage *s = make_floor(TRIBO_CONTACT_MLS, 0.17);
  stage_build(s, MLS_RIGID, 1);
  double last = 0, texel = 2.0 / W;
  for (int i = 0; i <= 20; i++) { /* vertex 12 is the middle of the cloth */
    double x = (i - 10) * texel / 20;
    move_cloth(s, x, 0.05);
    stage_find(s, 0.01);
    const contact_paint *p = &s->set.contacts[12].paint;
    claim_near(s->set.contacts[12].point.x, x, 1e-9);
    claim_near(p->surface_friction, 0.5 + 1.5 * i / 20, 1e-6); /* bilinear from end to end */
    double angle = atan2(p->surface_structure.y, p->surface_structure.x);
    assert_true(i == 0 || angle > last);
    last = angle;
  }
  stage_free(s);
}

static void unpainted__contacts_have_friction_1_and_no_structure(void **state) {
  (void)state;
  stage *s = make_floor(TRIBO_CONTACT_MESH, 0);
  s->defs[0].structure_map = s->defs[0].friction_map = (tribo_map_def){0};
  stage_build(s, MLS_RIGID, 1);
  stage_find(s, 0.01);
  for (size_t c = 0; c < s->set.count; c++) {
    const contact_paint *p = &s->set.contacts[c].paint;
    claim_near(p->surface_friction, 1, 0);
    claim_near(p->probe_friction, 1, 0);
    claim_near(vec3_norm(p->surface_structure) + vec3_norm(p->probe_structure), 0, 0);
  }
  stage_free(s);
}

/* ---- what moves ------------------------------------------------------------------------------ */

static void collider__that_turns_carries_its_structure(void **state) {
  (void)state;
  for (int contact = TRIBO_CONTACT_MLS; contact <= TRIBO_CONTACT_PLANE; contact++) {
    stage *s = make_floor(contact, 0.17);
    double a = 0.6; /* about z, and twice as large */
    double turned[16] = {2 * cos(a), -2 * sin(a), 0, 0, 2 * sin(a), 2 * cos(a), 0, 0,
                         0,          0,           2, 0, 0,          0,          0, 1};
    s->defs[0].motion = (tribo_motion_def){.transforms = turned, .sample_count = 1, .interval = 1};
    stage_build(s, MLS_RIGID, 1);
    move_cloth(s, -0.6, -0.5);
    stage_find(s, 0.01);
    assert_int_equal(s->set.count, 25);
    for (size_t c = 0; c < 25; c++) {
      claim_along(s->set.contacts[c].paint.surface_structure, flat_direction(30 + a * 180 / PI),
                  1e-6);
      claim_near(s->set.contacts[c].paint.surface_friction, 0.5, 1e-6);
    }
    stage_free(s);
  }
}

static void collider__that_shears_carries_its_structure_like_a_drawn_line(void **state) {
  (void)state;
  for (int contact = TRIBO_CONTACT_MLS; contact <= TRIBO_CONTACT_MESH; contact++)
    for (int cut = 0; cut < 2; cut++) {
      stage *s = make_floor(contact, cut && contact == TRIBO_CONTACT_MLS ? 0.3 : 0);
      double points[12]; /* x' = x + 0.8 y, y' = 1.5 y */
      for (int v = 0; v < 4; v++) {
        const double *p = s->shapes[0].positions + 3 * v;
        points[3 * v] = p[0] + 0.8 * p[1];
        points[3 * v + 1] = 1.5 * p[1];
        points[3 * v + 2] = 0;
      }
      s->defs[0].motion = (tribo_motion_def){.points = points, .sample_count = 1, .interval = 1};
      stage_build(s, MLS_RIGID, 1);
      move_cloth(s, -0.4, 0.1);
      stage_find(s, 0.01);
      assert_int_equal(s->set.count, 25);
      vec3 line = flat_direction(30);
      vec3 expected = vec3_make(line.x + 0.8 * line.y, 1.5 * line.y, 0);
      for (size_t c = 0; c < 25; c++) {
        claim_along(s->set.contacts[c].paint.surface_structure, expected, 1e-6);
        claim_near(s->set.contacts[c].paint.surface_friction, 0.5, 1e-6);
      }
      stage_free(s);
    }
}

/* ---- the probe's side ----------------------------------------------------------------------- */

static void cloth__says_at_its_vertices_what_is_painted_on_it(void **state) {
  (void)state;
  stage *s = stage_make();
  stage_add(s, stage_def(TRIBO_COLLIDER, TRIBO_CONTACT_MESH), stage_sheet(1, 2, 0));
  stage_add(s, stage_def(TRIBO_CLOTH, TRIBO_CONTACT_AUTO), stage_sheet(8, 0.8, 0.001));
  paint_with_picture(&s->defs[1], &s->shapes[1]);
  stage_build(s, MLS_RIGID, 1);
  /* drawn out to twice its width: what ran at angle a runs at atan(tan(a) / 2) */
  for (int32_t i = 0; i < s->m.node_count; i++) s->x[i].x *= 2;
  stage_find(s, 0.01);
  assert_int_equal(s->set.count, 81);
  for (size_t c = 0; c < 81; c++) {
    const contact_point *p = &s->set.contacts[c];
    if (fabs(p->point.x) < 1e-9) continue; /* on the border */
    bool far_side = p->point.x > 0;
    vec3 line = flat_direction(far_side ? 75 : 30);
    claim_along(p->paint.probe_structure, vec3_make(2 * line.x, line.y, 0), 1e-6);
    claim_near(p->paint.probe_friction, far_side ? 2 : 0.5, 1e-6);
    claim_near(p->paint.surface_friction, 1, 0);
  }
  stage_free(s);
}

/* By vertex: friction 1 + z and structure towards +z of the ball's own frame, before it rolled. */
static void ball__that_feels_with_its_centre_is_painted_where_it_touches(void **state) {
  (void)state;
  stage *s = stage_make();
  stage_add(s, stage_def(TRIBO_COLLIDER, TRIBO_CONTACT_PLANE), stage_sheet(1, 6, 0));
  mesh ball = stage_ball(16, 1, false);
  shape_move(&ball, 0, 0, 1);
  size_t count = ball.vertex_count;
  double *friction = ARENA_ARRAY(&s->memory, double, count);
  double *structure = ARENA_ARRAY(&s->memory, double, 3 * count);
  for (size_t v = 0; v < count; v++) {
    friction[v] = 1 + ball.positions[3 * v + 2];
    structure[3 * v + 2] = 1;
  }
  stage_add(s, stage_def(TRIBO_RIGID, TRIBO_CONTACT_SPHERE), ball);
  s->defs[1].vertex_friction = friction;
  s->defs[1].vertex_structure = structure;
  stage_build(s, MLS_RIGID, 1);
  for (int i = 0; i < 12; i++) {
    double a = 0.1 + i * PI / 12; /* rolled about y: the lowest point was at z = 1 - cos a */
    vec3 spin = vec3_make(0, a, 0);
    s->x[s->m.rigids[0].node + 1] = vec3_scale(s->m.rigids[0].length, spin);
    stage_find(s, 0.01);
    assert_int_equal(s->set.count, 1);
    const contact_paint *p = &s->set.contacts[0].paint;
    claim_near(p->probe_friction, 1 + (1 - cos(a)), 0.02); /* the mesh is no sphere quite */
    if (sin(a) < 0.6) continue; /* hardly along the surface there: facets decide */
    claim_along(p->probe_structure, vec3_make(1, 0, 0), 0.1);
  }
  stage_free(s);
}

/* ---- a curved smooth surface ----------------------------------------------------------------- */

/* A globe of `around` x `across` quads between 60 degrees south and north, u eastward, v northward;
 * where cut, the half east of 0 degrees has UVs turned by a right angle. */
static mesh make_globe(int around, int across, bool cut) {
  size_t vertices = (size_t)(around * (across + 1));
  mesh m = shape_new(vertices, (size_t)(2 * around * across), 0);
  m.uvs = calloc(6 * m.triangle_count, sizeof *m.uvs);
  assert_non_null(m.uvs);
  for (int j = 0; j <= across; j++)
    for (int i = 0; i < around; i++) {
      double east = 2 * PI * i / around, north = PI / 3 * (2.0 * j / across - 1);
      double *p = m.positions + 3 * (j * around + i);
      p[0] = cos(north) * cos(east), p[1] = cos(north) * sin(east), p[2] = sin(north);
    }
  for (int j = 0, t = 0; j < across; j++)
    for (int i = 0; i < around; i++)
      for (int half = 0; half < 2; half++, t++) {
        const int corners[2][3][2] = {{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 1}}};
        for (int k = 0; k < 3; k++) {
          int a = i + corners[half][k][0], b = j + corners[half][k][1];
          m.triangles[3 * t + k] = b * around + a % around;
          double u = (double)a / around, v = (double)b / across;
          bool turned = cut && i < around / 2;
          m.uvs[2 * (3 * t + k)] = turned ? -v : u;
          m.uvs[2 * (3 * t + k) + 1] = turned ? u : v;
        }
      }
  return m;
}

/* The structure at places on a ring just above the globe, along one line of latitude. */
enum { RING = 700 };
typedef struct ring {
  vec3 at[RING], structure[RING], normal[RING];
} ring;

static void narrow_ring(const float *pixel, bool cut, int contact, double north, ring *out) {
  stage *s = stage_make();
  stage_add(s, stage_def(TRIBO_COLLIDER, contact), make_globe(24, 10, cut));
  s->defs[0].uvs = s->shapes[0].uvs;
  s->defs[0].structure_map = (tribo_map_def){pixel, 1, 1, 3};
  stage_add(s, stage_def(TRIBO_CLOTH, TRIBO_CONTACT_AUTO), stage_sheet(1, 0.01, 5));
  stage_build(s, MLS_RIGID, 1);
  for (int i = 0; i < RING; i++) {
    double east = 2 * PI * i / RING;
    vec3 up = vec3_make(cos(north) * cos(east), cos(north) * sin(east), sin(north));
    for (int v = 0; v < 4; v++) s->x[v] = vec3_scale(v ? 5 : 1.002, up);
    stage_find(s, 0.05);
    assert_int_equal(s->set.count, 1);
    out->at[i] = up;
    out->normal[i] = s->set.contacts[0].normal;
    out->structure[i] = s->set.contacts[0].paint.surface_structure;
    claim_near(vec3_dot(out->structure[i], out->normal[i]), 0, 1e-12);
  }
  stage_free(s);
}

/* East on the globe. */
static vec3 east_of(vec3 at) { return vec3_normalized(vec3_make(-at.y, at.x, 0)); }

static double worst_from_east(const ring *r) {
  double worst = 0;
  for (int i = 0; i < RING; i++) worst = fmax(worst, off(r->structure[i], east_of(r->at[i])));
  return worst;
}

/* The largest change from one place to the next, beyond that of the direction looked for. */
static double worst_jump(const ring *r) {
  double worst = 0;
  for (int i = 0; i < RING; i++) {
    int j = (i + 1) % RING;
    vec3 step = vec3_sub(
        r->structure[j],
        vec3_scale(vec3_dot(r->structure[i], r->structure[j]) < 0 ? -1 : 1, r->structure[i]));
    worst = fmax(worst, vec3_norm(step));
  }
  return worst;
}

static void smooth_surface__blends_the_frames_that_a_mesh_has_by_facet(void **state) {
  (void)state;
  const float east[] = {1, 0.5f, 0};
  ring *smooth = calloc(2, sizeof *smooth), *facets = smooth + 1;
  narrow_ring(east, false, TRIBO_CONTACT_MLS, 0.5, smooth);
  narrow_ring(east, false, TRIBO_CONTACT_MESH, 0.5, facets);
  print_message(
      "from east: smooth %.4f, facets %.4f; jumps: smooth %.4f, facets %.4f, turning "
      "%.4f\n",
      worst_from_east(smooth), worst_from_east(facets), worst_jump(smooth), worst_jump(facets),
      2 * PI / RING);
  claim_below(worst_from_east(smooth), worst_from_east(facets) / 2);
  claim_below(worst_jump(smooth), 0.03);
  claim_below(0.05, worst_jump(facets));
  free(smooth);
}

static void smooth_surface__is_whole_across_a_seam_whose_islands_lie_turned(void **state) {
  (void)state;
  /* on one half u runs south and v east; there (-1, 1) is painted for what is (1, 1) elsewhere */
  const float slope[] = {0.8535534f, 0.8535534f, 0}, other[] = {0.1464466f, 0.8535534f, 0};
  ring *whole = calloc(2, sizeof *whole), *cut = whole + 1;
  narrow_ring(slope, false, TRIBO_CONTACT_MLS, 0.5, whole);
  narrow_ring(other, true, TRIBO_CONTACT_MLS, 0.5, cut);
  for (int i = 0; i < RING; i++) {
    double east = 2 * PI * i / RING;
    if (east > PI) continue; /* the turned half; the other is painted for itself */
    claim_near(off(whole->structure[i], cut->structure[i]), 0, 0.06);
  }
  free(whole);
}

/* A globe with its vertices shaken, so that large triangles lie beside small ones. */
static void smooth_surface__is_painted_at_the_closest_place_of_its_mesh(void **state) {
  (void)state;
  uint64_t seed = 21;
  stage *s = stage_make();
  mesh globe = make_globe(20, 9, false);
  double *friction = ARENA_ARRAY(&s->memory, double, globe.vertex_count);
  for (size_t i = 0; i < 3 * globe.vertex_count; i++)
    globe.positions[i] = globe.positions[i] * (i % 3 ? 1 : 2) + claim_between(&seed, -0.09, 0.09);
  for (size_t v = 0; v < globe.vertex_count; v++) friction[v] = claim_between(&seed, 0, 10);
  stage_add(s, stage_def(TRIBO_COLLIDER, TRIBO_CONTACT_MLS), globe);
  s->defs[0].vertex_friction = friction;
  stage_add(s, stage_def(TRIBO_CLOTH, TRIBO_CONTACT_AUTO), stage_sheet(1, 0.01, 5));
  stage_build(s, MLS_RIGID, 1);
  size_t found = 0;
  for (int i = 0; i < 400; i++) {
    vec3 up = vec3_normalized(stage_random(&seed, 1));
    up.z *= 0.8;
    for (int v = 0; v < 4; v++) s->x[v] = v ? vec3_scale(9, up) : vec3_make(2 * up.x, up.y, up.z);
    stage_find(s, 0.3);
    if (s->set.count == 0) continue;
    found++;
    double least = INFINITY, expected = 0;
    for (size_t t = 0; t < globe.triangle_count; t++) {
      const int32_t *v = globe.triangles + 3 * t;
      vec3 c[3];
      for (int k = 0; k < 3; k++) c[k] = vec3_from(globe.positions + 3 * v[k]);
      distance_foot d = distance_point_triangle(s->set.contacts[0].point, c);
      if (d.distance2 >= least) continue;
      least = d.distance2;
      expected = 0;
      for (int k = 0; k < 3; k++) expected += d.weight[k] * friction[v[k]];
    }
    claim_near(s->set.contacts[0].paint.surface_friction, expected, 1e-6);
  }
  assert_true(found > 200);
  stage_free(s);
}

static void paint__is_the_same_to_the_bit_for_any_number_of_threads(void **state) {
  (void)state;
  contact_paint *first = NULL;
  size_t count = 0;
  for (int threads = 1; threads <= 4; threads++) {
    stage *s = stage_make();
    stage_add(s, stage_def(TRIBO_COLLIDER, TRIBO_CONTACT_MLS), stage_sheet(12, 2, 0));
    stage_add(s, stage_def(TRIBO_CLOTH, TRIBO_CONTACT_AUTO), stage_sheet(40, 1.7, 0.001));
    for (int i = 0; i < 2; i++) paint_with_picture(&s->defs[i], &s->shapes[i]);
    stage_build(s, MLS_RIGID, threads);
    for (int32_t i = 0; i < s->m.node_count; i++) s->x[i].z += 0.01 * sin(9.0 * i);
    stage_find(s, 0.02);
    assert_true(s->set.count > 1000);
    if (!first) {
      count = s->set.count;
      first = calloc(count, sizeof *first);
      for (size_t c = 0; c < count; c++) first[c] = s->set.contacts[c].paint;
    }
    assert_int_equal(s->set.count, count);
    for (size_t c = 0; c < count; c++)
      assert_memory_equal(&first[c], &s->set.contacts[c].paint, sizeof *first);
    stage_free(s);
  }
  free(first);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(floor__as_an_exact_mesh_is_as_painted_to_half_a_texel),
      cmocka_unit_test(floor__as_a_smooth_surface_cut_finer_keeps_its_uvs),
      cmocka_unit_test(floor__as_a_plane_is_painted_where_its_mesh_is),
      cmocka_unit_test(floor__is_painted_where_a_point_went_through_it),
      cmocka_unit_test(border__is_crossed_within_one_texel),
      cmocka_unit_test(unpainted__contacts_have_friction_1_and_no_structure),
      cmocka_unit_test(collider__that_turns_carries_its_structure),
      cmocka_unit_test(collider__that_shears_carries_its_structure_like_a_drawn_line),
      cmocka_unit_test(cloth__says_at_its_vertices_what_is_painted_on_it),
      cmocka_unit_test(ball__that_feels_with_its_centre_is_painted_where_it_touches),
      cmocka_unit_test(paint__is_the_same_to_the_bit_for_any_number_of_threads),
      cmocka_unit_test(smooth_surface__is_painted_at_the_closest_place_of_its_mesh),
      cmocka_unit_test(smooth_surface__blends_the_frames_that_a_mesh_has_by_facet),
      cmocka_unit_test(smooth_surface__is_whole_across_a_seam_whose_islands_lie_turned),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
