/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/find.h"

#include <string.h>

#include "contact/feel.h"
#include "contact/painted.h"
#include "model/kinematics.h"
#include "surface/path.h"

/* ---- who feels how ----------------------------------------------------------------------------
 */

/* What the surfaces that they meet allow. */
static feelers_form form_of(const contact_finder *f, int32_t feeler) {
  const model *m = f->model;
  const model_feelers *def = &m->feelers[feeler];
  int contact = def->params.contact;
  bool smooth = false, sharp = false;
  for (size_t j = 0; j < m->surface_count; j++) {
    if (!meet_allowed(&f->meet, (size_t)feeler, j)) continue;
    const model_surface *s = &m->surfaces[j];
    smooth |= s->params.contact == TRIBO_CONTACT_MLS;
    sharp |= meet_exact_rigid(m, s) &&
             (s->params.contact == TRIBO_CONTACT_MESH || s->params.contact == TRIBO_CONTACT_BOX);
  }
  if (m->bodies[def->body].kinematics->deforms || smooth) return FEELERS_VERTICES;
  if (contact == TRIBO_CONTACT_SPHERE || contact == TRIBO_CONTACT_CAPSULE) return FEELERS_ROUND;
  return sharp ? FEELERS_BLUNT : FEELERS_VERTICES;
}

tribo_status contact_finder_create(const model *m, meet_whom whom, mls_transport transport,
                                   const tasks *t, contact_finder *out, tribo_error *err) {
  *out = (contact_finder){.model = m, .tasks = *t, .transport = transport};
  out->surfaces = ARENA_ARRAY(&out->memory, surface, m->surface_count);
  out->feelers = ARENA_ARRAY(&out->memory, feelers, m->feeler_count);
  if (!out->surfaces || !out->feelers) return status_no_memory(err, "contact");
  TRY(meet_create(m, whom, &out->memory, &out->meet, err));
  for (size_t i = 0; i < m->object_count; i++) out->painted |= paint_any(&m->paints[i]);
  size_t most = 0, most_spans = 0;
  for (size_t i = 0; i < m->feeler_count; i++) {
    feelers_form form = form_of(out, (int32_t)i);
    TRY(feelers_create(m, &m->feelers[i], form, &out->memory, &out->feelers[i], err));
    if (out->feelers[i].count > most) most = out->feelers[i].count;
    if (out->feelers[i].span_count > most_spans) most_spans = out->feelers[i].span_count;
  }
  out->hits = ARENA_ARRAY(&out->memory, surface_hit, most);
  out->places = ARENA_ARRAY(&out->memory, spans_place, most_spans);
  if (!out->hits || !out->places) return status_no_memory(err, "contact");
  /* Only what somebody touches is built. */
  for (size_t j = 0; j < m->surface_count; j++)
    if (out->meet.touched[j]) TRY(surface_create(m, &m->surfaces[j], t, &out->surfaces[j], err));
  return TRIBO_OK;
}

void contact_finder_free(contact_finder *f) {
  for (size_t j = 0; f->surfaces && j < f->model->surface_count; j++) surface_free(&f->surfaces[j]);
  arena_free(&f->sets[0]);
  arena_free(&f->sets[1]);
  arena_free(&f->memory);
  *f = (contact_finder){0};
}

/* ---- how far away -----------------------------------------------------------------------------
 */

typedef struct feel_job {
  feel_pair pair;
  double margin;
  double speed, body_speed; /* of the surface, and of the feelers' body, at most */
  surface_hit *hits;
  spans_place *places;
} feel_job;

/* How far away point i may be and still touch within the step. */
static double reach_within(const feel_job *job, size_t i) {
  const feelers *f = job->pair.feelers;
  double own = f->local ? job->body_speed : feelers_speed(f, job->pair.velocities, i);
  return job->pair.thickness + job->margin + 2 * job->pair.moment->h * (own + job->speed);
}

static void feel_points(void *context, size_t begin, size_t end) {
  const feel_job *job = context;
  for (size_t i = begin; i < end; i++) job->hits[i] = feel(&job->pair, i, reach_within(job, i));
}

/* Of what has two sides: that of the middle of a span, or of an end that is near. */
static int32_t span_side(const feel_job *job, size_t k) {
  const feel_pair *p = &job->pair;
  if (!p->surface->def->two_sided) return 0;
  size_t i = p->feelers->count + k;
  vec3 middle = feelers_place(p->feelers, p->model, p->moment, i, 0.5);
  surface_hit here = surface_query(p->surface, middle, INFINITY);
  if (here.near) return feel_side(p, i, 0.5, &here);
  const int32_t *end = p->feelers->spans[k].end;
  return job->hits[end[0]].near ? job->hits[end[0]].side : job->hits[end[1]].side;
}

/* An edge sticks out from the span below it by more than the thickness. */
static void feel_spans(void *context, size_t begin, size_t end) {
  const feel_job *job = context;
  const feel_pair *p = &job->pair;
  for (size_t k = begin; k < end; k++) {
    double edge = p->feelers->blunt * vec3_norm(p->feelers->spans[k].inwards);
    double reach = reach_within(job, 0) + edge;
    spans_place *place = &job->places[k];
    int32_t side = span_side(job, k);
    if (!spans_closest(p->feelers, p->model, p->moment, p->surface, k, side, reach, place))
      place->hit.near = false;
    place->hit.allowed = feel_allowed(p, p->feelers->count + k, place->part, &place->hit);
  }
}

/* A ball around a body and its way since the start of the step, and its fastest vertex. */
typedef struct body_bound {
  vec3 centre;
  double radius, speed;
} body_bound;

static body_bound bound_body(const model_body *body, const contact_moment *moment,
                             const vec3 *velocities) {
  size_t first = (size_t)body->first_vertex, count = (size_t)body->vertex_count;
  body_bound b = {.centre = moment->x[body->first_node]};
  double far = 0, fast = 0;
  for (size_t i = first; i < first + count; i++) {
    far = fmax(far, vec3_norm2(vec3_sub(moment->vertices[i], b.centre)));
    far = fmax(far, vec3_norm2(vec3_sub(moment->before[i], b.centre)));
    fast = fmax(fast, vec3_norm2(velocities[i]));
  }
  b.radius = sqrt(far);
  b.speed = sqrt(fast);
  return b;
}

/* The same with all that the body may reach in the step, thickness and half of the margin: of two
 * that are not apart these meet. */
static meet_ball reach_of(const contact_finder *f, size_t body, const body_bound *b, double h,
                          double margin) {
  size_t object = f->model->bodies[body].object;
  int32_t own = f->meet.feelers_of[object], on = f->meet.surface_of[object];
  double thick = fmax(own >= 0 ? f->feelers[own].thickness : 0,
                      on >= 0 ? f->model->surfaces[on].params.thickness : 0);
  return (meet_ball){b->centre, b->radius + thick + margin / 2 + 2 * h * b->speed};
}

/* Whether no point of the one can be in reach of the other's surface, at most 2 h times their
 * speeds, thickness and margin away. A smooth surface may lie outside of its mesh. */
static bool apart(const feel_job *job, const body_bound *bounds) {
  const feel_pair *p = &job->pair;
  const surface *s = p->surface;
  if (s->def->body < 0 || s->form == SURFACE_MLS) return false;
  const body_bound *a = &bounds[p->feelers->def->body], *b = &bounds[s->def->body];
  double reach = p->thickness + job->margin + 2 * p->moment->h * (a->speed + b->speed);
  double least = a->radius + b->radius + reach;
  return vec3_norm2(vec3_sub(a->centre, b->centre)) > least * least;
}

/* The fastest point of a surface, at most: how fast it may come closer. */
static double surface_speed(const surface *s, const contact_moment *moment,
                            const body_bound *bounds) {
  double fastest = 0;
  if (s->def->body >= 0) return bounds[s->def->body].speed;
  for (size_t i = 0; i < s->vertex_count; i++) {
    vec3 now = rigid_map_apply(&s->frame, s->vertices[i]);
    vec3 was = s->deforms ? s->vertices_before[i] : s->vertices[i];
    fastest = fmax(fastest, vec3_norm2(vec3_sub(now, rigid_map_apply(&s->frame_before, was))));
  }
  return sqrt(fastest) / moment->h;
}

/* ---- the set ----------------------------------------------------------------------------------
 */

/* Grows in the scratch arena: nothing is given back before the next set. */
typedef struct gathering {
  contact_finder *f;
  arena *memory;
  const contact_moment *moment;
  contact_point *contacts;
  surface_hit *hits; /* of the contacts, where something is painted */
  size_t *start;
  size_t count, capacity;
  int32_t *node;
  vec3 *by_node;
  mat3 *carry;
  vec3 *turn;
  size_t entries, entry_capacity;
  kinematic_row row; /* of the feeler at work */
} gathering;

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
    REGROW(g->hits, g->f->painted ? g->count : 0, g->f->painted ? g->capacity : 0);
    REGROW(g->start, g->start ? g->count + 1 : 0, g->capacity + 1);
  }
  if (entries > g->entry_capacity) {
    g->entry_capacity = 2 * entries;
    REGROW(g->node, g->entries, g->entry_capacity);
    REGROW(g->by_node, g->entries, g->entry_capacity);
    REGROW(g->carry, g->entries, g->entry_capacity);
    REGROW(g->turn, g->entries, g->entry_capacity);
  }
  return g->contacts && g->hits && g->start && g->node && g->by_node && g->carry && g->turn;
}

/* Adds the two sides of a contact into one row, nodes ascending: two bodies share none. How a body
 * turns about the normal is exact where the step begins, and kept where it ends: a torque about the
 * normal then changes angular momentum by just itself. */
static void add_row(gathering *g, const contact_pair *pair, const kinematic_row *feeler,
                    const surface_side *side, vec3 normal) {
  const model *m = g->f->model;
  int32_t on = m->surfaces[pair->surface].body, by = m->feelers[pair->feelers].body;
  vec3 against = vec3_scale(-1, normal);
  size_t a = 0, b = 0;
  while (a < (size_t)feeler->count || b < side->count) {
    bool mine = b == side->count || (a < (size_t)feeler->count && feeler->node[a] < side->node[b]);
    size_t e = g->entries++;
    if (mine) {
      g->node[e] = feeler->node[a];
      g->carry[e] = feeler->block[a];
      g->by_node[e] = mat3_tmul_vec3(&feeler->block[a], side->by_point);
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

/* From below a span to where its edge, aside by w from it, crosses that of the surface as seen
 * along the normal. The foot below the edge's own line is farther along the surface's edge: v. What
 * is on that and on the line, which is perpendicular to w, is v (w . w) / (v . w). */
static vec3 to_crossing(const surface *s, vec3 point, vec3 foot, vec3 w, double reach) {
  const double flat = 0.1; /* the sine of the angle between the two, squared */
  double w2 = vec3_norm2(w);
  surface_hit beside = surface_query(s, vec3_add(point, w), reach);
  if (!(w2 > 0) || !beside.near) return w;
  vec3 v = vec3_sub(beside.foot, foot);
  return vec3_dot(v, w) > flat * w2 ? vec3_scale(w2 / vec3_dot(v, w), v) : w;
}

/* Where forces act, on both sides, or friction would have a torque of its own: on a vertex of what
 * deforms, since it can be held nowhere else; on a rigid body where the surface is, which for a
 * sphere is not where its point is, and makes it roll; below a span, where its edge is. */
static vec3 place_of(const gathering *g, const feelers *f, const surface *s, size_t i,
                     const surface_hit *hit) {
  const model *m = g->f->model;
  if (f->body->kinematics->deforms) return feelers_point(f, m, g->moment, i);
  vec3 edge = feelers_edge(f, m, g->moment, i, hit->normal);
  if (!(vec3_norm2(edge) > 0)) return hit->foot;
  vec3 aside = vec3_madd(edge, -vec3_dot(edge, hit->normal), hit->normal);
  vec3 point = vec3_madd(hit->foot, hit->gap, hit->normal);
  double reach = hit->gap + 2 * vec3_norm(edge);
  return vec3_add(hit->foot, to_crossing(s, point, hit->foot, aside, reach));
}

/* The velocity of a collider that keeps its shape, so that what sticks to it ends where it is
 * carried. A vertex of what deforms goes where its place goes. A rigid body that sticks with
 * several points can only do as a whole: its centre goes where its place goes, and it turns as the
 * collider does; the ways of the points themselves would not agree with any turning to the second
 * order, and no forces would be found that hold them all. */
static vec3 drift_of(const gathering *g, const feelers *f, const surface *s, size_t i, vec3 foot) {
  const contact_moment *now = g->moment;
  if (s->deforms || s->def->collider < 0) return vec3_make(0, 0, 0);
  vec3 way;
  if (f->body->kinematics->deforms)
    way = surface_carried(s, feelers_before(f, now, i));
  else {
    int32_t centre = f->body->first_node;
    way = vec3_add(surface_carried(s, now->x_before[centre]),
                   vec3_cross(surface_turned(s), vec3_sub(foot, now->x[centre])));
  }
  return vec3_scale(1 / now->h, way);
}

/* Its angular velocity about the normal. */
static double spin_of(const gathering *g, const surface *s, vec3 normal) {
  if (s->deforms || s->def->collider < 0) return 0;
  return vec3_dot(surface_turned(s), normal) / g->moment->h;
}

static double thickness_of(const contact_finder *f, int32_t feeler, int32_t on) {
  return f->feelers[feeler].thickness + f->surfaces[on].def->params.thickness;
}

/* Of point or span i of the feelers; on a span, at `part` of the way. */
static tribo_status add_contact(gathering *g, const contact_pair *pair, size_t i, double part,
                                const surface_hit *hit, tribo_error *err) {
  const model *m = g->f->model;
  const feelers *f = &g->f->feelers[pair->feelers];
  const surface *s = &g->f->surfaces[pair->surface];
  int32_t vertex = feelers_vertex(f, i);
  double thickness = s->def->params.thickness + feelers_thickness(f, m, g->moment, i, hit->normal);
  surface_side side;
  vec3 place = place_of(g, f, s, i, hit);
  TRY(surface_sides(s, g->moment, hit, place, g->f->transport, g->memory, &side, err));
  kinematics_row_of(m, g->moment->x, f->def->body, vertex, place, &g->row);
  sort_row(&g->row);
  if (!reserve(g, g->count + 1, g->entries + (size_t)g->row.count + side.count))
    return status_no_memory(err, "contacts");
  add_row(g, pair, &g->row, &side, hit->normal);
  if (g->f->painted) g->hits[g->count] = *hit;
  g->contacts[g->count++] =
      (contact_point){.key = feel_key(f, s, i),
                      .point = hit->foot,
                      .normal = hit->normal,
                      .gap = hit->gap - thickness + hit->allowed,
                      .allowed = hit->allowed,
                      .drift = vec3_add(side.drift, drift_of(g, f, s, i, hit->foot)),
                      .spin = spin_of(g, s, hit->normal),
                      .feeler = pair->feelers,
                      .surface = pair->surface,
                      .number = (int32_t)i,
                      .part = part,
                      .side = hit->side,
                      .paint = painted_none()};
  g->start[g->count] = g->entries;
  return TRIBO_OK;
}

typedef struct paint_job {
  const gathering *g;
  bool *short_of_memory; /* by contact */
} paint_job;

static void look_at_paint(void *context, size_t begin, size_t end) {
  const paint_job *job = context;
  const contact_finder *f = job->g->f;
  for (size_t i = begin; i < end; i++) {
    contact_point *c = &job->g->contacts[i];
    job->short_of_memory[i] =
        !painted_at(&f->feelers[c->feeler], &f->surfaces[c->surface], job->g->moment,
                    (size_t)c->number, &job->g->hits[i], &c->paint);
  }
}

static tribo_status paint_contacts(const gathering *g, tribo_error *err) {
  if (!g->f->painted) return TRIBO_OK;
  paint_job job = {g, ARENA_ARRAY(g->memory, bool, g->count)};
  if (!job.short_of_memory) return status_no_memory(err, "contacts");
  tasks_for(&g->f->tasks, g->count, 64, look_at_paint, &job);
  for (size_t i = 0; i < g->count; i++)
    if (job.short_of_memory[i]) return status_no_memory(err, "contacts");
  return TRIBO_OK;
}

static const double ONE_PLANE = 1e-9;

/* A point on an edge between two that are near the same plane: it cannot go in before they do, and
 * what it could bear they can. More contacts than needed are what solvers dislike. */
static bool spared(const feelers *f, const surface_hit *hits, size_t i) {
  if (!f->between || f->between[i][0] < 0 || hits[i].through) return false;
  for (int k = 0; k < 2; k++) {
    const surface_hit *beside = &hits[f->between[i][k]];
    if (!beside->near || beside->through) return false;
    if (vec3_norm2(vec3_sub(beside->normal, hits[i].normal)) > ONE_PLANE * ONE_PLANE) return false;
  }
  return true;
}

static tribo_status place_surfaces(contact_finder *f, const contact_moment *moment, arena *scratch,
                                   tribo_error *err) {
  for (size_t j = 0; j < f->model->surface_count; j++)
    if (f->surfaces[j].def) TRY(surface_place(&f->surfaces[j], &f->tasks, moment, scratch, err));
  return TRIBO_OK;
}

static feel_pair pair_of(const contact_finder *f, const contact_moment *moment,
                         const vec3 *velocities, int32_t feeler, int32_t on) {
  return (feel_pair){.model = f->model,
                     .feelers = &f->feelers[feeler],
                     .surface = &f->surfaces[on],
                     .moment = moment,
                     .velocities = velocities,
                     .thickness = thickness_of(f, feeler, on),
                     .moving = moment->x != moment->x_before};
}

static void feel_insides(void *context, size_t begin, size_t end) {
  const feel_job *job = context;
  for (size_t i = begin; i < end; i++)
    if (!job->hits[i].near && feel_may_be_inside(&job->pair, i))
      job->hits[i] = feel_inside(&job->pair, i);
}

/* What is not near a closed surface may be deep inside. That is asked where there is reason to. */
static void look_inside(const contact_finder *f, surface *s, const feel_job *job) {
  size_t count = job->pair.feelers->count, i = 0;
  if (!surface_has_inside(s)) return;
  bool known = !job->pair.moment->first && !s->appears;
  if (known && job->pair.moment->touch_count == 0) return;
  while (i < count && (job->hits[i].near || !feel_may_be_inside(&job->pair, i))) i++;
  if (i == count) return;
  surface_fit_inside(s, &f->tasks);
  tasks_for(&f->tasks, count, 64, feel_insides, (void *)job);
}

/* Where spans of two bodies cross both would feel it. The place is taken from the object that comes
 * first; but a corner is no span, and only the other's spans feel that. */
static bool felt_back(const contact_finder *f, const contact_pair *pair, const surface_hit *hit) {
  size_t object = f->feelers[pair->feelers].def->object;
  size_t against = f->surfaces[pair->surface].def->object;
  int32_t own = f->meet.surface_of[object], other = f->meet.feelers_of[against];
  if (object < against || own < 0 || other < 0 || f->feelers[other].span_count == 0) return false;
  bool mesh = f->surfaces[pair->surface].form == SURFACE_MESH;
  bool corner = (hit->weight[0] == 0) + (hit->weight[1] == 0) + (hit->weight[2] == 0) == 2;
  return !(mesh && corner) && meet_allowed(&f->meet, (size_t)other, (size_t)own);
}

/* Of what has two sides, where nothing is known of the time before: on which most of a body is. */
static tribo_status lean(const gathering *g, const surface *s, feel_job *job, tribo_error *err) {
  const feel_pair *p = &job->pair;
  if (!s->def->two_sided || !(p->moment->first || s->appears)) return TRIBO_OK;
  size_t parts = s->def->triangle_count + 1;
  double *clear = ARENA_ARRAY(g->memory, double, parts);
  double *pressed = ARENA_ARRAY(g->memory, double, parts);
  if (!clear || !pressed) return status_no_memory(err, "contacts");
  for (size_t i = 0; i < p->feelers->count; i++) {
    int where;
    double by;
    int32_t part = feel_lean(p, i, &where, &by);
    if (part < 0) continue;
    clear[part] += where;
    pressed[part] += by;
  }
  for (size_t k = 0; k < parts; k++)
    if (clear[k] == 0) clear[k] = pressed[k];
  job->pair.lean = clear;
  return TRIBO_OK;
}

static tribo_status add_contacts(gathering *g, const contact_pair *pair, surface *s, feel_job *job,
                                 tribo_error *err) {
  TRY(lean(g, s, job, err));
  const feelers *f = job->pair.feelers;
  tasks_for(&g->f->tasks, f->count, 64, feel_points, job);
  look_inside(g->f, s, job);
  for (size_t i = 0; i < f->count; i++)
    if (job->hits[i].near && !spared(f, job->hits, i))
      TRY(add_contact(g, pair, i, 0, &job->hits[i], err));
  tasks_for(&g->f->tasks, f->span_count, 16, feel_spans, job);
  for (size_t k = 0; k < f->span_count; k++) {
    const spans_place *place = &job->places[k];
    if (place->hit.near && !felt_back(g->f, pair, &place->hit))
      TRY(add_contact(g, pair, f->count + k, place->part, &place->hit, err));
  }
  return TRIBO_OK;
}

tribo_status contact_find(contact_finder *f, const contact_moment *moment, const vec3 *velocities,
                          double margin, contact_set *out, tribo_error *err) {
  f->latest = 1 - f->latest;
  arena *memory = &f->sets[f->latest];
  arena_reset(memory);
  gathering g = {.f = f, .memory = memory, .moment = moment};
  g.row = kinematics_row_make(kinematics_most_entries(f->model), memory);
  if (!g.row.node || !g.row.block || !reserve(&g, 64, 64)) return status_no_memory(err, "contacts");
  TRY(place_surfaces(f, moment, memory, err));
  body_bound *bounds = ARENA_ARRAY(memory, body_bound, f->model->body_count);
  meet_ball *balls = ARENA_ARRAY(memory, meet_ball, f->model->body_count);
  if (!bounds || !balls) return status_no_memory(err, "contacts");
  for (size_t b = 0; b < f->model->body_count; b++) {
    bounds[b] = bound_body(&f->model->bodies[b], moment, velocities);
    balls[b] = reach_of(f, b, &bounds[b], moment->h, margin);
  }
  contact_pair *pairs;
  size_t pair_count;
  TRY(meet_near(&f->meet, balls, memory, &pairs, &pair_count, err));

  for (size_t p = 0; p < pair_count; p++) {
    const contact_pair *pair = &pairs[p];
    surface *s = &f->surfaces[pair->surface];
    if (s->absent) continue;
    const feelers *by = &f->feelers[pair->feelers];
    feel_job job = {.pair = pair_of(f, moment, velocities, pair->feelers, pair->surface),
                    .margin = margin,
                    .body_speed = bounds[by->def->body].speed,
                    .hits = f->hits,
                    .places = f->places};
    if (apart(&job, bounds)) continue;
    job.speed = surface_speed(s, moment, bounds);
    /* nodes are where they were, but a collider is where it will be */
    job.pair.moving |= s->def->collider >= 0 && job.speed > 0;
    if (job.pair.moving || s->def->two_sided) path_sweep(s, &f->tasks);
    TRY(add_contacts(&g, pair, s, &job, err));
  }
  TRY(paint_contacts(&g, err));
  *out = (contact_set){.count = g.count,
                       .contacts = g.contacts,
                       .start = g.start,
                       .node = g.node,
                       .by_node = g.by_node,
                       .carry = g.carry,
                       .turn = g.turn,
                       .at = moment->x};
  return TRIBO_OK;
}

/* ---- how deep ---------------------------------------------------------------------------------
 */

typedef struct depth_job {
  const contact_finder *f;
  const contact_moment *moment;
  const contact_set *set;
  double *depth;
} depth_job;

/* Where a span has come closest may have moved along it since it was found. */
static double depth_of_span(const feel_pair *p, size_t i) {
  const feelers *f = p->feelers;
  double reach = 2 * FEELERS_FARTHEST * p->thickness;
  spans_place at;
  if (!spans_closest(f, p->model, p->moment, p->surface, i - f->count, p->side, reach, &at))
    return 0;
  double thickness = feelers_thickness(f, p->model, p->moment, i, at.hit.normal);
  return fmax(0, p->surface->def->params.thickness + thickness - at.hit.gap);
}

static double depth_of_point(const feel_pair *p, size_t i) {
  surface_hit hit = feel(p, i, INFINITY);
  return hit.near ? fmax(0, p->thickness - hit.gap) : 0;
}

static void sound_depth(void *context, size_t begin, size_t end) {
  const depth_job *job = context;
  for (size_t i = begin; i < end; i++) {
    const contact_point *c = &job->set->contacts[i];
    feel_pair pair = pair_of(job->f, job->moment, NULL, c->feeler, c->surface);
    pair.side = c->side;
    bool span = (size_t)c->number >= pair.feelers->count;
    job->depth[i] = (span ? depth_of_span : depth_of_point)(&pair, (size_t)c->number);
  }
}

tribo_status contact_depth(contact_finder *f, const contact_moment *moment, const contact_set *set,
                           arena *scratch, double *worst, tribo_error *err) {
  TRY(place_surfaces(f, moment, scratch, err));
  for (size_t j = 0; j < f->model->surface_count; j++)
    if (f->surfaces[j].def && !f->surfaces[j].absent) path_sweep(&f->surfaces[j], &f->tasks);
  depth_job job = {f, moment, set, ARENA_ARRAY(scratch, double, set->count)};
  if (!job.depth) return status_no_memory(err, "contacts");
  tasks_for(&f->tasks, set->count, 64, sound_depth, &job);
  *worst = 0;
  for (size_t i = 0; i < set->count; i++) *worst = fmax(*worst, job.depth[i]);
  return TRIBO_OK;
}
