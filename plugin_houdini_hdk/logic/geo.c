/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tribo/scene.h>

#define PARTS  (HOU_PRIMITIVE | HOU_DETAIL)
#define POINTS (HOU_POINT | HOU_DETAIL)

static const hou_attribute FIXED[HOU_FIXED_ATTRIBUTES] = {
    [HOU_NAME] = {"name", HOU_PRIMITIVE | HOU_POINT, HOU_TEXT, 1, "what is one object"},
    [HOU_KIND] = {"tribo_kind", HOU_PRIMITIVE | POINTS, HOU_TEXT, 1,
                  "cloth, solid, rigid, rod or collider"},
    [HOU_MATERIAL] = {"tribo_material", PARTS, HOU_TEXT, 1, "a material of the menus"},
    [HOU_STRUCTURE_MAP] = {"tribo_structure_map", PARTS, HOU_TEXT, 1, "file of a structure map"},
    [HOU_FRICTION_MAP] = {"tribo_friction_map", PARTS, HOU_TEXT, 1, "file of a grip map"},
    [HOU_PIN_TO_ANIMATION] = {"pintoanimation", HOU_POINT, HOU_WHOLE, 1,
                              "1: the point follows its input"},
    [HOU_STOPPED] = {"stopped", HOU_POINT, HOU_WHOLE, 1, "bit 0: the point stays where it is"},
    [HOU_MASS] = {"mass", HOU_POINT, HOU_REAL, 1, "0: the point stays where it is; else kg"},
    [HOU_V] = {"v", HOU_POINT, HOU_REAL, 3, "velocity at the start, the mean of an object"},
    [HOU_W] = {"w", HOU_POINT, HOU_REAL, 3, "angular velocity at the start, the mean"},
    [HOU_FRICTION] = {"friction", POINTS, HOU_REAL, 1, "multiplies friction"},
    [HOU_DYNAMIC_FRICTION] = {"dynamicfriction", POINTS, HOU_REAL, 1,
                              "multiplies friction of what slides, the mean of an object"},
    [HOU_THICKNESS] = {"thickness", POINTS, HOU_REAL, 1,
                       "radius: what others keep from the object, the mean"},
    [HOU_STIFFNESS] = {"tribo_stiffness", POINTS, HOU_REAL, 1, "multiplies all elastic stiffness"},
    [HOU_STRUCTURE] = {"structure", HOU_POINT, HOU_REAL, 3, "direction of grain or grooves"},
    [HOU_UV] = {"uv", HOU_VERTEX | HOU_POINT, HOU_REAL, 3, "for maps and thread directions"},
};

static bool of_objects(const tribo_param_info *p) { return strncmp(p->place, "objects[]", 9) == 0; }

static const tribo_param_info *object_param(size_t number) {
  size_t count;
  const tribo_param_info *table = tribo_param_table(&count);
  for (size_t i = 0; i < count; i++)
    if (of_objects(table + i) && number-- == 0) return table + i;
  return NULL;
}

bool hou_attribute_at(size_t row, hou_attribute *out) {
  if (row < HOU_FIXED_ATTRIBUTES) {
    *out = FIXED[row];
    return true;
  }
  const tribo_param_info *p = object_param(row - HOU_FIXED_ATTRIBUTES);
  if (!p) return false;
  *out = (hou_attribute){.owners = PARTS,
                         .storage = p->kind == TRIBO_PARAM_CHOICE ? HOU_TEXT : HOU_REAL,
                         .width = p->kind == TRIBO_PARAM_VEC3 ? 3 : 1,
                         .about = p->help};
  snprintf(out->name, sizeof out->name, "tribo_%s_%s", p->group, p->name);
  return true;
}

size_t hou_attribute_count(void) {
  size_t count, rows = HOU_FIXED_ATTRIBUTES;
  const tribo_param_info *table = tribo_param_table(&count);
  for (size_t i = 0; i < count; i++) rows += of_objects(table + i);
  return rows;
}

/* ---- making and filling ---------------------------------------------------------------------- */

static void geo_free(hou_geo *geo) {
  if (!geo) return;
  size_t rows = hou_attribute_count();
  for (size_t i = 0; geo->columns && i < rows; i++) {
    free(geo->columns[i].reals);
    free(geo->columns[i].wholes);
  }
  for (size_t i = 0; i < geo->text_count; i++) free(geo->texts[i]);
  free(geo->texts);
  free(geo->columns);
  free(geo->positions);
  free(geo->prim_types);
  free(geo->first);
  free(geo->corners);
  free(geo->pinned);
  free(geo->label);
  free(geo);
}

hou_geo *hou_input_add(hou_input *in, size_t points, size_t prims, size_t corners,
                       const char *label) {
  hou_geo **grown = realloc(in->parts, (in->part_count + 1) * sizeof *grown);
  if (!grown) return NULL;
  in->parts = grown;
  hou_geo *geo = calloc(1, sizeof *geo);
  if (!geo) return NULL;
  geo->positions = calloc(3 * points + 1, sizeof *geo->positions);
  geo->prim_types = calloc(prims + 1, sizeof *geo->prim_types);
  geo->first = calloc(prims + 1, sizeof *geo->first);
  geo->corners = calloc(corners + 1, sizeof *geo->corners);
  geo->pinned = calloc(points + 1, sizeof *geo->pinned);
  geo->columns = calloc(hou_attribute_count(), sizeof *geo->columns);
  geo->label = strdup(label ? label : "");
  if (!geo->positions || !geo->prim_types || !geo->first || !geo->corners || !geo->pinned ||
      !geo->columns || !geo->label) {
    geo_free(geo);
    return NULL;
  }
  geo->point_count = points;
  geo->prim_count = prims;
  geo->corner_count = geo->first[prims] = corners;
  return in->parts[in->part_count++] = geo;
}

void hou_input_clear(hou_input *in) {
  for (size_t i = 0; i < in->part_count; i++) geo_free(in->parts[i]);
  free(in->parts);
  *in = (hou_input){0};
}

size_t hou_geo_elements(const hou_geo *geo, hou_owner owner) {
  switch (owner) {
    case HOU_POINT: return geo->point_count;
    case HOU_VERTEX: return geo->corner_count;
    case HOU_PRIMITIVE: return geo->prim_count;
    case HOU_DETAIL: return 1;
  }
  return 0;
}

hou_column *hou_geo_column(hou_geo *geo, size_t row, hou_owner owner) {
  hou_attribute a;
  if (!hou_attribute_at(row, &a)) return NULL;
  hou_column *column = geo->columns + row;
  size_t count = hou_geo_elements(geo, owner) * (size_t)a.width + 1;
  if (a.storage == HOU_REAL)
    column->reals = calloc(count, sizeof *column->reals);
  else
    column->wholes = calloc(count, sizeof *column->wholes);
  if (!column->reals && !column->wholes) return NULL;
  column->owner = owner;
  return column;
}

int32_t hou_geo_text(hou_geo *geo, const char *text) {
  for (size_t i = geo->text_count; i-- > 0;) /* the last is the likeliest */
    if (strcmp(geo->texts[i], text) == 0) return (int32_t)i;
  if (geo->text_count == geo->text_room) {
    size_t room = 2 * geo->text_room + 8;
    char **grown = realloc(geo->texts, room * sizeof *grown);
    if (!grown) return -1;
    geo->texts = grown;
    geo->text_room = room;
  }
  char *copy = strdup(text);
  if (!copy) return -1;
  geo->texts[geo->text_count] = copy;
  return (int32_t)geo->text_count++;
}

/* ---- looking --------------------------------------------------------------------------------- */

static size_t element(const hou_column *column, hou_place at) {
  switch (column->owner) {
    case HOU_POINT: return at.point;
    case HOU_VERTEX: return at.corner;
    case HOU_PRIMITIVE: return at.prim;
    case HOU_DETAIL: return 0;
  }
  return 0;
}

const float *hou_geo_reals(const hou_geo *geo, size_t row, hou_place at) {
  const hou_column *column = geo->columns + row;
  hou_attribute a;
  if (!column->owner || !column->reals || !hou_attribute_at(row, &a)) return NULL;
  return column->reals + element(column, at) * (size_t)a.width;
}

const int32_t *hou_geo_wholes(const hou_geo *geo, size_t row, hou_place at) {
  const hou_column *column = geo->columns + row;
  if (!column->owner || !column->wholes) return NULL;
  return column->wholes + element(column, at);
}

const char *hou_geo_word(const hou_geo *geo, size_t row, hou_place at) {
  const int32_t *number = hou_geo_wholes(geo, row, at);
  if (!number || *number < 0 || (size_t)*number >= geo->text_count) return NULL;
  return geo->texts[*number][0] ? geo->texts[*number] : NULL;
}

/* ---- hashes ---------------------------------------------------------------------------------- */

uint64_t hou_mix(uint64_t hash, const void *bytes, size_t size) {
  const unsigned char *p = bytes;
  for (; size >= 8; size -= 8, p += 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  for (; size; size--, p++) hash = (hash ^ *p) * 0x100000001B3u;
  return hash ^ (hash >> 32);
}

static uint64_t mix_count(uint64_t hash, size_t count) {
  uint64_t wide = count;
  return hou_mix(hash, &wide, sizeof wide);
}

static uint64_t mix_topology(uint64_t h, const hou_geo *geo) {
  h = mix_count(h, geo->point_count);
  h = mix_count(h, geo->prim_count);
  h = hou_mix(h, geo->prim_types, geo->prim_count);
  h = hou_mix(h, geo->first, (geo->prim_count + 1) * sizeof *geo->first);
  return hou_mix(h, geo->corners, geo->corner_count * sizeof *geo->corners);
}

uint64_t hou_input_topology(const hou_input *in) {
  uint64_t h = mix_count(17, in->part_count);
  for (size_t i = 0; i < in->part_count; i++) h = mix_topology(h, in->parts[i]);
  return h;
}

static uint64_t mix_columns(uint64_t h, const hou_geo *geo) {
  hou_attribute a;
  for (size_t row = 0; hou_attribute_at(row, &a); row++) {
    const hou_column *c = geo->columns + row;
    if (!c->owner) continue;
    size_t count = hou_geo_elements(geo, c->owner) * (size_t)a.width;
    h = mix_count(h, row * 16 + (size_t)c->owner);
    h = c->reals ? hou_mix(h, c->reals, count * sizeof *c->reals)
                 : hou_mix(h, c->wholes, count * sizeof *c->wholes);
  }
  for (size_t i = 0; i < geo->text_count; i++)
    h = hou_mix(h, geo->texts[i], strlen(geo->texts[i]) + 1);
  return h;
}

uint64_t hou_input_hash(const hou_input *in) {
  uint64_t h = mix_count(31, in->part_count);
  for (size_t i = 0; i < in->part_count; i++) {
    const hou_geo *geo = in->parts[i];
    h = mix_topology(h, geo);
    h = hou_mix(h, geo->positions, 3 * geo->point_count * sizeof *geo->positions);
    h = hou_mix(h, geo->pinned, geo->point_count);
    h = hou_mix(h, geo->label, strlen(geo->label) + 1);
    h = mix_columns(h, geo);
  }
  return h;
}
