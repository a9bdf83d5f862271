/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "materials.h"
#include "space.h"

/* One object on its way into the scene. */
typedef struct draft {
  const hou_reading *reading;
  const hou_settings *settings;
  const hou_object *object;
  const hou_geo *geo, *pin_geo;
  const char *material; /* NULL: custom */
  tribo_object_def def;
  tribo_fill_params fill;
  tribo_pin_def pins[2];
  double *positions, *uvs, *friction, *stiffness, *structure;
  hou_say *say;
} draft;

static void draft_free(draft *d) {
  free(d->positions);
  free(d->uvs);
  free(d->friction);
  free(d->stiffness);
  free(d->structure);
  tribo_map_free(&d->def.structure_map);
  tribo_map_free(&d->def.friction_map);
}

/* ---- parameters ------------------------------------------------------------------------------ */

/* The struct of a group of an object's parameters; NULL: it has no such group. */
static void *object_group(draft *d, const char *group) {
  const struct {
    const char *name;
    void *params;
  } groups[] = {{"object", &d->def.object},   {"cloth", &d->def.cloth},    {"solid", &d->def.solid},
                {"rigid", &d->def.rigid},     {"fill", &d->fill},          {"maps", &d->def.maps},
                {"surface", &d->def.surface}, {"pin", &d->pins[0].params}, {"rod", &d->def.rod}};
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
    if (strcmp(groups[i].name, group) == 0) return groups[i].params;
  return NULL;
}

static void put_number(const tribo_param_info *p, void *params, const double *value) {
  void *field = (char *)params + p->offset;
  switch (p->kind) {
    case TRIBO_PARAM_REAL: memcpy(field, value, sizeof *value); break;
    case TRIBO_PARAM_VEC3: memcpy(field, value, 3 * sizeof *value); break;
    case TRIBO_PARAM_INT:
    case TRIBO_PARAM_CHOICE: {
      int whole = (int)lround(fmin(fmax(value[0], -2e9), 2e9));
      memcpy(field, &whole, sizeof whole);
      break;
    }
  }
}

/* The value of a row as the core has it. */
static void put_row(const hou_parm *p, const double value[3], void *params) {
  double turned[3] = {value[0], value[1], value[2]};
  if (p->in_space) space_in_exact(value, turned);
  put_number(p->param, params, turned);
}

static bool is_default(const hou_parm *p, const double value[3]) {
  return memcmp(p->value, value, (p->type == HOU_PARM_VEC3 ? 3 : 1) * sizeof *value) == 0;
}

static bool decides(const draft *d, const tribo_param_info *p) {
  const hou_material_row *row;
  for (size_t i = 0; (row = hou_material_row_at(i)); i++)
    if (row->kind == d->object->kind->kind && strcmp(row->material, d->material) == 0 &&
        strcmp(row->group, p->group) == 0 && strcmp(row->parameter, p->name) == 0)
      return true;
  return false;
}

static size_t material_row(tribo_kind kind) {
  switch (kind) {
    case TRIBO_CLOTH: return HOU_PARM_CLOTH_MATERIAL;
    case TRIBO_SOLID: return HOU_PARM_SOLID_MATERIAL;
    case TRIBO_RIGID: return HOU_PARM_RIGID_MATERIAL;
    case TRIBO_COLLIDER: return HOU_PARM_COLLIDER_MATERIAL;
    case TRIBO_ROD: break; /* no presets */
  }
  return SIZE_MAX;
}

static tribo_status find_material(draft *d, tribo_error *err) {
  const hou_object *o = d->object;
  const char *word = hou_geo_word(d->geo, HOU_MATERIAL, o->first_place);
  size_t row = material_row(o->kind->kind);
  if (row == SIZE_MAX || (word && strcmp(word, "custom") == 0)) return TRIBO_OK;
  if (word && !hou_material_known(o->kind->kind, word))
    return hou_fail(
        err, TRIBO_BAD_INPUT,
        "'%s' (primitive %zu): tribo_material '%.60s' is no material of %s; give one of "
        "the menu Material, or custom",
        o->name, o->first_place.prim, word, o->kind->article);
  size_t number = (size_t)d->settings->values[row][0];
  d->material = word ? word : hou_material_name(o->kind->kind, number);
  return TRIBO_OK;
}

static double size_of(const draft *d) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (size_t i = 0; i < 3 * d->def.vertex_count; i++) {
    low[i % 3] = fmin(low[i % 3], d->positions[i]);
    high[i % 3] = fmax(high[i % 3], d->positions[i]);
  }
  return cbrt((high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]));
}

static void take_material(draft *d) {
  const hou_material_row *row;
  size_t count;
  const tribo_param_info *table = tribo_param_table(&count);
  for (size_t i = 0; d->material && (row = hou_material_row_at(i)); i++) {
    if (row->kind != d->object->kind->kind || strcmp(row->material, d->material) != 0) continue;
    for (size_t k = 0; k < count; k++)
      if (strcmp(table[k].group, row->group) == 0 && strcmp(table[k].name, row->parameter) == 0)
        put_number(table + k, object_group(d, row->group), &row->value);
  }
  if (d->material) hou_material_size(d->material, size_of(d), &d->def.solid);
}

static void take_parms(draft *d) {
  hou_parm p;
  for (size_t row = HOU_PARM_OWN; hou_parm_at(row, &p); row++) {
    if (strncmp(p.param->place, "objects[]", 9) != 0) continue;
    void *params = object_group(d, p.param->group);
    const double *value = d->settings->values[row];
    bool own = d->object->kind->group && strcmp(d->object->kind->group, p.param->group) == 0;
    if (!params || (d->material && own)) continue;
    if (d->material && decides(d, p.param) && is_default(&p, value)) continue;
    put_row(&p, value, params);
  }
}

/* Attributes "tribo_GROUP_NAME", as the first primitive of the object has them. */
static tribo_status take_attributes(draft *d, tribo_error *err) {
  hou_attribute a;
  size_t count, row = HOU_FIXED_ATTRIBUTES;
  const tribo_param_info *table = tribo_param_table(&count);
  for (size_t i = 0; i < count; i++) {
    if (strncmp(table[i].place, "objects[]", 9) != 0) continue;
    size_t here = row++;
    if (!d->geo->columns[here].owner) continue;
    void *params = object_group(d, table[i].group);
    hou_attribute_at(here, &a);
    const char *word = hou_geo_word(d->geo, here, d->object->first_place);
    const float *reals = hou_geo_reals(d->geo, here, d->object->first_place);
    tribo_error why = {0};
    if (!params) continue;
    if (word && tribo_param_set(table[i].group, table[i].name, word, params, &why) != TRIBO_OK)
      return hou_fail(err, TRIBO_BAD_INPUT, "'%s' (primitive %zu), attribute %s: %.600s",
                      d->object->name, d->object->first_place.prim, a.name, why.message);
    if (reals) {
      double value[3] = {(double)reals[0]};
      if (a.width == 3) space_in(reals, value);
      put_number(table + i, params, value);
    }
  }
  return TRIBO_OK;
}

/* ---- geometry -------------------------------------------------------------------------------- */

static hou_place vertex_place(const draft *d, size_t v) {
  return (hou_place){(size_t)d->object->points[v], 0, d->object->first_place.prim};
}

static tribo_status take_mesh(draft *d, tribo_error *err) {
  const hou_object *o = d->object;
  d->positions = malloc((3 * o->vertex_count + 1) * sizeof *d->positions);
  if (!d->positions) return hou_no_memory(err);
  for (size_t v = 0; v < o->vertex_count; v++)
    space_in(d->geo->positions + 3 * o->points[v], d->positions + 3 * v);
  d->def.positions = d->positions;
  d->def.vertex_count = o->vertex_count;
  d->def.triangles = o->triangle_count ? o->triangles : NULL;
  d->def.triangle_count = o->triangle_count;
  d->def.tets = o->tet_count ? o->tets : NULL;
  d->def.tet_count = o->tet_count;
  d->def.segments = o->segment_count ? o->segments : NULL;
  d->def.segment_count = o->segment_count;
  return TRIBO_OK;
}

/* The mean of a row of one number over the vertices; whether there is one. */
static bool mean_of(const draft *d, size_t row, double *mean, double *low, double *high) {
  *mean = 0;
  *low = INFINITY;
  *high = -INFINITY;
  size_t count = d->object->vertex_count;
  for (size_t v = 0; v < count; v++) {
    const float *value = hou_geo_reals(d->geo, row, vertex_place(d, v));
    if (!value) return false;
    *mean += (double)*value;
    *low = fmin(*low, (double)*value);
    *high = fmax(*high, (double)*value);
  }
  *mean = *low == *high ? *low : *mean / (double)count; /* the same everywhere: to the last bit */
  return count > 0;
}

static bool mean_vector(const draft *d, size_t row, double out[3]) {
  double sum[3] = {0}, turned[3];
  size_t count = d->object->vertex_count;
  for (size_t v = 0; v < count; v++) {
    const float *value = hou_geo_reals(d->geo, row, vertex_place(d, v));
    if (!value) return false;
    space_in(value, turned);
    for (int k = 0; k < 3; k++) sum[k] += turned[k] / (double)count;
  }
  memcpy(out, sum, sizeof sum);
  return count > 0;
}

static double *by_vertex(const draft *d, size_t row, size_t width) {
  double *out = malloc((width * d->object->vertex_count + 1) * sizeof *out);
  for (size_t v = 0; out && v < d->object->vertex_count; v++) {
    const float *value = hou_geo_reals(d->geo, row, vertex_place(d, v));
    if (width == 3)
      space_in(value, out + 3 * v);
    else
      out[v] = (double)*value;
  }
  return out;
}

static void take_means(draft *d) {
  double mean, low, high;
  if (mean_of(d, HOU_THICKNESS, &mean, &low, &high)) {
    bool strands = d->object->segment_count > 0; /* whose radius is what others keep */
    *(strands ? &d->def.rod.radius : &d->def.surface.thickness) = mean;
    if (high - low > 0.01 * fabs(mean))
      hou_say_format(d->say, HOU_WARNING,
                     "'%s': thickness goes from %g to %g, but an object has one: %g, the mean, is "
                     "taken; make it the same everywhere, or separate objects",
                     d->object->name, low, high, mean);
  }
  if (!d->object->kind->simulated) return;
  mean_vector(d, HOU_V, d->def.object.velocity);
  mean_vector(d, HOU_W, d->def.object.spin);
}

static tribo_status take_uvs(draft *d, tribo_error *err) {
  const hou_object *o = d->object;
  if (!d->geo->columns[HOU_UV].owner || !o->triangle_count) return TRIBO_OK;
  d->uvs = malloc((6 * o->triangle_count + 1) * sizeof *d->uvs);
  if (!d->uvs) return hou_no_memory(err);
  for (size_t k = 0; k < 3 * o->triangle_count; k++) {
    size_t corner = (size_t)o->triangle_corners[k];
    hou_place at = {(size_t)d->geo->corners[corner], corner, 0};
    const float *uv = hou_geo_reals(d->geo, HOU_UV, at);
    d->uvs[2 * k] = (double)uv[0];
    d->uvs[2 * k + 1] = (double)uv[1];
  }
  d->def.uvs = d->uvs;
  return TRIBO_OK;
}

static tribo_status take_map(draft *d, size_t attribute, size_t parm, tribo_map_def *map,
                             tribo_error *err) {
  const char *path = hou_geo_word(d->geo, attribute, d->object->first_place);
  bool asked = path != NULL;
  if (!path && d->object->input == HOU_GEOMETRY) path = d->settings->texts[parm];
  if (!path || !path[0]) return TRIBO_OK;
  if (!d->def.uvs && !asked) {
    hou_say_format(d->say, HOU_WARNING,
                   "'%s' has no uv, so the map %s is not on it; give it uv on vertices or points",
                   d->object->name, path);
    return TRIBO_OK;
  }
  return tribo_map_read(path, map, err);
}

static tribo_status take_paint(draft *d, tribo_error *err) {
  bool deforms = d->object->kind->deforms;
  if (d->geo->columns[HOU_FRICTION].owner) d->friction = by_vertex(d, HOU_FRICTION, 1);
  if (d->geo->columns[HOU_STIFFNESS].owner && deforms)
    d->stiffness = by_vertex(d, HOU_STIFFNESS, 1);
  if (d->geo->columns[HOU_STRUCTURE].owner) d->structure = by_vertex(d, HOU_STRUCTURE, 3);
  if ((d->geo->columns[HOU_FRICTION].owner && !d->friction) ||
      (d->geo->columns[HOU_STIFFNESS].owner && deforms && !d->stiffness) ||
      (d->geo->columns[HOU_STRUCTURE].owner && !d->structure))
    return hou_no_memory(err);
  d->def.vertex_friction = d->friction;
  d->def.vertex_stiffness = d->stiffness;
  d->def.vertex_structure = d->structure;
  tribo_status status = take_uvs(d, err);
  if (status == TRIBO_OK)
    status = take_map(d, HOU_STRUCTURE_MAP, HOU_PARM_STRUCTURE_MAP, &d->def.structure_map, err);
  if (status == TRIBO_OK)
    status = take_map(d, HOU_FRICTION_MAP, HOU_PARM_FRICTION_MAP, &d->def.friction_map, err);
  return status;
}

/* ---- motion ---------------------------------------------------------------------------------- */

static void take_motion(draft *d, const hou_track *track, double start) {
  const hou_object *o = d->object;
  double interval = 1.0 / fmin(fmax(d->settings->values[HOU_PARM_SAMPLES][0], 1), 32);
  if (!o->kind->simulated)
    d->def.motion = (tribo_motion_def){.points = track->values,
                                       .sample_count = track->count,
                                       .start = start,
                                       .interval = interval};
  tribo_pin_params soft = d->pins[0].params;
  size_t count = 0;
  if (o->pinned_count)
    d->pins[count++] = (tribo_pin_def){.vertices = o->pinned,
                                       .vertex_count = o->pinned_count,
                                       .targets = track->values,
                                       .target_count = track->count,
                                       .target_start = start,
                                       .target_interval = interval,
                                       .params = soft};
  if (o->held_count)
    d->pins[count++] = (tribo_pin_def){.vertices = o->held,
                                       .vertex_count = o->held_count,
                                       .target_interval = 1,
                                       .params = tribo_pin_defaults()};
  d->def.pins = count ? d->pins : NULL;
  d->def.pin_count = count;
}

/* ---- the scene ------------------------------------------------------------------------------- */

static tribo_status add_draft(draft *d, tribo_scene *scene, tribo_error *err) {
  bool fills = d->object->kind->mesh == TRIBO_MESH_TETS && !d->def.tets;
  size_t index;
  tribo_status status = fills ? tribo_scene_add_filled(scene, &d->def, &d->fill, &index, err)
                              : tribo_scene_add(scene, &d->def, &index, err);
  const char *note = status == TRIBO_OK ? tribo_scene_note(scene, index) : NULL;
  if (note) hou_say_add(d->say, HOU_NOTE, note);
  return status;
}

typedef struct building {
  const hou_reading *reading;
  const hou_settings *settings;
  hou_time time;
  const double *thickness, *weight; /* by object; NULL: none */
  hou_say *say;
} building;

static tribo_status add_object(const building *b, tribo_scene *scene, size_t number,
                               tribo_error *err) {
  const hou_object *o = b->reading->objects.items + number;
  draft d = {.reading = b->reading,
             .settings = b->settings,
             .object = o,
             .geo = b->reading->first[o->input].parts[o->part],
             .say = b->say,
             .def = tribo_object_default(o->kind->kind),
             .fill = tribo_fill_defaults()};
  d.pins[0].params = tribo_pin_defaults();
  d.def.name = o->name;
  tribo_status status = find_material(&d, err);
  if (status == TRIBO_OK) status = take_mesh(&d, err);
  if (status == TRIBO_OK) {
    take_material(&d);
    take_parms(&d);
    status = take_attributes(&d, err);
  }
  if (status == TRIBO_OK) {
    take_means(&d);
    if (b->thickness) d.def.surface.thickness = b->thickness[number];
    if (b->weight) {
      d.def.cloth.density *= b->weight[number];
      d.def.solid.density *= b->weight[number];
      d.def.rigid.density *= b->weight[number];
      d.def.rod.density *= b->weight[number];
    }
    status = take_paint(&d, err);
  }
  if (status == TRIBO_OK) {
    take_motion(&d, b->reading->tracks + number, b->time.start);
    status = add_draft(&d, scene, err);
  }
  draft_free(&d);
  return status;
}

static void *scene_group(tribo_scene *scene, const char *group) {
  if (strcmp(group, "world") == 0) return tribo_scene_world(scene);
  if (strcmp(group, "time") == 0) return tribo_scene_time(scene);
  if (strcmp(group, "solver") == 0) return tribo_scene_solver(scene);
  if (strcmp(group, "friction") == 0) return tribo_scene_friction(scene);
  if (strcmp(group, "combine") == 0) return tribo_scene_combine(scene);
  return NULL;
}

static void set_scene(const building *b, const tribo_choice *chosen, tribo_scene *scene) {
  hou_parm p;
  for (size_t row = HOU_PARM_OWN; hou_parm_at(row, &p); row++) {
    void *params = scene_group(scene, p.param->group);
    if (params) put_row(&p, b->settings->values[row], params);
  }
  tribo_time_params *time = tribo_scene_time(scene);
  time->start = b->time.start;
  time->end = b->time.end;
  time->fps = b->time.fps;
  if (!chosen) return;
  tribo_scene_world(scene)->quality = TRIBO_QUALITY_CUSTOM;
  tribo_scene_world(scene)->method = chosen->method;
  time->substeps = chosen->substeps;
}

static double dynamic_of(const building *b, size_t number) {
  const hou_object *o = b->reading->objects.items + number;
  draft d = {.object = o, .geo = b->reading->first[o->input].parts[o->part]};
  double mean, low, high;
  return mean_of(&d, HOU_DYNAMIC_FRICTION, &mean, &low, &high) ? mean : 1.0;
}

/* Friction of what slides is a matter of pairs. */
static tribo_status set_pairs(const building *b, tribo_scene *scene, tribo_error *err) {
  const hou_objects *objects = &b->reading->objects;
  tribo_status status = TRIBO_OK;
  for (size_t i = 0; status == TRIBO_OK && i < objects->count; i++)
    for (size_t k = i; status == TRIBO_OK && k < objects->count; k++) {
      double scale = dynamic_of(b, i) * dynamic_of(b, k);
      bool moves = objects->items[i].kind->simulated || objects->items[k].kind->simulated;
      if (scale == 1.0 || !moves || (i == k && !objects->items[i].kind->deforms)) continue;
      tribo_friction_params f;
      status = tribo_scene_pair_friction(scene, i, k, &f, err);
      if (status != TRIBO_OK) break;
      f.mu_dynamic = fmin(f.mu, f.mu_dynamic * scale);
      status = tribo_scene_set_pair(scene, objects->items[i].name, objects->items[k].name, &f, err);
    }
  return status;
}

static tribo_status build(const building *b, const tribo_choice *chosen, tribo_scene **out,
                          tribo_error *err) {
  tribo_status status = tribo_scene_create(out, err);
  if (status != TRIBO_OK) return status;
  set_scene(b, chosen, *out);
  bool dynamic = false;
  for (size_t i = 0; status == TRIBO_OK && i < b->reading->objects.count; i++) {
    const hou_object *o = b->reading->objects.items + i;
    dynamic =
        dynamic || b->reading->first[o->input].parts[o->part]->columns[HOU_DYNAMIC_FRICTION].owner;
    status = add_object(b, *out, i, err);
  }
  if (status == TRIBO_OK && dynamic) status = set_pairs(b, *out, err);
  if (status == TRIBO_OK) return status;
  tribo_scene_free(*out);
  *out = NULL;
  return status;
}

/* What the masses of its points make of an object's density; whether of any. */
static bool weigh(const building *b, const tribo_scene *scene, double *weight) {
  bool any = false;
  for (size_t i = 0; i < b->reading->objects.count; i++) {
    const hou_object *o = b->reading->objects.items + i;
    draft d = {.object = o, .geo = b->reading->first[o->input].parts[o->part]};
    double mean, low, high, mass = tribo_object_mass(tribo_scene_object(scene, i));
    weight[i] = 1.0;
    if (!o->kind->simulated || !mean_of(&d, HOU_MASS, &mean, &low, &high)) continue;
    double wanted = mean * (double)o->vertex_count;
    if (!(wanted > 0) || !(mass > 0)) continue;
    weight[i] = wanted / mass;
    any = true;
    hou_say_format(b->say, HOU_NOTE,
                   "'%s' weighs %.4g kg, by the attribute mass of its points; without it, %.4g kg",
                   o->name, wanted, mass);
  }
  return any;
}

tribo_status hou_scene_build(const hou_reading *r, const hou_settings *settings, hou_time time,
                             const tribo_choice *chosen, const double *thickness, tribo_scene **out,
                             hou_say *say, tribo_error *err) {
  building b = {r, settings, time, thickness, NULL, say};
  tribo_status status = build(&b, chosen, out, err);
  if (status != TRIBO_OK) return status;
  double *weight = malloc((r->objects.count + 1) * sizeof *weight);
  if (!weight) {
    tribo_scene_free(*out);
    *out = NULL;
    return hou_no_memory(err);
  }
  if (weigh(&b, *out, weight)) {
    tribo_scene_free(*out);
    b.weight = weight;
    status = build(&b, chosen, out, err);
  }
  free(weight);
  return status;
}
