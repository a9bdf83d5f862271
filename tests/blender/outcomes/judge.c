// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measures a recording: what crosses what, what is inside of what, how far and how fast things
// went, whether they rest, how much cloth is stretched. It says numbers, as JSON, and no verdict:
// verdict.py has the limits.
//
//   judge FILE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "crossings.h"

#define GRAVITY 9.81
enum { LAST_FRAMES = 6 };

static double length_between(const double a[3], const double b[3]) {
  double sum = 0;
  for (int k = 0; k < 3; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrt(sum);
}

static bool may_meet(const thing *a, const thing *b) {
  if (a == b) return a->role == ROLE_CLOTH || a->role == ROLE_SOFT;
  return a->role != ROLE_COLLIDER || b->role != ROLE_COLLIDER;
}

// Crossings of all pairs at a frame; with `tell`, each pair as an element of a JSON list. Below 0
// without memory.
static long count_crossings(const recording *in, int frame, bool tell) {
  long all = 0;
  const char *between = "";
  for (int i = 0; i < in->things; i++)
    for (int j = i; j < in->things; j++) {
      const thing *a = &in->thing[i], *b = &in->thing[j];
      crossings found;
      if (!may_meet(a, b)) continue;
      if (!crossings_of(a, b, frame, &found)) return -1;
      all += found.count;
      if (!tell || found.count == 0) continue;
      printf("%s{\"a\":\"%s\",\"b\":\"%s\",\"count\":%ld,\"at\":[%.4f,%.4f,%.4f]}", between,
             a->name, b->name, found.count, found.at[0], found.at[1], found.at[2]);
      between = ",";
    }
  return all;
}

static bool tell_crossings(const recording *in) {
  int last = in->frames - 1, first = -1, frames = 0, worst_frame = -1;
  long worst = 0;
  for (int frame = 0; frame <= last; frame++) {
    long count = count_crossings(in, frame, false);
    if (count < 0) return false;
    if (count == 0) continue;
    frames++;
    if (first < 0) first = frame;
    if (count > worst) {
      worst = count;
      worst_frame = frame;
    }
  }
  printf(
      "\"crossed\":{\"frames\":%d,\"first\":%d,\"worst\":%ld,\"worst_frame\":%d},\"crossings\":[",
      frames, first, worst, worst_frame);
  count_crossings(in, last, true);
  printf("],");
  return true;
}

static void tell_inside(const recording *in) {
  const char *between = "";
  printf("\"inside\":[");
  for (int i = 0; i < in->things; i++)
    for (int j = 0; j < in->things; j++) {
      const thing *what = &in->thing[i], *around = &in->thing[j];
      if (what == around || !may_meet(what, around) || !around->closed) continue;
      inside found = inside_of(what, around, in->frames - 1);
      if (found.count == 0) continue;
      printf("%s{\"what\":\"%s\",\"of\":\"%s\",\"count\":%d,\"deepest\":%.6f}", between, what->name,
             around->name, found.count, found.deepest);
      between = ",";
    }
  printf("],");
}

// Area that belongs to each point of a thing as it began: a third of its triangles. NULL without
// memory.
static double *shares_of(const thing *one) {
  double *share = calloc((size_t)one->points + 1, sizeof *share);
  const double(*place)[3] = places_of(one, 0);
  for (int t = 0; share && t < one->triangles; t++) {
    const int *corner = one->triangle[t];
    double a = length_between(place[corner[0]], place[corner[1]]);
    double b = length_between(place[corner[1]], place[corner[2]]);
    double c = length_between(place[corner[2]], place[corner[0]]), half = 0.5 * (a + b + c);
    double area = sqrt(fmax(half * (half - a) * (half - b) * (half - c), 0));
    for (int k = 0; k < 3; k++) share[corner[k]] += area / 3;
  }
  return share;
}

// Kinetic and potential energy between two frames, J/kg: v^2/2 + g z of each point, by its share of
// the area.
static double energy_between(const thing *one, const double *share, int frame, double fps) {
  const double(*now)[3] = places_of(one, frame), (*next)[3] = places_of(one, frame + 1);
  double sum = 0, whole = 0;
  for (int i = 0; i < one->points; i++) {
    double speed = length_between(now[i], next[i]) * fps;
    sum += share[i] * (0.5 * speed * speed + 0.5 * GRAVITY * (now[i][2] + next[i][2]));
    whole += share[i];
  }
  return whole > 0 ? sum / whole : 0;
}

typedef struct {
  double low, high, start_high, end_high, end_low, fastest, motion;
  double middle[3];  // mean place at the end
  double gain;       // of energy over its first frame, at most, J/kg
  bool finite;
} course;

static bool measure_course(const recording *in, const thing *one, course *out) {
  int last = in->frames - 1;
  *out = (course){.low = INFINITY,
                  .high = -INFINITY,
                  .start_high = -INFINITY,
                  .end_high = -INFINITY,
                  .end_low = INFINITY,
                  .finite = true};
  double *share = shares_of(one);
  if (!share) return false;
  for (int frame = 0; frame <= last; frame++) {
    const double(*now)[3] = places_of(one, frame),
          (*before)[3] = frame ? places_of(one, frame - 1) : now;
    for (int i = 0; i < one->points; i++) {
      double moved = length_between(now[i], before[i]);
      if (!isfinite(moved) || !isfinite(now[i][2])) out->finite = false;
      out->low = fmin(out->low, now[i][2]);
      out->high = fmax(out->high, now[i][2]);
      out->fastest = fmax(out->fastest, moved * in->fps);
      if (frame > last - LAST_FRAMES) out->motion = fmax(out->motion, moved);
      if (frame == 0) out->start_high = fmax(out->start_high, now[i][2]);
      if (frame < last) continue;
      out->end_low = fmin(out->end_low, now[i][2]);
      out->end_high = fmax(out->end_high, now[i][2]);
      for (int k = 0; k < 3; k++) out->middle[k] += now[i][k] / one->points;
    }
  }
  double began = energy_between(one, share, 0, in->fps);
  for (int frame = 1; frame < last; frame++)
    out->gain = fmax(out->gain, energy_between(one, share, frame, in->fps) - began);
  free(share);
  return true;
}

static int compare_numbers(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

// The largest strain of the edges of a cloth at the end, and that which one in a hundred exceeds.
static bool measure_stretch(const thing *one, int last, double *most, double *usual) {
  *most = *usual = 0;
  if (one->role != ROLE_CLOTH || one->drawn == 0) return true;
  double *strain = malloc((size_t)one->drawn * sizeof *strain);
  if (!strain) return false;
  const double(*rest)[3] = places_of(one, 0), (*now)[3] = places_of(one, last);
  for (int e = 0; e < one->drawn; e++) {
    const int *edge = one->edge[e];
    double begun = length_between(rest[edge[0]], rest[edge[1]]);
    strain[e] = begun > 0 ? length_between(now[edge[0]], now[edge[1]]) / begun - 1 : 0;
  }
  qsort(strain, (size_t)one->drawn, sizeof *strain, compare_numbers);
  *most = strain[one->drawn - 1];
  *usual = strain[(long)one->drawn * 99 / 100];
  free(strain);
  return true;
}

// JSON has no infinity.
static double told(double number) { return isfinite(number) ? number : 1e30; }

static bool tell_things(const recording *in) {
  static const char *const WORDS[] = {"collider", "cloth", "soft", "rigid"};
  printf("\"things\":{");
  for (int i = 0; i < in->things; i++) {
    const thing *one = &in->thing[i];
    course went;
    double most, usual;
    if (!measure_course(in, one, &went) || !measure_stretch(one, in->frames - 1, &most, &usual))
      return false;
    printf(
        "%s\"%s\":{\"role\":\"%s\",\"points\":%d,\"finite\":%s,\"low\":%.5g,\"high\":%.5g,\"start_"
        "high\":%.5g,"
        "\"end_low\":%.5g,\"end_high\":%.5g,\"middle\":[%.5g,%.5g,%.5g],\"fastest\":%.5g,"
        "\"motion\":%.5g,\"gain\":%.5g,\"stretch\":%.5g,\"stretch_99\":%.5g}",
        i ? "," : "", one->name, WORDS[one->role], one->points, went.finite ? "true" : "false",
        told(went.low), told(went.high), told(went.start_high), told(went.end_low),
        told(went.end_high), told(went.middle[0]), told(went.middle[1]), told(went.middle[2]),
        told(went.fastest), told(went.motion), told(went.gain), told(most), told(usual));
  }
  printf("}");
  return true;
}

int main(int count, char **words) {
  recording in;
  if (count != 2) {
    fprintf(stderr, "usage: judge FILE\n");
    return 2;
  }
  bool done = recording_read(&in, words[1]);
  if (done) {
    printf("{\"frames\":%d,", in.frames);
    done = tell_crossings(&in);
    tell_inside(&in);
    done = done && tell_things(&in);
    printf("}\n");
  }
  recording_free(&in);
  return done && !ferror(stdout) ? 0 : 1;
}
