/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "geom/primitive.h"
#include "math/eigen.h"
#include "math/hypotenuse.h"

enum { MOST_STEPS = 50, UNKNOWNS = 7, DIRECTIONS = 48 };

/* Below this part of the largest, an extent or an eigenvalue is none. */
static const double no_extent = 1e-9, no_eigenvalue = 1e-12;
/* Normals within this cosine of each other have one direction: eight degrees, as a box's edges may
 * be rounded, and its sides a little crooked. */
static const double same_direction = 0.99;

/* The vertices that triangles use, about their mean and scaled to a mean square of one: what
 * follows then needs no thought about units. */
typedef struct cloud {
  vec3 *points;
  size_t count;
  vec3 mean;
  double scale;
  vec3 spread;    /* eigenvalues of the covariance, ascending */
  mat3 axes;      /* columns: their directions, right-handed */
  vec3 front;     /* sum of the triangles' area vectors */
  double surface; /* sum of their lengths */
  double volume;  /* enclosed, as seen from the mean; negative when wound inward */
} cloud;

static mat3 right_handed(vec3 x, vec3 z) {
  vec3 y = vec3_normalized(vec3_cross(z, x));
  return mat3_from_columns(vec3_cross(y, z), y, z);
}

static void find_axes(cloud *c) {
  double covariance[9] = {0}, values[3], vectors[9];
  for (size_t i = 0; i < c->count; i++) {
    const double p[3] = {c->points[i].x, c->points[i].y, c->points[i].z};
    for (int k = 0; k < 9; k++) covariance[k] += p[k / 3] * p[k % 3] / (double)c->count;
  }
  eigen_symmetric(3, covariance, values, vectors);
  c->spread = vec3_make(fmax(values[0], 0), fmax(values[1], 0), fmax(values[2], 0));
  vec3 least = vec3_make(vectors[0], vectors[3], vectors[6]);
  vec3 most = vec3_make(vectors[2], vectors[5], vectors[8]);
  c->axes = right_handed(least, most);
}

static void measure_triangles(const vec3 *points, const int32_t *triangles, size_t count,
                              cloud *c) {
  for (size_t i = 0; i < count; i++) {
    vec3 corner[3];
    for (int k = 0; k < 3; k++)
      corner[k] = vec3_scale(1 / c->scale, vec3_sub(points[triangles[3 * i + (size_t)k]], c->mean));
    vec3 area =
        vec3_scale(0.5, vec3_cross(vec3_sub(corner[1], corner[0]), vec3_sub(corner[2], corner[0])));
    c->front = vec3_add(c->front, area);
    c->surface += vec3_norm(area);
    c->volume += vec3_dot(area, corner[0]) / 3;
  }
}

static tribo_status gather(const vec3 *points, size_t point_count, const int32_t *triangles,
                           size_t triangle_count, cloud *c, tribo_error *err) {
  for (size_t i = 0; i < point_count; i++)
    if (!vec3_finite(points[i]))
      return status_fail(err, TRIBO_BAD_INPUT, "vertex %zu is at (%g, %g, %g): not a place", i,
                         points[i].x, points[i].y, points[i].z);
  char *used = calloc(point_count + 1, 1);
  c->points = malloc((point_count + 1) * sizeof *c->points);
  if (!used || !c->points) {
    free(used);
    return status_no_memory(err, "the vertices of a mesh");
  }
  for (size_t i = 0; i < 3 * triangle_count; i++) used[triangles[i]] = 1;
  for (size_t i = 0; i < point_count; i++)
    if (used[i]) c->points[c->count++] = points[i];
  free(used);
  for (size_t i = 0; i < c->count; i++)
    c->mean = vec3_madd(c->mean, 1 / (double)c->count, c->points[i]);
  double largest = 0, sum = 0;
  for (size_t i = 0; i < c->count; i++) {
    c->points[i] = vec3_sub(c->points[i], c->mean);
    largest = fmax(largest, vec3_max_abs(c->points[i]));
  }
  if (!(largest > 0 && isfinite(largest)))
    return status_fail(err, TRIBO_BAD_INPUT,
                       "the mesh has %zu vertices and no extent: nothing can be fitted to it",
                       c->count);
  for (size_t i = 0; i < c->count; i++) sum += vec3_norm2(vec3_scale(1 / largest, c->points[i]));
  c->scale = largest * sqrt(sum / (double)c->count);
  for (size_t i = 0; i < c->count; i++) c->points[i] = vec3_scale(1 / c->scale, c->points[i]);
  find_axes(c);
  measure_triangles(points, triangles, triangle_count, c);
  return TRIBO_OK;
}

/* ------------------------------------------------------------------------------------- plane -- */

static tribo_status fit_plane(const cloud *c, primitive *p, tribo_error *err) {
  if (c->spread.y <= no_eigenvalue * c->spread.z)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "all vertices lie on a line: a plane needs three that do not");
  vec3 normal = mat3_column(&c->axes, 0);
  double facing = vec3_dot(normal, c->front);
  if (fabs(facing) <= 1e-6 * c->surface)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "the triangles face both ways, so that a plane would have no front: give an "
                       "open mesh, wound one way");
  if (facing < 0) normal = vec3_scale(-1, normal);
  p->axes = right_handed(mat3_column(&c->axes, 2), normal);
  return TRIBO_OK;
}

/* ------------------------------------------------------------------------ sphere and capsule -- */

/* Solves a symmetric system in place of b, leaving out directions that it says nothing about.
 * Returns how many it does say something about. */
static int solve_small(int n, const double *matrix, double *b) {
  double a[UNKNOWNS * UNKNOWNS], values[UNKNOWNS], vectors[UNKNOWNS * UNKNOWNS];
  double x[UNKNOWNS] = {0};
  int rank = 0;
  memcpy(a, matrix, (size_t)(n * n) * sizeof *a);
  eigen_symmetric(n, a, values, vectors);
  for (int k = 0; k < n; k++) {
    if (!(values[k] > no_eigenvalue * values[n - 1])) continue;
    double along = 0;
    for (int i = 0; i < n; i++) along += vectors[i * n + k] * b[i];
    for (int i = 0; i < n; i++) x[i] += along / values[k] * vectors[i * n + k];
    rank++;
  }
  memcpy(b, x, (size_t)n * sizeof *b);
  return rank;
}

/* |x|^2 = 2 x . centre + (radius^2 - |centre|^2) in the mean: linear in four unknowns. */
static tribo_status guess_sphere(const cloud *c, primitive *p, tribo_error *err) {
  double matrix[16] = {0}, b[4] = {0};
  for (size_t i = 0; i < c->count; i++) {
    vec3 x = c->points[i];
    const double row[4] = {2 * x.x, 2 * x.y, 2 * x.z, 1};
    for (int k = 0; k < 16; k++) matrix[k] += row[k / 4] * row[k % 4];
    for (int k = 0; k < 4; k++) b[k] += row[k] * vec3_norm2(x);
  }
  if (c->count < 4 || c->spread.x <= no_eigenvalue * c->spread.z || solve_small(4, matrix, b) < 4)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "the %zu vertices lie in a plane, or are fewer than four: many spheres go "
                       "through them",
                       c->count);
  p->centre = vec3_from(b);
  p->radius = sqrt(fmax(b[3] + vec3_norm2(p->centre), 0));
  return TRIBO_OK;
}

/* Along the principal axis: the radius of the farthest vertex, and ends that reach the outermost.
 */
static tribo_status guess_capsule(const cloud *c, primitive *p, tribo_error *err) {
  if (c->count < 5 || c->spread.y <= no_eigenvalue * c->spread.z)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "the %zu vertices lie on a line, or are fewer than five: a capsule needs "
                       "some around its axis",
                       c->count);
  p->axes = c->axes;
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < c->count; i++) {
    vec3 x = mat3_tmul_vec3(&c->axes, c->points[i]);
    low = fmin(low, x.z);
    high = fmax(high, x.z);
    p->radius = fmax(p->radius, hypotenuse(x.x, x.y));
  }
  p->half.z = fmax((high - low) / 2 - p->radius, 0);
  p->centre = mat3_mul_vec3(&c->axes, vec3_make(0, 0, (low + high) / 2));
  return TRIBO_OK;
}

static double sum_of_squares(const cloud *c, const primitive *p) {
  double sum = 0;
  for (size_t i = 0; i < c->count; i++) {
    double distance = primitive_distance(p, c->points[i]).distance;
    sum += distance * distance;
  }
  return sum;
}

/* How the distance of x changes with the centre (in the frame), the radius, the length and the
 * tilt of the axis about x and y. A sphere has the first four. */
static void derivatives(const primitive *p, vec3 x, double row[UNKNOWNS]) {
  vec3 local = mat3_tmul_vec3(&p->axes, vec3_sub(x, p->centre));
  vec3 normal = primitive_distance(p, x).normal, n = mat3_tmul_vec3(&p->axes, normal);
  double core = fmin(fmax(local.z, -p->half.z), p->half.z);
  row[0] = -n.x;
  row[1] = -n.y;
  row[2] = -n.z;
  row[3] = -1;
  row[4] = local.z > p->half.z ? -n.z : local.z < -p->half.z ? n.z : 0;
  row[5] = n.y * core; /* turning about x moves the core point by (0, -core, 0) */
  row[6] = -n.x * core;
}

static primitive moved(const primitive *p, int unknowns, const double *step) {
  primitive q = *p;
  q.centre = vec3_add(p->centre, mat3_mul_vec3(&p->axes, vec3_from(step)));
  q.radius = fmax(p->radius + step[3], 0);
  if (unknowns == 4) return q;
  q.half.z = fmax(p->half.z + step[4], 0);
  vec3 z = mat3_mul_vec3(&p->axes, vec3_normalized(vec3_make(step[6], -step[5], 1)));
  q.axes = right_handed(mat3_column(&p->axes, 0), z);
  return q;
}

/* Gauss-Newton on the distances, with Levenberg's damping where a step would make them worse. */
static void refine(const cloud *c, int unknowns, primitive *p) {
  double sum = sum_of_squares(c, p), damping = 0;
  for (int step = 0; step < MOST_STEPS; step++) {
    double matrix[UNKNOWNS * UNKNOWNS] = {0}, b[UNKNOWNS] = {0};
    for (size_t i = 0; i < c->count; i++) {
      double row[UNKNOWNS], distance = primitive_distance(p, c->points[i]).distance;
      derivatives(p, c->points[i], row);
      for (int k = 0; k < unknowns * unknowns; k++)
        matrix[k] += row[k / unknowns] * row[k % unknowns];
      for (int k = 0; k < unknowns; k++) b[k] -= row[k] * distance;
    }
    for (int k = 0; k < unknowns; k++) matrix[k * unknowns + k] += damping * (double)c->count;
    solve_small(unknowns, matrix, b);
    primitive next = moved(p, unknowns, b);
    double next_sum = sum_of_squares(c, &next);
    if (next_sum < sum) {
      bool settled = sum - next_sum <= 1e-14 * sum;
      *p = next;
      sum = next_sum;
      damping /= 8;
      if (settled) return;
    } else if (damping < 1e3) {
      damping = fmax(8 * damping, 1e-6);
    } else {
      return;
    }
  }
}

/* --------------------------------------------------------------------------------------- box -- */

/* Directions that triangles face, either way, with the area that does. */
typedef struct direction {
  vec3 sum; /* of area vectors, turned to one side */
  double area;
} direction;

static size_t find_directions(const cloud *c, const vec3 *points, const int32_t *triangles,
                              size_t count, direction *found) {
  size_t used = 0;
  for (size_t i = 0; i < count; i++) {
    vec3 a = points[triangles[3 * i]], b = points[triangles[3 * i + 1]];
    vec3 normal = vec3_cross(vec3_scale(1 / c->scale, vec3_sub(b, a)),
                             vec3_scale(1 / c->scale, vec3_sub(points[triangles[3 * i + 2]], a)));
    double area = vec3_norm(normal);
    if (!(area > 0)) continue;
    size_t k = 0;
    double side = 0;
    for (; k < used; k++) {
      side = vec3_dot(vec3_normalized(found[k].sum), normal);
      if (fabs(side) > same_direction * area) break;
    }
    if (k == used && used == DIRECTIONS) continue;
    if (k == used) found[used++] = (direction){{0, 0, 0}, 0};
    found[k].sum = vec3_madd(found[k].sum, side < 0 && found[k].area > 0 ? -1 : 1, normal);
    found[k].area += area;
  }
  return used;
}

/* The direction with the most area among those across `axis` (all, when it is zero). */
static vec3 strongest(const direction *found, size_t count, vec3 axis) {
  const direction *best = NULL;
  for (size_t k = 0; k < count; k++) {
    double along = vec3_dot(vec3_normalized(found[k].sum), axis);
    if (fabs(along) < 0.1 && (!best || found[k].area > best->area)) best = &found[k];
  }
  return best ? vec3_normalized(best->sum) : vec3_make(0, 0, 0);
}

static tribo_status fit_box(const cloud *c, const vec3 *points, const int32_t *triangles,
                            size_t triangle_count, primitive *p, tribo_error *err) {
  direction *found = calloc(DIRECTIONS, sizeof *found);
  if (!found) return status_no_memory(err, "the sides of a box");
  size_t count = find_directions(c, points, triangles, triangle_count, found);
  vec3 z = strongest(found, count, vec3_make(0, 0, 0)), x = strongest(found, count, z);
  free(found);
  if (vec3_norm2(z) > 0 && vec3_norm2(x) > 0)
    p->axes = right_handed(x, z);
  else
    p->axes = c->axes;
  vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
  for (size_t i = 0; i < c->count; i++) {
    vec3 q = mat3_tmul_vec3(&p->axes, c->points[i]);
    low = vec3_make(fmin(low.x, q.x), fmin(low.y, q.y), fmin(low.z, q.z));
    high = vec3_make(fmax(high.x, q.x), fmax(high.y, q.y), fmax(high.z, q.z));
  }
  p->half = vec3_scale(0.5, vec3_sub(high, low));
  p->centre = mat3_mul_vec3(&p->axes, vec3_scale(0.5, vec3_add(low, high)));
  if (fmin(p->half.x, fmin(p->half.y, p->half.z)) <= no_extent * vec3_max_abs(p->half))
    return status_fail(err, TRIBO_BAD_INPUT,
                       "the mesh is flat: a box has three extents (a plane may be what is meant)");
  return TRIBO_OK;
}

/* ----------------------------------------------------------------------------------- the fit -- */

static tribo_status fit(const cloud *c, const vec3 *points, const int32_t *triangles,
                        size_t triangle_count, primitive *p, tribo_error *err) {
  switch (p->kind) {
    case PRIMITIVE_PLANE: return fit_plane(c, p, err);
    case PRIMITIVE_SPHERE:
      TRY(guess_sphere(c, p, err));
      refine(c, 4, p);
      break;
    case PRIMITIVE_CAPSULE:
      TRY(guess_capsule(c, p, err));
      refine(c, UNKNOWNS, p);
      break;
    case PRIMITIVE_BOX: TRY(fit_box(c, points, triangles, triangle_count, p, err)); break;
  }
  p->hollow = c->volume < 0;
  return TRIBO_OK;
}

tribo_status primitive_fit(primitive_kind kind, const vec3 *points, size_t point_count,
                           const int32_t *triangles, size_t triangle_count, primitive *out,
                           double *worst, tribo_error *err) {
  cloud c = {.scale = 1};
  primitive p = {.kind = kind, .axes = mat3_identity()};
  tribo_status status = gather(points, point_count, triangles, triangle_count, &c, err);
  if (status == TRIBO_OK) status = fit(&c, points, triangles, triangle_count, &p, err);
  if (status == TRIBO_OK) {
    p.centre = vec3_madd(c.mean, c.scale, p.centre);
    p.radius *= c.scale;
    p.half = vec3_scale(c.scale, p.half);
    *worst = 0;
    for (size_t i = 0; i < 3 * triangle_count; i++)
      *worst = fmax(*worst, fabs(primitive_distance(&p, points[triangles[i]]).distance));
    *out = p;
  }
  free(c.points);
  return status;
}
