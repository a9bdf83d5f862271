/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/faults.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "geom/orient.h"
#include "geom/places.h"
#include "geom/winding.h"

/* Of the mean side of the triangles: vertices closer than this lie in one place. */
static const double JOIN = 1e-4;

/* Of the root of a triangle's area: how far off it a point counts as just outside of its part. */
static const double OFF = 1e-3;

typedef struct surface_work {
  arena memory;
  const vec3 *positions;
  const int32_t *triangles; /* of the caller's vertices */
  size_t vertex_count, count;
  int32_t *place;  /* of a vertex */
  int32_t *weld;   /* of a vertex: the least one that seams join it with */
  int32_t *joined; /* the triangles again, of such vertices */
} surface_work;

/* ---- places ---------------------------------------------------------------------------------- */

static double mean_side(const vec3 *p, const int32_t *t, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < 3 * count; i++)
    sum += vec3_norm(vec3_sub(p[t[i]], p[t[i % 3 == 2 ? i - 2 : i + 1]]));
  return count ? sum / (3 * (double)count) : 0;
}

/* Rounds to a grid: what is equal stays so, what is close mostly becomes equal. */
static tribo_status find_places(surface_work *w, double distance, tribo_error *err) {
  vec3 *rounded = ARENA_ARRAY(&w->memory, vec3, w->vertex_count);
  w->place = ARENA_ARRAY(&w->memory, int32_t, w->vertex_count);
  if (!rounded || !w->place) return status_no_memory(err, "the places of a mesh");
  for (size_t i = 0; i < w->vertex_count; i++) {
    vec3 p = w->positions[i];
    rounded[i] = distance > 0 ? vec3_make(round(p.x / distance), round(p.y / distance),
                                          round(p.z / distance))
                              : p;
  }
  size_t places;
  return places_number(rounded, w->vertex_count, w->place, &places, err);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static int32_t root_of(int32_t *parent, int32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/* The lower number becomes the root. */
static void unite(int32_t *parent, int32_t a, int32_t b) {
  a = root_of(parent, a);
  b = root_of(parent, b);
  if (a < b) parent[b] = a;
  if (b < a) parent[a] = b;
}

static void make_alone(int32_t *parent, size_t count) {
  for (size_t i = 0; i < count; i++) parent[i] = (int32_t)i;
}

/* Unites the corners of every triangle: parent then leads to the least vertex of each piece.
 * Returns how many pieces have a triangle, 0 without memory. */
static size_t join_pieces(const int32_t *triangles, size_t count, int32_t *parent, size_t points) {
  make_alone(parent, points);
  size_t pieces = 0;
  for (size_t s = 0; s < 3 * count; s++) unite(parent, triangles[s - s % 3], triangles[s]);
  bool *counted = calloc(points + 1, sizeof *counted);
  if (!counted) return 0;
  for (size_t t = 0; t < count; t++) {
    int32_t root = root_of(parent, triangles[3 * t]);
    pieces += !counted[root];
    counted[root] = true;
  }
  free(counted);
  return pieces;
}

static tribo_status count_pieces(surface_work *w, mesh_faults *out, tribo_error *err) {
  int32_t *parent = ARENA_ARRAY(&w->memory, int32_t, w->vertex_count);
  if (!parent) return status_no_memory(err, "the pieces of a mesh");
  out->pieces = join_pieces(w->triangles, w->count, parent, w->vertex_count);
  out->joined = join_pieces(w->joined, w->count, parent, w->vertex_count);
  return w->count && (!out->pieces || !out->joined) ? status_no_memory(err, "the pieces of a mesh")
                                                    : TRIBO_OK;
}

/* ---- sides ----------------------------------------------------------------------------------- */

typedef struct side {
  int32_t low, high; /* what it is sorted by: two vertices, or two places */
  uint32_t number;   /* 3 triangle + corner */
  bool forward;      /* the triangle runs from low to high */
} side;

static int compare_sides(const void *left, const void *right) {
  const side *a = left, *b = right;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return (a->number > b->number) - (a->number < b->number);
}

static size_t next_of(size_t corner) { return corner % 3 == 2 ? corner - 2 : corner + 1; }

static void list_sides(const int32_t *triangles, size_t count, side *sides) {
  for (size_t s = 0; s < 3 * count; s++) {
    int32_t a = triangles[s], b = triangles[next_of(s)];
    sides[s] = (side){a < b ? a : b, a < b ? b : a, (uint32_t)s, a < b};
  }
  qsort(sides, 3 * count, sizeof *sides, compare_sides);
}

/* Behind the last side between the points of the first. */
static size_t end_of(const side *sides, size_t first, size_t count) {
  size_t end = first + 1;
  while (end < count && sides[end].low == sides[first].low && sides[end].high == sides[first].high)
    end++;
  return end;
}

/* Joins the ends of two open edges in one place, and remembers two vertices that it joined. */
static void join_ends(surface_work *w, size_t first, size_t second, mesh_faults *out) {
  const int32_t *t = w->triangles;
  for (int k = 0; k < 2; k++) {
    int32_t a = t[k ? next_of(first) : first], b = t[second], c = t[next_of(second)];
    if (w->place[b] != w->place[a]) b = c;
    if (a != b && out->seam[0] == out->seam[1])
      out->seam[0] = a < b ? a : b, out->seam[1] = a < b ? b : a;
    unite(w->weld, a, b);
  }
}

/* Open edges by the places of their ends: the second and every further one in a place is a seam. */
static tribo_status find_seams(surface_work *w, side *sides, mesh_faults *out, tribo_error *err) {
  w->weld = ARENA_ARRAY(&w->memory, int32_t, w->vertex_count);
  w->joined = ARENA_ARRAY(&w->memory, int32_t, 3 * w->count);
  if (!w->weld || !w->joined) return status_no_memory(err, "the seams of a mesh");
  make_alone(w->weld, w->vertex_count);
  list_sides(w->triangles, w->count, sides);
  size_t open = 0;
  for (size_t s = 0, end; s < 3 * w->count; s = end) {
    end = end_of(sides, s, 3 * w->count);
    int32_t a = w->place[sides[s].low], b = w->place[sides[s].high];
    if (end == s + 1 && a != b)
      sides[open++] = (side){a < b ? a : b, a < b ? b : a, sides[s].number, false};
  }
  qsort(sides, open, sizeof *sides, compare_sides);
  for (size_t s = 0, end; s < open; s = end) {
    end = end_of(sides, s, open);
    for (size_t k = s + 1; k < end; k++) join_ends(w, sides[s].number, sides[k].number, out);
    out->seams += end - s - 1;
  }
  for (size_t i = 0; i < 3 * w->count; i++) w->joined[i] = root_of(w->weld, w->triangles[i]);
  return TRIBO_OK;
}

/* ---- winding --------------------------------------------------------------------------------- */

static tribo_status find_turned(surface_work *w, side *sides, mesh_faults *out, tribo_error *err) {
  int32_t *agreed;
  size_t turned;
  TRY(orient_surface(w->positions, w->joined, w->count, &w->memory, &agreed, &turned, err));
  if (turned == 0) return TRIBO_OK;
  list_sides(agreed, w->count, sides);
  for (size_t s = 0, end; s < 3 * w->count; s = end) {
    end = end_of(sides, s, 3 * w->count);
    if (end == s + 2 && sides[s].forward == sides[s + 1].forward) return TRIBO_OK; /* one side */
  }
  out->turned = turned;
  while (memcmp(agreed + 3 * out->first_turned, w->joined + 3 * out->first_turned,
                3 * sizeof *agreed) == 0)
    out->first_turned++;
  return TRIBO_OK;
}

/* A part that is connected, seams joined. */
typedef struct closed_part {
  double volume; /* signed */
  bool open;
  size_t triangle; /* the largest */
  double area;     /* of it, times two */
} closed_part;

static vec3 corner(const surface_work *w, size_t triangle, size_t k) {
  return w->positions[w->joined[3 * triangle + k]];
}

static vec3 normal_of(const surface_work *w, size_t t) {
  vec3 a = corner(w, t, 0);
  return vec3_cross(vec3_sub(corner(w, t, 1), a), vec3_sub(corner(w, t, 2), a));
}

static void measure_parts(surface_work *w, const side *sides, int32_t *parent, closed_part *parts) {
  for (size_t t = 0; t < w->count; t++) {
    int32_t root = root_of(parent, w->joined[3 * t]);
    closed_part *part = &parts[root];
    vec3 n = normal_of(w, t);
    double area = vec3_norm(n);
    part->volume += vec3_dot(n, vec3_sub(corner(w, t, 0), w->positions[root])) / 6;
    if (area > part->area) part->area = area, part->triangle = t;
  }
  for (size_t s = 0, end; s < 3 * w->count; s = end) {
    end = end_of(sides, s, 3 * w->count);
    bool closes = end == s + 2 && sides[s].forward != sides[s + 1].forward;
    if (!closes && sides[s].low != sides[s].high) parts[root_of(parent, sides[s].low)].open = true;
  }
}

/* Whether the surface as a whole winds around a point just behind the largest triangle: behind what
 * is wound inward is outside of it. */
static bool is_cavity(const surface_work *w, const winding *around, const closed_part *part) {
  vec3 n = normal_of(w, part->triangle), centre = {0, 0, 0};
  for (size_t k = 0; k < 3; k++) centre = vec3_madd(centre, 1.0 / 3, corner(w, part->triangle, k));
  vec3 outside = vec3_madd(centre, -OFF / sqrt(part->area), n);
  return winding_number(around, outside) > 0.5;
}

static tribo_status find_inside_out(surface_work *w, side *sides, mesh_faults *out,
                                    tribo_error *err) {
  int32_t *parent = ARENA_ARRAY(&w->memory, int32_t, w->vertex_count);
  closed_part *parts = ARENA_ARRAY(&w->memory, closed_part, w->vertex_count);
  if (!parent || !parts) return status_no_memory(err, "the parts of a mesh");
  join_pieces(w->joined, w->count, parent, w->vertex_count);
  list_sides(w->joined, w->count, sides);
  measure_parts(w, sides, parent, parts);
  winding around = {0};
  size_t first = w->count;
  for (size_t i = 0; i < w->vertex_count; i++) {
    const closed_part *part = &parts[i];
    if (part->open || !(part->volume < 0)) continue;
    if (!around.nodes)
      TRY(winding_build(w->positions, w->joined, w->count, &w->memory, &around, err));
    if (is_cavity(w, &around, part)) continue;
    out->inside_out++;
    if (part->triangle < first) first = part->triangle;
  }
  out->first_inside_out = out->inside_out ? first : 0;
  return TRIBO_OK;
}

tribo_status mesh_faults_find(const vec3 *positions, size_t vertex_count, const int32_t *triangles,
                              size_t count, mesh_faults *out, tribo_error *err) {
  surface_work w = {
      .positions = positions, .triangles = triangles, .vertex_count = vertex_count, .count = count};
  *out = (mesh_faults){.join_distance = JOIN * mean_side(positions, triangles, count)};
  tribo_status status = find_places(&w, out->join_distance, err);
  side *sides = ARENA_ARRAY(&w.memory, side, 3 * count);
  if (status == TRIBO_OK && !sides) status = status_no_memory(err, "the sides of a mesh");
  if (status == TRIBO_OK) status = find_seams(&w, sides, out, err);
  if (status == TRIBO_OK) status = count_pieces(&w, out, err);
  if (status == TRIBO_OK) status = find_turned(&w, sides, out, err);
  if (status == TRIBO_OK && out->turned == 0) status = find_inside_out(&w, sides, out, err);
  arena_free(&w.memory);
  return status;
}
