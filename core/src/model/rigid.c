/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/rigid.h"

#include "geom/holes.h"
#include "math/eigen.h"

static const double PI = 3.14159265358979323846;

/* ---- mass -------------------------------------------------------------------------------------
 */

static tribo_status check_closed(const char *name, topology_fault fault, tribo_error *err) {
  switch (fault.kind) {
    case TOPOLOGY_CLOSED: return TRIBO_OK;
    case TOPOLOGY_OPEN:
      return status_fail(err, TRIBO_BAD_INPUT,
                         "object '%s': the mesh is open: the edge between vertices %d and %d "
                         "belongs to triangle %zu alone; a rigid body needs a closed surface, fill "
                         "its holes",
                         name, (int)fault.edge[0], (int)fault.edge[1], fault.triangle);
    case TOPOLOGY_CROWDED:
      return status_fail(err, TRIBO_BAD_INPUT,
                         "object '%s': the edge between vertices %d and %d belongs to %zu "
                         "triangles, triangle %zu among them; a rigid body needs a closed surface "
                         "with two at every edge, remove inner faces",
                         name, (int)fault.edge[0], (int)fault.edge[1], fault.count, fault.triangle);
    case TOPOLOGY_TWISTED:
      return status_fail(err, TRIBO_BAD_INPUT,
                         "object '%s': triangles %zu and %zu are wound against each other at the "
                         "edge between vertices %d and %d; recalculate the normals to point "
                         "outside",
                         name, fault.triangle, fault.other, (int)fault.edge[0], (int)fault.edge[1]);
  }
  return TRIBO_OK;
}

static vec3 at(const double *positions, int32_t vertex, vec3 origin) {
  return vec3_sub(vec3_from(positions + 3 * (size_t)vertex), origin);
}

/* Integrals of 1, x and x x^T over the inside, seen from `origin`: sums over the tets that the
 * origin makes with each triangle, signed. */
typedef struct moments {
  double volume;
  vec3 first;
  mat3 second;
} moments;

static moments integrate(const double *positions, const int32_t *triangles, size_t count,
                         vec3 origin) {
  moments sum = {0};
  for (size_t t = 0; t < count; t++) {
    vec3 a = at(positions, triangles[3 * t], origin);
    vec3 b = at(positions, triangles[3 * t + 1], origin);
    vec3 c = at(positions, triangles[3 * t + 2], origin);
    vec3 abc = vec3_add(vec3_add(a, b), c);
    double volume = vec3_dot(a, vec3_cross(b, c)) / 6;
    sum.volume += volume;
    sum.first = vec3_madd(sum.first, volume / 4, abc);
    const vec3 parts[4] = {a, b, c, abc};
    for (int k = 0; k < 4; k++) {
      mat3 part = mat3_outer(parts[k], vec3_scale(volume / 20, parts[k]));
      sum.second = mat3_add(&sum.second, &part);
    }
  }
  return sum;
}

static void bounds(const double *positions, const int32_t *triangles, size_t count, vec3 *middle,
                   double *size) {
  vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
  for (size_t i = 0; i < 3 * count; i++) {
    vec3 p = vec3_from(positions + 3 * (size_t)triangles[i]);
    low = vec3_make(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
    high = vec3_make(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
  }
  *middle = vec3_madd(low, 0.5, vec3_sub(high, low));
  *size = vec3_norm(vec3_sub(high, low));
}

/* Principal axes, the longest first: their moments of inertia ascend. */
static bool find_axes(const mat3 *second, double density, model_rigid *out) {
  double a[9], spread[3], vectors[9];
  for (int i = 0; i < 9; i++) /* symmetric to the bit, which the sum is only to rounding */
    a[i] = (second->m[i / 3][i % 3] + second->m[i % 3][i / 3]) / 2;
  eigen_symmetric(3, a, spread, vectors);
  if (!(spread[0] > 0) || !(spread[0] > 1e-14 * spread[2])) return false;
  out->inertia = vec3_scale(
      density, vec3_make(spread[0] + spread[1], spread[0] + spread[2], spread[1] + spread[2]));
  vec3 x = {vectors[2], vectors[5], vectors[8]}, y = {vectors[1], vectors[4], vectors[7]};
  mat3 axes = mat3_from_columns(x, y, vec3_cross(x, y));
  out->turn = quat_from_matrix(&axes);
  return true;
}

static double area_of(const double *positions, const int32_t *triangles, size_t count) {
  double area = 0;
  for (size_t t = 0; t < count; t++) {
    vec3 a = vec3_from(positions + 3 * (size_t)triangles[3 * t]);
    area += vec3_norm(vec3_cross(at(positions, triangles[3 * t + 1], a),
                                 at(positions, triangles[3 * t + 2], a))) /
            2;
  }
  return area;
}

/* What encloses less than this part of area^(3/2) when its holes are closed is a sheet: a ball has
 * 0.094, half of one 0.073, a shallow bowl, five times as wide as deep, 0.03. */
static const double LEAST_OPEN = 0.01;

static tribo_status check_volume(const char *name, const holes_closed *c, double volume,
                                 double size, tribo_error *err) {
  const double *x = &c->positions->x;
  double least = 1e-12 * size * size * size;
  double sheet = c->holes ? LEAST_OPEN * pow(area_of(x, c->triangles, c->triangle_count), 1.5) : 0;
  if (volume < -fmax(least, sheet))
    return status_fail(err, TRIBO_BAD_INPUT,
                       "object '%s': the mesh is inside out, its volume is %.3g m^3; flip its "
                       "triangles so that their fronts are outside",
                       name, volume);
  if (volume <= sheet && c->holes)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "object '%s': the mesh is open and encloses nothing (%.3g m^3 in a box of "
                       "%.3g m); a rigid body needs a thickness",
                       name, volume, size);
  if (!(volume > least))
    return status_fail(err, TRIBO_BAD_INPUT,
                       "object '%s': the mesh has no volume (%.3g m^3 in a box of %.3g m); a rigid "
                       "body needs a thickness",
                       name, volume, size);
  return TRIBO_OK;
}

/* From the middle of the body, then from its centre: so the second moments are those about the
 * centre at once, and nothing cancels however far from the origin it lies. */
static tribo_status measure_closed(const char *name, const holes_closed *c, double density,
                                   model_rigid *out, vec3 *centre, tribo_error *err) {
  const double *x = &c->positions->x;
  vec3 middle;
  double size;
  bounds(x, c->triangles, c->triangle_count, &middle, &size);
  moments rough = integrate(x, c->triangles, c->triangle_count, middle);
  TRY(check_volume(name, c, rough.volume, size, err));
  *centre = vec3_madd(middle, 1 / rough.volume, rough.first);
  moments fine = integrate(x, c->triangles, c->triangle_count, *centre);
  if (!find_axes(&fine.second, density, out))
    return status_fail(err, TRIBO_BAD_INPUT,
                       "object '%s': the mesh has no moments of inertia; it is too thin for a "
                       "rigid body, or parts of it are inside out",
                       name);
  out->mass = density * fine.volume;
  out->length = sqrt((out->inertia.x + out->inertia.y + out->inertia.z) / (3 * out->mass));
  return TRIBO_OK;
}

tribo_status rigid_measure(const char *name, const double *positions, size_t vertex_count,
                           const int32_t *triangles, size_t triangle_count, double density,
                           model_rigid *out, vec3 *centre, tribo_error *err) {
  arena scratch = {0};
  holes_closed closed;
  tribo_status status = holes_close((const vec3 *)positions, vertex_count, triangles,
                                    triangle_count, &scratch, &closed, err);
  if (status == TRIBO_OK) status = check_closed(name, closed.fault, err);
  if (status == TRIBO_OK) status = measure_closed(name, &closed, density, out, centre, err);
  arena_free(&scratch);
  return status;
}

/* ---- turning ----------------------------------------------------------------------------------
 */

mat3 rigid_inertia(const model_rigid *r, quat turn) {
  mat3 axes = quat_to_matrix(turn), scaled;
  for (int i = 0; i < 3; i++) {
    scaled.m[i][0] = axes.m[i][0] * r->inertia.x;
    scaled.m[i][1] = axes.m[i][1] * r->inertia.y;
    scaled.m[i][2] = axes.m[i][2] * r->inertia.z;
  }
  return mat3_mul_t(&scaled, &axes);
}

static vec3 times(vec3 a, vec3 b) { return vec3_make(a.x * b.x, a.y * b.y, a.z * b.z); }
static vec3 over(vec3 a, vec3 b) { return vec3_make(a.x / b.x, a.y / b.y, a.z / b.z); }

vec3 rigid_momentum(const model_rigid *r, quat turn, vec3 spin) {
  return quat_rotate(turn, times(r->inertia, quat_unrotate(turn, spin)));
}

/* I^-1 L */
static vec3 spin_of(const model_rigid *r, quat turn, vec3 momentum) {
  return quat_rotate(turn, over(quat_unrotate(turn, momentum), r->inertia));
}

double rigid_spin_energy(const model_rigid *r, quat turn, vec3 spin) {
  vec3 own = quat_unrotate(turn, spin);
  return vec3_dot(own, times(r->inertia, own)) / 2;
}

/* Free rotation. In the body's frame L obeys the energy E = L1^2/2I1 + L2^2/2I2 + L3^2/2I3. Take
 * |L|^2/2I2 out of it: that part turns the body about L, which commutes with all the rest. What
 * remains are two terms, each of which alone turns the body about one of its own axes at constant
 * speed, and they are composed symmetrically (Strang), five times with Suzuki's weights for the
 * fourth order. L itself is never touched; the energy oscillates by the error of the composition
 * and does not drift; and for a body with two equal moments one of the two terms is absent, so that
 * nothing is left to approximate. */
enum { STAGES = 5, MOST_SUBSTEPS = 4096 };
static const double ANGLE_A_SUBSTEP = 0.1; /* radians */

static quat about_x(quat turn, double angle) {
  return quat_multiply(turn, (quat){cos(angle / 2), sin(angle / 2), 0, 0});
}

static quat about_z(quat turn, double angle) {
  return quat_multiply(turn, (quat){cos(angle / 2), 0, 0, sin(angle / 2)});
}

static quat strang(quat turn, vec3 momentum, double by_x, double by_z) {
  turn = about_x(turn, by_x / 2 * quat_unrotate(turn, momentum).x);
  turn = about_z(turn, by_z * quat_unrotate(turn, momentum).z);
  return about_x(turn, by_x / 2 * quat_unrotate(turn, momentum).x);
}

vec3 rigid_free_rotation(const model_rigid *r, quat turn, vec3 spin, double h) {
  vec3 momentum = rigid_momentum(r, turn, spin), i = r->inertia;
  double most = h * vec3_norm(momentum) / i.x; /* no spin of this momentum is faster */
  double substeps = fmin(fmax(ceil(most / ANGLE_A_SUBSTEP), 1), MOST_SUBSTEPS);
  double outer = 1 / (4 - cbrt(4));
  const double weight[STAGES] = {outer, outer, 1 - 4 * outer, outer, outer};

  quat end = turn;
  double dt = h / substeps;
  for (int n = 0; n < (int)substeps; n++)
    for (int k = 0; k < STAGES; k++)
      end = strang(end, momentum, weight[k] * dt * (1 / i.x - 1 / i.y),
                   weight[k] * dt * (1 / i.z - 1 / i.y));
  end = quat_multiply(quat_exp(vec3_scale(h / i.y, momentum)), end);

  /* Of all the vectors that lead there, differing by full turns, the one nearest to h w. */
  vec3 shortest = quat_log(quat_multiply(end, quat_conjugate(turn)));
  vec3 expected = vec3_scale(h, spin);
  double angle = vec3_norm(shortest);
  vec3 axis = vec3_normalized(angle > 1e-9 ? shortest : expected);
  double turns = round((vec3_dot(expected, axis) - vec3_dot(shortest, axis)) / (2 * PI));
  return vec3_madd(shortest, 2 * PI * turns, axis);
}

void rigid_turn(const model_rigid *r, vec3 theta, vec3 theta_free, double h, quat *turn,
                vec3 *spin) {
  vec3 kicked = vec3_madd(*spin, 1 / h, vec3_sub(theta, theta_free));
  vec3 momentum = rigid_momentum(r, *turn, kicked);
  *turn = quat_normalized(quat_multiply(quat_exp(theta), *turn));
  *spin = spin_of(r, *turn, momentum);
}
