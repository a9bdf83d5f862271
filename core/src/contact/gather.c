/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/gather.h"

#include <string.h>

#include "contact/narrow_phase.h"
#include "contact/painted.h"
#include "model/kinematics.h"

/* ---- rows ---
 */

static void *regrown(arena *memory, const void *old, size_t used, size_t capacity, size_t size) {
  void *larger = arena_alloc(memory, capacity, size);
  if (larger && used) memcpy(larger, old, used * size);
  return larger;
}

#define REGROW(array, used, capacity)                                                              \
  ((array) = regrown(g->memory, (array), (used), (capacity), sizeof *(array)))

static bool reserve(gathering *g, size_t contacts, size_t entries) {
  if (contacts > g->capacity) {
    g->capacity = 2 * contacts;
    REGROW(g->contacts, g->count, g->capacity);
    REGROW(g->places, g->painted ? g->count : 0, g->painted ? g->capacity : 0);
    REGROW(g->start, g->start ? g->count + 1 : 0, g->capacity + 1);
  }
  if (entries > g->entry_capacity) {
    g->entry_capacity = 2 * entries;
    REGROW(g->node, g->entries, g->entry_capacity);
    REGROW(g->by_node, g->entries, g->entry_capacity);
    REGROW(g->carry, g->entries, g->entry_capacity);
    REGROW(g->turn, g->entries, g->entry_capacity);
  }
  return g->contacts && g->places && g->start && g->node && g->by_node && g->carry && g->turn;
}

/* Adds the two sides of a contact into one row, nodes ascending: two bodies share none. How a body
 * turns about the normal is exact where the step begins, and kept where it ends: a torque about the
 * normal then changes angular momentum by just itself. */
static void add_row(gathering *g, const contact_pair *pair, const kinematic_row *probe,
                    const surface_side *side, vec3 normal) {
  const model *m = g->model;
  int32_t on = m->surfaces[pair->surface].body, by = m->probes[pair->probes].body;
  vec3 against = vec3_scale(-1, normal);
  size_t a = 0, b = 0;
  while (a < (size_t)probe->count || b < side->count) {
    bool mine = b == side->count || (a < (size_t)probe->count && probe->node[a] < side->node[b]);
    size_t e = g->entries++;
    if (mine) {
      g->node[e] = probe->node[a];
      g->carry[e] = probe->block[a];
      g->by_node[e] = mat3_tmul_vec3(&probe->block[a], side->by_point);
      g->turn[e] = kinematics_turn_about(m, by, g->node[e], normal);
      a++;
    } else {
      g->node[e] = side->node[b];
      g->carry[e] = mat3_scale(-1, &side->carry[b]);
      g->by_node[e] = side->by_node[b];
      g->turn[e] = kinematics_turn_about(m, on, g->node[e], against);
      b++;
    }
  }
}

/* Of what a collider's corner feels: the body's side alone, and it moves against the collider. */
static void add_felt_row(gathering *g, const contact_pair *pair, const surface_side *side,
                         vec3 normal) {
  int32_t body = g->model->probes[pair->probes].body;
  for (size_t k = 0; k < side->count; k++) {
    size_t e = g->entries++;
    g->node[e] = side->node[k];
    g->carry[e] = side->carry[k];
    g->by_node[e] = side->by_node[k];
    g->turn[e] = kinematics_turn_about(g->model, body, g->node[e], normal);
  }
}

/* Kinematics lists the nodes of a row in whatever order. */
static void sort_row(kinematic_row *row) {
  for (int i = 1; i < row->count; i++)
    for (int j = i; j > 0 && row->node[j - 1] > row->node[j]; j--) {
      int32_t node = row->node[j];
      mat3 block = row->block[j];
      row->node[j] = row->node[j - 1];
      row->block[j] = row->block[j - 1];
      row->node[j - 1] = node;
      row->block[j - 1] = block;
    }
}

/* From below a segment to where its edge, aside by w from it, crosses that of the surface as seen
 * along the normal n. Along an edge or a capsule's axis the surface keeps its normal; so what is
 * perpendicular to n and to the normal m beside is that way, v = n x m. What is on that and on the
 * edge's line, which is perpendicular to w, is v (w . w) / (v . w). */
static vec3 to_crossing(const surface *s, vec3 point, vec3 n, vec3 w, double reach) {
  const double flat = 0.3; /* the sine of the angle between the two edges */
  double w2 = vec3_norm2(w);
  surface_hit beside = surface_query(s, vec3_add(point, w), reach);
  if (!(w2 > 0) || !beside.near) return w;
  vec3 v = vec3_cross(n, beside.normal);
  double by = vec3_dot(v, w);
  return fabs(by) > flat * sqrt(w2 * vec3_norm2(v)) ? vec3_scale(w2 / by, v) : w;
}

/* Where forces act, on both sides, or friction would have a torque of its own: on a vertex of what
 * deforms, since it can be held nowhere else; on a rigid body where the surface is, which for a
 * sphere is not where its point is, and makes it roll; of a point or segment that is drawn inwards,
 * where its vertex or edge is. */
static vec3 place_of(const gathering *g, const gather_place *at) {
  const probes *f = at->probes;
  const surface_hit *hit = &at->hit;
  if (f->body && f->body->kinematics->deforms) return probes_point(f, g->model, g->moment, at->i);
  vec3 edge = probes_edge(f, g->model, g->moment, at->i, hit->normal);
  if (!(vec3_norm2(edge) > 0)) return hit->foot;
  vec3 aside = vec3_madd(edge, -vec3_dot(edge, hit->normal), hit->normal);
  if (at->i < f->count) return vec3_add(hit->foot, aside);
  vec3 point = vec3_madd(hit->foot, hit->gap, hit->normal);
  double reach = hit->gap + 2 * vec3_norm(edge);
  return vec3_add(hit->foot, to_crossing(at->surface, point, hit->normal, aside, reach));
}

/* The surface that the body touches, and the body. */
static const surface *touched_by(const gather_place *at) {
  return at->probes->of ? at->probes->of : at->surface;
}

/* The velocity of a collider that keeps its shape, so that what sticks to it ends where it is
 * carried. A vertex of what deforms goes where its place goes. A rigid body that sticks with
 * several points can only do as a whole: its centre goes where its place goes, and it turns as the
 * collider does; the ways of the points themselves would not agree with any turning to the second
 * order, and no forces would be found that hold them all. */
static vec3 drift_of(const gathering *g, const gather_place *at, vec3 place) {
  const contact_moment *now = g->moment;
  const probes *f = at->probes;
  const surface *s = touched_by(at);
  if (f->of && s->deforms) {
    vec3 way = vec3_sub(probes_point(f, g->model, now, at->i), probes_before(f, now, at->i));
    return vec3_scale(1 / now->h, way);
  }
  if (s->deforms || s->def->collider < 0) return vec3_make(0, 0, 0);
  const model_body *body = &g->model->bodies[g->model->probes[at->pair.probes].body];
  vec3 way;
  if (body->kinematics->deforms)
    way = surface_carried(s, probes_before(f, now, at->i));
  else {
    int32_t centre = body->first_node;
    way = vec3_add(surface_carried(s, now->x_before[centre]),
                   vec3_cross(surface_turned(s), vec3_sub(place, now->x[centre])));
  }
  return vec3_scale(1 / now->h, way);
}

/* Its angular velocity about the normal. */
static double spin_of(const gathering *g, const surface *s, vec3 normal) {
  if (s->deforms || s->def->collider < 0) return 0;
  return vec3_dot(surface_turned(s), normal) / g->moment->h;
}

/* The vertex of the body that stands for the place in what is told. */
static int32_t vertex_of(const gather_place *at) {
  const surface *s = at->surface;
  const double *w = at->hit.weight;
  if (!at->probes->of) return probes_vertex(at->probes, at->i);
  if (s->form != SURFACE_MESH) return 0;
  int most = w[1] > w[0] ? 1 : 0;
  if (w[2] > w[most]) most = 2;
  return s->triangles[3 * at->hit.triangle + most];
}

static tribo_status add_rows(gathering *g, const gather_place *at, vec3 normal, tribo_error *err) {
  const surface *s = at->surface;
  surface_side side;
  vec3 place = place_of(g, at);
  TRY(surface_sides(s, g->moment, &at->hit, place, g->transport, g->memory, &side, err));
  g->row.count = 0;
  if (!at->probes->of)
    kinematics_row_of(g->model, g->moment->x, at->probes->def->body,
                      probes_vertex(at->probes, at->i), place, &g->row);
  sort_row(&g->row);
  if (!reserve(g, g->count + 1, g->entries + (size_t)g->row.count + side.count))
    return status_no_memory(err, "contacts");
  if (at->probes->of)
    add_felt_row(g, &at->pair, &side, normal);
  else
    add_row(g, &at->pair, &g->row, &side, normal);
  g->contacts[g->count].surface_velocity = vec3_add(side.surface_velocity, drift_of(g, at, place));
  return TRIBO_OK;
}

tribo_status gather_begin(gathering *g, tribo_error *err) {
  g->row = kinematics_row_make(kinematics_most_entries(g->model), g->memory);
  bool whole = g->row.node && g->row.block && reserve(g, 64, 64);
  return whole ? TRIBO_OK : status_no_memory(err, "contacts");
}

tribo_status gather_add(gathering *g, const gather_place *at, tribo_error *err) {
  const probes *f = at->probes;
  const surface_hit *hit = &at->hit;
  bool corner = f->of;
  vec3 normal = vec3_scale(corner ? -1 : 1, hit->normal);
  double thickness = at->surface->def->params.thickness +
                     probes_thickness(f, g->model, g->moment, at->i, hit->normal);
  TRY(add_rows(g, at, normal, err));
  if (g->painted) g->places[g->count] = *at;
  contact_point *c = &g->contacts[g->count++];
  *c = (contact_point){.key = narrow_key(f, at->surface, at->i),
                       .point = hit->foot,
                       .normal = normal,
                       .gap = hit->gap - thickness + hit->allowed,
                       .allowed = hit->allowed,
                       .surface_velocity = c->surface_velocity,
                       .spin = spin_of(g, touched_by(at), normal),
                       .probe = at->pair.probes,
                       .surface = at->pair.surface,
                       .number = (int32_t)at->i,
                       .part = at->part,
                       .corner = corner,
                       .vertex = vertex_of(at),
                       .side = hit->side,
                       .paint = painted_none()};
  g->start[g->count] = g->entries;
  return TRIBO_OK;
}

/* ---- what is painted --------------------------------------------------------------------------
 */

typedef struct paint_job {
  const gathering *g;
  bool *short_of_memory; /* by contact */
} paint_job;

/* Of a collider's corner: its own side is where the collider is nearest, which is there. */
static bool painted_at_corner(const gathering *g, const gather_place *at, contact_paint *out) {
  vec3 corner = probes_point(at->probes, g->model, g->moment, at->i);
  surface_hit there = surface_query(at->probes->of, corner, INFINITY);
  paint_value above, below = paint_none();
  if (!painted_surface(at->surface, &at->hit, &above)) return false;
  if (there.near && !painted_surface(at->probes->of, &there, &below)) return false;
  *out = (contact_paint){.probe_structure = above.structure,
                         .surface_structure = below.structure,
                         .probe_friction = above.friction,
                         .surface_friction = below.friction};
  return true;
}

static void look_at_paint(void *context, size_t begin, size_t end) {
  const paint_job *job = context;
  const gathering *g = job->g;
  for (size_t i = begin; i < end; i++) {
    const gather_place *at = &g->places[i];
    contact_paint *out = &g->contacts[i].paint;
    job->short_of_memory[i] =
        at->probes->of ? !painted_at_corner(g, at, out)
                       : !painted_at(at->probes, at->surface, g->moment, at->i, &at->hit, out);
  }
}

static tribo_status paint_contacts(const gathering *g, const tasks *t, tribo_error *err) {
  if (!g->painted) return TRIBO_OK;
  paint_job job = {g, ARENA_ARRAY(g->memory, bool, g->count)};
  if (!job.short_of_memory) return status_no_memory(err, "contacts");
  tasks_for(t, g->count, 64, look_at_paint, &job);
  for (size_t i = 0; i < g->count; i++)
    if (job.short_of_memory[i]) return status_no_memory(err, "contacts");
  return TRIBO_OK;
}

tribo_status gather_end(gathering *g, const tasks *t, contact_set *out, tribo_error *err) {
  TRY(paint_contacts(g, t, err));
  *out = (contact_set){.count = g->count,
                       .contacts = g->contacts,
                       .start = g->start,
                       .node = g->node,
                       .by_node = g->by_node,
                       .carry = g->carry,
                       .turn = g->turn,
                       .at = g->moment->x};
  return TRIBO_OK;
}
