/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mls/mls_check.h"

#include <assert.h>
#include <string.h>

/* Triangles looked at together: enough to share out, and the memory stays small. */
enum { BLOCK = 4096, ROUNDS = 30 };

#define CLOSE 1e-10

static bool counts(const mls_surface *surface, size_t i) { return surface->samples[i].radius > 0; }

static void corners_of(const mls_surface *surface, size_t i, vec3 out[3]) {
  for (size_t k = 0; k < 3; k++) out[k] = surface->vertices[surface->triangles[3 * i + k]];
}

static tribo_status evaluate(const tasks *t, const mls_surface *surface, const mls_search *search,
                             const vec3 *places, size_t count, mls_order order, arena *memory,
                             mls_value *out, tribo_error *err) {
  mls_lists lists;
  TRY(search->find(search->context, t, places, count, surface->reach, memory, &lists, err));
  mls_evaluate_batch(t, surface, places, count, &lists, order, out);
  return TRIBO_OK;
}

static tribo_status count_block(const tasks *t, const mls_surface *surface,
                                const mls_search *search, size_t begin, size_t end, int32_t wanted,
                                arena *scratch, mls_thin_list *out, tribo_error *err) {
  size_t each = surface->triangles ? 4 : 1, count = each * (end - begin);
  vec3 *places = ARENA_ARRAY(scratch, vec3, count);
  mls_value *values = ARENA_ARRAY(scratch, mls_value, count);
  if (!places || !values) return status_no_memory(err, "counting the samples in reach");
  for (size_t i = begin; i < end; i++) {
    vec3 *place = places + each * (i - begin);
    place[0] = surface->samples[i].point;
    if (surface->triangles) corners_of(surface, i, place + 1);
  }
  TRY(evaluate(t, surface, search, places, count, MLS_VALUE, scratch, values, err));
  for (size_t i = begin; i < end; i++) {
    int32_t fewest = values[each * (i - begin)].active;
    for (size_t k = 1; k < each; k++) {
      int32_t active = values[each * (i - begin) + k].active;
      fewest = active < fewest ? active : fewest;
    }
    if (counts(surface, i) && fewest < wanted)
      out->list[out->count++] = (mls_thin){(int32_t)i, fewest};
  }
  return TRIBO_OK;
}

tribo_status mls_under_sampled(const tasks *t, const mls_surface *surface, const mls_search *search,
                               int32_t wanted, arena *memory, mls_thin_list *out,
                               tribo_error *err) {
  *out = (mls_thin_list){.list = ARENA_ARRAY(memory, mls_thin, surface->count)};
  if (!out->list) return status_no_memory(err, "the list of under-sampled places");
  arena scratch = {0};
  tribo_status status = TRIBO_OK;
  for (size_t begin = 0; begin < surface->count && status == TRIBO_OK; begin += BLOCK) {
    size_t end = begin + BLOCK < surface->count ? begin + BLOCK : surface->count;
    arena_reset(&scratch);
    status = count_block(t, surface, search, begin, end, wanted, &scratch, out, err);
  }
  arena_free(&scratch);
  return status;
}

static double box_size(const mls_surface *surface) {
  vec3 low = {INFINITY, INFINITY, INFINITY}, high = vec3_scale(-1, low);
  for (size_t i = 0; i < 3 * surface->count; i++) {
    vec3 x = surface->vertices[surface->triangles[i]];
    low = (vec3){fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z)};
    high = (vec3){fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z)};
  }
  vec3 sides = vec3_sub(high, low);
  return surface->count ? fmax(sides.x, fmax(sides.y, sides.z)) : 0;
}

/* A place on the mesh on its way to the zero set. */
typedef struct walker {
  vec3 from, at;
  int32_t sample;
} walker;

static size_t set_out(const mls_surface *surface, size_t begin, size_t end, int per_edge,
                      walker *walkers) {
  size_t count = 0;
  for (size_t i = begin; i < end; i++) {
    if (!counts(surface, i)) continue;
    vec3 x[3];
    corners_of(surface, i, x);
    for (int a = 0; a <= per_edge; a++)
      for (int b = 0; a + b <= per_edge; b++) {
        vec3 place = vec3_scale((double)a / per_edge, x[0]);
        place = vec3_madd(place, (double)b / per_edge, x[1]);
        place = vec3_madd(place, (double)(per_edge - a - b) / per_edge, x[2]);
        walkers[count++] = (walker){place, place, (int32_t)i};
      }
  }
  return count;
}

static void arrive(const walker *w, double *sum, mls_error *out) {
  double distance = vec3_norm(vec3_sub(w->at, w->from));
  *sum += distance;
  if (!(distance > out->worst) && out->worst_sample >= 0) return;
  out->worst = distance;
  out->worst_place = w->from;
  out->worst_sample = w->sample;
}

/* One Newton step for each walker; those that arrive or get lost are taken out, the rest keep their
 * order. Returns how many still walk. */
static size_t step(const mls_value *values, size_t count, int round, walker *walkers, double *sum,
                   mls_error *out) {
  size_t left = 0;
  for (size_t i = 0; i < count; i++) {
    const mls_value *v = &values[i];
    double steepness2 = vec3_norm2(v->gradient);
    double away = fabs(v->value) / sqrt(steepness2);
    if (v->active == 0 && round == 0) {
      out->uncovered++;
    } else if (v->active == 0 || !(steepness2 > 0)) {
      out->lost++;
    } else if (away <= CLOSE * out->size) {
      arrive(&walkers[i], sum, out);
    } else if (round == ROUNDS) {
      out->lost++;
    } else {
      walker w = walkers[i];
      w.at = vec3_madd(w.at, -v->value / steepness2, v->gradient);
      walkers[left++] = w;
    }
  }
  return left;
}

static tribo_status walk_block(const tasks *t, const mls_surface *surface, const mls_search *search,
                               size_t begin, size_t end, int per_edge, arena memory[2], double *sum,
                               mls_error *out, tribo_error *err) {
  size_t each = (size_t)((per_edge + 1) * (per_edge + 2) / 2), most = each * (end - begin);
  walker *walkers = ARENA_ARRAY(&memory[0], walker, most);
  vec3 *places = ARENA_ARRAY(&memory[0], vec3, most);
  mls_value *values = ARENA_ARRAY(&memory[0], mls_value, most);
  if (!walkers || !places || !values) return status_no_memory(err, "measuring a surface's error");
  size_t count = set_out(surface, begin, end, per_edge, walkers);
  out->places += count;
  for (int round = 0; count > 0; round++) {
    for (size_t i = 0; i < count; i++) places[i] = walkers[i].at;
    arena_reset(&memory[1]);
    TRY(evaluate(t, surface, search, places, count, MLS_GRADIENT, &memory[1], values, err));
    count = step(values, count, round, walkers, sum, out);
  }
  return TRIBO_OK;
}

tribo_status mls_measure_error(const tasks *t, const mls_surface *surface, const mls_search *search,
                               int per_edge, mls_error *out, tribo_error *err) {
  assert(surface->triangles && per_edge >= 1);
  *out = (mls_error){.worst_sample = -1, .size = box_size(surface)};
  arena memory[2] = {0}; /* a block's life, and a round's */
  double sum = 0;
  tribo_status status = TRIBO_OK;
  for (size_t begin = 0; begin < surface->count && status == TRIBO_OK; begin += BLOCK) {
    size_t end = begin + BLOCK < surface->count ? begin + BLOCK : surface->count;
    arena_reset(&memory[0]);
    status = walk_block(t, surface, search, begin, end, per_edge, memory, &sum, out, err);
  }
  size_t arrived = out->places - out->uncovered - out->lost;
  out->mean = arrived ? sum / (double)arrived : 0;
  arena_free(&memory[0]);
  arena_free(&memory[1]);
  return status;
}
