/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * wedge: a folder of scenes that differ in a few values, and its wedge.json. The public
 * tribo_wedge.
 *
 *   wedge.json        the items: hash, values, frames
 *   scenes/HASH.json  a scene file each, with paths into shared/
 *   shared/           meshes, pictures and animations, by what is in them: NAME-SUM.obj
 *   bakes/HASH/       a bake each
 *   runs/HASH/        attempts (wedge/attempt.h)
 *   pictures/HASH/    thumbnails, FRAME.jpg
 *
 * What a scene file and a shared file are called follows from what is in them: an older wedge in
 * the same folder stays sound while a farm still works at it.
 */
#ifndef WEDGE_WEDGE_H
#define WEDGE_WEDGE_H

#include <cjson/cJSON.h>

#include "base/array.h"
#include "tribo/wedge.h"

#define WEDGE_FILE "wedge.json"

typedef struct wedge_axis {
  char *key;
  cJSON *values; /* an array */
  bool together; /* in step with the axis before */
} wedge_axis;

typedef struct wedge_item {
  uint64_t hash;
  size_t same_as;
  cJSON *values; /* an object: what it is known by, in the order of the axes */
  char *label, *scene, *bake;
  int start, end;
  double memory;
} wedge_item;

/* A file that was taken into shared/. */
typedef struct wedge_shared {
  char *from; /* the path it came from */
  char *name; /* in shared/ */
} wedge_shared;

struct tribo_wedge {
  char *folder;
  ARRAY(wedge_axis) axes;
  ARRAY(wedge_item) items;
  ARRAY(wedge_shared) shared;
};

tribo_status wedge_create(const char *folder, tribo_wedge **out, tribo_error *err);
tribo_status wedge_open(const char *folder, tribo_wedge **out, tribo_error *err);
void wedge_free(tribo_wedge *w);
tribo_status wedge_write(const tribo_wedge *w, tribo_error *err);

/* ---- wedge_fill.c ---- */

tribo_status wedge_vary(tribo_wedge *w, const char *key, const char *values, bool together,
                        tribo_error *err);
tribo_status wedge_spread(tribo_wedge *w, const char *scene_file, tribo_error *err);
tribo_status wedge_add(tribo_wedge *w, const char *scene_file, const char *const *keys,
                       const char *const *values, size_t count, tribo_error *err);

/* ---- parts of a wedge's folder; free with free(), NULL when out of memory ---- */

enum { WEDGE_HASH_SIZE = 17 };
void wedge_hash_text(uint64_t hash, char out[WEDGE_HASH_SIZE]);
char *wedge_path(const tribo_wedge *w, const char *part, uint64_t hash, const char *ending);

/* "mu 0.3, young 20000" of an object of values. */
char *wedge_label(const cJSON *values);

/* Appends an item, whose strings follow from hash and values. Takes values over, also on failure.
 */
tribo_status wedge_push(tribo_wedge *w, uint64_t hash, cJSON *values, int start, int end,
                        double memory, tribo_error *err);

#endif
