/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "linsys/supernodal.h"

/* A front with more than SHARED flops is cut into pieces that threads share. */
enum { COLUMN_GRAIN = 32 };
static const double SHARED = 1e7;

static double *update_of(const supernodal *s, int32_t node, bool root_of_job, int worker) {
  double *base = root_of_job ? s->kept : s->stacks + s->stack_size * (size_t)worker;
  return base + s->update_at[node];
}

static void take_entries(const supernodal *s, int32_t node, const dense_front *f) {
  memset(f->panel, 0, (size_t)f->height * (size_t)f->width * sizeof *f->panel);
  size_t height = (size_t)f->height;
  for (size_t e = s->entries_at[node]; e < s->entries_at[node + 1]; e++) {
    const mat3 *block = &s->a->blocks[s->entries[e].block];
    double *to = f->panel + s->entries[e].to;
    for (size_t c = 0; c < 3; c++)
      for (size_t r = 0; r < 3; r++)
        to[c * height + r] = s->entries[e].transposed ? block->m[c][r] : block->m[r][c];
  }
}

typedef struct taking {
  const dense_kernels *dense;
  const dense_front *f;
  const double *child; /* its update */
  dense_runs runs;
  size_t first; /* blocks before this one have been taken */
  int32_t columns;
} taking;

/* Adds columns of a child's update where they belong in the front (extend-add). What stands above
 * the diagonal means nothing, here and there. */
static void take_columns(void *context, size_t begin, size_t end) {
  const taking *job = context;
  size_t side = 3 * job->runs.count;
  for (size_t j = job->first + begin; j < job->first + end; j++) {
    bool own = job->runs.to[j] < job->columns;
    int32_t origin = own ? 0 : job->columns;
    dense_runs rest = {job->runs.to + j, job->runs.length + j, job->runs.count - j, origin};
    size_t height = (size_t)(own ? job->f->height : job->f->below);
    double *to =
        (own ? job->f->panel : job->f->update) + 3 * (size_t)(rest.to[0] - origin) * height;
    job->dense->add(&rest, job->child + 3 * j * side + 3 * j, side, to, height);
  }
}

/* The children's part in the panel must be there before it is factored; the rest is added to the
 * update when that has been computed, which saves clearing it. */
static void take_children(const supernodal *s, int32_t node, bool children_are_roots, int worker,
                          const dense_front *f, bool into_panel) {
  int32_t columns = supernodal_columns(s, node);
  for (int32_t c = s->child[node]; c >= 0; c = s->sibling[c]) {
    size_t at = s->shape.rows_at[c] + (size_t)supernodal_columns(s, c);
    size_t blocks = s->shape.rows_at[c + 1] - at, split = 0;
    while (split < blocks && s->relative[at + split] < columns) split++;
    taking job = {s->dense,
                  f,
                  update_of(s, c, children_are_roots, worker),
                  {s->relative + at, s->run + at, blocks, 0},
                  into_panel ? 0 : split,
                  columns};
    tasks_for(&s->tasks, into_panel ? split : blocks - split, COLUMN_GRAIN, take_columns, &job);
  }
}

typedef struct elimination {
  const dense_kernels *dense;
  const dense_front *front;
  int column;     /* what is being eliminated starts here */
  int first_slab; /* after the corner */
} elimination;

static void carry_slabs(void *context, size_t begin, size_t end) {
  const elimination *e = context;
  for (size_t slab = begin; slab < end; slab++)
    e->dense->carry(e->front, e->column, e->first_slab + (int)slab);
}

/* Tiles of the lower triangle, counted row by row. */
static void subtract_tiles(void *context, size_t begin, size_t end) {
  const elimination *e = context;
  size_t row = 0;
  while ((row + 1) * (row + 2) / 2 <= begin) row++;
  size_t column = begin - row * (row + 1) / 2;
  for (size_t tile = begin; tile < end; tile++) {
    e->dense->subtract(e->front, e->column, e->first_slab + (int)row * DENSE_TILE,
                       e->first_slab + (int)column * DENSE_TILE);
    if (column++ < row) continue;
    row++;
    column = 0;
  }
}

/* Small fronts stay with the thread that has them; the bits are the same. */
static bool factor_front(const supernodal *s, const dense_front *f) {
  double w = f->width, m = f->below;
  bool shared = w * (w * w / 3 + w * m + m * m) > SHARED;
  tasks threads = {shared ? s->tasks.threads : 1};
  size_t slabs = (size_t)dense_slabs(f->width, f->below);
  elimination e = {s->dense, f, 0, 0};
  for (; e.column < f->width; e.column += DENSE_DEPTH) {
    if (tasks_stopped(&s->tasks) || !s->dense->corner(f, e.column)) return false;
    int end = e.column + DENSE_DEPTH < f->width ? e.column + DENSE_DEPTH : f->width;
    e.first_slab = dense_slabs_above(end);
    size_t rest = slabs - (size_t)e.first_slab, side = (rest + DENSE_TILE - 1) / DENSE_TILE;
    tasks_for(&threads, rest, 1, carry_slabs, &e);
    tasks_for(&threads, side * (side + 1) / 2, 1, subtract_tiles, &e);
  }
  return true;
}

static void factor_job(void *context, size_t job, int worker) {
  supernodal *s = context;
  const supernodal_job *nodes = &s->jobs[job];
  for (int32_t n = nodes->begin; n < nodes->end; n++) {
    if (atomic_load(&s->failed) || tasks_stopped(&s->tasks)) return;
    int height = 3 * supernodal_height(s, n), width = 3 * supernodal_columns(s, n);
    dense_front f = {height,
                     width,
                     height - width,
                     s->values + s->values_at[n],
                     update_of(s, n, n + 1 == nodes->end, worker),
                     s->packs + s->pack_size * (size_t)worker};
    bool children_are_roots = nodes->end - nodes->begin == 1;
    take_entries(s, n, &f);
    take_children(s, n, children_are_roots, worker, &f, true);
    if (!factor_front(s, &f)) {
      atomic_store(&s->failed, true);
      return;
    }
    take_children(s, n, children_are_roots, worker, &f, false);
  }
}

bool supernodal_factor(supernodal *s, const bcsr *a) {
  s->a = a;
  atomic_store(&s->failed, false);
  tasks_tree_up(&s->tasks, &s->forest, factor_job, s);
  return !atomic_load(&s->failed);
}
