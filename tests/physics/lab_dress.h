/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lab_dress: a dancer in a dress or a gown, and how far either is from where it was put on.
 */
#ifndef TESTS_PHYSICS_LAB_DRESS_H
#define TESTS_PHYSICS_LAB_DRESS_H

#include "physics/lab_crossing.h"
#include "scenes/shapes_check.h"
#include "scenes/shapes_dancer.h"

/* Parts of a dress are what starts above these heights, m. */
static const double WORN_BODICE = 1.15, WORN_STRAPS = 1.4;

typedef struct worn {
  scene_dress_params params;
  simulation *s;
  vec3 *start; /* of all vertices */
  mesh skin;   /* the dancer as she starts */
  int step;
  double deepest; /* in the body's smooth surface, as reported, m */
} worn;

/* A gown of three skirts. Its options are those of a dress; coarse cloth needs to be thick, since
 * its triangles cut the corners around the waist. */
static inline scene_dress_params worn_gown(double size, double thickness, double dt) {
  scene_gown_params gown = scene_gown_defaults();
  scene_dress_params p;
  memcpy(&p, &gown, sizeof p);
  p.size = size, p.thickness = thickness, p.dt = dt, p.seconds = 2;
  p.gap = thickness + p.skin + 0.002;
  return p;
}

static inline worn wear(scene_dress_params params) {
  worn w = {.params = params, .skin = shape_dancer(params.body_size)};
  tribo_scene *scene = NULL;
  claim_ok(scene_dress(&params, &scene, err));
  w.s = lab_compile(scene, 1);
  size_t bytes = (size_t)simulation_model(w.s)->node_count * sizeof *w.start;
  w.start = malloc(bytes);
  assert_non_null(w.start);
  assert_non_null(w.skin.positions);
  memcpy(w.start, simulation_positions(w.s), bytes);
  return w;
}

static inline void take_off(worn *w) {
  simulation_free(w->s);
  mesh_free(&w->skin);
  free(w->start);
}

static inline double worn_seconds(const worn *w) { return w->step * w->params.dt; }

static inline void dance_step(worn *w) {
  tribo_report report = lab_steps(w->s, 1);
  w->deepest = fmax(w->deepest, report.max_penetration);
  w->step++;
}

static inline vec3 worn_carried(const worn *w, vec3 start) {
  double x[3];
  scene_dress_carries(&w->params, worn_seconds(w), (double[3]){start.x, start.y, start.z}, x);
  return vec3_from(x);
}

/* How far the vertices of the dress that start above some height are from where the dancer would
 * have carried them: their mean distance. The first object is the dress. */
static inline double worn_strayed(const worn *w, double above) {
  const model_body *dress = &simulation_model(w->s)->bodies[0];
  const vec3 *now = simulation_positions(w->s);
  double sum = 0, count = 0;
  for (int32_t i = dress->first_vertex; i < dress->first_vertex + dress->vertex_count; i++) {
    if (w->start[i].z < above) continue;
    sum += vec3_norm(vec3_sub(now[i], worn_carried(w, w->start[i])));
    count++;
  }
  assert_true(count > 10);
  return sum / count;
}

static inline void worn_print(const worn *w) {
  print_message("    mu %g, %.2f s: straps %.1f mm off, bodice %.1f mm; %.2g m deep at most\n",
                w->params.mu, worn_seconds(w), 1e3 * worn_strayed(w, WORN_STRAPS),
                1e3 * worn_strayed(w, WORN_BODICE), w->deepest);
}

/* The least distance of every so many vertices of cloth from the mesh of the dancer, by looking at
 * every triangle; negative inside. */
static inline double worn_clearance(const worn *w, int32_t every) {
  const vec3 *now = simulation_positions(w->s);
  mesh moved = shape_new(w->skin.vertex_count, w->skin.triangle_count, 0);
  assert_non_null(moved.positions);
  memcpy(moved.triangles, w->skin.triangles, 3 * moved.triangle_count * sizeof(int32_t));
  for (size_t v = 0; v < moved.vertex_count; v++)
    scene_dress_carries(&w->params, worn_seconds(w), w->skin.positions + 3 * v,
                        moved.positions + 3 * v);
  double least = INFINITY;
  for (int32_t i = 0; i < simulation_model(w->s)->node_count; i += every)
    least = fmin(least, surface_distance(&moved, (double[3]){now[i].x, now[i].y, now[i].z}));
  mesh_free(&moved);
  return least;
}

#endif
