/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Static and dynamic friction: a mass m on the ground, pulled by a spring k whose other end moves
 * at V. It sticks until the spring pulls with mu N, then slides by mu_dynamic. Seen from the moving
 * end that is an oscillation about mu_dynamic N which begins and ends at the speed V, so, with
 * omega = sqrt(k/m) and d = (mu - mu_dynamic) N,
 *
 *   the force falls from mu N by exactly 2 d,
 *   the stick lasts 2 d / (k V),
 *   and the slip pi / omega, when V is small: exactly (pi + 2 atan(V k / (omega d))) / omega.
 *
 * The simulation takes the coefficient from the slip speed at the start of the step, a lag of one
 * step; and backward Euler damps half an oscillation of n steps so that the drop falls short by
 * pi^2/(4 n) of itself. With the 314 steps here these are 0.3% of the slip and 0.8% of the drop, of
 * the 3% that are claimed.
 */
#include "physics/lab_painted.h"

static const double MU = 0.5, MU_DYNAMIC = 0.3, OMEGA = 10, DT = 0.001, SIZE = 0.2;

/* V k / (omega d): how fast the end is, of the speed that the release of the spring gives. */
static const double SLOW = 0.03;

enum { MOST_VERTICES = 8 };

typedef struct pulled {
  simulation *s;
  int32_t count;
  double spring[MOST_VERTICES]; /* of its vertices, N/m */
  double weight, stiffness;     /* of all: N, k */
  double speed;                 /* V, along x */
  double start;                 /* sum of k x at the start */
} pulled;

static tribo_object_def define(tribo_kind kind, const mesh *m) {
  tribo_object_def def = tribo_object_default(kind);
  def.name = "sled";
  def.positions = m->positions;
  def.vertex_count = m->vertex_count;
  def.triangles = m->triangles;
  def.triangle_count = m->triangle_count;
  def.tets = m->tets;
  def.tet_count = m->tet_count;
  def.solid.young = 1e7;
  def.cloth.density = 25;
  return def;
}

/* A spring for each vertex that stands on the ground: a cloth's in proportion to what the vertex
 * bears, a block's four alike. */
static void share_springs(const tribo_object_def *def, pulled *p) {
  tribo_scene *alone = lab_scene();
  claim_ok(tribo_scene_add(alone, def, NULL, err));
  simulation *s = lab_simulation(alone);
  const model *m = simulation_model(s);
  double mass = lab_mass(s);
  p->count = def->kind == TRIBO_CLOTH ? m->node_count : 4;
  assert_true(p->count <= MOST_VERTICES);
  for (int32_t v = 0; v < p->count; v++) {
    double load = def->kind == TRIBO_CLOTH ? m->mass[v] : mass / 4;
    p->spring[v] = load * OMEGA * OMEGA;
  }
  p->weight = mass * LAB_G;
  p->stiffness = mass * OMEGA * OMEGA;
  p->speed = SLOW * OMEGA * (MU - MU_DYNAMIC) * p->weight / p->stiffness;
  simulation_free(s);
}

/* The vertices on the ground on soft pins that move along x. All vertices of
 * the cloth then move as one, and it is the point mass of the formulas. A block is pulled at its
 * foot, where friction is, lest it leans on its front edge and the rear slips first. */
static pulled pull(tribo_kind kind, int steps) {
  const lab_floor floor = {.low = -0.5, .high = 0.5, .half = 0.5};
  pulled p = {0};
  mesh m = lab_slider_mesh(&floor, kind, 1, SIZE, -0.1, 0), ground = lab_floor_mesh(&floor);
  tribo_object_def def = define(kind, &m), under = tribo_object_default(TRIBO_COLLIDER);
  share_springs(&def, &p);
  double targets[MOST_VERTICES][6];

  tribo_scene *scene = lab_scene();
  lab_time(scene, DT);
  tribo_pin_def pins[MOST_VERTICES];
  int32_t vertices[MOST_VERTICES];
  for (int32_t v = 0; v < p.count; v++) {
    vertices[v] = v;
    memcpy(targets[v], m.positions + 3 * v, 3 * sizeof(double));
    memcpy(targets[v] + 3, m.positions + 3 * v, 3 * sizeof(double));
    targets[v][3] += p.speed * DT * steps;
    pins[v] = (tribo_pin_def){.vertices = vertices + v,
                              .vertex_count = 1,
                              .targets = targets[v],
                              .target_count = 2,
                              .target_start = tribo_scene_time(scene)->start,
                              .target_interval = steps,
                              .params = tribo_pin_defaults()};
    pins[v].params.stiffness = p.spring[v];
    p.start += p.spring[v] * m.positions[3 * v];
  }
  def.pins = pins;
  def.pin_count = (size_t)p.count;
  claim_ok(tribo_scene_add(scene, &def, NULL, err));
  mesh_free(&m);
  under.name = "ground";
  claim_ok(scenes_add(scene, under, &ground, NULL, err));
  tribo_friction_params friction = tribo_friction_defaults();
  friction.mu = MU;
  friction.mu_dynamic = MU_DYNAMIC;
  friction.stribeck_velocity = 1e-3 * p.speed;
  claim_ok(tribo_scene_set_pair(scene, "sled", "ground", &friction, err));
  p.s = lab_simulation(scene);
  return p;
}

/* What all springs pull with, along x. */
static double spring_force(const pulled *p, double seconds) {
  double force = p->start + p->stiffness * p->speed * seconds;
  for (int32_t v = 0; v < p->count; v++) force -= p->spring[v] * simulation_state(p->s)->x[v].x;
  return force;
}

typedef struct event {
  double begins, ends; /* of a slip, s */
  double high, low;    /* the force then, N */
} event;

/* The slips are where the sled outruns the end of the spring by far. */
static int find_slips(pulled *p, int steps, event *slips, int most) {
  int count = 0;
  bool slides = false;
  double high = 0, when = 0;
  for (int k = 1; k <= steps; k++) {
    lab_steps(p->s, 1);
    double force = spring_force(p, k * DT), speed = lab_velocity(p->s, 0).x;
    bool now = slides ? speed > 1e-6 * p->speed : speed > 1e-2 * p->speed;
    if (!now && !slides) high = force, when = k * DT;
    if (now && !slides && count < most) slips[count] = (event){.begins = when, .high = high};
    if (!now && slides && count < most) {
      slips[count].ends = k * DT;
      slips[count++].low = force;
    }
    slides = now;
  }
  return count;
}

enum { SLIPS = 4 };

static double period(void) { return 2 / (SLOW * OMEGA) + LAB_PI / OMEGA; }

static pulled run(tribo_kind kind, event slips[SLIPS]) {
  double to_first = MU / (SLOW * OMEGA * (MU - MU_DYNAMIC));
  int steps = (int)((to_first + (SLIPS - 0.5) * period()) / DT);
  pulled p = pull(kind, steps);
  assert_int_equal(find_slips(&p, steps, slips, SLIPS), SLIPS);
  simulation_free(p.s);
  for (int k = 0; k < SLIPS; k++)
    print_message("force %.4f to %.4f of the weight, slip %.4f s, period %.4f s\n",
                  slips[k].high / p.weight, slips[k].low / p.weight,
                  slips[k].ends - slips[k].begins,
                  k > 0 ? slips[k].begins - slips[k - 1].begins : 0);
  return p;
}

/* The slips from number `first` on. */
static void claim_formula(const pulled *p, const event slips[SLIPS], int first) {
  double drop = 2 * (MU - MU_DYNAMIC), half = LAB_PI / OMEGA;
  for (int k = first; k < SLIPS; k++) {
    const event *e = &slips[k];
    claim_near(e->high / p->weight, MU, 0.03 * MU);
    claim_near((e->high - e->low) / p->weight, drop, 0.03 * drop);
    claim_near(e->ends - e->begins, half, 0.03 * half);
    if (k > first) claim_near(e->begins - slips[k - 1].begins, period(), 0.03 * period());
  }
}

static void cloth__sticks_and_slips_by_the_closed_formula(void **unused) {
  (void)unused;
  event slips[SLIPS];
  pulled p = run(TRIBO_CLOTH, slips);
  claim_formula(&p, slips, 0);
}

/* A block that was laid down without stress breaks loose early the first time, at 0.449 of its
 * weight: as it settles its foot spreads, and friction holds that with 0.05 of the weight inwards
 * at each corner. That slip, too, swings about mu_dynamic N. */
static void solid_block__sticks_and_slips_by_it_after_its_first_slip(void **unused) {
  (void)unused;
  event slips[SLIPS];
  pulled p = run(TRIBO_SOLID, slips);
  double middle = (slips[0].high + slips[0].low) / 2 / p.weight;
  assert_true(slips[0].high < MU * p.weight);
  claim_near(middle, MU_DYNAMIC, 0.01 * MU_DYNAMIC);
  claim_formula(&p, slips, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cloth__sticks_and_slips_by_the_closed_formula),
      cmocka_unit_test(solid_block__sticks_and_slips_by_it_after_its_first_slip),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
