/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Strands in contact: detection against all pairs, W against the strands' own equations, thresholds
 * of friction, momentum, rest, and the same bits for any number of threads.
 */
#include "claims.h"
#include "fibers/fiber_delassus.h"
#include "fibers/find.h"
#include "geom/distance.h"

static const strand_material WIRE = {.radius = 1e-3, .density = 1400, .young = 2e7, .shear = 7e6};

static strand_def line(const vec3 *points, int32_t elements) {
  return (strand_def){.material = WIRE,
                      .elements = elements,
                      .length = vec3_norm(vec3_sub(points[1], points[0])),
                      .points = points,
                      .frame = mat3_identity(),
                      .free_root = true};
}

typedef struct setup {
  arena memory;
  fibers f;
  fiber_obstacle floor;
} setup;

static void begin(setup *t, size_t strands, double h, double mu) {
  *t = (setup){.f = {.count = strands, .mu = mu, .passes = 2, .tasks = tasks_create(1)}};
  t->f.step = (strand_step){.h = h, .gravity = {0, 0, -9.81}};
  t->f.strands = ARENA_ARRAY(&t->memory, strand, strands);
  t->floor =
      (fiber_obstacle){.shape = {.kind = PRIMITIVE_PLANE, .axes = mat3_identity()}, .mu = mu};
  t->f.obstacles = &t->floor;
}

static void end(setup *t) {
  fibers_free(&t->f);
  arena_free(&t->memory);
}

static void begin_strands(setup *t) {
  double scratch[600];
  for (size_t i = 0; i < t->f.count; i++)
    assert_true(strand_begin(&t->f.strands[i], &t->f.step, scratch));
}

static fibers_report go(setup *t, int steps) {
  fibers_report report = {0};
  for (int i = 0; i < steps; i++) {
    claim_ok(fibers_advance(&t->f, &report, err));
    assert_true(report.converged);
  }
  return report;
}

/* A straight strand of mass_spring from a along way, in so many elements. */
static void add_line(setup *t, size_t i, vec3 a, vec3 way, int32_t elements) {
  vec3 points[33];
  for (int32_t k = 0; k <= elements; k++) points[k] = vec3_madd(a, k / (double)elements, way);
  strand_def def = line(points, elements);
  claim_ok(strand_create(&strand_mass_spring, &def, &t->memory, &t->f.strands[i], err));
}

/* ---- detection ---- */

static void pairs__are_all_that_are_near(void **unused) {
  (void)unused;
  enum { STRANDS = 150 };
  setup t;
  begin(&t, STRANDS, 1e-4, 0);
  uint64_t seed = 9;
  vec3 ends[STRANDS][2];
  for (size_t i = 0; i < STRANDS; i++) {
    for (int k = 0; k < 2; k++)
      ends[i][k] = vec3_make(claim_between(&seed, 0, 0.05), claim_between(&seed, 0, 0.05),
                             claim_between(&seed, 0, 0.05));
    strand_def def = line(ends[i], 1);
    claim_ok(strand_create(&strand_mass_spring, &def, &t.memory, &t.f.strands[i], err));
  }
  begin_strands(&t);
  fiber_contact *found;
  size_t count, expected = 0, seen = 0;
  arena memory = {0};
  claim_ok(fibers_find(&t.f, &memory, &found, &count, err));
  for (size_t i = 0; i < STRANDS; i++)
    for (size_t j = i + 1; j < STRANDS; j++) {
      double s, u, gap = sqrt(distance_edge_edge(ends[i], ends[j], &s, &u)) - 2e-3;
      bool near = false;
      for (size_t k = 0; k < count; k++)
        if (found[k].a == (int32_t)i && found[k].b == (int32_t)j &&
            fabs(found[k].gap - gap) < 1e-12)
          near = true;
      expected += gap < 0, seen += gap < 0 && near;
      if (near) claim_below(gap, 1.1e-4); /* no more than is looked ahead */
    }
  assert_true(expected > 50);
  assert_int_equal(seen, expected);
  arena_free(&memory);
  end(&t);
}

static void neighbours_along_the_arc__are_no_contacts(void **unused) {
  (void)unused;
  setup t;
  begin(&t, 1, 1e-4, 0);
  add_line(&t, 0, vec3_make(0, 0, 1), vec3_make(0.032, 0, 0),
           32); /* elements as long as the radius */
  assert_int_equal(go(&t, 1).contacts, 0);
  end(&t);
  begin(&t, 1, 1e-4, 0);
  vec3 ring[33]; /* its ends meet */
  for (int k = 0; k <= 32; k++)
    ring[k] = vec3_make(0.01 * cos(2 * M_PI * k / 32), 0.01 * sin(2 * M_PI * k / 32), 0);
  strand_def def = line(ring, 32);
  claim_ok(strand_create(&strand_mass_spring, &def, &t.memory, &t.f.strands[0], err));
  assert_true(go(&t, 1).contacts > 0);
  end(&t);
}

/* A helix of few elements and its axis: the gap is that of the curve, not of its pieces. */
static void gaps__are_those_of_the_curve(void **unused) {
  (void)unused;
  setup t;
  begin(&t, 2, 1e-6, 0);
  t.f.step.gravity = vec3_make(0, 0, 0);
  double rest[12];
  for (int e = 0; e < 4; e++)
    rest[3 * e] = 50, rest[3 * e + 1] = rest[3 * e + 2] = 0; /* R = 20 mm */
  strand_def arch = {.material = WIRE,
                     .elements = 4,
                     .length = 0.02,
                     .frame = mat3_identity(),
                     .rest = rest,
                     .root = {-0.02, 0, 0},
                     .free_root = true};
  claim_ok(strand_create(&strand_super_helix, &arch, &t.memory, &t.f.strands[0], err));
  t.f.strands[0].model->prepare(&t.f.strands[0], &t.f.step);
  strand_place top = {.element = 1, .s = 0.011}, near = {.element = 1, .s = 0.0111};
  vec3 tangent, at = t.f.strands[0].model->point(&t.f.strands[0], &top, &tangent);
  vec3 other = t.f.strands[0].model->point(&t.f.strands[0], &near, NULL);
  (void)other;
  vec3 across = vec3_make(0, 0, 0), normal;
  /* the arch lies in a plane: a strand across it, outside, at a gap of 0.05 mm */
  across = vec3_normalized(vec3_cross(tangent, vec3_sub(at, vec3_make(-0.02, 0, 0))));
  normal = vec3_cross(tangent, across);
  vec3 centre = vec3_madd(at, 2.05e-3, normal);
  add_line(&t, 1, vec3_madd(centre, -0.01, across), vec3_scale(0.02, across), 1);
  fibers_report report = go(&t, 1);
  assert_int_equal(report.contacts, 1);
  claim_near(t.f.contacts[0].gap, 0.05e-3, 1e-8);
  claim_near(t.f.contacts[0].arc[0], 0.031, 1e-5);
  end(&t);
}

/* ---- W ---- */

static void crossed_pair(setup *t, const strand_model *model) {
  begin(t, 2, 2e-3, 0.4);
  for (size_t i = 0; i < 2; i++) {
    vec3 points[9];
    double rest[24];
    for (int k = 0; k < 9; k++)
      points[k] = i ? vec3_make(0.004, 0.01 * k - 0.04, 0.0019) : vec3_make(0.01 * k - 0.04, 0, 0);
    for (int k = 0; k < 24; k++) rest[k] = 2 * sin(k);
    strand_def def = line(points, 8);
    if (model == &strand_super_helix) {
      def.root = points[0], def.points = NULL, def.start = rest;
      if (i)
        def.frame = mat3_from_columns(vec3_make(0, 1, 0), vec3_make(-1, 0, 0), vec3_make(0, 0, 1));
    }
    claim_ok(strand_create(model, &def, &t->memory, &t->f.strands[i], err));
    for (int k = 0; k < t->f.strands[i].freedoms; k++)
      t->f.strands[i].v[k] = 0.1 * cos(5. * k + (double)i);
  }
  begin_strands(t);
}

/* J dv = W r for dv = A^-1 J^T r, with A dv = J^T r seen from A before it was factored. */
static void W__is_what_the_strands_answer(void **unused) {
  (void)unused;
  const strand_model *models[] = {&strand_mass_spring, &strand_super_helix};
  for (size_t m = 0; m < 2; m++) {
    setup t;
    crossed_pair(&t, models[m]);
    arena memory = {0};
    fiber_contact *c;
    size_t count;
    claim_ok(fibers_find(&t.f, &memory, &c, &count, err));
    assert_true(count >= 1);
    fiber_delassus d;
    claim_ok(fiber_delassus_make(&t.f, c, count, &memory, &d, err));
    vec3 *u = ARENA_ARRAY(&memory, vec3, count), *r = ARENA_ARRAY(&memory, vec3, count);
    vec3 *wr = ARENA_ARRAY(&memory, vec3, count), columns[64];
    fiber_delassus_fill(&d, u);
    for (size_t i = 0; i < count; i++) r[i] = vec3_make(1e-4, 3e-5 * (double)(i + 1), -2e-5);
    bcsr_multiply(&d.w, &t.f.tasks, r, wr);
    double v[2][64], push[64], full[64], rhs[64];
    for (size_t k = 0; k < 2; k++) {
      strand *s = &t.f.strands[k];
      fiber_delassus_respond(&d, k, r, v[k]);
      memset(push, 0, sizeof push);
      fiber_delassus_push(&d, k, r, push);
      s->model->linearise(s, &t.f.step, s->v, rhs);
      for (int i = 0; i < s->freedoms; i++) full[i] = 0;
      for (int i = 0; i < s->freedoms; i++)
        for (int j = i > s->factor.half ? i - s->factor.half : 0; j <= i; j++) {
          double a = *band_at(&s->factor, i, j);
          full[i] += a * (v[k][j] - s->free[j]);
          if (j < i) full[j] += a * (v[k][i] - s->free[i]);
        }
      double scale = 0;
      for (int i = 0; i < s->freedoms; i++) scale = fmax(scale, fabs(push[i]));
      for (int i = 0; i < s->freedoms; i++) claim_near(full[i], push[i], 1e-8 * scale);
    }
    for (size_t i = 0; i < count; i++) {
      vec3 du = {0, 0, 0};
      for (int side = 0; side < 2; side++) {
        strand *s = &t.f.strands[side ? c[i].b : c[i].a];
        double *own = v[side ? c[i].b : c[i].a];
        vec3 after = fibers_velocity(s, &c[i].at[side], own, columns);
        vec3 before = fibers_velocity(s, &c[i].at[side], s->free, columns);
        du = vec3_madd(du, side ? -1 : 1, vec3_sub(after, before));
      }
      double size = vec3_norm(wr[i]);
      claim_near(vec3_dot(du, c[i].n), wr[i].x, 1e-8 * size);
      claim_near(vec3_dot(du, c[i].t), wr[i].y, 1e-8 * size);
      claim_near(vec3_dot(du, c[i].b_axis), wr[i].z, 1e-8 * size);
    }
    arena_free(&memory);
    end(&t);
  }
}

/* ---- motion ---- */

/* A strand on a floor that leans by its gravity: how far it gets in half a second. */
static double slides(double mu, double slope, bool along) {
  setup t;
  begin(&t, 1, 2e-3, mu);
  t.f.obstacle_count = 1;
  t.f.step.gravity = vec3_make(9.81 * sin(slope), 0, -9.81 * cos(slope));
  vec3 way = along ? vec3_make(0.1, 0, 0) : vec3_make(0, 0.1, 0);
  add_line(&t, 0, vec3_make(0, 0, 1e-3), way, 10);
  fibers_report report = go(&t, 250);
  double x = t.f.strands[0].q[0];
  if (mu > tan(slope)) claim_below(report.fastest, 1e-9);
  end(&t);
  return x;
}

static void a_strand_on_a_slope__holds_above_the_tangent_and_slides_below(void **unused) {
  (void)unused;
  double slope = 0.3;
  for (int along = 0; along < 2; along++) {
    claim_near(slides(1.001 * tan(slope), slope, along), 0, 1e-9);
    double mu = 0.9 * tan(slope), a = 9.81 * (sin(slope) - mu * cos(slope));
    /* implicit Euler is half a step ahead of a t^2 / 2 */
    claim_near(slides(mu, slope, along), a * 0.5 * (0.5 + 2e-3) / 2, 1e-6);
  }
}

static vec3 momentum(const strand *s) {
  vec3 sum = {0, 0, 0};
  double edge = strand_mass(s) / s->elements;
  for (int32_t i = 0; i <= s->elements; i++) {
    double m = i == 0 || i == s->elements ? edge / 2 : edge;
    sum = vec3_madd(sum, m, vec3_from(s->v + 3 * i));
  }
  return sum;
}

static void strands_that_meet__keep_their_momentum(void **unused) {
  (void)unused;
  setup t;
  begin(&t, 2, 1e-3, 0.5);
  t.f.step.gravity = vec3_make(0, 0, 0);
  add_line(&t, 0, vec3_make(0, 0, 0), vec3_make(0.1, 0, 0), 10);
  add_line(&t, 1, vec3_make(0.04, -0.03, 0.01), vec3_make(0.02, 0.1, 0), 10);
  for (int k = 0; k <= 10; k++) t.f.strands[1].v[3 * k + 2] = -0.5, t.f.strands[1].v[3 * k] = 0.3;
  vec3 before = vec3_add(momentum(&t.f.strands[0]), momentum(&t.f.strands[1]));
  go(&t, 60);
  vec3 after = vec3_add(momentum(&t.f.strands[0]), momentum(&t.f.strands[1]));
  claim_below(vec3_norm(vec3_sub(after, before)), 1e-6 * vec3_norm(before));
  /* and the one did not pass the other */
  assert_true(t.f.strands[0].v[3 * 5 + 2] < -0.05);
  vec3 p[2][11], n = {0, 0, 0};
  double nearest = INFINITY, s, u;
  for (int k = 0; k <= 10; k++)
    for (int i = 0; i < 2; i++) p[i][k] = vec3_from(t.f.strands[i].q + 3 * k);
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 10; j++) {
      double d = distance_edge_edge(&p[1][i], &p[0][j], &s, &u);
      if (d >= nearest) continue;
      nearest = d;
      n = vec3_sub(distance_along(p[1][i], p[1][i + 1], s),
                   distance_along(p[0][j], p[0][j + 1], u));
    }
  claim_below(2e-3 * 0.999, sqrt(nearest));
  assert_true(n.z > 0);
  end(&t);
}

/* Three rods, two on the floor and one on top in the notch. */
static void heap(setup *t, double mu, int threads) {
  begin(t, 3, 1e-3, mu);
  t->f.tasks = tasks_create(threads);
  t->f.obstacle_count = 1;
  double r = 1e-3;
  add_line(t, 0, vec3_make(0, -1.02 * r, 1.1 * r), vec3_make(0.08, 0, 0), 8);
  add_line(t, 1, vec3_make(0.001, 1.02 * r, 1.3 * r), vec3_make(0.08, 0, 0), 8);
  add_line(t, 2, vec3_make(0.0005, 0, 3.4 * r), vec3_make(0.08, 0, 0), 8);
}

static void a_heap__stays_with_friction_and_spreads_without(void **unused) {
  (void)unused;
  setup t;
  heap(&t, 0.5, 1);
  fibers_report report = go(&t, 600);
  claim_below(report.fastest, 1e-9);
  assert_true(t.f.strands[2].q[3 * 4 + 2] > 2.5e-3);
  int kept = 0, forgotten = 0; /* the impulses of the last step are those of this one */
  for (int i = 0; i < 20; i++) kept += go(&t, 1).iterations;
  for (int i = 0; i < 20; i++) {
    t.f.contact_count = 0;
    forgotten += go(&t, 1).iterations;
  }
  print_message("iterations of 20 steps at rest: %d, without the last impulses %d\n", kept,
                forgotten);
  claim_below(2 * kept, forgotten);
  end(&t);
  heap(&t, 0, 1);
  go(&t, 600);
  claim_below(t.f.strands[2].q[3 * 4 + 2], 1.1e-3);
  end(&t);
}

static void bits__are_the_same_for_any_number_of_threads(void **unused) {
  (void)unused;
  setup first;
  heap(&first, 0.3, 1);
  go(&first, 80);
  for (int threads = 2; threads <= 3; threads++) {
    setup t;
    heap(&t, 0.3, threads);
    go(&t, 80);
    for (size_t i = 0; i < 3; i++)
      assert_memory_equal(t.f.strands[i].q, first.f.strands[i].q,
                          (size_t)t.f.strands[i].freedoms * sizeof(double));
    end(&t);
  }
  end(&first);
}

static void a_straight_super_helix_on_a_floor__neither_rolls_nor_writhes(void **unused) {
  (void)unused;
  setup t;
  begin(&t, 1, 5e-3, 0.5);
  t.f.obstacle_count = 1;
  strand_def def = {.material = WIRE,
                    .elements = 5,
                    .length = 0.03,
                    .frame = mat3_identity(),
                    .root = {0, 0, 1.2e-3},
                    .free_root = true};
  claim_ok(strand_create(&strand_super_helix, &def, &t.memory, &t.f.strands[0], err));
  fibers_report report = go(&t, 300);
  claim_below(report.fastest, 1e-9);
  /* it sags between the ends of its elements, as a beam does: rho S g l^2 / 12 B = 0.2 1/m */
  for (int k = 6; k < t.f.strands[0].freedoms; k++) claim_near(t.f.strands[0].q[k], 0, 0.2);
  strand_place tip = {.element = 4, .s = 0.03};
  vec3 x = t.f.strands[0].model->point(&t.f.strands[0], &tip, NULL);
  claim_below(hypot(x.x - 0.15, x.y), 1e-5);
  end(&t);
}

/* A torque by friction: pushed sideways, a section that spins rolls at 2/3 of the speed at most. */
static void a_super_helix__rolls_where_it_is_pushed(void **unused) {
  (void)unused;
  setup t;
  begin(&t, 1, 1e-3, 0.5);
  t.f.obstacle_count = 1;
  t.f.step.gravity = vec3_make(0, 1, -9.81);
  strand_def def = {.material = WIRE,
                    .elements = 3,
                    .length = 0.03,
                    .frame = mat3_identity(),
                    .root = {0, 0, 1e-3},
                    .free_root = true};
  claim_ok(strand_create(&strand_super_helix, &def, &t.memory, &t.f.strands[0], err));
  go(&t, 200);
  /* a full cylinder on a slope: 2/3 of the acceleration, spin v / r */
  claim_near(t.f.strands[0].v[1], 0.2 * 2 / 3, 1e-3);
  claim_near(t.f.strands[0].v[3], -t.f.strands[0].v[1] / 1e-3, 1);
  end(&t);
}

static void explicit_steps__that_are_too_long_are_refused(void **unused) {
  (void)unused;
  setup t;
  begin(&t, 1, 1e-2, 0);
  vec3 points[3] = {{0, 0, 0}, {0.01, 0, 0}, {0.02, 0, 0}};
  strand_def def = line(points, 2);
  claim_ok(strand_create(&strand_corde, &def, &t.memory, &t.f.strands[0], err));
  fibers_report report;
  claim_fails(fibers_advance(&t.f, &report, err), TRIBO_BAD_INPUT, "corde bears no step of 0.01 s");
  end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs__are_all_that_are_near),
      cmocka_unit_test(neighbours_along_the_arc__are_no_contacts),
      cmocka_unit_test(gaps__are_those_of_the_curve),
      cmocka_unit_test(W__is_what_the_strands_answer),
      cmocka_unit_test(a_strand_on_a_slope__holds_above_the_tangent_and_slides_below),
      cmocka_unit_test(strands_that_meet__keep_their_momentum),
      cmocka_unit_test(a_heap__stays_with_friction_and_spreads_without),
      cmocka_unit_test(bits__are_the_same_for_any_number_of_threads),
      cmocka_unit_test(a_straight_super_helix_on_a_floor__neither_rolls_nor_writhes),
      cmocka_unit_test(a_super_helix__rolls_where_it_is_pushed),
      cmocka_unit_test(explicit_steps__that_are_too_long_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
