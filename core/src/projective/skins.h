/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * skins: the meshes of obstacles as the artist has them, whatever shape contacts are asked of, and
 * what of cloth, and of solids that keep a thickness, is near them: vertices of the one and
 * triangles of the other, edges and edges.
 *
 * A skin goes straight from where its vertices are at the start of a step to where they are at its
 * end, by its samples (model/collider.h): so the end of a step is the start of the next to the last
 * bit but that of the clock. Outside is where triangles face; what has two sides has no inside.
 *
 * Pairs come from hierarchies of boxes (geom/bvh_moving.h), eight of the cloth at a time. What
 * keeps its shape and is far from all cloth is not even put in place.
 */
#ifndef PROJECTIVE_SKINS_H
#define PROJECTIVE_SKINS_H

#include "base/array.h"
#include "contact/find.h"
#include "geom/bvh_moving.h"
#include "geom/crossings.h"

/* Vertices, edges and triangles, each with one corner more. */
enum { PART_VERTEX, PART_EDGE, PART_TRIANGLE, PART_KINDS };

typedef struct skins_parts {
  size_t vertex_count;
  const int32_t *corners[PART_KINDS];
  size_t count[PART_KINDS];
  bvh_moving trees[PART_KINDS];
  bvh_motion *motion;
} skins_parts;

/* A cloth, or the skin of a solid. Numbers of vertices are its own. */
typedef struct skins_sheet {
  int32_t probes, first_node; /* in the model */
  skins_parts parts;
  bool *asks; /* scratch, of vertices */
  crossings_mesh mesh;
  bool has_mesh;
} skins_sheet;

/* An obstacle. */
typedef struct obstacle_skin {
  int32_t surface; /* in the model */
  const model_collider *collider;
  bool two_sided, still;
  vec3 centre; /* of a ball around it at rest, and its radius */
  double radius;
  skins_parts parts;
  int32_t (*faces)[2];      /* of edges: the triangles beside; -1: none */
  int32_t *fan_start, *fan; /* of vertices: the triangles around */
  crossings_mesh mesh;
  bool has_mesh, mesh_placed;
  bool absent, appears;     /* in the step, as of surface/surface.h */
  bool placed;              /* the rest is set */
  vec3 *before, *after, *v; /* of vertices, m and m/s */
  vec3 mean;                /* velocity, */
  double spread;            /* and how far any vertex's is from it, m/s */
} obstacle_skin;

/* What of a cloth and an obstacle is near each other. */
typedef struct skins_pair {
  int32_t kind; /* of the cloth's part; the other's is PART_TRIANGLE - kind */
  int32_t own, other;
} skins_pair;

/* One cloth that may meet one obstacle. */
typedef struct skins_couple {
  int32_t sheet, skin;
  double thickness; /* that they keep, m */
  double reach;     /* pairs that are nearer are listed, m */
  ARRAY(skins_pair) pairs;
  bool knows_tangles;
  bool tangled;                       /* they cross at the start of the step, */
  bool *sheet_tangles, *skin_tangles; /* these vertices of theirs */
} skins_couple;

typedef struct skins {
  const model *model;
  tasks tasks;
  double h;
  arena *memory;
  double seconds; /* start of the step */
  const vec3 *x0; /* nodes, there */
  skins_sheet *sheets;
  size_t sheet_count;
  obstacle_skin *list;
  size_t count;
  skins_couple *couples;
  size_t couple_count;
} skins;

/* margin: what is nearer is near, of what has no thickness, m. */
tribo_status skins_create(const model *m, const contact_finder *finder, double h, double margin,
                          const tasks *t, arena *memory, skins *out, tribo_error *err);
void skins_free(skins *s);

/* A step from x0 and v0, of nodes: lists what is near in each couple. They stay valid. */
tribo_status skins_begin(skins *s, double seconds, const vec3 *x0, const vec3 *v0,
                         tribo_error *err);

typedef void (*skins_visitor)(void *context, skins_pair pair);

/* All of a couple whose ways within the step, with these velocities of nodes, may meet, and that
 * go too far for the list: every pair is listed or visited. */
void skins_visit(skins *s, const skins_couple *c, const vec3 *v, skins_visitor visit,
                 void *context);

/* The four vertices of a pair: the cloth's own, as nodes of the model, then the obstacle's. Returns
 * how many are of the cloth. */
int skins_corners(const skins *s, const skins_couple *c, skins_pair pair, int32_t corner[4]);

/* Outwards at a part of a skin, `on` of the step (0 to 1) after its start; of any length. */
vec3 skins_outward(const obstacle_skin *s, int kind, int32_t part, double on);

/* Whether cloth and obstacle crossed here when the step began: then they are left alone, until they
 * are free. */
tribo_status skins_tangled(skins *s, skins_couple *c, skins_pair pair, bool *tangled,
                           tribo_error *err);

/* Whether any obstacle that is in reach does. */
bool skins_move(const skins *s);

/* Where what rides on the obstacle goes from x, m/s. */
vec3 skins_carried(const skins *s, size_t skin, vec3 x);

#endif
