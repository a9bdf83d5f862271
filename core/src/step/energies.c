/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "step/energies.h"

#include "model/collider.h"
#include "model/kinematics.h"

/* The body that a node belongs to. */
static size_t body_of(const model *m, int32_t node) {
  size_t low = 0, high = m->body_count;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (m->bodies[middle].first_node <= node)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void add_motion(const model *m, const state *s, const model_body *body, energies *out) {
  out->kinetic = kinematics_kinetic(m, body, s->v, s->turns);
  for (int32_t i = body->first_node; i < body->first_node + body->node_count; i++)
    out->stored -= m->mass[i] * vec3_dot(m->gravity, s->x[i]);
}

static void add_pin(const model *m, const model_pin *p, const state *s, double seconds,
                    energies *out) {
  for (size_t i = 0; p->stiffness > 0 && i < p->vertex_count; i++) {
    double share = p->share ? p->share[i] : 1;
    vec3 away = vec3_sub(s->x[p->vertices[i]], model_pin_target(p, i, seconds));
    energies *of = &out[body_of(m, p->vertices[i])];
    of->stored += p->stiffness * share * vec3_norm2(away) / 2;
  }
}

static void add_terms(const model *m, const tasks *t, const state *s, double *scratch,
                      energies *out) {
  for (size_t k = 0; k < m->elastic_count; k++) {
    const energy_term *term = &m->elastics[k].term;
    if (term->set->count == 0) continue;
    out[body_of(m, term->set->vertices[0])].elastic += elements_energy(term, t, s->x, scratch);
  }
}

void energies_of_bodies(const model *m, const tasks *t, const state *s, double seconds,
                        const double *own, double *scratch, energies *out) {
  for (size_t b = 0; b < m->body_count; b++) {
    out[b] = (energies){.elastic = own ? own[b] : 0};
    add_motion(m, s, &m->bodies[b], &out[b]);
  }
  if (!own) add_terms(m, t, s, scratch, out);
  for (size_t b = 0; b < m->body_count; b++) out[b].stored += out[b].elastic;
  for (size_t p = 0; p < m->pin_count; p++) add_pin(m, &m->pins[p], s, seconds, out);
}

/* ---- from outside -----------------------------------------------------------------------------
 */

static double way_of_collider(const model_collider *c, const tasks *t, double from, double to,
                              vec3 *scratch) {
  size_t count = (size_t)c->vertex_count;
  double most = 0;
  collider_vertices(c, t, from, scratch);
  collider_vertices(c, t, to, scratch + count);
  for (size_t i = 0; i < count; i++)
    most = fmax(most, vec3_norm(vec3_sub(scratch[count + i], scratch[i])));
  return most;
}

static double way_of_pin(const model_pin *p, double from, double to) {
  double most = 0;
  for (size_t i = 0; p->follows && i < p->vertex_count; i++)
    most =
        fmax(most, vec3_norm(vec3_sub(model_pin_target(p, i, to), model_pin_target(p, i, from))));
  return most;
}

double energies_outer_speed(const model *m, const tasks *t, double from, double to, vec3 *scratch) {
  double way = 0, wind = 0;
  for (size_t i = 0; i < m->collider_count; i++) {
    const model_collider *c = &m->colliders[i];
    if (c->sample_count > 1 && (collider_present(c, from) || collider_present(c, to)))
      way = fmax(way, way_of_collider(c, t, from, to, scratch));
  }
  for (size_t p = 0; p < m->pin_count; p++) way = fmax(way, way_of_pin(&m->pins[p], from, to));
  for (size_t k = 0; k < m->skin_count; k++) wind = fmax(wind, vec3_norm(m->skins[k].air.velocity));
  return fmax(wind, to > from ? way / (to - from) : 0);
}

bool energies_appearing(const model *m, double from, double to) {
  for (size_t i = 0; i < m->collider_count; i++) {
    const model_collider *c = &m->colliders[i];
    if (collider_present(c, to) && !collider_present(c, from)) return true;
  }
  return false;
}
