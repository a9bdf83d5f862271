/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/crossings.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "geom/exact.h"

/* Groups of eight edges that are asked about at a time, with a list of their own. */
enum { CHUNK = 32, GRAIN = 2048 };

/* ---- setting up -------------------------------------------------------------------------------
 */

typedef struct side {
  int32_t low, high, opposite, triangle;
} side;

static int compare_sides(const void *left, const void *right) {
  const side *a = left, *b = right;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static bool is_line(const int32_t *t) { return t[1] == t[2]; }

/* A line has one. */
static size_t list_sides(const crossings_mesh *mesh, side *sides) {
  size_t count = 0;
  for (size_t i = 0; i < mesh->triangle_count; i++) {
    const int32_t *t = mesh->triangles + 3 * i;
    for (int k = 0; k < (is_line(t) ? 1 : 3); k++) {
      int32_t a = t[k], b = t[(k + 1) % 3], c = is_line(t) ? -1 : t[(k + 2) % 3];
      sides[count++] = (side){a < b ? a : b, a < b ? b : a, c, (int32_t)i};
    }
  }
  qsort(sides, count, sizeof *sides, compare_sides);
  return count;
}

static size_t run_end(const side *sides, size_t count, size_t first) {
  size_t end = first + 1;
  while (end < count && sides[end].low == sides[first].low && sides[end].high == sides[first].high)
    end++;
  return end;
}

static tribo_status list_edges(const vec3 *rest, arena *memory, crossings_mesh *mesh,
                               tribo_error *err) {
  side *sides = malloc((3 * mesh->triangle_count + 1) * sizeof *sides);
  if (!sides) return status_no_memory(err, "the edges of a mesh");
  size_t count = list_sides(mesh, sides), edges = 0;
  for (size_t i = 0; i < count; i = run_end(sides, count, i)) edges++;
  mesh->edges = ARENA_ARRAY(memory, int32_t, 2 * edges);
  mesh->opposite = ARENA_ARRAY(memory, int32_t, 2 * edges);
  bool whole = mesh->edges && mesh->opposite;
  double sum = 0;
  for (size_t i = 0, e = 0; whole && i < count; e++) {
    size_t end = run_end(sides, count, i);
    bool many = end - i > 2;
    mesh->edges[2 * e] = sides[i].low;
    mesh->edges[2 * e + 1] = sides[i].high;
    mesh->opposite[2 * e] = many ? -1 : sides[i].opposite;
    mesh->opposite[2 * e + 1] = many || end - i < 2 ? -1 : sides[i + 1].opposite;
    sum += vec3_norm(vec3_sub(rest[sides[i].low], rest[sides[i].high]));
    i = end;
  }
  free(sides);
  mesh->edge_count = edges;
  mesh->spacing = edges ? sum / (double)edges : 0;
  return whole ? TRIBO_OK : status_no_memory(err, "the edges of a mesh");
}

tribo_status crossings_mesh_build(const vec3 *rest, size_t vertex_count, const int32_t *triangles,
                                  size_t triangle_count, int64_t first_number, arena *memory,
                                  crossings_mesh *out, tribo_error *err) {
  *out = (crossings_mesh){.vertex_count = vertex_count,
                          .triangles = triangles,
                          .triangle_count = triangle_count,
                          .first_number = first_number};
  TRY(list_edges(rest, memory, out, err));
  out->places = ARENA_ARRAY(memory, bvh_motion, vertex_count);
  if (!out->places) return status_no_memory(err, "the places of a mesh");
  TRY(bvh_moving_build(rest, out->edges, 2, out->edge_count, memory, &out->edge_tree, err));
  return bvh_moving_build(rest, triangles, 3, triangle_count, memory, &out->triangle_tree, err);
}

static float in_range(double x) {
  double most = (double)FLT_MAX;
  return (float)(x > most ? most : x < -most ? -most : x);
}

typedef struct move_job {
  const vec3 *x;
  bvh_motion *out;
} move_job;

static void take_places(void *context, size_t begin, size_t end) {
  const move_job *job = context;
  for (size_t i = begin; i < end; i++)
    job->out[i] = (bvh_motion){
        {in_range(job->x[i].x), in_range(job->x[i].y), in_range(job->x[i].z), 0, 0, 0, 0, 0}};
}

void crossings_mesh_move(const tasks *t, const vec3 *x, crossings_mesh *mesh) {
  mesh->x = x;
  move_job job = {x, mesh->places};
  tasks_for(t, mesh->vertex_count, GRAIN, take_places, &job);
  bvh_moving_refit(t, mesh->places, &mesh->edge_tree);
  bvh_moving_refit(t, mesh->places, &mesh->triangle_tree);
}

/* ---- an edge and a triangle -------------------------------------------------------------------
 */

typedef struct pair {
  vec3 p, q, c[3];
} pair;

static pair places_of(const crossings_mesh *a, const crossings_mesh *b, crossing c) {
  const int32_t *edge = a->edges + 2 * (size_t)c.edge;
  const int32_t *t = b->triangles + 3 * (size_t)c.triangle;
  return (pair){a->x[edge[0]], a->x[edge[1]], {b->x[t[0]], b->x[t[1]], b->x[t[2]]}};
}

static bool share_vertex(const int32_t *edge, const int32_t *t) {
  return edge[0] == t[0] || edge[0] == t[1] || edge[0] == t[2] || edge[1] == t[0] ||
         edge[1] == t[1] || edge[1] == t[2];
}

/* Of what a sum of products of differences comes to, relative to the products' sizes. */
static const double SLACK = 1e-14;

/* Whether both ends are beyond the triangle along m, by more than roundings. Along whichever m:
 * then nothing crosses, and two sheets side by side need no exact signs. */
static bool is_beyond(const pair *e, vec3 m) {
  vec3 p = vec3_sub(e->p, e->c[0]), q = vec3_sub(e->q, e->c[0]);
  vec3 u = vec3_sub(e->c[1], e->c[0]), w = vec3_sub(e->c[2], e->c[0]);
  double low = 0, high = 0;
  double at[4] = {vec3_dot(u, m), vec3_dot(w, m), vec3_dot(p, m), vec3_dot(q, m)};
  for (int i = 0; i < 2; i++) low = fmin(low, at[i]), high = fmax(high, at[i]);
  double size =
      fmax(fmax(vec3_max_abs(p), vec3_max_abs(q)), fmax(vec3_max_abs(u), vec3_max_abs(w)));
  double error = SLACK * size * vec3_max_abs(m) + DBL_MIN;
  return fmin(at[2], at[3]) > high + error || fmax(at[2], at[3]) < low - error;
}

/* A direction in the plane at right angles to each side, and the plane's own; coordinates differ
 * from their differences by a rounding relative to these, so that SLACK of the sizes holds. */
static bool is_apart(const pair *e) {
  vec3 u = vec3_sub(e->c[1], e->c[0]), w = vec3_sub(e->c[2], e->c[0]);
  vec3 n = vec3_cross(u, w);
  return is_beyond(e, n) || is_beyond(e, vec3_cross(n, u)) || is_beyond(e, vec3_cross(n, w)) ||
         is_beyond(e, vec3_cross(n, vec3_sub(w, u)));
}

static int side_of(exact_point a, exact_point b, exact_point c, exact_point d) {
  const exact_point points[4] = {a, b, c, d};
  return exact_side(points);
}

bool crossings_cross(const crossings_mesh *a, const crossings_mesh *b, crossing c) {
  const int32_t *edge = a->edges + 2 * (size_t)c.edge;
  const int32_t *t = b->triangles + 3 * (size_t)c.triangle;
  if (is_line(t) || (a == b && share_vertex(edge, t))) return false;
  pair e = places_of(a, b, c);
  if (is_apart(&e)) return false;
  exact_point p = {e.p, a->first_number + edge[0]}, q = {e.q, a->first_number + edge[1]}, k[3];
  for (int i = 0; i < 3; i++) k[i] = (exact_point){e.c[i], b->first_number + t[i]};
  if (side_of(k[0], k[1], k[2], p) == side_of(k[0], k[1], k[2], q)) return false;
  int first = side_of(p, q, k[0], k[1]);
  return first == side_of(p, q, k[1], k[2]) && first == side_of(p, q, k[2], k[0]);
}

/* ---- finding ----------------------------------------------------------------------------------
 */

typedef struct search {
  const crossings_mesh *a, *b;
  const int32_t *groups; /* of edges, to be asked about */
  size_t group_count;
  crossing_list *found; /* of each chunk */
  bool *failed;
} search;

typedef struct group_search {
  const search *all;
  one_box edges[EIGHT];
  int32_t edge[EIGHT];
  int count;
  crossing_list *found;
  bool failed;
} group_search;

static void ask_of_place(one_box *box) {
  box->near = box->time = 0;
  box->most = FLT_MAX;
}

static void compare_groups(void *context, int32_t group) {
  group_search *g = context;
  const bvh_moving *tree = &g->all->b->triangle_tree;
  for (int l = 0; l < g->count; l++) {
    unsigned bits = bvh_moving_met(tree, (size_t)group, &g->edges[l]);
    for (; bits; bits &= bits - 1) {
      size_t place = EIGHT * (size_t)group + (size_t)__builtin_ctz(bits);
      if (place >= tree->count) continue;
      crossing c = {g->edge[l], tree->order[place]};
      if (crossings_cross(g->all->a, g->all->b, c) && !ARRAY_PUSH(*g->found, c)) g->failed = true;
    }
  }
}

static void search_chunks(void *context, size_t begin, size_t end) {
  const search *s = context;
  const bvh_moving *tree = &s->a->edge_tree;
  for (size_t chunk = begin; chunk < end; chunk++) {
    group_search g = {.all = s, .found = &s->found[chunk]};
    for (size_t i = CHUNK * chunk; i < CHUNK * (chunk + 1) && i < s->group_count; i++) {
      size_t first = EIGHT * (size_t)s->groups[i];
      g.count = tree->count - first < EIGHT ? (int)(tree->count - first) : EIGHT;
      for (int l = 0; l < g.count; l++) {
        g.edge[l] = tree->order[first + (size_t)l];
        g.edges[l] = bvh_moving_box(tree, 0, first + (size_t)l);
        ask_of_place(&g.edges[l]);
      }
      one_box all = bvh_moving_box(tree, 1, (size_t)s->groups[i]);
      ask_of_place(&all);
      bvh_moving_visit(&s->b->triangle_tree, &all, compare_groups, &g);
    }
    s->failed[chunk] = g.failed;
  }
}

typedef ARRAY(int32_t) number_list;

typedef struct group_list {
  number_list groups;
  bool failed;
} group_list;

static void list_group(void *context, int32_t group) {
  group_list *list = context;
  if (!ARRAY_PUSH(list->groups, group)) list->failed = true;
}

/* The groups of edges of a that may meet anything of b. */
static tribo_status list_groups(const crossings_mesh *a, const crossings_mesh *b, group_list *out,
                                tribo_error *err) {
  *out = (group_list){0};
  if (a->edge_tree.count == 0 || b->triangle_tree.count == 0) return TRIBO_OK;
  const bvh_moving *tree = &b->triangle_tree;
  one_box all = bvh_moving_box(tree, tree->levels - 1, 0);
  const eight_boxes *root = &tree->nodes[tree->first[tree->levels - 1]];
  for (int k = 0; k < 3; k++)
    for (int l = 0; l < EIGHT; l++) {
      all.low[k] = fminf(all.low[k], root->low[k][l]);
      all.high[k] = fmaxf(all.high[k], root->high[k][l]);
    }
  ask_of_place(&all);
  bvh_moving_visit(&a->edge_tree, &all, list_group, out);
  if (!out->failed) return TRIBO_OK;
  ARRAY_FREE(out->groups);
  return status_no_memory(err, "crossings");
}

static tribo_status search_groups(const tasks *t, search *s, crossing_list *out, tribo_error *err) {
  size_t chunks = (s->group_count + CHUNK - 1) / CHUNK;
  s->found = calloc(chunks + 1, sizeof *s->found);
  s->failed = calloc(chunks + 1, sizeof *s->failed);
  bool whole = s->found && s->failed;
  if (whole) tasks_for(t, chunks, 1, search_chunks, s);
  for (size_t c = 0; whole && c < chunks; c++) whole = !s->failed[c];
  for (size_t c = 0; whole && c < chunks; c++)
    for (size_t i = 0; whole && i < s->found[c].count; i++)
      whole = ARRAY_PUSH(*out, s->found[c].data[i]);
  for (size_t c = 0; s->found && c < chunks; c++) ARRAY_FREE(s->found[c]);
  free(s->found);
  free(s->failed);
  return whole ? TRIBO_OK : status_no_memory(err, "crossings");
}

tribo_status crossings_find(const tasks *t, const crossings_mesh *a, const crossings_mesh *b,
                            crossing_list *out, tribo_error *err) {
  group_list list;
  TRY(list_groups(a, b, &list, err));
  search s = {.a = a, .b = b, .groups = list.groups.data, .group_count = list.groups.count};
  tribo_status status = TRIBO_OK;
  if (s.group_count) status = search_groups(t, &s, out, err);
  ARRAY_FREE(list.groups);
  return status;
}

/* ---- what is said of one ----------------------------------------------------------------------
 */

static vec3 normal_of(const pair *e) {
  vec3 u = vec3_sub(e->c[1], e->c[0]), w = vec3_sub(e->c[2], e->c[0]);
  return vec3_normalized(vec3_cross(u, w));
}

vec3 crossings_place(const crossings_mesh *a, const crossings_mesh *b, crossing c) {
  pair e = places_of(a, b, c);
  vec3 n = normal_of(&e);
  double p = vec3_dot(n, vec3_sub(e.p, e.c[0])), q = vec3_dot(n, vec3_sub(e.q, e.c[0]));
  double share = p == q ? 0.5 : fmin(1, fmax(0, p / (p - q)));
  return vec3_madd(e.p, share, vec3_sub(e.q, e.p));
}

static int compare_ends(const void *left, const void *right) {
  const int32_t *a = left, *b = right;
  if (a[0] != b[0]) return a[0] < b[0] ? -1 : 1;
  return (a[1] > b[1]) - (a[1] < b[1]);
}

static const double TURNS_AWAY = 0.8660254037844387; /* the cosine of 30 degrees */

/* Whether the surface goes on behind the side from corner k of the triangle, about as it does here.
 */
static bool goes_on(const crossings_mesh *mesh, const int32_t *t, int k) {
  int32_t from = t[k], to = t[(k + 1) % 3], last = t[(k + 2) % 3];
  int32_t ends[2] = {from < to ? from : to, from < to ? to : from};
  const int32_t *edge = bsearch(ends, mesh->edges, mesh->edge_count, sizeof ends, compare_ends);
  if (!edge) return false;
  const int32_t *two = mesh->opposite + (edge - mesh->edges);
  int32_t beyond = two[0] == last ? two[1] : two[0];
  if (beyond < 0) return false;
  vec3 along = vec3_sub(mesh->x[to], mesh->x[from]);
  vec3 here = vec3_cross(along, vec3_sub(mesh->x[last], mesh->x[from]));
  vec3 there = vec3_cross(vec3_sub(mesh->x[beyond], mesh->x[from]), along);
  return vec3_dot(here, there) > TURNS_AWAY * vec3_norm(here) * vec3_norm(there);
}

double crossings_depth(const crossings_mesh *a, const crossings_mesh *b, crossing c) {
  pair e = places_of(a, b, c);
  const int32_t *t = b->triangles + 3 * (size_t)c.triangle;
  vec3 n = normal_of(&e), through = vec3_sub(e.q, e.p), place = crossings_place(a, b, c);
  double depth =
      fmin(fabs(vec3_dot(n, vec3_sub(e.p, e.c[0]))), fabs(vec3_dot(n, vec3_sub(e.q, e.c[0]))));
  for (int k = 0; k < 3; k++) {
    if (goes_on(b, t, k)) continue;
    vec3 along = vec3_sub(e.c[(k + 1) % 3], e.c[k]), to = vec3_sub(place, e.c[k]);
    vec3 across = vec3_cross(along, through);
    double size = vec3_norm(across);
    if (size > 0) depth = fmin(depth, fabs(vec3_dot(to, across)) / size);
  }
  return depth;
}
