/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene_fixture.h"

static void scene_starts_with_the_defaults(void **state) {
  fixture *f = *state;
  assert_true(f->scene->world.gravity[2] == -9.81);
  assert_int_equal(f->scene->objects.count, 0);
  claim_ok(scene_check(f->scene, err));
  claim_near(scene_step_seconds(f->scene), 1.0 / 96, 1e-17);
}

static void scene_owns_copies(void **state) {
  fixture *f = *state;
  char name[] = "sheet";
  int32_t held[] = {0, 3};
  double targets[] = {0, 0, 1, 0, 1, 1};
  tribo_pin_def pin = {held, 2, targets, 1, 1, 1, tribo_pin_defaults()};
  f->sheet.def.name = name;
  f->sheet.def.uvs = f->sheet.uvs;
  f->sheet.def.pins = &pin;
  f->sheet.def.pin_count = 1;
  size_t index = 9;
  claim_ok(scene_add(f->scene, &f->sheet.def, &index, err));
  claim_ok(scene_add(f->scene, &f->block.def, NULL, err));
  assert_int_equal(index, 0);
  uint64_t hash = scene_hash(f->scene);
  memset(name, 'x', 5);
  memset(held, 0, sizeof held);
  memset(targets, 0, sizeof targets);
  memset(&f->sheet, 0, sizeof f->sheet);
  memset(&f->block, 0, sizeof f->block);
  assert_true(scene_hash(f->scene) == hash);
  assert_string_equal(f->scene->objects.data[0].name, "sheet");
  assert_int_equal(f->scene->objects.data[0].pins[0].vertices[1], 3);
  assert_true(f->scene->objects.data[0].pins[0].targets[5] == 1);
}

static void scene_owns_what_contact_needs(void **state) {
  fixture *f = *state;
  char material[] = "wood", a[] = "wood", b[] = "stone";
  double transforms[16] = {1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, points[12];
  memcpy(points, f->stone.positions, sizeof points);
  tribo_friction_params friction = tribo_friction_defaults();
  friction.mu = 0.25;
  tribo_object_def *ramp = &f->ramp.def, *other = &f->stone.def;
  ramp->material = material;
  ramp->motion = (tribo_motion_def){transforms, NULL, 1, 1, 1};
  other->kind = TRIBO_COLLIDER;
  other->motion = (tribo_motion_def){NULL, points, 1, 1, 1};
  claim_ok(scene_add(f->scene, ramp, NULL, err));
  claim_ok(scene_add(f->scene, other, NULL, err));
  claim_ok(scene_add(f->scene, &f->caged.block.def, NULL, err));
  claim_ok(scene_set_pair(f->scene, a, b, &friction, err));
  uint64_t hash = scene_hash(f->scene);
  memset(material, 'x', 4), memset(a, 'x', 4), memset(b, 'x', 5);
  memset(transforms, 0, sizeof transforms), memset(points, 0, sizeof points);
  memset(&f->ramp, 0, sizeof f->ramp), memset(&f->caged, 0, sizeof f->caged);
  assert_true(scene_hash(f->scene) == hash);
  assert_string_equal(f->scene->objects.data[0].material, "wood");
  assert_true(f->scene->objects.data[0].motion.transforms[3] == 2);
  assert_true(f->scene->objects.data[1].motion.points[3] == 1);
  assert_int_equal(f->scene->objects.data[2].cage_count, 5);
  assert_true(f->scene->objects.data[2].cage[14] == -1);
  assert_string_equal(f->scene->pairs.data[0].b, "stone");
}

static void names_unfit_for_a_file_are_refused(void **state) {
  fixture *f = *state;
  tribo_object_def *def = &f->sheet.def;
  def->name = NULL;
  claim_refused(f, def, "objects[0] has no name; give one");
  def->name = "";
  claim_refused(f, def, "objects[0] has no name");
  def->name = "a/b";
  claim_refused(f, def, "object 'a/b': a name must not hold '/'");
  def->name = ".hidden";
  claim_refused(f, def, "object '.hidden': a name must not start with '.'");
  def->name = "a\nb";
  claim_refused(f, def, "objects[0]: the name holds the control character 0x0a at byte 1");
  def->name = "a\x7f";
  claim_refused(f, def, "control character 0x7f");
  static const char *const unfit[][2] = {{"a\\b", "must not hold '\\'"},
                                         {"a:b", "must not hold ':'"},
                                         {"what?", "must not hold '?'"},
                                         {"end.", "must not end in a dot"},
                                         {"end ", "must not end in a space"},
                                         {"CON", "Windows keeps that name"},
                                         {"nul.cloth", "Windows keeps that name"},
                                         {"Com1", "Windows keeps that name"},
                                         {"lpt\xc2\xb2", "Windows keeps that name"},
                                         {"caf\xe9", "the name is not UTF-8"}};
  for (size_t i = 0; i < sizeof unfit / sizeof *unfit; i++) {
    def->name = unfit[i][0];
    claim_refused(f, def, unfit[i][1]);
  }
  char name[202];
  memset(name, 'n', 201);
  name[201] = 0;
  def->name = name;
  claim_refused(f, def, "the name has 201 bytes; give at most 200");
  name[200] = 0;
  claim_ok(scene_add(f->scene, def, NULL, err));
  def->name = "Stoff.001 \xc3\xa4";
  claim_ok(scene_add(f->scene, def, NULL, err));
}

static void names_must_differ_in_more_than_case(void **state) {
  fixture *f = *state;
  claim_ok(scene_add(f->scene, &f->sheet.def, NULL, err));
  claim_refused(f, &f->sheet.def, "object 'sheet': objects[0] has that name already");
  f->block.def.name = "Sheet";
  claim_refused(f, &f->block.def,
                "object 'Sheet': the name differs from objects[0] 'sheet' only in case");
  f->block.def.name = "\xc3\x84rmel";
  claim_ok(scene_add(f->scene, &f->block.def, NULL, err));
  f->sheet.def.name = "a\xcc\x88rmel";
  claim_refused(f, &f->sheet.def, "or in how accents are put on letters");
}

static void vertex_that_is_not_finite_is_named(void **state) {
  fixture *f = *state;
  f->sheet.positions[3] = NAN;
  claim_refused(f, &f->sheet.def,
                "object 'sheet': vertex 1 is (nan, 0, 0); every coordinate must "
                "be a finite number");
  f->sheet.positions[3] = -INFINITY;
  claim_refused(f, &f->sheet.def, "vertex 1 is (-inf, 0, 0)");
  f->sheet.positions[3] = 1e30;
  claim_refused(f, &f->sheet.def,
                "vertex 1 is (1e+30, 0, 0); keep every coordinate within 1e+09 m");
}

static void index_out_of_range_is_named(void **state) {
  fixture *f = *state;
  f->sheet.triangles[4] = 900;
  claim_refused(f, &f->sheet.def,
                "object 'sheet': triangle 1 uses vertex 900, but the object has 4 vertices");
  f->sheet.triangles[4] = -1;
  claim_refused(f, &f->sheet.def, "triangle 1 uses vertex -1");
  f->block.tets[7] = 5;
  claim_refused(f, &f->block.def,
                "object 'block': tet 1 uses vertex 5, but the object has 5 vertices");
}

static void element_with_a_vertex_twice_is_named(void **state) {
  fixture *f = *state;
  f->sheet.triangles[5] = 0;
  claim_refused(f, &f->sheet.def, "object 'sheet': triangle 1 uses vertex 0 twice");
  f->block.tets[3] = 2;
  claim_refused(f, &f->block.def, "object 'block': tet 0 uses vertex 2 twice");
}

static void inverted_tet_is_named(void **state) {
  fixture *f = *state;
  f->block.tets[4] = 2, f->block.tets[5] = 0;
  claim_refused(f, &f->block.def,
                "object 'block': tet 1 (vertices 2, 0, 1, 4) is inverted, volume "
                "-0.166667 m^3; swap two of its vertices");
}

static void flat_tet_is_named_at_any_scale(void **state) {
  fixture *f = *state;
  f->block.positions[11] = 0;
  f->block.positions[9] = 0.3;
  claim_refused(f, &f->block.def, "object 'block': tet 0 (vertices 0, 1, 2, 3) is flat, volume 0");
  f->block.positions[11] = -1e-12; /* inverted only by rounding: flat */
  claim_refused(f, &f->block.def, "tet 0 (vertices 0, 1, 2, 3) is flat");

  small_block tiny;
  small_block_make(&tiny);
  for (int i = 0; i < 15; i++) tiny.positions[i] *= 1e-6;
  claim_ok(scene_add(f->scene, &tiny.def, NULL, err));
}

static void triangle_without_area_is_named(void **state) {
  fixture *f = *state;
  f->sheet.positions[9] = 0.5, f->sheet.positions[10] = 0.5;
  claim_refused(f, &f->sheet.def,
                "object 'sheet': triangle 1 (vertices 0, 2, 3) has no area (0 "
                "m^2 at a longest edge of 1.41421 m)");
}

static void vertex_of_no_element_is_named(void **state) {
  fixture *f = *state;
  f->sheet.def.triangle_count = 1;
  claim_refused(f, &f->sheet.def,
                "object 'sheet': vertex 3 belongs to no triangle; remove it or connect it");
  f->block.def.tet_count = 1;
  claim_refused(f, &f->block.def, "object 'block': vertex 4 belongs to no tet");
}

static void geometry_of_another_kind_is_refused(void **state) {
  fixture *f = *state;
  f->sheet.def.tets = f->block.tets, f->sheet.def.tet_count = 2;
  claim_refused(f, &f->sheet.def, "object 'sheet': a cloth has no tets");
  f->block.def.uvs = f->sheet.uvs;
  claim_refused(f, &f->block.def, "object 'block': a solid has no uvs");
  f->block.def.triangles = f->sheet.triangles, f->block.def.triangle_count = 2;
  claim_refused(f, &f->block.def, "object 'block': a solid takes tets only");
  f->block.def.kind = (tribo_kind)7;
  claim_refused(f, &f->block.def, "object 'block': kind 7 is unknown");
}

static void missing_geometry_is_refused(void **state) {
  fixture *f = *state;
  f->sheet.def.triangle_count = 0;
  claim_refused(f, &f->sheet.def, "object 'sheet': it has no triangles");
  f->block.def.tets = NULL;
  claim_refused(f, &f->block.def, "object 'block': it has no tets");
  f->block.def.positions = NULL;
  claim_refused(f, &f->block.def, "object 'block': it has no vertices");
}

static void too_many_vertices_are_refused_before_they_are_read(void **state) {
  fixture *f = *state;
  f->sheet.def.vertex_count = ((size_t)1 << 27) + 1;
  claim_refused(f, &f->sheet.def,
                "object 'sheet': 134217729 vertices are too many; a scene takes "
                "134217728, and 0 are in use");
  f->sheet.def.vertex_count = SIZE_MAX;
  claim_refused(f, &f->sheet.def, "vertices are too many");
  claim_ok(scene_add(f->scene, &f->block.def, NULL, err));
  f->sheet.def.vertex_count = ((size_t)1 << 27) - 4;
  claim_refused(f, &f->sheet.def, "134217728, and 5 are in use");
  f->sheet.def.vertex_count = 4;
  f->sheet.def.triangle_count = (size_t)1 << 27;
  claim_refused(f, &f->sheet.def, "134217728 triangles are too many");
}

static void parameters_out_of_range_are_named(void **state) {
  fixture *f = *state;
  f->block.def.solid.density = -5;
  claim_refused(f, &f->block.def,
                "object 'block': elastic.density is -5 kg/m^3; give 1e-06 to 1e+06 kg/m^3");
  f->sheet.def.cloth.bend = NAN;
  claim_refused(f, &f->sheet.def, "object 'sheet': elastic.bend is nan N m; give 0 to 1e+09 N m");
  f->sheet.def.object.velocity[2] = NAN;
  claim_refused(f, &f->sheet.def, "object 'sheet': velocity is (0, 0, nan) m/s");
}

static void parameters_of_the_other_kind_do_not_matter(void **state) {
  fixture *f = *state;
  f->sheet.def.solid.density = -5;
  claim_ok(scene_add(f->scene, &f->sheet.def, NULL, err));
}

static void warp_that_cannot_be_found_is_refused(void **state) {
  fixture *f = *state;
  tribo_object_def *def = &f->sheet.def;
  def->cloth.warp_from = TRIBO_WARP_FROM_UV;
  claim_refused(f, def, "object 'sheet': elastic.warp_from is uv, but the mesh has no uvs");
  def->uvs = f->sheet.uvs;
  f->sheet.uvs[10] = 0.5, f->sheet.uvs[11] = 0.5;
  claim_refused(f, def, "elastic.warp_from is uv, but triangle 1 has no area in the uvs");
  f->sheet.uvs[10] = NAN;
  claim_refused(f, def, "uv of corner 2 of triangle 1 is (nan, 0.5)");
  f->sheet.uvs[10] = 0, f->sheet.uvs[11] = 1;
  def->cloth.warp_from = TRIBO_WARP_FROM_AXIS;
  def->cloth.warp_axis[0] = 0;
  claim_refused(f, def, "object 'sheet': elastic.warp_axis is (0, 0, 0); give a direction");
  def->cloth.warp_axis[2] = 2;
  claim_refused(f, def,
                "object 'sheet': elastic.warp_axis (0, 0, 2) is perpendicular to triangle 0 "
                "(vertices 0, 1, 2)");
  def->cloth.warp_from = TRIBO_WARP_FROM_UV;
  claim_ok(scene_add(f->scene, def, NULL, err));
}

static void shells_may_have_loose_vertices_and_some_flat_triangles(void **state) {
  fixture *f = *state;
  f->ramp.positions[9] = 0.5, f->ramp.positions[10] = 0.5, f->ramp.positions[11] = 0.25;
  claim_ok(scene_add(f->scene, &f->ramp.def, NULL, err)); /* triangle 1 has no area */
  f->ramp.def.name = "loose", f->ramp.def.triangle_count = 1;
  claim_ok(scene_add(f->scene, &f->ramp.def, NULL, err));
  f->ramp.def.name = "flat";
  memset(f->ramp.positions, 0, sizeof f->ramp.positions);
  claim_refused(f, &f->ramp.def,
                "object 'flat': none of its 1 triangles has an area; nothing could touch it");
  f->stone.triangles[0] = 9;
  claim_refused(f, &f->stone.def,
                "object 'stone': triangle 0 uses vertex 9, but the object has 4 vertices");
}

static void shells_have_no_tets_and_no_pins(void **state) {
  fixture *f = *state;
  int32_t held[] = {0};
  tribo_pin_def pin = {held, 1, NULL, 0, 0, 0, tribo_pin_defaults()};
  f->stone.def.pins = f->ramp.def.pins = &pin;
  f->stone.def.pin_count = f->ramp.def.pin_count = 1;
  claim_refused(f, &f->stone.def,
                "object 'stone': a rigid body cannot be pinned; make it a collider with an "
                "animation");
  claim_refused(f, &f->ramp.def,
                "object 'ramp': a collider stays where its motion puts it; leave its 1 pins out");
  f->stone.def.tets = f->block.tets, f->stone.def.tet_count = 2;
  claim_refused(f, &f->stone.def, "object 'stone': a rigid body has no tets");
  f->stone.def.tet_count = 0, f->stone.def.triangle_count = 0;
  claim_refused(f, &f->stone.def, "object 'stone': it has no triangles; a rigid body is made of");
}

static void colliders_have_no_velocity_or_spin_and_do_not_feel_the_air(void **state) {
  fixture *f = *state;
  f->ramp.def.object.velocity[2] = 1;
  claim_refused(
      f, &f->ramp.def,
      "object 'ramp': velocity is (0, 0, 1) m/s, but a collider moves as its motion says");
  f->ramp.def.object.velocity[2] = 0, f->ramp.def.object.spin[1] = 2;
  claim_refused(f, &f->ramp.def,
                "object 'ramp': spin is (0, 2, 0) rad/s, but a collider moves as its motion says");
  f->ramp.def.object.spin[1] = 0, f->ramp.def.object.drag = 1.5;
  claim_refused(f, &f->ramp.def, "object 'ramp': drag is 1.5, but a collider does not feel");
  f->stone.def.object.velocity[2] = 1;
  claim_ok(scene_add(f->scene, &f->stone.def, NULL, err));
}

static void only_colliders_have_a_motion(void **state) {
  fixture *f = *state;
  double points[12] = {0};
  f->stone.def.motion = (tribo_motion_def){NULL, points, 1, 1, 1};
  claim_refused(f, &f->stone.def,
                "object 'stone': a motion belongs to a collider, and a rigid body is simulated");
  f->sheet.def.motion = f->stone.def.motion;
  claim_refused(f, &f->sheet.def, "object 'sheet': a motion belongs to a collider, and a cloth is");
}

static void motion_is_checked(void **state) {
  fixture *f = *state;
  double points[24] = {0};
  tribo_object_def *def = &f->ramp.def;
  tribo_motion_def *motion = &def->motion;
  *motion = (tribo_motion_def){NULL, points, 2, 1, 1};
  points[16] = NAN;
  claim_refused(f, def, "object 'ramp': vertex 1 in sample 1 of its motion is (0, nan, 0); every");
  points[16] = 2e9;
  claim_refused(f, def, "vertex 1 in sample 1 of its motion is (0, 2e+09, 0); keep");
  points[16] = 0, motion->interval = 0;
  claim_refused(f, def, "object 'ramp': the samples of its motion are 0 frames apart; give");
  motion->interval = 1, motion->start = NAN;
  claim_refused(f, def, "object 'ramp': its motion starts at frame nan");
  motion->start = 1, motion->sample_count = 0;
  claim_refused(f, def, "object 'ramp': its motion has 0 samples, but transforms and points are");
  motion->sample_count = SIZE_MAX / 4;
  claim_refused(f, def, "samples of motion are too many");
  motion->sample_count = 2, motion->transforms = points;
  claim_refused(f, def, "object 'ramp': its motion has both transforms and points; keep one");
  motion->transforms = motion->points = NULL;
  claim_refused(f, def, "object 'ramp': its motion has 2 samples, but transforms and points are");
  motion->points = points;
  claim_ok(scene_add(f->scene, def, NULL, err));
}

static void transforms_that_change_the_shape_are_refused(void **state) {
  fixture *f = *state;
  const double good[16] = {0, -2, 0, 1, 2, 0, 0, 5, 0, 0, 2, 7, 0, 0, 0, 1};
  const struct {
    int place;
    double value;
    const char *words;
  } faults[] = {
      {3, INFINITY, "object 'ramp': transform 1 of its motion: number 3 is inf; give a finite"},
      {12, 1, "object 'ramp': transform 1 of its motion ends in the row (1, 0, 0, 1)"},
      {10, 3, "object 'ramp': transform 1 of its motion scales x by 2, y by 2 and z by 3; scale"},
      {0, 0.01, "object 'ramp': transform 1 of its motion shears the mesh; give the moving"},
      {10, -2, "object 'ramp': transform 1 of its motion mirrors the mesh; mirror the mesh itself"},
      {10, 0, "object 'ramp': transform 1 of its motion squashes the mesh flat"},
  };
  double transforms[32];
  f->ramp.def.motion = (tribo_motion_def){transforms, NULL, 2, 1, 1};
  memcpy(transforms, good, sizeof good);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    memcpy(transforms + 16, good, sizeof good);
    transforms[16 + faults[i].place] = faults[i].value;
    claim_refused(f, &f->ramp.def, faults[i].words);
  }
  for (int i = 0; i < 16; i++) transforms[16 + i] = (double)(float)good[i] * (i < 12 ? 0.3F : 1);
  claim_ok(scene_add(f->scene, &f->ramp.def, NULL, err));
}

static void shapes_that_do_not_fit_are_refused(void **state) {
  fixture *f = *state;
  f->block.def.surface.contact = TRIBO_CONTACT_BOX;
  claim_refused(f, &f->block.def,
                "object 'block': surface.contact is box, but it deforms; use mls, mesh or auto");
  f->stone.def.surface.contact = TRIBO_CONTACT_PLANE;
  claim_refused(f, &f->stone.def,
                "object 'stone': surface.contact is plane, which has no end and fits a collider");
  f->stone.def.surface.contact = TRIBO_CONTACT_CAPSULE;
  claim_ok(scene_add(f->scene, &f->stone.def, NULL, err));
  f->ramp.def.surface.contact = TRIBO_CONTACT_PLANE;
  claim_ok(scene_add(f->scene, &f->ramp.def, NULL, err));
  f->sheet.def.surface.radius = -1;
  claim_refused(f, &f->sheet.def, "object 'sheet': surface.radius is -1 m; give 0 to 1e+06 m");
  f->sheet.def.surface.radius = 0, f->sheet.def.material = "";
  claim_refused(f, &f->sheet.def, "object 'sheet': material is empty; give a name");
  f->sheet.def.material = "a\tb";
  claim_refused(f, &f->sheet.def, "object 'sheet': material holds the control character 0x09");
}

static void cages_are_checked(void **state) {
  fixture *f = *state;
  tribo_object_def *def = &f->caged.block.def;
  f->caged.block.tets[7] = 5;
  claim_refused(f, def, "object 'jelly': tet 1 uses node 5, but the cage has 5 nodes");
  f->caged.block.tets[7] = 4;
  f->caged.block.positions[2] = NAN;
  claim_refused(f, def, "object 'jelly': cage node 0 is (0, 0, nan); every coordinate");
  f->caged.block.positions[2] = 0;
  def->tet_count = 1;
  claim_refused(f, def, "object 'jelly': node 4 belongs to no tet; remove it or connect it");
  def->tet_count = 2, def->triangle_count = 0;
  claim_refused(f, def, "object 'jelly': it has no triangles; the surface in a cage is made");
  def->triangle_count = 1, def->cage_count = 0;
  claim_refused(f, def, "object 'jelly': cage_count is 0, but the cage is given");
  f->stone.def.cage = def->cage, f->stone.def.cage_count = 5;
  claim_refused(f, &f->stone.def, "object 'stone': a rigid body has no cage");
  int32_t held[] = {4};
  tribo_pin_def pin = {held, 1, NULL, 0, 0, 0, tribo_pin_defaults()};
  def->cage_count = 5, def->pins = &pin, def->pin_count = 1, held[0] = 5;
  claim_refused(f, def, "object 'jelly': pin 0 holds vertex 5, but the object has 3 vertices");
  held[0] = 2;
  claim_ok(scene_add(f->scene, def, NULL, err));
}

static void pairs_are_kept_once_and_the_later_stands_last(void **state) {
  fixture *f = *state;
  tribo_friction_params one = tribo_friction_defaults(), two = one, three = one;
  one.mu = 0.1, two.mu = 0.2, three.mu = 0.3;
  claim_ok(scene_set_pair(f->scene, "a", "b", &one, err));
  uint64_t hash = scene_hash(f->scene);
  claim_ok(scene_set_pair(f->scene, "a", "c", &two, err));
  claim_ok(scene_set_pair(f->scene, "b", "a", &three, err));
  assert_int_equal(f->scene->pairs.count, 2);
  assert_true(f->scene->pairs.data[0].friction.mu == 0.2);
  assert_true(f->scene->pairs.data[1].friction.mu == 0.3);
  assert_true(scene_hash(f->scene) != hash);
  one.mu = -0.5;
  claim_fails(scene_set_pair(f->scene, "a", "b", &one, err), TRIBO_BAD_INPUT,
              "friction of 'a' and 'b': mu is -0.5; give 0 to 1e+06");
  one.mu = NAN;
  claim_fails(scene_set_pair(f->scene, "a", "b", &one, err), TRIBO_BAD_INPUT,
              "friction of 'a' and 'b': mu is nan; give 0 to 1e+06");
  one.mu = 0.1, one.mu_dynamic = 0.2;
  claim_fails(scene_set_pair(f->scene, "a", "b", &one, err), TRIBO_BAD_INPUT,
              "friction of 'a' and 'b': mu_dynamic is 0.2, above mu, which is 0.1; what slides "
              "cannot hold better than what sticks: give at most mu");
  claim_fails(scene_set_pair(f->scene, "", "b", &two, err), TRIBO_BAD_INPUT,
              "a of a friction pair is empty");
  assert_int_equal(f->scene->pairs.count, 2);
}

static void pins_are_checked(void **state) {
  fixture *f = *state;
  int32_t first[] = {0, 1}, second[] = {2, 1};
  tribo_pin_def pins[] = {{first, 2, NULL, 0, 0, 0, tribo_pin_defaults()},
                          {second, 2, NULL, 0, 0, 0, tribo_pin_defaults()}};
  tribo_object_def *def = &f->sheet.def;
  def->pins = pins, def->pin_count = 2;
  claim_refused(f, def, "object 'sheet': vertex 1 is held by pin 0 and by pin 1; keep it in one");
  second[1] = 2;
  claim_refused(f, def, "object 'sheet': pin 1 names vertex 2 twice");
  second[1] = 4;
  claim_refused(f, def, "object 'sheet': pin 1 holds vertex 4, but the object has 4 vertices");
  second[1] = -1;
  claim_refused(f, def, "object 'sheet': pin 1 holds vertex -1");
  second[1] = 3;
  pins[1].params.stiffness = -1;
  claim_refused(f, def, "object 'sheet': pin 1: pin.stiffness is -1 N/m; give 0 to 1e+12 N/m");
  pins[1].params.stiffness = 0;
  pins[1].vertex_count = 0;
  claim_refused(f, def, "object 'sheet': pin 1 has no vertices");
  pins[1].vertex_count = 2;
  def->pins = NULL;
  claim_refused(f, def, "object 'sheet': pin_count is 2, but pins is NULL");
  def->pins = pins;
  def->pin_count = 5;
  claim_refused(f, def, "object 'sheet': 5 pins for 4 vertices");
  def->pin_count = 2;
  claim_ok(scene_add(f->scene, def, NULL, err));
}

static void pin_targets_are_checked(void **state) {
  fixture *f = *state;
  int32_t held[] = {0, 3};
  double targets[] = {0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1};
  tribo_pin_def pin = {held, 2, targets, 2, 1, 1, tribo_pin_defaults()};
  tribo_object_def *def = &f->sheet.def;
  def->pins = &pin, def->pin_count = 1;
  targets[10] = NAN;
  claim_refused(f, def,
                "object 'sheet': pin 0: target of vertex 3 in sample 1 is (0, nan, 1); "
                "every coordinate must be a finite number");
  targets[10] = -1e12;
  claim_refused(f, def, "pin 0: target of vertex 3 in sample 1 is (0, -1e+12, 1); keep");
  targets[10] = 1;
  pin.target_interval = 0;
  claim_refused(f, def, "object 'sheet': pin 0: target_interval is 0; give a number of frames");
  pin.target_interval = NAN;
  claim_refused(f, def, "target_interval is nan");
  pin.target_interval = 1, pin.target_start = INFINITY;
  claim_refused(f, def, "object 'sheet': pin 0: target_start is inf");
  pin.target_start = 1, pin.target_count = 0;
  claim_refused(f, def, "pin 0: targets are given, but target_count is 0");
  pin.target_count = 2, pin.targets = NULL;
  claim_refused(f, def, "pin 0: targets are missing, but target_count is 2");
  pin.targets = targets, pin.target_count = SIZE_MAX / 2;
  claim_refused(f, def, "targets are too many");
  pin.target_count = 2;
  claim_ok(scene_add(f->scene, def, NULL, err));
}

static void freeing_nothing_is_fine(void **state) {
  (void)state;
  scene_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      CLAIM(scene_starts_with_the_defaults),
      CLAIM(scene_owns_copies),
      CLAIM(scene_owns_what_contact_needs),
      CLAIM(names_unfit_for_a_file_are_refused),
      CLAIM(names_must_differ_in_more_than_case),
      CLAIM(vertex_that_is_not_finite_is_named),
      CLAIM(index_out_of_range_is_named),
      CLAIM(element_with_a_vertex_twice_is_named),
      CLAIM(inverted_tet_is_named),
      CLAIM(flat_tet_is_named_at_any_scale),
      CLAIM(triangle_without_area_is_named),
      CLAIM(vertex_of_no_element_is_named),
      CLAIM(geometry_of_another_kind_is_refused),
      CLAIM(missing_geometry_is_refused),
      CLAIM(too_many_vertices_are_refused_before_they_are_read),
      CLAIM(parameters_out_of_range_are_named),
      CLAIM(parameters_of_the_other_kind_do_not_matter),
      CLAIM(warp_that_cannot_be_found_is_refused),
      CLAIM(shells_may_have_loose_vertices_and_some_flat_triangles),
      CLAIM(shells_have_no_tets_and_no_pins),
      CLAIM(colliders_have_no_velocity_or_spin_and_do_not_feel_the_air),
      CLAIM(only_colliders_have_a_motion),
      CLAIM(motion_is_checked),
      CLAIM(transforms_that_change_the_shape_are_refused),
      CLAIM(shapes_that_do_not_fit_are_refused),
      CLAIM(cages_are_checked),
      CLAIM(pairs_are_kept_once_and_the_later_stands_last),
      CLAIM(pins_are_checked),
      CLAIM(pin_targets_are_checked),
      CLAIM(freeing_nothing_is_fine),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
