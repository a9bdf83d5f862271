/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h" /* first: its parameters are called state */

#include <pthread.h>
#include <stdlib.h>

#include "scenes/scenes.h"
#include "tribo/sim.h"

/* Orderings draw from the C library's rand(), which the host and other simulations share. */

static uint64_t hash_of_a_step(int side) {
  tribo_scene *scene = NULL;
  if (scene_swinging_cube(side, &scene, NULL) != TRIBO_OK) return 0;
  tribo_scene_solver(scene)->linear = TRIBO_LINEAR_CHOLMOD;
  tribo_sim_options options = {.threads = 1};
  tribo_sim *sim = NULL;
  uint64_t hash = 0;
  if (tribo_sim_create(scene, &options, &sim, NULL) == TRIBO_OK &&
      tribo_sim_step(sim, NULL, NULL) == TRIBO_OK)
    hash = tribo_sim_hash(sim);
  tribo_sim_free(sim);
  tribo_scene_free(scene);
  return hash;
}

static void ordering__leaves_the_hosts_random_numbers_alone(void **unused) {
  (void)unused;
  srand(7);
  int expected[3];
  for (int i = 0; i < 3; i++) expected[i] = rand();
  srand(7);
  assert_int_equal(rand(), expected[0]);
  assert_true(hash_of_a_step(8) != 0);
  assert_int_equal(rand(), expected[1]);
  assert_int_equal(rand(), expected[2]);
}

static void *work(void *out) {
  *(uint64_t *)out = hash_of_a_step(12);
  return NULL;
}

static void orderings__at_the_same_time_are_those_made_alone(void **unused) {
  (void)unused;
  enum { THREADS = 4 };
  uint64_t alone = hash_of_a_step(12), together[THREADS];
  pthread_t thread[THREADS];
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, work, &together[i]), 0);
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < THREADS; i++) assert_true(together[i] == alone && alone != 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ordering__leaves_the_hosts_random_numbers_alone),
      cmocka_unit_test(orderings__at_the_same_time_are_those_made_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
