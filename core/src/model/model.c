/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/model.h"

#include <math.h>

void model_free(model *m) {
  arena memory = m->memory; /* the model may itself be inside what is freed */
  *m = (model){0};
  arena_free(&memory);
}

/* What is so near to a sample is at it. A frame's time is reached by adding up steps, and a motion
 * of which nothing is known beyond that frame must give the same bits as one that goes on. */
static const double AT_A_SAMPLE = 1e-9;

size_t model_sample_before(double seconds, double start, double interval, size_t count,
                           double *on) {
  double at = (seconds - start) / interval, nearest = round(at);
  if (fabs(at - nearest) < AT_A_SAMPLE) at = nearest;
  *on = 0;
  if (!(at > 0)) return 0;
  if (at >= (double)(count - 1)) return count - 1;
  size_t sample = (size_t)at;
  *on = at - (double)sample;
  return sample;
}

vec3 model_pin_target(const model_pin *p, size_t i, double seconds) {
  double on;
  size_t before = model_sample_before(seconds, p->start, p->interval, p->sample_count, &on);
  vec3 a = p->samples[before * p->vertex_count + i];
  if (on == 0) return a;
  vec3 b = p->samples[(before + 1) * p->vertex_count + i];
  return vec3_madd(a, on, vec3_sub(b, a));
}

const char *model_surface_name(const model *m, int32_t surface) {
  const model_surface *s = &m->surfaces[surface];
  return s->body >= 0 ? m->bodies[s->body].name : m->colliders[s->collider].name;
}

typedef struct restrict_job {
  const int32_t *from;
  const mat3 *all;
  mat3 *free;
} restrict_job;

static void restrict_blocks(void *context, size_t begin, size_t end) {
  const restrict_job *job = context;
  for (size_t k = begin; k < end; k++) job->free[k] = job->all[job->from[k]];
}

void model_restrict(const model *m, const tasks *t, const bcsr *a, bcsr *out) {
  out->pattern = &m->free_pattern;
  if (!m->free_blocks) {
    out->blocks = a->blocks;
    return;
  }
  restrict_job job = {m->free_blocks, a->blocks, out->blocks};
  tasks_for(t, (size_t)bcsr_block_count(&m->free_pattern), 4096, restrict_blocks, &job);
}
