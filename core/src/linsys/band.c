/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "linsys/band.h"

#include <math.h>

static int row_begin(const band *b, int i) { return i > b->half ? i - b->half : 0; }

bool band_factor(band *b) {
  for (int i = 0; i < b->n; i++) {
    int first = row_begin(b, i);
    double *row = band_at(b, i, i) - i;
    for (int j = first; j <= i; j++) {
      const double *other = band_at(b, j, j) - j;
      int from = row_begin(b, j) > first ? row_begin(b, j) : first;
      double sum = row[j];
      for (int k = from; k < j; k++) sum -= row[k] * other[k];
      if (j < i) {
        row[j] = sum / other[j];
      } else {
        if (!(sum > 0) || !isfinite(sum)) return false;
        row[j] = sqrt(sum);
      }
    }
  }
  return true;
}

void band_forward(const band *l, int k, int first, double *x) {
  for (int i = first; i < l->n; i++) {
    const double *row = band_at(l, i, i) - i;
    double *own = x + (size_t)i * (size_t)k;
    for (int j = row_begin(l, i) > first ? row_begin(l, i) : first; j < i; j++) {
      const double *other = x + (size_t)j * (size_t)k;
      double factor = row[j];
      for (int c = 0; c < k; c++) own[c] -= factor * other[c];
    }
    double inverse = 1 / row[i];
    for (int c = 0; c < k; c++) own[c] *= inverse;
  }
}

void band_backward(const band *l, int k, double *x) {
  for (int i = l->n - 1; i >= 0; i--) {
    const double *row = band_at(l, i, i) - i;
    double *own = x + (size_t)i * (size_t)k;
    double inverse = 1 / row[i];
    for (int c = 0; c < k; c++) own[c] *= inverse;
    for (int j = row_begin(l, i); j < i; j++) {
      double *other = x + (size_t)j * (size_t)k;
      double factor = row[j];
      for (int c = 0; c < k; c++) other[c] -= factor * own[c];
    }
  }
}
