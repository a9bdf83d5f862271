/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenes/scenes_drape.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "mls/mls.h"

/* ---- the rows, on a circle --------------------------------------------------------------------
 */

/* Where each row is in the plane across the axis, and which ones lie on the circle. */
typedef struct drape_row {
  double x, z;
  bool lies;
} drape_row;

/* From a row at `angle` from the top, counted in the direction of walking, on to `count` more. A
 * row that lies half a step above the axis, or lower, has the rest hang straight down from it: the
 * next row would be on the circle again only below the axis, where nothing is pressed on. */
static void walk_down(const scenes_drape *p, double angle, double direction, int count,
                      drape_row *row) {
  double step = p->length / p->rows, turn = 2 * asin(0.5 * step / p->radius);
  for (int j = 0; j <= count; j++) {
    drape_row *at = row + j * (int)direction, *before = at - (int)direction;
    bool lies = j == 0 || (before->lies && before->z > 0.5 * step);
    if (lies)
      *at = (drape_row){direction * p->radius * sin(angle + j * turn),
                        p->radius * cos(angle + j * turn), true};
    else
      *at = (drape_row){before->x, before->z - step, false};
  }
}

/* Row number `top` at this angle from the top; how much lower the last row is than the first. */
static double lay_rows(const scenes_drape *p, int top, double angle, drape_row *rows) {
  walk_down(p, -angle, -1, top, rows + top);
  walk_down(p, angle, 1, p->rows - top, rows + top);
  return rows[0].z - rows[p->rows].z;
}

/* The rows where the ends are as far apart in height as they should be. The caller frees. */
static drape_row *balanced_rows(const scenes_drape *p) {
  drape_row *rows = malloc((size_t)(p->rows + 1) * sizeof *rows);
  int top = (int)floor(p->rows * (0.5 - p->offset / p->length) + 0.5);
  top = top < 0 ? 0 : top > p->rows ? p->rows : top;
  double low = -0.5 * PI, high = 0.5 * PI;
  for (int k = 0; k < 60 && rows; k++) {
    double middle = 0.5 * (low + high);
    if (lay_rows(p, top, middle, rows) < 2 * p->offset)
      low = middle;
    else
      high = middle;
  }
  return rows;
}

bool scenes_drape_around(const scenes_drape *p, mesh *sheet) {
  drape_row *rows = balanced_rows(p);
  if (!rows) return false;
  double *x = sheet->positions;
  for (int j = 0; j <= p->rows; j++)
    for (int i = 0; i <= p->across; i++, x += 3) {
      x[1] = -x[0];
      x[0] = rows[j].x;
      x[2] = rows[j].z;
    }
  free(rows);
  return true;
}

/* ---- on the smooth surface --------------------------------------------------------------------
 */

typedef struct drape_surface {
  mls_surface mls;
  int32_t *all; /* every sample: a scene is made once */
} drape_surface;

/* As contact makes it from the recipe's settings (surface/surface.c). */
static tribo_status see_surface(const mesh *cylinder, arena *memory, drape_surface *out,
                                tribo_error *err) {
  size_t count = cylinder->triangle_count;
  TRY(mls_from_triangles(MLS_CUBIC, 1e-5, cylinder->triangles, count,
                         (const vec3 *)cylinder->positions, memory, &out->mls, err));
  double *spacing = ARENA_ARRAY(memory, double, count);
  out->all = ARENA_ARRAY(memory, int32_t, count);
  if (!spacing || !out->all) return status_no_memory(err, "a draped cloth");
  for (size_t i = 0; i < count; i++) out->all[i] = (int32_t)i;
  mls_spacing_of_mesh(&out->mls, spacing);
  return mls_set_radii(spacing, MLS_SCALE, &out->mls, err);
}

/* Where no sample reaches there is no surface, and x stays. */
static void lay_on(const drape_surface *s, double height, double x[3]) {
  vec3 out = vec3_scale(1 / hypot(x[0], x[2]), vec3_make(x[0], 0, x[2]));
  for (int k = 0; k < 20; k++) {
    mls_value psi = mls_evaluate(&s->mls, vec3_from(x), s->all, s->mls.count, MLS_GRADIENT);
    if (psi.active == 0) return;
    double way = (height - psi.value) / vec3_dot(psi.gradient, out);
    x[0] += way * out.x;
    x[2] += way * out.z;
    if (fabs(way) < 1e-14) return;
  }
}

/* Straight below the row before, unless the surface is there. */
static void hang_from(const drape_surface *s, double height, const double before[3], double x[3]) {
  x[0] = before[0];
  mls_value psi = mls_evaluate(&s->mls, vec3_from(x), s->all, s->mls.count, MLS_VALUE);
  if (psi.active > 0 && psi.value < height) lay_on(s, height, x);
}

static void lay_column(const scenes_drape *p, const drape_row *rows, const drape_surface *surface,
                       double height, double *column) {
  const int stride = 3 * (p->across + 1);
  int first = 0, last = p->rows; /* of those that lie */
  while (!rows[first].lies) first++;
  while (!rows[last].lies) last--;
  for (int j = first; j <= last; j++) lay_on(surface, height, column + j * stride);
  for (int j = first - 1; j >= 0; j--)
    hang_from(surface, height, column + (j + 1) * stride, column + j * stride);
  for (int j = last + 1; j <= p->rows; j++)
    hang_from(surface, height, column + (j - 1) * stride, column + j * stride);
}

tribo_status scenes_drape_onto(const scenes_drape *p, const mesh *cylinder, double height,
                               mesh *sheet, tribo_error *err) {
  arena memory = {0};
  drape_surface surface = {0};
  drape_row *rows = balanced_rows(p);
  tribo_status status = rows && scenes_drape_around(p, sheet)
                            ? see_surface(cylinder, &memory, &surface, err)
                            : status_no_memory(err, "a draped cloth");
  for (int i = 0; i <= p->across && status == TRIBO_OK;
       i++) /* rounding shall not leave it inside */
    lay_column(p, rows, &surface, height + 1e-9, sheet->positions + 3 * i);
  free(rows);
  arena_free(&memory);
  return status;
}
