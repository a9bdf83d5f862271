/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/smooth.h"

#include <stdlib.h>
#include <string.h>

#include "geom/bvh.h"
#include "geom/ccd.h"
#include "geom/mesh_distance.h"
#include "geom/orient.h"
#include "geom/refine.h"
#include "mls/mls_tree.h"

/* ---- making it --------------------------------------------------------------------------------
 */

tribo_status smooth_make(const char *name, const tribo_surface_params *params,
                         const int32_t *triangles, size_t count, const vec3 *vertices,
                         const tasks *t, arena *memory, mls_surface *out, kdtree *tree,
                         tribo_error *err) {
  arena scratch = {0};
  mls_kernel kernel = params->kernel == TRIBO_KERNEL_INTERPOLATING ? MLS_SMOOTH : MLS_CUBIC;
  tribo_status status =
      mls_from_triangles(kernel, params->epsilon, triangles, count, vertices, memory, out, err);
  if (status == TRIBO_OK && params->radius > 0) {
    status = mls_set_radius(params->radius, out, err);
  } else if (status == TRIBO_OK) {
    double *spacing = ARENA_ARRAY(&scratch, double, count);
    if (spacing) mls_spacing_of_mesh(out, spacing);
    status = spacing ? mls_set_radii(spacing, MLS_SCALE, out, err) : status_no_memory(err, name);
  }
  if (status == TRIBO_OK) {
    mls_update(t, vertices, out);
    status = mls_tree_build(t, out, &scratch, tree, err);
  }
  arena_free(&scratch);
  return status;
}

/* ---- how far it strays ------------------------------------------------------------------------
 */

/* Of the local size, and of the spacing: as far as surface/path.c counts on. */
static const double OF_SIZE = 0.05, OF_SPACING = 0.25;

/* Triangles that are looked at, at most, and those at a time. */
enum { MOST = 1024, SOME = 16 };

/* And samples that are looked up for them: where each sees half of the mesh, few triangles tell. */
enum { MOST_SEEN = 10000000 };

/* Places on a triangle, and how far off it they are moved: in parts of what is allowed, of the
 * sample's radius outwards, and inwards of the smaller of that and the local size. */
enum { ON = 13, OFF_AT = 4, OUT = 4, IN = 3, PLACES = ON + OFF_AT * (OUT + IN) };
static const double JUST_OFF = 1.5, OUTWARDS[OUT - 1] = {0.2, 0.45, 0.9},
                    INWARDS[IN - 1] = {0.2, 0.45};

static const double ON_AT[ON][3] = {{1.0 / 3, 1.0 / 3, 1.0 / 3},
                                    {1, 0, 0},
                                    {0, 1, 0},
                                    {0, 0, 1},
                                    {0.5, 0.5, 0},
                                    {0, 0.5, 0.5},
                                    {0.5, 0, 0.5},
                                    {0.75, 0.25, 0},
                                    {0.25, 0.75, 0},
                                    {0, 0.75, 0.25},
                                    {0, 0.25, 0.75},
                                    {0.25, 0, 0.75},
                                    {0.75, 0, 0.25}};

typedef struct look {
  mls_surface surface;
  kdtree tree;
  mesh_distance mesh;
  bvh boxes;
  const vec3 *vertices;
  const int32_t *triangles;
  size_t count;
  bool closed;
  double size, spacing; /* of the mesh's box; mean length of sides */
  double thickness;     /* of the surface; 0: none */
  size_t seen;          /* samples looked up */
  smooth_stray *worst;
} look;

static void corners_of(const look *l, size_t t, vec3 c[3]) {
  for (size_t k = 0; k < 3; k++) c[k] = l->vertices[l->triangles[3 * t + k]];
}

static void measure_mesh(look *l) {
  vec3 low = {INFINITY, INFINITY, INFINITY}, high = vec3_scale(-1, low);
  double sum = 0;
  for (size_t t = 0; t < l->count; t++) {
    vec3 c[3];
    corners_of(l, t, c);
    for (int k = 0; k < 3; k++) {
      low = vec3_make(fmin(low.x, c[k].x), fmin(low.y, c[k].y), fmin(low.z, c[k].z));
      high = vec3_make(fmax(high.x, c[k].x), fmax(high.y, c[k].y), fmax(high.z, c[k].z));
      sum += vec3_norm(vec3_sub(c[(k + 1) % 3], c[k]));
    }
  }
  l->size = l->count ? vec3_norm(vec3_sub(high, low)) : 0;
  l->spacing = l->count ? sum / (3 * (double)l->count) : 0;
}

/* From the middle of a triangle inwards, to where the mesh ends. */
static double thickness_at(const look *l, vec3 middle, vec3 normal) {
  if (!l->closed) return INFINITY;
  ccd_mesh mesh = {l->vertices, l->vertices, l->triangles, &l->boxes};
  double start = 1e-6 * l->spacing;
  vec3 from = vec3_madd(middle, -start, normal), to = vec3_madd(middle, -l->size, normal);
  ccd_mesh_hit hit = ccd_mesh_first(&mesh, from, to, 0);
  return hit.outcome == CCD_FREE ? INFINITY : start + hit.time * (l->size - start);
}

/* Where a triangle is asked; returns how much is allowed. */
static double choose_places(const look *l, size_t t, vec3 places[PLACES]) {
  vec3 c[3], normal = l->surface.samples[t].normal, middle = l->surface.samples[t].point;
  corners_of(l, t, c);
  for (int i = 0; i < ON; i++) {
    places[i] = vec3_make(0, 0, 0);
    for (int k = 0; k < 3; k++) places[i] = vec3_madd(places[i], ON_AT[i][k], c[k]);
  }
  double local = thickness_at(l, middle, normal), radius = l->surface.samples[t].radius;
  double allowed = fmin(OF_SIZE * local, OF_SPACING * l->spacing);
  if (l->thickness > 0) allowed = fmin(allowed, l->thickness);
  double within = fmin(radius, local);
  for (int i = 0; i < OFF_AT; i++) {
    vec3 *at = places + ON + i * (OUT + IN);
    at[0] = vec3_madd(places[i], JUST_OFF * allowed, normal);
    for (int k = 1; k < OUT; k++) at[k] = vec3_madd(places[i], OUTWARDS[k - 1] * radius, normal);
    at[OUT] = vec3_madd(places[i], -JUST_OFF * allowed, normal);
    for (int k = 1; k < IN; k++)
      at[OUT + k] = vec3_madd(places[i], -INWARDS[k - 1] * within, normal);
  }
  return allowed;
}

/* What contact would be told at a place, against how far it is from the mesh. */
static double strays_by(const look *l, const mls_value *at, vec3 place, bool on) {
  double slope = vec3_norm(at->gradient);
  bool there = at->active > 0 && slope > 0;
  if (on) return there ? fabs(at->value) / slope : INFINITY;
  mesh_foot foot;
  if (!there || !mesh_distance_query(&l->mesh, place, INFINITY, &foot)) return 0;
  if (foot.rim && !l->closed) return 0;
  return (at->value < 0) == (foot.distance < 0) ? 0 : fabs(foot.distance);
}

static tribo_status look_at(look *l, const int32_t *chosen, size_t count, arena *scratch,
                            tribo_error *err) {
  tasks one = {.threads = 1};
  size_t all = PLACES * count;
  vec3 *places = ARENA_ARRAY(scratch, vec3, all);
  mls_value *values = ARENA_ARRAY(scratch, mls_value, all);
  double *allowed = ARENA_ARRAY(scratch, double, count);
  if (!places || !values || !allowed) return status_no_memory(err, "a smooth surface");
  for (size_t i = 0; i < count; i++)
    allowed[i] = choose_places(l, (size_t)chosen[i], places + PLACES * i);
  mls_search search = mls_tree_search(&l->tree);
  mls_lists lists;
  TRY(search.find(search.context, &one, places, all, l->surface.reach, scratch, &lists, err));
  l->seen += lists.start[all];
  mls_evaluate_batch(&one, &l->surface, places, all, &lists, MLS_GRADIENT, values);
  for (size_t k = 0; k < all; k++) {
    double by = strays_by(l, &values[k], places[k], k % PLACES < ON);
    double share = by / allowed[k / PLACES];
    if (!(share > l->worst->share)) continue;
    *l->worst = (smooth_stray){share, by, places[k]};
  }
  return TRIBO_OK;
}

typedef struct candidate {
  double radius;
  int32_t triangle;
} candidate;

static int by_radius(const void *a, const void *b) {
  const candidate *p = a, *q = b;
  if (p->radius != q->radius) return p->radius > q->radius ? -1 : 1;
  return (p->triangle > q->triangle) - (p->triangle < q->triangle);
}

/* Of a large mesh: half of them those that reach farthest, the rest evenly among the others. */
static size_t choose_triangles(const look *l, arena *scratch, int32_t *chosen) {
  candidate *all = ARENA_ARRAY(scratch, candidate, l->count);
  if (!all) return 0;
  size_t count = 0, found = 0;
  for (size_t t = 0; t < l->count; t++)
    if (l->surface.samples[t].radius > 0)
      all[count++] = (candidate){l->surface.samples[t].radius, (int32_t)t};
  qsort(all, count, sizeof *all, by_radius);
  size_t first = count <= MOST ? count : MOST / 2;
  for (size_t i = 0; i < first; i++) chosen[found++] = all[i].triangle;
  for (size_t i = 0; i < MOST / 2 && first < count; i++)
    chosen[found++] = all[first + i * (count - first) / (MOST / 2)].triangle;
  return found;
}

static tribo_status make_mesh(look *l, const vec3 *vertices, size_t vertex_count, arena *memory,
                              tribo_error *err) {
  tasks one = {.threads = 1};
  bvh_box *boxes = ARENA_ARRAY(memory, bvh_box, l->count);
  if (!boxes) return status_no_memory(err, "a smooth surface");
  bvh_triangle_boxes(&one, vertices, vertices, l->triangles, l->count, 0, boxes);
  TRY(bvh_build(boxes, l->count, memory, &l->boxes, err));
  return mesh_distance_build(&one, vertices, vertex_count, l->triangles, l->count, memory, &l->mesh,
                             err);
}

static tribo_status measure(look *l, const tribo_surface_params *params, const refined *fine,
                            bool soon, arena *memory, tribo_error *err) {
  tasks one = {.threads = 1};
  l->vertices = fine->vertices;
  l->triangles = fine->triangles;
  l->count = fine->triangle_count;
  measure_mesh(l);
  TRY(smooth_make("a smooth surface", params, l->triangles, l->count, l->vertices, &one, memory,
                  &l->surface, &l->tree, err));
  TRY(make_mesh(l, fine->vertices, fine->vertex_count, memory, err));
  int32_t *chosen = ARENA_ARRAY(memory, int32_t, MOST);
  if (!chosen) return status_no_memory(err, "a smooth surface");
  size_t count = choose_triangles(l, memory, chosen);
  arena scratch = {0};
  tribo_status status = TRIBO_OK;
  for (size_t i = 0; i < count && status == TRIBO_OK; i += SOME) {
    arena_reset(&scratch);
    status = look_at(l, chosen + i, count - i < SOME ? count - i : SOME, &scratch, err);
    if ((soon && l->worst->share > 1) || l->seen > MOST_SEEN) break;
  }
  arena_free(&scratch);
  return status;
}

tribo_status smooth_measure(const tribo_surface_params *params, const int32_t *triangles,
                            size_t count, const vec3 *vertices, size_t vertex_count, bool closed,
                            bool soon, smooth_stray *out, tribo_error *err) {
  *out = (smooth_stray){0};
  arena memory = {0};
  look l = {.closed = closed, .thickness = params->thickness, .worst = out};
  const int32_t *wound = triangles;
  int32_t *alike;
  size_t turned;
  tribo_status status = TRIBO_OK;
  if (!closed) {
    status = orient_surface(vertices, triangles, count, &memory, &alike, &turned, err);
    if (status == TRIBO_OK) wound = alike;
  }
  refined fine = {0};
  tribo_error too_fine = {0};
  if (status == TRIBO_OK && refine_mesh("it", vertices, vertex_count, wound, count, params->spacing,
                                        &memory, &fine, &too_fine) == TRIBO_OK)
    status = measure(&l, params, &fine, soon, &memory, err);
  kdtree_free(&l.tree);
  arena_free(&memory);
  return status;
}
