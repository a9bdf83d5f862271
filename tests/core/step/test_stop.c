/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h" /* first: its parameters are called state */

#include <pthread.h>
#include <time.h>

#include "base/clock.h"
#include "physics/lab_contact.h"
#include "tribo/sim.h"

/* A step that is told to give up does so soon, and leaves no trace. */

typedef tribo_scene *(*maker)(void);

static tribo_scene *make_flag(void) {
  tribo_scene *scene = NULL;
  claim_ok(scene_flag(10, &scene, err));
  return scene;
}

static tribo_scene *make_cube(void) { /* conjugate gradients first */
  tribo_scene *scene = NULL;
  claim_ok(scene_swinging_cube(8, &scene, err));
  return scene;
}

static tribo_scene *make_block(void) { /* contact and friction */
  scene_block_slide_params p = scene_block_slide_defaults();
  p.mu = 0.3, p.cells = 3;
  tribo_scene *scene = NULL;
  claim_ok(scene_block_slide(&p, &scene, err));
  return scene;
}

static tribo_scene *make_lumped(void) { /* friction by staggered projections */
  tribo_scene *scene = make_block();
  claim_ok(tribo_scene_set(scene, "solver.effective_mass", "lumped", err));
  return scene;
}

static tribo_scene *make_projective(void) { /* a fixed number of iterations */
  tribo_scene *scene = make_flag();
  ((tribo_object_def *)tribo_scene_object(scene, 0))->cloth.damping_stiffness = 0;
  claim_ok(tribo_scene_set(scene, "method", "projective", err));
  claim_ok(tribo_scene_set(scene, "solver.projective_iterations", "200", err));
  return scene;
}

static const maker makers[] = {make_flag, make_cube, make_block, make_lumped, make_projective};
enum { MAKERS = sizeof makers / sizeof *makers };

static tribo_sim *start(maker make, const int *stop) {
  tribo_scene *scene = make();
  tribo_sim_options options = {.threads = 2, .stop = stop};
  tribo_sim *sim = NULL;
  claim_ok(tribo_sim_create(scene, &options, &sim, err));
  tribo_scene_free(scene);
  return sim;
}

typedef struct bell {
  int *stop;
  long nanoseconds;
} bell;

static void *ring(void *context) {
  const bell *b = context;
  nanosleep(&(struct timespec){.tv_nsec = b->nanoseconds}, NULL);
  __atomic_store_n(b->stop, 1, __ATOMIC_RELAXED);
  return NULL;
}

static void stopped_step__leaves_the_state_and_goes_on_to_the_same_bits(void **unused) {
  (void)unused;
  enum { FRAMES = 2 };
  int stopped = 0;
  for (int k = 0; k < MAKERS; k++) {
    int stop = 0;
    tribo_sim *straight = start(makers[k], NULL), *broken = start(makers[k], &stop);
    for (int frame = 0; frame < FRAMES; frame++) {
      claim_ok(tribo_sim_frame(straight, NULL, err));
      uint64_t before = tribo_sim_hash(broken);
      for (long ns = 20 * 1000; ns < 20 * 1000 * 1000; ns *= 4) {
        pthread_t thread;
        bell b = {&stop, ns};
        assert_int_equal(pthread_create(&thread, NULL, ring, &b), 0);
        tribo_error error = {0};
        tribo_status status = tribo_sim_step(broken, NULL, &error);
        pthread_join(thread, NULL);
        __atomic_store_n(&stop, 0, __ATOMIC_RELAXED);
        if (status == TRIBO_OK) break; /* it was quicker than the bell */
        assert_int_equal(status, TRIBO_CANCELLED);
        assert_true(tribo_sim_hash(broken) == before);
        stopped++;
      }
      claim_ok(tribo_sim_frame(broken, NULL, err));
      /* The step that was got through may have ended the frame. */
      if (tribo_sim_frame_number(broken) > tribo_sim_frame_number(straight))
        claim_ok(tribo_sim_frame(straight, NULL, err));
      assert_true(tribo_sim_frame_number(broken) == tribo_sim_frame_number(straight));
      assert_true(tribo_sim_hash(broken) == tribo_sim_hash(straight));
    }
    tribo_sim_free(straight);
    tribo_sim_free(broken);
  }
  print_message("%d steps were stopped\n", stopped);
  assert_true(stopped >= MAKERS);
}

static void flag_that_is_up__stops_every_step_at_once(void **unused) {
  (void)unused;
  for (int k = 0; k < MAKERS; k++) {
    int stop = 0;
    tribo_sim *sim = start(makers[k], &stop);
    stop = 1;
    double began = clock_seconds();
    claim_fails(tribo_sim_frame(sim, NULL, err), TRIBO_CANCELLED, "stopped within a step");
    print_message("%.1f ms\n", 1e3 * (clock_seconds() - began));
    assert_true(tribo_sim_time(sim) == 0);
    tribo_sim_free(sim);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stopped_step__leaves_the_state_and_goes_on_to_the_same_bits),
      cmocka_unit_test(flag_that_is_up__stops_every_step_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
