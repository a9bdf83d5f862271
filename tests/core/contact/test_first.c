/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A finely cut rigid ball that flies at a floor: few of the places within its reach are contacts,
 * and those that touch first are.
 */
#include "core/contact/stage.h"

/* A hair above the floor, with a speed of so much down and along. */
static stage *falling(double down, double along) {
  stage *s = stage_make();
  mesh ball = stage_ball(8, 0.05, false);
  shape_turn(&ball, 0, 0.3);
  shape_turn(&ball, 1, 0.2);
  shape_move(&ball, 0, 0, 0.0505);
  stage_add(s, stage_def(TRIBO_RIGID, TRIBO_CONTACT_MESH), ball);
  stage_add(s, stage_def(TRIBO_COLLIDER, TRIBO_CONTACT_MESH), stage_sheet(1, 4, 0));
  stage_build(s, MLS_RIGID, 1);
  for (int32_t v = 0; v < s->m.vertex_count; v++) s->velocities[v] = (vec3){along, 0, -down};
  return s;
}

static void ball_that_falls__has_the_contacts_that_come_first(void **unused) {
  (void)unused;
  for (double along = 0; along < 3; along += 2) {
    stage *s = falling(2, along);
    stage_find(s, 1e-3);
    int32_t lowest = 0;
    size_t within = 0;
    bool has_lowest = false;
    for (int32_t v = 0; v < s->m.vertex_count; v++) {
      if (s->vertices[v].z < s->vertices[lowest].z) lowest = v;
      within += s->vertices[v].z < 0.02; /* where the step's motion leads */
    }
    for (size_t i = 0; i < s->set.count; i++) has_lowest |= s->set.contacts[i].vertex == lowest;
    print_message("    %zu contacts, %zu vertices within the way\n", s->set.count, within);
    assert_true(has_lowest);
    assert_true(s->set.count >= 1 && s->set.count <= 24);
    assert_true(within > 3 * s->set.count);
    stage_free(s);
  }
}

/* Where all are as near, as on a flat face, none is left out. */
static void flat_face__keeps_all_its_places(void **unused) {
  (void)unused;
  stage *s = stage_make();
  mesh block = shape_block(8, 8, 2, 0.4, 0.4, 0.1), skin = shape_skin(&block);
  mesh_free(&block);
  shape_move(&skin, -0.2, -0.2, 0.001);
  stage_add(s, stage_def(TRIBO_RIGID, TRIBO_CONTACT_MESH), skin);
  stage_add(s, stage_def(TRIBO_COLLIDER, TRIBO_CONTACT_MESH), stage_sheet(1, 4, 0));
  stage_build(s, MLS_RIGID, 1);
  for (int32_t v = 0; v < s->m.vertex_count; v++) s->velocities[v] = (vec3){0, 0, -2};
  stage_find(s, 1e-3);
  size_t below = 0;
  for (size_t i = 0; i < s->set.count; i++)
    below += s->vertices[s->set.contacts[i].vertex].z < 0.002;
  assert_true(below >= 49); /* those inside of its rim, at the least */
  stage_free(s);
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(ball_that_falls__has_the_contacts_that_come_first),
      cmocka_unit_test(flat_face__keeps_all_its_places),
  };
  return cmocka_run_group_tests(claims, NULL, NULL);
}
