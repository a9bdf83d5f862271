/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "linsys/blas.h"
#include "linsys/supernodal.h"

/* A front with more than TILED flops is cut into tiles that threads share. Below NARROW columns
 * triangular kernels are used as they come; OpenBLAS's are several times slower than its products,
 * so anything wider is halved until products do most of the work. */
enum { TILE = 256, NARROW = 24, COLUMN_GRAIN = 32 };
static const double TILED = 1e7;

static const double one = 1, minus_one = -1, zero = 0;

typedef struct front {
  int height, width, below; /* scalar */
  double *panel;            /* height x width */
  double *update;           /* below x below, lower triangle */
} front;

static double *update_of(const supernodal *s, int32_t node, bool root_of_job, int worker) {
  double *base = root_of_job ? s->kept : s->stacks + s->stack_size * (size_t)worker;
  return base + s->update_at[node];
}

static void take_entries(const supernodal *s, int32_t node, const front *f) {
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
  const front *f;
  const double *child; /* its update */
  size_t blocks;       /* and its side */
  const int32_t *relative, *run;
  size_t first; /* blocks before this one have been taken */
  int32_t columns;
} taking;

/* Adds columns of a child's update where they belong in the front (extend-add). */
static void take_columns(void *context, size_t begin, size_t end) {
  const taking *job = context;
  size_t side = 3 * job->blocks;
  for (size_t j = job->first + begin; j < job->first + end; j++) {
    bool own = job->relative[j] < job->columns;
    int32_t origin = own ? 0 : job->columns;
    size_t height = (size_t)(own ? job->f->height : job->f->below);
    double *to =
        (own ? job->f->panel : job->f->update) + 3 * (size_t)(job->relative[j] - origin) * height;
    const double *from = job->child + 3 * j * side;
    for (size_t c = 0; c < 3; c++, from += side, to += height) {
      /* What stands above the diagonal of the update means nothing. */
      size_t i = j, skip = c;
      while (i < job->blocks) {
        size_t length = 3 * (size_t)job->run[i];
        double *restrict target = to + 3 * (job->relative[i] - origin);
        const double *restrict source = from + 3 * i;
        for (size_t r = skip; r < length; r++) target[r] += source[r];
        i += (size_t)job->run[i];
        skip = 0;
      }
    }
  }
}

/* The children's part in the panel must be there before it is factored; the rest is added to the
 * update when that has been computed, which saves clearing it. */
static void take_children(const supernodal *s, int32_t node, bool children_are_roots, int worker,
                          const front *f, bool into_panel) {
  int32_t columns = supernodal_columns(s, node);
  for (int32_t c = s->child[node]; c >= 0; c = s->sibling[c]) {
    size_t at = s->shape.rows_at[c] + (size_t)supernodal_columns(s, c);
    size_t blocks = s->shape.rows_at[c + 1] - at, split = 0;
    while (split < blocks && s->relative[at + split] < columns) split++;
    taking job = {f,           update_of(s, c, children_are_roots, worker),
                  blocks,      s->relative + at,
                  s->run + at, into_panel ? 0 : split,
                  columns};
    tasks_for(&s->tasks, into_panel ? split : blocks - split, COLUMN_GRAIN, take_columns, &job);
  }
}

/* The left part of a width that is halved: whole vectors. */
static int half(int width) { return (width / 2 + 7) & ~7; }

/* x <- x l^-T for a block of rows x and the triangle l, both in columns of `height`. */
static void solve_rows(int rows, int width, const double *l, double *x, int height) {
  if (width <= NARROW) {
    dtrsm_("R", "L", "T", "N", &rows, &width, &one, l, &height, x, &height);
    return;
  }
  int left = half(width), right = width - left;
  size_t across = (size_t)left * (size_t)height;
  solve_rows(rows, left, l, x, height);
  dgemm_("N", "T", &rows, &right, &left, &minus_one, x, &height, l + left, &height, &one,
         x + across, &height);
  solve_rows(rows, right, l + across + left, x + across, height);
}

/* Cholesky of the leading `width` rows of a panel, carried through the `rows` it has in all. */
static bool factor_columns(int rows, int width, double *panel, int height) {
  if (width <= NARROW) {
    int info, below = rows - width;
    dpotrf_("L", &width, panel, &height, &info);
    if (info == 0 && below > 0)
      dtrsm_("R", "L", "T", "N", &below, &width, &one, panel, &height, panel + width, &height);
    return info == 0;
  }
  int left = half(width), right = width - left, rest = rows - left;
  double *next = panel + (size_t)left * (size_t)height + left;
  if (!factor_columns(rows, left, panel, height)) return false;
  dgemm_("N", "T", &rest, &right, &left, &minus_one, panel + left, &height, panel + left, &height,
         &one, next, &height);
  return factor_columns(rest, right, next, height);
}

typedef struct tiling {
  const front *f;
  int column, columns; /* the panel's columns at work */
  int row;             /* tiles start here */
} tiling;

/* Subtracts what the columns before have to say about some tiles of rows. */
static void update_tiles(void *context, size_t begin, size_t end) {
  const tiling *t = context;
  int height = t->f->height;
  double *panel = t->f->panel, *columns = panel + (size_t)t->column * (size_t)height;
  for (size_t tile = begin; tile < end; tile++) {
    int row = t->row + (int)tile * TILE, rows = height - row < TILE ? height - row : TILE;
    dgemm_("N", "T", &rows, &t->columns, &t->column, &minus_one, panel + row, &height,
           panel + t->column, &height, &one, columns + row, &height);
  }
}

static void solve_tiles(void *context, size_t begin, size_t end) {
  const tiling *t = context;
  int height = t->f->height;
  double *columns = t->f->panel + (size_t)t->column * (size_t)height;
  for (size_t tile = begin; tile < end; tile++) {
    int row = t->row + (int)tile * TILE, rows = height - row < TILE ? height - row : TILE;
    solve_rows(rows, t->columns, columns + t->column, columns + row, height);
  }
}

static size_t tiles_in(int length) { return (size_t)((length + TILE - 1) / TILE); }

/* Left-looking by columns of tiles: one serial Cholesky of a tile, everything else shared. */
static bool factor_tiled(const tasks *threads, const front *f) {
  for (int column = 0; column < f->width; column += TILE) {
    int columns = f->width - column < TILE ? f->width - column : TILE;
    tiling job = {f, column, columns, column};
    if (column > 0) tasks_for(threads, tiles_in(f->height - column), 1, update_tiles, &job);
    double *corner = f->panel + (size_t)column * (size_t)f->height + column;
    if (!factor_columns(columns, columns, corner, f->height)) return false;
    job.row = column + columns;
    tasks_for(threads, tiles_in(f->height - job.row), 1, solve_tiles, &job);
  }
  return true;
}

/* update = - L21 L21^T, on tiles of the lower triangle counted row by row. */
static void form_tiles(void *context, size_t begin, size_t end) {
  const front *f = context;
  const double *lower = f->panel + f->width;
  for (size_t tile = begin; tile < end; tile++) {
    int i = 0;
    while (((size_t)i + 1) * ((size_t)i + 2) / 2 <= tile) i++;
    int j = (int)(tile - (size_t)i * ((size_t)i + 1) / 2);
    int row = i * TILE, column = j * TILE;
    int rows = f->below - row < TILE ? f->below - row : TILE;
    double *to = f->update + (size_t)column * (size_t)f->below + row;
    if (i == j) {
      dsyrk_("L", "N", &rows, &f->width, &minus_one, lower + row, &f->height, &zero, to, &f->below);
    } else {
      int columns = TILE;
      dgemm_("N", "T", &rows, &columns, &f->width, &minus_one, lower + row, &f->height,
             lower + column, &f->height, &zero, to, &f->below);
    }
  }
}

/* BLAS lets NaN pass for a positive pivot; we do not. */
static bool pivots_positive(const front *f) {
  for (int c = 0; c < f->width; c++)
    if (!(f->panel[(size_t)c * (size_t)f->height + (size_t)c] > 0)) return false;
  return true;
}

static bool factor_front(const supernodal *s, const front *f) {
  double w = f->width, m = f->below;
  bool tiled = w * (w * w / 3 + w * m + m * m) > TILED;
  bool definite =
      tiled ? factor_tiled(&s->tasks, f) : factor_columns(f->height, f->width, f->panel, f->height);
  if (!definite || !pivots_positive(f)) return false;
  if (f->below == 0) return true;
  if (tiled) {
    size_t side = tiles_in(f->below);
    tasks_for(&s->tasks, side * (side + 1) / 2, 1, form_tiles, (void *)(uintptr_t)f);
  } else {
    dsyrk_("L", "N", &f->below, &f->width, &minus_one, f->panel + f->width, &f->height, &zero,
           f->update, &f->below);
  }
  return true;
}

static void factor_job(void *context, size_t job, int worker) {
  supernodal *s = context;
  const supernodal_job *nodes = &s->jobs[job];
  for (int32_t n = nodes->begin; n < nodes->end; n++) {
    if (atomic_load(&s->failed)) return;
    int height = 3 * supernodal_height(s, n), width = 3 * supernodal_columns(s, n);
    front f = {height, width, height - width, s->values + s->values_at[n],
               update_of(s, n, n + 1 == nodes->end, worker)};
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
  blas_hold_threads();
  tasks_tree_up(&s->tasks, &s->forest, factor_job, s);
  blas_release_threads();
  return !atomic_load(&s->failed);
}
