/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/measure.h"

#include <math.h>

#include "kinds/kind.h"

/* ---- where it is ----------------------------------------------------------------------------- */

typedef struct axes {
  vec3 x, y, up;
} axes;

static axes axes_of(const tribo_scene *scene) {
  vec3 down = vec3_from(scene->world.gravity);
  axes a = {.up = {0, 0, 1}};
  if (vec3_norm2(down) > 0) a.up = vec3_scale(-1, vec3_normalized(down));
  vec3 aside = fabs(a.up.x) < 0.7 ? vec3_make(1, 0, 0) : vec3_make(0, 1, 0);
  a.y = vec3_normalized(vec3_cross(a.up, aside));
  a.x = vec3_cross(a.y, a.up);
  return a;
}

static void take_in(const axes *a, vec3 at, measure *out) {
  vec3 p = {vec3_dot(at, a->x), vec3_dot(at, a->y), vec3_dot(at, a->up)};
  out->low = vec3_make(fmin(out->low.x, p.x), fmin(out->low.y, p.y), fmin(out->low.z, p.z));
  out->high = vec3_make(fmax(out->high.x, p.x), fmax(out->high.y, p.y), fmax(out->high.z, p.z));
}

static vec3 moved(const double *m, vec3 p) {
  return vec3_make(m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3],
                   m[4] * p.x + m[5] * p.y + m[6] * p.z + m[7],
                   m[8] * p.x + m[9] * p.y + m[10] * p.z + m[11]);
}

/* Vertex v of a collider at one of its samples. */
static vec3 at_sample(const tribo_object_def *o, size_t sample, size_t v) {
  const tribo_motion_def *m = &o->motion;
  if (m->points) return vec3_from(&m->points[3 * (sample * o->vertex_count + v)]);
  vec3 rest = vec3_from(&o->positions[3 * v]);
  return m->transforms ? moved(&m->transforms[16 * sample], rest) : rest;
}

static void measure_place(const tribo_object_def *o, const axes *a, measure *out) {
  out->low = vec3_make(INFINITY, INFINITY, INFINITY);
  out->high = vec3_scale(-1, out->low);
  size_t samples = o->motion.sample_count ? o->motion.sample_count : 1;
  for (size_t s = 0; s < samples; s++)
    for (size_t v = 0; v < o->vertex_count; v++) take_in(a, at_sample(o, s, v), out);
}

/* ---- what drives it -------------------------------------------------------------------------- */

static double motion_speed(const tribo_object_def *o, double fps) {
  double most = 0;
  for (size_t s = 1; s < o->motion.sample_count; s++)
    for (size_t v = 0; v < o->vertex_count; v++)
      most = fmax(most, vec3_norm2(vec3_sub(at_sample(o, s, v), at_sample(o, s - 1, v))));
  return o->motion.sample_count > 1 ? sqrt(most) * fps / o->motion.interval : 0;
}

static double pin_speed(const tribo_pin_def *pin, double fps) {
  double most = 0;
  size_t numbers = 3 * pin->vertex_count;
  for (size_t i = 0; pin->targets && i + numbers < pin->target_count * numbers; i += 3)
    most = fmax(most, vec3_norm2(vec3_sub(vec3_from(&pin->targets[i + numbers]),
                                          vec3_from(&pin->targets[i]))));
  return most > 0 ? sqrt(most) * fps / pin->target_interval : 0;
}

static double given_speed(const tribo_object_def *o, const measure *m, double fps) {
  if (!kind_of(o)->about.simulated) return motion_speed(o, fps);
  double radius = 0.5 * vec3_norm(vec3_sub(m->high, m->low));
  double most =
      vec3_norm(vec3_from(o->object.velocity)) + radius * vec3_norm(vec3_from(o->object.spin));
  for (size_t i = 0; i < o->pin_count; i++) most = fmax(most, pin_speed(&o->pins[i], fps));
  return most;
}

/* ---- how fine and stiff it is ---------------------------------------------------------------- */

/* Elements of `corners` vertices each: segments, triangles, or tets. */
static double mean_edge(const double *x, const int32_t *element, size_t count, int corners) {
  double sum = 0;
  for (size_t e = 0; e < count; e++, element += corners)
    for (int i = 0; i < corners; i++)
      for (int j = 0; j < i; j++)
        sum += vec3_norm(vec3_sub(vec3_from(&x[3 * element[i]]), vec3_from(&x[3 * element[j]])));
  int sides = corners * (corners - 1) / 2; /* of an element */
  double edges = (double)count * sides;
  return count ? sum / edges : 0;
}

/* A triangle or tet: its size s (area, volume) and the gradients of its corners' shape functions,
 * |b_i| = 1 / height_i. */
static double element_size(const vec3 *x, int corners, double *inverse_height2) {
  vec3 u = vec3_sub(x[1], x[0]), v = vec3_sub(x[2], x[0]);
  if (corners == 3) {
    double area2 = vec3_norm2(vec3_cross(u, v)); /* of twice the area */
    for (int i = 0; i < 3; i++)
      inverse_height2[i] = vec3_norm2(vec3_sub(x[(i + 1) % 3], x[(i + 2) % 3])) / area2;
    return 0.5 * sqrt(area2);
  }
  double volume6 = fabs(vec3_dot(vec3_cross(u, v), vec3_sub(x[3], x[0])));
  for (int i = 0; i < 4; i++) {
    vec3 a = x[(i + 1) % 4], b = x[(i + 2) % 4], c = x[(i + 3) % 4];
    inverse_height2[i] =
        vec3_norm2(vec3_cross(vec3_sub(b, a), vec3_sub(c, a))) / (volume6 * volume6);
  }
  return volume6 / 6;
}

static tribo_status stiffest(const double *x, size_t vertices, const int32_t *element, size_t count,
                             int corners, double weight, double density, double *out,
                             tribo_error *err) {
  double *k = calloc(2 * vertices + 1, sizeof *k), *mass = k ? k + vertices : NULL;
  if (!k) return status_no_memory(err, "the stiffness of a scene");
  for (size_t e = 0; e < count; e++, element += corners) {
    vec3 at[4];
    double inverse_height2[4];
    for (int i = 0; i < corners; i++) at[i] = vec3_from(&x[3 * element[i]]);
    double size = element_size(at, corners, inverse_height2);
    for (int i = 0; i < corners; i++) {
      k[element[i]] += weight * size * inverse_height2[i];
      mass[element[i]] += density * size / corners;
    }
  }
  *out = 0;
  for (size_t v = 0; v < vertices; v++)
    if (mass[v] > 0) *out = fmax(*out, k[v] / mass[v]);
  free(k);
  return TRIBO_OK;
}

static tribo_status measure_stiffness(const tribo_object_def *o, measure *out, tribo_error *err) {
  double times = o->vertex_stiffness ? 0 : 1;
  for (size_t v = 0; o->vertex_stiffness && v < o->vertex_count; v++)
    times = fmax(times, o->vertex_stiffness[v]);
  const kind_row *k = kind_of(o);
  if (!k->weight) return TRIBO_OK;
  double weight = times * k->weight(o), density = k->density(o);
  if (k->about.mesh == TRIBO_MESH_TRIANGLES)
    return stiffest(o->positions, o->vertex_count, o->triangles, o->triangle_count, 3, weight,
                    density, &out->stiffness, err);
  const double *x = o->cage ? o->cage : o->positions;
  return stiffest(x, o->cage ? o->cage_count : o->vertex_count, o->tets, o->tet_count, 4, weight,
                  density, &out->stiffness, err);
}

static double edge_of(const tribo_object_def *o) {
  if (o->segment_count) return mean_edge(o->positions, o->segments, o->segment_count, 2);
  if (o->triangle_count) return mean_edge(o->positions, o->triangles, o->triangle_count, 3);
  return mean_edge(o->positions, o->tets, o->tet_count, 4);
}

/* ---- the whole ------------------------------------------------------------------------------- */

void measure_extent(const tribo_scene *scene, size_t index, measure *out) {
  axes a = axes_of(scene);
  *out = (measure){0};
  measure_place(&scene->objects.data[index], &a, out);
}

tribo_status measure_object(const tribo_scene *scene, size_t index, measure *out,
                            tribo_error *err) {
  const tribo_object_def *o = &scene->objects.data[index];
  measure_extent(scene, index, out);
  out->edge = edge_of(o);
  out->driven = given_speed(o, out, scene->time.fps);
  for (size_t i = 0; i < o->pin_count; i++) out->pinned |= o->pins[i].vertex_count > 0;
  return measure_stiffness(o, out, err);
}

bool measure_is_below(const measure *a, const measure *b) {
  double reach = vec3_max_abs(vec3_sub(a->high, a->low));
  return b->low.z <= a->high.z && b->low.x < a->high.x + reach && b->high.x > a->low.x - reach &&
         b->low.y < a->high.y + reach && b->high.y > a->low.y - reach;
}

static double fall(const tribo_scene *scene, const measure *all, size_t index) {
  const measure *m = &all[index];
  double lowest = m->low.z, own = vec3_norm(vec3_sub(m->high, m->low));
  for (size_t i = 0; i < scene->objects.count; i++)
    if (i != index && measure_is_below(m, &all[i])) lowest = fmin(lowest, all[i].low.z);
  double height = m->high.z - lowest;
  return m->pinned ? fmin(height, own) : height;
}

double measure_speed(const tribo_scene *scene, const measure *all, size_t index) {
  const tribo_object_def *o = &scene->objects.data[index];
  double g = vec3_norm(vec3_from(scene->world.gravity)), given = all[index].driven;
  double speed = sqrt(given * given + 2 * g * fall(scene, all, index));
  if (o->object.drag > 0) speed = fmax(speed, vec3_norm(vec3_from(scene->world.wind)));
  return speed;
}
