/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * geo: geometry of Houdini as plain arrays, and which attributes are read of it.
 *
 * Everything here is as Houdini has it: y up, floats, polygons wound clockwise seen from outside
 * (space.h turns it). The SOP, or the reader of a capture, fills it in; it is copied, so that no
 * lock on an input lasts.
 */
#ifndef HOUDINI_GEO_H
#define HOUDINI_GEO_H

#include <tribo/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hou_owner {
  HOU_POINT = 1,
  HOU_VERTEX = 2,
  HOU_PRIMITIVE = 4,
  HOU_DETAIL = 8
} hou_owner;

typedef enum hou_storage { HOU_REAL, HOU_WHOLE, HOU_TEXT } hou_storage;

/* The rows that have a name in the code. Parameters of objects follow them (see below). */
enum {
  HOU_NAME,
  HOU_KIND,
  HOU_MATERIAL,
  HOU_STRUCTURE_MAP,
  HOU_FRICTION_MAP,
  HOU_PIN_TO_ANIMATION,
  HOU_STOPPED,
  HOU_MASS,
  HOU_V,
  HOU_W,
  HOU_FRICTION,
  HOU_DYNAMIC_FRICTION,
  HOU_THICKNESS,
  HOU_STIFFNESS,
  HOU_STRUCTURE,
  HOU_UV,
  HOU_FIXED_ATTRIBUTES
};

/* One row of the table of attributes. Whoever fills a hou_geo goes through it. */
typedef struct hou_attribute {
  char name[64]; /* "friction" */
  unsigned
      owners; /* hou_owner bits, the first that has it counts: primitive, vertex, point, detail */
  hou_storage storage;
  int width;         /* numbers an element */
  const char *about; /* for the docs */
} hou_attribute;

/* False past the last. After the named rows every parameter of objects has one:
 * "tribo_cloth_stretch", on primitives or the detail. */
bool hou_attribute_at(size_t row, hou_attribute *out);
size_t hou_attribute_count(void);

typedef enum hou_prim {
  HOU_POLYGON,  /* closed */
  HOU_POLYLINE, /* open */
  HOU_TET,
  HOU_OTHER /* nothing that Tribo knows; its corners are none */
} hou_prim;

/* An attribute that is there. Texts are numbers of hou_geo.texts. */
typedef struct hou_column {
  hou_owner owner; /* 0: the geometry has no such attribute */
  float *reals;    /* REAL */
  int32_t *wholes; /* WHOLE and TEXT */
} hou_column;

typedef struct hou_geo {
  size_t point_count, prim_count, corner_count;
  float *positions;    /* 3 a point */
  uint8_t *prim_types; /* hou_prim */
  size_t *first;       /* prim_count + 1: where the corners of a primitive begin */
  int32_t *corners;    /* the point of each */
  uint8_t *pinned;     /* 1 a point: in the pin group */
  hou_column *columns; /* by row */
  char **texts;
  size_t text_count, text_room;
  char *label; /* what it is called where it has no name attribute; "" */
} hou_geo;

/* What one input has at one time: one geometry, or one for each packed primitive. */
typedef struct hou_input {
  hou_geo **parts;
  size_t part_count;
} hou_input;

/* A geometry of that size whose arrays are 0, owned by the input; NULL without memory. `first` of
 * the last primitive is set. */
hou_geo *hou_input_add(hou_input *in, size_t points, size_t prims, size_t corners,
                       const char *label);
void hou_input_clear(hou_input *in);

/* The column of a row, with zeros; NULL without memory. */
hou_column *hou_geo_column(hou_geo *geo, size_t row, hou_owner owner);
size_t hou_geo_elements(const hou_geo *geo, hou_owner owner);

/* The number of a text, kept once; -1 without memory. */
int32_t hou_geo_text(hou_geo *geo, const char *text);

/* An element of a geometry, by all its owners. */
typedef struct hou_place {
  size_t point, corner, prim;
} hou_place;

/* The values of a row at a place; NULL where there is no such attribute. */
const float *hou_geo_reals(const hou_geo *geo, size_t row, hou_place at);
const int32_t *hou_geo_wholes(const hou_geo *geo, size_t row, hou_place at);
const char *hou_geo_word(const hou_geo *geo, size_t row, hou_place at);

/* Of all that was read, to the last bit. */
uint64_t hou_input_hash(const hou_input *in);
/* Of what must not change while a simulation runs: counts and corners. */
uint64_t hou_input_topology(const hou_input *in);

/* Mixes `size` bytes into a hash. */
uint64_t hou_mix(uint64_t hash, const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif
