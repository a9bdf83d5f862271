/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sight.h"

#include <math.h>
#include <stdlib.h>

#include "../blender/outcomes/crossings.h"

static double length_between(const double a[3], const double b[3]) {
  double sum = 0;
  for (int k = 0; k < 3; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrt(sum);
}

static bool may_meet(const thing *a, const thing *b) {
  if (a == b) return a->role == ROLE_CLOTH || a->role == ROLE_SOFT;
  return a->role != ROLE_COLLIDER || b->role != ROLE_COLLIDER;
}

static bool count_crossings(const recording *of, int frame, long *all) {
  *all = 0;
  for (int i = 0; i < of->things; i++)
    for (int j = i; j < of->things; j++) {
      crossings found;
      if (!may_meet(&of->thing[i], &of->thing[j])) continue;
      if (!crossings_of(&of->thing[i], &of->thing[j], frame, &found)) return false;
      *all += found.count;
    }
  return true;
}

static int compare_numbers(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* The strain that one edge in a hundred exceeds. */
static bool stretch_of(const thing *one, int frame, double *out) {
  double *strain = malloc(((size_t)one->edges + 1) * sizeof *strain);
  if (!strain) return false;
  const double(*rest)[3] = places_of(one, 0), (*now)[3] = places_of(one, frame);
  for (int e = 0; e < one->edges; e++) {
    const int *edge = one->edge[e];
    double begun = length_between(rest[edge[0]], rest[edge[1]]);
    strain[e] = begun > 0 ? length_between(now[edge[0]], now[edge[1]]) / begun - 1 : 0;
  }
  qsort(strain, (size_t)one->edges, sizeof *strain, compare_numbers);
  *out = one->edges > 0 ? strain[(long)one->edges * 99 / 100] : 0;
  free(strain);
  return true;
}

static bool look_at(const recording *of, const thing *one, int frame, sight *out) {
  const double(*now)[3] = places_of(one, frame),
        (*before)[3] = places_of(one, frame ? frame - 1 : 0);
  for (int i = 0; i < one->points; i++) {
    double moved = length_between(now[i], before[i]);
    if (!isfinite(moved)) out->finite = false;
    out->low = fmin(out->low, now[i][2]);
    if (frame == of->frames - 1) out->speed = fmax(out->speed, moved * of->fps);
  }
  double stretch = 0;
  if (one->role == ROLE_CLOTH && !stretch_of(one, frame, &stretch)) return false;
  out->stretch = fmax(out->stretch, stretch);
  return true;
}

bool sight_of(const recording *of, sight *out) {
  *out = (sight){.first_crossed = -1, .low = INFINITY, .finite = true};
  for (int i = 0; i < of->things; i++)
    if (of->thing[i].role != ROLE_COLLIDER) out->points += of->thing[i].points;
  for (int frame = 0; frame < of->frames; frame++) {
    long count;
    if (!count_crossings(of, frame, &count)) return false;
    if (count > 0) out->crossed_frames++;
    if (count > 0 && out->first_crossed < 0) out->first_crossed = frame;
    if (count > out->crossings) out->crossings = count;
    for (int i = 0; i < of->things; i++)
      if (of->thing[i].role != ROLE_COLLIDER && !look_at(of, &of->thing[i], frame, out))
        return false;
  }
  return true;
}
