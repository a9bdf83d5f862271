/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernels of dense.h, for vectors of any width. Whoever includes this defines:
 *
 *   TARGET                 attribute of every function
 *   vec, LANES             a vector of doubles, and how many; LANES divides 8
 *   VECTORS                vectors high a product's tile is: VECTORS x 6 of them fit in registers
 *   LOAD(p), STORE(p, v)   anywhere in memory
 *   LOAD_PART(p, n), STORE_PART(p, n, v)   the first n < LANES; the others are 0
 *   SPREAD(x)              in all lanes
 *   ADD_PRODUCT(a, b, c), SUB_PRODUCT(a, b, c)   c + a b, c - a b
 *   add_product(a, b, c), sub_product(a, b, c)   the same of single numbers
 */
#include <math.h>
#include <string.h>

#define INLINE TARGET __attribute__((always_inline)) static inline

enum { STRIP = LANES * VECTORS };

typedef struct slab {
  int row, rows;
  double *pack;
} slab;

INLINE int depth_from(const dense_front *f, int column) {
  return f->width - column < DENSE_DEPTH ? f->width - column : DENSE_DEPTH;
}

INLINE slab slab_of(const dense_front *f, int index, int depth) {
  int above = dense_slabs_above(f->width);
  int row = index < above ? index * DENSE_SLAB : f->width + (index - above) * DENSE_SLAB;
  int end = index < above ? f->width : f->height;
  return (slab){row, end - row < DENSE_SLAB ? end - row : DENSE_SLAB,
                f->pack + (size_t)index * DENSE_SLAB * (size_t)depth};
}

/* Reciprocals of the corner's diagonal. */
INLINE double *inverses_of(const dense_front *f, int depth) {
  size_t slabs = (size_t)dense_slabs(f->width, f->below);
  return f->pack + slabs * DENSE_SLAB * (size_t)depth;
}

/* A tile stands in registers while the product passes. */
typedef struct tile {
  vec at[VECTORS][DENSE_GROUP];
} tile;

INLINE void tile_load(tile *t, int vectors, int columns, const double *from, size_t stride,
                      int rows) {
  int whole = rows / LANES;
#pragma GCC unroll 6
  for (int c = 0; c < columns; c++)
#pragma GCC unroll 3
    for (int v = 0; v < vectors; v++) {
      const double *p = from + (size_t)c * stride + v * LANES;
      if (v < vectors - 1 || v < whole)
        t->at[v][c] = LOAD(p);
      else
        t->at[v][c] = LOAD_PART(p, rows - v * LANES);
    }
}

INLINE void tile_store(const tile *t, int vectors, int columns, double *to, size_t stride,
                       int rows) {
  int whole = rows / LANES;
#pragma GCC unroll 6
  for (int c = 0; c < columns; c++)
#pragma GCC unroll 3
    for (int v = 0; v < vectors; v++) {
      double *p = to + (size_t)c * stride + v * LANES;
      if (v < vectors - 1 || v < whole)
        STORE(p, t->at[v][c]);
      else
        STORE_PART(p, rows - v * LANES, t->at[v][c]);
    }
}

/* t -= a b^T, over packed columns. */
INLINE void tile_subtract(tile *t, int vectors, int columns, int depth, const double *a,
                          const double *b) {
  for (int k = 0; k < depth; k++, a += DENSE_SLAB, b += DENSE_SLAB) {
    vec left[VECTORS];
#pragma GCC unroll 3
    for (int v = 0; v < vectors; v++) left[v] = LOAD(a + v * LANES);
#pragma GCC unroll 6
    for (int c = 0; c < columns; c++) {
      vec right = SPREAD(b[c]);
#pragma GCC unroll 3
      for (int v = 0; v < vectors; v++)
        t->at[v][c] = SUB_PRODUCT(left[v], right, t->at[v][c]);
    }
  }
}

/* t <- t l^-T; column j of the triangle stands at l + j stride. */
INLINE void tile_solve(tile *t, int vectors, int columns, const double *l, size_t stride,
                       const double *inverse) {
#pragma GCC unroll 6
  for (int j = 0; j < columns; j++) {
    vec scale = SPREAD(inverse[j]);
#pragma GCC unroll 3
    for (int v = 0; v < vectors; v++) t->at[v][j] = t->at[v][j] * scale;
#pragma GCC unroll 6
    for (int c = j + 1; c < columns; c++) {
      vec right = SPREAD(l[(size_t)j * stride + (size_t)c]);
#pragma GCC unroll 3
      for (int v = 0; v < vectors; v++)
        t->at[v][c] = SUB_PRODUCT(t->at[v][j], right, t->at[v][c]);
    }
  }
}

/* What is done with a tile of the front whose rows are at most a strip. */
typedef struct tile_work {
  int depth;
  const double *a, *b;
  double *at; /* the tile */
  size_t stride;
  int rows;
  bool fresh; /* nothing is there yet */
} tile_work;

INLINE void subtract_tile(const tile_work *w, int vectors, int columns) {
  tile t;
  if (w->fresh)
    for (int v = 0; v < vectors; v++)
      for (int c = 0; c < columns; c++) t.at[v][c] = SPREAD(0);
  else
    tile_load(&t, vectors, columns, w->at, w->stride, w->rows);
  tile_subtract(&t, vectors, columns, w->depth, w->a, w->b);
  tile_store(&t, vectors, columns, w->at, w->stride, w->rows);
}

typedef struct triangle {
  const double *l;
  size_t stride;
  const double *inverse;
  double *pack; /* where the solution is packed */
} triangle;

INLINE void carry_tile(const tile_work *w, const triangle *d, int vectors, int columns) {
  tile t;
  tile_load(&t, vectors, columns, w->at, w->stride, w->rows);
  tile_subtract(&t, vectors, columns, w->depth, w->a, w->b);
  tile_solve(&t, vectors, columns, d->l, d->stride, d->inverse);
  tile_store(&t, vectors, columns, w->at, w->stride, w->rows);
  tile_store(&t, vectors, columns, d->pack, DENSE_SLAB, vectors * LANES);
}

/* From here on the sizes of tiles are known while running only: one copy for each. */
TARGET static void subtract_sized(const tile_work *w, int columns) {
  int vectors = (w->rows + LANES - 1) / LANES;
  if (columns == 6)
    switch (vectors) {
      case 1: subtract_tile(w, 1, 6); return;
      case 2: subtract_tile(w, 2, 6); return;
#if VECTORS > 2
      case 3: subtract_tile(w, 3, 6); return;
#endif
    }
  switch (vectors) {
    case 1: subtract_tile(w, 1, 3); return;
    case 2: subtract_tile(w, 2, 3); return;
#if VECTORS > 2
    case 3: subtract_tile(w, 3, 3); return;
#endif
  }
}

TARGET static void carry_sized(const tile_work *w, const triangle *d, int columns) {
  int vectors = (w->rows + LANES - 1) / LANES;
  if (columns == 6)
    switch (vectors) {
      case 1: carry_tile(w, d, 1, 6); return;
      case 2: carry_tile(w, d, 2, 6); return;
#if VECTORS > 2
      case 3: carry_tile(w, d, 3, 6); return;
#endif
    }
  switch (vectors) {
    case 1: carry_tile(w, d, 1, 3); return;
    case 2: carry_tile(w, d, 2, 3); return;
#if VECTORS > 2
    case 3: carry_tile(w, d, 3, 3); return;
#endif
  }
}

/* The first row, of whole vectors, that a group of columns of the same slab needs. */
INLINE int first_row(int group) { return group - group % LANES; }

TARGET static void subtract(const dense_front *f, int column, int row_slab, int column_slab) {
  int depth = depth_from(f, column), slabs = dense_slabs(f->width, f->below);
  int row_end = row_slab + DENSE_TILE < slabs ? row_slab + DENSE_TILE : slabs;
  int column_end = column_slab + DENSE_TILE < slabs ? column_slab + DENSE_TILE : slabs;
  for (int i = row_slab; i < row_end; i++) {
    slab left = slab_of(f, i, depth);
    for (int j = column_slab; j < column_end && j <= i; j++) {
      slab right = slab_of(f, j, depth);
      bool own = right.row < f->width;
      size_t stride = (size_t)(own ? f->height : f->below);
      int origin = own ? 0 : f->width;
      double *to = (own ? f->panel : f->update) + (size_t)(right.row - origin) * stride +
                   (left.row - origin);
      for (int g = 0; g < right.rows; g += DENSE_GROUP) {
        int columns = right.rows - g < DENSE_GROUP ? right.rows - g : DENSE_GROUP;
        for (int r = i == j ? first_row(g) : 0; r < left.rows; r += STRIP) {
          int rows = left.rows - r < STRIP ? left.rows - r : STRIP;
          tile_work w = {depth,  left.pack + r, right.pack + g,     to + (size_t)g * stride + r,
                         stride, rows,          !own && column == 0};
          subtract_sized(&w, columns);
        }
      }
    }
  }
}

/* Columns [column + done, + columns) through the rows of one slab from `row` on. */
INLINE void carry_group(const dense_front *f, int column, int done, int columns, const slab *s,
                        int row, int depth, const triangle *d, const double *b) {
  size_t height = (size_t)f->height;
  double *to = f->panel + (size_t)(column + done) * height + s->row;
  for (int r = row; r < s->rows; r += STRIP) {
    int rows = s->rows - r < STRIP ? s->rows - r : STRIP;
    tile_work w = {depth, s->pack + r, b, to + r, height, rows, false};
    triangle here = *d;
    here.pack += r;
    carry_sized(&w, &here, columns);
  }
}

TARGET static void carry(const dense_front *f, int column, int index) {
  int depth = depth_from(f, column);
  slab s = slab_of(f, index, depth);
  const double *inverse = inverses_of(f, depth);
  for (int done = 0; done < depth; done += DENSE_GROUP) {
    int columns = depth - done < DENSE_GROUP ? depth - done : DENSE_GROUP;
    slab corner = slab_of(f, (column + done) / DENSE_SLAB, depth);
    const double *b = corner.pack + done % DENSE_SLAB;
    triangle d = {b + (size_t)done * DENSE_SLAB, DENSE_SLAB, inverse + done,
                  s.pack + (size_t)done * DENSE_SLAB};
    carry_group(f, column, done, columns, &s, 0, done, &d, b);
  }
}

/* Cholesky of at most six columns, in place; l[j][c] is column j of the factor. */
INLINE bool factor_group(int columns, const double *from, size_t stride,
                         double l[DENSE_GROUP][DENSE_GROUP], double *inverse) {
  for (int j = 0; j < columns; j++)
    for (int c = j; c < columns; c++) l[j][c] = from[(size_t)j * stride + (size_t)c];
  for (int j = 0; j < columns; j++) {
    if (!(l[j][j] > 0)) return false;
    l[j][j] = sqrt(l[j][j]);
    inverse[j] = 1 / l[j][j];
    for (int c = j + 1; c < columns; c++) l[j][c] *= inverse[j];
    for (int k = j + 1; k < columns; k++)
      for (int c = k; c < columns; c++) l[k][c] = sub_product(l[j][c], l[j][k], l[k][c]);
  }
  return true;
}

TARGET static bool corner(const dense_front *f, int column) {
  int depth = depth_from(f, column), first = column / DENSE_SLAB;
  size_t height = (size_t)f->height;
  double *inverse = inverses_of(f, depth);
  for (int done = 0; done < depth; done += DENSE_GROUP) {
    int columns = depth - done < DENSE_GROUP ? depth - done : DENSE_GROUP;
    int in_slab = done % DENSE_SLAB, own = first + done / DENSE_SLAB;
    slab s = slab_of(f, own, depth);
    const double *b = s.pack + in_slab;
    double *pack = s.pack + (size_t)done * DENSE_SLAB;
    double *to = f->panel + (size_t)(column + done) * height + s.row;
    for (int r = first_row(in_slab); r < s.rows; r += STRIP) {
      int rows = s.rows - r < STRIP ? s.rows - r : STRIP;
      tile_work w = {done, s.pack + r, b, to + r, height, rows, false};
      subtract_sized(&w, columns);
    }
    double l[DENSE_GROUP][DENSE_GROUP];
    if (!factor_group(columns, to + in_slab, height, l, inverse + done)) return false;
    triangle d = {l[0], DENSE_GROUP, inverse + done, pack};
    carry_group(f, column, done, columns, &s, first_row(in_slab), 0, &d, b);
    for (int j = 0; j < columns; j++)
      for (int c = j; c < columns; c++)
        to[(size_t)j * height + (size_t)(in_slab + c)] = pack[j * DENSE_SLAB + in_slab + c] =
            l[j][c];
    d.l = b + (size_t)done * DENSE_SLAB;
    d.stride = DENSE_SLAB;
    for (int below = own + 1; below * DENSE_SLAB < column + depth; below++) {
      slab under = slab_of(f, below, depth);
      d.pack = under.pack + (size_t)done * DENSE_SLAB;
      carry_group(f, column, done, columns, &under, 0, done, &d, b);
    }
  }
  return true;
}

/* Three columns at a time: a run is read from the lists once for them. */
TARGET static void add(const dense_runs *runs, const double *from, size_t from_stride, double *to,
                       size_t to_stride) {
  for (size_t i = 0; i < runs->count; i += (size_t)runs->length[i]) {
    int rows = 3 * runs->length[i], r = 0;
    const double *source = from + 3 * i;
    double *target = to + 3 * (size_t)(runs->to[i] - runs->origin);
    for (; r + LANES <= rows; r += LANES)
#pragma GCC unroll 3
      for (size_t c = 0; c < 3; c++) {
        double *p = target + c * to_stride + r;
        STORE(p, LOAD(p) + LOAD(source + c * from_stride + r));
      }
    if (r < rows)
#pragma GCC unroll 3
      for (size_t c = 0; c < 3; c++) {
        double *p = target + c * to_stride + r;
        vec sum = LOAD_PART(p, rows - r) + LOAD_PART(source + c * from_stride + r, rows - r);
        STORE_PART(p, rows - r, sum);
      }
  }
}

/* ---- triangular solves: groups of six columns, so that the panel passes by once ---------------- */

enum { MOST_VECTORS = 3, PIECES = 8 / LANES };

/* The first columns of the panel from `group` on. */
INLINE const double *group_at(const dense_sweep *s, int group) {
  return s->panel + (size_t)group * (size_t)s->height + group;
}

/* y -= L x below a group. */
INLINE void forward_rows(const dense_sweep *s, const double *l, double *x, int columns, int rows,
                         int vectors) {
  size_t height = (size_t)s->height;
  vec own[MOST_VECTORS][DENSE_GROUP];
#pragma GCC unroll 3
  for (int v = 0; v < vectors; v++)
#pragma GCC unroll 6
    for (int c = 0; c < columns; c++) own[v][c] = SPREAD(x[(size_t)v * s->stride + (size_t)c]);
  int r = columns;
  for (; r + LANES <= rows; r += LANES) {
    vec left[DENSE_GROUP];
#pragma GCC unroll 6
    for (int c = 0; c < columns; c++) left[c] = LOAD(l + (size_t)c * height + r);
#pragma GCC unroll 3
    for (int v = 0; v < vectors; v++) {
      double *to = x + (size_t)v * s->stride + r;
      vec y = LOAD(to);
#pragma GCC unroll 6
      for (int c = 0; c < columns; c++) y = SUB_PRODUCT(left[c], own[v][c], y);
      STORE(to, y);
    }
  }
  for (; r < rows; r++)
    for (int v = 0; v < vectors; v++) {
      double *to = x + (size_t)v * s->stride;
      for (int c = 0; c < columns; c++) to[r] = sub_product(l[(size_t)c * height + (size_t)r], to[c], to[r]);
    }
}

INLINE void forward_group(const dense_sweep *s, int group, int columns, size_t vector, int vectors) {
  const double *l = group_at(s, group);
  double *x = s->x + vector * s->stride + group;
  size_t height = (size_t)s->height;
  for (int v = 0; v < vectors; v++) {
    double *own = x + (size_t)v * s->stride;
    for (int j = 0; j < columns; j++) {
      own[j] /= l[(size_t)j * height + (size_t)j];
      for (int c = j + 1; c < columns; c++)
        own[c] = sub_product(l[(size_t)j * height + (size_t)c], own[j], own[c]);
    }
  }
  forward_rows(s, l, x, columns, s->height - group, vectors);
}

TARGET static void forward(const dense_sweep *s) {
  for (int g = 0; g < s->width; g += DENSE_GROUP) {
    bool whole = s->width - g >= DENSE_GROUP;
    size_t v = 0, count = (size_t)s->vectors;
    for (; v + MOST_VECTORS <= count; v += MOST_VECTORS)
      if (whole)
        forward_group(s, g, 6, v, MOST_VECTORS);
      else
        forward_group(s, g, 3, v, MOST_VECTORS);
    for (; v < count; v++)
      if (whole)
        forward_group(s, g, 6, v, 1);
      else
        forward_group(s, g, 3, v, 1);
  }
}

/* Eight running sums whatever the width of a vector: their order is part of the result. */
INLINE double sum_of_eight(const vec *parts) {
  double s[8];
#pragma GCC unroll 4
  for (int p = 0; p < PIECES; p++) STORE(s + p * LANES, parts[p]);
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/* sums[v][c] = L^T x over the rows below a group. */
INLINE void backward_sums(const dense_sweep *s, const double *l, const double *x, int first,
                          int columns, int rows, int vectors,
                          double sums[MOST_VECTORS][DENSE_GROUP]) {
  size_t height = (size_t)s->height;
  vec parts[MOST_VECTORS][DENSE_GROUP][PIECES];
  for (int v = 0; v < vectors; v++)
    for (int c = 0; c < columns; c++)
      for (int p = 0; p < PIECES; p++) parts[v][c][p] = SPREAD(0);
  int r = first;
  for (; r + 8 <= rows; r += 8)
#pragma GCC unroll 4
    for (int p = 0; p < PIECES; p++) {
      vec right[MOST_VECTORS];
#pragma GCC unroll 3
      for (int v = 0; v < vectors; v++)
        right[v] = LOAD(x + (size_t)v * s->stride + r + p * LANES);
#pragma GCC unroll 6
      for (int c = 0; c < columns; c++) {
        vec left = LOAD(l + (size_t)c * height + r + p * LANES);
#pragma GCC unroll 3
        for (int v = 0; v < vectors; v++)
          parts[v][c][p] = ADD_PRODUCT(left, right[v], parts[v][c][p]);
      }
    }
#pragma GCC unroll 3
  for (int v = 0; v < vectors; v++)
#pragma GCC unroll 6
    for (int c = 0; c < columns; c++) {
      double sum = sum_of_eight(parts[v][c]);
      for (int k = r; k < rows; k++)
        sum = add_product(l[(size_t)c * height + (size_t)k], x[(size_t)v * s->stride + (size_t)k],
                          sum);
      sums[v][c] = sum;
    }
}

/* Six columns and one vector at a time, or three of each: what registers hold. */
INLINE void backward_group(const dense_sweep *s, int group, int columns, size_t vector,
                           int vectors) {
  const double *l = group_at(s, group);
  double *x = s->x + vector * s->stride + group;
  size_t height = (size_t)s->height;
  double sums[2][MOST_VECTORS][DENSE_GROUP];
  int rows = s->height - group, half = vectors > 1 ? 3 : columns;
  backward_sums(s, l, x, columns, half, rows, vectors, sums[0]);
  if (half < columns)
    backward_sums(s, l + 3 * height, x, columns, 3, rows, vectors, sums[1]);
  for (int v = 0; v < vectors; v++) {
    double *own = x + (size_t)v * s->stride;
    for (int j = columns - 1; j >= 0; j--) {
      double y = own[j] - (j < half ? sums[0][v][j] : sums[1][v][j - half]);
      for (int c = j + 1; c < columns; c++)
        y = sub_product(l[(size_t)j * height + (size_t)c], own[c], y);
      own[j] = y / l[(size_t)j * height + (size_t)j];
    }
  }
}

TARGET static void backward(const dense_sweep *s) {
  for (int end = s->width; end > 0;) {
    int columns = end % DENSE_GROUP ? end % DENSE_GROUP : DENSE_GROUP, g = end - columns;
    bool whole = columns == DENSE_GROUP;
    size_t v = 0, count = (size_t)s->vectors;
    for (; v + MOST_VECTORS <= count; v += MOST_VECTORS)
      if (whole)
        backward_group(s, g, 6, v, MOST_VECTORS);
      else
        backward_group(s, g, 3, v, MOST_VECTORS);
    for (; v < count; v++)
      if (whole)
        backward_group(s, g, 6, v, 1);
      else
        backward_group(s, g, 3, v, 1);
    end = g;
  }
}
