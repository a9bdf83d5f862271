/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mls/mls_tree.h"

enum { HITS_A_QUERY = 32 };

static vec3 *sample_points(const mls_surface *surface, arena *memory) {
  vec3 *points = ARENA_ARRAY(memory, vec3, surface->count);
  for (size_t i = 0; points && i < surface->count; i++) points[i] = surface->samples[i].point;
  return points;
}

tribo_status mls_tree_build(const tasks *t, const mls_surface *surface, arena *scratch,
                            kdtree *tree, tribo_error *err) {
  vec3 *points = sample_points(surface, scratch);
  if (!points) return status_no_memory(err, "the tree of a surface");
  return kdtree_build(t, points, surface->count, tree, err);
}

static tribo_status find(void *context, const tasks *t, const vec3 *places, size_t count,
                         double reach, arena *memory, mls_lists *out, tribo_error *err) {
  const kdtree *tree = context;
  double *radii = ARENA_ARRAY(memory, double, count);
  size_t *start = ARENA_ARRAY(memory, size_t, count + 1);
  size_t capacity = HITS_A_QUERY * count, found = 0;
  kdtree_hit *hits = ARENA_ARRAY(memory, kdtree_hit, capacity);
  if (!radii || !start || !hits) return status_no_memory(err, "the neighbours of a surface");
  for (size_t i = 0; i < count; i++) radii[i] = reach;
  for (;;) {
    found =
        kdtree_radius_batch(t, tree, places, radii, count, KDTREE_AS_STORED, start, hits, capacity);
    if (found <= capacity) break;
    capacity = found;
    hits = ARENA_ARRAY(memory, kdtree_hit, capacity);
    if (!hits) return status_no_memory(err, "the neighbours of a surface");
  }
  int32_t *index = ARENA_ARRAY(memory, int32_t, found);
  if (!index) return status_no_memory(err, "the neighbours of a surface");
  for (size_t i = 0; i < found; i++) index[i] = hits[i].index;
  *out = (mls_lists){start, index};
  return TRIBO_OK;
}

mls_search mls_tree_search(kdtree *tree) { return (mls_search){tree, find}; }

tribo_status mls_spacing_of_points(const tasks *t, const mls_surface *surface, const kdtree *tree,
                                   size_t k, arena *scratch, double *spacing, tribo_error *err) {
  vec3 *points = sample_points(surface, scratch);
  kdtree_hit *hits = ARENA_ARRAY(scratch, kdtree_hit, surface->count * (k + 1));
  if (!points || !hits) return status_no_memory(err, "the spacing of a surface");
  size_t found = kdtree_nearest_batch(t, tree, points, surface->count, k + 1, hits);
  for (size_t i = 0; i < surface->count; i++)
    spacing[i] = found ? sqrt(hits[i * (k + 1) + found - 1].distance2) : 0;
  return TRIBO_OK;
}
