/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every method with every kind of object, held to the same claims. The names of the claims carry
 * method and kind; the rows are in rows.h.
 */
#include "conformance/trial.h"
#include "scratch.h"

/* ---- refusals ---------------------------------------------------------------------------------
 */

/* What a method does not move it refuses, with the object, its kind and a remedy. */
static void moves_or_refuses(void **state) {
  const trial *t = *state;
  tribo_scene *scene = trial_scene(t, &(setup){.mu = -1, .frames = 1});
  tribo_sim *sim = NULL;
  if (t->method->moves & 1u << t->kind->kind) {
    claim_ok(tribo_sim_create(scene, NULL, &sim, err));
    assert_int_equal(tribo_sim_object_count(sim), 1);
  } else {
    claim_fails(tribo_sim_create(scene, NULL, &sim, err), TRIBO_BAD_INPUT, "object 'body'");
    claim_fails(tribo_sim_create(scene, NULL, &sim, err), TRIBO_BAD_INPUT, t->kind->called);
    claim_fails(tribo_sim_create(scene, NULL, &sim, err), TRIBO_BAD_INPUT, "set the method to");
    assert_null(sim);
  }
  tribo_sim_free(sim);
  tribo_scene_free(scene);
}

static void a_backend_is_taken_or_refused(void **state) {
  const trial *t = *state;
  tribo_scene *scene = trial_scene(t, &(setup){.mu = -1, .frames = 1});
  tribo_scene_solver(scene)->backend = TRIBO_BACKEND_IPOPT;
  tribo_sim *sim = NULL;
  if (!t->method->ipopt) {
    claim_fails(tribo_sim_create(scene, NULL, &sim, err), TRIBO_BAD_INPUT, "solver.backend is");
    claim_fails(tribo_sim_create(scene, NULL, &sim, err), TRIBO_BAD_INPUT, "set it to 'native'");
  } else if (tribo_available("ipopt")) {
    claim_ok(tribo_sim_create(scene, NULL, &sim, err));
  } else {
    claim_fails(tribo_sim_create(scene, NULL, &sim, err), TRIBO_UNAVAILABLE, "ipopt");
  }
  tribo_sim_free(sim);
  tribo_scene_free(scene);
}

/* ---- a body that nothing touches --------------------------------------------------------------
 */

/* Backward Euler: x_n = x_0 + n h v_0 - g h^2 n (n + 1) / 2, at every vertex. */
static void free_fall_is_exact(void **state) {
  const trial *t = *state;
  enum { STEPS = 40 };
  const setup s = {.gravity = TRIAL_G, .velocity = {0.5, 0, 2}, .mu = -1, .frames = STEPS};
  tribo_sim *sim = trial_start(t, &s, 1);
  double first[3 * MOST_VERTICES];
  size_t count = tribo_sim_vertex_count(sim, 0);
  memcpy(first, tribo_sim_positions(sim, 0), 3 * count * sizeof *first);
  trial_steps(sim, STEPS);
  const double h = TRIAL_STEP, *x = tribo_sim_positions(sim, 0);
  double way[3] = {STEPS * h * 0.5, 0, STEPS * h * 2 - TRIAL_G * h * h * STEPS * (STEPS + 1) / 2};
  for (size_t i = 0; i < 3 * count; i++) claim_near(x[i] - first[i], way[i % 3], t->method->fall);
  tribo_sim_free(sim);
}

static double first_edge(const tribo_sim *sim) {
  const double *x = tribo_sim_positions(sim, 0), *end = x + 3 * tribo_sim_vertex_count(sim, 0) - 3;
  return sqrt((end[0] - x[0]) * (end[0] - x[0]) + (end[1] - x[1]) * (end[1] - x[1]) +
              (end[2] - x[2]) * (end[2] - x[2]));
}

/* Spinning, what deforms is stretched by its own inertia: inner forces act, and cancel. */
static void momentum_of_a_free_body_is_kept(void **state) {
  const trial *t = *state;
  const setup s = {.velocity = {1, -2, 0.5}, .spin = {2, 3, 9}, .mu = -1, .frames = 30};
  tribo_sim *sim = trial_start(t, &s, 1);
  motion before = trial_measure(t, sim);
  double length = first_edge(sim);
  trial_steps(sim, 30);
  motion now = trial_measure(t, sim);
  for (int c = 0; c < 3; c++)
    claim_near(now.momentum[c], before.momentum[c], t->method->momentum * before.size);
  double stretch = fabs(first_edge(sim) / length - 1);
  if (t->kind->deforms)
    assert_true(stretch > 1e-6);
  else
    claim_below(stretch, 1e-12);
  tribo_sim_free(sim);
}

/* What feels no air refuses drag (test_kinds.c). */
static void air_slows_what_it_blows_on(void **state) {
  const trial *t = *state;
  const setup s = {.velocity = {0, 0, 4}, .drag = t->kind->dragged ? 1 : 0, .mu = -1, .frames = 20};
  tribo_sim *sim = trial_start(t, &s, 1);
  motion before = trial_measure(t, sim);
  trial_steps(sim, 20);
  motion now = trial_measure(t, sim);
  double kept = now.momentum[2] / before.momentum[2];
  if (t->kind->dragged) {
    assert_true(kept < 0.9999);
    assert_true(kept > 0);
  } else {
    claim_near(kept, 1, t->method->momentum);
  }
  tribo_sim_free(sim);
}

/* ---- a body on a ramp -------------------------------------------------------------------------
 */

static double energy_of(const trial *t, const tribo_sim *sim, const tribo_report *report) {
  motion now = trial_measure(t, sim);
  return report->kinetic_energy + report->elastic_energy + now.mass * TRIAL_G * now.height;
}

/* A method without contact lets the body fall through, and reports no contact. */
static void claim_falls_through(const trial *t, const setup *s) {
  tribo_sim *sim = trial_start(t, s, 1);
  motion before = trial_measure(t, sim);
  tribo_report report = trial_steps(sim, 20);
  motion now = trial_measure(t, sim);
  size_t count;
  assert_null(tribo_sim_contacts(sim, &count));
  assert_int_equal(count, 0);
  assert_int_equal(report.contacts, 0);
  claim_near(now.height - before.height, -TRIAL_G * TRIAL_STEP * TRIAL_STEP * 20 * 21 / 2,
             t->method->fall);
  tribo_sim_free(sim);
}

enum { RAMP_DEGREES = 20, RAMP_STEPS = 120, RAMP_LAST = 40 };

static void a_ramp_holds_above_the_tangent(void **state) {
  const trial *t = *state;
  const setup s = {.gravity = TRIAL_G,
                   .ramp = RAMP_DEGREES,
                   .mu = 1.15 * tan(trial_radians(RAMP_DEGREES)),
                   .frames = 1};
  if (!t->method->contact) {
    claim_falls_through(t, &s);
    return;
  }
  tribo_sim *sim = trial_start(t, &s, 1);
  trial_steps(sim, RAMP_STEPS);
  motion before = trial_measure(t, sim);
  trial_steps(sim, RAMP_LAST);
  motion now = trial_measure(t, sim);
  claim_near(trial_speed_down(&now, RAMP_DEGREES), 0, 1e-3);
  for (int c = 0; c < 3; c++) claim_near(now.centre[c], before.centre[c], 1e-4);
  tribo_sim_free(sim);
}

/* g (sin - mu cos), once the body has settled. */
static void a_ramp_lets_go_below_the_tangent(void **state) {
  const trial *t = *state;
  double angle = trial_radians(RAMP_DEGREES);
  const setup s = {.gravity = TRIAL_G, .ramp = RAMP_DEGREES, .mu = 0.6 * tan(angle), .frames = 1};
  if (!t->method->contact) {
    claim_falls_through(t, &s);
    return;
  }
  tribo_sim *sim = trial_start(t, &s, 1);
  trial_steps(sim, RAMP_STEPS - RAMP_LAST);
  motion before = trial_measure(t, sim);
  trial_steps(sim, RAMP_LAST);
  motion now = trial_measure(t, sim);
  double gained = trial_speed_down(&now, RAMP_DEGREES) - trial_speed_down(&before, RAMP_DEGREES);
  double coulomb = TRIAL_G * (sin(angle) - s.mu * cos(angle));
  claim_near(gained / (RAMP_LAST * TRIAL_STEP), coulomb, t->method->ramp * coulomb);
  tribo_sim_free(sim);
}

/* A bounce with sliding: nothing puts energy in. */
static void energy_does_not_grow(void **state) {
  const trial *t = *state;
  const setup s = {.gravity = TRIAL_G, .velocity = {1, 0, 0}, .lift = 0.02, .mu = 0.3, .frames = 1};
  tribo_sim *sim = trial_start(t, &s, 1);
  motion start = trial_measure(t, sim);
  double first = 0.5 * start.mass + start.mass * TRIAL_G * start.height;
  double scale = first + start.mass * TRIAL_G * 0.2;
  for (int i = 0; i < 60; i++) {
    tribo_report report = trial_steps(sim, 1);
    claim_below(energy_of(t, sim, &report), first + t->method->energy * scale);
  }
  tribo_sim_free(sim);
}

/* sum of impulses = change of momentum - m g h, in every step. */
static void contact_records_sum_to_the_change_of_momentum(void **state) {
  const trial *t = *state;
  const setup s = {
      .gravity = TRIAL_G, .velocity = {0.5, 0.2, -0.5}, .lift = 0.005, .mu = 0.3, .frames = 1};
  tribo_sim *sim = trial_start(t, &s, 1);
  motion before = trial_measure(t, sim);
  double scale = before.mass * (TRIAL_G * TRIAL_STEP + 0.5);
  size_t seen = 0;
  for (int i = 0; i < 40; i++) {
    trial_steps(sim, 1);
    motion now = trial_measure(t, sim);
    size_t count;
    const tribo_contact *contacts = tribo_sim_contacts(sim, &count);
    double sum[3] = {0, 0, -before.mass * TRIAL_G * TRIAL_STEP};
    for (size_t k = 0; k < count; k++)
      for (int c = 0; c < 3; c++) {
        sum[c] += contacts[k].impulse[c];
        claim_near(contacts[k].force[c] * TRIAL_STEP, contacts[k].impulse[c], 1e-12 * scale);
      }
    for (int c = 0; c < 3; c++)
      claim_near(now.momentum[c] - before.momentum[c], sum[c], t->method->records * scale + 1e-12);
    before = now;
    seen += count;
  }
  assert_true(t->method->contact ? seen > 0 : seen == 0);
  tribo_sim_free(sim);
}

/* ---- bits -------------------------------------------------------------------------------------
 */

static const setup SLIDE = {.gravity = 9.81,
                            .velocity = {0.5, 0.2, -0.5},
                            .spin = {1, 2, 3},
                            .lift = 0.01,
                            .ramp = 10,
                            .mu = 0.2,
                            .frames = 8};

static void threads_do_not_change_bits(void **state) {
  const trial *t = *state;
  uint64_t hashes[3];
  for (int k = 0; k < 3; k++) {
    tribo_sim *sim = trial_start(t, &SLIDE, k + 1);
    trial_steps(sim, 15);
    hashes[k] = tribo_sim_hash(sim);
    tribo_sim_free(sim);
  }
  assert_true(hashes[0] == hashes[1]);
  assert_true(hashes[0] == hashes[2]);
}

static bool stop_after_four(void *user, const tribo_progress *progress) {
  (void)user;
  return progress->frame < 4;
}

static char *read_whole(const char *folder, const char *name, size_t *size) {
  char path[SCRATCH_PATH];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  *size = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*size + 1);
  assert_non_null(bytes);
  assert_int_equal(fread(bytes, 1, *size, file), *size);
  fclose(file);
  return bytes;
}

static void claim_same_file(const char *a, const char *b, const char *name) {
  size_t size_a, size_b;
  char *of_a = read_whole(a, name, &size_a), *of_b = read_whole(b, name, &size_b);
  assert_int_equal(size_a, size_b);
  assert_memory_equal(of_a, of_b, size_a);
  free(of_a);
  free(of_b);
}

/* A bake that is stopped and resumed leaves the files of one that was not. */
static void stop_and_resume_gives_the_same_bits(void **state) {
  const trial *t = *state;
  char whole[SCRATCH_PATH], halves[SCRATCH_PATH], name[64];
  snprintf(name, sizeof name, "%s_%s", t->method->name, t->kind->name);
  snprintf(whole, sizeof whole, "%s_whole", scratch_path(name));
  snprintf(halves, sizeof halves, "%s_halves", scratch_path(name));
  tribo_scene *scene = trial_scene(t, &SLIDE);
  tribo_bake_options options = {.threads = 1, .contacts = true};
  claim_ok(tribo_bake(scene, whole, &options, err));
  options.progress = stop_after_four;
  assert_int_equal(tribo_bake(scene, halves, &options, NULL), TRIBO_CANCELLED);
  options.progress = NULL;
  options.resume = true;
  claim_ok(tribo_bake(scene, halves, &options, err));
  claim_same_file(whole, halves, "state.ckpt");
  claim_same_file(whole, halves, "body.pc2");
  claim_same_file(whole, halves, "contacts.jsonl");
  claim_same_file(whole, halves, "verdict.jsonl");
  tribo_scene_free(scene);
}

/* contacts.jsonl holds the records of the simulation to the last bit. */
static void contacts_on_disk_are_those_of_the_simulation(void **state) {
  const trial *t = *state;
  char name[64];
  snprintf(name, sizeof name, "%s_%s_records", t->method->name, t->kind->name);
  tribo_scene *scene = trial_scene(t, &SLIDE);
  tribo_bake_options options = {.threads = 1, .contacts = true};
  claim_ok(tribo_bake(scene, scratch_path(name), &options, err));
  tribo_scene_free(scene);
  tribo_cache *cache = NULL;
  claim_ok(tribo_cache_open(scratch_path(name), &cache, err));
  tribo_sim *sim = trial_start(t, &SLIDE, 1);
  size_t seen = 0;
  for (int frame = 2; frame <= 1 + SLIDE.frames; frame++) {
    trial_steps(sim, 1);
    size_t count, kept;
    const tribo_contact *now = tribo_sim_contacts(sim, &count), *then;
    claim_ok(tribo_cache_contacts(cache, frame, &then, &kept, err));
    assert_int_equal(kept, count);
    for (size_t k = 0; k < count; k++) {
      assert_int_equal(then[k].vertex, now[k].vertex);
      assert_string_equal(then[k].surface, now[k].surface);
      assert_memory_equal(then[k].force, now[k].force, sizeof now[k].force);
      assert_memory_equal(then[k].normal, now[k].normal, sizeof now[k].normal);
      assert_true(then[k].gap == now[k].gap && then[k].state == now[k].state);
    }
    seen += count;
  }
  assert_true(t->method->contact ? seen > 0 : seen == 0);
  tribo_sim_free(sim);
  tribo_cache_free(cache);
}

/* ---- the table --------------------------------------------------------------------------------
 */

/* The rows are the choices of `method`, name by name: none is forgotten. */
static void every_method_has_a_row(void **unused) {
  (void)unused;
  size_t count;
  const tribo_param_info *all = tribo_param_table(&count), *found = NULL;
  for (size_t i = 0; i < count; i++)
    if (strcmp(all[i].group, "world") == 0 && strcmp(all[i].name, "method") == 0) found = &all[i];
  assert_non_null(found);
  char choices[256] = "";
  for (int method = 0; method < METHOD_COUNT; method++)
    for (size_t k = 0; k < METHOD_COUNT; k++) {
      if (METHODS[k].method != method) continue;
      if (*choices) strcat(choices, "|");
      strcat(choices, METHODS[k].name);
    }
  assert_string_equal(choices, found->choices);
}

static void every_kind_has_a_row(void **unused) {
  (void)unused;
  assert_null(rows_of_kind(TRIBO_COLLIDER));
  for (size_t k = 0; k < KIND_COUNT; k++)
    assert_ptr_equal(rows_of_kind((tribo_kind)KINDS[k].kind), &KINDS[k]);
  size_t simulated = 0;
  for (size_t k = 0; tribo_kind_at(k); k++) simulated += tribo_kind_at(k)->simulated;
  assert_int_equal(KIND_COUNT, simulated);
}

typedef struct claim {
  const char *name;
  CMUnitTestFunction check;
  bool of_what_it_refuses; /* asked of kinds that the method does not move, too */
} claim;

static const claim CLAIMS[] = {
    {"moves or refuses", moves_or_refuses, true},
    {"a backend is taken or refused", a_backend_is_taken_or_refused, false},
    {"free fall is exact", free_fall_is_exact, false},
    {"momentum of a free body is kept", momentum_of_a_free_body_is_kept, false},
    {"air slows what it blows on", air_slows_what_it_blows_on, false},
    {"a ramp holds above the tangent", a_ramp_holds_above_the_tangent, false},
    {"a ramp lets go below the tangent", a_ramp_lets_go_below_the_tangent, false},
    {"energy does not grow", energy_does_not_grow, false},
    {"contact records sum to the change of momentum", contact_records_sum_to_the_change_of_momentum,
     false},
    {"contacts on disk are those of the simulation", contacts_on_disk_are_those_of_the_simulation,
     false},
    {"threads do not change bits", threads_do_not_change_bits, false},
    {"stop and resume gives the same bits", stop_and_resume_gives_the_same_bits, false},
};

enum { CLAIM_COUNT = sizeof CLAIMS / sizeof *CLAIMS };

int main(void) {
  static trial trials[METHOD_COUNT][KIND_COUNT];
  static char names[METHOD_COUNT * KIND_COUNT * CLAIM_COUNT][96];
  static struct CMUnitTest all[METHOD_COUNT * KIND_COUNT * CLAIM_COUNT + 2] = {
      cmocka_unit_test(every_method_has_a_row), cmocka_unit_test(every_kind_has_a_row)};
  size_t count = 2;
  for (size_t m = 0; m < METHOD_COUNT; m++)
    for (size_t k = 0; k < KIND_COUNT; k++) {
      trials[m][k] = (trial){&METHODS[m], &KINDS[k]};
      bool moves = METHODS[m].moves & 1u << KINDS[k].kind;
      for (size_t c = 0; c < CLAIM_COUNT; c++) {
        if (!moves && !CLAIMS[c].of_what_it_refuses) continue;
        char *name = names[count - 2];
        snprintf(name, sizeof names[0], "%s, %s: %s", METHODS[m].name, KINDS[k].name,
                 CLAIMS[c].name);
        all[count++] = (struct CMUnitTest){
            .name = name, .test_func = CLAIMS[c].check, .initial_state = &trials[m][k]};
      }
    }
  return _cmocka_run_group_tests("conformance_methods", all, count, scratch_create, scratch_remove);
}
