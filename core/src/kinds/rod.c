/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kind rod: strands of points and segments that stretch, bend and twist: ropes, cables, hair.
 * Nodes are the points, and after them a director a segment (energy/rod.h), strand after strand.
 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "kinds/kind.h"
#include "kinds/mesh_check.h"
#include "kinds/rod_shape.h"
#include "model/kinematics.h"
#include "model/stiffness.h"

#define refuse mesh_check_refuse

/* ---- the check ------------------------------------------------------------------------------- */

static tribo_status check_indices(const tribo_object_def *def, tribo_error *err) {
  for (size_t k = 0; k < def->segment_count; k++) {
    const int32_t *p = def->segments + 2 * k;
    for (int i = 0; i < 2; i++)
      if (p[i] < 0 || (size_t)p[i] >= def->vertex_count)
        return refuse(err, def, "segment %zu uses vertex %d, but the object has %zu vertices", k,
                      p[i], def->vertex_count);
    if (p[0] == p[1])
      return refuse(err, def, "segment %zu uses vertex %d twice; remove it", k, p[0]);
  }
  return TRIBO_OK;
}

static tribo_status refuse_fault(const tribo_object_def *def, const strands_fault *f,
                                 tribo_error *err) {
  switch (f->kind) {
    case STRANDS_SOUND: return TRIBO_OK;
    case STRANDS_LOOSE:
      return refuse(err, def, "vertex %d belongs to no segment; remove it or connect it", f->point);
    case STRANDS_BRANCH:
      return refuse(err, def,
                    "vertex %d has more than two segments; a strand does not branch: separate it "
                    "there",
                    f->point);
    case STRANDS_TWICE:
      return refuse(err, def, "two segments join vertices %d and %d; remove one", f->point,
                    f->other);
  }
  return TRIBO_OK;
}

static tribo_status check(const tribo_object_def *def, tribo_error *err) {
  TRY(check_indices(def, err));
  arena scratch = {0};
  strands all;
  strands_fault fault;
  tribo_status status = strands_find(def->segments, def->segment_count, def->vertex_count, &scratch,
                                     &all, &fault, err);
  arena_free(&scratch);
  TRY(status);
  return refuse_fault(def, &fault, err);
}

/* ---- repair ---------------------------------------------------------------------------------- */

/* Of the object's mean segment: shorter ones are drawn out to it, where they are shorter than half
 * of it. Their bending stiffness, as 1 / L^3, would be beyond what numbers hold. */
static const double SHORTEST = 0.01;

typedef struct mending {
  double least;
  size_t segments, strands; /* drawn out; in so many strands */
  size_t first;             /* strand */
  double shortest;          /* m */
} mending;

/* The direction of segment i; where it has none, of the next that has, else of the one before, else
 * up. */
static vec3 direction_of(const tribo_object_def *def, const strands *all, size_t s, size_t i,
                         double least) {
  size_t count = strands_segments(all, s);
  vec3 p[2];
  for (size_t k = i; k < count; k++) {
    rod_shape_segment(def, all, s, k, p);
    if (vec3_norm(vec3_sub(p[1], p[0])) > 1e-3 * least)
      return vec3_normalized(vec3_sub(p[1], p[0]));
  }
  for (size_t k = i; k-- > 0;) {
    rod_shape_segment(def, all, s, k, p);
    if (vec3_norm(vec3_sub(p[1], p[0])) > 1e-3 * least)
      return vec3_normalized(vec3_sub(p[1], p[0]));
  }
  return vec3_make(0, 0, 1);
}

/* Draws out what is too short, and moves on what comes after it. A ring is left: moving its points
 * on would not close it. */
static void mend_strand(tribo_object_def *def, const strands *all, size_t s, mending *m) {
  double *positions = (double *)def->positions;
  vec3 shift = {0, 0, 0};
  bool mended = false;
  for (size_t i = 0; i < strands_segments(all, s); i++) {
    vec3 p[2];
    rod_shape_segment(def, all, s, i, p);
    p[1] = vec3_add(p[1], shift);
    double length = vec3_norm(vec3_sub(p[1], p[0]));
    if (length < m->least / 2) {
      vec3 to = vec3_madd(p[0], m->least, direction_of(def, all, s, i, m->least));
      shift = vec3_add(shift, vec3_sub(to, p[1]));
      p[1] = to;
      m->segments++;
      m->shortest = fmin(m->shortest, length);
      if (!mended && m->strands++ == 0) m->first = s;
      mended = true;
    }
    double *at = positions + 3 * (size_t)strands_point(all, s, i + 1);
    if (mended) at[0] = p[1].x, at[1] = p[1].y, at[2] = p[1].z;
  }
}

static double mean_length(const tribo_object_def *def) {
  double sum = 0;
  for (size_t k = 0; k < def->segment_count; k++) {
    const int32_t *p = def->segments + 2 * k;
    sum += vec3_norm(vec3_sub(vec3_from(def->positions + 3 * (size_t)p[1]),
                              vec3_from(def->positions + 3 * (size_t)p[0])));
  }
  return sum / (double)def->segment_count;
}

static tribo_status mend(tribo_object_def *mine, char note[TRIBO_MESSAGE_SIZE], tribo_error *err) {
  double least = SHORTEST * mean_length(mine);
  if (!(least > 0))
    return refuse(err, mine, "all its points are in one place; spread them out along strands");
  arena scratch = {0};
  strands all;
  tribo_status status = rod_shape_strands(mine, &scratch, &all, err);
  mending m = {.least = least, .shortest = INFINITY};
  for (size_t s = 0; status == TRIBO_OK && s < all.count; s++)
    if (!all.ring[s]) mend_strand(mine, &all, s, &m);
  if (status == TRIBO_OK && m.segments > 0)
    snprintf(note, TRIBO_MESSAGE_SIZE,
             "%zu segment%s of %zu strand%s, the first of strand %zu, %s shorter than %.2g m (the "
             "shortest %.2g m), a hundredth of the mean; drawn out to that",
             m.segments, m.segments == 1 ? "" : "s", m.strands, m.strands == 1 ? "" : "s", m.first,
             m.segments == 1 ? "is" : "are", least, m.shortest);
  arena_free(&scratch);
  return status;
}

/* ---- into the model -------------------------------------------------------------------------- */

static size_t node_count(const tribo_object_def *def) {
  return def->vertex_count + def->segment_count;
}

/* Elements of a body: nodes of the model, radii, and what they are at rest. */
typedef struct rod_builder {
  builder *b;
  const tribo_object_def *def;
  const model_body *body;
  strands all;
  int32_t *segments, *joints; /* 3 and 5 nodes each */
  double *segment_radius;     /* one a segment */
  double (*joint_radius)[2];
  bool (*joint_held)[2];
  int32_t *pin_of; /* of each vertex: 1 + the hard pin that holds it, or 0 */
  size_t segment_count, joint_count;
} rod_builder;

static tribo_status make_room(rod_builder *r, tribo_error *err) {
  arena *scratch = &r->b->scratch;
  size_t count = r->def->segment_count; /* joints are no more than segments */
  r->segments = ARENA_ARRAY(scratch, int32_t, 3 * count);
  r->joints = ARENA_ARRAY(scratch, int32_t, 5 * count);
  r->segment_radius = ARENA_ARRAY(scratch, double, count);
  r->joint_radius = (double(*)[2])ARENA_ARRAY(scratch, double, 2 * count);
  r->joint_held = (bool(*)[2])ARENA_ARRAY(scratch, bool, 2 * count);
  r->pin_of = ARENA_ARRAY(scratch, int32_t, r->def->vertex_count);
  if (!r->segments || !r->joints || !r->segment_radius || !r->joint_radius || !r->joint_held ||
      !r->pin_of)
    return status_no_memory(err, r->body->name);
  for (size_t p = 0; p < r->def->pin_count; p++) {
    const tribo_pin_def *pin = &r->def->pins[p];
    for (size_t i = 0; pin->params.stiffness == 0 && i < pin->vertex_count; i++)
      r->pin_of[pin->vertices[i]] = (int32_t)p + 1;
  }
  return rod_shape_strands(r->def, scratch, &r->all, err);
}

static bool is_held(const rod_builder *r, size_t s, size_t i) {
  int32_t a = r->pin_of[strands_point(&r->all, s, i)];
  return a > 0 && a == r->pin_of[strands_point(&r->all, s, i + 1)];
}

/* Directors of a strand stand at `director` and after. */
static void list_elements(rod_builder *r, size_t s, int32_t director) {
  const strands *all = &r->all;
  int32_t node = r->body->first_node;
  size_t count = strands_segments(all, s), joints = all->ring[s] ? count : count - 1;
  double *radius = r->segment_radius + r->segment_count;
  for (size_t i = 0; i < count; i++) {
    radius[i] = rod_shape_radius(r->def, all, s, i);
    int32_t *e = r->segments + 3 * r->segment_count++;
    e[0] = node + strands_point(all, s, i);
    e[1] = node + strands_point(all, s, i + 1);
    e[2] = director + (int32_t)i;
  }
  for (size_t i = 0; i < joints; i++) {
    size_t next = (i + 1) % count;
    r->joint_radius[r->joint_count][0] = radius[i];
    r->joint_radius[r->joint_count][1] = radius[next];
    r->joint_held[r->joint_count][0] = is_held(r, s, i);
    r->joint_held[r->joint_count][1] = is_held(r, s, next);
    int32_t *e = r->joints + 5 * r->joint_count++;
    for (size_t k = 0; k < 3; k++) e[k] = node + strands_point(all, s, i + k);
    e[3] = director + (int32_t)i;
    e[4] = director + (int32_t)next;
  }
}

static tribo_status place(rod_builder *r, tribo_error *err) {
  const tribo_object_def *def = r->def;
  model *m = r->b->m;
  vec3 *rest = m->rest + r->body->first_node;
  for (size_t v = 0; v < def->vertex_count; v++) {
    rest[v] = vec3_from(def->positions + 3 * v);
    m->start_velocity[(size_t)r->body->first_node + v] = vec3_from(def->object.velocity);
  }
  size_t director = def->vertex_count;
  for (size_t s = 0; s < r->all.count; s++) {
    rod_shape_directors(def, &r->all, s, rest + director);
    list_elements(r, s, r->body->first_node + (int32_t)director);
    director += strands_segments(&r->all, s);
  }
  return director == (size_t)r->body->node_count ? TRIBO_OK : status_no_memory(err, def->name);
}

static tribo_status add_stretching(rod_builder *r, const double *painted, tribo_error *err) {
  const tribo_rod_params *p = &r->def->rod;
  model *m = r->b->m;
  const element_set *set;
  void *data;
  int32_t *order;
  TRY(builder_add_term(r->b, &rod_stretch_kernel, r->segments, r->segment_count,
                       sizeof(rod_stretch), p->damping_stiffness, &set, &data, &order, err));
  rod_stretch *elements = data;
  for (size_t e = 0; e < set->count; e++) {
    const int32_t *v = set->vertices + 3 * e;
    vec3 rest[3];
    builder_gather(m, v, 3, rest);
    double radius = r->segment_radius[order[e]], length = vec3_norm(vec3_sub(rest[1], rest[0]));
    double mass = p->density * rod_shape_section(radius) * length;
    elements[e] =
        rod_shape_stretch(p, radius, length, stiffness_of_element(painted, r->body, v, 2));
    builder_lump(m, v, 2, mass, p->damping_mass);
    builder_lump(m, v + 2, 1, mass / 2, p->damping_mass);
  }
  return TRIBO_OK;
}

static tribo_status add_bending(rod_builder *r, const double *painted, tribo_error *err) {
  const tribo_rod_params *p = &r->def->rod;
  const element_set *set;
  void *data;
  int32_t *order;
  TRY(builder_add_term(r->b, &rod_bend_kernel, r->joints, r->joint_count, sizeof(rod_bend),
                       p->damping_stiffness, &set, &data, &order, err));
  rod_bend *elements = data;
  for (size_t e = 0; e < set->count; e++) {
    const int32_t *v = set->vertices + 5 * e;
    vec3 rest[5];
    builder_gather(r->b->m, v, 5, rest);
    size_t joint = (size_t)order[e];
    elements[e] = rod_shape_bend(p, r->joint_radius[joint], r->joint_held[joint], rest,
                                 stiffness_of_element(painted, r->body, v, 3));
  }
  return TRIBO_OK;
}

/* The turning about the centre of mass, of points and directors. */
static void spin(rod_builder *r) {
  model *m = r->b->m;
  vec3 turning = vec3_from(r->def->object.spin), moment = {0, 0, 0};
  int32_t first = r->body->first_node, points = first + (int32_t)r->def->vertex_count;
  double mass = 0;
  for (int32_t i = first; i < points; i++) {
    moment = vec3_madd(moment, m->mass[i], m->rest[i]);
    mass += m->mass[i];
  }
  vec3 centre = vec3_scale(1 / mass, moment);
  for (int32_t i = first; i < first + r->body->node_count; i++) {
    vec3 arm = i < points ? vec3_sub(m->rest[i], centre) : m->rest[i];
    m->start_velocity[i] = vec3_add(m->start_velocity[i], vec3_cross(turning, arm));
  }
}

static tribo_status build(builder *b, size_t object, model_body *body, tribo_error *err) {
  rod_builder r = {.b = b, .def = &b->objects[object], .body = body};
  body->kinematics = &kinematics_rod;
  double *painted;
  TRY(make_room(&r, err));
  TRY(place(&r, err));
  TRY(stiffness_of_nodes(r.def, body, &b->scratch, &painted, err));
  TRY(add_stretching(&r, painted, err));
  TRY(add_bending(&r, painted, err));
  spin(&r);
  return TRIBO_OK;
}

/* ---- the row --------------------------------------------------------------------------------- */

static double thickness(const tribo_object_def *def) {
  return def->rod.radius * fmax(def->rod.taper, 1);
}

static double mass(const tribo_object_def *def) {
  arena scratch = {0};
  strands all;
  bool found = rod_shape_strands(def, &scratch, &all, NULL) == TRIBO_OK;
  double sum = found ? rod_shape_mass(def, &all) : 0;
  arena_free(&scratch);
  return sum;
}

const kind_row kind_rod = {
    .about = {.kind = TRIBO_ROD,
              .name = "rod",
              .article = "a rod",
              .about = "strands of segments that stretch, bend and twist: ropes, cables, hair.",
              .group = "rod",
              .key = "elastic",
              .mesh = TRIBO_MESH_SEGMENTS,
              .simulated = true,
              .deforms = true,
              .pinnable = true,
              .contact = TRIBO_CONTACT_MESH,
              .role = TRIBO_ROLE_POINTS},
    .params = offsetof(tribo_object_def, rod),
    .check = check,
    .mend = mend,
    .node_count = node_count,
    .terms = 2, /* stretching, and bending with twisting */
    .build = build,
    .thickness = thickness,
    .mass = mass,
};
