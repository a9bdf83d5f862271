/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/lattice.h"

#include <string.h>

#include "geom/orient.h"
#include "geom/winding.h"

/* The grid is wider than the surface by this part, so that no vertex lies on its rim. */
static const double RIM = 1e-9;
/* A cube is cut when the surface comes into it by this part of its side. */
static const double GRAZE = 1e-6;

enum { OUT, CUT, INSIDE };

typedef struct grid {
  vec3 low; /* corner of the first cube */
  double side;
  int32_t size[3]; /* cubes along x, y, z */
  unsigned char *kind;
  size_t count;
} grid;

static size_t cube_at(const grid *g, int32_t i, int32_t j, int32_t k) {
  return (size_t)i + (size_t)g->size[0] * ((size_t)j + (size_t)g->size[1] * (size_t)k);
}

static bool kept(const grid *g, int32_t i, int32_t j, int32_t k) {
  return i >= 0 && j >= 0 && k >= 0 && i < g->size[0] && j < g->size[1] && k < g->size[2] &&
         g->kind[cube_at(g, i, j, k)] != OUT;
}

static vec3 middle_of(const grid *g, int32_t i, int32_t j, int32_t k) {
  return vec3_madd(g->low, g->side, vec3_make(i + 0.5, j + 0.5, k + 0.5));
}

static int32_t clamped(double x, int32_t most) {
  return x <= 0 ? 0 : x >= most ? most : (int32_t)x;
}

/* ---- the grid -------------------------------------------------------------------------------- */

static int32_t cubes_along(double length, double side) {
  double wanted = ceil(length / side - RIM);
  return wanted < 1 ? 1 : (int32_t)wanted;
}

static tribo_status lay_grid(const vec3 *positions, size_t count, int cells, arena *memory,
                             grid *out, tribo_error *err) {
  vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
  for (size_t i = 0; i < count; i++) {
    vec3 p = positions[i];
    low = vec3_make(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
    high = vec3_make(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
  }
  vec3 extent = vec3_sub(high, low);
  double longest = vec3_max_abs(extent);
  if (count == 0 || !(longest > 1e-12 * vec3_max_abs(high)))
    return status_fail(err, TRIBO_BAD_INPUT,
                       "all %zu vertices lie in one point; a lattice needs a body with a size",
                       count);
  double side = longest * (1 + RIM) / cells;
  int32_t size[3] = {cubes_along(extent.x, side), cubes_along(extent.y, side),
                     cubes_along(extent.z, side)};
  vec3 across = vec3_scale(side, vec3_make(size[0], size[1], size[2]));
  *out = (grid){.low = vec3_madd(vec3_scale(0.5, vec3_add(low, high)), -0.5, across),
                .side = side,
                .size = {size[0], size[1], size[2]}};
  out->count = (size_t)size[0] * (size_t)size[1] * (size_t)size[2];
  out->kind = ARENA_ARRAY(memory, unsigned char, out->count);
  return out->kind ? TRIBO_OK : status_no_memory(err, "the cubes of a lattice");
}

/* ---- where the surface runs ------------------------------------------------------------------ */

/* Whether the axis parts the triangle from the cube of half side r about the origin. */
static bool parts(vec3 axis, const vec3 t[3], double r) {
  double a = vec3_dot(axis, t[0]), b = vec3_dot(axis, t[1]), c = vec3_dot(axis, t[2]);
  double reach = r * (fabs(axis.x) + fabs(axis.y) + fabs(axis.z));
  return fmin(a, fmin(b, c)) > reach || fmax(a, fmax(b, c)) < -reach;
}

/* Separating axes of a triangle and a cube: its faces, the triangle's plane, and the products of
 * edges. */
static bool overlaps(const vec3 t[3], double r) {
  static const vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  vec3 edge[3] = {vec3_sub(t[1], t[0]), vec3_sub(t[2], t[1]), vec3_sub(t[0], t[2])};
  if (parts(vec3_cross(edge[0], edge[1]), t, r)) return false;
  for (int a = 0; a < 3; a++) {
    if (parts(axes[a], t, r)) return false;
    for (int e = 0; e < 3; e++)
      if (parts(vec3_cross(axes[a], edge[e]), t, r)) return false;
  }
  return true;
}

static void mark_triangle(grid *g, const vec3 corner[3]) {
  int32_t from[3], to[3];
  for (int a = 0; a < 3; a++) {
    double c[3];
    for (int i = 0; i < 3; i++) {
      vec3 p = vec3_scale(1 / g->side, vec3_sub(corner[i], g->low));
      c[i] = a == 0 ? p.x : a == 1 ? p.y : p.z;
    }
    from[a] = clamped(fmin(c[0], fmin(c[1], c[2])), g->size[a] - 1);
    to[a] = clamped(fmax(c[0], fmax(c[1], c[2])), g->size[a] - 1);
  }
  double r = g->side * (0.5 - GRAZE);
  for (int32_t k = from[2]; k <= to[2]; k++)
    for (int32_t j = from[1]; j <= to[1]; j++)
      for (int32_t i = from[0]; i <= to[0]; i++) {
        vec3 middle = middle_of(g, i, j, k), t[3];
        for (int a = 0; a < 3; a++) t[a] = vec3_sub(corner[a], middle);
        if (overlaps(t, r)) g->kind[cube_at(g, i, j, k)] = CUT;
      }
}

typedef struct insides {
  grid *g;
  const winding *surface;
} insides;

/* A row of cubes a piece. */
static void mark_inside(void *context, size_t begin, size_t end) {
  const insides *in = context;
  grid *g = in->g;
  for (size_t row = begin; row < end; row++)
    for (int32_t i = 0; i < g->size[0]; i++) {
      int32_t j = (int32_t)(row % (size_t)g->size[1]), k = (int32_t)(row / (size_t)g->size[1]);
      unsigned char *kind = &g->kind[cube_at(g, i, j, k)];
      if (*kind == OUT && winding_inside(in->surface, middle_of(g, i, j, k))) *kind = INSIDE;
    }
}

/* A vertex on the side of cubes of which none is kept keeps the one it falls in. */
static void mark_vertices(grid *g, const vec3 *positions, size_t count) {
  for (size_t v = 0; v < count; v++) {
    vec3 p = vec3_scale(1 / g->side, vec3_sub(positions[v], g->low));
    double c[3] = {p.x, p.y, p.z};
    int32_t from[3], to[3];
    for (int a = 0; a < 3; a++) {
      from[a] = clamped(c[a] - 2 * GRAZE, g->size[a] - 1);
      to[a] = clamped(c[a] + 2 * GRAZE, g->size[a] - 1);
    }
    int32_t own[3];
    for (int a = 0; a < 3; a++) own[a] = clamped(c[a], g->size[a] - 1);
    bool held = kept(g, own[0], own[1], own[2]);
    for (int32_t k = from[2]; k <= to[2] && !held; k++)
      for (int32_t j = from[1]; j <= to[1] && !held; j++)
        for (int32_t i = from[0]; i <= to[0] && !held; i++) held = kept(g, i, j, k);
    if (!held) g->kind[cube_at(g, own[0], own[1], own[2])] = CUT;
  }
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Corner c of a cube has the bits x, y, z of c; so have the eight cubes around a node. */
static int32_t bit(int c, int axis) { return (c >> axis) & 1; }

/* The cubes around a node that hang together through faces: group[c] is the lowest of c's group,
 * or -1 where there is no cube. */
static void group_around(const bool there[8], int group[8]) {
  for (int c = 0; c < 8; c++) group[c] = there[c] ? c : -1;
  for (bool changed = true; changed;) {
    changed = false;
    for (int c = 0; c < 8; c++)
      for (int axis = 0; axis < 3; axis++) {
        int next = c ^ (1 << axis);
        if (!there[c] || !there[next] || group[next] >= group[c]) continue;
        group[c] = group[next];
        changed = true;
      }
  }
}

typedef struct numbering {
  int32_t *number;    /* of a kept cube among the kept, or -1 */
  int32_t (*node)[8]; /* of a kept cube's corners */
  size_t cubes;
} numbering;

static tribo_status number_cubes(const grid *g, arena *scratch, numbering *out, tribo_error *err) {
  *out = (numbering){.number = ARENA_ARRAY(scratch, int32_t, g->count)};
  if (!out->number) return status_no_memory(err, "the cubes of a lattice");
  for (size_t c = 0; c < g->count; c++)
    out->number[c] = g->kind[c] == OUT ? -1 : (int32_t)out->cubes++;
  out->node = arena_alloc(scratch, out->cubes, sizeof *out->node);
  return out->node ? TRIBO_OK : status_no_memory(err, "the cubes of a lattice");
}

/* Gives the corners of the cubes around grid point (i, j, k) their numbers, from `count` on, and
 * writes where they are when `nodes` is not NULL. Returns the new count. */
static size_t number_node(const grid *g, int32_t i, int32_t j, int32_t k, numbering *n,
                          size_t count, vec3 *nodes) {
  bool there[8];
  int group[8];
  for (int c = 0; c < 8; c++)
    there[c] = kept(g, i - 1 + bit(c, 0), j - 1 + bit(c, 1), k - 1 + bit(c, 2));
  group_around(there, group);
  int32_t number[8] = {0};
  for (int c = 0; c < 8; c++) {
    if (!there[c]) continue;
    if (group[c] == c) {
      if (nodes) nodes[count] = vec3_madd(g->low, g->side, vec3_make(i, j, k));
      number[c] = (int32_t)count++;
    } else {
      number[c] = number[group[c]];
    }
    size_t cube = cube_at(g, i - 1 + bit(c, 0), j - 1 + bit(c, 1), k - 1 + bit(c, 2));
    n->node[n->number[cube]][7 - c] = number[c]; /* the node is the corner opposite to c's side */
  }
  return count;
}

static size_t number_nodes(const grid *g, numbering *n, vec3 *nodes) {
  size_t count = 0;
  for (int32_t k = 0; k <= g->size[2]; k++)
    for (int32_t j = 0; j <= g->size[1]; j++)
      for (int32_t i = 0; i <= g->size[0]; i++) count = number_node(g, i, j, k, n, count, nodes);
  return count;
}

/* ---- tets ------------------------------------------------------------------------------------ */

/* Corners by the bits x = 1, y = 2, z = 4. Four tets cut off corners, the fifth is what is left. */
static const int FIVE[2][5][4] = {
    {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 1, 4, 7}, {6, 4, 2, 7}, {1, 2, 4, 7}},
    {{1, 3, 0, 5}, {2, 0, 3, 6}, {4, 5, 0, 6}, {7, 5, 6, 3}, {3, 0, 5, 6}}};

static void split_cubes(const grid *g, const numbering *n, int32_t *tets) {
  for (int32_t k = 0; k < g->size[2]; k++)
    for (int32_t j = 0; j < g->size[1]; j++)
      for (int32_t i = 0; i < g->size[0]; i++) {
        if (!kept(g, i, j, k)) continue;
        const int32_t *corner = n->node[n->number[cube_at(g, i, j, k)]];
        for (int t = 0; t < 5; t++)
          for (int a = 0; a < 4; a++) *tets++ = corner[FIVE[(i + j + k) & 1][t][a]];
      }
}

/* ---------------------------------------------------------------------------------------------- */

static tribo_status mark(const tasks *t, const vec3 *positions, size_t vertex_count,
                         const int32_t *triangles, size_t triangle_count, arena *scratch, grid *g,
                         tribo_error *err) {
  for (size_t i = 0; i < triangle_count; i++) {
    const int32_t *c = triangles + 3 * i;
    mark_triangle(g, (vec3[3]){positions[c[0]], positions[c[1]], positions[c[2]]});
  }
  int32_t *agreed;
  size_t turned;
  winding surface;
  TRY(orient_surface(positions, triangles, triangle_count, scratch, &agreed, &turned, err));
  TRY(winding_build(positions, agreed, triangle_count, scratch, &surface, err));
  insides in = {g, &surface};
  tasks_for(t, (size_t)g->size[1] * (size_t)g->size[2], 1, mark_inside, &in);
  mark_vertices(g, positions, vertex_count);
  return TRIBO_OK;
}

static tribo_status build(const tasks *t, const vec3 *positions, size_t vertex_count,
                          const int32_t *triangles, size_t triangle_count, int cells,
                          arena *scratch, arena *memory, lattice *out, tribo_error *err) {
  grid g;
  numbering n;
  TRY(lay_grid(positions, vertex_count, cells, scratch, &g, err));
  TRY(mark(t, positions, vertex_count, triangles, triangle_count, scratch, &g, err));
  TRY(number_cubes(&g, scratch, &n, err));
  *out = (lattice){.side = g.side, .tet_count = 5 * n.cubes};
  out->node_count = number_nodes(&g, &n, NULL);
  out->nodes = ARENA_ARRAY(memory, vec3, out->node_count);
  out->tets = ARENA_ARRAY(memory, int32_t, 4 * out->tet_count);
  if (!out->nodes || !out->tets) return status_no_memory(err, "a lattice");
  number_nodes(&g, &n, out->nodes);
  split_cubes(&g, &n, out->tets);
  return TRIBO_OK;
}

tribo_status lattice_build(const tasks *t, const vec3 *positions, size_t vertex_count,
                           const int32_t *triangles, size_t triangle_count, int cells,
                           arena *memory, lattice *out, tribo_error *err) {
  arena scratch = {0};
  tribo_status status = build(t, positions, vertex_count, triangles, triangle_count, cells,
                              &scratch, memory, out, err);
  arena_free(&scratch);
  return status;
}
