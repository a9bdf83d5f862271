/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bakes.h"

#include <unistd.h>

#include "cache/states.h"
#include "io/pc2.h"

/* A state a frame, and bakes that go on from one of them. */

typedef struct wish {
  bool keep, rewind, resume, overwrite;
  int from, stop_at;
} wish;

static tribo_status bake_as(const tribo_scene *scene, const char *folder, wish how,
                            tribo_error *error) {
  watch w = {.stop_at = how.stop_at};
  tribo_bake_options options = {.threads = 1,
                                .resume = how.resume,
                                .overwrite = how.overwrite,
                                .keep_states = how.keep,
                                .rewind = how.rewind,
                                .from_frame = how.from,
                                .progress = on_progress,
                                .log = on_log,
                                .user = &w};
  return bake_run(scene, scratch_path(folder), &options, error);
}

static const char *state_in(const char *folder, int frame) {
  char name[64];
  snprintf(name, sizeof name, STATES_FOLDER "/%06d.ckpt", frame);
  return in(folder, name);
}

/* With states, in a folder of that name. */
static void bake_with_states(const char *folder) {
  tribo_scene *scene = make_scene();
  claim_ok(bake_as(scene, folder, (wish){.keep = true}, err));
  tribo_scene_free(scene);
}

static void claim_states(const char *folder, int first, int last) {
  int *frames;
  size_t count;
  tribo_cache *cache = NULL;
  claim_ok(tribo_cache_open(scratch_path(folder), &cache, err));
  assert_true(tribo_cache_about(cache)->states);
  claim_ok(tribo_cache_states(cache, &frames, &count, err));
  assert_int_equal(count, last - first + 1);
  for (size_t i = 0; i < count; i++) assert_int_equal(frames[i], first + (int)i);
  free(frames);
  tribo_cache_free(cache);
}

static void states__change_nothing_and_are_one_a_frame(void **unused) {
  (void)unused;
  bake_with_states("kept");
  claim_same_bake("kept", reference());
  claim_states("kept", 1, FRAMES);
  claim_same_file(state_in("kept", FRAMES), in("kept", CHECKPOINT_FILE));
}

static void same_scene__from_any_frame_gives_the_same_bits(void **unused) {
  (void)unused;
  bake_with_states("again");
  tribo_scene *scene = make_scene();
  for (int frame = FRAMES; frame >= 1; frame--) {
    claim_ok(bake_as(scene, "again", (wish){.rewind = true, .from = frame}, err));
    claim_status("again", MANIFEST_DONE);
    claim_same_bake("again", reference());
    claim_states("again", 1, FRAMES);
  }
  tribo_scene_free(scene);
}

static void changed_scene__keeps_the_frames_up_to_it(void **unused) {
  (void)unused;
  bake_with_states("changed");
  tribo_scene *scene = make_scene();
  tribo_scene_world(scene)->gravity[0] = 5;
  tribo_scene_time(scene)->substeps = 3;
  claim_fails(bake_as(scene, "changed", (wish){.resume = true}, err), TRIBO_BAD_INPUT,
              "--from-frame");
  claim_ok(bake_as(scene, "changed", (wish){.rewind = true, .from = 4}, err));

  tribo_cache *now = NULL, *was = NULL;
  claim_ok(tribo_cache_open(scratch_path("changed"), &now, err));
  claim_ok(tribo_cache_open(scratch_path(reference()), &was, err));
  assert_int_equal(tribo_cache_about(now)->frames, FRAMES);
  assert_int_equal(tribo_cache_about(now)->substeps, 3);
  assert_true(tribo_cache_about(now)->scene_hash == tribo_scene_hash(scene));
  for (int frame = 1; frame <= FRAMES; frame++) {
    double a[3 * 32], b[3 * 32];
    claim_ok(tribo_cache_positions(now, 1, frame, a, err));
    claim_ok(tribo_cache_positions(was, 1, frame, b, err));
    bool same = memcmp(a, b, 3 * 8 * sizeof *a) == 0;
    assert_true(same == (frame <= 4));
  }
  tribo_cache_free(now);
  tribo_cache_free(was);

  /* It can be stopped and resumed like any other, and made longer. */
  claim_fails(bake_as(scene, "changed", (wish){.rewind = true, .from = 2, .stop_at = 4}, err),
              TRIBO_CANCELLED, "stopped after frame 4");
  claim_states("changed", 1, 4);
  claim_ok(bake_as(scene, "changed", (wish){.resume = true}, err));
  bake_with_states("straight");
  claim_ok(bake_as(scene, "straight", (wish){.rewind = true, .from = 2}, err));
  claim_same_bake("changed", "straight");
  tribo_scene_free(scene);
}

/* A kill between the journal and the rest: whoever resumes finishes it. */
static void killed_rewind__is_finished_by_a_resume(void **unused) {
  (void)unused;
  bake_with_states("journal");
  manifest m = manifest_in("journal");
  m.status = MANIFEST_RUNNING;
  m.rewinding = true;
  m.rewind_frame = 3;
  claim_ok(manifest_write(in("journal", MANIFEST_FILE), &m, err));
  manifest_free(&m);
  tribo_scene *scene = make_scene();
  claim_fails(bake_as(scene, "journal", (wish){.rewind = true, .from = 5}, err), TRIBO_BAD_INPUT,
              "frame 5 has no state to go on from: it was dropped");
  watch w = {0};
  tribo_bake_options options = {
      .threads = 1, .resume = true, .progress = on_progress, .log = on_log, .user = &w};
  claim_ok(bake_run(scene, scratch_path("journal"), &options, err));
  assert_int_equal(w.calls, FRAMES - 3);
  m = manifest_in("journal");
  assert_false(m.rewinding);
  manifest_free(&m);
  claim_same_bake("journal", reference());
  claim_states("journal", 1, FRAMES);
  tribo_scene_free(scene);
}

static void rewind__refuses_what_does_not_fit(void **unused) {
  (void)unused;
  tribo_scene *scene = make_scene();
  claim_fails(bake_as(scene, "nowhere", (wish){.rewind = true, .from = 2}, err), TRIBO_BAD_INPUT,
              "holds no bake to go on with");
  claim_ok(bake_as(scene, "stateless", (wish){0}, err));
  claim_fails(bake_as(scene, "stateless", (wish){.rewind = true, .from = 2}, err), TRIBO_BAD_INPUT,
              "kept no states");
  claim_fails(bake_as(scene, "stateless", (wish){.resume = true, .keep = true}, err),
              TRIBO_BAD_INPUT, "begun without --keep-states");
  claim_fails(bake_as(scene, "stateless", (wish){.rewind = true, .resume = true}, err),
              TRIBO_BAD_INPUT, "without --resume");

  bake_with_states("fits");
  claim_fails(bake_as(scene, "fits", (wish){.rewind = true, .from = FRAMES + 1}, err),
              TRIBO_BAD_INPUT, "behind the last frame");
  claim_fails(bake_as(scene, "fits", (wish){.rewind = true, .from = 0}, err), TRIBO_BAD_INPUT,
              "frame 0 has no state");
  assert_int_equal(unlink(state_in("fits", 3)), 0);
  claim_fails(bake_as(scene, "fits", (wish){.rewind = true, .from = 3}, err), TRIBO_BAD_INPUT,
              "frame 3 has no state");
  /* A state under another frame's name is not taken. */
  assert_int_equal(rename(state_in("fits", 2), state_in("fits", 3)), 0);
  claim_fails(bake_as(scene, "fits", (wish){.rewind = true, .from = 3}, err), TRIBO_BAD_INPUT,
              "another frame");
  tribo_scene_time(scene)->start = 2;
  claim_fails(bake_as(scene, "fits", (wish){.rewind = true, .from = 4}, err), TRIBO_BAD_INPUT,
              "starts at frame 1");
  tribo_scene_free(scene);

  claim_ok(scene_hanging_cloth(4, &scene, err));
  claim_fails(bake_as(scene, "fits", (wish){.rewind = true, .from = 4}, err), TRIBO_BAD_INPUT,
              "vertices and has");
  tribo_scene_free(scene);
  claim_ok(scene_hanging_cloth(3, &scene, err));
  claim_fails(bake_as(scene, "fits", (wish){.rewind = true, .from = 4}, err), TRIBO_BAD_INPUT,
              "was 'cube' and is '(none)'");
  tribo_scene_free(scene);
  claim_status("fits", MANIFEST_DONE); /* nothing was touched */
}

static void overwrite__removes_states_and_leaves_what_is_not_tribos(void **unused) {
  (void)unused;
  bake_with_states("over");
  claim_ok(file_write(in("over", STATES_FOLDER "/notes.txt"), "mine", 4, err));
  tribo_scene *scene = make_scene();
  claim_ok(bake_as(scene, "over", (wish){.overwrite = true}, err));
  assert_true(exists(in("over", STATES_FOLDER "/notes.txt")));
  assert_false(exists(state_in("over", 1)));
  assert_int_equal(unlink(in("over", STATES_FOLDER "/notes.txt")), 0);
  bake_with_states("gone");
  claim_ok(bake_as(scene, "gone", (wish){.overwrite = true}, err));
  assert_false(exists(in("gone", STATES_FOLDER)));
  claim_same_bake("gone", reference());

  /* Somebody else's folder of that name stops a bake that would use it. */
  claim_ok(file_make_folder(in("theirs", STATES_FOLDER), err));
  claim_fails(bake_as(scene, "theirs", (wish){.keep = true}, err), TRIBO_BAD_INPUT,
              "already holds a file 'states'");
  tribo_scene_free(scene);
}

/* Raises the flag once a frame is on disk, and lets the bake go on into the next. */
static bool raise_flag(void *user, const tribo_progress *p) {
  if (p->frame == 2) *(int *)user = 1;
  return true;
}

static void stopped_within_a_step__resumes_to_the_same_bits(void **unused) {
  (void)unused;
  tribo_scene *scene = make_scene();
  int stop = 0;
  tribo_bake_options options = {.threads = 1, .stop = &stop, .progress = raise_flag, .user = &stop};
  claim_fails(bake_run(scene, scratch_path("esc"), &options, err), TRIBO_CANCELLED,
              "stopped after frame 2; --resume goes on");
  claim_status("esc", MANIFEST_CANCELLED);
  resume_to_the_end("esc");

  claim_fails(bake_run(scene, scratch_path("early"), &options, err), TRIBO_CANCELLED,
              "stopped before the first frame"); /* and nothing is left of it */
  assert_false(exists(scratch_path("early")));
  tribo_scene_free(scene);
}

/* ---- playback ---- */

static const double MOVED[16] = {0, -1, 0, 1, 1, 0, 0, 2, 0, 0, 2, -3, 0, 0, 0, 1};

static tribo_status bake_playback(const tribo_scene *scene, const char *folder, bool resume,
                                  int stop_at, const tribo_playback *playback, size_t count,
                                  tribo_error *error) {
  watch w = {.stop_at = stop_at};
  tribo_bake_options options = {.threads = 1,
                                .resume = resume,
                                .playback = playback,
                                .playback_count = count,
                                .progress = on_progress,
                                .log = on_log,
                                .user = &w};
  return bake_run(scene, scratch_path(folder), &options, error);
}

/* The playback of two bakes is the same but for rounding. */
static void claim_near_files(const char *folder, const char *other) {
  pc2 first, second;
  claim_ok(pc2_open(in(folder, "cube.local.pc2"), &first, err));
  assert_int_equal(first.samples, FRAMES);
  claim_ok(pc2_open(in(other, "cube.local.pc2"), &second, err));
  for (int frame = 0; frame < FRAMES; frame++) {
    double a[24], b[24];
    claim_ok(pc2_read_sample(&first, frame, a, err));
    claim_ok(pc2_read_sample(&second, frame, b, err));
    for (int i = 0; i < 24; i++) claim_near(a[i], b[i], 1e-6);
  }
  pc2_close(&first);
  pc2_close(&second);
}

static void playback__is_the_motion_seen_from_the_object(void **unused) {
  (void)unused;
  double transforms[2 * 16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  memcpy(transforms + 16, MOVED, sizeof MOVED);
  tribo_playback p = {"cube", transforms, 2};
  tribo_scene *scene = make_scene();
  claim_ok(bake_playback(scene, "seen", false, 0, &p, 1, err));
  claim_same_bake("seen", reference());
  assert_false(exists(in("seen", "sheet.local.pc2")));
  pc2 world, local;
  claim_ok(pc2_open(in("seen", "cube.pc2"), &world, err));
  claim_ok(pc2_open(in("seen", "cube.local.pc2"), &local, err));
  assert_int_equal(local.samples, FRAMES);
  assert_int_equal(local.vertices, world.vertices);
  assert_true(local.start == world.start && local.sampling == world.sampling);
  for (int frame = 0; frame < FRAMES; frame++) {
    double a[24], b[24];
    claim_ok(pc2_read_sample(&world, frame, a, err));
    claim_ok(pc2_read_sample(&local, frame, b, err));
    const double *m = transforms + (frame ? 16 : 0); /* the last serves all that follow */
    for (size_t v = 0; v < 8; v++)
      for (size_t r = 0; r < 3; r++)
        claim_near(b[3 * v + r],
                   m[4 * r] * a[3 * v] + m[4 * r + 1] * a[3 * v + 1] + m[4 * r + 2] * a[3 * v + 2] +
                       m[4 * r + 3],
                   1e-6);
  }
  pc2_close(&world);
  pc2_close(&local);

  /* Stopped and resumed: the same bytes. */
  claim_fails(bake_playback(scene, "halted", false, 3, &p, 1, err), TRIBO_CANCELLED, "frame 3");
  claim_fails(bake_playback(scene, "halted", true, 0, NULL, 0, err), TRIBO_BAD_INPUT,
              "'cube.local.pc2' for playback");
  claim_ok(bake_playback(scene, "halted", true, 0, &p, 1, err));
  claim_same_file(in("halted", "cube.local.pc2"), in("seen", "cube.local.pc2"));

  /* Lost, damaged, or asked for later: made from the cache. */
  file_text bytes;
  claim_ok(file_read(in("halted", "cube.local.pc2"), &bytes, err));
  bytes.data[bytes.size - 2] ^= 16;
  claim_ok(file_write(in("halted", "cube.local.pc2"), bytes.data, bytes.size, err));
  free(bytes.data);
  claim_ok(bake_playback(scene, "halted", true, 0, &p, 1, err));
  claim_near_files("halted", "seen");
  assert_int_equal(unlink(in("halted", "cube.local.pc2")), 0);
  claim_ok(bake_playback(scene, "halted", true, 0, &p, 1, err));
  claim_fails(bake_playback(scene, "later", false, 4, NULL, 0, err), TRIBO_CANCELLED, "frame 4");
  claim_ok(bake_playback(scene, "later", true, 0, &p, 1, err));
  claim_near_files("halted", "seen");
  claim_near_files("later", "seen");
  tribo_scene_free(scene);
}

static void playback__that_makes_no_sense_is_refused(void **unused) {
  (void)unused;
  tribo_scene *scene = make_scene();
  double flat[16];
  memcpy(flat, MOVED, sizeof flat);
  flat[0] = INFINITY;
  tribo_playback p = {"cube", flat, 1};
  claim_fails(bake_playback(scene, "bad", false, 0, &p, 1, err), TRIBO_BAD_INPUT, "transform 0");
  p = (tribo_playback){"cub", MOVED, 1};
  claim_fails(bake_playback(scene, "bad", false, 0, &p, 1, err), TRIBO_BAD_INPUT,
              "'cub': no simulated object");
  p = (tribo_playback){"cube", MOVED, 0};
  claim_fails(bake_playback(scene, "bad", false, 0, &p, 1, err), TRIBO_BAD_INPUT, "no transforms");
  tribo_scene_free(scene);
}

/* What a link leads to is another bake's, whoever put the link there. */
static void states__behind_a_link_are_nobodys_to_remove(void **unused) {
  (void)unused;
  bake_with_states("swapped");
  bake_with_states("other");
  scratch_remove_folder(in("swapped", STATES_FOLDER));
  assert_int_equal(symlink("../other/" STATES_FOLDER, in("swapped", STATES_FOLDER)), 0);
  tribo_scene *scene = make_scene();
  wish anew = {.keep = true, .overwrite = true}, back = {.rewind = true, .from = 3};
  claim_fails(bake_as(scene, "swapped", anew, err), TRIBO_BAD_INPUT, "is a symbolic link");
  claim_fails(bake_as(scene, "swapped", back, err), TRIBO_BAD_INPUT, "is a symbolic link");
  tribo_scene_free(scene);
  claim_states("other", 1, FRAMES);
  claim_same_bake("swapped", reference());
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(states__change_nothing_and_are_one_a_frame),
      cmocka_unit_test(same_scene__from_any_frame_gives_the_same_bits),
      cmocka_unit_test(changed_scene__keeps_the_frames_up_to_it),
      cmocka_unit_test(killed_rewind__is_finished_by_a_resume),
      cmocka_unit_test(rewind__refuses_what_does_not_fit),
      cmocka_unit_test(overwrite__removes_states_and_leaves_what_is_not_tribos),
      cmocka_unit_test(stopped_within_a_step__resumes_to_the_same_bits),
      cmocka_unit_test(playback__is_the_motion_seen_from_the_object),
      cmocka_unit_test(playback__that_makes_no_sense_is_refused),
      cmocka_unit_test(states__behind_a_link_are_nobodys_to_remove),
  };
  return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
