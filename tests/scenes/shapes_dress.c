/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenes/shapes_dress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "math/vec3.h"
#include "scenes/shapes_dancer.h"
#include "scenes/shapes_turned.h"

#define PI 3.14159265358979323846

/* A mesh that grows ring by ring, from the hem up. */
typedef struct sewing {
  const dress_cut *cut;
  ARRAY(double) positions;
  ARRAY(int32_t) triangles;
  turned_ring last; /* of which only count and phase count */
  int32_t last_at;  /* number of its first vertex */
  bool failed;
} sewing;

static int32_t put(sewing *s, vec3 x) {
  int32_t number = (int32_t)(s->positions.count / 3);
  if (!ARRAY_PUSH(s->positions, x.x) || !ARRAY_PUSH(s->positions, x.y) ||
      !ARRAY_PUSH(s->positions, x.z))
    s->failed = true;
  return number;
}

static void put_triangle(sewing *s, int32_t a, int32_t b, int32_t c) {
  if (!ARRAY_PUSH(s->triangles, a) || !ARRAY_PUSH(s->triangles, b) || !ARRAY_PUSH(s->triangles, c))
    s->failed = true;
}

/* A quad a b c d, its diagonal one way or the other. */
static void put_quad(sewing *s, const int32_t q[4], bool other) {
  put_triangle(s, q[0], q[1], other ? q[3] : q[2]);
  put_triangle(s, other ? q[1] : q[0], q[2], q[3]);
}

/* The point that is `gap` off the torso on the ray from a place within it. Starts between trunk and
 * arms, and comes nearer by what the field says is free. */
static vec3 off_skin(vec3 from, vec3 way, double gap) {
  double t = 0.19, free = 1;
  for (int k = 0; k < 60 && fabs(free) > 1e-9; k++) {
    vec3 x = vec3_madd(from, t, way);
    free = dancer_torso(NULL, (double[3]){x.x, x.y, x.z}) - gap;
    t -= 0.7 * free;
  }
  return vec3_madd(from, t, way);
}

/* Around the trunk at some height: turn 0 is +x, a quarter the back. */
static vec3 around(double turn, double z, double gap) {
  vec3 way = vec3_make(cos(2 * PI * turn), DANCER_FLAT * sin(2 * PI * turn), 0);
  return off_skin(vec3_make(0, 0, z), vec3_normalized(way), gap);
}

static vec3 waistline(const dress_cut *cut, double turn) {
  return around(turn, DANCER_WAIST, cut->gap + cut->under);
}

/* How many triangles of the size fit around the trunk at some height; an even number, so that the
 * two straps are mirror images. */
static int count_around(const dress_cut *cut, double z) {
  const int pieces = 64;
  double sum = 0;
  for (int k = 0; k < pieces; k++)
    sum += vec3_norm(
        vec3_sub(around((k + 1.0) / pieces, z, cut->gap), around((double)k / pieces, z, cut->gap)));
  return (int)fmax(12, 2 * floor(0.5 * sum / cut->size + 0.5));
}

/* A ring of other vertices than the last: its triangles go around both at once. */
static void stitch_ring(sewing *s, turned_ring ring, int32_t at) {
  size_t count = (size_t)(s->last.count + ring.count);
  int32_t *t = malloc(3 * count * sizeof *t);
  if (!t) s->failed = true;
  if (t) turned_stitch(&s->last, &ring, s->last_at, at, t);
  for (size_t k = 0; t && k < count; k++) put_triangle(s, t[3 * k], t[3 * k + 1], t[3 * k + 2]);
  free(t);
}

/* The cone: straight from each point of the waist outwards and down. Vertices around as the
 * mean circumference allows. */
static void sew_skirt(sewing *s, int waist) {
  const dress_cut *cut = s->cut;
  int rows = (int)fmax(1, floor(cut->length / (0.866 * cut->size) + 0.5));
  for (int r = rows; r >= 0; r--) {
    double out = cut->length * r / rows * sin(cut->flare);
    double down = cut->length * r / rows * cos(cut->flare);
    turned_ring ring = {.count = waist + (int)floor(2 * PI * out / cut->size + 0.5),
                        .phase = r % 2 ? 0.5 : 0};
    int32_t at = (int32_t)(s->positions.count / 3);
    for (int i = 0; i < ring.count; i++) {
      double turn = (i + ring.phase) / ring.count;
      vec3 x = waistline(cut, turn);
      vec3 away = vec3_normalized(vec3_make(x.x, x.y, 0));
      x = vec3_madd(x, out, away);
      x.z -= down;
      put(s, x);
    }
    if (r < rows) stitch_ring(s, ring, at);
    s->last = ring;
    s->last_at = at;
  }
}

/* Rows above the waist, as many vertices each, up to a line that `top` gives. */
static void sew_rows(sewing *s, int rows, double (*top)(double turn)) {
  int count = s->last.count;
  for (int r = 1; r <= rows; r++) {
    int32_t at = (int32_t)(s->positions.count / 3);
    for (int i = 0; i < count; i++) {
      double turn = (double)i / count, up = (top(turn) - DANCER_WAIST) * r / rows;
      double under = s->cut->under * fmin(1, fmax(0, (0.1 - up) / 0.06)); /* above waistbands: 0 */
      put(s, around(turn, DANCER_WAIST + up, s->cut->gap + under));
    }
    for (int i = 0; i < count; i++) {
      int next = (i + 1) % count;
      int32_t quad[4] = {s->last_at + i, s->last_at + next, at + next, at + i};
      put_quad(s, quad, (i + r) % 2);
    }
    s->last_at = at;
  }
}

/* The bodice ends below the arms, higher in front than behind. */
static double neckline(double turn) {
  double forth = -sin(2 * PI * turn); /* 1 in front */
  return forth > 0 ? 1.25 + 0.065 * forth : 1.25 + 0.02 * forth;
}

static double waistband(double turn) {
  (void)turn;
  return DANCER_WAIST + 0.03;
}

/* Where column k of a strap, -1 to 1 from the neck outwards or back, runs over the shoulder. */
static double strap_column(double k, double mirrored) {
  const double middle = 0.105, half = 0.025;
  return mirrored * middle + half * k;
}

/* Row r of a column that starts and ends on the neckline: on a ray of a fan that goes over the
 * shoulder in a plane x = const. Near its ends the strap is as wide as its columns are there. */
static vec3 strap_place(const sewing *s, const int32_t ends[2], double over, double share) {
  const vec3 hub = {0, 0.01, 1.34};
  vec3 start = vec3_from(s->positions.data + 3 * ends[0]);
  vec3 end = vec3_from(s->positions.data + 3 * ends[1]);
  double from = atan2(start.z - hub.z, start.y - hub.y), to = atan2(end.z - hub.z, end.y - hub.y);
  if (from < 0) from += 2 * PI; /* from the front, -y, over the top */
  double angle = from + (to - from) * share, straight = start.x + (end.x - start.x) * share;
  double free = fmin(1, 5 * fmin(share, 1 - share));
  double x = straight + (over - straight) * free * free * (3 - 2 * free);
  return off_skin(vec3_make(x, hub.y, hub.z), vec3_make(0, cos(angle), sin(angle)), s->cut->gap);
}

/* A strip of the columns around the middle one, from the front of the neckline to the back. */
static void sew_strap(sewing *s, int middle) {
  enum { MOST = 64 };
  const double width = 0.05, way = 0.42;
  const int most = MOST / 2 - 1;
  int side = (int)fmin(most, fmax(1, floor(0.5 * width / s->cut->size + 0.5)));
  int rows = (int)fmax(6, floor(way / s->cut->size + 0.5)), count = s->last.count;
  double mirrored = copysign(1, s->positions.data[3 * (s->last_at + middle)]);
  int32_t before[MOST], here[MOST];
  for (int r = 0; r <= rows; r++) {
    for (int k = -side; k <= side; k++) {
      int front = (middle + k + count) % count, back = (count - front) % count;
      int32_t ends[2] = {s->last_at + front, s->last_at + back};
      /* columns count to the left, seen from above: +x in front */
      double over = strap_column((double)k / side, mirrored);
      bool free = r > 0 && r < rows;
      here[k + side] =
          free ? put(s, strap_place(s, ends, over, (double)r / rows)) : ends[r == rows];
    }
    for (int k = 0; r > 0 && k < 2 * side; k++) {
      int32_t quad[4] = {before[k], before[k + 1], here[k + 1], here[k]};
      put_quad(s, quad, (k + r) % 2);
    }
    memcpy(before, here, sizeof before);
  }
}

/* The column of the last ring in front whose x is nearest. */
static int column_at(const sewing *s, double x) {
  int best = 0;
  double least = INFINITY;
  for (int i = 0; i < s->last.count && !s->failed; i++) {
    const double *p = s->positions.data + 3 * (s->last_at + i);
    if (p[1] < 0 && fabs(p[0] - x) < least) {
      least = fabs(p[0] - x);
      best = i;
    }
  }
  return best;
}

static mesh sewn(sewing *s) {
  mesh m = {0};
  if (!s->failed) {
    m = (mesh){.positions = s->positions.data,
               .vertex_count = s->positions.count / 3,
               .triangles = s->triangles.data,
               .triangle_count = s->triangles.count / 3};
    s->positions.data = NULL;
    s->triangles.data = NULL;
  }
  ARRAY_FREE(s->positions);
  ARRAY_FREE(s->triangles);
  return m;
}

mesh shape_petticoat(const dress_cut *cut) {
  sewing s = {.cut = cut};
  sew_skirt(&s, count_around(cut, DANCER_WAIST));
  sew_rows(&s, (int)fmax(1, floor(0.03 / cut->size + 0.5)), waistband);
  return sewn(&s);
}

mesh shape_dress(const dress_cut *cut) {
  sewing s = {.cut = cut};
  sew_skirt(&s, count_around(cut, DANCER_WAIST + 0.14)); /* the chest is wider */
  sew_rows(&s, (int)fmax(2, floor(0.18 / cut->size + 0.5)), neckline);
  if (!s.failed) {
    int right = column_at(&s, 0.095);
    sew_strap(&s, right);
    sew_strap(&s, (3 * s.last.count / 2 - right) % s.last.count); /* its mirror image */
  }
  return sewn(&s);
}
