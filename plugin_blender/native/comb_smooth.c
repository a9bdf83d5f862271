/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Smoothing knows nothing of the picture: texels that are neighbours on the surface may lie far
 * apart in it. So the directions under the brush are averaged in space, as tensors s s^T, which
 * have no sign and no frame. In the frame t, b of a triangle such a mean T is the grain (t.Tt -
 * b.Tb, 2 t.Tb): for one direction s = (cos a, sin a) that is (cos 2a, sin 2a).
 */
#include <string.h>

#include "comb_stroke.h"

/* Cells of a third of the radius; a piece is cut to the radius, so that a box of CELLS holds it
 * whichever way it runs, with a cell to spare on either side. */
enum { CELLS = 12, CELLS_A_RADIUS = 3 };

typedef struct cell {
  double tensor[6], weight; /* xx yy zz xy xz yz */
} cell;

typedef struct sample {
  size_t texel;
  vec3 point, t, b;
  comb_grain grain;
  double weight, area; /* of the brush; of the texel on the surface */
} sample;

typedef struct smoother {
  comb *c;
  const float *pixels;
  ARRAY(sample) samples;
  vec3 low;
  double size;
  cell cells[CELLS][CELLS][CELLS];
} smoother;

static bool take_sample(void *context, const comb_touch *touch) {
  smoother *s = context;
  const float *pixel = s->pixels + 4 * touch->texel.index;
  sample taken = {.texel = touch->texel.index,
                  .point = touch->texel.point,
                  .t = touch->patch->t,
                  .b = touch->patch->b,
                  .grain = comb_grain_read(pixel[0], pixel[1]),
                  .weight = touch->weight,
                  .area = vec3_norm(vec3_cross(touch->patch->dx, touch->patch->dy))};
  return ARRAY_PUSH(s->samples, taken);
}

/* The cell of a point along one axis, and how far the point is into the step to the next. */
static int find_cell(double at, double *share) {
  double low = fmin(fmax(floor(at), 0), CELLS - 2);
  *share = fmin(fmax(at - low, 0), 1);
  return (int)low;
}

typedef struct corners {
  cell *at[8];
  double weight[8];
} corners;

/* The eight cells around a point, with their shares of it: adding by them and reading by them makes
 * a tent of two cells' width. */
static corners around(smoother *s, vec3 point) {
  vec3 at = vec3_scale(1 / s->size, vec3_sub(point, s->low));
  double share[3];
  int base[3] = {find_cell(at.x, &share[0]), find_cell(at.y, &share[1]),
                 find_cell(at.z, &share[2])};
  corners found;
  for (int k = 0; k < 8; k++) {
    int step[3] = {k & 1, k >> 1 & 1, k >> 2 & 1};
    found.weight[k] = 1;
    for (int a = 0; a < 3; a++) found.weight[k] *= step[a] ? share[a] : 1 - share[a];
    found.at[k] = &s->cells[base[0] + step[0]][base[1] + step[1]][base[2] + step[2]];
  }
  return found;
}

static void add_sample(smoother *s, const sample *q) {
  double length = comb_grain_length(q->grain), x = 0, y = 0;
  if (length > 0) comb_grain_direction(q->grain, &x, &y);
  vec3 d = vec3_madd(vec3_scale(x, q->t), y, q->b);
  const double tensor[6] = {d.x * d.x, d.y * d.y, d.z * d.z, d.x * d.y, d.x * d.z, d.y * d.z};
  corners near = around(s, q->point);
  for (int k = 0; k < 8; k++) {
    double weight = near.weight[k] * q->area;
    near.at[k]->weight += weight;
    for (int i = 0; i < 6; i++) near.at[k]->tensor[i] += weight * length * tensor[i];
  }
}

static double product(const double m[6], vec3 a, vec3 b) {
  return m[0] * a.x * b.x + m[1] * a.y * b.y + m[2] * a.z * b.z + m[3] * (a.x * b.y + a.y * b.x) +
         m[4] * (a.x * b.z + a.z * b.x) + m[5] * (a.y * b.z + a.z * b.y);
}

static comb_grain mean_at(smoother *s, const sample *q) {
  double m[6] = {0}, weight = 0;
  corners near = around(s, q->point);
  for (int k = 0; k < 8; k++) {
    weight += near.weight[k] * near.at[k]->weight;
    for (int i = 0; i < 6; i++) m[i] += near.weight[k] * near.at[k]->tensor[i];
  }
  if (!(weight > 0)) return q->grain;
  return (comb_grain){(product(m, q->t, q->t) - product(m, q->b, q->b)) / weight,
                      2 * product(m, q->t, q->b) / weight};
}

/* Pieces that fit together into a box as wide as the radius. */
typedef struct part {
  const comb_piece *pieces;
  size_t count;
  vec3 low, high;
} part;

static vec3 least(vec3 a, vec3 b) {
  return vec3_make(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}

static vec3 most(vec3 a, vec3 b) {
  return vec3_make(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
}

static tribo_status smooth_part(smoother *s, const part *p, float *pixels, comb_rect *changed,
                                tribo_error *err) {
  s->samples.count = 0;
  TRY(comb_sweep(s->c, p->pieces, p->count, take_sample, s, err));
  double radius = s->c->brush.radius;
  s->size = radius / CELLS_A_RADIUS;
  double rim = radius + s->size;
  s->low = vec3_sub(p->low, vec3_make(rim, rim, rim));
  memset(s->cells, 0, sizeof s->cells);
  for (size_t i = 0; i < s->samples.count; i++) add_sample(s, &s->samples.data[i]);
  for (size_t i = 0; i < s->samples.count; i++) {
    const sample *q = &s->samples.data[i];
    if (comb_save(s->c, q->texel, pixels) < 0) return status_no_memory(err, "the stroke");
    comb_grain now = comb_grain_between(q->grain, mean_at(s, q), q->weight);
    comb_write(s->c, q->texel, now, pixels, changed);
  }
  return TRIBO_OK;
}

/* A piece that is longer than the radius, cut. */
static tribo_status smooth_long(smoother *s, const comb_piece *piece, float *pixels,
                                comb_rect *changed, tribo_error *err) {
  vec3 from = piece->ends[0], to = piece->ends[1];
  double length = vec3_norm(vec3_sub(to, from));
  size_t cuts = (size_t)fmin(ceil(length / s->c->brush.radius), 1e6);
  for (size_t k = 0; k < cuts; k++) {
    comb_piece cut =
        comb_piece_make(distance_along(from, to, (double)k / (double)cuts),
                        distance_along(from, to, (double)(k + 1) / (double)cuts), piece->normal);
    part p = {&cut, 1, least(cut.ends[0], cut.ends[1]), most(cut.ends[0], cut.ends[1])};
    TRY(smooth_part(s, &p, pixels, changed, err));
  }
  return TRIBO_OK;
}

static tribo_status smooth_pieces(smoother *s, const comb_piece *pieces, size_t count,
                                  float *pixels, comb_rect *changed, tribo_error *err) {
  double radius = s->c->brush.radius;
  for (size_t i = 0; i < count;) {
    part p = {pieces + i, 0, pieces[i].ends[0], pieces[i].ends[0]};
    for (; i < count; i++, p.count++) {
      vec3 low = least(p.low, least(pieces[i].ends[0], pieces[i].ends[1]));
      vec3 high = most(p.high, most(pieces[i].ends[0], pieces[i].ends[1]));
      if (vec3_max_abs(vec3_sub(high, low)) > radius) break;
      p.low = low;
      p.high = high;
    }
    if (p.count > 0)
      TRY(smooth_part(s, &p, pixels, changed, err));
    else
      TRY(smooth_long(s, &pieces[i++], pixels, changed, err));
  }
  return TRIBO_OK;
}

tribo_status comb_smooth(comb *c, const comb_piece *pieces, size_t count, float *pixels,
                         comb_rect *changed, tribo_error *err) {
  smoother *s = calloc(1, sizeof *s);
  if (!s) return status_no_memory(err, "the stroke");
  s->c = c;
  s->pixels = pixels;
  tribo_status status = smooth_pieces(s, pieces, count, pixels, changed, err);
  ARRAY_FREE(s->samples);
  free(s);
  return status;
}
