/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/topology.h"

#include <stdlib.h>

/* One side of an element: sorted by its vertices, then by where it comes from, which makes the
 * order total and the result independent of the sorting algorithm. */
typedef struct topology_side {
  int32_t key[3]; /* ascending vertex numbers; an edge's third is 0 */
  uint32_t element, corner;
} topology_side;

static int compare_keys(const topology_side *a, const topology_side *b) {
  for (int i = 0; i < 3; i++)
    if (a->key[i] != b->key[i]) return a->key[i] < b->key[i] ? -1 : 1;
  return 0;
}

static int compare_sides(const void *left, const void *right) {
  const topology_side *a = left, *b = right;
  int by_key = compare_keys(a, b);
  if (by_key) return by_key;
  if (a->element != b->element) return a->element < b->element ? -1 : 1;
  return a->corner < b->corner ? -1 : a->corner > b->corner;
}

static void swap_if_descending(int32_t *a, int32_t *b) {
  if (*a <= *b) return;
  int32_t t = *a;
  *a = *b;
  *b = t;
}

/* Where the run of equal keys that begins at `first` ends. */
static size_t run_end(const topology_side *sides, size_t count, size_t first) {
  size_t end = first + 1;
  while (end < count && !compare_keys(&sides[first], &sides[end])) end++;
  return end;
}

/* ------------------------------------------------------------------------------------ hinges -- */

/* Side `corner` of a triangle runs from that corner to the next; the vertex opposite follows. */
static int32_t corner_vertex(const int32_t *triangles, const topology_side *s, uint32_t ahead) {
  return triangles[3 * (size_t)s->element + (s->corner + ahead) % 3];
}

/* Visits the pairs of triangles at each edge; writes hinges where `out` is not NULL. Returns how
 * many there are. */
static size_t pair_sides(const int32_t *triangles, const topology_side *sides, size_t count,
                         int32_t *out) {
  size_t hinges = 0;
  for (size_t first = 0; first < count;) {
    size_t end = run_end(sides, count, first);
    for (size_t i = first; i < end; i++)
      for (size_t j = i + 1; j < end; j++) {
        int32_t x2 = corner_vertex(triangles, &sides[i], 2);
        int32_t x3 = corner_vertex(triangles, &sides[j], 2);
        if (x2 == x3) continue; /* one triangle laid on the other */
        if (out) {
          int32_t *h = out + 4 * hinges;
          h[0] = corner_vertex(triangles, &sides[i], 0);
          h[1] = corner_vertex(triangles, &sides[i], 1);
          h[2] = x2;
          h[3] = x3;
        }
        hinges++;
      }
    first = end;
  }
  return hinges;
}

/* The sides of all triangles, sorted by edge; NULL when memory has run out. */
static topology_side *sorted_sides(const int32_t *triangles, size_t count) {
  size_t side_count = 3 * count;
  topology_side *sides = malloc((side_count + 1) * sizeof *sides);
  if (!sides) return NULL;
  for (size_t s = 0; s < side_count; s++) {
    topology_side side = {.element = (uint32_t)(s / 3), .corner = (uint32_t)(s % 3)};
    side.key[0] = corner_vertex(triangles, &side, 0);
    side.key[1] = corner_vertex(triangles, &side, 1);
    swap_if_descending(&side.key[0], &side.key[1]);
    sides[s] = side;
  }
  qsort(sides, side_count, sizeof *sides, compare_sides);
  return sides;
}

tribo_status topology_hinges(const int32_t *triangles, size_t count, arena *memory,
                             topology_list *hinges, tribo_error *err) {
  size_t side_count = 3 * count;
  topology_side *sides = sorted_sides(triangles, count);
  if (!sides) return status_no_memory(err, "the edges of a mesh");

  size_t found = pair_sides(triangles, sides, side_count, NULL);
  int32_t *vertices = ARENA_ARRAY(memory, int32_t, 4 * found);
  if (vertices) pair_sides(triangles, sides, side_count, vertices);
  free(sides);
  if (!vertices) return status_no_memory(err, "the hinges of a mesh");
  *hinges = (topology_list){vertices, found};
  return TRIBO_OK;
}

tribo_status topology_edges(const int32_t *triangles, size_t count, arena *memory,
                            topology_list *edges, tribo_error *err) {
  size_t side_count = 3 * count, found = 0;
  topology_side *sides = sorted_sides(triangles, count);
  if (!sides) return status_no_memory(err, "the edges of a mesh");
  for (size_t first = 0; first < side_count; first = run_end(sides, side_count, first)) found++;
  *edges = (topology_list){ARENA_ARRAY(memory, int32_t, 2 * found), 0};
  for (size_t first = 0; edges->vertices && first < side_count;
       first = run_end(sides, side_count, first)) {
    int32_t *edge = edges->vertices + 2 * edges->count++;
    edge[0] = sides[first].key[0];
    edge[1] = sides[first].key[1];
  }
  free(sides);
  return edges->vertices ? TRIBO_OK : status_no_memory(err, "the edges of a mesh");
}

/* ------------------------------------------------------------------------------------ closed -- */

tribo_status topology_check_closed(const int32_t *triangles, size_t count, topology_fault *fault,
                                   tribo_error *err) {
  *fault = (topology_fault){.kind = TOPOLOGY_CLOSED};
  size_t side_count = 3 * count;
  topology_side *sides = sorted_sides(triangles, count);
  if (!sides) return status_no_memory(err, "the edges of a mesh");
  for (size_t first = 0; first < side_count && fault->kind == TOPOLOGY_CLOSED;) {
    size_t end = run_end(sides, side_count, first);
    const topology_side *a = &sides[first], *b = &sides[end - 1];
    bool against = corner_vertex(triangles, a, 0) == corner_vertex(triangles, b, 1);
    *fault = (topology_fault){.kind = end == first + 1  ? TOPOLOGY_OPEN
                                      : end > first + 2 ? TOPOLOGY_CROWDED
                                      : !against        ? TOPOLOGY_TWISTED
                                                        : TOPOLOGY_CLOSED,
                              .edge = {a->key[0], a->key[1]},
                              .triangle = a->element,
                              .other = b->element,
                              .count = end - first};
    first = end;
  }
  free(sides);
  return TRIBO_OK;
}

/* ---------------------------------------------------------------------------------- boundary -- */

/* Face `corner` lies opposite that corner of the tetrahedron and is wound to look out of it. */
static const int OUTWARD[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

tribo_status topology_boundary(const int32_t *tets, size_t count, arena *memory,
                               topology_list *triangles, tribo_error *err) {
  size_t side_count = 4 * count;
  topology_side *sides = malloc((side_count + 1) * sizeof *sides);
  unsigned char *open = calloc(side_count + 1, 1); /* by face: whether it is on the boundary */
  if (!sides || !open) {
    free(sides);
    free(open);
    return status_no_memory(err, "the faces of a mesh");
  }
  for (size_t s = 0; s < side_count; s++) {
    topology_side side = {.element = (uint32_t)(s / 4), .corner = (uint32_t)(s % 4)};
    for (int i = 0; i < 3; i++) side.key[i] = tets[4 * (s / 4) + (size_t)OUTWARD[side.corner][i]];
    swap_if_descending(&side.key[0], &side.key[1]);
    swap_if_descending(&side.key[1], &side.key[2]);
    swap_if_descending(&side.key[0], &side.key[1]);
    sides[s] = side;
  }
  qsort(sides, side_count, sizeof *sides, compare_sides);

  size_t found = 0;
  for (size_t first = 0; first < side_count;) {
    size_t end = run_end(sides, side_count, first);
    if (end == first + 1) {
      open[4 * (size_t)sides[first].element + sides[first].corner] = 1;
      found++;
    }
    first = end;
  }
  free(sides);

  int32_t *vertices = ARENA_ARRAY(memory, int32_t, 3 * found), *next = vertices;
  for (size_t s = 0; vertices && s < side_count; s++)
    for (size_t i = 0; open[s] && i < 3; i++)
      *next++ = tets[4 * (s / 4) + (size_t)OUTWARD[s % 4][i]];
  free(open);
  if (!vertices) return status_no_memory(err, "the boundary of a mesh");
  *triangles = (topology_list){vertices, found};
  return TRIBO_OK;
}
