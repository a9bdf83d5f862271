/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   bench_tets [--quick]
 *
 * What it takes to make a solid of a surface: checking it, filling it by TetGen (by the clock: a
 * program of its own), putting a lattice around it, and hanging its vertices on the tets with how
 * full those are. A sphere of 5,040 triangles. The figures of docs/tets.md come from here.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "geom/closed.h"
#include "geom/lattice.h"
#include "geom/tetrahedralise.h"
#include "geom/winding.h"
#include "model/cage.h"

typedef struct skin {
  vec3 *vertices;
  int32_t *triangles;
  size_t vertex_count, triangle_count;
} skin;

/* Rings of squares between two poles, each square cut in two. */
static skin sphere(int rings, arena *memory) {
  int around = 2 * rings;
  skin s = {ARENA_ARRAY(memory, vec3, (rings - 1) * around + 2),
            ARENA_ARRAY(memory, int32_t, 6 * rings * around), 0, 0};
  double pi = acos(-1);
  s.vertices[s.vertex_count++] = vec3_make(0, 0, 1);
  for (int i = 1; i < rings; i++)
    for (int j = 0; j < around; j++)
      s.vertices[s.vertex_count++] =
          vec3_make(sin(pi * i / rings) * cos(2 * pi * j / around),
                    sin(pi * i / rings) * sin(2 * pi * j / around), cos(pi * i / rings));
  s.vertices[s.vertex_count++] = vec3_make(0, 0, -1);
  int32_t last = (int32_t)s.vertex_count - 1, *t = s.triangles;
  for (int i = 0; i < rings; i++)
    for (int j = 0; j < around; j++) {
      int next = (j + 1) % around;
      int32_t a = i ? 1 + (i - 1) * around + j : 0, b = i ? 1 + (i - 1) * around + next : 0;
      int32_t c = i < rings - 1 ? 1 + i * around + j : last;
      int32_t d = i < rings - 1 ? 1 + i * around + next : last;
      if (i < rings - 1) *t++ = a, *t++ = c, *t++ = d;
      if (i > 0) *t++ = a, *t++ = d, *t++ = b;
    }
  s.triangle_count = (size_t)(t - s.triangles) / 3;
  return s;
}

static void time_lattice(const skin *s, int cells) {
  arena memory = {0};
  tribo_error error;
  tasks one = {1};
  lattice l;
  double start = clock_seconds();
  if (lattice_build(&one, s->vertices, s->vertex_count, s->triangles, s->triangle_count, cells,
                    &memory, &l, &error))
    return;
  double built = clock_seconds();
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = "sphere";
  def.positions = &s->vertices->x;
  def.vertex_count = s->vertex_count;
  def.triangles = s->triangles;
  def.triangle_count = s->triangle_count;
  def.cage = &l.nodes->x;
  def.cage_count = l.node_count;
  def.tets = l.tets;
  def.tet_count = l.tet_count;
  model_body body = {0};
  double *full;
  if (cage_embed(&def, &memory, &memory, &body, &full, &error)) return;
  double hung = clock_seconds();
  printf("lattice of %3d cells: %7zu nodes, %8zu tets; built in %6.3f s, skin hung in %6.3f s\n",
         cells, l.node_count, l.tet_count, built - start, hung - built);
  arena_free(&memory);
}

int main(int count, char **words) {
  bool quick = count > 1 && strcmp(words[1], "--quick") == 0;
  arena memory = {0};
  tribo_error error;
  skin s = sphere(quick ? 8 : 36, &memory);
  double start = clock_seconds();
  if (closed_check(s.vertices, s.vertex_count, s.triangles, s.triangle_count, &error)) {
    printf("%s\n", error.message);
    return 1;
  }
  printf("%zu triangles checked in %.3f s\n", s.triangle_count, clock_seconds() - start);

  winding w;
  double sum = 0;
  int places = quick ? 100 : 20000;
  if (winding_build(s.vertices, s.triangles, s.triangle_count, &memory, &w, &error)) return 1;
  start = clock_seconds();
  for (int i = 0; i < places; i++)
    sum += winding_number(&w, vec3_make(cos(i), sin(3 * i), cos(7 * i)));
  printf("winding number: %.2f us a place (mean %.3f)\n", 1e6 * (clock_seconds() - start) / places,
         sum / places);

  tetrahedra m;
  start = clock_seconds();
  if (tetrahedralise_surface("sphere", s.vertices, s.vertex_count, s.triangles, s.triangle_count, 0,
                             &memory, &m, &error))
    printf("not filled: %s\n", error.message);
  else
    printf("filled: %zu nodes, %zu tets in %.3f s\n", m.node_count, m.tet_count,
           clock_seconds() - start);
  for (int cells = 10; cells <= (quick ? 10 : 40); cells *= 2) time_lattice(&s, cells);
  arena_free(&memory);
  return 0;
}
