/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/rigid.h"

#include "closed.h"

static const double PI = 3.14159265358979323846;

typedef struct measured {
  model_rigid rigid;
  vec3 centre;
} measured;

static measured measure(const closed *c, double density) {
  measured m = {0};
  claim_ok(rigid_measure("thing", c->positions, c->vertex_count, c->triangles, c->triangle_count,
                         density, &m.rigid, &m.centre, err));
  return m;
}

static double apart(vec3 a, vec3 b) { return vec3_max_abs(vec3_sub(a, b)); }

static vec3 sorted(double a, double b, double c) {
  return vec3_make(fmin(a, fmin(b, c)), a + b + c - fmin(a, fmin(b, c)) - fmax(a, fmax(b, c)),
                   fmax(a, fmax(b, c)));
}

static vec3 inertia_of_box(double mass, double a, double b, double c) {
  return sorted(mass / 12 * (b * b + c * c), mass / 12 * (a * a + c * c),
                mass / 12 * (a * a + b * b));
}

/* ---- mass ---- */

static void box__has_the_mass_and_moments_of_the_formula(void **unused) {
  (void)unused;
  closed *box = closed_box(0.3, 2, 0.7);
  measured m = measure(box, 500);
  double mass = 500 * 0.3 * 2 * 0.7;
  claim_near(m.rigid.mass, mass, 1e-13 * mass);
  claim_below(apart(m.centre, vec3_make(0, 0, 0)), 1e-15);
  vec3 wanted = inertia_of_box(mass, 0.3, 2, 0.7);
  claim_below(apart(m.rigid.inertia, wanted), 1e-13 * wanted.z);
  claim_near(m.rigid.length, sqrt((wanted.x + wanted.y + wanted.z) / (3 * mass)), 1e-14);
  /* In the world the moments stand on the diagonal, in the order of the axes. */
  mat3 inertia = rigid_inertia(&m.rigid, m.rigid.turn);
  claim_near(inertia.m[0][0], mass / 12 * (4 + 0.49), 1e-12 * mass);
  claim_near(inertia.m[1][1], mass / 12 * (0.09 + 0.49), 1e-12 * mass);
  claim_near(inertia.m[2][2], mass / 12 * (0.09 + 4), 1e-12 * mass);
  claim_near(inertia.m[0][1], 0, 1e-12 * mass);
  free(box);
}

static void turned_box__has_the_same_moments_and_turned_axes(void **unused) {
  (void)unused;
  uint64_t seed = 3;
  for (int i = 0; i < 20; i++) {
    closed *box = closed_box(0.3, 2, 0.7);
    quat turn = quat_exp(vec3_make(claim_between(&seed, -2, 2), claim_between(&seed, -2, 2), 1));
    closed_move(box, turn, vec3_make(1, 2, 3));
    measured m = measure(box, 500);
    vec3 wanted = inertia_of_box(m.rigid.mass, 0.3, 2, 0.7);
    claim_below(apart(m.rigid.inertia, wanted), 1e-12 * wanted.z);
    claim_below(apart(m.centre, vec3_make(1, 2, 3)), 1e-14);
    /* The first principal axis is the longest side, here y; either sign is right. */
    vec3 axis = quat_rotate(m.rigid.turn, vec3_make(1, 0, 0));
    claim_near(fabs(vec3_dot(axis, quat_rotate(turn, vec3_make(0, 1, 0)))), 1, 1e-13);
    claim_near(quat_norm2(m.rigid.turn), 1, 1e-15);
    free(box);
  }
}

/* A metre a million metres away: positions have 1e-10 m left, and that is all that is lost. */
static void box_far_from_the_origin__loses_no_more_than_its_positions_do(void **unused) {
  (void)unused;
  closed *box = closed_box(1, 2, 3);
  vec3 far = {1e6, -2e6, 3e6};
  closed_move(box, quat_exp(vec3_make(0.3, 0.2, 0.1)), far);
  measured m = measure(box, 1);
  vec3 wanted = inertia_of_box(6, 1, 2, 3);
  claim_near(m.rigid.mass, 6, 1e-8);
  claim_below(apart(m.centre, far), 1e-9);
  claim_below(apart(m.rigid.inertia, wanted), 1e-8);
  free(box);
}

/* Moments of the whole less those of the hole. */
static void frame_with_a_hole__is_a_box_less_a_box(void **unused) {
  (void)unused;
  closed *frame = closed_frame(2, 1.2, 0.5);
  measured m = measure(frame, 10);
  double whole = 10 * 2 * 2 * 0.5, hole = 10 * 1.2 * 1.2 * 0.5;
  claim_near(m.rigid.mass, whole - hole, 1e-13 * whole);
  claim_below(apart(m.centre, vec3_make(0, 0, 0.25)), 1e-14);
  vec3 wanted = vec3_sub(inertia_of_box(whole, 2, 2, 0.5), inertia_of_box(hole, 1.2, 1.2, 0.5));
  claim_below(apart(m.rigid.inertia, wanted), 1e-13 * whole);
  free(frame);
}

/* Two boxes that only touch, moments by the parallel axis theorem. */
static void two_parts__count_as_one_body(void **unused) {
  (void)unused;
  closed *handle = closed_new();
  closed_add_box(handle, vec3_make(-0.5, -0.1, -0.1), vec3_make(0.5, 0.1, 0.1));
  closed_add_box(handle, vec3_make(-0.1, 0.1, -0.1), vec3_make(0.1, 0.7, 0.1));
  measured m = measure(handle, 100);
  double bar = 100 * 0.04, stem = 100 * 0.024, mass = bar + stem, y = stem * 0.4 / mass;
  claim_near(m.rigid.mass, mass, 1e-13 * mass);
  claim_below(apart(m.centre, vec3_make(0, y, 0)), 1e-15);
  double shifted = bar * y * y + stem * (0.4 - y) * (0.4 - y);
  double xx = bar / 12 * (0.04 + 0.04) + stem / 12 * (0.36 + 0.04) + shifted;
  double yy = bar / 12 * (1 + 0.04) + stem / 12 * (0.04 + 0.04);
  double zz = bar / 12 * (1 + 0.04) + stem / 12 * (0.04 + 0.36) + shifted;
  claim_below(apart(m.rigid.inertia, sorted(xx, yy, zz)), 1e-13 * zz);
  free(handle);
}

/* 2/5 m r^2; the mesh lies inside the sphere by a share of the square of its spacing. */
static void sphere__converges_with_the_square_of_its_spacing(void **unused) {
  (void)unused;
  double errors[2];
  for (int k = 0; k < 2; k++) {
    closed *sphere = closed_sphere(0.5, k ? 64 : 32);
    measured m = measure(sphere, 1000);
    double mass = 1000 * 4 / 3.0 * PI * 0.125, moment = 0.4 * mass * 0.25;
    errors[k] = fabs(m.rigid.inertia.y - moment) / moment;
    claim_below(apart(m.rigid.inertia, vec3_make(moment, moment, moment)), 0.02 * moment);
    assert_true(m.rigid.mass < mass);
    claim_near(m.rigid.mass, mass, 0.01 * mass);
    claim_near(m.rigid.length, 0.5 * sqrt(0.4), 2e-3);
    free(sphere);
  }
  claim_near(errors[0] / errors[1], 4, 0.05);
}

static tribo_status refuse(closed *c, tribo_error *err) {
  model_rigid r;
  vec3 centre;
  return rigid_measure("thing", c->positions, c->vertex_count, c->triangles, c->triangle_count, 1,
                       &r, &centre, err);
}

/* A box whose top is a triangle short, then gone: as whole. One whose faces share no vertices
 * likewise. */
static void mesh_with_holes__has_the_mass_of_one_whose_holes_are_closed(void **unused) {
  (void)unused;
  model_rigid whole, open;
  vec3 centre, other;
  closed *box = closed_box(1, 2, 3);
  claim_ok(rigid_measure("thing", box->positions, box->vertex_count, box->triangles,
                         box->triangle_count, 700, &whole, &centre, err));
  for (int without = 1; without <= 2; without++) {
    claim_ok(rigid_measure("thing", box->positions, box->vertex_count, box->triangles,
                           box->triangle_count - (size_t)without, 700, &open, &other, err));
    claim_near(open.mass, whole.mass, 1e-9);
    claim_below(vec3_norm(vec3_sub(open.inertia, whole.inertia)), 1e-9);
    claim_below(vec3_norm(vec3_sub(other, centre)), 1e-12);
  }
  closed *loose = closed_new();
  for (size_t i = 0; i < 3 * box->triangle_count; i++) {
    const double *p = box->positions + 3 * box->triangles[i];
    loose->triangles[i] = closed_vertex(loose, p[0], p[1], p[2]);
  }
  loose->triangle_count = box->triangle_count;
  claim_ok(rigid_measure("thing", loose->positions, loose->vertex_count, loose->triangles,
                         loose->triangle_count, 700, &open, &other, err));
  claim_near(open.mass, whole.mass, 1e-9);
  free(loose);
  free(box);

  closed *sheet = closed_new(); /* bent by a thirtieth of its width */
  for (int i = 0; i < 9; i++) closed_vertex(sheet, i % 3, i / 3, i == 4 ? 0.07 : 0);
  for (int i = 0; i < 4; i++) {
    int v = i % 2 + 3 * (i / 2);
    closed_quad(sheet, v, v + 1, v + 4, v + 3);
  }
  claim_fails(refuse(sheet, err), TRIBO_BAD_INPUT,
              "object 'thing': the mesh is open and encloses nothing");
  free(sheet);
}

static void mesh_without_an_inside__is_refused_with_the_place(void **unused) {
  (void)unused;
  closed *box = closed_box(1, 1, 1);

  int32_t *t = box->triangles + 3 * 4, swap = t[0];
  t[0] = t[1], t[1] = swap;
  claim_fails(refuse(box, err), TRIBO_BAD_INPUT,
              "are wound against each other at the edge between");
  t[1] = t[0], t[0] = swap;

  closed_triangle(box, 0, 1, 7);
  claim_fails(refuse(box, err), TRIBO_BAD_INPUT,
              "the edge between vertices 0 and 1 belongs to 3 triangles");
  box->triangle_count--;

  for (size_t i = 0; i < box->triangle_count; i++) {
    swap = box->triangles[3 * i];
    box->triangles[3 * i] = box->triangles[3 * i + 1];
    box->triangles[3 * i + 1] = swap;
  }
  claim_fails(refuse(box, err), TRIBO_BAD_INPUT, "inside out, its volume is -1 m^3; flip");
  free(box);

  closed *flat = closed_box(1, 1, 0);
  claim_fails(refuse(flat, err), TRIBO_BAD_INPUT, "has no volume (0 m^3 in a box of 1.41 m)");
  free(flat);

  /* A box and, beside it, a smaller one inside out: a positive volume, but no mass like that. */
  closed *pair = closed_box(1, 1, 1);
  closed_add_box(pair, vec3_make(5.5, 0.2, 0.2), vec3_make(5, -0.2, -0.2));
  claim_fails(refuse(pair, err), TRIBO_BAD_INPUT, "parts of it are inside out");
  free(pair);
}

static void plate_a_micrometre_thick__is_still_a_body(void **unused) {
  (void)unused;
  closed *plate = closed_box(1, 1, 1e-6);
  measured m = measure(plate, 1000);
  claim_near(m.rigid.mass, 1e-3, 1e-15);
  claim_near(m.rigid.inertia.x, 1e-3 / 12, 1e-12);
  claim_near(m.rigid.inertia.z, 2e-3 / 12, 1e-12);
  free(plate);
}

/* ---- free rotation ---- */

/* Euler's equations and the orientation by classical Runge-Kutta in many small steps: a reference
 * that shares nothing with the splitting. */
typedef struct motion {
  vec3 own; /* spin in the body's frame */
  quat turn;
} motion;

static motion rate(const model_rigid *r, motion m) {
  vec3 i = r->inertia, w = m.own;
  quat spin = {0, w.x / 2, w.y / 2, w.z / 2};
  return (motion){
      {(i.y - i.z) * w.y * w.z / i.x, (i.z - i.x) * w.z * w.x / i.y, (i.x - i.y) * w.x * w.y / i.z},
      quat_multiply(m.turn, spin)};
}

static motion add(motion a, double s, motion b) {
  return (motion){vec3_madd(a.own, s, b.own),
                  {a.turn.w + s * b.turn.w, a.turn.x + s * b.turn.x, a.turn.y + s * b.turn.y,
                   a.turn.z + s * b.turn.z}};
}

static motion reference(const model_rigid *r, motion m, double seconds, int steps) {
  double h = seconds / steps;
  for (int n = 0; n < steps; n++) {
    motion k1 = rate(r, m), k2 = rate(r, add(m, h / 2, k1)), k3 = rate(r, add(m, h / 2, k2));
    motion k4 = rate(r, add(m, h, k3));
    m = add(add(add(add(m, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
  }
  return m;
}

static void free_rotation__ends_where_euler_s_equations_do(void **unused) {
  (void)unused;
  uint64_t seed = 11;
  double worst = 0;
  for (int i = 0; i < 40; i++) {
    model_rigid r = {.mass = 1, .inertia = {1, claim_between(&seed, 1, 3), 3.5}, .length = 1};
    quat turn = quat_exp(vec3_make(claim_between(&seed, -2, 2), 1, 0));
    vec3 spin = {claim_between(&seed, -4, 4), claim_between(&seed, -4, 4), 2};
    double h = claim_between(&seed, 0.01, 0.3);
    vec3 theta = rigid_free_rotation(&r, turn, spin, h);
    motion end = reference(&r, (motion){quat_unrotate(turn, spin), turn}, h, 2000);
    quat off = quat_multiply(quat_multiply(quat_exp(theta), turn), quat_conjugate(end.turn));
    worst = fmax(worst, vec3_norm(quat_log(off)));
    /* And the spin that goes with it. */
    rigid_turn(&r, theta, theta, h, &turn, &spin);
    claim_below(apart(quat_unrotate(turn, spin), end.own), 1e-7);
  }
  claim_below(worst, 1e-8); /* 2.7e-9 as measured */
}

/* About a principal axis of any body, and about every axis of a symmetric top, by formula. */
static void free_rotation__of_a_symmetric_top_is_exact(void **unused) {
  (void)unused;
  double h = 0.1;
  for (int oblate = 0; oblate < 2; oblate++) {
    model_rigid r = {.mass = 1, .inertia = {1, oblate ? 1 : 2, 2}, .length = 1};
    quat turn = quat_exp(vec3_make(0.4, 1, 0));
    vec3 spin = {3, -2, 1};
    vec3 theta = rigid_free_rotation(&r, turn, spin, h);
    /* Turning about L at |L|/I_t, and about its own axis at the rest of the spin. */
    vec3 momentum = rigid_momentum(&r, turn, spin);
    vec3 axis = oblate ? vec3_make(0, 0, 1) : vec3_make(1, 0, 0);
    double across = oblate ? 1 : 2, along = oblate ? 2 : 1;
    double own = vec3_dot(quat_unrotate(turn, momentum), axis) * (1 / along - 1 / across);
    quat end = quat_multiply(quat_exp(vec3_scale(h / across, momentum)),
                             quat_multiply(turn, quat_exp(vec3_scale(h * own, axis))));
    quat off = quat_multiply(quat_multiply(quat_exp(theta), turn), quat_conjugate(end));
    claim_below(vec3_norm(quat_log(off)), 1e-14);
  }
}

static void free_rotation__counts_full_turns(void **unused) {
  (void)unused;
  model_rigid r = {.mass = 1, .inertia = {1, 2, 2.5}, .length = 1};
  for (double speed = -20; speed <= 20; speed += 0.7) {
    vec3 theta = rigid_free_rotation(&r, quat_identity(), vec3_make(0, 0, speed), 1);
    claim_below(apart(theta, vec3_make(0, 0, speed)), 1e-12);
  }
  vec3 still = rigid_free_rotation(&r, quat_exp(vec3_make(1, 2, 3)), vec3_make(0, 0, 0), 1);
  claim_below(vec3_norm(still), 0);
}

static void turning_otherwise_than_freely__changes_the_momentum_by_that(void **unused) {
  (void)unused;
  model_rigid r = {.mass = 1, .inertia = {1, 2, 2.5}, .length = 1};
  double h = 0.02;
  quat turn = quat_exp(vec3_make(1, -0.5, 0.3)), start = turn;
  vec3 spin = {1, 2, -1}, torque = {3, -4, 5};
  vec3 before = rigid_momentum(&r, turn, spin);
  /* The minimum of the step's energy under that torque: I (theta - free) / h^2 = torque. */
  mat3 inertia = rigid_inertia(&r, turn), inverse = mat3_inverse(&inertia);
  vec3 free_theta = rigid_free_rotation(&r, turn, spin, h);
  vec3 theta = vec3_madd(free_theta, h * h, mat3_mul_vec3(&inverse, torque));
  rigid_turn(&r, theta, free_theta, h, &turn, &spin);
  vec3 after = rigid_momentum(&r, turn, spin);
  claim_below(apart(after, vec3_madd(before, h, torque)), 1e-14 * vec3_norm(before));
  quat turned = quat_multiply(turn, quat_conjugate(start));
  claim_below(apart(quat_log(turned), theta), 1e-15);
  claim_near(rigid_spin_energy(&r, turn, spin), vec3_dot(after, spin) / 2, 1e-14);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(box__has_the_mass_and_moments_of_the_formula),
      cmocka_unit_test(turned_box__has_the_same_moments_and_turned_axes),
      cmocka_unit_test(box_far_from_the_origin__loses_no_more_than_its_positions_do),
      cmocka_unit_test(frame_with_a_hole__is_a_box_less_a_box),
      cmocka_unit_test(two_parts__count_as_one_body),
      cmocka_unit_test(sphere__converges_with_the_square_of_its_spacing),
      cmocka_unit_test(mesh_with_holes__has_the_mass_of_one_whose_holes_are_closed),
      cmocka_unit_test(mesh_without_an_inside__is_refused_with_the_place),
      cmocka_unit_test(plate_a_micrometre_thick__is_still_a_body),
      cmocka_unit_test(free_rotation__ends_where_euler_s_equations_do),
      cmocka_unit_test(free_rotation__of_a_symmetric_top_is_exact),
      cmocka_unit_test(free_rotation__counts_full_turns),
      cmocka_unit_test(turning_otherwise_than_freely__changes_the_momentum_by_that),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
