/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh.h"

/* One part of an input while it is taken apart. A thing is a name, or what is connected; several
 * things may become one object. */
typedef struct split {
  const hou_geo *geo;
  int input;
  size_t part;
  const hou_settings *settings;
  hou_say *say;
  hou_objects *out;
  int32_t *thing;          /* by primitive; -1: of none */
  int32_t *first;          /* by thing: its first primitive */
  bool *named;             /* by thing */
  int32_t *object;         /* by thing: number among the part's */
  size_t things, before;   /* before: objects there were already */
  int32_t *vertex, *owner; /* by point: its vertex, and its object; -1: none */
  int32_t *scratch;
} split;

static bool split_begin(split *s) {
  size_t prims = s->geo->prim_count + 1, points = s->geo->point_count + 1, longest = 1;
  for (size_t i = 0; i < s->geo->prim_count; i++)
    if (s->geo->first[i + 1] - s->geo->first[i] > longest)
      longest = s->geo->first[i + 1] - s->geo->first[i];
  s->thing = calloc(prims, sizeof *s->thing);
  s->first = calloc(prims, sizeof *s->first);
  s->named = calloc(prims, sizeof *s->named);
  s->object = calloc(prims, sizeof *s->object);
  s->vertex = calloc(points, sizeof *s->vertex);
  s->owner = calloc(points, sizeof *s->owner);
  s->scratch = calloc(longest, sizeof *s->scratch);
  s->before = s->out->count;
  return s->thing && s->first && s->named && s->object && s->vertex && s->owner && s->scratch;
}

static void split_end(split *s) {
  free(s->thing);
  free(s->first);
  free(s->named);
  free(s->object);
  free(s->vertex);
  free(s->owner);
  free(s->scratch);
}

static hou_place place_of(const hou_geo *geo, size_t prim) {
  hou_place at = {0, geo->first[prim], prim};
  if (geo->first[prim + 1] > geo->first[prim]) at.point = (size_t)geo->corners[geo->first[prim]];
  return at;
}

/* ---- things ---------------------------------------------------------------------------------- */

static const char *word_at(const split *s, size_t row, size_t prim) {
  return hou_geo_word(s->geo, row, place_of(s->geo, prim));
}

static tribo_status find_things(split *s, tribo_error *err) {
  const hou_geo *geo = s->geo;
  int32_t *by_text = malloc((geo->text_count + 1) * sizeof *by_text);
  int32_t *by_point = malloc((geo->point_count + 1) * sizeof *by_point);
  int32_t *parents = malloc((geo->point_count + 1) * sizeof *parents);
  bool ok = by_text && by_point && parents;
  if (ok) {
    for (size_t i = 0; i < geo->text_count; i++) by_text[i] = -1;
    for (size_t i = 0; i < geo->point_count; i++) by_point[i] = -1;
    hou_connected(geo, parents);
  }
  size_t strange = 0;
  for (size_t i = 0; ok && i < geo->prim_count; i++) {
    s->thing[i] = -1;
    strange += geo->prim_types[i] == HOU_OTHER;
    if (geo->prim_types[i] == HOU_OTHER || geo->first[i + 1] == geo->first[i]) continue;
    hou_place at = place_of(geo, i);
    bool named = hou_geo_word(geo, HOU_NAME, at) != NULL;
    int32_t *slot =
        named ? by_text + *hou_geo_wholes(geo, HOU_NAME, at) : by_point + parents[at.point];
    if (*slot < 0) {
      *slot = (int32_t)s->things++;
      s->first[*slot] = (int32_t)i;
      s->named[*slot] = named;
    }
    s->thing[i] = *slot;
  }
  free(by_text);
  free(by_point);
  free(parents);
  if (!ok) return hou_no_memory(err);
  if (strange)
    hou_say_format(
        s->say, HOU_WARNING,
        "%s: %zu primitives are neither polygons nor tets and are left out; convert them "
        "(Convert SOP), or unpack what is packed (Unpack SOP)",
        s->input == HOU_GEOMETRY ? "geometry" : "colliders", strange);
  return TRIBO_OK;
}

/* The primitives of every thing, one after the other: those of thing t from starts[t] on. */
static int32_t *sorted_prims(const split *s, const int32_t *key_of_thing, size_t keys,
                             size_t *starts) {
  int32_t *sorted = malloc((s->geo->prim_count + 1) * sizeof *sorted);
  if (!sorted) return NULL;
  memset(starts, 0, (keys + 1) * sizeof *starts);
  for (int turn = 0; turn < 2; turn++) {
    for (size_t i = 0; i < s->geo->prim_count; i++) {
      if (s->thing[i] < 0) continue;
      size_t key = (size_t)(key_of_thing ? key_of_thing[s->thing[i]] : s->thing[i]);
      if (turn == 0)
        starts[key + 1]++;
      else
        sorted[starts[key]++] = (int32_t)i;
    }
    if (turn == 0)
      for (size_t k = 0; k < keys; k++) starts[k + 1] += starts[k];
  }
  for (size_t k = keys; k > 0; k--) starts[k] = starts[k - 1];
  starts[0] = 0;
  return sorted;
}

/* ---- kinds ----------------------------------------------------------------------------------- */

static const tribo_kind_info *kind_called(const char *name) {
  const tribo_kind_info *row;
  if (strcmp(name, "soft") == 0) name = "solid";
  for (size_t i = 0; (row = tribo_kind_at(i)); i++)
    if (strcmp(row->name, name) == 0) return row;
  return NULL;
}

static const tribo_kind_info *kind_of_mesh(tribo_kind_mesh wanted) {
  const tribo_kind_info *row;
  for (size_t i = 0; (row = tribo_kind_at(i)); i++)
    if (row->mesh == wanted) return row;
  return NULL;
}

/* How many primitives of a type a thing has, and the triangles of its polygons. */
static size_t count_type(const split *s, const int32_t *prims, size_t count, hou_prim type) {
  size_t found = 0;
  for (size_t i = 0; i < count; i++) found += s->geo->prim_types[prims[i]] == type;
  return found;
}

static size_t corners_of(const hou_geo *geo, size_t prim) {
  return geo->first[prim + 1] - geo->first[prim];
}

static size_t triangles_of(const split *s, const int32_t *prims, size_t count) {
  size_t found = 0;
  for (size_t i = 0; i < count; i++)
    if (s->geo->prim_types[prims[i]] == HOU_POLYGON && corners_of(s->geo, (size_t)prims[i]) > 2)
      found += corners_of(s->geo, (size_t)prims[i]) - 2;
  return found;
}

/* Three points a triangle, and its primitive and corners where wanted. */
static void cut_all(const split *s, const int32_t *prims, size_t count, int32_t *points,
                    int32_t *of_prim, int32_t *corners) {
  size_t done = 0;
  for (size_t i = 0; i < count; i++) {
    size_t prim = (size_t)prims[i], n = corners_of(s->geo, prim), first = s->geo->first[prim];
    if (s->geo->prim_types[prim] != HOU_POLYGON || n < 3) continue;
    hou_polygon_cut(s->geo, prim, s->scratch, points + 3 * done);
    for (size_t k = 3 * done; k < 3 * (done + n - 2); k++) {
      size_t corner = first + (size_t)points[k];
      points[k] = s->geo->corners[corner];
      if (corners) corners[k] = (int32_t)corner;
      if (of_prim) of_prim[k / 3] = prims[i];
    }
    done += n - 2;
  }
}

static int is_closed(const split *s, const int32_t *prims, size_t count) {
  size_t triangles = triangles_of(s, prims, count);
  int32_t *points = malloc((3 * triangles + 1) * sizeof *points);
  if (!points) return -1;
  cut_all(s, prims, count, points, NULL, NULL);
  int closed = hou_triangles_closed(points, triangles);
  free(points);
  return closed;
}

static tribo_status kind_of_thing(const split *s, size_t thing, const int32_t *prims, size_t count,
                                  const tribo_kind_info **out, tribo_error *err) {
  const char *word = word_at(s, HOU_KIND, (size_t)s->first[thing]);
  char chosen[64] = "auto";
  if (s->input == HOU_COLLIDERS) word = "collider";
  if (!word) {
    hou_parm_choice(HOU_PARM_OBJECT_KIND, (size_t)s->settings->values[HOU_PARM_OBJECT_KIND][0],
                    chosen, sizeof chosen);
    word = chosen;
  }
  if (strcmp(word, "auto") != 0) {
    *out = kind_called(word);
    if (*out) return TRIBO_OK;
    return hou_fail(
        err, TRIBO_BAD_INPUT,
        "primitive %d: tribo_kind is '%.60s'; give cloth, solid, rigid, rod or collider", prims[0],
        word);
  }
  int closed = 0;
  if (count_type(s, prims, count, HOU_TET)) {
    *out = kind_of_mesh(TRIBO_MESH_TETS);
  } else if (count_type(s, prims, count, HOU_POLYGON)) {
    closed = is_closed(s, prims, count);
    *out = closed > 0 ? kind_of_mesh(TRIBO_MESH_TETS) : kind_called("cloth");
  } else {
    *out = kind_of_mesh(TRIBO_MESH_SEGMENTS);
  }
  return closed < 0 ? hou_no_memory(err) : TRIBO_OK;
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool same_name(const char *a, const char *b) {
  for (; *a && *b; a++, b++) {
    char x = *a >= 'A' && *a <= 'Z' ? (char)(*a + 32) : *a;
    char y = *b >= 'A' && *b <= 'Z' ? (char)(*b + 32) : *b;
    if (x != y) return false;
  }
  return *a == *b;
}

static bool is_taken(const hou_objects *o, const char *name) {
  for (size_t i = 0; i + 1 < o->count; i++)
    if (same_name(o->items[i].name, name)) return true;
  return false;
}

/* Paths of packed and Alembic geometry are names too: what no file may be called becomes _. */
static void name_object(hou_objects *o, const char *wanted) {
  char clean[96];
  while (*wanted == '/') wanted++;
  size_t n = (size_t)snprintf(clean, sizeof clean, "%s", wanted);
  if (n >= sizeof clean) n = sizeof clean - 1;
  while (n > 0 && ((unsigned char)wanted[n] & 0xC0) == 0x80) n--; /* no half of a letter */
  clean[n] = 0;
  for (size_t i = 0; i < n; i++)
    if (strchr("\\/<>:\"|?*", clean[i]) || (unsigned char)clean[i] < 32) clean[i] = '_';
  if (n > 0 && (clean[n - 1] == '.' || clean[n - 1] == ' ')) clean[n - 1] = '_';
  hou_object *object = o->items + o->count - 1;
  snprintf(object->name, sizeof object->name, "%s", clean);
  for (size_t again = o->count; is_taken(o, object->name); again++)
    snprintf(object->name, sizeof object->name, "%s_%zu", clean, again);
}

/* ---- objects --------------------------------------------------------------------------------- */

/* Decides which things are one object: object[thing]. Kinds by object in `kinds`. */
static tribo_status gather(split *s, const int32_t *prims, const size_t *starts,
                           const tribo_kind_info **kinds, size_t *count, tribo_error *err) {
  *count = 0;
  for (size_t t = 0; t < s->things; t++) {
    const tribo_kind_info *kind = NULL;
    tribo_status status =
        kind_of_thing(s, t, prims + starts[t], starts[t + 1] - starts[t], &kind, err);
    if (status != TRIBO_OK) return status;
    bool joins = !s->named[t] && (kind->deforms || !kind->simulated);
    size_t with = *count;
    for (size_t o = 0; joins && o < t; o++)
      if (!s->named[o] && kinds[s->object[o]] == kind) with = (size_t)s->object[o];
    s->object[t] = (int32_t)with;
    if (with == *count) kinds[(*count)++] = kind;
  }
  return TRIBO_OK;
}

/* Gives the points of the corners to the object, whose vertices are ascending points. */
static tribo_status take_points(split *s, hou_object *object, const int32_t *prims, size_t count,
                                tribo_error *err) {
  const int32_t number = (int32_t)(object - s->out->items);
  size_t lowest = SIZE_MAX, highest = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t c = s->geo->first[prims[i]]; c < s->geo->first[prims[i] + 1]; c++) {
      size_t p = (size_t)s->geo->corners[c];
      if (s->owner[p] >= 0 && s->owner[p] != number)
        return hou_fail(err, TRIBO_BAD_INPUT,
                        "point %zu belongs to '%s' and to '%s'; separate objects share no points "
                        "(Split or Facet SOP, Unique Points)",
                        p, s->out->items[s->owner[p]].name, object->name);
      object->vertex_count += s->owner[p] < 0;
      s->owner[p] = number;
      if (p < lowest) lowest = p;
      if (p > highest) highest = p;
    }
  object->points = malloc((object->vertex_count + 1) * sizeof *object->points);
  if (!object->points) return hou_no_memory(err);
  size_t v = 0;
  for (size_t p = lowest; p <= highest && v < object->vertex_count; p++)
    if (s->owner[p] == number) {
      s->vertex[p] = (int32_t)v;
      object->points[v++] = (int32_t)p;
    }
  return TRIBO_OK;
}

static tribo_status take_tets(const split *s, hou_object *object, const int32_t *prims,
                              size_t count, tribo_error *err) {
  object->tets = malloc((4 * object->tet_count + 1) * sizeof *object->tets);
  object->tet_prims = malloc((object->tet_count + 1) * sizeof *object->tet_prims);
  if (!object->tets || !object->tet_prims) return hou_no_memory(err);
  size_t done = 0;
  for (size_t i = 0; i < count; i++) {
    if (s->geo->prim_types[prims[i]] != HOU_TET) continue;
    const int32_t *corner = s->geo->corners + s->geo->first[prims[i]];
    const float *p[4];
    for (int k = 0; k < 4; k++) {
      p[k] = s->geo->positions + 3 * corner[k];
      object->tets[4 * done + (size_t)k] = s->vertex[corner[k]];
    }
    double e[3][3];
    for (int k = 0; k < 3; k++)
      for (int a = 0; a < 3; a++) e[k][a] = (double)p[k + 1][a] - (double)p[0][a];
    double volume = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
                    e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
                    e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
    if (volume < 0) { /* wound the other way: the core wants the fourth on the other side */
      int32_t other = object->tets[4 * done + 1];
      object->tets[4 * done + 1] = object->tets[4 * done + 2];
      object->tets[4 * done + 2] = other;
    }
    object->tet_prims[done++] = prims[i];
  }
  return TRIBO_OK;
}

/* What strands have between their points; a closed polygon is a ring. */
static size_t segments_of(const split *s, const int32_t *prims, size_t count) {
  size_t found = 0;
  for (size_t i = 0; i < count; i++) {
    size_t corners = corners_of(s->geo, (size_t)prims[i]);
    if (corners > 1) found += corners - (s->geo->prim_types[prims[i]] != HOU_POLYGON);
  }
  return found;
}

static tribo_status take_segments(const split *s, hou_object *object, const int32_t *prims,
                                  size_t count, tribo_error *err) {
  object->segments = malloc((2 * object->segment_count + 1) * sizeof *object->segments);
  object->segment_prims = malloc((object->segment_count + 1) * sizeof *object->segment_prims);
  if (!object->segments || !object->segment_prims) return hou_no_memory(err);
  size_t done = 0;
  for (size_t i = 0; i < count; i++) {
    size_t prim = (size_t)prims[i], corners = corners_of(s->geo, prim);
    const int32_t *corner = s->geo->corners + s->geo->first[prim];
    bool ring = s->geo->prim_types[prim] == HOU_POLYGON;
    for (size_t k = 0; corners > 1 && k + !ring < corners; k++) {
      object->segments[2 * done] = s->vertex[corner[k]];
      object->segments[2 * done + 1] = s->vertex[corner[(k + 1) % corners]];
      object->segment_prims[done++] = prims[i];
    }
  }
  return TRIBO_OK;
}

static tribo_status take_triangles(const split *s, hou_object *object, const int32_t *prims,
                                   size_t count, tribo_error *err) {
  size_t n = object->triangle_count;
  object->triangles = malloc((3 * n + 1) * sizeof *object->triangles);
  object->triangle_prims = malloc((n + 1) * sizeof *object->triangle_prims);
  object->triangle_corners = malloc((3 * n + 1) * sizeof *object->triangle_corners);
  if (!object->triangles || !object->triangle_prims || !object->triangle_corners)
    return hou_no_memory(err);
  cut_all(s, prims, count, object->triangles, object->triangle_prims, object->triangle_corners);
  for (size_t k = 0; k < 3 * n; k++) object->triangles[k] = s->vertex[object->triangles[k]];
  return TRIBO_OK;
}

static tribo_status add_object(split *s, const int32_t *prims, size_t count,
                               const tribo_kind_info *kind, tribo_error *err) {
  hou_object *grown = realloc(s->out->items, (s->out->count + 1) * sizeof *grown);
  if (!grown) return hou_no_memory(err);
  s->out->items = grown;
  hou_object *object = grown + s->out->count++;
  *object = (hou_object){.kind = kind,
                         .input = s->input,
                         .part = s->part,
                         .first_place = place_of(s->geo, (size_t)prims[0])};
  const char *named = word_at(s, HOU_NAME, (size_t)prims[0]);
  name_object(s->out, named ? named : s->geo->label[0] ? s->geo->label : kind->name);
  bool strands = kind->mesh == TRIBO_MESH_SEGMENTS;
  object->tet_count = strands ? 0 : count_type(s, prims, count, HOU_TET);
  object->segment_count = strands ? segments_of(s, prims, count) : 0;
  object->triangle_count = strands || object->tet_count ? 0 : triangles_of(s, prims, count);
  tribo_status status = take_points(s, object, prims, count, err);
  if (status == TRIBO_OK && object->tet_count) status = take_tets(s, object, prims, count, err);
  if (status == TRIBO_OK && strands) status = take_segments(s, object, prims, count, err);
  if (status == TRIBO_OK && object->triangle_count)
    status = take_triangles(s, object, prims, count, err);
  return status;
}

static tribo_status split_part(split *s, tribo_error *err) {
  for (size_t p = 0; p < s->geo->point_count; p++) s->owner[p] = -1;
  tribo_status status = find_things(s, err);
  if (status != TRIBO_OK) return status;
  size_t *starts = malloc((s->things + 2) * sizeof *starts), count = 0;
  const tribo_kind_info **kinds = malloc((s->things + 1) * sizeof *kinds);
  int32_t *prims = starts && kinds ? sorted_prims(s, NULL, s->things, starts) : NULL;
  if (!prims) status = hou_no_memory(err);
  if (status == TRIBO_OK) status = gather(s, prims, starts, kinds, &count, err);
  if (status == TRIBO_OK) {
    free(prims);
    prims = sorted_prims(s, s->object, count, starts);
    if (!prims) status = hou_no_memory(err);
  }
  for (size_t o = 0; status == TRIBO_OK && o < count; o++)
    status = add_object(s, prims + starts[o], starts[o + 1] - starts[o], kinds[o], err);
  free(prims);
  free(kinds);
  free(starts);
  return status;
}

/* ---- pins ------------------------------------------------------------------------------------ */

static bool follows(const hou_geo *geo, size_t point) {
  hou_place at = {point, 0, 0};
  const int32_t *pin = hou_geo_wholes(geo, HOU_PIN_TO_ANIMATION, at);
  return geo->pinned[point] || (pin && *pin);
}

static bool stays(const hou_geo *geo, size_t point) {
  hou_place at = {point, 0, 0};
  const int32_t *stopped = hou_geo_wholes(geo, HOU_STOPPED, at);
  const float *mass = hou_geo_reals(geo, HOU_MASS, at);
  return (stopped && (*stopped & 1)) || (mass && *mass == 0.0f);
}

static tribo_status find_pins(hou_object *o, const hou_geo *geo, hou_say *say, tribo_error *err) {
  if (!o->kind->simulated) return TRIBO_OK;
  o->pinned = malloc((o->vertex_count + 1) * sizeof *o->pinned);
  o->held = malloc((o->vertex_count + 1) * sizeof *o->held);
  if (!o->pinned || !o->held) return hou_no_memory(err);
  for (size_t v = 0; v < o->vertex_count; v++) {
    size_t point = (size_t)o->points[v];
    if (follows(geo, point))
      o->pinned[o->pinned_count++] = (int32_t)v;
    else if (stays(geo, point))
      o->held[o->held_count++] = (int32_t)v;
  }
  if (o->kind->pinnable || !(o->pinned_count + o->held_count)) return TRIBO_OK;
  hou_say_format(say, HOU_WARNING,
                 "'%s' is %s and takes no pins (point %d is pinned); make it a collider with "
                 "tribo_kind = \"collider\", or take the pins away",
                 o->name, o->kind->article, o->points[o->pinned_count ? o->pinned[0] : o->held[0]]);
  o->pinned_count = o->held_count = 0;
  return TRIBO_OK;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static tribo_status check_inputs(const hou_input inputs[HOU_INPUTS], tribo_error *err) {
  const hou_input *in = inputs + HOU_GEOMETRY, *pins = inputs + HOU_CONSTRAINTS;
  if (in->part_count == 0 || in->parts[0]->point_count == 0)
    return hou_fail(err, TRIBO_BAD_INPUT,
                    "the first input has no points; connect the geometry that "
                    "is to be simulated");
  if (pins->part_count && pins->parts[0]->point_count != in->parts[0]->point_count)
    return hou_fail(
        err, TRIBO_BAD_INPUT,
        "the constraints (second input) have %zu points and the geometry %zu; give them "
        "the same points in the same order",
        pins->parts[0]->point_count, in->parts[0]->point_count);
  return TRIBO_OK;
}

tribo_status hou_objects_find(const hou_input inputs[HOU_INPUTS], const hou_settings *settings,
                              hou_objects *out, hou_say *say, tribo_error *err) {
  *out = (hou_objects){0};
  tribo_status status = check_inputs(inputs, err);
  const int order[] = {HOU_GEOMETRY, HOU_COLLIDERS};
  for (int i = 0; status == TRIBO_OK && i < 2; i++)
    for (size_t part = 0; status == TRIBO_OK && part < inputs[order[i]].part_count; part++) {
      split s = {.geo = inputs[order[i]].parts[part],
                 .input = order[i],
                 .part = part,
                 .settings = settings,
                 .say = say,
                 .out = out};
      status = split_begin(&s) ? split_part(&s, err) : hou_no_memory(err);
      split_end(&s);
    }
  const hou_input *pins = inputs[HOU_CONSTRAINTS].part_count ? inputs + HOU_CONSTRAINTS : inputs;
  bool simulated = false;
  for (size_t i = 0; status == TRIBO_OK && i < out->count; i++) {
    simulated = simulated || out->items[i].kind->simulated;
    if (out->items[i].input == HOU_GEOMETRY)
      status = find_pins(out->items + i, pins->parts[0], say, err);
  }
  if (status == TRIBO_OK && !simulated)
    status = hou_fail(err, TRIBO_BAD_INPUT,
                      "the first input has nothing to simulate: no polygons, no "
                      "tets; connect a mesh, or set Kind");
  if (status == TRIBO_OK) out->point_count = inputs[HOU_GEOMETRY].parts[0]->point_count;
  if (status != TRIBO_OK) hou_objects_free(out);
  return status;
}

void hou_objects_free(hou_objects *o) {
  for (size_t i = 0; i < o->count; i++) {
    hou_object *object = o->items + i;
    free(object->points);
    free(object->triangles);
    free(object->triangle_prims);
    free(object->triangle_corners);
    free(object->tets);
    free(object->tet_prims);
    free(object->segments);
    free(object->segment_prims);
    free(object->pinned);
    free(object->held);
  }
  free(o->items);
  *o = (hou_objects){0};
}
