/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contact sets: who meets whom and from how far, and the rows of a contact against differences and
 * against rigid motion, for every kind of body on every kind of surface.
 */
#include "core/contact/stage.h"

#include "model/kinematics.h"

/* ---- the scenes -------------------------------------------------------------------------------
 */

/* A piece of cloth that lies close over something else. */
static void add_cloth(stage *s, double size, double z) {
  mesh sheet = stage_sheet(5, size, z);
  shape_turn(&sheet, 2, 0.3); /* no probe over an edge by design */
  shape_move(&sheet, 0.013, 0.007, 0);
  tribo_object_def def = stage_def(TRIBO_CLOTH, TRIBO_CONTACT_AUTO);
  def.surface.role = TRIBO_ROLE_POINTS;
  stage_add(s, def, sheet);
}

static tribo_object_def touched(tribo_kind kind, int shape) {
  tribo_object_def def = stage_def(kind, shape);
  if (kind != TRIBO_COLLIDER) def.surface.role = TRIBO_ROLE_SURFACE;
  return def;
}

/* Cloth over a soft ball. */
static stage *on_a_solid(int shape, double spacing, double thickness) {
  stage *s = stage_make();
  add_cloth(s, 0.5, 1.02 + thickness);
  tribo_object_def def = touched(TRIBO_SOLID, shape);
  def.surface.spacing = spacing;
  def.surface.thickness = thickness;
  stage_add(s, def, stage_ball(6, 1, true));
  stage_build(s, MLS_RIGID, 1);
  return s;
}

/* The same, but for a fine skin in a coarse cage. */
static stage *on_a_cage(mesh *cage) {
  stage *s = stage_make();
  *cage = shape_block(3, 3, 3, 2.4, 2.4, 2.4);
  shape_move(cage, -1.2, -1.2, -1.2);
  tribo_object_def def = touched(TRIBO_SOLID, TRIBO_CONTACT_MLS);
  def.cage = cage->positions;
  def.cage_count = cage->vertex_count;
  def.tets = cage->tets;
  def.tet_count = cage->tet_count;
  stage_add(s, def, stage_ball(8, 1, false));
  add_cloth(s, 0.5, 1.02);
  stage_build(s, MLS_RIGID, 1);
  return s;
}

/* Cloth over a rigid body. */
static stage *on_a_rigid(int shape) {
  stage *s = stage_make();
  add_cloth(s, 0.5, 1.02);
  mesh skin = shape == TRIBO_CONTACT_BOX ? stage_box(2, 2, 2, 2) : stage_ball(8, 1, false);
  stage_add(s, touched(TRIBO_RIGID, shape), skin);
  stage_build(s, MLS_RIGID, 1);
  return s;
}

/* A small box, its corners feeling, on a large rigid body; either of them turned in the step. */
static stage *rigid_on_rigid(int shape) {
  stage *s = stage_make();
  mesh small = stage_box(1, 0.3, 0.2, 0.2);
  shape_move(&small, 0.02, 0.03, 1.12);
  tribo_object_def def = stage_def(TRIBO_RIGID, TRIBO_CONTACT_MESH);
  def.surface.role = TRIBO_ROLE_POINTS;
  stage_add(s, def, small);
  mesh skin = shape == TRIBO_CONTACT_BOX ? stage_box(2, 2, 2, 2) : stage_ball(8, 1, false);
  stage_add(s, touched(TRIBO_RIGID, shape), skin);
  stage_build(s, MLS_RIGID, 1);
  s->x[1] = vec3_scale(s->m.rigids[0].length, (vec3){0.05, -0.02, 0.3});
  s->x[3] = vec3_scale(s->m.rigids[1].length, (vec3){0.02, 0.03, -0.4});
  return s;
}

/* A ball that feels with its centre. */
static stage *ball_on_rigid(int shape) {
  stage *s = stage_make();
  mesh ball = stage_ball(6, 0.2, false);
  shape_move(&ball, 0.1, 0.05, 1.21);
  tribo_object_def def = stage_def(TRIBO_RIGID, TRIBO_CONTACT_SPHERE);
  def.surface.role = TRIBO_ROLE_POINTS;
  stage_add(s, def, ball);
  stage_add(s, touched(TRIBO_RIGID, shape),
            shape == TRIBO_CONTACT_BOX ? stage_box(2, 2, 2, 2) : stage_ball(8, 1, false));
  stage_build(s, MLS_RIGID, 1);
  return s;
}

/* A soft ball on a collider. */
static stage *solid_on_collider(int shape) {
  stage *s = stage_make();
  mesh soft = stage_ball(4, 0.4, true);
  shape_turn(&soft, 0, 0.4);
  shape_turn(&soft, 1, 0.3);
  shape_move(&soft, 0, 0, 1.4);
  stage_add(s, stage_def(TRIBO_SOLID, TRIBO_CONTACT_MLS), soft);
  stage_add(s, touched(TRIBO_COLLIDER, shape), stage_ball(8, 1, false));
  stage_build(s, MLS_RIGID, 1);
  return s;
}

/* ---- rows -------------------------------------------------------------------------------------
 */

/* Puts the probes that are found on the surface itself: there a smooth gap is a distance, and its
 * rows are exact. Only for probes that are nodes. */
static void settle(stage *s, double margin) {
  for (int round = 0; round < 30; round++) {
    stage_find(s, margin);
    for (size_t i = 0; i < s->set.count; i++) {
      const contact_point *c = &s->set.contacts[i];
      const model_body *body = &s->m.bodies[s->m.probes[c->probe].body];
      int32_t vertex = probes_vertex(&s->finder.probes[c->probe], (size_t)c->number);
      vec3 *x = &s->x[body->first_node + vertex];
      *x = vec3_madd(*x, -c->gap, c->normal);
    }
  }
  stage_find(s, margin);
}

static double along(const contact_set *set, size_t i, const vec3 *d) {
  double sum = 0;
  for (size_t e = set->start[i]; e < set->start[i + 1]; e++)
    sum += vec3_dot(set->by_node[e], d[set->node[e]]);
  return sum;
}

static vec3 slip(const contact_set *set, size_t i, const vec3 *v) {
  vec3 sum = vec3_scale(-1, set->contacts[i].surface_velocity);
  for (size_t e = set->start[i]; e < set->start[i + 1]; e++)
    sum = vec3_add(sum, mat3_mul_vec3(&set->carry[e], v[set->node[e]]));
  return sum;
}

/* Moves all nodes of both sides at random: every gap changes as its row says. */
static void claim_rows(stage *s, double margin, size_t least, double tolerance) {
  uint64_t seed = 5;
  double step = 1e-6, worst = 0;
  size_t nodes = (size_t)s->m.node_count;
  stage_find(s, margin);
  size_t count = s->set.count;
  assert_true(count >= least);
  vec3 *at = malloc(nodes * sizeof *at), *d = malloc(nodes * sizeof *d);
  double *expected = malloc(count * sizeof *expected), *up = malloc(count * sizeof *up);
  uint64_t *key = malloc(count * sizeof *key);
  memcpy(at, s->x, nodes * sizeof *at);
  for (int trial = 0; trial < 12; trial++) {
    for (size_t i = 0; i < nodes; i++) d[i] = stage_random(&seed, 1);
    stage_find(s, margin);
    for (size_t i = 0; i < count; i++) {
      key[i] = s->set.contacts[i].key;
      expected[i] = along(&s->set, i, d);
    }
    for (int side = 1; side >= -1; side -= 2) {
      for (size_t i = 0; i < nodes; i++) s->x[i] = vec3_madd(at[i], side * step, d[i]);
      stage_find(s, margin + 0.01);
      for (size_t i = 0; i < count; i++) {
        const contact_point *c = stage_contact(&s->set, key[i]);
        assert_non_null(c);
        if (side > 0)
          up[i] = c->gap;
        else
          worst = fmax(worst, fabs((up[i] - c->gap) / (2 * step) - expected[i]));
      }
    }
    memcpy(s->x, at, nodes * sizeof *at);
  }
  stage_find(s, margin);
  print_message("    %zu contacts, rows off by %.1e at most\n", count, worst);
  claim_below(worst, tolerance);
  free(at), free(d), free(expected), free(up), free(key);
}

/* From where the surface's velocity is taken to where the probe's is: nothing, since both are
 * taken where the probe takes hold; but the exact mesh of what deforms is held at the foot. */
static vec3 arm_between(const stage *s, const contact_point *c) {
  const probes *f = &s->finder.probes[c->probe];
  const surface *on = &s->finder.surfaces[c->surface];
  bool apart = on->deforms && on->form == SURFACE_MESH && f->body->kinematics->deforms;
  if (!apart) return vec3_make(0, 0, 0);
  return vec3_sub(probes_point(f, &s->m, &s->moment, (size_t)c->number), c->point);
}

/* A motion of the whole scene as one rigid body: no gap changes, and nothing slips but by the arm.
 * As forces, that is that linear and angular momentum are kept. */
static void claim_momentum(stage *s, double margin, double tolerance) {
  uint64_t seed = 8;
  size_t nodes = (size_t)s->m.node_count;
  vec3 *v = malloc(nodes * sizeof *v);
  stage_find(s, margin);
  assert_true(s->set.count > 0);
  for (int trial = 0; trial < 6; trial++) {
    vec3 shift = stage_random(&seed, 1), spin = stage_random(&seed, trial < 3 ? 0 : 1);
    for (size_t i = 0; i < nodes; i++) v[i] = vec3_add(shift, vec3_cross(spin, s->x[i]));
    for (size_t r = 0; r < s->m.rigid_count; r++) {
      const model_rigid *rigid = &s->m.rigids[r];
      vec3 theta = vec3_scale(1 / rigid->length, s->x[rigid->node + 1]);
      mat3 jacobian = quat_left_jacobian(theta), back = mat3_inverse(&jacobian);
      v[rigid->node + 1] = vec3_scale(rigid->length, mat3_mul_vec3(&back, spin));
    }
    for (size_t i = 0; i < s->set.count; i++) {
      vec3 expected = vec3_cross(spin, arm_between(s, &s->set.contacts[i]));
      claim_near(along(&s->set, i, v), 0, tolerance);
      claim_below(vec3_norm(vec3_sub(slip(&s->set, i, v), expected)), tolerance);
    }
  }
  free(v);
}

static void rows_on_a_smooth_solid__agree_with_differences(void **unused) {
  (void)unused;
  for (int fine = 0; fine < 2; fine++) {
    stage *s = on_a_solid(TRIBO_CONTACT_MLS, fine ? 0.15 : 0, 0);
    settle(s, 0.2);
    claim_rows(s, 0.2, 30, 1e-6);
    claim_momentum(s, 0.2, 1e-12);
    stage_free(s);
  }
}

static void rows_on_a_solids_mesh__agree_with_differences(void **unused) {
  (void)unused;
  stage *s = on_a_solid(TRIBO_CONTACT_MESH, 0, 0);
  claim_rows(s, 0.2, 30, 1e-6);
  claim_momentum(s, 0.2, 1e-12);
  stage_free(s);
}

static void rows_on_a_skin_in_a_cage__agree_with_differences(void **unused) {
  (void)unused;
  mesh cage;
  stage *s = on_a_cage(&cage);
  settle(s, 0.2);
  claim_rows(s, 0.2, 30, 1e-6);
  claim_momentum(s, 0.2, 1e-12);
  stage_free(s);
  mesh_free(&cage);
}

static void rows_on_a_rigid_body__agree_with_differences(void **unused) {
  (void)unused;
  int shapes[] = {TRIBO_CONTACT_MLS, TRIBO_CONTACT_MESH, TRIBO_CONTACT_SPHERE, TRIBO_CONTACT_BOX};
  for (int k = 0; k < 4; k++) {
    stage *s = on_a_rigid(shapes[k]);
    int32_t node = s->m.rigids[0].node;
    s->x[node + 1] = vec3_scale(s->m.rigids[0].length, (vec3){0.03, -0.02, 0.5});
    if (k == 0) settle(s, 0.2);
    claim_rows(s, 0.2, 30, 1e-6);
    claim_momentum(s, 0.2, 1e-12);
    stage_free(s);
  }
}

static void rows_of_a_rigid_body__agree_with_differences(void **unused) {
  (void)unused;
  int shapes[] = {TRIBO_CONTACT_MESH, TRIBO_CONTACT_SPHERE, TRIBO_CONTACT_BOX};
  for (int k = 0; k < 3; k++) {
    stage *s = rigid_on_rigid(shapes[k]);
    /* all of the box is in reach: a point that comes into reach may spare its neighbours */
    claim_rows(s, 0.5, 4, 1e-6);
    claim_momentum(s, 0.5, 1e-12);
    stage_free(s);
    s = ball_on_rigid(shapes[k]);
    claim_rows(s, 0.1, 1, 1e-6);
    claim_momentum(s, 0.1, 1e-12);
    assert_int_equal(s->set.count, 1);
    stage_free(s);
  }
}

static void rows_on_a_collider__agree_with_differences(void **unused) {
  (void)unused;
  int shapes[] = {TRIBO_CONTACT_MLS, TRIBO_CONTACT_MESH, TRIBO_CONTACT_SPHERE};
  for (int k = 0; k < 3; k++) {
    stage *s = solid_on_collider(shapes[k]);
    if (k == 0) settle(s, 0.06);
    claim_rows(s, 0.06, 3, 1e-6);
    for (size_t i = 0; i < s->set.count; i++) { /* a collider has no nodes */
      assert_int_equal(s->set.start[i + 1] - s->set.start[i], 1);
      claim_below(vec3_norm(s->set.contacts[i].surface_velocity), 0);
    }
    stage_free(s);
  }
}

/* Away from a smooth surface too, and with thickness, forces are a pair: what pushes one side
 * pushes the other back. */
static void momentum__is_kept_off_the_surface(void **unused) {
  (void)unused;
  double thickness[] = {0, 0.06};
  for (int k = 0; k < 2; k++) {
    stage *s = on_a_solid(TRIBO_CONTACT_MLS, 0, thickness[k]);
    claim_momentum(s, 0.2, 1e-12);
    stage_free(s);
  }
}

/* Points that went right through a smooth surface that deforms: the plane they went through is
 * that of a triangle, and its corners bear what the point is pushed with. */
static void momentum__is_kept_by_what_went_through(void **unused) {
  (void)unused;
  stage *s = on_a_solid(TRIBO_CONTACT_MLS, 0, 0.02);
  stage_moves(s);
  for (int32_t i = 0; i < s->m.bodies[0].node_count; i++) s->x[i].z -= 0.9;
  stage_find(s, 0.01);
  assert_int_equal(s->set.count, 36);
  for (size_t i = 0; i < s->set.count; i++) {
    assert_true(s->set.contacts[i].gap < -0.5);
    vec3 sum = {0, 0, 0}, slips = {0, 0, 0}, shift = {0.3, -0.5, 0.7};
    for (size_t e = s->set.start[i]; e < s->set.start[i + 1]; e++) {
      sum = vec3_add(sum, s->set.by_node[e]);
      slips = vec3_add(slips, mat3_mul_vec3(&s->set.carry[e], shift));
    }
    claim_below(vec3_norm(sum), 1e-14);
    claim_below(vec3_norm(slips), 1e-14);
  }
  stage_free(s);
}

/* ---- the set ----------------------------------------------------------------------------------
 */

static void nodes_and_keys__ascend(void **unused) {
  (void)unused;
  stage *s = on_a_solid(TRIBO_CONTACT_MLS, 0, 0);
  stage_find(s, 0.2);
  assert_true(s->set.at == s->x);
  for (size_t i = 0; i < s->set.count; i++) {
    if (i > 0) assert_true(s->set.contacts[i - 1].key < s->set.contacts[i].key);
    claim_near(vec3_norm(s->set.contacts[i].normal), 1, 1e-14);
    for (size_t e = s->set.start[i] + 1; e < s->set.start[i + 1]; e++)
      assert_true(s->set.node[e - 1] < s->set.node[e]);
  }
  stage_free(s);
}

/* What a contact is called does not hang on what else is touched, nor the set before last on the
 * one after it. */
static void keys__outlast_a_set(void **unused) {
  (void)unused;
  stage *s = on_a_solid(TRIBO_CONTACT_MLS, 0, 0);
  stage_find(s, 0.2);
  contact_set many = s->set;
  uint64_t first = many.contacts[0].key;
  stage_find(s, 0.03);
  assert_true(s->set.count > 0 && s->set.count < many.count);
  assert_true(many.contacts[0].key == first); /* still valid */
  for (size_t i = 0; i < s->set.count; i++) {
    const contact_point *c = &s->set.contacts[i], *same = stage_contact(&many, c->key);
    assert_non_null(same);
    assert_int_equal(same->number, c->number);
    assert_true(same->gap == c->gap);
  }
  stage_free(s);
}

static void threads__do_not_change_a_bit(void **unused) {
  (void)unused;
  contact_set sets[2];
  stage *both[2];
  for (int k = 0; k < 2; k++) {
    stage *s = both[k] = stage_make();
    stage_add(s, stage_def(TRIBO_CLOTH, TRIBO_CONTACT_AUTO), stage_sheet(20, 0.8, 0.98));
    stage_add(s, touched(TRIBO_SOLID, TRIBO_CONTACT_MLS), stage_ball(6, 1, true));
    stage_add(s, touched(TRIBO_COLLIDER, TRIBO_CONTACT_MESH), stage_sheet(3, 2, 0.9));
    stage_build(s, MLS_RIGID, k + 1);
    stage_find(s, 0.1);
    sets[k] = s->set;
  }
  size_t count = sets[0].count;
  assert_true(count > 500);
  assert_int_equal(sets[1].count, count);
  assert_memory_equal(sets[0].start, sets[1].start, (count + 1) * sizeof *sets[0].start);
  size_t entries = sets[0].start[count];
  assert_memory_equal(sets[0].node, sets[1].node, entries * sizeof *sets[0].node);
  assert_memory_equal(sets[0].by_node, sets[1].by_node, entries * sizeof *sets[0].by_node);
  assert_memory_equal(sets[0].carry, sets[1].carry, entries * sizeof *sets[0].carry);
  for (size_t i = 0; i < count; i++) {
    const contact_point *a = &sets[0].contacts[i], *b = &sets[1].contacts[i];
    assert_true(a->key == b->key && a->gap == b->gap);
    assert_memory_equal(&a->normal, &b->normal, sizeof a->normal);
    assert_memory_equal(&a->point, &b->point, sizeof a->point);
  }
  for (int k = 0; k < 2; k++) stage_free(both[k]);
}

/* ---- who meets whom ---------------------------------------------------------------------------
 */

/* Two soft blocks, the first finer; whether the first feels the second, and the other way. */
static void claim_meeting(int role_a, int role_b, bool ab, bool ba) {
  stage *s = stage_make();
  tribo_object_def a = stage_def(TRIBO_SOLID, TRIBO_CONTACT_MLS), b = a;
  a.surface.role = role_a;
  b.surface.role = role_b;
  stage_add(s, a, shape_block(3, 3, 3, 1, 1, 1));
  stage_add(s, b, shape_block(2, 2, 2, 1, 1, 1));
  stage_build(s, MLS_RIGID, 1);
  bool found[2] = {false, false};
  for (size_t i = 0; i < s->m.probe_count; i++)
    for (size_t j = 0; j < s->m.surface_count; j++) {
      if (!broad_phase_allowed(&s->finder.broad_phase, i, j)) continue;
      size_t probe = s->m.probes[i].object, on = s->m.surfaces[j].object;
      assert_true(probe != on);
      assert_false(found[probe]);
      found[probe] = true;
    }
  assert_int_equal(found[0], ab);
  assert_int_equal(found[1], ba);
  stage_free(s);
}

static void roles__say_who_feels_whom(void **unused) {
  (void)unused;
  enum { AUTO = TRIBO_ROLE_AUTO, POINTS = TRIBO_ROLE_POINTS };
  enum { SURFACE = TRIBO_ROLE_SURFACE, BOTH = TRIBO_ROLE_BOTH };
  claim_meeting(AUTO, AUTO, true, false); /* the finer feels */
  claim_meeting(AUTO, POINTS, false, true);
  claim_meeting(POINTS, AUTO, true, false);
  claim_meeting(SURFACE, AUTO, false, true);
  claim_meeting(AUTO, SURFACE, true, false);
  claim_meeting(BOTH, AUTO, true, true);
  claim_meeting(SURFACE, POINTS, false, true);
  claim_meeting(SURFACE, SURFACE, true, true); /* better one way too many than none */
  claim_meeting(POINTS, POINTS, false, false); /* neither has a surface */
}

static void only_what_is_touched__is_built(void **unused) {
  (void)unused;
  stage *s = stage_make();
  stage_add(s, stage_def(TRIBO_COLLIDER, TRIBO_CONTACT_PLANE), stage_sheet(1, 9, -3));
  stage_add(s, stage_def(TRIBO_SOLID, TRIBO_CONTACT_MLS), shape_block(3, 3, 3, 1, 1, 1));
  stage_add(s, stage_def(TRIBO_RIGID, TRIBO_CONTACT_BOX), stage_box(1, 1, 1, 1));
  stage_add(s, stage_def(TRIBO_CLOTH, TRIBO_CONTACT_NONE), stage_sheet(2, 1, 0));
  stage_build(s, MLS_RIGID, 1);
  /* solid on floor, solid on box (which has a formula), box on floor; cloth is out of it */
  assert_int_equal(s->finder.broad_phase.count, 3);
  size_t expected[3][2] = {{1, 0}, {1, 2}, {2, 0}}, known = 0;
  for (size_t i = 0; i < s->m.probe_count; i++)
    for (size_t j = 0; j < s->m.surface_count; j++) {
      if (!broad_phase_allowed(&s->finder.broad_phase, i, j)) continue;
      assert_int_equal(s->m.probes[i].object, expected[known][0]);
      assert_int_equal(s->m.surfaces[j].object, expected[known++][1]);
    }
  for (size_t j = 0; j < s->m.surface_count; j++)
    assert_int_equal(s->finder.surfaces[j].def != NULL, s->m.surfaces[j].object != 1);
  stage_free(s);
}

/* ---- how far ----------------------------------------------------------------------------------
 */

static stage *over_a_floor(double height, double thin, double thick) {
  stage *s = stage_make();
  tribo_object_def cloth = stage_def(TRIBO_CLOTH, TRIBO_CONTACT_AUTO);
  tribo_object_def ground = stage_def(TRIBO_COLLIDER, TRIBO_CONTACT_PLANE);
  cloth.surface.thickness = thin;
  ground.surface.thickness = thick;
  stage_add(s, cloth, stage_sheet(2, 1, height));
  stage_add(s, ground, stage_sheet(1, 4, 0));
  stage_build(s, MLS_RIGID, 1);
  return s;
}

static void thickness_of_both__is_taken_off_the_gap(void **unused) {
  (void)unused;
  stage *s = over_a_floor(0.5, 0.03, 0.1);
  stage_find(s, 1);
  assert_int_equal(s->set.count, 9);
  for (size_t i = 0; i < 9; i++) claim_near(s->set.contacts[i].gap, 0.37, 1e-15);
  stage_free(s);
}

static void reach__grows_with_speed(void **unused) {
  (void)unused;
  stage *s = over_a_floor(0.5, 0, 0);
  stage_find(s, 0.499);
  assert_int_equal(s->set.count, 0);
  stage_find(s, 0.501);
  assert_int_equal(s->set.count, 9);
  s->velocities[4] = (vec3){30, 0, -20}; /* 2 h v: 0.72 m */
  stage_find(s, 0);
  assert_int_equal(s->set.count, 1);
  assert_int_equal(s->set.contacts[0].number, 4);
  stage_free(s);
}

static void ball__touches_as_a_ball(void **unused) {
  (void)unused;
  stage *s = stage_make();
  mesh ball = stage_ball(6, 0.2, false);
  shape_move(&ball, 0.5, 0, 0.25);
  stage_add(s, stage_def(TRIBO_RIGID, TRIBO_CONTACT_SPHERE), ball);
  stage_add(s, stage_def(TRIBO_COLLIDER, TRIBO_CONTACT_PLANE), stage_sheet(1, 4, 0));
  stage_build(s, MLS_RIGID, 1);
  stage_find(s, 1);
  assert_int_equal(s->set.count, 1);
  const contact_point *c = &s->set.contacts[0];
  claim_near(c->gap, 0.05, 1e-12);
  claim_near(c->normal.z, 1, 1e-15);
  claim_below(vec3_norm(vec3_sub(c->point, (vec3){0.5, 0, 0})), 1e-12);
  /* where it touches, a ball that rolls does not slip */
  vec3 spin = {0.4, 2, 0}, v[2];
  v[0] = vec3_scale(0.25, vec3_cross(spin, (vec3){0, 0, 1}));
  v[1] = vec3_scale(s->m.rigids[0].length, spin);
  claim_below(vec3_norm(slip(&s->set, 0, v)), 1e-12);
  stage_free(s);
}

static void depth__is_that_of_the_deepest(void **unused) {
  (void)unused;
  stage *s = over_a_floor(0.5, 0.01, 0.02);
  stage_find(s, 1);
  contact_set set = s->set;
  arena scratch = {0};
  double worst;
  claim_ok(contact_depth(&s->finder, &s->moment, &set, &scratch, &worst, err));
  claim_near(worst, 0, 0);
  s->x[3].z = 0.005, s->x[5].z = -0.07, s->x[8].z = 0.031;
  stage_carry(s);
  claim_ok(contact_depth(&s->finder, &s->moment, &set, &scratch, &worst, err));
  claim_near(worst, 0.1, 1e-15);
  arena_free(&scratch);
  stage_free(s);
}

/* A point that jumped through a thin floor in the step is found, on the side it came from. */
static void fast_points__are_found_behind_what_they_crossed(void **unused) {
  (void)unused;
  stage *s = stage_make();
  stage_add(s, stage_def(TRIBO_CLOTH, TRIBO_CONTACT_AUTO), stage_sheet(2, 1, 0.5));
  stage_add(s, stage_def(TRIBO_COLLIDER, TRIBO_CONTACT_MESH), stage_sheet(3, 4, 0));
  stage_build(s, MLS_RIGID, 1);
  stage_moves(s);
  for (int i = 0; i < 9; i++) s->x[i].z = i == 4 ? -0.8 : 0.4;
  stage_find(s, 0.01);
  assert_int_equal(s->set.count, 1);
  assert_int_equal(s->set.contacts[0].number, 4);
  claim_near(s->set.contacts[0].gap, -0.8, 1e-12);
  claim_near(s->set.contacts[0].normal.z, 1, 1e-12);
  stage_free(s);
}

/* A box of eight vertices flush on another: its edges have points, but corners alone touch. */
static void points_between_two_that_touch__are_spared(void **unused) {
  (void)unused;
  for (int shifted = 0; shifted < 2; shifted++) {
    stage *s = stage_make();
    for (int k = 0; k < 2; k++) {
      mesh box = stage_box(1, 1, 1, 1);
      shape_move(&box, shifted && k ? 0.3 : 0, shifted && k ? 0.3 : 0, k);
      stage_add(s, stage_def(TRIBO_RIGID, TRIBO_CONTACT_BOX), box);
    }
    stage_build(s, MLS_RIGID, 1);
    stage_find(s, 0.01);
    /* flush: four corners of each. Aside: a corner of each, and where its two edges leave the other
     * the last point over its face */
    assert_int_equal(s->set.count, shifted ? 6 : 8);
    for (size_t i = 0; i < s->set.count; i++) {
      claim_near(fabs(s->set.contacts[i].normal.z), 1, 1e-12);
      claim_near(s->set.contacts[i].gap, 0, 1e-12);
    }
    stage_free(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_on_a_smooth_solid__agree_with_differences),
      cmocka_unit_test(rows_on_a_solids_mesh__agree_with_differences),
      cmocka_unit_test(rows_on_a_skin_in_a_cage__agree_with_differences),
      cmocka_unit_test(rows_on_a_rigid_body__agree_with_differences),
      cmocka_unit_test(rows_of_a_rigid_body__agree_with_differences),
      cmocka_unit_test(points_between_two_that_touch__are_spared),
      cmocka_unit_test(rows_on_a_collider__agree_with_differences),
      cmocka_unit_test(momentum__is_kept_off_the_surface),
      cmocka_unit_test(momentum__is_kept_by_what_went_through),
      cmocka_unit_test(nodes_and_keys__ascend),
      cmocka_unit_test(keys__outlast_a_set),
      cmocka_unit_test(threads__do_not_change_a_bit),
      cmocka_unit_test(roles__say_who_feels_whom),
      cmocka_unit_test(only_what_is_touched__is_built),
      cmocka_unit_test(thickness_of_both__is_taken_off_the_gap),
      cmocka_unit_test(reach__grows_with_speed),
      cmocka_unit_test(ball__touches_as_a_ball),
      cmocka_unit_test(depth__is_that_of_the_deepest),
      cmocka_unit_test(fast_points__are_found_behind_what_they_crossed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
