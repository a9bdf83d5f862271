/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bakes.h"

#include "core/model/closed.h"

#include "io/obj.h"
#include "io/pc2.h"
#include "scene/compile.h"

/* ---- claims: a bake ---- */

static void bake__holds_what_the_simulation_gives(void **unused) {
  (void)unused;
  const char *folder = reference();
  claim_status(folder, MANIFEST_DONE);
  assert_int_equal(lines_of(in(folder, STATS_FILE)), FRAMES);

  tribo_scene *scene = make_scene();
  simulation *sim = NULL;
  claim_ok(compile_simulation(scene, 1, NULL, &sim, err));
  tribo_cache *cache = NULL;
  claim_ok(cache_open(scratch_path(folder), &cache, err));
  assert_int_equal(cache->info.frames, FRAMES);
  assert_string_equal(cache->info.status, "done");
  assert_int_equal(cache->info.object_count, 2);

  const model *m = simulation_model(sim);
  double positions[3 * 32];
  for (int frame = 1; frame <= FRAMES; frame++) {
    tribo_report report;
    if (frame > 1) claim_ok(simulation_steps(sim, 2, &report, err));
    for (size_t b = 0; b < m->body_count; b++) {
      assert_in_range(m->bodies[b].vertex_count, 1, 32);
      claim_ok(cache_positions(cache, b, frame, positions, err));
      const double *x = &simulation_positions(sim)[m->bodies[b].first_vertex].x;
      for (int32_t i = 0; i < 3 * m->bodies[b].vertex_count; i++)
        assert_true(positions[i] == (double)(float)x[i]);
    }
  }
  cache_free(cache);
  simulation_free(sim);
  tribo_scene_free(scene);
}

static void bake__stopped_at_any_frame_resumes_to_the_same_bits(void **unused) {
  (void)unused;
  for (int frame = 1; frame < FRAMES; frame++) {
    char folder[32];
    snprintf(folder, sizeof folder, "stopped%d", frame);
    stop_after(folder, frame);
    claim_status(folder, MANIFEST_CANCELLED);
    assert_int_equal(lines_of(in(folder, STATS_FILE)), frame);
    resume_to_the_end(folder);
  }
}

/* A brick that tumbles, behind a collider that stands far off and has no files. */
static tribo_scene *make_tumbling(const closed *wall, const closed *brick) {
  tribo_scene *scene = NULL;
  claim_ok(tribo_scene_create(&scene, err));
  tribo_object_def behind = closed_object(wall, "wall"), tumbles = closed_object(brick, "brick");
  behind.kind = TRIBO_COLLIDER;
  memcpy(tumbles.object.spin, (double[]){3, 8, 1}, sizeof tumbles.object.spin);
  claim_ok(tribo_scene_add(scene, &behind, NULL, err));
  claim_ok(tribo_scene_add(scene, &tumbles, NULL, err));
  tribo_scene_time(scene)->end = FRAMES;
  tribo_scene_time(scene)->substeps = 2;
  return scene;
}

static void bake__of_a_rigid_body_resumes_to_the_same_bits(void **unused) {
  (void)unused;
  closed *wall = closed_box(1, 1, 1), *brick = closed_box(0.1, 0.2, 0.3);
  closed_move(wall, quat_identity(), vec3_make(50, 0, 0));
  tribo_scene *scene = make_tumbling(wall, brick);
  claim_ok(bake(scene, "tumbled", FRESH, NULL, err));
  watch w = {.stop_at = 3};
  claim_fails(bake(scene, "caught", FRESH, &w, err), TRIBO_CANCELLED, "stopped after frame 3");
  claim_ok(bake(scene, "caught", RESUME, NULL, err));
  static const char *const files[] = {"brick.pc2", "brick.obj", CHECKPOINT_FILE};
  for (size_t i = 0; i < 3; i++) claim_same_file(in("tumbled", files[i]), in("caught", files[i]));
  assert_false(exists(in("tumbled", "wall.pc2")));
  assert_false(exists(in("tumbled", "wall.obj")));

  manifest m = manifest_in("caught");
  assert_int_equal(m.objects.count, 1);
  assert_int_equal(m.objects.data[0].kind, TRIBO_RIGID);
  assert_int_equal(m.objects.data[0].vertex_count, 8);
  manifest_free(&m);

  /* It tumbled: the sides of the brick are as long as ever, and no vertex is where it was. */
  tribo_cache *cache = NULL;
  double x[3 * 8];
  claim_ok(tribo_cache_open(scratch_path("caught"), &cache, err));
  claim_ok(tribo_cache_positions(cache, 0, FRAMES, x, err));
  tribo_cache_free(cache);
  static const double sides[3] = {0.1, 0.2, 0.3};
  for (int axis = 0; axis < 3; axis++) {
    vec3 side = vec3_sub(vec3_from(x + 3 * (1 << axis)), vec3_from(x));
    claim_near(vec3_norm(side), sides[axis], 1e-6); /* single precision */
    assert_true(fabs((&side.x)[axis]) < 0.9 * sides[axis]);
  }
  tribo_scene_free(scene);
  free(wall);
  free(brick);
}

/* The cache, and the mesh beside it, are those of the surface that the tets carry. */
static void bake__of_a_surface_in_a_lattice_has_the_surfaces_vertices(void **unused) {
  (void)unused;
  closed *brick = closed_box(0.1, 0.2, 0.3);
  tribo_object_def def = closed_object(brick, "jelly");
  def.kind = TRIBO_SOLID;
  tribo_fill_params params = tribo_fill_defaults();
  params.from = TRIBO_TETS_LATTICE;
  params.cells = 5;
  tribo_tets made;
  claim_ok(tribo_fill_tets(&def, &params, &made, err));
  def.cage = made.nodes, def.cage_count = made.node_count;
  def.tets = made.tets, def.tet_count = made.tet_count;
  tribo_scene *scene = NULL;
  claim_ok(tribo_scene_create(&scene, err));
  claim_ok(tribo_scene_add(scene, &def, NULL, err));
  tribo_tets_free(&made);
  tribo_scene_time(scene)->end = FRAMES;
  claim_ok(bake(scene, "jelly", FRESH, NULL, err));
  watch w = {.stop_at = 2};
  claim_fails(bake(scene, "wobbled", FRESH, &w, err), TRIBO_CANCELLED, "stopped after frame 2");
  claim_ok(bake(scene, "wobbled", RESUME, NULL, err));
  static const char *const files[] = {"jelly.pc2", "jelly.obj", CHECKPOINT_FILE};
  for (size_t i = 0; i < 3; i++) claim_same_file(in("jelly", files[i]), in("wobbled", files[i]));
  assert_false(exists(in("jelly", "jelly.msh")));
  manifest m = manifest_in("jelly");
  assert_int_equal(m.objects.data[0].vertex_count, 8);
  manifest_free(&m);

  tribo_cache *cache = NULL;
  claim_ok(tribo_cache_open(scratch_path("jelly"), &cache, err));
  claim_ok(tribo_cache_export(cache, 0, TRIBO_EXPORT_OBJ, 5, 5, scratch_path("frames"), err));
  tribo_cache_free(cache);
  mesh last;
  claim_ok(obj_read(scratch_path("frames/jelly.0005.obj"), &last, err));
  assert_int_equal(last.vertex_count, 8);
  assert_int_equal(last.triangle_count, 12);
  for (size_t i = 0; i < 8; i++)
    assert_true(last.positions[3 * i + 2] < brick->positions[3 * i + 2] - 1e-3);
  mesh_free(&last);
  tribo_scene_free(scene);
  free(brick);
}

static void bake__stopped_at_its_last_frame_is_done(void **unused) {
  (void)unused;
  tribo_scene *scene = make_scene();
  watch w = {.stop_at = FRAMES};
  claim_ok(bake(scene, "last", FRESH, &w, err));
  assert_int_equal(w.calls, FRAMES);
  claim_status("last", MANIFEST_DONE);
  tribo_scene_free(scene);
}

static void append_junk(const char *path, const char *junk) {
  FILE *stream = fopen(path, "ab");
  assert_non_null(stream);
  fputs(junk, stream);
  fclose(stream);
}

/* As a kill within frame 4 leaves the folder. */
static void bake__drops_what_the_checkpoint_does_not_vouch_for(void **unused) {
  (void)unused;
  stop_after("torn", 3);
  append_junk(in("torn", "sheet.pc2"), "a torn sample");
  append_junk(in("torn", STATS_FILE), "{\"frame\": 4}\n{\"fra");
  append_junk(in("torn", CHECKPOINT_FILE ".tmp"), "half a checkp");
  pc2 file;
  claim_ok(pc2_open(in("torn", "cube.pc2"), &file, err));
  int32_t vertices = file.vertices;
  pc2_close(&file);
  claim_ok(pc2_reopen(in("torn", "cube.pc2"), vertices, 3, &file, err));
  double ahead[3 * 8] = {1, 2, 3};
  assert_int_equal(vertices, 8);
  claim_ok(pc2_append(&file, ahead, err)); /* a whole sample, counted, ahead of the checkpoint */
  pc2_close(&file);
  resume_to_the_end("torn");
  assert_false(exists(in("torn", CHECKPOINT_FILE ".tmp")));
}

static void bake__without_a_checkpoint_begins_again(void **unused) {
  (void)unused;
  stop_after("young", 1);
  assert_int_equal(unlink(in("young", CHECKPOINT_FILE)), 0);
  assert_int_equal(unlink(in("young", "cube.msh")), 0);
  claim_ok(file_write(in("young", "sheet.pc2"), "POINT", 5, err));
  resume_to_the_end("young");
}

static void bake__writes_a_mesh_that_is_missing_when_it_resumes(void **unused) {
  (void)unused;
  stop_after("meshless", 2);
  assert_int_equal(unlink(in("meshless", "sheet.obj")), 0);
  resume_to_the_end("meshless");
}

static void bake__goes_on_to_a_later_end_with_the_same_bits(void **unused) {
  (void)unused;
  tribo_scene *scene = make_scene();
  tribo_scene_time(scene)->end = 4;
  claim_ok(bake(scene, "longer", FRESH, NULL, err));
  tribo_scene_free(scene);
  resume_to_the_end("longer");
}

static void bake__already_done_says_so(void **unused) {
  (void)unused;
  tribo_scene *scene = make_scene();
  claim_ok(bake(scene, "twice", FRESH, NULL, err));
  watch w = {0};
  claim_ok(bake(scene, "twice", RESUME, &w, err));
  assert_int_equal(w.calls, 0);
  assert_non_null(strstr(w.log, "already baked: frames 1 to 6"));
  claim_same_bake("twice", reference());

  /* An earlier end takes nothing away. */
  tribo_scene_time(scene)->end = 3;
  claim_ok(bake(scene, "twice", RESUME, NULL, err));
  claim_same_bake("twice", reference());
  manifest m = manifest_in("twice");
  assert_int_equal(m.end, FRAMES);
  manifest_free(&m);
  tribo_scene_free(scene);
}

/* ---- claims: whose files ---- */

static void bake__does_not_choose_between_resume_and_overwrite(void **unused) {
  (void)unused;
  stop_after("choice", 2);
  tribo_scene *scene = make_scene();
  claim_fails(bake(scene, "choice", FRESH, NULL, err), TRIBO_BAD_INPUT, "--resume");
  claim_fails(bake(scene, "choice", FRESH, NULL, err), TRIBO_BAD_INPUT, "--overwrite");
  tribo_bake_options both = {.resume = true, .overwrite = true};
  claim_fails(bake_run(scene, scratch_path("choice"), &both, err), TRIBO_BAD_INPUT, "not both");
  tribo_scene_free(scene);
  claim_status("choice", MANIFEST_CANCELLED);
  resume_to_the_end("choice");
}

static void bake__of_a_changed_scene_is_not_resumed(void **unused) {
  (void)unused;
  stop_after("changed", 2);
  tribo_scene *scene = make_scene();
  tribo_scene_world(scene)->gravity[2] = -1.6;
  claim_fails(bake(scene, "changed", RESUME, NULL, err), TRIBO_BAD_INPUT,
              "the scene changed since this bake; bake anew with --overwrite");
  tribo_scene_free(scene);
  claim_status("changed", MANIFEST_CANCELLED);
  resume_to_the_end("changed");
}

static tribo_scene *make_other_scene(void) {
  tribo_scene *scene = NULL;
  claim_ok(tribo_scene_create(&scene, err));
  tribo_object_def ghost = tribo_object_default(TRIBO_SOLID);
  ghost.name = "ghost";
  mesh block = shape_block(1, 1, 1, 0.1, 0.1, 0.1);
  claim_ok(scenes_add(scene, ghost, &block, NULL, err));
  tribo_scene_time(scene)->end = 2;
  return scene;
}

static void bake__overwrites_its_own_files_and_no_others(void **unused) {
  (void)unused;
  tribo_scene *other = make_other_scene();
  claim_ok(file_make_folder(scratch_path("over"), err));
  claim_ok(file_write(in("over", "notes.txt"), "mine", 4, err));
  claim_ok(file_write(in("over", "other.obj"), "mine too", 8, err));
  claim_ok(bake(other, "over", FRESH, NULL, err));
  tribo_scene_free(other);
  assert_true(exists(in("over", "ghost.pc2")));
  assert_true(exists(in("over", "ghost.msh")));

  tribo_scene *scene = make_scene();
  claim_ok(bake(scene, "over", OVERWRITE, NULL, err));
  tribo_scene_free(scene);
  claim_same_bake("over", reference());
  assert_false(exists(in("over", "ghost.pc2")));
  assert_false(exists(in("over", "ghost.msh")));
  file_text kept;
  claim_ok(file_read(in("over", "notes.txt"), &kept, err));
  assert_string_equal(kept.data, "mine");
  free(kept.data);
  assert_true(exists(in("over", "other.obj")));
}

/* An overwrite that finds a stranger's file in its way leaves the old bake as it is. */
static void bake__overwrites_all_or_nothing(void **unused) {
  (void)unused;
  tribo_scene *other = make_other_scene();
  claim_ok(bake(other, "kept", FRESH, NULL, err));
  claim_ok(file_write(in("kept", "sheet.obj"), "precious", 8, err));
  tribo_scene *scene = make_scene();
  claim_fails(bake(scene, "kept", OVERWRITE, NULL, err), TRIBO_BAD_INPUT, "sheet.obj");
  watch w = {0};
  claim_ok(bake(other, "kept", RESUME, &w, err));
  assert_int_equal(w.calls, 0);
  tribo_scene_free(scene);
  tribo_scene_free(other);
}

/* The scene's own mesh may lie in the folder, under the name that the bake would take. */
static void bake__never_replaces_a_file_it_did_not_write(void **unused) {
  (void)unused;
  tribo_scene *scene = make_scene();
  static const char *const files[] = {"sheet.obj", "cube.pc2", STATS_FILE, CHECKPOINT_FILE};
  for (size_t i = 0; i < 4; i++) {
    char folder[32];
    snprintf(folder, sizeof folder, "guest%zu", i);
    claim_ok(file_make_folder(scratch_path(folder), err));
    claim_ok(file_write(in(folder, files[i]), "precious", 8, err));
    claim_fails(bake(scene, folder, FRESH, NULL, err), TRIBO_BAD_INPUT, files[i]);
    claim_fails(bake(scene, folder, RESUME, NULL, err), TRIBO_BAD_INPUT, files[i]);
    claim_fails(bake(scene, folder, OVERWRITE, NULL, err), TRIBO_BAD_INPUT, files[i]);
    file_text kept;
    claim_ok(file_read(in(folder, files[i]), &kept, err));
    assert_string_equal(kept.data, "precious");
    free(kept.data);
    assert_false(exists(in(folder, MANIFEST_FILE)));
  }
  tribo_scene_free(scene);
}

/* As a kill in the middle of an overwrite leaves the folder: the new manifest with its journal, and
 * files of the old bake, which must not be taken for the new one's. */
static void make_half_overwritten(const char *folder) {
  tribo_scene *scene = make_scene();
  claim_ok(bake(scene, folder, FRESH, NULL, err));
  manifest m = manifest_in(folder);
  m.status = MANIFEST_RUNNING;
  claim_ok(file_write(in(folder, "gone.pc2"), "old", 3, err));
  static const char *const old[] = {"state.ckpt", "stats.jsonl", "gone.pc2", "gone.msh",
                                    "sheet.pc2"};
  for (size_t i = 0; i < 5; i++) claim_ok(manifest_add_removing(&m, old[i], err));
  claim_ok(manifest_write(in(folder, MANIFEST_FILE), &m, err));
  manifest_free(&m);
  tribo_scene_free(scene);
}

static void bake__finishes_an_overwrite_that_was_killed(void **unused) {
  (void)unused;
  make_half_overwritten("half");
  tribo_cache *cache = NULL;
  claim_ok(cache_open(scratch_path("half"), &cache, err));
  assert_int_equal(cache->info.frames, 0);
  assert_string_equal(cache->info.status, "interrupted");
  cache_free(cache);
  resume_to_the_end("half");
  assert_false(exists(in("half", "gone.pc2")));

  make_half_overwritten("half2");
  tribo_scene *scene = make_scene();
  claim_ok(bake(scene, "half2", OVERWRITE, NULL, err));
  tribo_scene_free(scene);
  claim_same_bake("half2", reference());
  assert_false(exists(in("half2", "gone.pc2")));
}

static bool bake_within_a_bake(void *user, const tribo_progress *p) {
  (void)p;
  tribo_scene *scene = user;
  tribo_bake_options second = {.threads = 1, .overwrite = true};
  claim_fails(bake_run(scene, scratch_path("lock"), &second, err), TRIBO_BAD_INPUT,
              "another bake is running");
  tribo_cache *cache = NULL;
  claim_ok(cache_open(scratch_path("lock"), &cache, err));
  assert_string_equal(cache->info.status, "running");
  cache_free(cache);
  return false;
}

static void bake__has_its_folder_for_itself(void **unused) {
  (void)unused;
  tribo_scene *scene = make_scene();
  tribo_bake_options options = {.threads = 1, .progress = bake_within_a_bake, .user = scene};
  claim_fails(bake_run(scene, scratch_path("lock"), &options, err), TRIBO_CANCELLED, "");
  tribo_scene_free(scene);
  resume_to_the_end("lock");
}

/* ---- claims: failures ---- */

static void bake__refuses_a_damaged_checkpoint_or_manifest(void **unused) {
  (void)unused;
  stop_after("damaged", 2);
  file_text bytes;
  claim_ok(file_read(in("damaged", CHECKPOINT_FILE), &bytes, err));
  bytes.data[bytes.size / 2] ^= 16;
  claim_ok(file_write(in("damaged", CHECKPOINT_FILE), bytes.data, bytes.size, err));
  tribo_scene *scene = make_scene();
  claim_fails(bake(scene, "damaged", RESUME, NULL, err), TRIBO_BAD_INPUT, "checksum");
  bytes.data[bytes.size / 2] ^= 16;
  claim_ok(file_write(in("damaged", CHECKPOINT_FILE), bytes.data, bytes.size, err));
  free(bytes.data);

  claim_ok(file_read(in("damaged", MANIFEST_FILE), &bytes, err));
  claim_ok(file_write(in("damaged", MANIFEST_FILE), "{}", 2, err));
  claim_fails(bake(scene, "damaged", OVERWRITE, NULL, err), TRIBO_BAD_INPUT, "bake.json");
  claim_ok(file_write(in("damaged", MANIFEST_FILE), bytes.data, bytes.size, err));
  free(bytes.data);

  assert_int_equal(unlink(in("damaged", "cube.pc2")), 0);
  claim_fails(bake(scene, "damaged", RESUME, NULL, err), TRIBO_BAD_INPUT,
              "'cube.pc2' is damaged at frame 1: it is missing");
  claim_ok(bake(scene, "damaged", OVERWRITE, NULL, err));
  claim_same_bake("damaged", reference());
  tribo_scene_free(scene);
}

static void bake__that_does_not_converge_keeps_what_it_has(void **unused) {
  (void)unused;
  tribo_scene *scene = make_scene();
  tribo_scene_solver(scene)->tolerance = 1e-14;
  tribo_scene_solver(scene)->iterations = 1;
  tribo_scene_solver(scene)->cuts = 0;
  claim_fails(bake(scene, "stuck", FRESH, NULL, err), TRIBO_NOT_CONVERGED, "");
  manifest m = manifest_in("stuck");
  assert_int_equal(m.status, MANIFEST_FAILED);
  assert_string_not_equal(m.message, "");
  manifest_free(&m);
  tribo_cache *cache = NULL;
  claim_ok(cache_open(scratch_path("stuck"), &cache, err));
  assert_string_equal(cache->info.status, "failed");
  assert_string_not_equal(cache->info.message, "");
  assert_true(cache->info.frames >= 1 && cache->info.frames < FRAMES);
  cache_free(cache);
  tribo_scene_free(scene);
}

static void bake__of_a_bad_scene_leaves_no_folder(void **unused) {
  (void)unused;
  tribo_scene *scene = make_scene();
  tribo_scene_time(scene)->end = -5;
  tribo_error error = {0};
  assert_int_equal(bake(scene, "bad", FRESH, NULL, &error), TRIBO_BAD_INPUT);
  assert_false(exists(scratch_path("bad")));
  tribo_scene_free(scene);
}

static void bake__says_which_folder_it_cannot_make(void **unused) {
  (void)unused;
  tribo_scene *scene = make_scene();
  claim_ok(file_write(scratch_path("wall"), "", 0, err));
  claim_fails(bake(scene, "wall/inside", FRESH, NULL, err), TRIBO_IO, "wall");
  tribo_scene_free(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bake__holds_what_the_simulation_gives),
      cmocka_unit_test(bake__stopped_at_any_frame_resumes_to_the_same_bits),
      cmocka_unit_test(bake__of_a_rigid_body_resumes_to_the_same_bits),
      cmocka_unit_test(bake__of_a_surface_in_a_lattice_has_the_surfaces_vertices),
      cmocka_unit_test(bake__stopped_at_its_last_frame_is_done),
      cmocka_unit_test(bake__drops_what_the_checkpoint_does_not_vouch_for),
      cmocka_unit_test(bake__without_a_checkpoint_begins_again),
      cmocka_unit_test(bake__writes_a_mesh_that_is_missing_when_it_resumes),
      cmocka_unit_test(bake__goes_on_to_a_later_end_with_the_same_bits),
      cmocka_unit_test(bake__already_done_says_so),
      cmocka_unit_test(bake__does_not_choose_between_resume_and_overwrite),
      cmocka_unit_test(bake__of_a_changed_scene_is_not_resumed),
      cmocka_unit_test(bake__overwrites_its_own_files_and_no_others),
      cmocka_unit_test(bake__overwrites_all_or_nothing),
      cmocka_unit_test(bake__never_replaces_a_file_it_did_not_write),
      cmocka_unit_test(bake__finishes_an_overwrite_that_was_killed),
      cmocka_unit_test(bake__has_its_folder_for_itself),
      cmocka_unit_test(bake__refuses_a_damaged_checkpoint_or_manifest),
      cmocka_unit_test(bake__that_does_not_converge_keeps_what_it_has),
      cmocka_unit_test(bake__of_a_bad_scene_leaves_no_folder),
      cmocka_unit_test(bake__says_which_folder_it_cannot_make),
  };
  return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
