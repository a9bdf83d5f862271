/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/proximity/litter.h"

static const surface_part *part_named(const surface_mesh *m, const char *name) {
  for (int32_t p = 0; p < m->part_count; p++)
    if (strcmp(m->parts[p].name, name) == 0) return &m->parts[p];
  fail_msg("no part '%s'", name);
  return NULL;
}

static void parts__are_bodies_then_colliders_with_their_areas(void **state) {
  (void)state;
  litter *l = litter_make();
  const surface_mesh *m = &l->mesh;
  assert_int_equal(m->part_count, LITTER_OBJECTS);
  static const struct {
    const char *name;
    double area;
    int32_t vertices, triangles;
    bool deforms, closed;
  } expected[] = {{"sheet", 0.8, 42, 60, true, false},
                  {"patch", 0.49, 25, 32, true, false},
                  {"jelly", 0.54, 26, 48, true, true},
                  {"brick", 0.22, 8, 12, false, true},
                  {"floor", 16, 9, 8, false, false}};
  for (size_t i = 0; i < LITTER_OBJECTS; i++) {
    const surface_part *p = part_named(m, expected[i].name);
    assert_int_equal(p - m->parts, i);
    claim_near(p->area, expected[i].area, 1e-12);
    assert_int_equal(p->vertex_count, expected[i].vertices);
    assert_int_equal(p->triangle_count, expected[i].triangles);
    assert_int_equal(p->deforms, expected[i].deforms);
    assert_int_equal(p->closed, expected[i].closed);
    double vertices = 0, edges = 0;
    for (int32_t v = 0; v < p->vertex_count; v++) vertices += m->vertex_area[p->first_vertex + v];
    for (int32_t e = 0; e < p->edge_count; e++) edges += m->edge_area[p->first_edge + e];
    claim_near(vertices, p->area, 1e-12);
    claim_near(edges, p->area, 1e-12);
  }
  assert_int_equal(m->body_vertices, part_named(m, "floor")->first_vertex);
  litter_free(l);
}

/* Of the brick the 12 edges of the box but none across its faces; of the floor its rim. */
static void flat_edges__are_not_met_where_shapes_stay(void **state) {
  (void)state;
  litter *l = litter_make();
  const surface_mesh *m = &l->mesh;
  static const struct {
    const char *name;
    int edges, vertices;
  } expected[] = {{"brick", 12, 8}, {"floor", 8, 8}};
  for (int i = 0; i < 2; i++) {
    const surface_part *p = part_named(m, expected[i].name);
    int edges = 0, vertices = 0;
    for (int32_t e = 0; e < p->edge_count; e++) edges += m->edge_met[p->first_edge + e];
    for (int32_t v = 0; v < p->vertex_count; v++) vertices += m->vertex_met[p->first_vertex + v];
    assert_int_equal(edges, expected[i].edges);
    assert_int_equal(vertices, expected[i].vertices);
  }
  const surface_part *sheet = part_named(m, "sheet");
  for (int32_t e = 0; e < sheet->edge_count; e++) assert_true(m->edge_met[sheet->first_edge + e]);
  litter_free(l);
}

/* A small motion of the nodes moves every vertex by its row. */
static void rows__say_how_vertices_hang_on_nodes(void **state) {
  (void)state;
  litter *l = litter_make();
  const surface_mesh *m = &l->mesh;
  const model *of = &l->m;
  uint64_t seed = 5;
  tasks one = {1};
  quat turns[1] = {of->rigids[0].turn};
  vec3 *x = ARENA_ARRAY(&l->memory, vec3, of->node_count);
  vec3 *d = ARENA_ARRAY(&l->memory, vec3, of->node_count);
  vec3 *before = ARENA_ARRAY(&l->memory, vec3, m->vertex_count);
  vec3 *after = ARENA_ARRAY(&l->memory, vec3, m->vertex_count);
  memcpy(x, of->rest, (size_t)of->node_count * sizeof *x);
  surface_mesh_place(m, &one, x, turns, before);
  for (int32_t v = 0; v < m->body_vertices; v++)
    claim_below(vec3_norm(vec3_sub(before[v], m->rest[v])), 1e-14);
  for (int32_t i = 0; i < of->node_count; i++) {
    d[i] = litter_noise(&seed, 1e-6);
    x[i] = vec3_add(x[i], d[i]);
  }
  surface_mesh_place(m, &one, x, turns, after);
  memcpy(x, of->rest, (size_t)of->node_count * sizeof *x);
  for (int32_t v = 0; v < m->body_vertices; v++) {
    mesh_row row = surface_mesh_row(m, x, v, before[v]);
    vec3 moved = before[v];
    for (int k = 0; k < row.count; k++)
      moved = vec3_add(moved, mat3_mul_vec3(&row.block[k], d[row.node[k]]));
    claim_below(vec3_norm(vec3_sub(moved, after[v])), 1e-10);
  }
  litter_free(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts__are_bodies_then_colliders_with_their_areas),
      cmocka_unit_test(flat_edges__are_not_met_where_shapes_stay),
      cmocka_unit_test(rows__say_how_vertices_hang_on_nodes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
