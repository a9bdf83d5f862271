/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/first.h"

#include <stdlib.h>

/* Solvers like so many contacts of one pair well enough. */
enum { FEW = 24 };

/* Radians within a step, beyond those of the body's own turning; cosine of what faces one way. */
static const double TURNS = 0.02, ONE_WAY = 0.8;

bool first_counts(const narrow_pair *pair, size_t count) {
  const probes *f = pair->probes;
  return count > FEW && f->form == PROBES_BLUNT && !f->of && pair->velocities &&
         !pair->surface->deforms;
}

/* In parts of the margin: at the start of a step, and where it has led, when places that wedge may
 * lie behind others. */
static const double AT_START = 1, LATER = 4;

double first_rest(const narrow_pair *pair, double margin) {
  bool start = pair->moment->x == pair->moment->x_before;
  return margin * (start ? AT_START : LATER);
}

/* Of a simulated surface; a collider is where the step ends. */
static vec3 surface_velocity(const narrow_pair *pair, const surface_hit *hit) {
  const surface *s = pair->surface;
  if (s->def->body < 0 || s->form != SURFACE_MESH) return vec3_make(0, 0, 0);
  int32_t first = pair->model->bodies[s->def->body].first_vertex;
  return pair->velocities[first + s->triangles[3 * hit->triangle]];
}

void first_measure(const narrow_pair *pair, first_place *place) {
  const probes *f = pair->probes;
  const surface_hit *hit = &place->hit;
  double thickness = pair->surface->def->params.thickness +
                     probes_thickness(f, pair->model, pair->moment, place->i, hit->normal);
  place->gap = hit->gap - thickness + hit->allowed;
  place->flown = place->gap;
  if (pair->moment->x != pair->moment->x_before) return;
  vec3 own = pair->velocities[f->body->first_vertex + probes_vertex(f, place->i)];
  vec3 way = vec3_scale(pair->moment->h, vec3_sub(own, surface_velocity(pair, hit)));
  place->flown += vec3_dot(way, hit->normal);
}

static bool before(const first_place *j, const first_place *i, double rest) {
  if (!(vec3_dot(i->hit.normal, j->hit.normal) > ONE_WAY)) return false;
  double apart = vec3_norm(vec3_sub(i->hit.foot, j->hit.foot));
  double most = rest + TURNS * apart;
  return i->gap - j->gap > most && i->flown - j->flown > most;
}

/* Nearest first, by where they would fly; of equal ones the earlier. */
typedef struct in_turn {
  double flown;
  size_t at;
} in_turn;

static int by_turn(const void *a, const void *b) {
  const in_turn *x = a, *y = b;
  if (x->flown != y->flown) return x->flown < y->flown ? -1 : 1;
  return (x->at > y->at) - (x->at < y->at);
}

size_t first_choose(first_place *places, size_t count, double rest, arena *memory) {
  in_turn *order = ARENA_ARRAY(memory, in_turn, count);
  bool *stays = ARENA_ARRAY(memory, bool, count);
  if (!order || !stays) return count; /* more contacts than needed do no harm */
  for (size_t k = 0; k < count; k++) order[k] = (in_turn){places[k].flown, k};
  qsort(order, count, sizeof *order, by_turn);
  size_t chosen = 0; /* order[0] to order[chosen - 1] stay */
  for (size_t k = 0; k < count; k++) {
    size_t at = order[k].at;
    bool late = false;
    for (size_t j = 0; j < chosen && !late && places[at].gap > rest; j++)
      late = before(&places[order[j].at], &places[at], rest);
    if (late) continue;
    stays[at] = true;
    order[chosen++] = order[k];
  }
  size_t kept = 0;
  for (size_t k = 0; k < count; k++)
    if (stays[k]) places[kept++] = places[k];
  return kept;
}
