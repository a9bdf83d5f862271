/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"
#include "linsys/dense.h"

/* A front as the factorisation has it: positive definite where it counts, rubbish above the
 * diagonal, which nobody may read. */
typedef struct model {
  int height, width;
  double *a; /* height x height, lower triangle */
  dense_front f;
} model;

static model *model_create(int width, int below, uint64_t *seed) {
  model *m = calloc(1, sizeof *m);
  size_t height = (size_t)(m->height = width + below), side = (size_t)below;
  m->width = width;
  m->a = malloc(height * height * sizeof *m->a);
  for (size_t c = 0; c < height; c++)
    for (size_t r = 0; r < height; r++)
      m->a[c * height + r] = r < c ? 1e300 : claim_between(seed, -1, 1) + (r == c ? m->height : 0);
  size_t pack = (dense_pack_size(width, below) * sizeof(double) + 63) & ~(size_t)63;
  m->f = (dense_front){m->height,
                       width,
                       below,
                       malloc(height * (size_t)width * sizeof(double)),
                       malloc((side * side + 1) * sizeof(double)),
                       aligned_alloc(64, pack)};
  memcpy(m->f.panel, m->a, height * (size_t)width * sizeof(double));
  return m;
}

static void model_free(model *m) {
  free(m->a);
  free(m->f.panel);
  free(m->f.update);
  free(m->f.pack);
  free(m);
}

/* Tile after tile, from the last to the first if `backwards`. */
static bool eliminate(const dense_kernels *k, const dense_front *f, bool backwards) {
  int slabs = dense_slabs(f->width, f->below);
  for (int column = 0; column < f->width; column += DENSE_DEPTH) {
    if (!k->corner(f, column)) return false;
    int end = column + DENSE_DEPTH < f->width ? column + DENSE_DEPTH : f->width;
    int first = dense_slabs_above(end), tiles = (slabs - first + DENSE_TILE - 1) / DENSE_TILE;
    for (int i = first; i < slabs; i++)
      k->carry(f, column, backwards ? slabs - 1 - (i - first) : i);
    for (int i = 0; i < tiles * tiles; i++) {
      int tile = backwards ? tiles * tiles - 1 - i : i, row = tile / tiles, side = tile % tiles;
      if (side <= row) k->subtract(f, column, first + row * DENSE_TILE, first + side * DENSE_TILE);
    }
  }
  return true;
}

/* Column by column, straight from the definition. */
static void eliminate_plainly(model *m) {
  size_t n = (size_t)m->height;
  for (size_t k = 0; k < (size_t)m->width; k++) {
    double pivot = sqrt(m->a[k * n + k]);
    for (size_t r = k; r < n; r++) m->a[k * n + r] /= pivot;
    for (size_t c = k + 1; c < n; c++)
      for (size_t r = c; r < n; r++) m->a[c * n + r] -= m->a[k * n + r] * m->a[k * n + c];
  }
}

static double of_front(const dense_front *f, size_t row, size_t column) {
  size_t width = (size_t)f->width;
  if (column < width) return f->panel[column * (size_t)f->height + row];
  /* What the front owed to the matrix comes in from outside: the update starts from nothing. */
  return f->update[(column - width) * (size_t)f->below + row - width];
}

static const int sizes[][2] = {{3, 0},   {3, 3},   {6, 9},    {9, 51},   {12, 24}, {15, 6},
                               {21, 30}, {24, 96}, {27, 99},  {63, 120}, {90, 0},  {189, 30},
                               {192, 3}, {195, 0}, {201, 60}, {390, 45}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static size_t all_kernels(const dense_kernels *out[3]) {
  const dense_kernels *all[] = {&dense_plain, dense_avx2(), dense_avx512()};
  size_t count = 0;
  for (int k = 0; k < 3; k++) {
    if (all[k])
      out[count++] = all[k];
    else
      print_message("%s skipped: not for this processor\n", k == 1 ? "avx2" : "avx512");
  }
  return count;
}

static void a_front_is_eliminated_as_defined(void **state) {
  (void)state;
  const dense_kernels *kernels[3];
  size_t count = all_kernels(kernels);
  for (int i = 0; i < SIZES; i++)
    for (size_t k = 0; k < count; k++) {
      uint64_t seed = 11 + (uint64_t)i;
      model *m = model_create(sizes[i][0], sizes[i][1], &seed);
      assert_true(eliminate(kernels[k], &m->f, false));
      double *before = malloc((size_t)m->height * (size_t)m->height * sizeof *before);
      memcpy(before, m->a, (size_t)m->height * (size_t)m->height * sizeof *before);
      eliminate_plainly(m);
      size_t n = (size_t)m->height;
      for (size_t c = 0; c < n; c++)
        for (size_t r = c; r < n; r++) {
          double start = c < (size_t)m->width ? 0 : before[c * n + r];
          claim_near(of_front(&m->f, r, c), m->a[c * n + r] - start, 1e-12 * m->height);
        }
      free(before);
      model_free(m);
    }
}

static void claim_same_front(const dense_front *a, const dense_front *b) {
  for (size_t c = 0; c < (size_t)a->height; c++)
    for (size_t r = c; r < (size_t)a->height; r++) {
      double x = of_front(a, r, c), y = of_front(b, r, c);
      assert_memory_equal(&x, &y, sizeof x);
    }
}

static void bits_do_not_depend_on_the_order_of_tiles(void **state) {
  (void)state;
  const dense_kernels *kernels[3];
  size_t count = all_kernels(kernels);
  for (int i = 0; i < SIZES; i++)
    for (size_t k = 0; k < count; k++) {
      uint64_t seed = 13, again = 13;
      model *a = model_create(sizes[i][0], sizes[i][1], &seed);
      model *b = model_create(sizes[i][0], sizes[i][1], &again);
      assert_true(eliminate(kernels[k], &a->f, false) && eliminate(kernels[k], &b->f, true));
      claim_same_front(&a->f, &b->f);
      model_free(a);
      model_free(b);
    }
}

static double *random_vectors(size_t count, uint64_t *seed) {
  double *x = malloc(count * sizeof *x);
  for (size_t i = 0; i < count; i++) x[i] = claim_between(seed, -1, 1);
  return x;
}

static dense_sweep sweep_of(const model *m, double *x, int vectors) {
  return (dense_sweep){m->height, m->width, m->f.panel, x, (size_t)m->height, vectors};
}

static void processors_that_fuse_agree_to_the_bit(void **state) {
  (void)state;
  const dense_kernels *narrow = dense_avx2(), *wide = dense_avx512();
  if (!narrow || !wide) {
    print_message("skipped: this processor has only one kind of fused kernels, or none\n");
    skip();
  }
  for (int i = 0; i < SIZES; i++) {
    uint64_t seed = 17, again = 17;
    model *a = model_create(sizes[i][0], sizes[i][1], &seed);
    model *b = model_create(sizes[i][0], sizes[i][1], &again);
    assert_true(eliminate(narrow, &a->f, false) && eliminate(wide, &b->f, false));
    claim_same_front(&a->f, &b->f);
    size_t length = 4 * (size_t)a->height;
    double *x = random_vectors(length, &seed), *y = random_vectors(length, &again);
    dense_sweep first = sweep_of(a, x, 4), second = sweep_of(b, y, 4);
    narrow->forward(&first);
    wide->forward(&second);
    assert_memory_equal(x, y, length * sizeof *x);
    narrow->backward(&first);
    wide->backward(&second);
    assert_memory_equal(x, y, length * sizeof *x);
    free(x);
    free(y);
    model_free(a);
    model_free(b);
  }
}

static void sweeps_solve_with_the_panel(void **state) {
  (void)state;
  const dense_kernels *kernels[3];
  size_t count = all_kernels(kernels);
  for (int i = 0; i < SIZES; i++)
    for (size_t k = 0; k < count; k++) {
      uint64_t seed = 19;
      model *m = model_create(sizes[i][0], sizes[i][1], &seed);
      assert_true(eliminate(kernels[k], &m->f, false));
      size_t n = (size_t)m->height, width = (size_t)m->width;
      double *b = random_vectors(n, &seed), *x = malloc(n * sizeof *x);
      memcpy(x, b, n * sizeof *x);
      dense_sweep s = sweep_of(m, x, 1);
      kernels[k]->forward(&s); /* L x = b above, x = b - L x below */
      for (size_t r = 0; r < n; r++) {
        double sum = r < width ? 0 : x[r];
        for (size_t c = 0; c < width && c <= r; c++) sum += m->f.panel[c * n + r] * x[c];
        claim_near(sum, b[r], 1e-12);
      }
      memcpy(x, b, n * sizeof *x);
      kernels[k]->backward(&s); /* L^T x = b, x below as it was */
      for (size_t c = 0; c < n; c++) {
        double sum = c < width ? 0 : x[c];
        for (size_t r = c; c < width && r < n; r++) sum += m->f.panel[c * n + r] * x[r];
        claim_near(sum, b[c], 1e-12);
      }
      free(b);
      free(x);
      model_free(m);
    }
}

static void vectors_together_are_vectors_one_by_one(void **state) {
  (void)state;
  const dense_kernels *kernels[3];
  size_t count = all_kernels(kernels);
  for (int i = 0; i < SIZES; i++)
    for (size_t k = 0; k < count; k++) {
      uint64_t seed = 23;
      model *m = model_create(sizes[i][0], sizes[i][1], &seed);
      assert_true(eliminate(kernels[k], &m->f, false));
      size_t n = (size_t)m->height;
      double *x = random_vectors(5 * n, &seed), *y = malloc(5 * n * sizeof *y);
      memcpy(y, x, 5 * n * sizeof *y);
      dense_sweep together = sweep_of(m, x, 5);
      kernels[k]->forward(&together);
      kernels[k]->backward(&together);
      for (size_t v = 0; v < 5; v++) {
        dense_sweep alone = sweep_of(m, y + v * n, 1);
        kernels[k]->forward(&alone);
        kernels[k]->backward(&alone);
      }
      assert_memory_equal(x, y, 5 * n * sizeof *x);
      free(x);
      free(y);
      model_free(m);
    }
}

static void a_pivot_that_is_not_positive_is_seen_wherever_it_is(void **state) {
  (void)state;
  const dense_kernels *kernels[3];
  size_t count = all_kernels(kernels);
  const int columns[] = {0, 5, 6, 100, 191, 192, 200};
  const double pivots[] = {0, -1, NAN};
  for (size_t k = 0; k < count; k++)
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
      for (size_t p = 0; p < 3; p++) {
        uint64_t seed = 29;
        model *m = model_create(201, 12, &seed);
        m->f.panel[columns[c] * (m->height + 1)] = pivots[p];
        assert_false(eliminate(kernels[k], &m->f, false));
        model_free(m);
      }
}

static void columns_are_added_where_runs_send_them(void **state) {
  (void)state;
  const dense_kernels *kernels[3];
  size_t count = all_kernels(kernels);
  const int32_t to[] = {4, 6, 7, 8, 9, 10, 13, 14}, length[] = {1, 5, 4, 3, 2, 1, 2, 1};
  dense_runs runs = {to, length, 8, 4};
  for (size_t k = 0; k < count; k++) {
    uint64_t seed = 31;
    double *from = random_vectors(3 * 24, &seed), target[3 * 33], wanted[3 * 33];
    for (int i = 0; i < 99; i++) target[i] = wanted[i] = claim_between(&seed, -1, 1);
    for (int c = 0; c < 3; c++)
      for (int r = 0; r < 24; r++) wanted[33 * c + 3 * (to[r / 3] - 4) + r % 3] += from[24 * c + r];
    kernels[k]->add(&runs, from, 24, target, 33);
    assert_memory_equal(target, wanted, sizeof wanted);
    free(from);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_front_is_eliminated_as_defined),
      cmocka_unit_test(bits_do_not_depend_on_the_order_of_tiles),
      cmocka_unit_test(processors_that_fuse_agree_to_the_bit),
      cmocka_unit_test(sweeps_solve_with_the_panel),
      cmocka_unit_test(vectors_together_are_vectors_one_by_one),
      cmocka_unit_test(a_pivot_that_is_not_positive_is_seen_wherever_it_is),
      cmocka_unit_test(columns_are_added_where_runs_send_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
