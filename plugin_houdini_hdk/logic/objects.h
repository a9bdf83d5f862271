/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * objects: what the inputs of the node hold, object by object.
 *
 * Primitives of one name are an object. Without names, what is connected is one thing: its kind
 * follows from its mesh, things of a kind that deforms are one object, of one that keeps its shape
 * each its own. Every vertex of an object is a point of its input; back and forth both are kept.
 */
#ifndef HOUDINI_OBJECTS_H
#define HOUDINI_OBJECTS_H

#include <tribo/scene.h>

#include "geo.h"
#include "parms.h"
#include "say.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The inputs of the node. */
enum { HOU_GEOMETRY, HOU_CONSTRAINTS, HOU_COLLIDERS, HOU_INPUTS };

typedef struct hou_object {
  char name[128]; /* as the core knows it; unique */
  const tribo_kind_info *kind;
  int input;             /* HOU_GEOMETRY or HOU_COLLIDERS */
  size_t part;           /* of that input */
  hou_place first_place; /* of its first primitive, for attributes of the whole object */
  int32_t *points;       /* the point of every vertex, ascending */
  size_t vertex_count;
  int32_t *triangles, *triangle_prims, *triangle_corners; /* 3, 1 and 3 a triangle */
  size_t triangle_count;
  int32_t *tets, *tet_prims; /* 4 and 1 a tet */
  size_t tet_count;
  int32_t *segments, *segment_prims; /* 2 and 1 a segment */
  size_t segment_count;
  int32_t *pinned; /* vertices that follow the animation */
  size_t pinned_count;
  int32_t *held; /* vertices that stay where they are */
  size_t held_count;
} hou_object;

typedef struct hou_objects {
  hou_object *items;
  size_t count;
  size_t point_count; /* of input 0 */
} hou_objects;

/* Finds the objects of the inputs at the start frame. Fails where something cannot be: the message
 * names object, point or primitive, and what to do. */
tribo_status hou_objects_find(const hou_input inputs[HOU_INPUTS], const hou_settings *settings,
                              hou_objects *out, hou_say *say, tribo_error *err);
void hou_objects_free(hou_objects *o);

/* A message of the core in the words of Houdini: vertices of a named object become points of its
 * input, triangles and tets primitives, and places and directions (x, y, z) are turned to y up. */
void hou_objects_translate(const hou_objects *o, const char *text, char *out, size_t size);

#ifdef __cplusplus
}
#endif

#endif
