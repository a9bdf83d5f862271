/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/potential/rig.h"
#include "projective/projective_solid.h"
#include "projective/projective_solid_contact.h"

enum { SIDE = 3, BASE = (SIDE + 1) * (SIDE + 1) };
static const double H = 0.01;

/* A block whose base lies on a plane, with the matrix of a step. */
typedef struct stand {
  rig *r;
  rig_set *set;
  double *mass;
  prefactor *matrix;
  projective_solid_contact press;
  projective_contact contacts[BASE];
  vec3 *v, *g;
  arena step;
  size_t nodes;
} stand;

static stand *make_stand(double mu) {
  mesh shape = shape_block(SIDE, SIDE, 2, 0.3, 0.3, 0.2);
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.solid.young = 1e6;
  stand *s = calloc(1, sizeof *s);
  s->r = rig_make(def, &shape, vec3_make(0, 0, 0), H, 1);
  const model *m = &s->r->m;
  arena *memory = &s->r->memory;
  s->nodes = (size_t)m->node_count;
  s->mass = m->mass;
  tasks one = tasks_create(1);
  projective_solid solid;
  claim_ok(projective_solid_create(m, &one, memory, &solid, err));
  double *values = ARENA_ARRAY(memory, double, bcsr_block_count(&m->pattern));
  projective_solid_matrix(&solid, H * H, values);
  for (size_t i = 0; i < s->nodes; i++) values[m->pattern.diagonal[i]] += s->mass[i];
  claim_ok(prefactor_create(&m->pattern, values, NULL, &one, &s->matrix, err));
  claim_ok(projective_solid_contact_create(m, &one, memory, &s->press, err));
  s->v = ARENA_ARRAY(memory, vec3, s->nodes);
  s->g = ARENA_ARRAY(memory, vec3, s->nodes);
  s->set = rig_contacts(s->r);
  for (int32_t i = 0; i < BASE; i++) {
    rig_plane(s->set, i, vec3_make(0, 0, 1), 0);
    friction_cone cone = {.normal = {0, 0, 1}, .t = {1, 0, 0}, .b = {0, 1, 0}};
    cone.mu_t = cone.mu_b = mu;
    s->contacts[i] = (projective_contact){.node = i, .mass = s->mass[i], .cone = cone};
  }
  return s;
}

static void free_stand(stand *s) {
  prefactor_free(s->matrix);
  arena_free(&s->step);
  free(s->set);
  rig_free(s->r);
  free(s);
}

static void begin(stand *s) {
  claim_ok(projective_solid_contact_begin(&s->press, &s->set->set, s->mass, s->matrix, s->contacts,
                                          &s->step, err));
}

/* The rows that are kept are columns of the inverse, asked for three at a time or alone. */
static void answers__are_those_of_the_matrix(void **unused) {
  (void)unused;
  stand *s = make_stand(0.3);
  begin(s);
  assert_int_equal(s->press.count, 1);
  const press_body *b = &s->press.bodies[0];
  assert_int_equal(b->node_count, BASE);
  for (size_t i = 0; i < BASE; i++) {
    vec3 *impulse = calloc(s->nodes, sizeof *impulse),
         *velocity = calloc(s->nodes, sizeof *impulse);
    impulse[b->node[i]].y = 1;
    prefactor_solve(s->matrix, impulse, velocity);
    for (size_t j = 0; j < BASE; j++) assert_true(b->k[i * BASE + j] == velocity[b->node[j]].y);
    free(impulse);
    free(velocity);
  }
  free_stand(s);
}

/* v' = v + K (g + r), asked of the matrix itself, obeys Signorini and Coulomb; g has taken up r. */
static void impulses__are_those_that_the_law_asks_for(void **unused) {
  (void)unused;
  const double mus[] = {0, 0.3, 20};
  for (int k = 0; k < 3; k++) {
    stand *s = make_stand(mus[k]);
    uint64_t seed = 5;
    vec3 *sum = calloc(s->nodes, sizeof *sum), *change = calloc(s->nodes, sizeof *sum);
    vec3 *given = calloc(s->nodes, sizeof *sum);
    for (size_t i = 0; i < s->nodes; i++) {
      s->v[i] = vec3_make(claim_between(&seed, -0.1, 0.3), claim_between(&seed, -0.1, 0.1),
                          claim_between(&seed, -0.3, 0.1));
      s->g[i] = given[i] = vec3_make(claim_between(&seed, -1, 1), claim_between(&seed, -1, 1),
                                     claim_between(&seed, -1, 1));
    }
    begin(s);
    for (int round = 0; round < 20; round++) { /* each goes on where the last one ended */
      memcpy(s->g, given, s->nodes * sizeof *given);
      projective_solid_contact_update(&s->press, s->contacts, s->v, s->g);
    }
    for (int i = 0; i < BASE; i++) sum[i] = s->g[i];
    prefactor_solve(s->matrix, sum, change);
    int open = 0, stuck = 0;
    for (int i = 0; i < BASE; i++) {
      const press_contact *c = &s->press.bodies[0].contacts[i];
      vec3 at = vec3_add(s->v[i], change[i]), u = vec3_make(at.z, at.x, at.y);
      vec3 off = cone_residual(&s->contacts[i].cone, c->impulse, u, c->mass);
      claim_below(vec3_norm(off), 1e-4 * 0.3 * c->mass);
      vec3 taken = vec3_sub(s->g[i], given[i]);
      claim_near(taken.z, c->impulse.x, 1e-12);
      claim_near(taken.x, c->impulse.y, 1e-12);
      open += c->impulse.x == 0;
      stuck += c->impulse.x > 0 && hypot(u.y, u.z) < 1e-4;
    }
    assert_true(open > 0 && open < BASE);
    assert_true(k < 2 || stuck > 0);
    free(sum);
    free(change);
    free(given);
    free_stand(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers__are_those_of_the_matrix),
      cmocka_unit_test(impulses__are_those_that_the_law_asks_for),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
