/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every method with two bodies of every two kinds, one falling on the other where nothing else
 * acts. Bodies that tribo_scene_meet says can touch do touch, and keep their momentum together;
 * bodies that cannot pass through each other, and the scene's doubts say so before the first step.
 */
#include "conformance/trial.h"

typedef struct pair {
  const method_row *method;
  const kind_row *lower, *upper;
} pair;

static void add_body(tribo_scene *scene, const kind_row *kind, const char *name, double x,
                     double lift, double speed) {
  mesh m = kind->shape();
  assert_non_null(m.positions);
  shape_move(&m, x, 0.5 * x, lift);
  tribo_object_def def = tribo_object_default(kind->kind);
  def.name = name;
  rows_give(&m, &def);
  def.solid.young = 1e5;
  def.object.velocity[2] = speed;
  def.surface.thickness = 0.01;
  claim_ok(tribo_scene_add(scene, &def, NULL, err));
  mesh_free(&m);
}

/* The upper body, off-centre, comes down from 2 cm above the lower one. */
static tribo_scene *make(const pair *p) {
  tribo_scene *scene = NULL;
  claim_ok(tribo_scene_create(&scene, err));
  claim_ok(tribo_scene_set(scene, "method", p->method->name, err));
  tribo_scene_world(scene)->gravity[2] = 0;
  tribo_scene_time(scene)->fps = 1 / TRIAL_STEP;
  tribo_scene_time(scene)->substeps = 4;
  tribo_scene_solver(scene)->tolerance = 1e-10;
  add_body(scene, p->lower, "lower", 0, 0, 0);
  bool flat = p->lower->kind == TRIBO_CLOTH || p->lower->kind == TRIBO_ROD;
  double top = flat ? 0 : 0.2;
  add_body(scene, p->upper, "upper", 0.03, top + 0.02, -1);
  return scene;
}

typedef struct sums {
  double mass[2];        /* of lower and upper, kg */
  double momentum[2][3]; /* kg m/s */
} sums;

static sums measure(const pair *p, const tribo_sim *sim) {
  const kind_row *kinds[] = {p->lower, p->upper};
  sums found = {0};
  for (size_t b = 0; b < 2; b++) {
    double masses[MOST_VERTICES] = {0};
    mesh m = kinds[b]->shape();
    assert_non_null(m.positions);
    kinds[b]->masses(&m, masses);
    const double *v = tribo_sim_velocities(sim, b);
    for (size_t i = 0; i < m.vertex_count; i++) {
      for (size_t c = 0; c < 3; c++) found.momentum[b][c] += masses[i] * v[3 * i + c];
      found.mass[b] += masses[i];
    }
    mesh_free(&m);
  }
  return found;
}

typedef struct outcome {
  size_t seen;  /* contacts, over all steps */
  double stray; /* change of the momentum of both, over what the upper one had */
  double taken; /* momentum that the lower one has, over what both would share, stuck together */
} outcome;

/* What happens within 8 frames of 0.01 s. */
static outcome collide(const pair *p, tribo_sim *sim) {
  sums first = measure(p, sim);
  outcome o = {0};
  for (int i = 0; i < 4 * 8; i++) {
    size_t count;
    claim_ok(tribo_sim_step(sim, NULL, err));
    tribo_sim_contacts(sim, &count);
    o.seen += count;
  }
  sums now = measure(p, sim);
  for (int c = 0; c < 3; c++) {
    double change = now.momentum[0][c] + now.momentum[1][c];
    change -= first.momentum[0][c] + first.momentum[1][c];
    o.stray = fmax(o.stray, fabs(change / first.momentum[1][2]));
  }
  double share = first.mass[0] / (first.mass[0] + first.mass[1]) * first.momentum[1][2];
  o.taken = now.momentum[0][2] / share;
  return o;
}

static size_t doubts_unseen(const tribo_scene *scene) {
  tribo_doubt *doubts = NULL;
  size_t count, unseen = 0;
  claim_ok(tribo_scene_doubts(scene, &doubts, &count, err));
  for (size_t i = 0; i < count; i++) unseen += doubts[i].kind == TRIBO_DOUBT_UNSEEN;
  free(doubts);
  return unseen;
}

static void touch_or_are_told_not_to(void **state) {
  const pair *p = *state;
  tribo_scene *scene = make(p);
  bool broad_phase = false;
  claim_ok(tribo_scene_meet(scene, 0, 1, &broad_phase, err));
  tribo_sim *sim = NULL;
  claim_ok(tribo_sim_create(scene, &(tribo_sim_options){.threads = 1}, &sim, err));
  outcome o = collide(p, sim);
  claim_below(o.stray, 1e-8);
  if (broad_phase) {
    assert_true(p->method->contact);
    assert_true(o.seen > 0);
    assert_true(o.taken > 0.3);
    assert_int_equal(doubts_unseen(scene), 0);
  } else {
    assert_int_equal(o.seen, 0);
    claim_near(o.taken, 0, 1e-9);
    assert_int_equal(doubts_unseen(scene), p->method->contact); /* elastic is without contact */
  }
  tribo_sim_free(sim);
  tribo_scene_free(scene);
}

int main(void) {
  enum { MOST = METHOD_COUNT * KIND_COUNT * KIND_COUNT };
  static pair pairs[MOST];
  static char names[MOST][96];
  static struct CMUnitTest all[MOST];
  size_t count = 0;
  for (size_t m = 0; m < METHOD_COUNT; m++)
    for (size_t k = 0; k < KIND_COUNT * KIND_COUNT; k++) {
      const pair p = {&METHODS[m], &KINDS[k / KIND_COUNT], &KINDS[k % KIND_COUNT]};
      unsigned both = 1u << p.lower->kind | 1u << p.upper->kind;
      if ((p.method->moves & both) != both) continue; /* refused: test_methods.c */
      pairs[count] = p;
      snprintf(names[count], sizeof names[count], "%s: %s on %s touch or are told not to",
               p.method->name, p.upper->name, p.lower->name);
      all[count] = (struct CMUnitTest){.name = names[count],
                                       .test_func = touch_or_are_told_not_to,
                                       .initial_state = &pairs[count]};
      count++;
    }
  return _cmocka_run_group_tests("conformance_pairs", all, count, NULL, NULL);
}
