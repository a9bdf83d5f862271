/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/places.h"

#include <stdlib.h>

typedef struct placed_point {
  vec3 at;
  int32_t point;
} placed_point;

static int compare_numbers(double a, double b) { return (a > b) - (a < b); }

static int compare_places(const vec3 *a, const vec3 *b) {
  int by_x = compare_numbers(a->x, b->x), by_y = compare_numbers(a->y, b->y);
  return by_x ? by_x : by_y ? by_y : compare_numbers(a->z, b->z);
}

static int compare_points(const void *a, const void *b) {
  const placed_point *p = a, *q = b;
  int by_place = compare_places(&p->at, &q->at);
  return by_place ? by_place : (p->point > q->point) - (p->point < q->point);
}

tribo_status places_number(const vec3 *points, size_t count, int32_t *place_of_point,
                           size_t *places, tribo_error *err) {
  placed_point *sorted = malloc((count + 1) * sizeof *sorted);
  if (!sorted) return status_no_memory(err, "the places of a mesh");
  for (size_t i = 0; i < count; i++) sorted[i] = (placed_point){points[i], (int32_t)i};
  qsort(sorted, count, sizeof *sorted, compare_points);
  *places = 0;
  for (size_t i = 0; i < count; i++) {
    if (i == 0 || compare_places(&sorted[i - 1].at, &sorted[i].at)) ++*places;
    place_of_point[sorted[i].point] = (int32_t)*places - 1;
  }
  free(sorted);
  return TRIBO_OK;
}
