/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * translate: the core's messages in the words of Houdini.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "objects.h"

/* The object whose name stands in quotes nearest before `at`, or anywhere where none does. */
static const hou_object *object_near(const hou_objects *o, const char *text, const char *at) {
  const hou_object *nearest = NULL, *any = NULL;
  const char *best = NULL;
  for (size_t i = 0; i < o->count; i++) {
    char quoted[sizeof o->items->name + 2];
    snprintf(quoted, sizeof quoted, "'%s'", o->items[i].name);
    for (const char *p = text; (p = strstr(p, quoted)); p++) {
      if (!any) any = o->items + i;
      if (p < at && (!best || p > best)) {
        best = p;
        nearest = o->items + i;
      }
    }
  }
  return nearest ? nearest : any;
}

typedef struct words {
  const char *core, *houdini;
} words;

static const words NUMBERED[] = {{"vertex ", "point "},
                                 {"triangle ", "primitive "},
                                 {"tet ", "primitive "},
                                 {"segment ", "primitive "}};

static bool number_of(const hou_object *o, size_t word, size_t number, long *out) {
  if (!o) return false;
  const int32_t *const maps[] = {o->points, o->triangle_prims, o->tet_prims, o->segment_prims};
  const size_t counts[] = {o->vertex_count, o->triangle_count, o->tet_count, o->segment_count};
  const int32_t *map = maps[word];
  size_t count = counts[word];
  if (!map || number >= count) return false;
  *out = map[number];
  return true;
}

/* "(x, y, z)" at `in`: the length of it, or 0. */
static size_t place(const char *in, double xyz[3]) {
  const char *at = in;
  for (int k = 0; k < 3; k++) {
    if (*at != (k ? ',' : '(')) return 0;
    at += k ? 2 : 1;
    char *end;
    if (k && at[-1] != ' ') return 0;
    xyz[k] = strtod(at, &end);
    if (end == at) return 0;
    at = end;
  }
  return *at == ')' ? (size_t)(at + 1 - in) : 0;
}

static size_t translate_one(const hou_objects *o, const char *text, const char *in, char *out,
                            size_t size) {
  double p[3];
  size_t length = *in == '(' ? place(in, p) : 0;
  if (length) {
    snprintf(out, size, "(%g, %g, %g)", p[0], p[2], 0.0 - p[1]);
    return length;
  }
  bool begins = in == text || in[-1] == ' ' || in[-1] == '(';
  for (size_t w = 0; begins && w < sizeof NUMBERED / sizeof *NUMBERED; w++) {
    size_t n = strlen(NUMBERED[w].core);
    if (strncmp(in, NUMBERED[w].core, n) != 0) continue;
    char *end;
    unsigned long number = strtoul(in + n, &end, 10);
    long found;
    if (end == in + n || !number_of(object_near(o, text, in), w, number, &found)) continue;
    snprintf(out, size, "%s%ld", NUMBERED[w].houdini, found);
    return (size_t)(end - in);
  }
  snprintf(out, size, "%c", *in);
  return 1;
}

void hou_objects_translate(const hou_objects *o, const char *text, char *out, size_t size) {
  size_t done = 0;
  out[0] = 0;
  for (const char *in = text; *in && done + 1 < size;) {
    char piece[128];
    in += translate_one(o, text, in, piece, sizeof piece);
    size_t n = strlen(piece);
    if (done + n >= size) break;
    memcpy(out + done, piece, n + 1);
    done += n;
  }
}
