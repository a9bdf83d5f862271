/* Tribo: what to simulate. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A scene is a description: settings and objects, from arrays or from a scene file. It copies what
 * it is given. Units are SI, z is up, triangles and tets index the object's own vertices from 0.
 */
#ifndef TRIBO_SCENE_H
#define TRIBO_SCENE_H

#include "tribo/base.h"
#include "tribo/params.inl"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- parameters -------------------------------------------------------------------------------
 * One struct a group of params.inl: tribo_world_params, tribo_time_params, tribo_solver_params,
 * tribo_object_params, tribo_solid_params, tribo_cloth_params, tribo_pin_params. */

#define TRIBO_FIELD_REAL(name, value, low, high, unit, help) double name;
#define TRIBO_FIELD_INT(name, value, low, high, unit, help)  int name;
#define TRIBO_FIELD_VEC3(name, x, y, z, unit, help)          double name[3];
#define TRIBO_FIELD_CHOICE(name, value, choices, help)       int name;
#define TRIBO_DECLARE_GROUP(table, group, place, title)                                            \
  typedef struct tribo_##group##_params {                                                          \
    table(TRIBO_FIELD_REAL, TRIBO_FIELD_INT, TRIBO_FIELD_VEC3, TRIBO_FIELD_CHOICE)                 \
  } tribo_##group##_params;                                                                        \
  TRIBO_API tribo_##group##_params tribo_##group##_defaults(void);
TRIBO_PARAM_GROUPS(TRIBO_DECLARE_GROUP)
#undef TRIBO_DECLARE_GROUP
#undef TRIBO_FIELD_REAL
#undef TRIBO_FIELD_INT
#undef TRIBO_FIELD_VEC3
#undef TRIBO_FIELD_CHOICE

/* Values of the choices, in the order of the tables. */
enum { TRIBO_METHOD_ELASTIC };
enum { TRIBO_LINEAR_AUTO, TRIBO_LINEAR_CHOLMOD, TRIBO_LINEAR_PARDISO, TRIBO_LINEAR_CG };
enum { TRIBO_ON_FAILURE_STOP, TRIBO_ON_FAILURE_CONTINUE };
enum { TRIBO_SOLID_STABLE_NEO_HOOKEAN, TRIBO_SOLID_NEO_HOOKEAN };
enum { TRIBO_REST_ANGLE_MESH, TRIBO_REST_ANGLE_FLAT };
enum { TRIBO_WARP_FROM_AXIS, TRIBO_WARP_FROM_UV };

typedef enum tribo_param_kind {
  TRIBO_PARAM_REAL,
  TRIBO_PARAM_INT,
  TRIBO_PARAM_VEC3,
  TRIBO_PARAM_CHOICE
} tribo_param_kind;

/* One row of the tables, for programs that build an interface from them. */
typedef struct tribo_param_info {
  const char *group; /* "cloth" */
  const char *place; /* where the key stands in the scene file: "objects[].elastic" */
  const char *name;  /* "stretch" */
  tribo_param_kind kind;
  size_t offset;       /* of the field in its group's struct */
  double value[3];     /* the default; only a VEC3 uses all three */
  double low, high;    /* of REAL and INT */
  const char *unit;    /* "" where there is none */
  const char *choices; /* "mesh|flat" of a CHOICE */
  const char *help;
} tribo_param_info;

TRIBO_API const tribo_param_info *tribo_param_table(size_t *count);

/* The reference of the scene file, docs/scene.md, as Markdown made from these tables. Free with
 * free(). */
TRIBO_API tribo_status tribo_scene_reference(char **markdown, tribo_error *err);

/* ---- objects ----------------------------------------------------------------------------------
 */

typedef enum tribo_kind { TRIBO_CLOTH, TRIBO_SOLID } tribo_kind;

/* Vertices held at a target. Without targets they stay where they are; with targets they follow
 * them, linearly between samples, and rest at the first and last outside. */
typedef struct tribo_pin_def {
  const int32_t *vertices;
  size_t vertex_count;
  const double *targets; /* target_count x vertex_count x 3, or NULL */
  size_t target_count;
  double target_start;    /* frame of the first sample */
  double target_interval; /* frames between samples, above 0 */
  tribo_pin_params params;
} tribo_pin_def;

typedef struct tribo_object_def {
  const char *name; /* names the object in messages and its file in the cache; unique */
  tribo_kind kind;
  const double *positions; /* 3 a vertex, metres: the rest shape and the start */
  size_t vertex_count;
  const int32_t *triangles; /* cloth: 3 a triangle */
  size_t triangle_count;
  const double *uvs;   /* cloth, optional: 2 a triangle corner */
  const int32_t *tets; /* solid: 4 a tet, the fourth on the side the first three wind around */
  size_t tet_count;
  const tribo_pin_def *pins;
  size_t pin_count;
  tribo_object_params object;
  tribo_cloth_params cloth;
  tribo_solid_params solid;
} tribo_object_def;

/* All parameters at their defaults, no geometry. */
TRIBO_API tribo_object_def tribo_object_default(tribo_kind kind);

/* ---- the scene --------------------------------------------------------------------------------
 */

typedef struct tribo_scene tribo_scene;

TRIBO_API tribo_status tribo_scene_create(tribo_scene **out, tribo_error *err);
TRIBO_API void tribo_scene_free(tribo_scene *scene);

/* Reads a scene file (docs/scene.md) and the meshes it names. */
TRIBO_API tribo_status tribo_scene_read(const char *path, tribo_scene **out, tribo_error *err);

/* Writes folder/scene.json and the meshes beside it: a bundle that tribo_scene_read and `tribo
 * bake` take, with the same results to the bit. */
TRIBO_API tribo_status tribo_scene_write(const tribo_scene *scene, const char *folder,
                                         tribo_error *err);

/* Copies and checks; a refused object leaves the scene as it was. index may be NULL. */
TRIBO_API tribo_status tribo_scene_add(tribo_scene *scene, const tribo_object_def *def,
                                       size_t *index, tribo_error *err);

/* Settings, to be changed in place before a simulation is made. */
TRIBO_API tribo_world_params *tribo_scene_world(tribo_scene *scene);
TRIBO_API tribo_time_params *tribo_scene_time(tribo_scene *scene);
TRIBO_API tribo_solver_params *tribo_scene_solver(tribo_scene *scene);

/* Sets one setting from text: key "time.substeps" or "gravity", value as in the scene file. */
TRIBO_API tribo_status tribo_scene_set(tribo_scene *scene, const char *key, const char *value,
                                       tribo_error *err);

TRIBO_API size_t tribo_scene_object_count(const tribo_scene *scene);

/* The object as it was added; pointers belong to the scene. */
TRIBO_API const tribo_object_def *tribo_scene_object(const tribo_scene *scene, size_t index);

#ifdef __cplusplus
}
#endif

#endif
