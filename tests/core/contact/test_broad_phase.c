/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which pairs are looked at: against all pairs, one by one.
 */
#include "claims.h"
#include "contact/broad_phase.h"
#include "model/kinematics.h"

/* Bodies that have probes and a surface each, some of them smooth, and a collider at the end. */
typedef struct crowd {
  model m;
  arena memory;
  broad_phase broad_phase;
  broad_phase_ball *balls;
  size_t count;
} crowd;

static crowd *crowd_make(size_t count, double room, uint64_t seed) {
  crowd *c = calloc(1, sizeof *c);
  assert_non_null(c);
  c->count = count;
  c->m.bodies = ARENA_ARRAY(&c->memory, model_body, count);
  c->m.probes = ARENA_ARRAY(&c->memory, model_probes, count);
  c->m.surfaces = ARENA_ARRAY(&c->memory, model_surface, count + 1);
  c->balls = ARENA_ARRAY(&c->memory, broad_phase_ball, count);
  assert_true(c->m.bodies && c->m.probes && c->m.surfaces && c->balls);
  c->m.object_count = count + 1;
  c->m.body_count = c->m.probe_count = count;
  c->m.surface_count = count + 1;
  for (size_t b = 0; b < count; b++) {
    int contact = b % 97 == 5  ? TRIBO_CONTACT_MLS
                  : b % 3 == 0 ? TRIBO_CONTACT_SPHERE
                               : TRIBO_CONTACT_BOX;
    c->m.bodies[b] = (model_body){.object = b, .kinematics = &kinematics_rigid};
    c->m.probes[b] = (model_probes){.object = b, .body = (int32_t)b, .spacing = 1};
    c->m.probes[b].params.contact = contact;
    c->m.surfaces[b] = (model_surface){.object = b, .body = (int32_t)b, .collider = -1};
    c->m.surfaces[b].params.contact = contact;
    c->balls[b] = (broad_phase_ball){{claim_between(&seed, 0, room), claim_between(&seed, 0, room),
                                      claim_between(&seed, 0, 3 * room)},
                                     claim_between(&seed, 0.2, 1)};
  }
  c->m.surfaces[count] = (model_surface){.object = count, .body = -1, .collider = 0};
  claim_ok(broad_phase_create(&c->m, BROAD_PHASE_ALL, &c->memory, &c->broad_phase, err));
  return c;
}

static void crowd_free(crowd *c) {
  arena_free(&c->memory);
  free(c);
}

static bool wanted(const crowd *c, size_t i, size_t j) {
  if (!broad_phase_allowed(&c->broad_phase, i, j)) return false;
  if (j == c->count || c->m.surfaces[j].params.contact == TRIBO_CONTACT_MLS) return true;
  double reach = c->balls[i].radius + c->balls[j].radius;
  return vec3_norm(vec3_sub(c->balls[i].centre, c->balls[j].centre)) <= reach;
}

static void sweep__finds_just_the_pairs_whose_balls_meet_in_order(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 10; seed++) {
    crowd *c = crowd_make(150, 6, seed);
    contact_pair *pairs;
    size_t count, at = 0;
    claim_ok(broad_phase_near(&c->broad_phase, c->balls, &c->memory, &pairs, &count, err));
    for (size_t i = 0; i < c->m.probe_count; i++)
      for (size_t j = 0; j < c->m.surface_count; j++) {
        if (!wanted(c, i, j)) continue;
        assert_true(at < count);
        assert_int_equal(pairs[at].probes, i);
        assert_int_equal(pairs[at++].surface, j);
      }
    assert_int_equal(at, count);
    assert_true(count > 150 && count < c->broad_phase.count / 4);
    crowd_free(c);
  }
}

/* As many as there are neighbours, not the square of the bodies. */
static void many_bodies__have_few_pairs(void **unused) {
  (void)unused;
  crowd *c = crowd_make(3000, 40, 3);
  contact_pair *pairs;
  size_t count;
  claim_ok(broad_phase_near(&c->broad_phase, c->balls, &c->memory, &pairs, &count, err));
  size_t smooth = 3000 / 97 + 1;
  assert_true(count < 3000 * (smooth + 4));
  crowd_free(c);
}

static void body_that_is_nowhere__is_looked_at(void **unused) {
  (void)unused;
  crowd *c = crowd_make(20, 100, 4);
  c->balls[7].centre.x = NAN;
  c->balls[7].radius = NAN;
  contact_pair *pairs;
  size_t count;
  claim_ok(broad_phase_near(&c->broad_phase, c->balls, &c->memory, &pairs, &count, err));
  size_t of_it = 0, may = 0;
  for (size_t p = 0; p < count; p++) of_it += pairs[p].probes == 7 || pairs[p].surface == 7;
  for (size_t i = 0; i <= c->count; i++)
    may += (size_t)broad_phase_allowed(&c->broad_phase, 7, i) +
           (size_t)(i < c->count && broad_phase_allowed(&c->broad_phase, i, 7));
  assert_int_equal(of_it, may);
  crowd_free(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sweep__finds_just_the_pairs_whose_balls_meet_in_order),
      cmocka_unit_test(many_bodies__have_few_pairs),
      cmocka_unit_test(body_that_is_nowhere__is_looked_at),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
