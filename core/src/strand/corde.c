/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * corde: a strand of nodes with a frame on each element, explicit (Spillmann and Teschner 2007,
 * CORDE; 004 section 5, for its Table I).
 *
 *   stretch     k_s / 2 (|e| - l)^2                         an edge e of rest length l (m)
 *   bend, twist 1 / (2 l) phi.diag(C, B, B) phi             phi (rad): the turn from a frame to the
 * next constraint  k_p l (1 - t.d)                             t: the edge's direction, d: the
 * frame's
 *
 * Contacts act on the nodes; frames follow by the constraint, as in the paper, where the freedoms
 * of a node count three. phi is the rotation vector where CORDE differences quaternions: the same
 * to second order.
 *
 * Explicit: what is stiffest decides the step. A frame turns with the inertia m l^2 / 12 (kg m^2)
 * of an element of mass m about any axis: its own about its length is (r / l)^2 as much and would
 * ask for far shorter steps, and rest is not changed by it. Stretch and constraint are there to be
 * held, not for their modulus: k_s is the least of E S / l and m / (4 h^2) (N/m), and k_p is m l /
 * (24 h^2) (N), what a step of h bears. Bend and twist are what the material says, and a step
 * longer than `longest` is refused.
 */
#include <string.h>

#include "math/quat.h"
#include "strand/strand.h"

typedef struct corde_state {
  quat *frame; /* by element: turns x onto the tangent */
  vec3 *spin;  /* rad/s, world */
  vec3 *torque;
  double *force;
} corde_state;

/* Of a spring, its damper works against this part of a step's rate. */
static const double DAMPED = 0.25;

static vec3 node(const double *q, int32_t i) { return vec3_from(q + 3 * (size_t)i); }

static double element_mass(const strand *s) {
  return s->material.density * strand_area(&s->material) * s->length;
}

static double node_mass(const strand *s, int32_t i) {
  return element_mass(s) * (i == 0 || i == s->elements ? 0.5 : 1);
}

static double frame_inertia(const strand *s) {
  return element_mass(s) * s->length * s->length / 12;
}

static quat onto(vec3 from, vec3 to) {
  vec3 across = vec3_cross(from, to);
  double sine = vec3_norm(across), angle = atan2(sine, vec3_dot(from, to));
  return sine > 0 ? quat_exp(vec3_scale(angle / sine, across)) : quat_identity();
}

static tribo_status create(const strand_def *def, arena *memory, strand *out, tribo_error *err) {
  corde_state *own = ARENA_ARRAY(memory, corde_state, 1);
  int32_t n = 3 * (def->elements + 1);
  if (!own) return status_no_memory(err, "a strand");
  if (def->rest)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "a strand of CORDE is straight at rest; for a natural curvature "
                       "take a Super-helix");
  *own = (corde_state){.frame = ARENA_ARRAY(memory, quat, def->elements),
                       .spin = ARENA_ARRAY(memory, vec3, def->elements),
                       .torque = ARENA_ARRAY(memory, vec3, def->elements),
                       .force = ARENA_ARRAY(memory, double, n)};
  out->own = own, out->freedoms = n, out->factor.half = 0;
  out->q = ARENA_ARRAY(memory, double, n), out->v = ARENA_ARRAY(memory, double, n);
  out->led = def->free_root ? NULL : ARENA_ARRAY(memory, bool, n);
  if (!own->frame || !own->spin || !own->torque || !own->force || !out->q || !out->v ||
      (!def->free_root && !out->led))
    return status_no_memory(err, "a strand");
  for (int k = 0; k < 6 && !def->free_root; k++) out->led[k] = true;
  vec3 along = mat3_column(&def->frame, 0);
  for (int32_t i = 0; i <= def->elements; i++) {
    vec3 p = def->points ? def->points[i] : vec3_madd(def->root, i * def->length, along);
    out->q[3 * i] = p.x, out->q[3 * i + 1] = p.y, out->q[3 * i + 2] = p.z;
  }
  /* Frames without twist: each is the last one, turned the shortest way. */
  vec3 last = {1, 0, 0};
  quat frame = quat_identity();
  for (int32_t e = 0; e < def->elements; e++) {
    vec3 t = vec3_normalized(vec3_sub(node(out->q, e + 1), node(out->q, e)));
    frame = quat_normalized(quat_multiply(onto(last, t), frame));
    own->frame[e] = frame, last = t;
  }
  return TRIBO_OK;
}

/* Of bend and twist: 2 over the highest frequency of frames joined by springs, and half of that. */
static double longest(const strand *s) {
  double stiff = fmax(strand_bending(&s->material), strand_twisting(&s->material)) / s->length;
  return 0.5 * sqrt(frame_inertia(s) / stiff);
}

static void push(double *f, int32_t i, vec3 p) {
  f[3 * i] += p.x, f[3 * i + 1] += p.y, f[3 * i + 2] += p.z;
}

static void add_edges(strand *s, double h) {
  corde_state *own = s->own;
  double m = element_mass(s);
  double stretching = fmin(strand_stretching(&s->material) / s->length, m / (4 * h * h));
  double constraint = m * s->length / (24 * h * h);
  for (int32_t e = 0; e < s->elements; e++) {
    vec3 edge = vec3_sub(node(s->q, e + 1), node(s->q, e));
    vec3 apart = vec3_sub(node(s->v, e + 1), node(s->v, e));
    double l = fmax(vec3_norm(edge), 1e-12);
    vec3 t = vec3_scale(1 / l, edge), d = quat_rotate(own->frame[e], vec3_make(1, 0, 0));
    double pull = stretching * (l - s->length + DAMPED * h * vec3_dot(apart, t));
    vec3 force = vec3_scale(pull, t);
    /* -d/de of k_p l (1 - t.d), and the torque on the frame. The damper works on what turns d
     * against the edge. */
    vec3 turn = vec3_sub(vec3_cross(t, apart), vec3_scale(l, own->spin[e]));
    turn = vec3_madd(turn, -vec3_dot(turn, t), t);
    vec3 torque = vec3_cross(d, t);
    torque = vec3_madd(torque, DAMPED * h / l, turn);
    torque = vec3_scale(constraint * s->length, torque);
    force = vec3_add(force, vec3_scale(1 / l, vec3_cross(torque, t)));
    push(own->force, e, force), push(own->force, e + 1, vec3_scale(-1, force));
    own->torque[e] = vec3_add(own->torque[e], torque);
  }
}

static void add_joints(strand *s, double h) {
  corde_state *own = s->own;
  double b = strand_bending(&s->material) / s->length,
         c = strand_twisting(&s->material) / s->length;
  for (int32_t e = 0; e + 1 < s->elements; e++) {
    quat between = quat_multiply(quat_conjugate(own->frame[e]), own->frame[e + 1]);
    vec3 phi = quat_log(between);
    vec3 rate = quat_unrotate(own->frame[e], vec3_sub(own->spin[e + 1], own->spin[e]));
    vec3 turn = vec3_madd(phi, DAMPED * h, rate);
    vec3 moment = {c * turn.x, b * turn.y, b * turn.z};
    mat3 by = quat_left_jacobian(phi), inverse = mat3_inverse(&by);
    moment = quat_rotate(own->frame[e], mat3_tmul_vec3(&inverse, moment));
    own->torque[e] = vec3_add(own->torque[e], moment);
    own->torque[e + 1] = vec3_sub(own->torque[e + 1], moment);
  }
}

static void add_holds(strand *s, double h) {
  corde_state *own = s->own;
  for (size_t k = 0; k < s->hold_count; k++) {
    const strand_hold *hold = &s->holds[k];
    int32_t e = hold->place.element;
    double t = hold->place.s / s->length;
    vec3 at = vec3_madd(vec3_scale(1 - t, node(s->q, e)), t, node(s->q, e + 1));
    double stiff = fmin(hold->stiffness, element_mass(s) / (4 * h * h));
    vec3 force = vec3_scale(stiff, vec3_sub(hold->target, at));
    push(own->force, e, vec3_scale(1 - t, force)), push(own->force, e + 1, vec3_scale(t, force));
  }
}

static void prepare(strand *s, const strand_step *step) {
  corde_state *own = s->own;
  memset(own->force, 0, (size_t)s->freedoms * sizeof *own->force);
  memset(own->torque, 0, (size_t)s->elements * sizeof *own->torque);
  add_edges(s, step->h);
  add_joints(s, step->h);
  add_holds(s, step->h);
}

static void linearise(strand *s, const strand_step *step, const double *at, double *rhs) {
  (void)at; /* forces are those of the beginning of the step */
  const corde_state *own = s->own;
  for (int32_t i = 0; i <= s->elements; i++) {
    double m = node_mass(s, i);
    const double g[3] = {step->gravity.x, step->gravity.y, step->gravity.z};
    for (int c = 0; c < 3; c++) {
      *band_at(&s->factor, 3 * i + c, 3 * i + c) = m * (1 + step->h * s->material.damping);
      rhs[3 * i + c] = m * (s->v[3 * i + c] + step->h * g[c]) + step->h * own->force[3 * i + c];
    }
  }
}

static void jacobian(const strand *s, const strand_place *at, strand_jacobian *out) {
  strand_mass_spring.jacobian(s, at, out);
}

static vec3 point(const strand *s, const strand_place *at, vec3 *tangent) {
  return strand_mass_spring.point(s, at, tangent);
}

static void commit(strand *s, const strand_step *step, const double *v) {
  corde_state *own = s->own;
  double inertia = frame_inertia(s), slow = 1 / (1 + step->h * s->material.damping);
  for (int32_t e = 0; e < s->elements; e++) {
    vec3 spin = vec3_madd(own->spin[e], step->h / inertia, own->torque[e]);
    bool led = s->led && e == 0;
    own->spin[e] = led ? s->root_spin : vec3_scale(slow, spin);
    quat turn = quat_exp(vec3_scale(step->h, own->spin[e]));
    own->frame[e] = quat_normalized(quat_multiply(turn, own->frame[e]));
  }
  strand_mass_spring.commit(s, step, v);
}

static double kinetic(const strand *s, const strand_step *step) {
  const corde_state *own = s->own;
  double sum = strand_mass_spring.kinetic(s, step);
  for (int32_t e = 0; e < s->elements; e++) sum += frame_inertia(s) * vec3_norm2(own->spin[e]) / 2;
  return sum;
}

/* Of bend and twist; stretch and constraint are not of the material (above). */
static double elastic(const strand *s) {
  const corde_state *own = s->own;
  double b = strand_bending(&s->material) / s->length, sum = 0;
  double c = strand_twisting(&s->material) / s->length;
  for (int32_t e = 0; e + 1 < s->elements; e++) {
    vec3 phi = quat_log(quat_multiply(quat_conjugate(own->frame[e]), own->frame[e + 1]));
    sum += (c * phi.x * phi.x + b * (phi.y * phi.y + phi.z * phi.z)) / 2;
  }
  return sum;
}

static double height(const strand *s, vec3 gravity) {
  return strand_mass_spring.height(s, gravity);
}

const strand_model strand_corde = {
    .name = "corde",
    .about = "nodes and frames, explicit: short steps",
    .linear = true,
    .longest = longest,
    .create = create,
    .prepare = prepare,
    .linearise = linearise,
    .jacobian = jacobian,
    .point = point,
    .commit = commit,
    .kinetic = kinetic,
    .elastic = elastic,
    .height = height,
};
