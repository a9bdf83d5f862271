/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/find.h"

#include "contact/gather.h"
#include "contact/narrow_phase.h"
#include "surface/path.h"

/* ---- who feels how ----------------------------------------------------------------------------
 */

static bool is_rigid(const model *m, int32_t probe) {
  return !m->bodies[m->probes[probe].body].kinematics->deforms;
}

/* A rigid body meets colliders and its like as what they are, a mesh, also where "auto" takes them
 * for smooth: both sides are cut alike, and what is seen to touch is the mesh. */
static bool by_mesh(const model *m, int32_t probe, const model_surface *s) {
  bool shell = s->collider >= 0 || !m->bodies[s->body].kinematics->deforms;
  return is_rigid(m, probe) && shell && s->params.contact == TRIBO_CONTACT_MLS && !s->wished;
}

static surface *surface_for(const contact_finder *f, int32_t probe, int32_t on) {
  bool exact = by_mesh(f->model, probe, &f->model->surfaces[on]);
  return exact ? &f->exact[on] : &f->surfaces[on];
}

const surface *contact_surface(const contact_finder *f, const contact_point *c) {
  return surface_for(f, c->probe, c->surface);
}

/* What bends is felt by the vertices themselves: its own vertices feel edges and faces. */
static bool is_soft(const model *m, const model_surface *s) {
  return s->body >= 0 && m->bodies[s->body].kinematics->deforms;
}

static const probes *probes_for(const contact_finder *f, int32_t probe, int32_t on) {
  bool bare = f->bare[probe].def && is_soft(f->model, &f->model->surfaces[on]);
  return bare ? &f->bare[probe] : &f->probes[probe];
}

const probes *contact_probes(const contact_finder *f, const contact_point *c) {
  return c->corner ? &f->corners[c->surface] : probes_for(f, c->probe, c->surface);
}

/* What the surfaces that they meet allow. */
static probes_form form_of(const contact_finder *f, int32_t probe) {
  const model *m = f->model;
  int contact = m->probes[probe].params.contact;
  bool round = contact == TRIBO_CONTACT_SPHERE || contact == TRIBO_CONTACT_CAPSULE;
  for (size_t j = 0; j < m->surface_count && round; j++)
    if (broad_phase_allowed(&f->broad_phase, (size_t)probe, j) &&
        !by_mesh(m, probe, &m->surfaces[j]))
      round = m->surfaces[j].params.contact != TRIBO_CONTACT_MLS;
  if (!is_rigid(m, probe)) return PROBES_VERTICES;
  return round ? PROBES_ROUND : PROBES_BLUNT;
}

/* The surface with which a rigid body feels the corners of colliders; -1: round bodies feel them
 * themselves. */
static int32_t felt_with(const contact_finder *f, int32_t probe) {
  if (f->probes[probe].form != PROBES_BLUNT) return -1;
  return f->broad_phase.surface_of[f->model->probes[probe].object];
}

static tribo_status make_surface(contact_finder *f, int32_t probe, size_t on, tribo_error *err) {
  const model *m = f->model;
  surface *s = surface_for(f, probe, (int32_t)on);
  if (s->def) return TRIBO_OK;
  const model_surface *def = &m->surfaces[on];
  if (s == &f->exact[on]) {
    model_surface *own = ARENA_ARRAY(&f->memory, model_surface, 1);
    if (!own) return status_no_memory(err, "contact");
    *own = *def;
    own->params.contact = TRIBO_CONTACT_MESH;
    def = own;
  }
  return surface_create(m, def, &f->tasks, s, err);
}

/* Only what somebody touches is built. */
static tribo_status make_surfaces(contact_finder *f, tribo_error *err) {
  const model *m = f->model;
  for (size_t i = 0; i < m->probe_count; i++)
    for (size_t j = 0; j < m->surface_count; j++) {
      int32_t probe = (int32_t)i, own = felt_with(f, probe);
      if (!f->broad_phase.touched[j] || !broad_phase_allowed(&f->broad_phase, i, j)) continue;
      TRY(make_surface(f, probe, j, err));
      if (own < 0 || m->surfaces[j].collider < 0) continue;
      TRY(make_surface(f, probe, (size_t)own, err));
      if (f->corners[j].def) continue;
      const surface *s = surface_for(f, probe, (int32_t)j);
      TRY(probes_of_collider(m, s, &f->memory, &f->corners[j], err));
    }
  return TRIBO_OK;
}

static tribo_status make_room(contact_finder *f, tribo_error *err) {
  size_t most = 0, most_segments = 0;
  for (size_t i = 0; i < f->model->probe_count; i++) {
    if (f->probes[i].count > most) most = f->probes[i].count;
    if (f->probes[i].segment_count > most_segments) most_segments = f->probes[i].segment_count;
  }
  for (size_t j = 0; j < f->model->surface_count; j++)
    if (f->corners[j].count > most) most = f->corners[j].count;
  f->hits = ARENA_ARRAY(&f->memory, surface_hit, most);
  f->places = ARENA_ARRAY(&f->memory, segments_place, most_segments);
  f->first = ARENA_ARRAY(&f->memory, first_place, most + most_segments);
  return f->hits && f->places && f->first ? TRIBO_OK : status_no_memory(err, "contact");
}

tribo_status contact_finder_create(const model *m, broad_phase_whom whom, mls_transport transport,
                                   const tasks *t, contact_finder *out, tribo_error *err) {
  *out = (contact_finder){.model = m, .tasks = *t, .transport = transport};
  out->surfaces = ARENA_ARRAY(&out->memory, surface, m->surface_count);
  out->exact = ARENA_ARRAY(&out->memory, surface, m->surface_count);
  out->probes = ARENA_ARRAY(&out->memory, probes, m->probe_count);
  out->corners = ARENA_ARRAY(&out->memory, probes, m->surface_count);
  out->bare = ARENA_ARRAY(&out->memory, probes, m->probe_count);
  if (!out->surfaces || !out->exact || !out->probes || !out->corners || !out->bare)
    return status_no_memory(err, "contact");
  TRY(broad_phase_create(m, whom, &out->memory, &out->broad_phase, err));
  for (size_t i = 0; i < m->object_count; i++) out->painted |= paint_any(&m->paints[i]);
  for (size_t i = 0; i < m->probe_count; i++) {
    probes_form form = form_of(out, (int32_t)i);
    TRY(probes_create(m, &m->probes[i], form, &out->memory, &out->probes[i], err));
    if (form != PROBES_BLUNT) continue;
    form = PROBES_VERTICES;
    TRY(probes_create(m, &m->probes[i], form, &out->memory, &out->bare[i], err));
  }
  TRY(make_surfaces(out, err));
  return make_room(out, err);
}

void contact_finder_free(contact_finder *f) {
  for (size_t j = 0; f->surfaces && f->exact && j < f->model->surface_count; j++) {
    surface_free(&f->surfaces[j]);
    surface_free(&f->exact[j]);
  }
  arena_free(&f->sets[0]);
  arena_free(&f->sets[1]);
  arena_free(&f->memory);
  *f = (contact_finder){0};
}

/* Of many pairs a small one is not worth threads that have to be woken. */
enum { FEW_PAIRS = 8, GRAIN_OF_FEW = 64, GRAIN_OF_MANY = 1024 };

/* ---- how far away -----------------------------------------------------------------------------
 */

typedef struct narrow_job {
  narrow_pair pair;
  double margin;
  double speed, body_speed; /* of the surface, and of the probes' body, at most */
  broad_phase_ball around;  /* all of the surface's body; radius 0: it is not known */
  size_t grain;             /* points that are worth a thread */
  surface_hit *hits;
  segments_place *places;
} narrow_job;

/* How far away point i may be and still touch within the step. */
static double reach_within(const narrow_job *job, size_t i) {
  const probes *f = job->pair.probes;
  double own = f->local ? job->body_speed : probes_speed(f, job->pair.velocities, i);
  double way = 2 * job->pair.moment->h * (own + job->speed);
  return job->pair.thickness + f->blunt + job->margin + way;
}

static bool out_of_reach(const narrow_job *job, size_t i, double reach) {
  const narrow_pair *p = &job->pair;
  if (!(job->around.radius > 0)) return false;
  vec3 from = vec3_sub(probes_point(p->probes, p->model, p->moment, i), job->around.centre);
  return vec3_norm(from) > job->around.radius + reach;
}

static void narrow_points(void *context, size_t begin, size_t end) {
  const narrow_job *job = context;
  for (size_t i = begin; i < end; i++) {
    double reach = reach_within(job, i);
    if (out_of_reach(job, i, reach))
      job->hits[i] = (surface_hit){0};
    else
      job->hits[i] = feel(&job->pair, i, reach);
  }
}

/* Of what has two sides: that of the middle of a segment, or of an end that is near. */
static int32_t segment_side(const narrow_job *job, size_t k) {
  const narrow_pair *p = &job->pair;
  if (!p->surface->def->two_sided) return 0;
  size_t i = p->probes->count + k;
  vec3 middle = probes_place(p->probes, p->model, p->moment, i, 0.5);
  surface_hit here = surface_query(p->surface, middle, INFINITY);
  if (here.near) return narrow_side(p, i, 0.5, &here);
  const int32_t *end = p->probes->segments[k].end;
  return job->hits[end[0]].near ? job->hits[end[0]].side : job->hits[end[1]].side;
}

static bool segment_out_of_reach(const narrow_job *job, size_t k, double reach) {
  const narrow_pair *p = &job->pair;
  if (!(job->around.radius > 0)) return false;
  size_t i = p->probes->count + k;
  vec3 a = probes_place(p->probes, p->model, p->moment, i, 0);
  vec3 b = probes_place(p->probes, p->model, p->moment, i, 1);
  vec3 middle = vec3_sub(vec3_scale(0.5, vec3_add(a, b)), job->around.centre);
  return vec3_norm(middle) > job->around.radius + reach + vec3_norm(vec3_sub(b, a)) / 2;
}

static void narrow_segments(void *context, size_t begin, size_t end) {
  const narrow_job *job = context;
  const narrow_pair *p = &job->pair;
  for (size_t k = begin; k < end; k++) {
    double reach = reach_within(job, 0);
    segments_place *place = &job->places[k];
    place->hit = (surface_hit){0};
    if (segment_out_of_reach(job, k, reach)) continue;
    int32_t side = segment_side(job, k);
    if (!segments_closest(p->probes, p->model, p->moment, p->surface, k, side, reach, place))
      place->hit.near = false;
    place->hit.allowed = narrow_allowed(p, p->probes->count + k, place->part, &place->hit);
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
static broad_phase_ball reach_of(const contact_finder *f, size_t body, const body_bound *b,
                                 double h, double margin) {
  size_t object = f->model->bodies[body].object;
  int32_t own = f->broad_phase.probes_of[object], on = f->broad_phase.surface_of[object];
  double thick = fmax(own >= 0 ? f->probes[own].thickness + f->probes[own].blunt : 0,
                      on >= 0 ? f->model->surfaces[on].params.thickness : 0);
  return (broad_phase_ball){b->centre, b->radius + thick + margin / 2 + 2 * h * b->speed};
}

/* Whether no point of the one can be in reach of the other's surface, at most 2 h times their
 * speeds, thickness and margin away. A smooth surface may lie outside of its mesh. */
static bool apart(const narrow_job *job, const body_bound *bounds) {
  const narrow_pair *p = &job->pair;
  const surface *s = p->surface;
  if (s->def->body < 0 || s->form == SURFACE_MLS) return false;
  const body_bound *a = &bounds[p->probes->def->body], *b = &bounds[s->def->body];
  double reach =
      p->thickness + p->probes->blunt + job->margin + 2 * p->moment->h * (a->speed + b->speed);
  double least = a->radius + b->radius + reach;
  return vec3_norm2(vec3_sub(a->centre, b->centre)) > least * least;
}

/* Whether the pair bore something in the last step, or one was left deep in the other. */
static bool touched(const narrow_pair *p) {
  const contact_moment *now = p->moment;
  uint64_t first = narrow_key(p->probes, p->surface, 0) >> 32 << 32;
  size_t low = 0, high = now->touch_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (now->touches[middle].key < first)
      low = middle + 1;
    else
      high = middle;
  }
  return low < now->touch_count && now->touches[low].key - first < (uint64_t)1 << 32;
}

/* The same of a rigid body and a collider, by one distance in place of one a point: that of the
 * body's centre. What may be deep inside is not near either, and has to be asked. */
static bool clear(const narrow_job *job, const body_bound *body) {
  const narrow_pair *p = &job->pair;
  const surface *s = p->surface;
  if (s->def->collider < 0 || s->form != SURFACE_MESH || !p->probes->local) return false;
  if (p->moment->first || s->appears || touched(p)) return false;
  double reach = reach_within(job, 0) + body->radius;
  return !surface_query(s, body->centre, reach).near;
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

static const double ONE_PLANE = 1e-9;

/* A point on an edge between two that are near the same plane: it cannot go in before they do, and
 * what it could bear they can. More contacts than needed are what solvers dislike. */
static bool spared(const probes *f, const surface_hit *hits, size_t i) {
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
  for (size_t j = 0; j < f->model->surface_count; j++) {
    if (f->surfaces[j].def) TRY(surface_place(&f->surfaces[j], &f->tasks, moment, scratch, err));
    if (f->exact[j].def) TRY(surface_place(&f->exact[j], &f->tasks, moment, scratch, err));
  }
  return TRIBO_OK;
}

static double thickness_of(const contact_finder *f, int32_t probe, int32_t on) {
  return f->probes[probe].thickness + f->model->surfaces[on].params.thickness;
}

/* corner: of what the collider's corners feel. */
static narrow_pair pair_of(const contact_finder *f, const contact_moment *moment,
                           const vec3 *velocities, int32_t probe, int32_t on, bool corner) {
  int32_t touched = corner ? felt_with(f, probe) : on;
  return (narrow_pair){.model = f->model,
                       .probes = corner ? &f->corners[on] : probes_for(f, probe, on),
                       .surface = surface_for(f, probe, touched),
                       .moment = moment,
                       .velocities = velocities,
                       .thickness = thickness_of(f, probe, on),
                       .moving = moment->x != moment->x_before};
}

static void narrow_insides(void *context, size_t begin, size_t end) {
  const narrow_job *job = context;
  for (size_t i = begin; i < end; i++)
    if (!job->hits[i].near && narrow_may_be_inside(&job->pair, i))
      job->hits[i] = narrow_inside(&job->pair, i);
}

/* What is not near a closed surface may be deep inside. That is asked where there is reason to. */
static void look_inside(const contact_finder *f, surface *s, const narrow_job *job) {
  size_t count = job->pair.probes->count, i = 0;
  if (!surface_has_inside(s)) return;
  bool known = !job->pair.moment->first && !s->appears;
  if (known && job->pair.moment->touch_count == 0) return;
  while (i < count && (job->hits[i].near || !narrow_may_be_inside(&job->pair, i))) i++;
  if (i == count) return;
  surface_fit_inside(s, &f->tasks);
  tasks_for(&f->tasks, count, job->grain, narrow_insides, (void *)job);
}

/* Where segments of two bodies cross both would feel it. The place is taken from the object that
 * comes first; but a corner is no segment, and only the other's segments feel that. */
static bool felt_back(const contact_finder *f, const contact_pair *pair, const surface_hit *hit) {
  size_t object = f->probes[pair->probes].def->object;
  size_t against = f->model->surfaces[pair->surface].object;
  int32_t own = f->broad_phase.surface_of[object], other = f->broad_phase.probes_of[against];
  if (object < against || own < 0 || other < 0 || f->probes[other].segment_count == 0) return false;
  bool mesh = surface_for(f, pair->probes, pair->surface)->form == SURFACE_MESH;
  bool corner = (hit->weight[0] == 0) + (hit->weight[1] == 0) + (hit->weight[2] == 0) == 2;
  return !(mesh && corner) && broad_phase_allowed(&f->broad_phase, (size_t)other, (size_t)own);
}

/* Of what has two sides, where nothing is known of the time before: on which most of a body is. */
static tribo_status lean(const gathering *g, const surface *s, narrow_job *job, tribo_error *err) {
  const narrow_pair *p = &job->pair;
  if (!s->def->two_sided || !(p->moment->first || s->appears)) return TRIBO_OK;
  size_t parts = s->def->triangle_count + 1;
  double *clear = ARENA_ARRAY(g->memory, double, parts);
  double *pressed = ARENA_ARRAY(g->memory, double, parts);
  if (!clear || !pressed) return status_no_memory(err, "contacts");
  for (size_t i = 0; i < p->probes->count; i++) {
    int where;
    double by;
    int32_t part = narrow_lean(p, i, &where, &by);
    if (part < 0) continue;
    clear[part] += where;
    pressed[part] += by;
  }
  for (size_t k = 0; k < parts; k++)
    if (clear[k] == 0) clear[k] = pressed[k];
  job->pair.lean = clear;
  return TRIBO_OK;
}

static tribo_status feel_all(const contact_finder *f, const gathering *g, narrow_job *job,
                             gather_place *at, tribo_error *err) {
  surface *s = (surface *)job->pair.surface;
  at->probes = job->pair.probes;
  at->surface = s;
  TRY(lean(g, s, job, err));
  tasks_for(&f->tasks, at->probes->count, job->grain, narrow_points, job);
  look_inside(f, s, job);
  return TRIBO_OK;
}

/* What is felt of the pair, points before segments. */
static size_t list_places(const contact_finder *f, const contact_pair *pair, const narrow_job *job,
                          first_place *out) {
  const probes *by = job->pair.probes;
  size_t count = 0;
  for (size_t i = 0; i < by->count; i++)
    if (job->hits[i].near && !spared(by, job->hits, i))
      out[count++] = (first_place){.i = i, .hit = job->hits[i]};
  for (size_t k = 0; k < by->segment_count; k++) {
    const segments_place *place = &job->places[k];
    if (place->hit.near && !felt_back(f, pair, &place->hit))
      out[count++] = (first_place){by->count + k, place->part, place->hit, 0, 0};
  }
  return count;
}

static tribo_status add_contacts(const contact_finder *f, gathering *g, const contact_pair *pair,
                                 narrow_job *job, tribo_error *err) {
  gather_place at = {.pair = *pair};
  TRY(feel_all(f, g, job, &at, err));
  tasks_for(&f->tasks, at.probes->segment_count, 2 * job->grain, narrow_segments, job);
  first_place *places = f->first;
  size_t count = list_places(f, pair, job, places);
  if (first_counts(&job->pair, count)) {
    for (size_t k = 0; k < count; k++) first_measure(&job->pair, &places[k]);
    count = first_choose(places, count, first_rest(&job->pair, job->margin), g->memory);
  }
  for (size_t k = 0; k < count; k++) {
    at.i = places[k].i;
    at.part = places[k].part;
    at.hit = places[k].hit;
    TRY(gather_add(g, &at, err));
  }
  return TRIBO_OK;
}

/* What is one place, in parts of how far points are drawn inwards on both sides. */
static const double CLOSE = 3;

/* Where the body's own vertices and edges are as near in the same direction, a corner below them
 * has nothing to add: two contacts at one place are what solvers dislike. */
static bool borne(const gathering *g, size_t first, const gather_place *at, double close) {
  const double same_way = 0.7, same_gap = 1e-5; /* cosine; in parts of the smallest body */
  const probes *f = at->probes;
  double thickness = at->surface->def->params.thickness +
                     probes_thickness(f, g->model, g->moment, at->i, at->hit.normal);
  double gap = at->hit.gap - thickness + same_gap * g->model->smallest;
  for (size_t k = first; k < g->count; k++) {
    const contact_point *c = &g->contacts[k];
    vec3 apart = vec3_sub(c->point, at->hit.foot);
    if (vec3_norm2(apart) < close * close && c->gap - c->allowed < gap &&
        -vec3_dot(c->normal, at->hit.normal) > same_way)
      return true;
  }
  return false;
}

/* What the corners of a collider feel of a rigid body that feels the collider. */
static tribo_status add_corners(const contact_finder *f, gathering *g, const contact_pair *pair,
                                const narrow_job *there, const body_bound *body, size_t first,
                                tribo_error *err) {
  bool collider = f->model->surfaces[pair->surface].collider >= 0;
  if (!collider || f->corners[pair->surface].count == 0 || felt_with(f, pair->probes) < 0)
    return TRIBO_OK;
  gather_place at = {.pair = *pair};
  narrow_job job = *there;
  job.pair = pair_of(f, g->moment, there->pair.velocities, pair->probes, pair->surface, true);
  job.pair.moving = there->pair.moving;
  job.speed = there->body_speed;
  job.body_speed = there->speed;
  job.around = (broad_phase_ball){body->centre, body->radius};
  TRY(feel_all(f, g, &job, &at, err));
  double close = CLOSE * (there->pair.probes->blunt + at.probes->blunt);
  for (at.i = 0; at.i < at.probes->count; at.i++) {
    at.hit = job.hits[at.i];
    if (at.hit.near && !borne(g, first, &at, close)) TRY(gather_add(g, &at, err));
  }
  return TRIBO_OK;
}

static tribo_status add_pair(const contact_finder *f, gathering *g, const contact_pair *pair,
                             const vec3 *velocities, double margin, const body_bound *bounds,
                             tribo_error *err) {
  surface *s = surface_for(f, pair->probes, pair->surface);
  const body_bound *body = &bounds[f->probes[pair->probes].def->body];
  if (s->absent) return TRIBO_OK;
  narrow_job job = {.pair = pair_of(f, g->moment, velocities, pair->probes, pair->surface, false),
                    .margin = margin,
                    .body_speed = body->speed,
                    .grain = f->grain,
                    .hits = f->hits,
                    .places = f->places};
  if (apart(&job, bounds)) return TRIBO_OK;
  job.speed = surface_speed(s, g->moment, bounds);
  if (clear(&job, body)) return TRIBO_OK;
  if (s->def->body >= 0 && s->form == SURFACE_MESH && !s->def->two_sided)
    job.around = (broad_phase_ball){bounds[s->def->body].centre, bounds[s->def->body].radius};
  /* nodes are where they were, but a collider is where it will be */
  job.pair.moving |= s->def->collider >= 0 && job.speed > 0;
  if (job.pair.moving || s->def->two_sided) path_sweep(s, &f->tasks);
  size_t first = g->count;
  TRY(add_contacts(f, g, pair, &job, err));
  return add_corners(f, g, pair, &job, body, first, err);
}

tribo_status contact_find(contact_finder *f, const contact_moment *moment, const vec3 *velocities,
                          double margin, contact_set *out, tribo_error *err) {
  f->latest = 1 - f->latest;
  arena *memory = &f->sets[f->latest];
  arena_reset(memory);
  gathering g = {.model = f->model,
                 .moment = moment,
                 .transport = f->transport,
                 .painted = f->painted,
                 .memory = memory};
  TRY(gather_begin(&g, err));
  TRY(place_surfaces(f, moment, memory, err));
  body_bound *bounds = ARENA_ARRAY(memory, body_bound, f->model->body_count);
  broad_phase_ball *balls = ARENA_ARRAY(memory, broad_phase_ball, f->model->body_count);
  if (!bounds || !balls) return status_no_memory(err, "contacts");
  for (size_t b = 0; b < f->model->body_count; b++) {
    bounds[b] = bound_body(&f->model->bodies[b], moment, velocities);
    balls[b] = reach_of(f, b, &bounds[b], moment->h, margin);
  }
  contact_pair *pairs;
  size_t pair_count;
  TRY(broad_phase_near(&f->broad_phase, balls, memory, &pairs, &pair_count, err));
  f->grain = pair_count > FEW_PAIRS ? GRAIN_OF_MANY : GRAIN_OF_FEW;
  for (size_t p = 0; p < pair_count; p++)
    TRY(add_pair(f, &g, &pairs[p], velocities, margin, bounds, err));
  return gather_end(&g, &f->tasks, out, err);
}

/* ---- how deep ---------------------------------------------------------------------------------
 */

typedef struct depth_job {
  const contact_finder *f;
  const contact_moment *moment;
  const contact_set *set;
  double *depth;
} depth_job;

/* Where a segment has come closest may have moved along it since it was found. */
static double depth_of_span(const narrow_pair *p, size_t i) {
  const probes *f = p->probes;
  double reach = 2 * (p->thickness + f->blunt);
  segments_place at;
  if (!segments_closest(f, p->model, p->moment, p->surface, i - f->count, p->side, reach, &at))
    return 0;
  double thickness = probes_thickness(f, p->model, p->moment, i, at.hit.normal);
  return fmax(0, p->surface->def->params.thickness + thickness - at.hit.gap);
}

static double depth_of_point(const narrow_pair *p, size_t i) {
  surface_hit hit = feel(p, i, INFINITY);
  if (!hit.near) return 0;
  const probes *f = p->probes;
  double thickness = probes_thickness(f, p->model, p->moment, i, hit.normal);
  return fmax(0, p->thickness - f->thickness + thickness - hit.gap);
}

static void sound_depth(void *context, size_t begin, size_t end) {
  const depth_job *job = context;
  for (size_t i = begin; i < end; i++) {
    const contact_point *c = &job->set->contacts[i];
    narrow_pair pair = pair_of(job->f, job->moment, NULL, c->probe, c->surface, c->corner);
    pair.side = c->side;
    bool segment = (size_t)c->number >= pair.probes->count;
    job->depth[i] = (segment ? depth_of_span : depth_of_point)(&pair, (size_t)c->number);
  }
}

tribo_status contact_depth(contact_finder *f, const contact_moment *moment, const contact_set *set,
                           arena *scratch, double *worst, tribo_error *err) {
  TRY(place_surfaces(f, moment, scratch, err));
  for (size_t j = 0; j < f->model->surface_count; j++) {
    if (f->surfaces[j].def && !f->surfaces[j].absent) path_sweep(&f->surfaces[j], &f->tasks);
    if (f->exact[j].def && !f->exact[j].absent) path_sweep(&f->exact[j], &f->tasks);
  }
  depth_job job = {f, moment, set, ARENA_ARRAY(scratch, double, set->count)};
  if (!job.depth) return status_no_memory(err, "contacts");
  tasks_for(&f->tasks, set->count, 64, sound_depth, &job);
  *worst = 0;
  for (size_t i = 0; i < set->count; i++) *worst = fmax(*worst, job.depth[i]);
  return TRIBO_OK;
}
