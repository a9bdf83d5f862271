/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "friction/secular.h"

#include <assert.h>
#include <math.h>

/* Newton alone needs three or four steps, so these are met by kinks only. */
enum { PLAIN_STEPS = 5, MOST_STEPS = 200 };

typedef struct secular {
  int n;
  const double *alpha, *beta;
  double k, g;
} secular;

static double value(const secular *f, double x, double *slope) {
  double squares = 0, weighted = 0;
  for (int i = 0; i < f->n; i++) {
    double w = 1 / (f->alpha[i] + f->beta[i] * x);
    squares += w * w;
    weighted += f->beta[i] * w * (w * w);
  }
  double psi = 1 / sqrt(squares);
  *slope = f->k * psi * (weighted / squares) + f->g;
  return f->k * psi + f->g * x - 1;
}

/* Where k l_i(x) / spread + g x = 1, the last over all i. psi <= l_i makes it a lower end for
 * spread 1; psi >= min l_i / sqrt(n) an upper one for spread sqrt(n). */
static double end(const secular *f, double spread) {
  double x = 0, k = f->k / spread;
  for (int i = 0; i < f->n; i++) x = fmax(x, (1 - k * f->alpha[i]) / (k * f->beta[i] + f->g));
  return x;
}

double secular_root(int n, const double *alpha, const double *beta, double k, double g) {
  assert(n >= 1 && n <= SECULAR_MOST && k >= 0 && g >= 0 && k + g > 0);
  const secular f = {n, alpha, beta, k, g};
  double low = end(&f, 1), high = fmax(low, end(&f, sqrt(n))), slope;
  double origin = INFINITY; /* logarithms are taken from where the first l_i vanishes */
  for (int i = 0; i < n; i++) origin = fmin(origin, alpha[i] / beta[i]);
  for (int step = 0; step < MOST_STEPS; step++) {
    double f_low = value(&f, low, &slope);
    if (f_low >= 0) return low; /* to rounding */
    double next = fmin(low - f_low / slope, high);
    if (next <= low) return low;
    low = next;
    if (step < PLAIN_STEPS) continue;
    double middle = sqrt((low + origin) * (high + origin)) - origin;
    if (middle <= low || middle >= high) continue;
    if (value(&f, middle, &slope) < 0)
      low = middle;
    else
      high = middle;
  }
  return low;
}
