/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/differences.h"
#include "energy/bending.h"
#include "energy/membrane.h"
#include "geom/topology.h"

enum { SIDE = 64, VERTICES = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };

/* A square of cloth in the plane, and where its vertices have been shaken to. */
typedef struct sheet {
  arena memory;
  int32_t triangles[3 * TRIANGLES];
  vec3 rest[VERTICES], x[VERTICES];
} sheet;

static int make_sheet(void **state) {
  sheet *s = calloc(1, sizeof *s);
  uint64_t seed = 61;
  int32_t *next = s->triangles;
  for (int i = 0; i < VERTICES; i++) {
    s->rest[i] = vec3_make(i % SIDE, (double)(i / SIDE), 0);
    s->x[i] = vec3_add(s->rest[i], random_point(&seed, 0.3));
  }
  for (int32_t j = 0; j < SIDE - 1; j++)
    for (int32_t i = 0; i < SIDE - 1; i++) {
      int32_t a = j * SIDE + i, cell[6] = {a, a + 1, a + SIDE, a + 1, a + SIDE + 1, a + SIDE};
      memcpy(next, cell, sizeof cell);
      next += 6;
    }
  *state = s;
  return 0;
}

static int free_sheet(void **state) {
  sheet *s = *state;
  arena_free(&s->memory);
  free(s);
  return 0;
}

static void no_elements_are_no_trouble(void **state) {
  sheet *s = *state;
  element_set set;
  int32_t vertex = 0;
  bcsr_pattern pattern;
  vec3 g = {0, 0, 0};
  claim_ok(elements_arrange(&vertex, 0, 3, s->rest, 1, &s->memory, &set, &vertex, err));
  assert_int_equal(set.parts.level_count, 0);
  bcsr_clique_set none = {&vertex, 0, 3};
  claim_ok(bcsr_analyze(1, &none, 1, &s->memory, &pattern, err));
  claim_ok(elements_bind(&set, &pattern, &s->memory, err));
  energy_term term = {&membrane_kernel, &set, NULL};
  claim_near(elements_energy(&term, &(tasks){2}, &g, NULL), 0, 0);
  elements_gradient(&term, &(tasks){2}, &g, &g);
  claim_near(vec3_max_abs(g), 0, 0);
}

/* Membrane and bending of the sheet. */
typedef struct assembly {
  element_set sets[2];
  energy_term terms[2];
  bcsr_pattern pattern;
} assembly;

static void assemble(sheet *s, assembly *a) {
  membrane_material cloth = {900, 500, 0.3, 60};
  topology_list hinges;
  claim_ok(topology_hinges(s->triangles, TRIANGLES, &s->memory, &hinges, err));
  int32_t *order = ARENA_ARRAY(&s->memory, int32_t, hinges.count);
  claim_ok(elements_arrange(s->triangles, TRIANGLES, 3, s->rest, VERTICES, &s->memory, &a->sets[0],
                            order, err));
  claim_ok(elements_arrange(hinges.vertices, hinges.count, 4, s->rest, VERTICES, &s->memory,
                            &a->sets[1], order, err));
  membrane_element *membranes = ARENA_ARRAY(&s->memory, membrane_element, TRIANGLES);
  bending_element *bends = ARENA_ARRAY(&s->memory, bending_element, hinges.count);
  for (size_t e = 0; e < a->sets[0].count; e++) {
    const int32_t *v = a->sets[0].vertices + 3 * e;
    vec3 rest[3] = {s->rest[v[0]], s->rest[v[1]], s->rest[v[2]]};
    assert_true(membrane_element_init(rest, vec3_make(1, 1, 0), &cloth, &membranes[e]));
  }
  for (size_t e = 0; e < a->sets[1].count; e++) {
    const int32_t *v = a->sets[1].vertices + 4 * e;
    vec3 rest[4] = {s->rest[v[0]], s->rest[v[1]], s->rest[v[2]], s->rest[v[3]]};
    bending_element_init(rest, 0.1 + (double)e, &bends[e]);
  }
  bcsr_clique_set cliques[2];
  for (int k = 0; k < 2; k++)
    cliques[k] = (bcsr_clique_set){a->sets[k].vertices, a->sets[k].count, a->sets[k].arity};
  claim_ok(bcsr_analyze(VERTICES, cliques, 2, &s->memory, &a->pattern, err));
  for (int k = 0; k < 2; k++) claim_ok(elements_bind(&a->sets[k], &a->pattern, &s->memory, err));
  a->terms[0] = (energy_term){&membrane_kernel, &a->sets[0], membranes};
  a->terms[1] = (energy_term){&bending_kernel, &a->sets[1], bends};
}

typedef struct sums {
  double energy;
  vec3 g[VERTICES];
  bcsr h;
} sums;

static sums *sum_up(sheet *s, const assembly *a, int threads) {
  tasks t = {threads};
  sums *r = ARENA_ARRAY(&s->memory, sums, 1);
  double *scratch = ARENA_ARRAY(&s->memory, double, a->sets[1].count);
  r->h = (bcsr){&a->pattern, ARENA_ARRAY(&s->memory, mat3, bcsr_block_count(&a->pattern))};
  for (int k = 0; k < 2; k++) {
    r->energy += elements_energy(&a->terms[k], &t, s->x, scratch);
    elements_gradient(&a->terms[k], &t, s->x, r->g);
    elements_hessian(&a->terms[k], &t, s->x, HESSIAN_PROJECTED, 0.5, &r->h);
  }
  return r;
}

static void sums_are_the_same_to_the_bit_on_any_number_of_threads(void **state) {
  sheet *s = *state;
  assembly a;
  assemble(s, &a);
  /* Or the threads would have had nothing to share. */
  assert_true(a.sets[1].parts.level_start[1] > 3);
  sums *one = sum_up(s, &a, 1);
  for (int threads = 2; threads <= 3; threads++) {
    sums *more = sum_up(s, &a, threads);
    assert_memory_equal(&one->energy, &more->energy, sizeof one->energy);
    assert_memory_equal(one->g, more->g, sizeof one->g);
    assert_memory_equal(one->h.blocks, more->h.blocks,
                        (size_t)bcsr_block_count(&a.pattern) * sizeof(mat3));
  }
}

/* What a reader would write: for each element call the kernel, add up. The matrix is compared by
 * its action on a random motion. */
static void sums_are_those_of_the_kernels(void **state) {
  sheet *s = *state;
  assembly a;
  assemble(s, &a);
  sums *r = sum_up(s, &a, 2);
  vec3 *g = ARENA_ARRAY(&s->memory, vec3, VERTICES), *u = ARENA_ARRAY(&s->memory, vec3, VERTICES);
  vec3 *hu = ARENA_ARRAY(&s->memory, vec3, VERTICES);
  vec3 *product = ARENA_ARRAY(&s->memory, vec3, VERTICES);
  uint64_t seed = 62;
  double energy = 0, steepest = 0, strongest = 0;
  for (int i = 0; i < VERTICES; i++) u[i] = random_point(&seed, 1);
  for (int k = 0; k < 2; k++)
    for (size_t e = 0; e < a.sets[k].count; e++) {
      int arity = a.sets[k].arity, n = 3 * arity;
      const int32_t *v = a.sets[k].vertices + e * (size_t)arity;
      vec3 x[4], ge[4];
      double he[144];
      for (int i = 0; i < arity; i++) x[i] = s->x[v[i]];
      energy += a.terms[k].kernel->energy(a.terms[k].data, e, x);
      a.terms[k].kernel->gradient(a.terms[k].data, e, x, ge);
      a.terms[k].kernel->hessian(a.terms[k].data, e, x, HESSIAN_PROJECTED, he);
      for (int i = 0; i < arity; i++) g[v[i]] = vec3_add(g[v[i]], ge[i]);
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          *coordinate(&hu[v[i / 3]], i % 3) +=
              0.5 * he[i * n + j] * *coordinate(&u[v[j / 3]], j % 3);
    }
  bcsr_multiply(&r->h, &(tasks){1}, u, product);
  for (int i = 0; i < VERTICES; i++) {
    steepest = fmax(steepest, vec3_max_abs(g[i]));
    strongest = fmax(strongest, vec3_max_abs(hu[i]));
  }
  claim_near(r->energy, energy, 1e-12 * energy);
  for (int i = 0; i < VERTICES; i++) {
    claim_below(vec3_max_abs(vec3_sub(g[i], r->g[i])), 1e-13 * steepest);
    claim_below(vec3_max_abs(vec3_sub(hu[i], product[i])), 1e-13 * strongest);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, make_sheet, free_sheet)
      CLAIM(no_elements_are_no_trouble),
      CLAIM(sums_are_the_same_to_the_bit_on_any_number_of_threads),
      CLAIM(sums_are_those_of_the_kernels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
