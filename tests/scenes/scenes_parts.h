/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scenes_parts: what recipes have in common. For recipes only; everyone else includes scenes.h and
 * scenes_contact.h.
 */
#ifndef TESTS_SCENES_SCENES_PARTS_H
#define TESTS_SCENES_SCENES_PARTS_H

#include "scenes/scenes_contact.h"

#define PI 3.14159265358979323846

/* Ends a recipe: the scene on success, nothing on failure. */
tribo_status scenes_finish(tribo_scene *scene, tribo_status status, tribo_scene **out);

/* A scene with steps of dt, about 0.01 s a frame, that runs for `seconds`. */
tribo_status scenes_start(double dt, double seconds, tribo_scene **out, tribo_error *err);

/* The same with about `frame` seconds a frame: many objects are many files to write a frame. */
tribo_status scenes_start_film(double dt, double seconds, double frame, tribo_scene **out,
                               tribo_error *err);

/* And with many iterations: where rigid bodies wedge with friction, a step may take hundreds of
 * small ones. */
tribo_status scenes_start_pile(double dt, double seconds, double frame, tribo_scene **out,
                               tribo_error *err);

/* Seconds to frames, as motions and pins count them. */
double scenes_frame(const tribo_scene *scene, double seconds);

static inline double scenes_radians(double degrees) { return degrees * (PI / 180); }

/* A rectangle of two triangles through the origin, x from `low` to `high` and y to both sides by
 * `half`, that descends towards +x by an angle (radians). A plane to those who touch it. */
tribo_status scenes_add_ramp(tribo_scene *scene, const char *name, double angle, double low,
                             double high, double half, tribo_error *err);

tribo_status scenes_set_mu(tribo_scene *scene, const char *a, const char *b, double mu,
                           tribo_error *err);

/* Adds the object combed along `direction` at every vertex. Frees the mesh. */
tribo_status scenes_add_combed(tribo_scene *scene, tribo_object_def def, mesh *m,
                               const double direction[3], tribo_error *err);

/* The friction of a pair that knows directions. */
tribo_status scenes_set_combed(tribo_scene *scene, const char *a, const char *b, double mu,
                               double mu_along, double mu_across, tribo_error *err);

/* Where a vertex that starts at `start` is after some seconds. */
typedef void (*scenes_path)(const void *context, double seconds, const double start[3],
                            double x[3]);

/* Adds the object with these vertices held, or, with a path, led along it; sampled every
 * `interval` frames. Frees mesh and vertices. */
tribo_status scenes_add_pinned(tribo_scene *scene, tribo_object_def def, mesh *m, int32_t *vertices,
                               size_t count, scenes_path path, const void *context, double interval,
                               tribo_error *err);

/* Adds a collider whose vertices follow a path. Frees the mesh. */
tribo_status scenes_add_led(tribo_scene *scene, tribo_object_def def, mesh *m, scenes_path path,
                            const void *context, double interval, tribo_error *err);

/* 0 before `from`, 1 after `to`, smooth between. */
static inline double scenes_ease(double t, double from, double to) {
  double s = t <= from ? 0 : t >= to ? 1 : (t - from) / (to - from);
  return s * s * (3 - 2 * s);
}

/* The surface of a block of n x n x n cells, its bottom in the plane z = 0 around the origin. */
mesh scenes_block_shape(int n, double width, double depth, double height);

/* The vertices with low <= coordinate <= high. The caller frees. */
int32_t *scenes_between(const mesh *m, int axis, double low, double high, size_t *count);

#endif
