/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"
#include "geom/dissect.h"
#include "scenes/shapes.h"

/* Every element once; parts in the old order inside; parts of a level share no vertex. */
static void claim_sound(const int32_t *vertices, size_t count, int arity, size_t vertex_count,
                        const dissection *d, const int32_t *order) {
  size_t n = (size_t)arity;
  bool *seen = calloc(count + 1, sizeof *seen);
  size_t *owner = calloc(vertex_count + 1, sizeof *owner); /* part + 1, within the level */
  size_t parts = d->level_start[d->level_count];
  assert_int_equal(d->part_start[parts], count);
  for (size_t level = 0; level < d->level_count; level++) {
    memset(owner, 0, vertex_count * sizeof *owner);
    for (size_t p = d->level_start[level]; p < d->level_start[level + 1]; p++) {
      assert_true(d->part_start[p] < d->part_start[p + 1]);
      for (size_t e = d->part_start[p]; e < d->part_start[p + 1]; e++) {
        assert_false(seen[order[e]]);
        seen[order[e]] = true;
        if (e > d->part_start[p]) assert_true(order[e - 1] < order[e]);
        for (size_t a = 0; a < n; a++) {
          size_t *own = &owner[vertices[(size_t)order[e] * n + a]];
          assert_true(*own == 0 || *own == p + 1);
          *own = p + 1;
        }
      }
    }
  }
  for (size_t e = 0; e < count; e++) assert_true(seen[e]);
  free(seen);
  free(owner);
}

static void dissect(const mesh *m, const int32_t *elements, size_t count, int arity,
                    dissection *out, arena *memory) {
  int32_t *order = malloc((count + 1) * sizeof *order);
  claim_ok(dissect_elements(elements, count, arity, (const vec3 *)m->positions, m->vertex_count,
                            memory, out, order, err));
  claim_sound(elements, count, arity, m->vertex_count, out, order);
  free(order);
}

static void parts_of_a_level__share_no_vertex_and_leave_little_for_the_cuts(void **unused) {
  (void)unused;
  arena memory = {0};
  mesh block = shape_block(12, 14, 10, 1, 1.2, 0.8), sheet = shape_sheet(80, 60, 1, 1);
  dissection d;
  dissect(&block, block.tets, block.tet_count, 4, &d, &memory);
  assert_true(d.level_start[1] >= 16);
  dissect(&sheet, sheet.triangles, sheet.triangle_count, 3, &d, &memory);
  assert_true(d.level_start[1] >= 16);
  /* Of a sheet, four fifths are in the leaves, which share the work best. */
  claim_below(0.8 * (double)sheet.triangle_count, (double)d.part_start[d.level_start[1]]);
  mesh_free(&block);
  mesh_free(&sheet);
  arena_free(&memory);
}

/* All in one place, or all through one vertex: nothing to cut, and still sound. */
static void hopeless_sets__are_still_sound(void **unused) {
  (void)unused;
  enum { COUNT = 3000 };
  arena memory = {0};
  mesh star = {.vertex_count = COUNT + 1};
  star.positions = calloc(3 * (COUNT + 1), sizeof(double));
  int32_t *spokes = malloc(2 * COUNT * sizeof *spokes);
  for (int32_t i = 0; i < COUNT; i++) {
    spokes[2 * i] = 0;
    spokes[2 * i + 1] = i + 1;
  }
  dissection d;
  dissect(&star, spokes, COUNT, 2, &d, &memory);
  for (int32_t i = 0; i <= COUNT; i++) star.positions[3 * i] = i;
  dissect(&star, spokes, COUNT, 2, &d, &memory);
  dissect(&star, spokes, 0, 2, &d, &memory);
  assert_int_equal(d.level_count, 0);
  dissect(&star, spokes, 1, 2, &d, &memory);
  assert_int_equal(d.level_count, 1);
  free(spokes);
  mesh_free(&star);
  arena_free(&memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_of_a_level__share_no_vertex_and_leave_little_for_the_cuts),
      cmocka_unit_test(hopeless_sets__are_still_sound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
