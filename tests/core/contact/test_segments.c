/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two that lie across each other, tilted, turned and moved at random: the contact of a segment has
 * the gap of two lines, and its row is the change of that gap.
 */
#include "core/contact/stage.h"

#include "model/kinematics.h"

static const double RADIUS = 0.2, LENGTH = 1.3;

/* Along y. The edge of a bar, at (0, y, -RADIUS) of the upper one and at RADIUS of the lower, is
 * what touches. */
static mesh make_stick(int shape) {
  if (shape == TRIBO_CONTACT_CAPSULE) {
    mesh pill = stage_ball(4, RADIUS, false);
    for (size_t v = 0; v < pill.vertex_count; v++) {
      double *y = pill.positions + 3 * v + 1;
      if (fabs(*y) > 1e-9) *y += copysign(LENGTH / 2, *y);
    }
    return pill;
  }
  mesh bar = stage_box(1, sqrt(2) * RADIUS, LENGTH, sqrt(2) * RADIUS);
  shape_turn(&bar, 1, 0.78539816339744831);
  return bar;
}

static stage *crossed(int below, int above, double turn) {
  stage *s = stage_make();
  mesh lower = make_stick(below), upper = make_stick(above);
  shape_turn(&upper, 2, turn);
  shape_move(&upper, 0, 0, 2.5 * RADIUS);
  stage_add(s, stage_def(TRIBO_RIGID, below), lower);
  stage_add(s, stage_def(TRIBO_RIGID, above), upper);
  stage_build(s, MLS_RIGID, 1);
  return s;
}

/* A point and a direction of a body's frame at the start, where they are now. */
static vec3 carried(const stage *s, size_t k, vec3 direction) {
  quat now = kinematics_turn(&s->m, s->x, s->turns, k);
  return quat_rotate(now, quat_rotate(quat_conjugate(s->m.rigids[k].turn), direction));
}

/* Of the lines that touch; for capsules of their axes, and twice the radius off. */
static double line_gap(const stage *s, const int shape[2], double turn) {
  vec3 along[2], at[2];
  double off = 0;
  for (size_t k = 0; k < 2; k++) {
    bool round = shape[k] == TRIBO_CONTACT_CAPSULE;
    along[k] = carried(s, k, k ? vec3_make(-sin(turn), cos(turn), 0) : vec3_make(0, 1, 0));
    at[k] = s->x[2 * k];
    if (!round) at[k] = vec3_add(at[k], carried(s, k, vec3_make(0, 0, k ? -RADIUS : RADIUS)));
    off += round ? RADIUS : 0;
  }
  vec3 n = vec3_normalized(vec3_cross(along[0], along[1]));
  if (n.z < 0) n = vec3_scale(-1, n);
  return vec3_dot(vec3_sub(at[1], at[0]), n) - off;
}

/* The contact of a segment that is nearest, NULL: none; and how many are as near. */
static const contact_point *segment_of(const stage *s, size_t *row, size_t *count) {
  const contact_point *found = NULL;
  *count = 0;
  for (size_t i = 0; i < s->set.count; i++) {
    const contact_point *c = &s->set.contacts[i];
    if ((size_t)c->number < s->finder.probes[c->probe].count) continue;
    bool nearer = !found || c->gap < found->gap - 1e-9;
    if (!nearer && c->gap > found->gap + 1e-9) continue;
    *count = nearer ? 1 : *count + 1;
    if (!nearer) continue;
    found = c;
    *row = i;
  }
  return found;
}

static double nearest(const stage *s) {
  double least = INFINITY;
  for (size_t i = 0; i < s->set.count; i++) least = fmin(least, s->set.contacts[i].gap);
  return least;
}

static void place_at_random(stage *s, uint64_t *seed, double tilt) {
  for (size_t k = 0; k < 2; k++) {
    s->x[2 * k] = vec3_add(s->m.rest[2 * k], stage_random(seed, 0.2 * RADIUS));
    s->x[2 * k + 1] = vec3_scale(s->m.rigids[k].length, stage_random(seed, tilt));
  }
}

static double worst_gap(const int shape[2], double turn, uint64_t seed, double tilt, double *rows) {
  stage *s = crossed(shape[0], shape[1], turn);
  double worst = 0, step = 1e-5;
  int points = 0;
  *rows = 0;
  for (int trial = 0; trial < 40; trial++) {
    vec3 d[4], at[4];
    place_at_random(s, &seed, tilt);
    stage_find(s, RADIUS);
    size_t row = 0, count;
    const contact_point *c = segment_of(s, &row, &count);
    if (!c) { /* they cross at a point, near enough */
      points++;
      claim_near(nearest(s), line_gap(s, shape, turn), SEGMENTS_GAIN * RADIUS);
      continue;
    }
    assert_int_equal(count, 1); /* not from both sides */
    worst = fmax(worst, fabs(c->gap - line_gap(s, shape, turn)));
    double expected = 0, change = 0;
    for (int i = 0; i < 4; i++) d[i] = stage_random(&seed, 1);
    for (size_t e = s->set.start[row]; e < s->set.start[row + 1]; e++)
      expected += vec3_dot(s->set.by_node[e], d[s->set.node[e]]);
    memcpy(at, s->x, sizeof at);
    for (int side = 1; side >= -1; side -= 2) {
      for (int i = 0; i < 4; i++) s->x[i] = vec3_madd(at[i], side * step, d[i]);
      change += side * line_gap(s, shape, turn) / (2 * step);
    }
    *rows = fmax(*rows, fabs(change - expected));
  }
  assert_true(points < 5);
  stage_free(s);
  return worst;
}

static void segment__has_the_gap_of_two_lines_and_its_change(void **unused) {
  (void)unused;
  const int shapes[][2] = {{TRIBO_CONTACT_CAPSULE, TRIBO_CONTACT_CAPSULE},
                           {TRIBO_CONTACT_MESH, TRIBO_CONTACT_CAPSULE},
                           {TRIBO_CONTACT_CAPSULE, TRIBO_CONTACT_BOX},
                           {TRIBO_CONTACT_MESH, TRIBO_CONTACT_MESH},
                           {TRIBO_CONTACT_BOX, TRIBO_CONTACT_BOX}};
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
    for (double turn = 0.8; turn < 1.6; turn += 0.7) {
      double rows, worst = worst_gap(shapes[k], turn, 7 + k, 0.2, &rows);
      print_message("    %d across %d at %.1f: gap off by %.1e m, row by %.1e\n", shapes[k][0],
                    shapes[k][1], turn, worst, rows);
      claim_below(worst, 1e-9);
      claim_below(rows, 1e-6);
    }
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(segment__has_the_gap_of_two_lines_and_its_change),
  };
  return cmocka_run_group_tests(claims, NULL, NULL);
}
