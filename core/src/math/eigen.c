/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "math/eigen.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MOST_SWEEPS = 40 }; /* six to eight are typical; the limit is for NaN */

static double largest_entry(int n, const double *a) {
  double largest = 0;
  for (int i = 0; i < n * n; i++) largest = fmax(largest, fabs(a[i]));
  return largest;
}

/* Takes a power of two out of a, so that squares neither overflow nor vanish. */
static int scale_to_one(int n, double *a) {
  double largest = largest_entry(n, a);
  if ((largest > 0x1p-100 && largest < 0x1p100) || largest == 0 || !isfinite(largest)) return 0;
  int exponent;
  frexp(largest, &exponent);
  for (int i = 0; i < n * n; i++) a[i] = ldexp(a[i], -exponent);
  return exponent;
}

/* Rows p and q of a matrix with n columns, turned by (c, s). */
static void rotate_rows(int n, double c, double s, double *restrict p, double *restrict q) {
  for (int k = 0; k < n; k++) {
    double kept = p[k];
    p[k] = c * kept - s * q[k];
    q[k] = s * kept + c * q[k];
  }
}

/* One Jacobi rotation that makes a[p][q] zero (Golub and Van Loan, Matrix Computations, 8.5.2).
 * w's rows are the eigenvectors to be. */
static void annihilate(int n, int p, int q, double *a, double *w) {
  double apq = a[p * n + q];
  double h = a[q * n + q] - a[p * n + p];
  double t = copysign(1, h) * 2 * apq / (fabs(h) + sqrt(h * h + 4 * apq * apq));
  double c = 1 / sqrt(1 + t * t), s = c * t;
  double app = a[p * n + p] - t * apq, aqq = a[q * n + q] + t * apq;
  rotate_rows(n, c, s, a + p * n, a + q * n);
  for (int k = 0; k < n; k++) {
    a[k * n + p] = a[p * n + k];
    a[k * n + q] = a[q * n + k];
  }
  a[p * n + p] = app;
  a[q * n + q] = aqq;
  a[p * n + q] = a[q * n + p] = 0;
  rotate_rows(n, c, s, w + p * n, w + q * n);
}

/* Eigenvalues on a's diagonal, eigenvectors in w's rows, in no order. */
static void diagonalize(int n, double *a, double *w) {
  memset(w, 0, (size_t)(n * n) * sizeof *w);
  for (int i = 0; i < n; i++) w[i * n + i] = 1;
  double negligible = DBL_EPSILON * 0x1p-6 * largest_entry(n, a);
  bool turned = true;
  for (int sweep = 0; turned && sweep < MOST_SWEEPS; sweep++) {
    turned = false;
    for (int p = 0; p < n - 1; p++)
      for (int q = p + 1; q < n; q++)
        if (fabs(a[p * n + q]) > negligible) {
          annihilate(n, p, q, a, w);
          turned = true;
        }
  }
}

void eigen_symmetric(int n, double *a, double *values, double *vectors) {
  assert(n >= 0 && n <= EIGEN_MAX);
  double w[EIGEN_MAX * EIGEN_MAX];
  int exponent = scale_to_one(n, a);
  diagonalize(n, a, w);

  int order[EIGEN_MAX];
  for (int i = 0; i < n; i++) {
    int at = i;
    for (; at > 0 && a[order[at - 1] * (n + 1)] > a[i * (n + 1)]; at--) order[at] = order[at - 1];
    order[at] = i;
  }
  for (int i = 0; i < n; i++) {
    double value = a[order[i] * (n + 1)];
    values[i] = exponent ? ldexp(value, exponent) : value;
    for (int k = 0; k < n; k++) vectors[k * n + i] = w[order[i] * n + k];
  }
}

/* Cholesky runs through with pivots that are clear of rounding: surely positive definite. The
 * opposite answer says nothing. */
static bool surely_definite(int n, const double *a) {
  double l[EIGEN_MAX * EIGEN_MAX];
  double smallest = 4 * n * DBL_EPSILON * largest_entry(n, a);
  for (int j = 0; j < n; j++) {
    for (int i = j; i < n; i++) {
      double sum = a[i * n + j];
      for (int k = 0; k < j; k++) sum -= l[i * n + k] * l[j * n + k];
      if (i == j) {
        if (!(sum > smallest)) return false;
        l[j * n + j] = sqrt(sum);
      } else {
        l[i * n + j] = sum / l[j * n + j];
      }
    }
  }
  return true;
}

/* a += scale v v^T, symmetric to the bit. */
static void add_outer(int n, double scale, const double *v, double *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) a[i * n + j] = a[j * n + i] = a[i * n + j] + scale * v[i] * v[j];
}

void eigen_project_psd(int n, double *a) {
  assert(n >= 0 && n <= EIGEN_MAX);
  if (surely_definite(n, a)) return;

  double d[EIGEN_MAX * EIGEN_MAX], w[EIGEN_MAX * EIGEN_MAX];
  memcpy(d, a, (size_t)(n * n) * sizeof *d);
  int exponent = scale_to_one(n, d);
  diagonalize(n, d, w);

  /* What is negative by no more than the rounding of Jacobi is zero: the matrix was already
   * semi-definite as far as anyone can tell, and is left alone. */
  double largest = 0;
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(d[i * (n + 1)]));
  double zero = 8 * n * DBL_EPSILON * largest;
  int negative = 0;
  for (int i = 0; i < n; i++) negative += d[i * (n + 1)] < -zero;
  if (negative == 0) return;

  /* Built up from the positive part, not by taking the negative one away: the rounding then is that
   * of the result, however small it is beside what was dropped. */
  double sum[EIGEN_MAX * EIGEN_MAX] = {0};
  for (int i = 0; i < n; i++)
    if (d[i * (n + 1)] > 0) add_outer(n, d[i * (n + 1)], w + i * n, sum);
  for (int i = 0; i < n * n; i++) a[i] = exponent ? ldexp(sum[i], exponent) : sum[i];
}
