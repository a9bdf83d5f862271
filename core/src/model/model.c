/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/model.h"

void model_free(model *m) {
  arena memory = m->memory; /* the model may itself be inside what is freed */
  *m = (model){0};
  arena_free(&memory);
}

vec3 model_pin_target(const model_pin *p, size_t i, double seconds) {
  double sample = (seconds - p->start) / p->interval;
  size_t last = p->sample_count - 1;
  if (!(sample > 0)) return p->samples[i];
  if (sample >= (double)last) return p->samples[last * p->vertex_count + i];
  size_t before = (size_t)sample;
  vec3 a = p->samples[before * p->vertex_count + i];
  vec3 b = p->samples[(before + 1) * p->vertex_count + i];
  return vec3_madd(a, sample - (double)before, vec3_sub(b, a));
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
