/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/potential/rig.h"
#include "geom/distance.h"
#include "projective/projective_find.h"

/* The bounds of projective_find.c, said again. */
static const double H = 0.01, THICKNESS = 0.03, SPARE = 0.25, FARTHEST = 200, PARALLEL = 0.2;

typedef struct heap {
  rig *r;
  layers_finder f;
  vec3 *x, *v, mean;
} heap;

/* A sheet folded twice, shaken, in motion that differs from place to place. */
static heap make_heap(int columns, int threads) {
  mesh shape = shape_sheet(columns, columns - 3, 0.7, 0.55);
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.surface.thickness = THICKNESS;
  heap s = {.r = rig_make(def, &shape, vec3_make(0, 0, -9.81), H, 1)};
  size_t nodes = (size_t)s.r->m.node_count;
  uint64_t seed = 42;
  tasks t = tasks_create(threads);
  claim_ok(layers_finder_create(&s.r->m, H, &t, &s.r->memory, &s.f, err));
  s.x = ARENA_ARRAY(&s.r->memory, vec3, nodes);
  s.v = ARENA_ARRAY(&s.r->memory, vec3, nodes);
  for (size_t i = 0; i < nodes; i++) {
    vec3 p = s.r->m.rest[i];
    double at = p.x / 0.233, fold = floor(at), along = at - fold;
    p.x = 0.233 * ((int)fold % 2 ? 1 - along : along);
    p.z = 0.035 * fold;
    double *x = &p.x, v[3];
    for (int k = 0; k < 3; k++) x[k] += claim_between(&seed, -0.008, 0.008);
    for (int k = 0; k < 3; k++) v[k] = claim_between(&seed, -1, 1) * (1 + 4 * p.y);
    s.x[i] = p;
    s.v[i] = vec3_make(v[0], v[1], v[2]);
    s.mean = vec3_madd(s.mean, 1 / (double)nodes, s.v[i]);
  }
  layers_finder_look(&s.f, s.x, s.v);
  return s;
}

/* What an asker has to do with another: nothing (false), or a distance, and how they are sorted. */
static bool measure(const heap *s, const int32_t *own, const int32_t *other, int nodes,
                    double *distance, double *ahead) {
  double weight[4], rest, fastest = 0;
  vec3 x[4], at_rest[4], closing = {0, 0, 0};
  int32_t node[4];
  for (int k = 0; k < 4; k++) {
    node[k] = k < nodes ? own[k] : other[k - nodes];
    for (int j = 0; j < k; j++)
      if (node[j] == node[k]) return false;
    x[k] = s->x[node[k]];
    at_rest[k] = s->r->m.rest[node[k]];
  }
  if (nodes == 1) {
    distance_foot foot = distance_point_triangle(x[0], x + 1);
    *distance = sqrt(foot.distance2);
    weight[0] = 1;
    for (int k = 0; k < 3; k++) weight[k + 1] = -foot.weight[k];
    rest = sqrt(distance_point_triangle(at_rest[0], at_rest + 1).distance2);
  } else {
    double p, q;
    vec3 u = vec3_sub(x[1], x[0]), w = vec3_sub(x[3], x[2]);
    if (vec3_norm(vec3_cross(u, w)) < PARALLEL * vec3_norm(u) * vec3_norm(w)) return false;
    rest = sqrt(distance_edge_edge(at_rest, at_rest + 2, &p, &q));
    *distance = sqrt(distance_edge_edge(x, x + 2, &p, &q));
    weight[0] = 1 - p, weight[1] = p, weight[2] = q - 1, weight[3] = -q;
    if (p == 0 || p == 1 || q == 0 || q == 1) return false;
  }
  vec3 apart = {0, 0, 0};
  for (int k = 0; k < 4; k++) {
    closing = vec3_madd(closing, weight[k], s->v[node[k]]);
    apart = vec3_madd(apart, weight[k], x[k]);
  }
  for (int k = 0; k < nodes; k++)
    fastest = fmax(fastest, vec3_norm(vec3_sub(s->v[own[k]], s->mean)));
  double way = fmin(2 * H * (fastest + H * 9.81), FARTHEST * THICKNESS);
  double most = THICKNESS + fmin(way, SPARE * THICKNESS + 2 * H * vec3_norm(closing));
  double approach = fmin(0, H * vec3_dot(closing, vec3_normalized(apart)));
  *ahead = *distance < (1 + SPARE) * THICKNESS ? *distance - 1e6 : *distance + approach;
  return *distance < most * (1 - 1e-12) && rest > THICKNESS * (1 + 1e-12) &&
         *distance + 2 * approach < (1 + SPARE) * THICKNESS * (1 - 1e-12);
}

/* What is near comes before what will be. */
static double order_of(const layers_find *f) { return f->far ? f->ahead : f->ahead - 1e6; }

/* Against all others, one by one: the first of what was found is what will be nearest, and who is
 * not among it has somebody nearer there. */
static void check(const heap *s, int nodes, size_t askers, const int32_t *mine, size_t others,
                  const int32_t *theirs, size_t place) {
  size_t asked = 0, found = 0;
  for (size_t i = 0; i < askers; i++) {
    const layers_find *list = s->f.found + LAYERS_MOST * (place + i);
    int32_t count = s->f.found_count[place + i];
    size_t end = nodes == 1 ? others : i;
    for (size_t k = 0; k < end; k++) {
      double distance, ahead;
      const int32_t *other = theirs + (size_t)(4 - nodes) * k;
      if (!measure(s, mine + (size_t)nodes * i, other, nodes, &distance, &ahead)) continue;
      asked++;
      assert_true(count > 0 && order_of(&list[0]) <= ahead + 1e-9);
    }
    for (int32_t k = 0; k < count; k++) {
      double distance, ahead;
      const int32_t *other = theirs + (4 - nodes) * list[k].other;
      assert_true(measure(s, mine + (size_t)nodes * i, other, nodes, &distance, &ahead));
      claim_near(sqrt(list[k].distance2), distance, 1e-12);
      claim_near(order_of(&list[k]), ahead, 1e-9);
      found++;
    }
  }
  assert_true(found > 100 && asked > found);
}

static void what_is_found__is_what_asking_everyone_finds(void **unused) {
  (void)unused;
  heap s = make_heap(14, 1);
  layers_finder *f = &s.f;
  check(&s, 1, f->vertex_count, f->vertices, f->triangle_count, f->triangles, 0);
  check(&s, 2, f->edge_count, f->edges, f->edge_count, f->edges, f->vertex_count);
  rig_free(s.r);
}

static void threads__find_the_same(void **unused) {
  (void)unused;
  heap one = make_heap(40, 1), two = make_heap(40, 2); /* enough to be shared */
  size_t askers = one.f.vertex_count + one.f.edge_count, found = 0;
  for (size_t i = 0; i < askers; i++) {
    assert_int_equal(one.f.found_count[i], two.f.found_count[i]);
    found += (size_t)one.f.found_count[i];
    for (size_t k = 0; k < (size_t)one.f.found_count[i]; k++) {
      const layers_find *a = &one.f.found[LAYERS_MOST * i + k];
      const layers_find *b = &two.f.found[LAYERS_MOST * i + k];
      assert_int_equal(a->other, b->other);
      assert_memory_equal(a->weight, b->weight, sizeof a->weight);
      assert_memory_equal(&a->normal, &b->normal, sizeof a->normal);
    }
  }
  assert_true(found > 1000);
  rig_free(one.r);
  rig_free(two.r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_found__is_what_asking_everyone_finds),
                                     cmocka_unit_test(threads__find_the_same)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
