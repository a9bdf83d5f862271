/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Surfaces: distances where there is a formula, the velocity of colliders that move, and crossings
 * that are too fast to be seen in between.
 */
#include "core/contact/stage.h"
#include "surface/path.h"

/* One collider, or one body, with its surface; and a mote of cloth far away that makes someone
 * touch it. */
typedef struct lone {
  stage *s;
  surface *on;
} lone;

static lone make_lone(tribo_object_def def, mesh shape) {
  stage *s = stage_make();
  stage_add(s, def, shape);
  stage_add(s, stage_def(TRIBO_CLOTH, TRIBO_CONTACT_AUTO), stage_sheet(1, 0.1, 50));
  stage_build(s, MLS_RIGID, 1);
  lone l = {s, NULL};
  for (size_t j = 0; j < s->m.surface_count; j++)
    if (s->m.surfaces[j].object == 0) l.on = &s->finder.surfaces[j];
  assert_non_null(l.on);
  assert_non_null(l.on->def);
  return l;
}

static void place(lone *l) {
  stage_carry(l->s);
  arena scratch = {0};
  claim_ok(surface_place(l->on, &l->s->tasks, &l->s->moment, &scratch, err));
  path_sweep(l->on, &l->s->tasks);
  arena_free(&scratch);
}

/* Where the rest position p is carried by a motion that turns about `axis`, grows and shifts. */
typedef struct motion {
  vec3 spin, shift; /* a frame */
  double growth;    /* a frame, linearly */
} motion;

static vec3 moved(const motion *m, vec3 p, double frame) {
  quat turn = quat_exp(vec3_scale(frame, m->spin));
  return vec3_madd(vec3_scale(frame, m->shift), 1 + m->growth * frame, quat_rotate(turn, p));
}

enum { SAMPLES = 3 };

static void transforms_of(const motion *m, double *out) {
  memset(out, 0, SAMPLES * 16 * sizeof *out);
  for (int k = 0; k < SAMPLES; k++) {
    mat3 turn = quat_to_matrix(quat_exp(vec3_scale(k, m->spin)));
    vec3 shift = vec3_scale(k, m->shift);
    double *to = out + 16 * k, by[3] = {shift.x, shift.y, shift.z};
    for (int r = 0; r < 3; r++) {
      for (int c = 0; c < 3; c++) to[4 * r + c] = (1 + m->growth * k) * turn.m[r][c];
      to[4 * r + 3] = by[r];
    }
    to[15] = 1;
  }
}

static double *points_of(const motion *m, const mesh *shape) {
  double *out = malloc(3 * SAMPLES * shape->vertex_count * sizeof *out);
  for (size_t k = 0; k < SAMPLES; k++)
    for (size_t i = 0; i < shape->vertex_count; i++) {
      vec3 p = moved(m, vec3_from(shape->positions + 3 * i), (double)k);
      memcpy(out + 3 * (k * shape->vertex_count + i), &p, sizeof p);
    }
  return out;
}

/* The step in which frame 1 becomes frame 2; samples stand at frames. */
static void take_second_frame(stage *s) {
  double frame = 1 / tribo_time_defaults().fps;
  s->moment.start = frame;
  s->moment.h = frame;
}

/* ---- where it is ------------------------------------------------------------------------------
 */

/* A ball of every form, standing, turned and shifted: distance and normal are those of a ball, as
 * exactly as the form is one. */
static void ball__is_a_ball_in_every_form(void **unused) {
  (void)unused;
  int shapes[] = {TRIBO_CONTACT_SPHERE, TRIBO_CONTACT_MESH, TRIBO_CONTACT_MLS};
  double exact[] = {1e-12, 0.02, 0.03};
  uint64_t seed = 6;
  motion m = {.spin = {0.3, 0.2, -0.5}, .shift = {1, -2, 0.5}, .growth = 0.2};
  double transforms[16 * SAMPLES];
  transforms_of(&m, transforms);
  for (int k = 0; k < 3; k++) {
    tribo_object_def def = stage_def(TRIBO_COLLIDER, shapes[k]);
    def.motion = (tribo_motion_def){
        .transforms = transforms, .sample_count = SAMPLES, .start = 1, .interval = 1};
    lone l = make_lone(def, stage_ball(10, 1, false));
    take_second_frame(l.s);
    place(&l);
    vec3 centre = vec3_scale(2, m.shift);
    double radius = 1 + 2 * m.growth;
    for (int i = 0; i < 200; i++) {
      vec3 out = vec3_normalized(stage_random(&seed, 1));
      double gap = claim_between(&seed, -0.05, 0.05);
      vec3 point = vec3_madd(centre, radius + gap, out);
      surface_hit hit = surface_query(l.on, point, 1);
      assert_true(hit.near && !hit.through);
      claim_near(hit.gap, gap, exact[k] * radius);
      claim_below(vec3_norm(vec3_sub(hit.normal, out)), 10 * exact[k]);
      claim_below(vec3_norm(vec3_sub(vec3_madd(point, -hit.gap, hit.normal), hit.foot)), 1e-12);
      if (gap > 0.03 && k < 2) assert_false(surface_query(l.on, point, gap - 0.025).near);
    }
    stage_free(l.s);
  }
}

static void sheet__ends_at_its_rim(void **unused) {
  (void)unused;
  lone l = make_lone(stage_def(TRIBO_COLLIDER, TRIBO_CONTACT_MESH), stage_sheet(3, 2, 0));
  place(&l);
  assert_true(surface_query(l.on, (vec3){0.9, 0.2, 0.1}, 1).near);
  assert_true(surface_query(l.on, (vec3){0.9, 0.2, -0.1}, 1).near); /* behind, negative */
  claim_near(surface_query(l.on, (vec3){0.9, 0.2, -0.1}, 1).gap, -0.1, 1e-15);
  assert_false(surface_query(l.on, (vec3){1.1, 0.2, 0.1}, 1).near);
  stage_free(l.s);
}

static void deforming_primitive__is_refused_by_name(void **unused) {
  (void)unused;
  stage *s = stage_make();
  tribo_object_def def = stage_def(TRIBO_SOLID, TRIBO_CONTACT_BOX);
  stage_add(s, def, shape_block(1, 1, 1, 1, 1, 1));
  tribo_world_params world = tribo_world_defaults();
  tribo_time_params time = tribo_time_defaults();
  tasks t = tasks_create(1);
  claim_ok(model_build(s->defs, s->count, &world, &time, &s->m, err));
  surface on;
  claim_fails(surface_create(&s->m, &s->m.surfaces[0], &t, &on, err), TRIBO_BAD_INPUT,
              "object 'a' deforms");
  stage_free(s);
}

/* ---- how it moves -----------------------------------------------------------------------------
 */

/* What a collider does to a contact is the velocity of its matter there: over the step, from where
 * the foot was. By a map exactly; by its points as exactly as these tell. */
static void drift__is_the_velocity_of_the_matter(void **unused) {
  (void)unused;
  uint64_t seed = 16;
  motion m = {.spin = {0.05, 0.1, -0.2}, .shift = {0.3, -0.2, 0.1}, .growth = 0.05};
  double transforms[16 * SAMPLES];
  transforms_of(&m, transforms);
  int shapes[] = {TRIBO_CONTACT_SPHERE, TRIBO_CONTACT_MESH, TRIBO_CONTACT_MLS};
  for (int by_points = 0; by_points < 2; by_points++)
    for (int k = by_points; k < 3; k++) { /* what deforms is no primitive */
      mesh shape = stage_ball(10, 1, false);
      double *points = points_of(&m, &shape);
      tribo_object_def def = stage_def(TRIBO_COLLIDER, shapes[k]);
      def.motion = (tribo_motion_def){.transforms = by_points ? NULL : transforms,
                                      .points = by_points ? points : NULL,
                                      .sample_count = SAMPLES,
                                      .start = 1,
                                      .interval = 1};
      lone l = make_lone(def, shape);
      take_second_frame(l.s);
      place(&l);
      for (int i = 0; i < 50; i++) {
        vec3 rest = vec3_normalized(stage_random(&seed, 1));
        vec3 now = moved(&m, rest, 2), was = moved(&m, rest, 1);
        surface_hit hit = surface_query(l.on, now, 1);
        assert_true(hit.near);
        arena scratch = {0};
        surface_side side;
        claim_ok(
            surface_sides(l.on, &l.s->moment, &hit, hit.foot, MLS_PLAIN, &scratch, &side, err));
        assert_int_equal(side.count, 0);
        claim_below(vec3_norm(vec3_sub(side.by_point, hit.normal)), 0);
        vec3 expected = vec3_scale(1 / l.s->moment.h, vec3_sub(now, was));
        /* the foot is as far from the round ball as the facets are */
        double off = k == 0 ? 1e-11 : 0.03;
        vec3 surface_velocity = side.surface_velocity; /* what keeps its shape is asked for the way
                                                          of a point instead */
        if (!l.on->deforms)
          surface_velocity = vec3_scale(1 / l.s->moment.h, surface_carried(l.on, was));
        claim_below(vec3_norm(vec3_sub(surface_velocity, expected)), off * vec3_norm(expected));
        arena_free(&scratch);
      }
      free(points);
      stage_free(l.s);
    }
}

/* Translation alone is exact, however it is given, and whatever the transport. */
static void drift__of_a_shift_is_the_shift(void **unused) {
  (void)unused;
  motion m = {.shift = {0.3, -0.2, 0.1}};
  mls_transport transports[] = {MLS_PLAIN, MLS_RIGID};
  mesh shape = stage_ball(6, 1, false);
  double *points = points_of(&m, &shape);
  tribo_object_def def = stage_def(TRIBO_COLLIDER, TRIBO_CONTACT_MLS);
  def.motion =
      (tribo_motion_def){.points = points, .sample_count = SAMPLES, .start = 1, .interval = 1};
  lone l = make_lone(def, shape);
  take_second_frame(l.s);
  place(&l);
  surface_hit hit = surface_query(l.on, vec3_add((vec3){0, 0.1, 1}, vec3_scale(2, m.shift)), 1);
  assert_true(hit.near);
  for (int k = 0; k < 2; k++)
    for (int thick = 0; thick < 2; thick++) {
      arena scratch = {0};
      surface_side side;
      claim_ok(surface_sides(l.on, &l.s->moment, &hit,
                             vec3_madd(hit.foot, 0.05 * thick, hit.normal), transports[k], &scratch,
                             &side, err));
      vec3 expected = vec3_scale(1 / l.s->moment.h, m.shift);
      claim_below(vec3_norm(vec3_sub(side.surface_velocity, expected)),
                  1e-12 * vec3_norm(expected));
      arena_free(&scratch);
    }
  free(points);
  stage_free(l.s);
}

/* ---- the way ----------------------------------------------------------------------------------
 */

/* Right through a thin sheet that has one side: seen from the front, with the plane it went
 * through; from behind it is let out. */
static void crossing__counts_from_the_front(void **unused) {
  (void)unused;
  int shapes[] = {TRIBO_CONTACT_MESH, TRIBO_CONTACT_MLS, TRIBO_CONTACT_PLANE};
  for (int k = 0; k < 3; k++) {
    tribo_object_def def = stage_def(TRIBO_COLLIDER, shapes[k]);
    def.surface.sides = TRIBO_SIDES_FRONT;
    lone l = make_lone(def, stage_sheet(6, 2, 0));
    place(&l);
    vec3 above = {0.13, 0.21, 0.7}, below = {0.33, -0.2, -0.9};
    surface_hit hit;
    assert_true(path_through(l.on, 0, above, below, 0, &hit));
    assert_true(hit.through && hit.near);
    claim_near(hit.gap, -0.9, 1e-6);
    claim_near(hit.normal.z, 1, 1e-12);
    claim_near(hit.foot.z, 0, 1e-6);
    /* the foot is where it went through */
    claim_near(hit.foot.x, 0.13 + 0.2 * 0.7 / 1.6, 1e-5);
    claim_near(hit.foot.y, 0.21 - 0.41 * 0.7 / 1.6, 1e-5);
    assert_false(path_through(l.on, 0, below, above, 0, &hit));
    assert_false(path_through(l.on, 0, above, (vec3){0.3, 0.2, 0.1}, 0, &hit)); /* not so far */
    assert_true(path_through(l.on, 0, above, (vec3){0.3, 0.2, -1e-3}, 0, &hit));
    assert_false(path_through(l.on, 0, above, above, 0, &hit));
    stage_free(l.s);
  }
}

/* The same of two sides: from either. What touches goes through from where it is, or is known to
 * be, not where it has just come out. */
static void crossing__counts_from_both_sides_of_a_sheet(void **unused) {
  (void)unused;
  int shapes[] = {TRIBO_CONTACT_MESH, TRIBO_CONTACT_MLS};
  for (int k = 0; k < 2; k++) {
    lone l = make_lone(stage_def(TRIBO_COLLIDER, shapes[k]), stage_sheet(6, 2, 0));
    place(&l);
    vec3 above = {0.13, 0.21, 0.7}, below = {0.33, -0.2, -0.9};
    surface_hit hit;
    for (int way = -1; way <= 1; way += 2) {
      vec3 from = way < 0 ? above : below, to = way < 0 ? below : above;
      assert_true(path_through(l.on, 0, from, to, 0, &hit));
      claim_near(hit.gap, way < 0 ? -0.9 : -0.7, 1e-6);
      claim_near(hit.normal.z, -way, 1e-12);
      assert_int_equal(hit.side, -way);
      /* a hair beyond: it comes out, or goes in, as it is known to be */
      vec3 hair = {0.1, 0.1, 1e-9 * way}, out = {0.1, 0.1, -0.1 * way};
      assert_false(path_through(l.on, -way, hair, out, 0, &hit));
      assert_true(path_through(l.on, way, hair, out, 0, &hit));
      claim_near(hit.normal.z, way, 1e-12);
    }
    stage_free(l.s);
  }
}

static void rim__lets_pass_beside_it(void **unused) {
  (void)unused;
  lone l = make_lone(stage_def(TRIBO_COLLIDER, TRIBO_CONTACT_MESH), stage_sheet(3, 2, 0));
  place(&l);
  surface_hit hit;
  assert_false(path_through(l.on, 0, (vec3){1.2, 0, 1}, (vec3){1.2, 0, -1}, 0, &hit));
  assert_true(path_through(l.on, 0, (vec3){0.8, 0, 1}, (vec3){0.8, 0, -1}, 0, &hit));
  stage_free(l.s);
}

/* Into a ball, and out of it again on the other side. */
static void ball__is_met_where_the_way_enters(void **unused) {
  (void)unused;
  int shapes[] = {TRIBO_CONTACT_SPHERE, TRIBO_CONTACT_MESH};
  for (int k = 0; k < 2; k++) {
    lone l = make_lone(stage_def(TRIBO_COLLIDER, shapes[k]), stage_ball(12, 1, false));
    place(&l);
    surface_hit hit;
    vec3 from = {-3, 0.3, 0.2}, in = {0.5, 0.3, 0.2}, across = {3, 0.3, 0.2};
    vec3 enters = {-sqrt(1 - 0.09 - 0.04), 0.3, 0.2};
    vec3 ends[] = {in, across};
    for (int e = 0; e < 2; e++) {
      assert_true(path_through(l.on, 0, from, ends[e], 0, &hit));
      claim_below(vec3_norm(vec3_sub(hit.foot, enters)), k ? 0.02 : 1e-6);
      claim_below(vec3_norm(vec3_sub(hit.normal, enters)), k ? 0.15 : 1e-6);
      claim_near(hit.gap, vec3_dot(hit.normal, vec3_sub(ends[e], hit.foot)), 1e-12);
    }
    assert_false(path_through(l.on, 0, in, across, 0, &hit)); /* from inside */
    assert_false(path_through(l.on, 0, from, (vec3){-3, 5, 0}, 0, &hit));
    stage_free(l.s);
  }
}

/* Nearly along the surface, where a stride by the distance at a time would never arrive. */
static void slanting_way__is_stopped_where_it_enters(void **unused) {
  (void)unused;
  surface_hit hit;
  lone plane = make_lone(stage_def(TRIBO_COLLIDER, TRIBO_CONTACT_PLANE), stage_sheet(3, 2, 0));
  place(&plane);
  vec3 from = {-0.9, 0, 1e-6}, to = {0.9, 0, -1e-3};
  assert_true(path_through(plane.on, 0, from, to, 0, &hit));
  claim_near(hit.foot.x, -0.9 + 1.8 * 1e-6 / 1.001e-3, 1e-5);
  assert_false(path_through(plane.on, 0, from, (vec3){0.9, 0, 1e-9}, 0, &hit));
  stage_free(plane.s);
  lone ball = make_lone(stage_def(TRIBO_COLLIDER, TRIBO_CONTACT_SPHERE), stage_ball(12, 1, false));
  place(&ball);
  double high = 1 - 1e-4;
  assert_true(path_through(ball.on, 0, (vec3){-3, 0, high}, (vec3){0, 0, high}, 0, &hit));
  claim_near(hit.foot.x, -sqrt(1 - high * high), 1e-5);
  assert_false(path_through(ball.on, 0, (vec3){-3, 0, 1.0001}, (vec3){3, 0, 1.0001}, 0, &hit));
  stage_free(ball.s);
}

/* A thick point is stopped where its skin touches. */
static void thickness__stops_sooner(void **unused) {
  (void)unused;
  lone l = make_lone(stage_def(TRIBO_COLLIDER, TRIBO_CONTACT_MESH), stage_sheet(3, 2, 0));
  place(&l);
  surface_hit hit;
  vec3 from = {1.1, 0.1, 1}, to = {1.1, 0.1, -1}; /* beside the rim by 0.1 */
  assert_false(path_through(l.on, 0, from, to, 0.05, &hit));
  assert_true(path_through(l.on, 0, from, to, 0.2, &hit));
  stage_free(l.s);
}

/* The surface moves, the point does not: a sheet swept up through it in one step, by a map and by
 * its points. Or both move together, and nothing happens. */
static void moving_sheet__sweeps_up_what_stands(void **unused) {
  (void)unused;
  motion m = {.shift = {0, 0, 1}};
  double transforms[16 * SAMPLES];
  transforms_of(&m, transforms);
  for (int by_points = 0; by_points < 2; by_points++) {
    mesh shape = stage_sheet(4, 2, 0);
    double *points = points_of(&m, &shape);
    tribo_object_def def = stage_def(TRIBO_COLLIDER, TRIBO_CONTACT_MESH);
    def.motion = (tribo_motion_def){.transforms = by_points ? NULL : transforms,
                                    .points = by_points ? points : NULL,
                                    .sample_count = SAMPLES,
                                    .start = 1,
                                    .interval = 1};
    lone l = make_lone(def, shape);
    take_second_frame(l.s); /* from z = 1 to z = 2 */
    place(&l);
    surface_hit hit;
    vec3 stands = {0.1, 0.3, 1.4};
    assert_true(path_through(l.on, 0, stands, stands, 0, &hit));
    claim_near(hit.gap, -0.6, 1e-6);
    claim_near(hit.foot.z, 2, 1e-6);
    assert_false(path_through(l.on, 0, stands, (vec3){0.1, 0.3, 2.4}, 0, &hit));
    /* from behind it comes through to the front */
    assert_true(path_through(l.on, 0, (vec3){0.1, 0.3, 0.9}, (vec3){0.1, 0.3, 2.5}, 0, &hit));
    claim_near(hit.normal.z, -1, 1e-12);
    free(points);
    stage_free(l.s);
  }
}

/* The same of simulated bodies: a rigid box that jumps onto a point, a soft one that is squashed
 * over it. */
static void moving_bodies__sweep_up_what_stands(void **unused) {
  (void)unused;
  for (int soft = 0; soft < 2; soft++) {
    tribo_object_def def =
        stage_def(soft ? TRIBO_SOLID : TRIBO_RIGID, soft ? TRIBO_CONTACT_MLS : TRIBO_CONTACT_MESH);
    mesh shape = soft ? shape_block(3, 3, 3, 1, 1, 1) : stage_box(3, 1, 1, 1);
    if (soft) shape_move(&shape, -0.5, -0.5, -0.5);
    lone l = make_lone(def, shape);
    stage_moves(l.s);
    vec3 stands = {0.11, 0.13, 1.2};
    surface_hit hit;
    place(&l);
    assert_false(path_through(l.on, 0, stands, stands, 0, &hit));
    const model_body *body = &l.s->m.bodies[0];
    for (int32_t i = 0; i < (soft ? body->node_count : 1); i++) l.s->x[body->first_node + i].z += 1;
    place(&l);
    assert_true(path_through(l.on, 0, stands, stands, 0, &hit));
    claim_near(hit.gap, -0.3, 1e-6);
    claim_near(hit.normal.z, 1, 1e-12);
    claim_near(hit.foot.z, 1.5, 1e-6);
    stage_free(l.s);
  }
}

/* In a valley a smooth surface lies deep in its mesh. How far a point was from it is the same for
 * one that moves by a map and one whose points move. */
static void start_gap__is_that_of_the_smooth_surface(void **unused) {
  (void)unused;
  motion motions[] = {{.shift = {0.03, -0.02, 0.05}},
                      {.shift = {0.03, -0.02, 0.05}, .spin = {0, 0.02, 0.01}}};
  for (int k = 0; k < 2; k++) {
    double transforms[16 * SAMPLES], gaps[2][5];
    transforms_of(&motions[k], transforms);
    for (int by_points = 0; by_points < 2; by_points++) {
      mesh shape = stage_sheet(20, 1, 0);
      for (size_t i = 0; i < shape.vertex_count; i++)
        shape.positions[3 * i + 2] = fabs(shape.positions[3 * i]);
      double *points = points_of(&motions[k], &shape);
      tribo_object_def def = stage_def(TRIBO_COLLIDER, TRIBO_CONTACT_MLS);
      def.motion = (tribo_motion_def){.transforms = by_points ? NULL : transforms,
                                      .points = by_points ? points : NULL,
                                      .sample_count = SAMPLES,
                                      .start = 1,
                                      .interval = 1};
      lone l = make_lone(def, shape);
      take_second_frame(l.s);
      place(&l);
      for (int i = 0; i < 5; i++) {
        vec3 rests = {0.01 * i, 0.1, 0.02};
        gaps[by_points][i] = path_start_gap(l.on, 0, moved(&motions[k], rests, 1), 1);
      }
      free(points);
      stage_free(l.s);
    }
    for (int i = 0; i < 5; i++) claim_near(gaps[1][i], gaps[0][i], 1e-9);
    claim_near(gaps[0][0], 0.02, 1e-3); /* to the mesh it is 0.02 / sqrt(2) */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ball__is_a_ball_in_every_form),
      cmocka_unit_test(sheet__ends_at_its_rim),
      cmocka_unit_test(deforming_primitive__is_refused_by_name),
      cmocka_unit_test(drift__is_the_velocity_of_the_matter),
      cmocka_unit_test(drift__of_a_shift_is_the_shift),
      cmocka_unit_test(crossing__counts_from_the_front),
      cmocka_unit_test(crossing__counts_from_both_sides_of_a_sheet),
      cmocka_unit_test(rim__lets_pass_beside_it),
      cmocka_unit_test(ball__is_met_where_the_way_enters),
      cmocka_unit_test(slanting_way__is_stopped_where_it_enters),
      cmocka_unit_test(thickness__stops_sooner),
      cmocka_unit_test(moving_sheet__sweeps_up_what_stands),
      cmocka_unit_test(moving_bodies__sweep_up_what_stands),
      cmocka_unit_test(start_gap__is_that_of_the_smooth_surface),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
