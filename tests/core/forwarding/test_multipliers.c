/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who pushes, sticks and slips is found from any guess: cloth on the floor under random loads, of
 * which parts lift off, stick and slip. The answer is measured from scratch.
 */
#include "core/potential/rig.h"
#include "forwarding/multipliers.h"

static const linsys_options LINEAR = {.kind = LINSYS_CHOLMOD, .tasks = {1}};

enum { CELLS = 9, NODES = (CELLS + 1) * (CELLS + 1) };

/* A quadratic model: cloth at rest on the floor, with a load on every node. */
typedef struct patch {
  rig *r;
  rig_set *s;
  friction_cone cones[NODES];
  vec3 force[NODES], gradient[NODES], direction[NODES];
  augmented term;
  linsys *own, *linear;
  bcsr hessian, system;
} patch;

static patch *patch_make(uint64_t *seed, double mu) {
  patch *p = calloc(1, sizeof *p);
  mesh shape = shape_sheet(CELLS, CELLS, 0.5, 0.5);
  p->r = rig_make(tribo_object_default(TRIBO_CLOTH), &shape, (vec3){0, 0, -9.81}, 0.01, 1);
  p->s = rig_contacts(p->r);
  const model *m = &p->r->m;
  double weight = 0;
  for (int32_t i = 0; i < NODES; i++) weight += m->mass[i] * 9.81 / NODES;
  vec3 wind = {claim_between(seed, -1, 1), claim_between(seed, -1, 1), 0};
  for (int32_t i = 0; i < NODES; i++) {
    rig_plane(p->s, i, (vec3){0, 0, 1}, 0);
    p->cones[i] = cone_isotropic(vec3_make(0, 0, 1), vec3_make(1, 0, 0), vec3_make(0, 1, 0), mu);
    /* pressed down mostly, lifted here and there, dragged all over */
    vec3 load = {claim_between(seed, -1, 1), claim_between(seed, -1, 1),
                 claim_between(seed, -3, 0.5)};
    p->gradient[i] = vec3_scale(-weight, vec3_add(load, vec3_scale(mu, wind)));
    /* any guess of the forces */
    p->force[i] = (vec3){claim_between(seed, 0, weight), 0, claim_between(seed, 0, mu * weight)};
  }
  p->hessian = (bcsr){&m->pattern, calloc((size_t)bcsr_block_count(&m->pattern), sizeof(mat3))};
  p->system = (bcsr){&m->free_pattern, NULL}; /* nothing is pinned: the same blocks */
  objective_hessian(&p->r->o, p->r->x, HESSIAN_PROJECTED, &p->hessian);
  model_restrict(m, &p->r->o.tasks, &p->hessian, &p->system);
  augmented_create(m, &LINEAR, &p->term);
  claim_ok(linsys_create(&LINEAR, &m->free_pattern, &p->own, err));
  contact_task task = {.set = &p->s->set,
                       .cones = p->cones,
                       .friction = true,
                       .start = m->rest,
                       .h = 0.01,
                       .force = p->force};
  claim_ok(augmented_begin(&p->term, &task, p->own, &p->linear, err));
  augmented_stiffen(&p->term, &p->system);
  return p;
}

static void patch_free(patch *p) {
  augmented_free(&p->term);
  linsys_free(p->own);
  free(p->hessian.blocks);
  free(p->s);
  rig_free(p->r);
  free(p);
}

static multipliers_report patch_settle(patch *p) {
  multipliers_report report;
  multipliers_model m = {&p->term, p->linear, &p->r->o.tasks, &p->system, p->gradient, p->r->x};
  claim_ok(multipliers(&m, p->direction, &report, err));
  return report;
}

static void random_loads__settle_to_coulombs_law(void **unused) {
  (void)unused;
  uint64_t seed = 7;
  int open = 0, stick = 0, slip = 0, most = 0;
  for (int trial = 0; trial < 20; trial++) {
    double mu = claim_between(&seed, 0.05, 0.8);
    patch *p = patch_make(&seed, mu);
    multipliers_report report = patch_settle(p);
    assert_true(report.settled);
    most = report.factorizations > most ? report.factorizations : most;
    vec3 bent[NODES];
    bcsr_multiply(&p->system, &p->r->o.tasks, p->direction, bent);
    double left = 0, size = 0;
    for (int i = 0; i < NODES; i++) {
      vec3 f = p->force[i], push = {f.y, f.z, f.x};
      left += vec3_norm2(vec3_sub(push, vec3_add(bent[i], p->gradient[i])));
      size += vec3_norm2(push);
    }
    double scale = sqrt(size), still = 1e-6 * 0.5;
    claim_below(sqrt(left), 1e-5 * scale);
    for (int i = 0; i < NODES; i++) {
      vec3 f = p->force[i], d = p->direction[i];
      double drag = hypot(f.y, f.z), slid = hypot(d.x, d.y), small = 1e-5 * scale;
      assert_true(f.x >= 0 && drag <= mu * f.x + small);
      assert_true(d.z >= -still && (d.z <= still || f.x <= small));
      if (slid > still && f.x > small) /* straight against the slip, as large as may be */
        claim_near(f.y * d.x + f.z * d.y, -mu * f.x * slid, small * slid);
      open += f.x == 0;
      stick += f.x > small && drag < mu * f.x * (1 - 1e-3);
      slip += f.x > small && slid > still;
    }
    patch_free(p);
  }
  print_message("    %d open, %d stick, %d slip; %d factorisations at most\n", open, stick, slip,
                most);
  assert_true(open > 50 && stick > 50 && slip > 50);
}

/* The forces that it begins with do not matter to where it ends. */
static void guess__does_not_matter(void **unused) {
  (void)unused;
  uint64_t seed = 8;
  patch *p = patch_make(&seed, 0.3), *q;
  patch_settle(p);
  seed = 8;
  q = patch_make(&seed, 0.3);
  for (int i = 0; i < NODES; i++) q->force[i] = (vec3){0, 0, 0};
  augmented_load_cones(&q->term);
  patch_settle(q);
  double far = 0, size = 0;
  for (int i = 0; i < NODES; i++) {
    far = fmax(far, vec3_norm(vec3_sub(p->direction[i], q->direction[i])));
    size = fmax(size, vec3_norm(p->direction[i]));
  }
  claim_below(far, 1e-4 * size);
  patch_free(p);
  patch_free(q);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_loads__settle_to_coulombs_law),
      cmocka_unit_test(guess__does_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
