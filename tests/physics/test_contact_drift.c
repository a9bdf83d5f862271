/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What slides on a ramp with an oblique structure, against the point of lab_drift.h, whose
 * trajectory is that of maximum dissipation and whose integrator shares no line with the core.
 */
#include "physics/lab_painted.h"

typedef enum painted_by { BY_VERTEX, BY_MAP, ON_THE_SLIDER, ON_BOTH } painted_by;

typedef struct slide {
  tribo_kind kind;
  painted_by painted;
  drift_ramp ramp; /* the law that is to come out */
  double apart;    /* ON_BOTH: the two structures, to either side of the ramp's; radians */
  double along, across;
  double v[2]; /* at the start, m/s */
  double dt;
  const char *effective_mass, *backend;
} slide;

enum { TIMES = 3 };
static const double seconds[TIMES] = {0.2, 0.4, 0.6};

static const double PLAIN_MU = 0.3;

static slide slide_default(tribo_kind kind, double degrees) {
  return (slide){.kind = kind,
                 .painted = BY_VERTEX,
                 .ramp = {.gravity = LAB_G,
                          .slope = LAB_PI / 6,
                          .mu_t = 0.1,
                          .mu_b = 0.45,
                          .structure = degrees * LAB_PI / 180},
                 .along = 0.1,
                 .across = 0.45,
                 .dt = 0.001,
                 .effective_mass = "elastic",
                 .backend = "native"};
}

static lab_floor floor_of(const slide *c) {
  return (lab_floor){.slope = c->ramp.slope, .low = -3, .high = 5, .half = 4};
}

static void add_floor(tribo_scene *scene, const slide *c) {
  lab_floor f = floor_of(c);
  mesh m = lab_floor_mesh(&f);
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "ramp";
  double structure = c->ramp.structure - c->apart / 2;
  double *combed = lab_combed(m.vertex_count, lab_floor_direction(&f, structure));
  float pixel[3];
  lab_paint_direction(structure, pixel);
  if (c->painted == BY_VERTEX || c->painted == ON_BOTH) def.vertex_structure = combed;
  if (c->painted == BY_MAP) def.structure_map = (tribo_map_def){pixel, 1, 1, 3};
  claim_ok(scenes_add(scene, def, &m, NULL, err));
  free(combed);
}

static void add_slider(tribo_scene *scene, const slide *c) {
  lab_floor f = floor_of(c);
  mesh m = lab_slider_mesh(&f, c->kind, c->kind == TRIBO_RIGID ? 1 : 2, 0.2, 0, 0);
  tribo_object_def def = tribo_object_default(c->kind);
  def.name = "slider";
  def.solid.young = 1e7;
  vec3 v = vec3_add(vec3_scale(c->v[0], lab_floor_direction(&f, 0)),
                    vec3_scale(c->v[1], lab_floor_direction(&f, LAB_PI / 2)));
  memcpy(def.object.velocity, &v.x, sizeof def.object.velocity);
  double structure = c->ramp.structure + c->apart / 2;
  double *combed = lab_combed(m.vertex_count, lab_floor_direction(&f, structure));
  if (c->painted == ON_THE_SLIDER || c->painted == ON_BOTH) def.vertex_structure = combed;
  claim_ok(scenes_add(scene, def, &m, NULL, err));
  free(combed);
}

static tribo_scene *slide_scene(const slide *c) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, c->dt);
  add_slider(scene, c);
  add_floor(scene, c);
  tribo_friction_params friction = tribo_friction_defaults();
  friction.mu = PLAIN_MU; /* no part in it unless both sides have a structure */
  friction.mu_along = c->along;
  friction.mu_across = c->across;
  claim_ok(tribo_scene_set_pair(scene, "slider", "ramp", &friction, err));
  claim_ok(tribo_scene_set(scene, "solver.effective_mass", c->effective_mass, err));
  claim_ok(tribo_scene_set(scene, "solver.backend", c->backend, err));
  return scene;
}

static drift_point slider_at(const simulation *s, const slide *c) {
  lab_floor f = floor_of(c);
  return lab_on_floor(&f, lab_centre(s, 0), lab_velocity(s, 0));
}

/* Where it gets to by those times, from where it starts. */
static void simulated(const slide *c, drift_point out[TIMES]) {
  simulation *s = lab_simulation(slide_scene(c));
  drift_point start = slider_at(s, c);
  for (int k = 0, done = 0; k < TIMES; k++) {
    int steps = (int)(seconds[k] / c->dt + 0.5);
    lab_steps(s, steps - done);
    done = steps;
    out[k] = slider_at(s, c);
    for (int i = 0; i < 2; i++) out[k].x[i] -= start.x[i];
  }
  simulation_free(s);
}

static drift_point expected(const slide *c, double until) {
  if (c->v[0] == 0 && c->v[1] == 0) return drift_from_rest(&c->ramp, until);
  drift_point p = {.v = {c->v[0], c->v[1]}};
  drift_advance(&c->ramp, until, 20000, &p);
  return p;
}

static double apart(const drift_point *a, const drift_point *b) {
  return hypot(a->x[0] - b->x[0], a->x[1] - b->x[1]);
}

/* Of the distance travelled. */
static double worst_error(const slide *c) {
  drift_point is[TIMES];
  double worst = 0;
  simulated(c, is);
  for (int k = 0; k < TIMES; k++) {
    drift_point should = expected(c, seconds[k]);
    worst = fmax(worst, apart(&is[k], &should) / hypot(should.x[0], should.x[1]));
  }
  return worst;
}

static const double SIDEWAYS = 0.8; /* m/s */

/* Structures from 0 to 90 degrees, from rest and from a sideways velocity to either side. */
static void claim_follows(tribo_kind kind) {
  double worst = 0;
  for (int degrees = 0; degrees <= 90; degrees += 15)
    for (int side = -1; side <= 1; side++) {
      slide c = slide_default(kind, degrees);
      c.v[1] = side * SIDEWAYS;
      double error = worst_error(&c);
      if (error > 0.01) print_error("%d degrees, sideways %g m/s\n", degrees, c.v[1]);
      claim_below(error, 0.01);
      worst = fmax(worst, error);
    }
  print_message("at most %.3g of the distance travelled\n", worst);
}

static void rigid_block__follows_the_trajectory_of_maximum_dissipation(void **unused) {
  (void)unused;
  claim_follows(TRIBO_RIGID);
}

static void cloth__follows_the_trajectory_of_maximum_dissipation(void **unused) {
  (void)unused;
  claim_follows(TRIBO_CLOTH);
}

static void stiff_solid__follows_the_trajectory_of_maximum_dissipation(void **unused) {
  (void)unused;
  claim_follows(TRIBO_SOLID);
}

/* ---- however it is painted ------------------------------------------------------------------- */

/* The ramp by vertex, against the same on a map of one pixel, and on the slider itself: to 1e-6 of
 * the distance travelled. The pixels of a map are floats of seven digits; and what turns or shears
 * by a little takes its own structure along. */
static void structure__moves_alike_by_vertex_by_map_and_on_the_slider(void **unused) {
  (void)unused;
  const tribo_kind kinds[] = {TRIBO_RIGID, TRIBO_CLOTH, TRIBO_SOLID};
  for (int k = 0; k < 3; k++)
    for (int degrees = 0; degrees <= 90; degrees += 30) {
      slide c = slide_default(kinds[k], degrees);
      drift_point by_vertex[TIMES], other[TIMES];
      c.v[1] = SIDEWAYS;
      simulated(&c, by_vertex);
      for (int painted = BY_MAP; painted <= ON_THE_SLIDER; painted++) {
        c.painted = (painted_by)painted;
        simulated(&c, other);
        for (int i = 0; i < TIMES; i++)
          claim_below(apart(&other[i], &by_vertex[i]), 1e-6 * hypot(other[i].x[0], other[i].x[1]));
      }
    }
}

/* ---- more of the law ------------------------------------------------------------------------- */

/* Grooves that nothing gets across: mu_across = 2 holds on a slope of 30 degrees, mu_along = 0.05
 * does not. */
static void deep_grooves__lead_the_block_along_but_not_across_the_slope(void **unused) {
  (void)unused;
  for (int degrees = 0; degrees <= 90; degrees += 15) {
    slide c = slide_default(TRIBO_RIGID, degrees);
    c.ramp.mu_t = c.along = 0.05;
    c.ramp.mu_b = c.across = 2;
    double acceleration;
    drift_heading(&c.ramp, &acceleration);
    if (acceleration > 0) {
      claim_below(worst_error(&c), 0.01);
      continue;
    }
    drift_point is[TIMES];
    simulated(&c, is);
    claim_below(hypot(is[TIMES - 1].x[0], is[TIMES - 1].x[1]), 1e-8);
    assert_int_equal(degrees, 90);
  }
}

/* Algorithm 1 of the Matchstick paper: about the mean of the two directions, from along and across
 * where they run the same way to mu where they are perpendicular, linearly with the angle. */
static void two_structures__make_the_cone_of_the_matchstick_model(void **unused) {
  (void)unused;
  for (int cloth = 0; cloth < 2; cloth++)
    for (int degrees = 0; degrees < 90; degrees += 20) {
      slide c = slide_default(cloth ? TRIBO_CLOTH : TRIBO_RIGID, 35);
      double same = 1 - degrees / 90.0;
      c.painted = ON_BOTH;
      c.apart = degrees * LAB_PI / 180;
      c.ramp.mu_t = same * c.along + (1 - same) * PLAIN_MU;
      c.ramp.mu_b = same * c.across + (1 - same) * PLAIN_MU;
      c.v[1] = SIDEWAYS;
      claim_below(worst_error(&c), 0.01);
    }
}

/* ---- other solvers --------------------------------------------------------------------------- */

/* The paper's corrector with lumped masses. */
static void lumped_masses__follow_it_too(void **unused) {
  (void)unused;
  for (int cloth = 0; cloth < 2; cloth++)
    for (int degrees = 15; degrees <= 75; degrees += 30) {
      slide c = slide_default(cloth ? TRIBO_CLOTH : TRIBO_RIGID, degrees);
      c.effective_mass = "lumped";
      c.v[1] = SIDEWAYS;
      claim_below(worst_error(&c), 0.01);
    }
}

static bool have_ipopt(void) {
  slide c = slide_default(TRIBO_RIGID, 0);
  c.backend = "ipopt";
  tribo_scene *scene = slide_scene(&c);
  simulation *s = NULL;
  tribo_error error = {0};
  tribo_status status = compile_simulation(scene, 1, NULL, &s, &error);
  simulation_free(s);
  tribo_scene_free(scene);
  return status != TRIBO_UNAVAILABLE;
}

/* Ipopt and the native solver over the whole way, with steps of 0.01 s; tests/core/step/
 * test_backends.c compares them step by step, and to 1e-6. */
static void ipopt__goes_the_same_way(void **unused) {
  (void)unused;
  if (!have_ipopt()) skip();
  for (int cloth = 0; cloth < 2; cloth++) {
    slide c = slide_default(cloth ? TRIBO_CLOTH : TRIBO_RIGID, 45);
    drift_point native[TIMES], ipopt[TIMES];
    c.effective_mass = "lumped";
    c.dt = 0.01;
    c.v[1] = SIDEWAYS;
    simulated(&c, native);
    c.backend = "ipopt";
    simulated(&c, ipopt);
    for (int i = 0; i < TIMES; i++)
      claim_below(apart(&ipopt[i], &native[i]), 1e-3 * hypot(ipopt[i].x[0], ipopt[i].x[1]));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rigid_block__follows_the_trajectory_of_maximum_dissipation),
      cmocka_unit_test(cloth__follows_the_trajectory_of_maximum_dissipation),
      cmocka_unit_test(stiff_solid__follows_the_trajectory_of_maximum_dissipation),
      cmocka_unit_test(structure__moves_alike_by_vertex_by_map_and_on_the_slider),
      cmocka_unit_test(deep_grooves__lead_the_block_along_but_not_across_the_slope),
      cmocka_unit_test(two_structures__make_the_cone_of_the_matchstick_model),
      cmocka_unit_test(lumped_masses__follow_it_too),
      cmocka_unit_test(ipopt__goes_the_same_way),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
