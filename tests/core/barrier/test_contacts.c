/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "barrier/rub.h"
#include "core/proximity/litter.h"

static uint64_t seed = 4242;

typedef struct bench {
  litter *l;
  candidates near;
  barrier_scale scale;
  barrier_contact_list list;
  vec3 *x;
} bench;

static bench bench_make(void) {
  bench b = {.l = litter_make()};
  tasks one = {1};
  claim_ok(candidates_create(&b.l->mesh, &b.l->memory, &b.near, err));
  claim_ok(barrier_scale_create(&b.l->mesh, 0.02, 9.81, &one, &b.l->memory, &b.scale, err));
  /* Bands as wide as that are reached by chance. */
  for (int k = 0; k < LITTER_OBJECTS * LITTER_OBJECTS; k++) b.scale.band[k] *= 16;
  for (int k = 0; k < LITTER_OBJECTS; k++) b.scale.reach[k] *= 16;
  b.x = ARENA_ARRAY(&b.l->memory, vec3, b.l->mesh.vertex_count);
  return b;
}

static void bench_free(bench *b) {
  ARRAY_FREE(b->list);
  candidates_free(&b->near);
  litter_free(b->l);
}

static void search(bench *b) {
  tasks one = {1};
  candidates_filter filter = {.reach = b->scale.reach};
  claim_ok(candidates_find(&b->near, &one, b->x, b->x, &filter, err));
}

static double energy(bench *b) {
  double sum;
  claim_ok(barrier_contacts_energy(&b->scale, &b->near, b->x, &b->list, &sum, err));
  return sum;
}

static void gradient(bench *b, vec3 *g) {
  bool blocked;
  claim_ok(barrier_contacts_find(&b->scale, &b->near, b->x, &b->list, &blocked, err));
  memset(g, 0, (size_t)b->l->mesh.vertex_count * sizeof *g);
  for (size_t i = 0; i < b->list.count; i++)
    for (int k = 0; k < 4; k++) {
      const barrier_contact *c = &b->list.data[i];
      g[c->vertex[k]] = vec3_add(g[c->vertex[k]], barrier_contact_gradient(c, k));
    }
}

/* The sum over all contacts, whatever features they change between: the counts are right, and the
 * gradient is that of the energy. */
static void gradient__is_that_of_the_energy(void **state) {
  (void)state;
  bench b = bench_make();
  const surface_mesh *m = &b.l->mesh;
  vec3 *g = ARENA_ARRAY(&b.l->memory, vec3, m->vertex_count);
  size_t faces = 0, edges = 0, fading = 0;
  for (int n = 0; n < 12; n++) {
    for (int32_t v = 0; v < m->vertex_count; v++)
      b.x[v] = vec3_add(m->rest[v], litter_noise(&seed, 0.012));
    search(&b);
    gradient(&b, g);
    double size = 0;
    for (size_t i = 0; i < b.list.count; i++) {
      edges += b.list.data[i].key >> 63, faces += !(b.list.data[i].key >> 63);
      fading += b.list.data[i].fades;
      size = fmax(size, fabs(b.list.data[i].force));
    }
    for (int32_t v = 0; v < m->vertex_count; v++)
      for (int k = 0; k < 3; k++) {
        double *at = &b.x[v].x + k, was = *at, step = 1e-8;
        *at = was + step;
        double up = energy(&b);
        *at = was - step;
        double down = energy(&b);
        *at = was;
        claim_near((&g[v].x)[k], (up - down) / (2 * step), 2e-4 * size);
      }
  }
  print_message("%zu of vertices, %zu of edges, %zu fade\n", faces, edges, fading);
  assert_true(faces > 100 && edges > 100 && fading > 50);
  bench_free(&b);
}

/* Where a corner or an edge is closest, its vertices fill up the three of a triangle. */
static bool has_twice(const barrier_contact *c) {
  for (int i = 1; i < 4; i++)
    for (int j = 1; j < i; j++)
      if (c->vertex[i] == c->vertex[j]) return true;
  return false;
}

/* Of vertices, exactly; of edges that do not fade, too. */
static void hessian__is_that_of_the_gradient(void **state) {
  (void)state;
  bench b = bench_make();
  const surface_mesh *m = &b.l->mesh;
  int seen = 0;
  for (int n = 0; n < 10; n++) {
    for (int32_t v = 0; v < m->vertex_count; v++)
      b.x[v] = vec3_add(m->rest[v], litter_noise(&seed, 0.012));
    search(&b);
    energy(&b);
    barrier_contact_list kept = b.list;
    b.list = (barrier_contact_list){0};
    for (size_t i = 0; i < kept.count; i += 7) {
      const barrier_contact *c = &kept.data[i];
      double h[144];
      if (c->fades || has_twice(c)) continue;
      barrier_contact_hessian(c, m, b.x, h);
      for (int k = 0; k < 12; k++) {
        double *at = &b.x[c->vertex[k / 3]].x + k % 3, was = *at, step = 1e-8;
        vec3 g[2][4];
        bool found = true;
        for (int side = 0; side < 2; side++) {
          *at = was + (side ? -step : step);
          energy(&b);
          bool here = false;
          for (size_t j = 0; j < b.list.count; j++)
            if (b.list.data[j].key == c->key) {
              here = true;
              for (int p = 0; p < 4; p++) g[side][p] = barrier_contact_gradient(&b.list.data[j], p);
            }
          found = found && here;
        }
        *at = was;
        for (int l = 0; found && l < 12; l++) {
          double slope = ((&g[0][l / 3].x)[l % 3] - (&g[1][l / 3].x)[l % 3]) / (2 * step);
          claim_near(h[12 * k + l], slope, 1e-3 * (fabs(c->curve) + fabs(c->force) / 0.001));
          seen++;
        }
      }
    }
    ARRAY_FREE(kept);
  }
  print_message("%d entries\n", seen);
  assert_true(seen > 2000);
  bench_free(&b);
}

/* Slid over a flat floor of many triangles at one height, a vertex has one and the same energy. */
static void flat_floor__is_flat_however_it_is_cut(void **state) {
  (void)state;
  bench b = bench_make();
  const surface_mesh *m = &b.l->mesh;
  const surface_part *sheet = &m->parts[0], *floor = &m->parts[LITTER_OBJECTS - 1];
  memcpy(b.x, m->rest, (size_t)m->vertex_count * sizeof *b.x);
  for (int32_t v = 0; v < m->body_vertices; v++) b.x[v].z += 5; /* all but one are far off */
  int32_t corner = sheet->first_vertex;
  double first = 0;
  for (int n = 0; n < 200; n++) {
    b.x[corner] = vec3_make(claim_between(&seed, -1.5, 1.5), claim_between(&seed, -1.5, 1.5),
                            m->rest[floor->first_vertex].z + 0.006);
    if (n % 4 == 0) b.x[corner].x = 0; /* on an edge of the floor */
    if (n % 8 == 0) b.x[corner].y = 0; /* in its middle */
    search(&b);
    double now = energy(&b);
    if (n == 0) first = now;
    assert_true(first > 0);
    claim_near(now, first, 1e-12 * first);
  }
  bench_free(&b);
}

/* ---- friction ---------------------------------------------------------------------------------
 */

static void friction__has_the_derivatives_of_its_envelope(void **state) {
  (void)state;
  for (int n = 0; n < 2000; n++) {
    barrier_rub c = {.load = claim_between(&seed, 0.1, 2), .rho = claim_between(&seed, 1, 50)};
    c.cone.mu_t = claim_between(&seed, 0.1, 1);
    c.cone.mu_b = n % 3 ? claim_between(&seed, 0.1, 1) : c.cone.mu_t;
    double u[2], k[2][2];
    for (int i = 0; i < 2; i++) {
      c.r[i] = claim_between(&seed, -0.5, 0.5);
      u[i] = claim_between(&seed, -0.1, 0.1);
    }
    barrier_rub_bear(&c, u, k);
    double f[2] = {c.f[0], c.f[1]};
    double in = c.load * c.cone.mu_t, across = c.load * c.cone.mu_b;
    claim_below(f[0] * f[0] / (in * in) + f[1] * f[1] / (across * across), 1 + 1e-12);
    for (int i = 0; i < 2; i++) {
      double v[2] = {u[0], u[1]}, step = 1e-7;
      v[i] += step;
      double up = barrier_rub_energy(&c, v), f_up[2] = {c.f[0], c.f[1]};
      v[i] -= 2 * step;
      double down = barrier_rub_energy(&c, v);
      claim_near(f[i], (up - down) / (2 * step), 1e-6 * (1 + c.rho));
      for (int j = 0; j < 2; j++) {
        double slope = (f_up[j] - c.f[j]) / (2 * step);
        bool seam = fabs(slope - k[i][j]) > 1e-4 * c.rho; /* the rim lies between */
        if (seam) continue;
        claim_near(k[i][j], slope, 1e-4 * c.rho);
      }
    }
  }
}

/* r <- f leads to a slip of 0 inside the ellipse: a spring pulls with a force it can hold. */
static void friction__holds_without_a_slip_in_the_end(void **state) {
  (void)state;
  barrier_rub c = {.load = 1, .rho = 5, .cone = {.mu_t = 0.5, .mu_b = 0.3}};
  double pull[2] = {0.3, 0.1}, stiffness = 3, u[2] = {0, 0};
  for (int n = 0; n < 60; n++) {
    for (int k = 0; k < 60; k++) { /* Newton on pull . u - k/2 u^2 - D */
      double h[2][2];
      barrier_rub_bear(&c, u, h);
      double g[2] = {pull[0] - stiffness * u[0] - c.f[0], pull[1] - stiffness * u[1] - c.f[1]};
      double a = h[0][0] + stiffness, d = h[1][1] + stiffness, o = h[0][1], det = a * d - o * o;
      u[0] += (d * g[0] - o * g[1]) / det;
      u[1] += (a * g[1] - o * g[0]) / det;
    }
    barrier_rub_energy(&c, u);
    c.r[0] = c.f[0], c.r[1] = c.f[1];
  }
  claim_below(fabs(u[0]) + fabs(u[1]), 1e-12);
  claim_near(c.r[0], pull[0], 1e-10);
  claim_near(c.r[1], pull[1], 1e-10);
  claim_below(barrier_rub_residual(&c, u), 1e-10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gradient__is_that_of_the_energy),
      cmocka_unit_test(hessian__is_that_of_the_gradient),
      cmocka_unit_test(flat_floor__is_flat_however_it_is_cut),
      cmocka_unit_test(friction__has_the_derivatives_of_its_envelope),
      cmocka_unit_test(friction__holds_without_a_slip_in_the_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
