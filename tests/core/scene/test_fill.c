/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/fill.h"

#include "base/file.h"
#include "claims.h"
#include "core/geom/skins.h"
#include "geom/closed.h"
#include "geom/tetrahedralise.h"
#include "scene/scene_file.h"
#include "scratch.h"

#define NEEDS_TETGEN()                                                                             \
  if (!tetrahedralise_available()) {                                                               \
    print_message("skipped: the program tetgen is not there (scripts/setup installs it)\n");       \
    skip();                                                                                        \
  }

static tribo_object_def def_of(const skin *s) {
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = "blob";
  def.positions = &s->vertices->x;
  def.vertex_count = s->vertex_count;
  def.triangles = s->triangles;
  def.triangle_count = s->triangle_count;
  return def;
}

static tribo_fill_params params(int from, int cells) {
  tribo_fill_params p = tribo_fill_defaults();
  p.from = from;
  p.cells = cells;
  return p;
}

/* The scene takes what was made. */
static void claim_taken(tribo_object_def def, const tribo_tets *made) {
  def.cage = made->nodes;
  def.cage_count = made->node_count;
  def.tets = made->tets;
  def.tet_count = made->tet_count;
  tribo_scene *scene;
  claim_ok(tribo_scene_create(&scene, err));
  claim_ok(tribo_scene_add(scene, &def, NULL, err));
  tribo_scene_free(scene);
}

/* Without TetGen, since nothing is begun. */
static void too_many_tets_are_refused_before_they_are_made(void **state) {
  skin s = skin_sphere(7, 1, *state);
  tribo_object_def def = def_of(&s);
  static const int from[] = {TRIBO_TETS_AUTO, TRIBO_TETS_FILL};
  for (int k = 0; k < 2; k++) {
    tribo_fill_params p = params(from[k], 20);
    tribo_tets made;
    p.size = 1e-4;
    claim_fails(tribo_fill_tets(&def, &p, &made, err), TRIBO_BAD_INPUT,
                ", more than 4000000; use 0.02");
  }
}

static void a_clean_surface_is_filled_and_its_vertices_come_first(void **state) {
  NEEDS_TETGEN();
  skin s = skin_sphere(7, 1, *state);
  tribo_object_def def = def_of(&s);
  tribo_fill_params p = params(TRIBO_TETS_AUTO, 20);
  tribo_tets made;
  claim_ok(tribo_fill_tets(&def, &p, &made, err));
  assert_int_equal(made.from, TRIBO_TETS_FILL);
  assert_string_equal(made.why, "");
  assert_memory_equal(made.nodes, s.vertices, s.vertex_count * sizeof *s.vertices);
  claim_near(tets_volume((const vec3 *)made.nodes, made.tets, made.tet_count),
             closed_volume(s.vertices, s.triangles, s.triangle_count), 1e-12);
  claim_taken(def, &made);
  tribo_tets_free(&made);
  assert_null(made.nodes);
}

/* None of this needs TetGen: the fault is found before it is called. */
static void what_is_not_clean_gets_a_lattice_and_the_reason(void **state) {
  tribo_fill_params p = params(TRIBO_TETS_AUTO, 9), only = params(TRIBO_TETS_FILL, 9);
  const char *reason[3] = {"the surface is open", "wound against", "cuts itself"};
  for (int fault = 0; fault < 3; fault++) {
    skin s = skin_sphere(7, 1, *state), other = skin_sphere(7, 1, *state);
    if (fault == 0) s.triangle_count -= 3;
    if (fault == 1) skin_turn_over(&s, 11);
    if (fault == 2) skin_move(&other, 1.1, 0.2, 0.1), s = skin_both(&s, &other, *state);
    tribo_object_def def = def_of(&s);
    tribo_tets made;
    claim_ok(tribo_fill_tets(&def, &p, &made, err));
    assert_int_equal(made.from, TRIBO_TETS_LATTICE);
    assert_non_null(strstr(made.why, reason[fault]));
    assert_non_null(strstr(made.why, "object 'blob': "));
    tets_volume((const vec3 *)made.nodes, made.tets, made.tet_count);
    claim_taken(def, &made);
    tribo_tets_free(&made);
    claim_fails(tribo_fill_tets(&def, &only, &made, err), TRIBO_BAD_INPUT, reason[fault]);
    assert_null(made.nodes);
  }
}

/* What it encloses does not depend on where the front is. */
static void a_surface_that_is_inside_out_is_filled_as_its_mirror_image_is(void **state) {
  NEEDS_TETGEN();
  skin s = skin_sphere(7, 1, *state);
  double volume = closed_volume(s.vertices, s.triangles, s.triangle_count);
  skin_turn_all(&s);
  tribo_object_def def = def_of(&s);
  for (int from = TRIBO_TETS_AUTO; from <= TRIBO_TETS_FILL; from++) {
    tribo_fill_params p = params(from, 0);
    tribo_tets made;
    claim_ok(tribo_fill_tets(&def, &p, &made, err));
    assert_int_equal(made.from, TRIBO_TETS_FILL);
    assert_int_equal(made.cells, 0);
    assert_string_equal(made.why, "");
    claim_near(tets_volume((const vec3 *)made.nodes, made.tets, made.tet_count), volume, 1e-12);
    claim_taken(def, &made);
    tribo_tets_free(&made);
  }
}

/* A box of 3 x 3 squares a side has edges of a third of it, diagonals counted 0.38. */
static void a_lattice_is_as_fine_as_its_surface_unless_asked_otherwise(void **state) {
  static const int squares[3] = {1, 3, 40}, wanted[3] = {4, 4, 20};
  for (int k = 0; k < 3; k++) {
    skin s = skin_box(squares[k], vec3_make(1, 1, 1), *state);
    tribo_object_def def = def_of(&s);
    tribo_tets made;
    for (int asked = 0; asked < 10; asked += 9) {
      tribo_fill_params p = params(TRIBO_TETS_LATTICE, asked);
      claim_ok(tribo_fill_tets(&def, &p, &made, err));
      assert_int_equal(made.cells, asked ? asked : wanted[k]);
      tribo_tets_free(&made);
    }
  }
}

static void an_open_sheet_and_bad_indices_are_refused_in_any_case(void **state) {
  skin s = skin_box(3, vec3_make(1, 1, 1), *state);
  tribo_fill_params p = params(TRIBO_TETS_LATTICE, 9);
  tribo_tets made;
  tribo_object_def def = def_of(&s);
  def.triangle_count = 2; /* one square of one face */
  claim_fails(tribo_fill_tets(&def, &p, &made, err), TRIBO_BAD_INPUT,
              "object 'blob': its surface is open and encloses nothing");
  def = def_of(&s);
  s.triangles[4] = 999;
  claim_fails(tribo_fill_tets(&def, &p, &made, err), TRIBO_BAD_INPUT,
              "triangle 1 uses vertex 999, but the object has 56 vertices");
  s.triangles[4] = s.triangles[3];
  claim_fails(tribo_fill_tets(&def, &p, &made, err), TRIBO_BAD_INPUT, "triangle 1 uses vertex");
  s.vertices[5].y = NAN;
  claim_fails(tribo_fill_tets(&def, &p, &made, err), TRIBO_BAD_INPUT, "vertex 5 is (");
  p.cells = -1;
  s.vertices[5].y = 0, s.triangles[4] = 9;
  claim_fails(tribo_fill_tets(&def, &p, &made, err), TRIBO_BAD_INPUT, "tets: tets.cells is -1");
  def.triangle_count = 0;
  claim_fails(tribo_fill_tets(&def, &p, &made, err), TRIBO_BAD_INPUT, "it has no triangles");
  claim_fails(tribo_fill_tets(NULL, &p, &made, err), TRIBO_BAD_INPUT, "surface is NULL");
  claim_fails(tribo_fill_tets(&def, NULL, &made, err), TRIBO_BAD_INPUT, "params is NULL");
}

/* A clean surface without TetGen is not turned into a lattice in silence: on the next machine the
 * same scene would move otherwise. */
static void without_tetgen_a_clean_surface_is_refused_and_the_lattice_still_works(void **state) {
  skin s = skin_sphere(5, 1, *state);
  tribo_object_def def = def_of(&s);
  tribo_fill_params p = params(TRIBO_TETS_AUTO, 7);
  tribo_tets made;
  char *before = strdup(getenv("PATH"));
  setenv("PATH", "/nowhere", 1);
  assert_false(tetrahedralise_available());
  claim_fails(tribo_fill_tets(&def, &p, &made, err), TRIBO_UNAVAILABLE,
              "object 'blob': filling a surface with tets needs the program tetgen: run "
              "scripts/setup, or set tets.from to 'lattice'");
  p.from = TRIBO_TETS_LATTICE;
  claim_ok(tribo_fill_tets(&def, &p, &made, err));
  tribo_tets_free(&made);
  setenv("PATH", before, 1);
  free(before);
}

/* ---- in the scene file ----------------------------------------------------------------------- */

static void write_obj(const char *name, const skin *s) {
  FILE *f = fopen(scratch_path(name), "w");
  assert_non_null(f);
  for (size_t i = 0; i < s->vertex_count; i++)
    fprintf(f, "v %.17g %.17g %.17g\n", s->vertices[i].x, s->vertices[i].y, s->vertices[i].z);
  for (size_t i = 0; i < s->triangle_count; i++)
    fprintf(f, "f %d %d %d\n", s->triangles[3 * i] + 1, s->triangles[3 * i + 1] + 1,
            s->triangles[3 * i + 2] + 1);
  fclose(f);
}

static tribo_status parse(const char *keys, tribo_scene **out, tribo_error *err) {
  char text[1024];
  int length =
      snprintf(text, sizeof text,
               "{\"tribo\": 1, \"objects\": [{\"name\": \"blob\", \"kind\": \"solid\"%s}]}", keys);
  return scene_file_parse("scene.json", scratch_folder, text, (size_t)length, out, err);
}

static void a_solid_may_be_an_obj_and_keeps_the_artists_vertices(void **state) {
  arena memory = {0};
  (void)state;
  skin s = skin_sphere(5, 1, &memory);
  write_obj("blob.obj", &s);
  s.triangle_count--;
  write_obj("open.obj", &s);
  tribo_scene *scene;
  claim_ok(parse(", \"mesh\": \"open.obj\", \"tets\": {\"cells\": 6}, \"pin\": {\"vertices\": [3]}",
                 &scene, err));
  const tribo_object_def *def = tribo_scene_object(scene, 0);
  assert_int_equal(def->vertex_count, s.vertex_count);
  assert_int_equal(def->triangle_count, s.triangle_count);
  assert_memory_equal(def->positions, s.vertices, s.vertex_count * sizeof *s.vertices);
  assert_true(def->cage_count > 100 && def->tet_count % 5 == 0);
  const char *note = tribo_scene_note(scene, 0);
  assert_non_null(note);
  assert_non_null(strstr(note, "object 'blob': the surface is open"));
  assert_non_null(strstr(note, "it got a lattice of 6 cells"));
  uint64_t hash = scene_hash(scene);
  claim_ok(tribo_scene_write(scene, scratch_path("bundle"), err));
  tribo_scene_free(scene);
  claim_ok(tribo_scene_read(scratch_path("bundle/scene.json"), &scene, err));
  assert_null(tribo_scene_note(scene, 0)); /* the bundle names a cage */
  assert_true(scene_hash(scene) == hash);  /* the tets travel with the bundle, to the bit */
  tribo_scene_free(scene);

  claim_fails(parse(", \"mesh\": \"open.obj\", \"tets\": {\"from\": \"fill\"}", &scene, err),
              TRIBO_BAD_INPUT, "the surface is open");
  claim_fails(parse(", \"mesh\": \"open.obj\", \"tets\": {\"cell\": 3}", &scene, err),
              TRIBO_BAD_INPUT, "did you mean 'cells'?");
  claim_fails(parse(", \"mesh\": \"open.obj\", \"tets\": 3", &scene, err), TRIBO_BAD_INPUT,
              "tets must be an object {}");
  claim_fails(parse(", \"mesh\": \"block.msh\", \"tets\": {}", &scene, err), TRIBO_BAD_INPUT,
              "key 'tets' is for a mesh without any; remove it, or give an .obj file");
  claim_fails(parse(", \"mesh\": \"open.obj\", \"cage\": \"c.msh\", \"tets\": {}", &scene, err),
              TRIBO_BAD_INPUT, "key 'tets' is for a mesh without any; remove it, or the cage");
  if (tetrahedralise_available()) {
    claim_ok(parse(", \"mesh\": \"blob.obj\"", &scene, err));
    def = tribo_scene_object(scene, 0);
    assert_memory_equal(def->cage, s.vertices, s.vertex_count * sizeof *s.vertices);
    tribo_scene_free(scene);
  } else {
    print_message("skipped: the program tetgen is not there (scripts/setup installs it)\n");
  }
  arena_free(&memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)
      CLAIM(too_many_tets_are_refused_before_they_are_made),
      CLAIM(a_clean_surface_is_filled_and_its_vertices_come_first),
      CLAIM(what_is_not_clean_gets_a_lattice_and_the_reason),
      CLAIM(a_surface_that_is_inside_out_is_filled_as_its_mirror_image_is),
      CLAIM(a_lattice_is_as_fine_as_its_surface_unless_asked_otherwise),
      CLAIM(an_open_sheet_and_bad_indices_are_refused_in_any_case),
      CLAIM(without_tetgen_a_clean_surface_is_refused_and_the_lattice_still_works),
      CLAIM(a_solid_may_be_an_obj_and_keeps_the_artists_vertices),
#undef CLAIM
  };
  return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
