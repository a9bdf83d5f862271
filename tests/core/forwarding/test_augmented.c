/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contacts as an augmented Lagrangian: its derivatives, its pattern, and what Newton's method makes
 * of it where the answer is known: masses on planes and slopes.
 */
#include "core/potential/rig.h"
#include "forwarding/newton.h"

static const linsys_options LINEAR = {.kind = LINSYS_CHOLMOD, .tasks = {1}};

/* (n + 1)^2 loose masses: cloth without any stiffness. */
static rig *dust(int n, vec3 gravity, double h) {
  mesh shape = shape_sheet(n, n, 1, 1);
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.cloth.stretch = def.cloth.shear = def.cloth.bend = 0;
  return rig_make(def, &shape, gravity, h, 1);
}

static rig *patch(int n, vec3 gravity, double h) {
  mesh shape = shape_sheet(n, n, 0.3, 0.3);
  return rig_make(tribo_object_default(TRIBO_CLOTH), &shape, gravity, h, 1);
}

static friction_cone cone_about(vec3 n, double turn, double mu) {
  vec3 odd = fabs(n.x) < 0.6 ? (vec3){1, 0, 0} : (vec3){0, 1, 0};
  vec3 t = vec3_normalized(vec3_madd(odd, -vec3_dot(odd, n), n)), b = vec3_cross(n, t);
  vec3 turned = vec3_madd(vec3_scale(cos(turn), t), sin(turn), b);
  return cone_isotropic(n, turned, vec3_cross(n, turned), mu);
}

static vec3 random_vector(uint64_t *seed, double size) {
  return (vec3){claim_between(seed, -size, size), claim_between(seed, -size, size),
                claim_between(seed, -size, size)};
}

/* ---- derivatives ------------------------------------------------------------------------------
 */

enum { CONTACTS = 40 };

/* Contacts of all kinds at random: one to three nodes each, rows of any direction, drift. */
typedef struct thicket {
  rig *r;
  rig_set *s;
  friction_cone cones[CONTACTS];
  vec3 force[CONTACTS];
  augmented term;
  linsys *own, *linear;
  contact_task task;
  bcsr hessian;
  mat3 *blocks;
} thicket;

static int by_number(const void *a, const void *b) {
  return *(const int32_t *)a - *(const int32_t *)b;
}

static void thicket_contact(thicket *k, uint64_t *seed) {
  vec3 n = vec3_normalized(random_vector(seed, 1));
  size_t i = k->s->set.count;
  int32_t nodes[3];
  int count = 1 + (int)(3 * claim_random(seed));
  for (int a = 0; a < count; a++) nodes[a] = (int32_t)(claim_random(seed) * k->r->m.node_count);
  qsort(nodes, (size_t)count, sizeof *nodes, by_number);
  rig_contact(k->s, claim_between(seed, -0.1, 0.1), n);
  for (int a = 0; a < count; a++) {
    if (a > 0 && nodes[a] == nodes[a - 1]) continue;
    rig_entry(k->s, nodes[a], random_vector(seed, 1));
    size_t e = k->s->start[i + 1] - 1;
    for (int c = 0; c < 9; c++) k->s->carry[e].m[c / 3][c % 3] = claim_between(seed, -1, 1);
  }
  k->s->contacts[i].surface_velocity = random_vector(seed, 1);
  k->cones[i] = cone_about(n, claim_between(seed, 0, 6), claim_between(seed, 0, 1));
  if (i % 2) k->cones[i].mu_b *= claim_random(seed); /* an ellipse */
  if (i % 8 == 1) k->cones[i].mu_b = 0;
  k->force[i] = (vec3){claim_between(seed, -0.3, 1), claim_between(seed, -0.5, 0.5),
                       claim_between(seed, -0.5, 0.5)};
  if (k->force[i].x < 0) k->force[i] = (vec3){0, 0, 0};
}

static thicket *thicket_make(uint64_t *seed, bool friction) {
  thicket *k = calloc(1, sizeof *k);
  k->r = patch(3, (vec3){0, 0, -9.81}, 0.01);
  k->s = rig_contacts(k->r);
  for (int i = 0; i < CONTACTS; i++) thicket_contact(k, seed);
  const model *m = &k->r->m;
  augmented_create(m, &LINEAR, &k->term);
  claim_ok(linsys_create(&LINEAR, &m->free_pattern, &k->own, err));
  k->task = (contact_task){.set = &k->s->set,
                           .cones = k->cones,
                           .friction = friction,
                           .start = m->rest,
                           .h = 0.01,
                           .force = k->force};
  claim_ok(augmented_begin(&k->term, &k->task, k->own, &k->linear, err));
  k->blocks = calloc((size_t)bcsr_block_count(&m->free_pattern), sizeof *k->blocks);
  k->hessian = (bcsr){&m->free_pattern, k->blocks};
  for (int32_t row = 0; row < m->row_count; row++)
    k->blocks[m->free_pattern.diagonal[row]] = mat3_identity();
  augmented_stiffen(&k->term, &k->hessian);
  /* as soft as makes all states appear within a hand's breadth */
  for (int i = 0; i < CONTACTS; i++) {
    k->term.rho[i] = claim_between(seed, 1, 5);
    k->term.s[i] = claim_between(seed, 1, 5);
    if (friction) k->term.radius[i] = claim_random(seed) < 0.2 ? 0 : claim_between(seed, 0.1, 1);
  }
  return k;
}

static void thicket_free(thicket *k) {
  augmented_free(&k->term);
  linsys_free(k->own);
  free(k->blocks);
  free(k->s);
  rig_free(k->r);
  free(k);
}

/* Energy along random lines, slope and gradient, for open, pushing, sticking, slipping and frozen
 * contacts. The energy is smooth once: differences cross kinks of the slope without harm. */
static void gradient__is_that_of_the_energy(void **unused) {
  (void)unused;
  uint64_t seed = 12;
  size_t seen[3] = {0}, pushing = 0, open = 0;
  for (int trial = 0; trial < 30; trial++) {
    thicket *k = thicket_make(&seed, trial % 3 > 0);
    augmented *t = &k->term;
    t->frozen = trial % 3 == 2;
    int32_t nodes = k->r->m.node_count;
    vec3 x[16], d[16], g[16] = {{0}}, to[16];
    assert_int_equal(nodes, 16);
    for (int i = 0; i < 16; i++) {
      x[i] = vec3_add(k->r->m.rest[i], random_vector(&seed, 0.3));
      d[i] = random_vector(&seed, 1);
    }
    double slope = augmented_slope(t, x, d), by_gradient = 0, step = 1e-6, value[2];
    double size = augmented_gradient(t, x, g), total = 0;
    for (int i = 0; i < 16; i++) {
      by_gradient += vec3_dot(g[i], d[i]);
      total += vec3_norm2(g[i]);
    }
    for (int side = 0; side < 2; side++) {
      for (int i = 0; i < 16; i++) to[i] = vec3_madd(x[i], side ? step : -step, d[i]);
      value[side] = augmented_energy(t, to);
    }
    claim_near(by_gradient, slope, 1e-12 * (1 + fabs(slope)));
    claim_near(slope, (value[1] - value[0]) / (2 * step), 1e-7 * (1 + fabs(slope)));
    assert_true(size >= 0 && total > 0);
    augmented_guess(t, x);
    for (int i = 0; i < CONTACTS; i++) {
      seen[t->grip[i]]++;
      pushing += t->pushes[i];
      open += !t->pushes[i];
    }
    thicket_free(k);
  }
  assert_true(pushing > 50 && open > 50 && seen[CONTACT_STICKS] > 50 && seen[CONTACT_SLIPS] > 50);
}

/* Bonds as guessed at x are the derivative of the gradient there, and rows its negative. */
static void bonds__are_the_derivative_of_the_gradient(void **unused) {
  (void)unused;
  uint64_t seed = 4;
  double worst = 0;
  for (int trial = 0; trial < 20; trial++) {
    thicket *k = thicket_make(&seed, trial % 3 > 0);
    augmented *t = &k->term;
    t->frozen = trial % 3 == 2;
    memset(k->blocks, 0, (size_t)bcsr_block_count(k->hessian.pattern) * sizeof *k->blocks);
    vec3 x[16], d[16], y[16], rows[16] = {{0}}, g[16] = {{0}};
    for (int i = 0; i < 16; i++) {
      x[i] = vec3_add(k->r->m.rest[i], random_vector(&seed, 0.3));
      d[i] = random_vector(&seed, 1);
    }
    augmented_guess(t, x);
    const bcsr *bonded = augmented_bond(t, x, false, &k->hessian, rows);
    augmented_gradient(t, x, g);
    for (int i = 0; i < 16; i++) claim_below(vec3_norm(vec3_add(rows[i], g[i])), 1e-12);
    bcsr_multiply_rows(bonded, d, 0, 16, y);
    double step = 1e-7;
    vec3 to[16], up[16] = {{0}}, down[16] = {{0}};
    for (int i = 0; i < 16; i++) to[i] = vec3_madd(x[i], step, d[i]);
    augmented_gradient(t, to, up);
    for (int i = 0; i < 16; i++) to[i] = vec3_madd(x[i], -step, d[i]);
    augmented_gradient(t, to, down);
    for (int i = 0; i < 16; i++) {
      vec3 difference = vec3_scale(1 / (2 * step), vec3_sub(up[i], down[i]));
      worst = fmax(worst, vec3_norm(vec3_sub(difference, y[i])));
    }
    thicket_free(k);
  }
  claim_below(worst, 1e-5);
}

/* Every pair of free nodes of a contact, everything of the model, and nothing else. */
static void wide_pattern__is_the_union(void **unused) {
  (void)unused;
  uint64_t seed = 19;
  thicket *k = thicket_make(&seed, true);
  const model *m = &k->r->m;
  bool wanted[16][16] = {{false}};
  for (int32_t row = 0; row < 16; row++)
    for (int32_t e = m->free_pattern.row_start[row]; e < m->free_pattern.row_start[row + 1]; e++)
      wanted[row][m->free_pattern.columns[e]] = true;
  for (size_t i = 0; i < CONTACTS; i++)
    for (size_t a = k->s->start[i]; a < k->s->start[i + 1]; a++)
      for (size_t b = k->s->start[i]; b < k->s->start[i + 1]; b++)
        wanted[m->row_of_node[k->s->node[a]]][m->row_of_node[k->s->node[b]]] = true;
  const bcsr_pattern *wide = k->term.bonded.pattern;
  assert_true(wide != &m->free_pattern && k->linear != k->own);
  int32_t count = 0;
  for (int32_t row = 0; row < 16; row++) {
    assert_int_equal(wide->columns[wide->diagonal[row]], row);
    for (int32_t column = 0; column < 16; column++) {
      assert_int_equal(bcsr_find(wide, row, column) >= 0, wanted[row][column]);
      count += wanted[row][column];
    }
  }
  assert_int_equal(bcsr_block_count(wide), count);
  linsys *before = k->linear; /* the same set again: nothing is analysed anew */
  claim_ok(augmented_begin(&k->term, &k->task, k->own, &k->linear, err));
  assert_true(k->linear == before);
  thicket_free(k);
}

static void contacts_of_single_nodes__keep_the_pattern(void **unused) {
  (void)unused;
  rig *r = patch(2, (vec3){0, 0, -9.81}, 0.01);
  rig_set *s = rig_contacts(r);
  friction_cone cones[9];
  vec3 force[9] = {{0}};
  for (int32_t i = 0; i < 9; i++) {
    rig_plane(s, i, (vec3){0, 0, 1}, 0);
    cones[i] = cone_about((vec3){0, 0, 1}, 0, 0.5);
  }
  augmented t;
  linsys *own, *linear;
  augmented_create(&r->m, &LINEAR, &t);
  claim_ok(linsys_create(&LINEAR, &r->m.free_pattern, &own, err));
  contact_task task = {.set = &s->set,
                       .cones = cones,
                       .friction = true,
                       .start = r->m.rest,
                       .h = 0.01,
                       .force = force};
  claim_ok(augmented_begin(&t, &task, own, &linear, err));
  assert_true(linear == own && t.bonded.pattern == &r->m.free_pattern);
  augmented_free(&t);
  linsys_free(own);
  free(s);
  rig_free(r);
}

/* ---- Newton's method --------------------------------------------------------------------------
 */

static const constrained_options TO = {
    .tolerance = 1e-9, .gap = 1e-9, .cones = 1e-8, .iterations = 100};

/* Solves, and sees to what is promised: balance, gaps, cones, measured from scratch. */
static constrained_report solve(rig *r, rig_set *s, const friction_cone *cones, bool friction,
                                vec3 *force) {
  newton n;
  constrained_report report;
  claim_ok(newton_create(&r->o, &LINEAR, &r->memory, &n, err));
  contact_task task = {.set = &s->set,
                       .cones = cones,
                       .friction = friction,
                       .start = r->o.start,
                       .h = r->o.h,
                       .force = force};
  claim_ok(newton_minimize(&n, &TO, &task, r->x, &report, err));
  newton_free(&n);
  assert_int_equal(report.outcome, CONSTRAINED_CONVERGED);
  claim_below(report.residual, TO.tolerance);
  claim_below(report.violation, TO.gap);
  claim_below(report.cones, TO.cones);

  double scale, contact_scale = 0;
  vec3 *g = malloc((size_t)r->m.node_count * sizeof *g);
  objective_gradient(&r->o, r->x, g, &scale);
  for (size_t i = 0; i < s->set.count; i++) {
    const friction_cone *c = &cones[i];
    vec3 f = force[i], drag = vec3_add(vec3_scale(f.y, c->t), vec3_scale(f.z, c->b));
    double gap = rig_gap(&s->set, i, r->x), most = cone_mu(c) * f.x;
    assert_true(f.x >= 0);
    assert_true(gap >= -2 * TO.gap);
    if (gap > 2 * TO.gap) assert_true(f.x == 0);
    claim_below(hypot(f.y, f.z), (friction ? most : 0) * (1 + 1e-7) + 1e-14);
    vec3 slip = vec3_scale(-r->o.h, s->contacts[i].surface_velocity);
    for (size_t e = s->start[i]; e < s->start[i + 1]; e++) {
      int32_t node = s->node[e];
      vec3 moved = vec3_sub(r->x[node], r->o.start[node]);
      vec3 push = vec3_madd(mat3_tmul_vec3(&s->carry[e], drag), f.x, s->by_node[e]);
      slip = vec3_add(slip, mat3_mul_vec3(&s->carry[e], moved));
      g[node] = vec3_sub(g[node], push);
      contact_scale += vec3_norm(push);
    }
    slip = vec3_madd(slip, -vec3_dot(slip, c->normal), c->normal);
    /* slips: as much friction as there may be, straight against it */
    if (friction && f.x > 0 && vec3_norm(slip) > 10 * TO.gap)
      claim_near(vec3_dot(drag, slip), -most * vec3_norm(slip), 1e-6 * most * vec3_norm(slip));
  }
  claim_below(objective_free_norm(&r->o, g), 1e-7 * (scale + contact_scale));
  free(g);
  return report;
}

/* One mass among many, over a slope of its own. */
static void mass_on_a_slope__sticks_or_slips_exactly(void **unused) {
  (void)unused;
  double h = 0.01, gravity = 9.81;
  for (int k = 0; k < 12; k++)
    for (int slips = 0; slips < 2; slips++) {
      double slope = 0.4, turn = k * M_PI / 6, mu = tan(slope) * (slips ? 0.6 : 1.3);
      rig *r = dust(2, (vec3){0, 0, -gravity}, h);
      rig_set *s = rig_contacts(r);
      vec3 n = {sin(slope) * cos(turn), sin(slope) * sin(turn), cos(slope)};
      vec3 down = {cos(slope) * cos(turn), cos(slope) * sin(turn), -sin(slope)};
      friction_cone cone = cone_about(n, 0.3, mu);
      vec3 force = {0, 0, 0};
      rig_plane(s, 4, n, vec3_dot(n, r->m.rest[4]));
      solve(r, s, &cone, true, &force);
      double weight = r->m.mass[4] * gravity;
      double drag = fmin(mu * weight * cos(slope), weight * sin(slope));
      double slid = h * h * (weight * sin(slope) - drag) / r->m.mass[4];
      claim_near(force.x, weight * cos(slope), 1e-7 * weight);
      claim_near(hypot(force.y, force.z), drag, 1e-7 * weight);
      vec3 end = vec3_madd(r->m.rest[4], slid, down);
      claim_below(vec3_norm(vec3_sub(r->x[4], end)), 1e-8 * h);
      vec3 fallen = vec3_sub(r->x[0], r->m.rest[0]); /* the others fall freely */
      claim_near(fallen.z, -gravity * h * h, 1e-9);
      free(s);
      rig_free(r);
    }
}

/* Four masses over slopes, with the forces that the last step ended with. Returns how often
 * Newton's method had to go. */
static int go_on(double mu, double wrong, vec3 *slid) {
  double h = 0.01, slope = 0.4, gravity = 9.81;
  rig *r = dust(1, (vec3){0, 0, -gravity}, h);
  rig_set *s = rig_contacts(r);
  vec3 n = {sin(slope), 0, cos(slope)}, down = {cos(slope), 0, -sin(slope)}, force[4];
  friction_cone cones[4];
  assert_int_equal(r->m.node_count, 4);
  for (int32_t i = 0; i < 4; i++) {
    double weight = r->m.mass[i] * gravity, drag = weight * fmin(mu * cos(slope), sin(slope));
    rig_plane(s, i, n, vec3_dot(n, r->m.rest[i]));
    cones[i] = cone_about(n, 0.3, mu);
    force[i] = vec3_make(weight * cos(slope), -drag * vec3_dot(down, cones[i].t),
                         -drag * vec3_dot(down, cones[i].b) + wrong * weight);
  }
  newton solver;
  constrained_report report;
  claim_ok(newton_create(&r->o, &LINEAR, &r->memory, &solver, err));
  contact_task task = {.set = &s->set,
                       .cones = cones,
                       .friction = true,
                       .first = true,
                       .start = r->o.start,
                       .h = h,
                       .force = force};
  claim_ok(newton_minimize(&solver, &TO, &task, r->x, &report, err));
  assert_int_equal(report.outcome, CONSTRAINED_CONVERGED);
  newton_free(&solver);
  *slid = vec3_sub(r->x[0], r->m.rest[0]);
  double way = h * h * gravity * fmax(0, sin(slope) - mu * cos(slope));
  claim_below(vec3_norm(vec3_madd(*slid, -way, down)), 1e-8 * h);
  free(s);
  rig_free(r);
  return report.iterations;
}

/* tan 0.4 = 0.423 */
static void what_rests_or_slides_steadily__is_not_solved(void **unused) {
  (void)unused;
  vec3 slid;
  assert_int_equal(go_on(0.6, 0, &slid), 0);
  assert_true(slid.x == 0 && slid.y == 0 && slid.z == 0);
  assert_int_equal(go_on(0.2, 0, &slid), 0);
  assert_true(go_on(0.6, 1e-6, &slid) > 0); /* forces that do not balance */
  assert_true(go_on(0.2, 1e-6, &slid) > 0); /* nor are against the slip */
}

static void without_friction__a_mass_slides_freely(void **unused) {
  (void)unused;
  double h = 0.01, slope = 0.5;
  for (int k = 0; k < 2; k++) { /* mu of 0, and friction left out */
    rig *r = dust(1, (vec3){0, 0, -9.81}, h);
    rig_set *s = rig_contacts(r);
    vec3 n = {sin(slope), 0, cos(slope)}, down = {cos(slope), 0, -sin(slope)}, force = {0, 0, 0};
    friction_cone cone = cone_about(n, 0.3, k ? 0.7 : 0);
    rig_plane(s, 0, n, vec3_dot(n, r->m.rest[0]));
    solve(r, s, &cone, k == 0, &force);
    vec3 end = vec3_madd(r->m.rest[0], 9.81 * h * h * sin(slope), down);
    claim_below(vec3_norm(vec3_sub(r->x[0], end)), 1e-8 * h);
    claim_near(hypot(force.y, force.z), 0, 0);
    free(s);
    rig_free(r);
  }
}

/* A guess of any size leads to the same force. */
static void guessed_forces__do_not_matter(void **unused) {
  (void)unused;
  uint64_t seed = 3;
  for (int k = 0; k < 10; k++) {
    rig *r = dust(1, (vec3){2, 0, -9.81}, 0.01);
    rig_set *s = rig_contacts(r);
    vec3 n = {0, 0, 1}, force = random_vector(&seed, 3 * 9.81 * r->m.mass[0]);
    force.x = fabs(force.x);
    friction_cone cone = cone_about(n, 1, k % 2 ? 0.1 : 0.5);
    rig_plane(s, 0, n, 0);
    solve(r, s, &cone, true, &force);
    double weight = 9.81 * r->m.mass[0], drag = fmin(2 * r->m.mass[0], cone_mu(&cone) * weight);
    double left = TO.gap * r->m.mass[0] / (r->o.h * r->o.h); /* what could move it by the gap */
    claim_near(force.x, weight, left);
    claim_near(hypot(force.y, force.z), drag, left);
    free(s);
    rig_free(r);
  }
}

/* Many copies of one contact share the load, whichever way. */
static void copies_of_a_contact__share_its_load(void **unused) {
  (void)unused;
  enum { COPIES = 30 };
  rig *r = dust(1, (vec3){1, 0, -9.81}, 0.01);
  rig_set *s = rig_contacts(r);
  vec3 n = {0, 0, 1}, force[COPIES] = {{0}}, sum = {0, 0, 0};
  friction_cone cones[COPIES];
  for (int i = 0; i < COPIES; i++) {
    cones[i] = cone_about(n, 0.1 * i, 0.5);
    rig_plane(s, 0, n, 0);
  }
  solve(r, s, cones, true, force);
  for (int i = 0; i < COPIES; i++) {
    vec3 drag = vec3_add(vec3_scale(force[i].y, cones[i].t), vec3_scale(force[i].z, cones[i].b));
    sum = vec3_madd(vec3_add(sum, drag), force[i].x, n);
  }
  vec3 expected = vec3_scale(r->m.mass[0], (vec3){-1, 0, 9.81});
  claim_below(vec3_norm(vec3_sub(sum, expected)), 1e-7 * vec3_norm(expected));
  claim_below(vec3_norm(vec3_sub(r->x[0], r->m.rest[0])), 1e-8);
  free(s);
  rig_free(r);
}

/* More planes through one node than it has freedoms: it stays where they meet. */
static void corner_of_many_planes__holds(void **unused) {
  (void)unused;
  enum { PLANES = 12 };
  for (int rough = 0; rough < 2; rough++) {
    rig *r = dust(1, (vec3){0.5, 0.2, -9.81}, 0.01);
    rig_set *s = rig_contacts(r);
    vec3 force[PLANES] = {{0}};
    friction_cone cones[PLANES];
    for (int i = 0; i < PLANES; i++) {
      double turn = 2 * M_PI * i / PLANES;
      vec3 n = vec3_normalized((vec3){cos(turn), sin(turn), 1});
      cones[i] = cone_about(n, 0.1 * i, 0.4);
      rig_plane(s, 0, n, vec3_dot(n, r->m.rest[0]));
    }
    solve(r, s, cones, rough, force);
    claim_below(vec3_norm(vec3_sub(r->x[0], r->m.rest[0])), 1e-7);
    free(s);
    rig_free(r);
  }
}

/* A belt under a mass: takes it along, or slips under it. */
static void moving_surface__drags(void **unused) {
  (void)unused;
  double h = 0.01;
  for (int slips = 0; slips < 2; slips++) {
    rig *r = dust(1, (vec3){0, 0, -9.81}, h);
    rig_set *s = rig_contacts(r);
    vec3 n = {0, 0, 1}, force = {0, 0, 0}, surface_velocity = {0, slips ? 1 : 0.01, 0};
    friction_cone cone = cone_about(n, 0.3, 0.5);
    rig_plane(s, 0, n, 0);
    s->contacts[0].surface_velocity = surface_velocity;
    solve(r, s, &cone, true, &force);
    double moved = r->x[0].y - r->m.rest[0].y;
    claim_near(moved, slips ? 0.5 * 9.81 * h * h : h * surface_velocity.y, 1e-8 * h);
    free(s);
    rig_free(r);
  }
}

/* Two masses, one on the other: the lower bears both, and what holds the upper pulls the lower. */
static void mass_on_a_mass__weighs_on_it(void **unused) {
  (void)unused;
  rig *r = dust(2, (vec3){0.8, 0, -9.81}, 0.01);
  rig_set *s = rig_contacts(r);
  vec3 n = {0, 0, 1}, force[2] = {{0}};
  friction_cone cones[2] = {cone_about(n, 0, 0.5), cone_about(n, 1, 0.5)};
  rig_plane(s, 0, n, 0);
  rig_contact(s, 0, n); /* node 8 on node 0: not neighbours, the pattern is widened */
  rig_entry(s, 0, vec3_scale(-1, n));
  rig_entry(s, 8, n);
  s->carry[1] = mat3_scale(-1, &s->carry[1]);
  solve(r, s, cones, true, force);
  double lower = r->m.mass[0], upper = r->m.mass[8];
  claim_near(force[1].x, 9.81 * upper, 1e-7 * upper);
  claim_near(force[0].x, 9.81 * (lower + upper), 1e-7 * lower);
  claim_near(hypot(force[1].y, force[1].z), 0.8 * upper, 1e-7);
  claim_near(hypot(force[0].y, force[0].z), 0.8 * (lower + upper), 1e-7);
  free(s);
  rig_free(r);
}

/* Cloth on the floor, wind along it: sticks as a whole or creeps, and bears its weight. */
static void cloth_on_the_floor__is_borne(void **unused) {
  (void)unused;
  double mus[] = {0, 0.05, 0.3};
  for (int k = 0; k < 3; k++) {
    rig *r = patch(4, (vec3){1.5, 0.4, -9.81}, 0.02);
    rig_set *s = rig_contacts(r);
    friction_cone cones[25];
    vec3 force[25] = {{0}};
    double borne = 0, weight = 0;
    for (int32_t i = 0; i < 25; i++) {
      rig_plane(s, i, (vec3){0, 0, 1}, 0);
      cones[i] = cone_about((vec3){0, 0, 1}, 0.2 * i, mus[k]);
      weight += 9.81 * r->m.mass[i];
    }
    constrained_report report = solve(r, s, cones, true, force);
    for (int i = 0; i < 25; i++) borne += force[i].x;
    print_message("    mu %.2f: %d iterations, %d revisions\n", mus[k], report.iterations,
                  report.revisions);
    claim_near(borne, weight, 1e-6 * weight);
    free(s);
    rig_free(r);
  }
}

/* A pinned node is not pushed: contacts of it alone are passed over, others go on. */
static void pinned_nodes__stay_and_bind_nothing(void **unused) {
  (void)unused;
  mesh shape = shape_sheet(2, 2, 0.2, 0.2);
  int32_t corner[] = {0};
  tribo_pin_def pin = {.vertices = corner, .vertex_count = 1, .params = tribo_pin_defaults()};
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.pins = &pin;
  def.pin_count = 1;
  rig *r = rig_make(def, &shape, (vec3){0.3, 0, -9.81}, 0.02, 1);
  rig_set *s = rig_contacts(r);
  friction_cone cones[9];
  vec3 force[9] = {{0}}, n = {0, 0, 1};
  for (int32_t i = 0; i < 9; i++) {
    if (i == 4) { /* hangs on the pinned node as well */
      rig_contact(s, 0, n);
      rig_entry(s, 0, vec3_scale(0.5, n));
      rig_entry(s, 4, n);
    } else {
      rig_plane(s, i, n, 0);
    }
    cones[i] = cone_about(n, 0.2 * i, 0.4);
  }
  solve(r, s, cones, true, force);
  claim_below(vec3_norm(vec3_sub(r->x[0], r->m.rest[0])), 0);
  for (int32_t i = 1; i < 9; i++) assert_true(force[i].x > 0);
  free(s);
  rig_free(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gradient__is_that_of_the_energy),
      cmocka_unit_test(bonds__are_the_derivative_of_the_gradient),
      cmocka_unit_test(wide_pattern__is_the_union),
      cmocka_unit_test(contacts_of_single_nodes__keep_the_pattern),
      cmocka_unit_test(mass_on_a_slope__sticks_or_slips_exactly),
      cmocka_unit_test(what_rests_or_slides_steadily__is_not_solved),
      cmocka_unit_test(without_friction__a_mass_slides_freely),
      cmocka_unit_test(guessed_forces__do_not_matter),
      cmocka_unit_test(copies_of_a_contact__share_its_load),
      cmocka_unit_test(corner_of_many_planes__holds),
      cmocka_unit_test(moving_surface__drags),
      cmocka_unit_test(mass_on_a_mass__weighs_on_it),
      cmocka_unit_test(cloth_on_the_floor__is_borne),
      cmocka_unit_test(pinned_nodes__stay_and_bind_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
