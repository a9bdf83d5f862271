/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "projective/projective_solid_contact.h"

#include <math.h>
#include <string.h>

#include "model/kinematics.h"

/* Nodes on the skin of a body for which there is room: 32 MB. */
enum { MOST_SLOTS = 2048 };

/* Rounds over the contacts of a body: at most, at least, and what all of an iteration may cost, in
 * changes of a velocity; and the change against the largest impulse at which they end. */
enum { MOST_ROUNDS = 200, LEAST_ROUNDS = 5, WORK = 2000000 };
static const double SETTLED = 1e-6;

/* ---- vectors ----------------------------------------------------------------------------------
 */

#define INLINE __attribute__((always_inline)) static inline

INLINE void spread(const double *k, size_t count, double by, double *z) {
  for (size_t j = 0; j < count; j++) z[j] += k[j] * by;
}

/* One copy for each width of vectors; nothing is fused, so the bits are the same. */
#define DEFINE_SPREAD(name, target)                                                                \
  target static void name(const double *k, size_t count, vec3 by, double *const z[3]) {            \
    spread(k, count, by.x, z[0]);                                                                  \
    spread(k, count, by.y, z[1]);                                                                  \
    spread(k, count, by.z, z[2]);                                                                  \
  }

DEFINE_SPREAD(spread_plain, )
#ifdef __x86_64__
DEFINE_SPREAD(spread_avx2, __attribute__((target("avx2"))))
DEFINE_SPREAD(spread_avx512, __attribute__((target("avx512f"))))
#endif

static press_spread choose_spread(void) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f")) return spread_avx512;
  if (__builtin_cpu_supports("avx2")) return spread_avx2;
#endif
  return spread_plain;
}

/* ---- setting up -------------------------------------------------------------------------------
 */

static const model_probes *probes_of(const model *m, size_t body) {
  for (size_t i = 0; i < m->probe_count; i++)
    if (m->probes[i].body == (int32_t)body) return &m->probes[i];
  return NULL;
}

/* The nodes that vertex v of a body hangs on, with weights; returns how many. */
static int hang(const model_body *body, int32_t v, int32_t node[4], double weight[4]) {
  if (body->kinematics->by_vertex) {
    node[0] = body->first_node + v, weight[0] = 1;
    return 1;
  }
  int count = 0;
  for (int a = 0; a < 4; a++) {
    if (body->weight[v][a] == 0) continue;
    node[count] = body->anchor[v][a];
    weight[count++] = body->weight[v][a];
  }
  return count;
}

static tribo_status make_skin(const model *m, size_t b, arena *memory, press_skin *out,
                              tribo_error *err) {
  const model_body *body = &m->bodies[b];
  const model_probes *f = probes_of(m, b);
  if (!f || !body->tets) return TRIBO_OK;
  out->slot = ARENA_ARRAY(memory, int32_t, body->node_count);
  if (!out->slot) return status_no_memory(err, "contacts");
  for (int32_t i = 0; i < body->node_count; i++) out->slot[i] = -1;
  for (size_t i = 0; i < f->count; i++) {
    int32_t node[4];
    double weight[4];
    for (int k = hang(body, f->vertices[i], node, weight); k-- > 0;) {
      int32_t *slot = &out->slot[node[k] - body->first_node];
      if (*slot < 0) *slot = out->slots++;
    }
  }
  if (out->slots > MOST_SLOTS) return TRIBO_OK;
  out->answer = ARENA_ARRAY(memory, double, (size_t)out->slots *(size_t)out->slots);
  out->known = ARENA_ARRAY(memory, bool, out->slots);
  return out->answer && out->known ? TRIBO_OK : status_no_memory(err, "contacts");
}

tribo_status projective_solid_contact_create(const model *m, const tasks *t, arena *memory,
                                             projective_solid_contact *out, tribo_error *err) {
  *out = (projective_solid_contact){.model = m,
                                    .tasks = *t,
                                    .spread = choose_spread(),
                                    .skins = ARENA_ARRAY(memory, press_skin, m->body_count),
                                    .impulse = ARENA_ARRAY(memory, vec3, m->node_count),
                                    .velocity = ARENA_ARRAY(memory, vec3, m->node_count),
                                    .place = ARENA_ARRAY(memory, int32_t, m->node_count)};
  if (!out->skins || !out->impulse || !out->velocity || !out->place)
    return status_no_memory(err, "contacts");
  for (size_t b = 0; b < m->body_count; b++) TRY(make_skin(m, b, memory, &out->skins[b], err));
  return TRIBO_OK;
}

/* ---- what a skin answers ----------------------------------------------------------------------
 */

/* The answers to impulses on up to three nodes of a body, one along x, one along y, one along z:
 * the matrix acts on each alike. */
static void ask(projective_solid_contact *p, size_t b, const int32_t *nodes, int count,
                prefactor *matrix) {
  const model_body *body = &p->model->bodies[b];
  press_skin *skin = &p->skins[b];
  for (int k = 0; k < count; k++) (&p->impulse[nodes[k]].x)[k] = 1;
  prefactor_solve(matrix, p->impulse, p->velocity);
  for (int k = 0; k < count; k++) {
    int32_t own = skin->slot[nodes[k] - body->first_node];
    double *row = skin->answer + (size_t)own * (size_t)skin->slots;
    for (int32_t i = 0; i < body->node_count; i++)
      if (skin->slot[i] >= 0 && p->model->row_of_node[body->first_node + i] >= 0)
        row[skin->slot[i]] = (&p->velocity[body->first_node + i].x)[k];
    p->impulse[nodes[k]] = vec3_make(0, 0, 0);
    skin->known[own] = true;
  }
}

static void learn(projective_solid_contact *p, size_t b, const press_body *of, prefactor *matrix) {
  const press_skin *skin = &p->skins[b];
  int32_t first = p->model->bodies[b].first_node, unknown[3];
  int count = 0;
  for (size_t i = 0; i < of->node_count; i++) {
    int32_t node = of->node[i];
    if (p->model->row_of_node[node] < 0 || skin->known[skin->slot[node - first]]) continue;
    unknown[count++] = node;
    if (count < 3) continue;
    ask(p, b, unknown, count, matrix);
    count = 0;
  }
  if (count > 0) ask(p, b, unknown, count, matrix);
}

/* ---- the start of a step ----------------------------------------------------------------------
 */

/* A block of the set's `carry` is a weight times I: obstacles have no nodes, and nothing turns. */
static press_contact take_contact(projective_solid_contact *p, const contact_set *set, size_t i,
                                  press_body *body) {
  press_contact c = {.number = i};
  for (size_t e = set->start[i]; e < set->start[i + 1]; e++) {
    double weight = set->carry[e].m[0][0];
    if (weight == 0) continue;
    int32_t node = set->node[e];
    if (p->place[node] < 0) {
      p->place[node] = (int32_t)body->node_count;
      body->node[body->node_count++] = node;
    }
    c.place[c.count] = p->place[node];
    c.weight[c.count++] = weight;
  }
  return c;
}

static double between(const press_body *b, int32_t i, int32_t j) {
  if (b->k) return b->k[(size_t)i * b->node_count + (size_t)j];
  return i == j ? b->inverse[i] : 0;
}

static void weigh(const press_body *b, press_contact *c) {
  double flexible = 0;
  for (int i = 0; i < c->count; i++)
    for (int j = 0; j < c->count; j++)
      flexible += c->weight[i] * c->weight[j] * between(b, c->place[i], c->place[j]);
  c->mass = flexible > 0 ? 1 / flexible : 0;
}

static void fill_k(const projective_solid_contact *p, size_t b, press_body *of) {
  const press_skin *skin = &p->skins[b];
  int32_t first = p->model->bodies[b].first_node;
  for (size_t i = 0; i < of->node_count; i++) {
    if (p->model->row_of_node[of->node[i]] < 0) continue; /* pinned: it has no answer */
    size_t own = (size_t)skin->slot[of->node[i] - first];
    const double *row = skin->answer + own * (size_t)skin->slots;
    double *k = of->k + i * of->node_count;
    for (size_t j = 0; j < of->node_count; j++) k[j] = row[skin->slot[of->node[j] - first]];
  }
}

/* The contacts [begin, end) of the set are all those of one body. */
static tribo_status solid_contact(projective_solid_contact *p, const contact_set *set, size_t b,
                                  size_t begin, size_t end, const double *mass, prefactor *matrix,
                                  arena *step, tribo_error *err) {
  const model *m = p->model;
  size_t entries = set->start[end] - set->start[begin];
  press_body *of = &p->bodies[p->count++];
  *of = (press_body){.node = ARENA_ARRAY(step, int32_t, entries),
                     .contacts = ARENA_ARRAY(step, press_contact, end - begin)};
  if (!of->node || !of->contacts) return status_no_memory(err, "contacts");
  for (size_t i = begin; i < end; i++) of->contacts[of->count++] = take_contact(p, set, i, of);
  of->inverse = ARENA_ARRAY(step, double, of->node_count);
  of->spread = p->spread;
  for (int c = 0; c < 3; c++) of->z[c] = ARENA_ARRAY(step, double, of->node_count);
  if (!of->inverse || !of->z[0] || !of->z[1] || !of->z[2]) return status_no_memory(err, "contacts");
  for (size_t i = 0; i < of->node_count; i++) {
    of->inverse[i] = m->row_of_node[of->node[i]] < 0 ? 0 : 1 / mass[of->node[i]];
    p->place[of->node[i]] = -1;
  }
  if (p->skins[b].answer && matrix) {
    of->k = ARENA_ARRAY(step, double, of->node_count * of->node_count);
    if (!of->k) return status_no_memory(err, "contacts");
    learn(p, b, of, matrix);
    fill_k(p, b, of);
  }
  for (size_t i = 0; i < of->count; i++) weigh(of, &of->contacts[i]);
  return TRIBO_OK;
}

tribo_status projective_solid_contact_begin(projective_solid_contact *p, const contact_set *set,
                                            const double *mass, prefactor *matrix,
                                            projective_contact *contacts, arena *step,
                                            tribo_error *err) {
  const model *m = p->model;
  p->count = 0;
  p->bodies = ARENA_ARRAY(step, press_body, m->body_count);
  if (!p->bodies) return status_no_memory(err, "contacts");
  for (int32_t i = 0; i < m->node_count; i++) p->place[i] = -1;
  for (size_t begin = 0, end; begin < set->count; begin = end) {
    int32_t probe = set->contacts[begin].probe;
    size_t b = (size_t)m->probes[probe].body;
    for (end = begin + 1; end < set->count && set->contacts[end].probe == probe;) end++;
    if (!m->bodies[b].tets) continue;
    for (size_t i = begin; i < end; i++) contacts[i].pressed = true;
    TRY(solid_contact(p, set, b, begin, end, mass, matrix, step, err));
  }
  return TRIBO_OK;
}

/* ---- the local step ---------------------------------------------------------------------------
 */

/* An impulse on a place moves all the others. */
static void answer(const press_body *b, int32_t place, vec3 impulse) {
  if (b->k) {
    b->spread(b->k + (size_t)place * b->node_count, b->node_count, impulse, b->z);
    return;
  }
  for (int c = 0; c < 3; c++) b->z[c][place] += b->inverse[place] * (&impulse.x)[c];
}

static void give(const press_body *b, const press_contact *c, vec3 impulse, vec3 *g) {
  for (int k = 0; k < c->count; k++) {
    int32_t node = b->node[c->place[k]];
    g[node] = vec3_madd(g[node], c->weight[k], impulse);
  }
}

static vec3 place_velocity(const press_body *b, int32_t place) {
  return vec3_make(b->z[0][place], b->z[1][place], b->z[2][place]);
}

/* From z and the impulse at hand to the impulse that the contact asks for; returns the change. */
static vec3 revise(const press_body *b, press_contact *c, const projective_contact *with) {
  vec3 at = {0, 0, 0};
  for (int k = 0; k < c->count; k++)
    at = vec3_madd(at, c->weight[k], place_velocity(b, c->place[k]));
  vec3 d = vec3_madd(projective_contact_velocity(with, at), -1 / c->mass, c->impulse);
  vec3 r = projective_bear(&with->cone, d, c->mass), change = vec3_sub(r, c->impulse);
  c->impulse = r;
  return change;
}

/* z = v + K (g + r) is kept up with every change of r. */
static void press_body_update(press_body *b, const projective_contact *contacts, const vec3 *v,
                              vec3 *g) {
  for (size_t i = 0; i < b->count; i++)
    give(b, &b->contacts[i],
         projective_to_world(&contacts[b->contacts[i].number].cone, b->contacts[i].impulse), g);
  for (size_t i = 0; i < b->node_count; i++) {
    vec3 at = v[b->node[i]];
    b->z[0][i] = at.x, b->z[1][i] = at.y, b->z[2][i] = at.z;
  }
  for (size_t i = 0; i < b->node_count; i++) answer(b, (int32_t)i, g[b->node[i]]);
  double most = 1, largest = 0;
  size_t afford = WORK / (b->count * (b->k ? b->node_count : 1));
  int rounds = afford > MOST_ROUNDS    ? MOST_ROUNDS
               : afford < LEAST_ROUNDS ? LEAST_ROUNDS
                                       : (int)afford;
  for (int round = 0; round < rounds && most > SETTLED * largest; round++) {
    most = largest = 0;
    for (size_t i = 0; i < b->count; i++) {
      press_contact *c = &b->contacts[i];
      if (!(c->mass > 0)) continue;
      const projective_contact *with = &contacts[c->number];
      vec3 change = revise(b, c, with);
      most = fmax(most, vec3_max_abs(change));
      largest = fmax(largest, c->impulse.x);
      if (!(vec3_max_abs(change) > 0)) continue;
      vec3 world = projective_to_world(&with->cone, change);
      for (int k = 0; k < c->count; k++) answer(b, c->place[k], vec3_scale(c->weight[k], world));
      give(b, c, world, g);
    }
  }
}

typedef struct press_job {
  projective_solid_contact *p;
  const projective_contact *contacts;
  const vec3 *v;
  vec3 *g;
} press_job;

static void update_bodies(void *context, size_t begin, size_t end) {
  const press_job *job = context;
  for (size_t i = begin; i < end; i++)
    press_body_update(&job->p->bodies[i], job->contacts, job->v, job->g);
}

/* Bodies share no nodes. */
void projective_solid_contact_update(projective_solid_contact *p,
                                     const projective_contact *contacts, const vec3 *v, vec3 *g) {
  press_job job = {p, contacts, v, g};
  tasks_for(&p->tasks, p->count, 1, update_bodies, &job);
}

void projective_solid_contact_finish(const projective_solid_contact *p, const vec3 *v,
                                     projective_contact *contacts) {
  for (size_t n = 0; n < p->count; n++) {
    const press_body *b = &p->bodies[n];
    for (size_t i = 0; i < b->count; i++) {
      const press_contact *c = &b->contacts[i];
      projective_contact *out = &contacts[c->number];
      vec3 at = {0, 0, 0};
      for (int k = 0; k < c->count; k++) at = vec3_madd(at, c->weight[k], v[b->node[c->place[k]]]);
      out->velocity = projective_contact_velocity(out, at);
      out->impulse = c->impulse;
      out->mass = c->mass;
      out->held = !(c->mass > 0);
    }
  }
}
