/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ipopt/ipopt_polar.h"

void contact_choice_begin(contact_choice *c, int32_t contacts) {
  c->count = 0;
  for (int32_t i = 0; i < contacts; i++) c->place[i] = -1;
}

void contact_choice_add(contact_choice *c, int32_t i) {
  c->contact[c->count] = i;
  c->place[i] = c->count++;
}

int64_t contact_choice_pairs(const contact_choice *c, const bcsr_pattern *w) {
  int64_t pairs = 0;
  for (int32_t k = 0; k < c->count; k++)
    for (int32_t at = w->row_start[c->contact[k]]; at <= w->diagonal[c->contact[k]]; at++)
      pairs += c->place[w->columns[at]] >= 0;
  return pairs;
}

void polar_place(const polar *p, const double *z) {
  for (int32_t k = 0; k < p->chosen->count; k++) {
    vec3 *r = &p->d->impulse[p->chosen->contact[k]];
    r->y = p->radius[k] * z[2 * k] * cos(z[2 * k + 1]);
    r->z = p->radius[k] * z[2 * k] * sin(z[2 * k + 1]);
  }
  delassus_respond(p->d);
}

double polar_value(const polar *p, const double *z) {
  polar_place(p, z);
  return delassus_energy(p->d) / p->energy;
}

/* dy/da and dy/dtheta of a contact. */
typedef struct slopes {
  double a[2], theta[2];
} slopes;

static slopes slopes_at(const polar *p, const double *z, int32_t k) {
  double c = p->radius[k] * cos(z[2 * k + 1]), s = p->radius[k] * sin(z[2 * k + 1]), a = z[2 * k];
  return (slopes){{c, s}, {-a * s, a * c}};
}

void polar_gradient(const polar *p, const double *z, double *out) {
  polar_place(p, z);
  for (int32_t k = 0; k < p->chosen->count; k++) {
    vec3 u = p->d->velocity[p->chosen->contact[k]];
    slopes y = slopes_at(p, z, k);
    out[2 * k] = (y.a[0] * u.y + y.a[1] * u.z) / p->energy;
    out[2 * k + 1] = (y.theta[0] * u.y + y.theta[1] * u.z) / p->energy;
  }
}

int64_t polar_entries(const polar *p) {
  return 4 * contact_choice_pairs(p->chosen, p->d->w.pattern) - p->chosen->count;
}

void polar_places(const polar *p, int *rows, int *columns) {
  const bcsr_pattern *w = p->d->w.pattern;
  const contact_choice *c = p->chosen;
  for (int32_t k = 0; k < c->count; k++)
    for (int32_t at = w->row_start[c->contact[k]]; at <= w->diagonal[c->contact[k]]; at++) {
      int32_t other = c->place[w->columns[at]];
      for (int i = 0; other >= 0 && i < 2; i++)
        for (int j = 0; j < (other == k ? i + 1 : 2); j++) {
          *rows++ = 2 * k + i;
          *columns++ = 2 * other + j;
        }
    }
}

/* What a contact has with itself beyond Y' W Y: velocity times the curvature of y. d2y/da dtheta is
 * a quarter turn of dy/da, d2y/dtheta2 is -a dy/da, d2y/da2 is 0. */
static double curvature(slopes y, double a, vec3 u, int i, int j) {
  if (i == 0) return 0;
  return j == 0 ? y.a[0] * u.z - y.a[1] * u.y : -a * (y.a[0] * u.y + y.a[1] * u.z);
}

void polar_hessian(const polar *p, const double *z, double factor, double *values) {
  const bcsr_pattern *w = p->d->w.pattern;
  const contact_choice *c = p->chosen;
  double unit = factor / p->energy;
  polar_place(p, z);
  for (int32_t k = 0; k < c->count; k++) {
    slopes mine = slopes_at(p, z, k);
    for (int32_t at = w->row_start[c->contact[k]]; at <= w->diagonal[c->contact[k]]; at++) {
      int32_t other = c->place[w->columns[at]];
      if (other < 0) continue;
      const mat3 *block = &p->d->w.blocks[at];
      slopes theirs = slopes_at(p, z, other);
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < (other == k ? i + 1 : 2); j++) {
          const double *left = i ? mine.theta : mine.a, *right = j ? theirs.theta : theirs.a;
          double sum = left[0] * (block->m[1][1] * right[0] + block->m[1][2] * right[1]) +
                       left[1] * (block->m[2][1] * right[0] + block->m[2][2] * right[1]);
          if (other == k) sum += curvature(mine, z[2 * k], p->d->velocity[c->contact[k]], i, j);
          *values++ = unit * sum;
        }
    }
  }
}
