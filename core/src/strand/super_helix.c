/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * super_helix: a strand whose curvatures and twist are constant on each element (Bertails et al.
 * 2006, 004 section 5). Freedoms are (kappa_1, kappa_2, tau), 1/m, an element, after six of the
 * root where that is free: its velocity (m/s) and spin (rad/s). The strand neither stretches nor
 * shears.
 *
 *   energy  l / 2 (B (kappa - kappa0)^2 + C (tau - tau0)^2)   K is constant and diagonal
 *   M_ab    the integral of rho S J_a.J_b + rho J_p (w_a.t) (w_b.t) over the length
 *
 * with the spin of a section about its tangent t (J_p = pi r^4 / 2), without which a straight
 * strand had no inertia against twist. What lies beyond an element moves rigidly with that
 * element's freedom: as a twist (velocity at the root's place, angular velocity). So M is found
 * from tip to root: the momentum of a freedom within its element, and what the mass beyond adds
 * (composite rigid bodies, Featherstone 2008), and M_ab is that momentum felt by the twist of every
 * freedom before. The integrals within an element are sums by Gauss, exact to rounding for up
 * to 2.5 rad on a piece.
 *
 * Momentum goes from step to step in space: with u(s) the velocity that each point had in the last
 * step, J there times v there,
 *
 *   M v = sum of rho S J^T u + h forces      J, M: at the beginning of this step
 *
 * which has the terms of dJ/dt v in it to first order of h, and can never gain energy: v is the
 * nearest to u that the strand can do, however fast it turns. Gravity is explicit; K and holds are
 * implicit (004, footnote 4). So is, beyond the paper, the stiffness that forces f (N) give by
 * turning with what is before them,
 *
 *   G_ab = w_a . sum of f x J_b      a nearer to the root than b; within an element the mean with
 * G_ba
 *
 * of strands that are led by their root (what gravity does to the turn of a free one, a floor
 * undoes, and that is not in G), without which a strand under tension asked for steps of its
 * transverse waves. Where compression makes A indefinite the step does without G (strand_begin).
 */
#include <string.h>

#include "math/quat.h"
#include "strand/helix.h"
#include "strand/strand.h"

enum { MOST_POINTS = 12, RULES = 3 };
static const int RULE_POINTS[RULES] = {6, 8, 12};
static const double RULE_ANGLE[RULES] = {0.6, 1.4, 2.5}; /* rad on a piece, at most */

typedef struct gauss {
  double x[MOST_POINTS], w[MOST_POINTS]; /* on [0, 1] */
} gauss;

/* Of mass about the root's place: kg, kg m, kg m^2. */
typedef struct inertia {
  double mass;
  vec3 first;
  mat3 second;
} inertia;

/* A velocity field v + w x x, or the momentum, or the force, that goes with one. */
typedef struct twist {
  vec3 v, w;
} twist;

/* An element as prepared. Places are from the root's. */
typedef struct piece {
  vec3 k, rate; /* Darboux vector in its own frame, 1/m, and its rate, 1/(m s) */
  vec3 start;
  mat3 frame;
  vec3 velocity, spin; /* at its start */
  twist beyond[3];     /* of what lies beyond, by own freedom */
  twist momentum[3];   /* of the element itself, by own freedom */
  double own[3][3];    /* of M, of the element itself */
  double push[3];      /* N m^2: gravity on its own mass */
  double carried[3];   /* of J^T u, of its own mass */
  twist carrying;      /* kg m/s, kg m^2/s: the momentum u of its own mass */
  twist force;         /* of its own mass */
  vec3 turned[3];      /* N m^2: the sum of f x J of its own mass, by own freedom */
  mat3 virial;         /* N m: the sum of f x^T of its own mass */
  inertia inertia;
} piece;

typedef struct helix_state {
  bool free_root, moved; /* moved: there was a step, and `before` is of it */
  vec3 root;
  mat3 frame;
  double *rest;
  piece *pieces, *before; /* before: as the last step left from, with its velocities */
  gauss rules[RULES];
  band mass, tension;       /* M and G */
  double *force, *momentum; /* gravity, J^T u */
  vec3 *linear, *angular;   /* a velocity by freedom: room for holds */
  double kinetic;
  vec3 first; /* kg m, of all, from the root's place */
} helix_state;

/* The axis of the frame that freedom c of an element is along: kappa_1, kappa_2, tau. */
static const int AXIS[3] = {1, 2, 0};

static int32_t offset_of(const helix_state *h) { return h->free_root ? 6 : 0; }

static vec3 darboux(const double *kkt) { return vec3_make(kkt[2], kkt[0], kkt[1]); }

/* Gauss's points by Newton's method on Legendre's polynomial. */
static void gauss_make(int n, gauss *out) {
  for (int i = 0; i < n; i++) {
    double x = cos(M_PI * (i + 0.75) / (n + 0.5)), slope = 1;
    for (int turn = 0; turn < 60; turn++) {
      double last = 1, now = x;
      for (int k = 2; k <= n; k++) {
        double next = ((2 * k - 1) * x * now - (k - 1) * last) / k;
        last = now, now = next;
      }
      slope = n * (x * now - last) / (x * x - 1);
      x -= now / slope;
    }
    out->x[i] = (1 - x) / 2;
    out->w[i] = 1 / ((1 - x * x) * slope * slope);
  }
}

static tribo_status create(const strand_def *def, arena *memory, strand *out, tribo_error *err) {
  helix_state *own = ARENA_ARRAY(memory, helix_state, 1);
  if (!own) return status_no_memory(err, "a strand");
  if (def->points)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "a Super-helix begins from curvatures, not from points");
  int32_t n = 3 * def->elements + (def->free_root ? 6 : 0);
  *own = (helix_state){.free_root = def->free_root,
                       .root = def->root,
                       .frame = def->frame,
                       .rest = ARENA_ARRAY(memory, double, 3 * def->elements),
                       .pieces = ARENA_ARRAY(memory, piece, def->elements),
                       .before = ARENA_ARRAY(memory, piece, def->elements),
                       .momentum = ARENA_ARRAY(memory, double, n),
                       .mass = {.n = n, .half = n - 1, .a = ARENA_ARRAY(memory, double, n *n)},
                       .tension = {.n = n, .half = n - 1, .a = ARENA_ARRAY(memory, double, n *n)},
                       .force = ARENA_ARRAY(memory, double, n),
                       .linear = ARENA_ARRAY(memory, vec3, n),
                       .angular = ARENA_ARRAY(memory, vec3, n)};
  out->own = own;
  out->freedoms = n;
  out->factor.half = n - 1;
  out->q = ARENA_ARRAY(memory, double, n);
  out->v = ARENA_ARRAY(memory, double, n);
  if (!own->rest || !own->pieces || !own->before || !own->momentum || !own->mass.a ||
      !own->tension.a || !own->force || !own->linear || !own->angular || !out->q || !out->v)
    return status_no_memory(err, "a strand");
  for (int r = 0; r < RULES; r++) gauss_make(RULE_POINTS[r], &own->rules[r]);
  const double *start = def->start ? def->start : def->rest;
  for (int32_t k = 0; k < 3 * def->elements; k++) {
    own->rest[k] = def->rest ? def->rest[k] : 0;
    out->q[offset_of(own) + k] = start ? start[k] : 0;
  }
  return TRIBO_OK;
}

/* ---- from root to tip ---- */

/* How the place `at` of a piece moves. */
typedef struct motion {
  vec3 x, velocity, spin;
} motion;

static motion motion_at(const piece *p, const helix_point *at) {
  vec3 arm = mat3_mul_vec3(&p->frame, at->rho), own = mat3_mul_vec3(&at->by_rho, p->rate);
  vec3 turn = mat3_mul_vec3(&at->by_turn, p->rate);
  own = mat3_mul_vec3(&p->frame, own), turn = mat3_mul_vec3(&p->frame, turn);
  return (motion){.x = vec3_add(p->start, arm),
                  .velocity = vec3_add(vec3_add(p->velocity, vec3_cross(p->spin, arm)), own),
                  .spin = vec3_add(p->spin, turn)};
}

static void place_pieces(strand *s) {
  helix_state *own = s->own;
  vec3 x = {0, 0, 0};
  mat3 frame = own->frame;
  for (int32_t e = 0; e < s->elements; e++) {
    piece *p = &own->pieces[e];
    *p = (piece){.k = darboux(s->q + offset_of(own) + 3 * e), .start = x, .frame = frame};
    helix_point end = helix_at(p->k, s->length);
    x = vec3_add(x, mat3_mul_vec3(&frame, end.rho));
    frame = mat3_mul(&p->frame, &end.turn);
    for (int c = 0; c < 3; c++) {
      vec3 v = mat3_column(&end.by_rho, AXIS[c]), w = mat3_column(&end.by_turn, AXIS[c]);
      v = mat3_mul_vec3(&p->frame, v), w = mat3_mul_vec3(&p->frame, w);
      p->beyond[c] = (twist){vec3_sub(v, vec3_cross(w, x)), w};
    }
  }
}

/* The velocities of the pieces where they stand, for v of the freedoms, into `before`. */
static void remember(strand *s, const double *v) {
  helix_state *own = s->own;
  motion at = {.velocity = s->root_velocity, .spin = s->root_spin};
  if (own->free_root) at.velocity = vec3_from(v), at.spin = vec3_from(v + 3);
  for (int32_t e = 0; e < s->elements; e++) {
    piece *p = &own->before[e];
    *p = own->pieces[e];
    p->rate = darboux(v + offset_of(own) + 3 * e);
    p->velocity = at.velocity, p->spin = at.spin;
    helix_point end = helix_at(p->k, s->length);
    at = motion_at(p, &end);
  }
}

/* ---- the integrals of one element ---- */

static void add_inertia(inertia *to, double m, vec3 x) {
  to->mass += m;
  to->first = vec3_madd(to->first, m, x);
  for (int i = 0; i < 3; i++) to->second.m[i][i] += m * vec3_norm2(x);
  mat3 out = mat3_outer(x, x);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) to->second.m[i][j] -= m * out.m[i][j];
}

/* dm (kg) and spin inertia dj (kg m^2) at a place of the piece, which had the velocity u and turned
 * about its tangent at `turned` (rad/s), both against a led root. */
typedef struct parcel {
  double dm, dj;
  vec3 x, u;
  double turned;
} parcel;

static void add_forces(piece *p, const parcel *of, const vec3 d[3], const double spin[3], vec3 t,
                       vec3 gravity) {
  vec3 force = vec3_scale(of->dm, gravity), momentum = vec3_scale(of->dm, of->u);
  for (int c = 0; c < 3; c++) {
    p->push[c] += vec3_dot(d[c], force);
    p->carried[c] += vec3_dot(d[c], momentum) + of->dj * spin[c] * of->turned;
    p->turned[c] = vec3_add(p->turned[c], vec3_cross(force, d[c]));
  }
  mat3 virial = mat3_outer(force, of->x);
  p->virial = mat3_add(&p->virial, &virial);
  p->force.v = vec3_add(p->force.v, force);
  p->force.w = vec3_add(p->force.w, vec3_cross(of->x, force));
  p->carrying.v = vec3_add(p->carrying.v, momentum);
  p->carrying.w = vec3_add(p->carrying.w, vec3_cross(of->x, momentum));
  p->carrying.w = vec3_madd(p->carrying.w, of->dj * of->turned, t);
}

static void add_parcel(piece *p, const helix_point *at, const parcel *of, vec3 gravity) {
  vec3 t = mat3_column(&at->turn, 0), d[3];
  t = mat3_mul_vec3(&p->frame, t);
  double spin[3], dm = of->dm, dj = of->dj;
  for (int c = 0; c < 3; c++) {
    vec3 v = mat3_column(&at->by_rho, AXIS[c]), w = mat3_column(&at->by_turn, AXIS[c]);
    d[c] = mat3_mul_vec3(&p->frame, v);
    spin[c] = vec3_dot(mat3_mul_vec3(&p->frame, w), t);
    p->momentum[c].v = vec3_madd(p->momentum[c].v, dm, d[c]);
    p->momentum[c].w = vec3_madd(p->momentum[c].w, dm, vec3_cross(of->x, d[c]));
    p->momentum[c].w = vec3_madd(p->momentum[c].w, dj * spin[c], t);
    for (int b = 0; b <= c; b++) p->own[c][b] += dm * vec3_dot(d[c], d[b]) + dj * spin[c] * spin[b];
  }
  add_forces(p, of, d, spin, t, gravity);
  add_inertia(&p->inertia, dm, of->x);
  mat3 along = mat3_outer(t, t);
  along = mat3_scale(dj, &along);
  p->inertia.second = mat3_add(&p->inertia.second, &along);
}

/* What was at the place `at` of a piece in the last step, and what is there now. */
static parcel parcel_at(const strand *s, int32_t e, double at, const helix_point *now, double dm) {
  const helix_state *own = s->own;
  const piece *p = &own->pieces[e], *before = &own->before[e];
  helix_point then = helix_at(before->k, at);
  motion was = motion_at(before, &then);
  vec3 tangent = mat3_column(&then.turn, 0);
  parcel out = {.dm = dm,
                .dj = dm * s->material.radius * s->material.radius / 2,
                .x = vec3_add(p->start, mat3_mul_vec3(&p->frame, now->rho)),
                .u = was.velocity,
                .turned = vec3_dot(was.spin, mat3_mul_vec3(&before->frame, tangent))};
  return out;
}

static void integrate(strand *s, const strand_step *step, int32_t e) {
  helix_state *own = s->own;
  piece *p = &own->pieces[e];
  double line = s->material.density * strand_area(&s->material);
  double angle = vec3_norm(p->k) * s->length;
  int rule = 0;
  while (rule < RULES - 1 && angle > RULE_ANGLE[rule]) rule++;
  int parts = angle > RULE_ANGLE[rule] ? (int)fmin(ceil(angle / RULE_ANGLE[rule]), 1000) : 1;
  for (int part = 0; part < parts; part++)
    for (int i = 0; i < RULE_POINTS[rule]; i++) {
      double at = (part + own->rules[rule].x[i]) / parts * s->length;
      helix_point now = helix_at(p->k, at);
      parcel of = parcel_at(s, e, at, &now, line * own->rules[rule].w[i] / parts * s->length);
      own->kinetic += of.dm * vec3_norm2(of.u) / 2 + of.dj * of.turned * of.turned / 2;
      if (!own->free_root) { /* freedoms are counted from the root, damping from the world */
        vec3 t = mat3_column(&now.turn, 0);
        vec3 led = vec3_add(s->root_velocity, vec3_cross(s->root_spin, of.x));
        double more = 1 + step->h * s->material.damping;
        of.u = vec3_madd(of.u, -more, led);
        of.turned -= more * vec3_dot(s->root_spin, mat3_mul_vec3(&p->frame, t));
      }
      add_parcel(p, &now, &of, step->gravity);
    }
}

/* ---- from tip to root ---- */

static twist momentum_of(const inertia *i, const twist *t) {
  return (twist){vec3_madd(vec3_cross(t->w, i->first), i->mass, t->v),
                 vec3_add(vec3_cross(i->first, t->v), mat3_mul_vec3(&i->second, t->w))};
}

static double twist_dot(const twist *a, const twist *b) {
  return vec3_dot(a->v, b->v) + vec3_dot(a->w, b->w);
}

static twist twist_add(twist a, twist b) { return (twist){vec3_add(a.v, b.v), vec3_add(a.w, b.w)}; }

static twist root_twist(int k) {
  vec3 axis = vec3_make(k % 3 == 0, k % 3 == 1, k % 3 == 2), none = {0, 0, 0};
  return k < 3 ? (twist){axis, none} : (twist){none, axis};
}

/* A row of M or G left of the element's own block: what each freedom before feels of a momentum. */
static void fill_before(const helix_state *own, const band *m, int32_t e, int32_t row,
                        const twist *momentum) {
  double *to = band_at(m, row, row) - row;
  for (int k = 0; k < offset_of(own); k++) {
    twist unit = root_twist(k);
    to[k] = twist_dot(&unit, momentum);
  }
  for (int32_t j = 0; j < e; j++)
    for (int c = 0; c < 3; c++)
      to[offset_of(own) + 3 * j + c] = twist_dot(&own->pieces[j].beyond[c], momentum);
}

/* The sum of f x (v + w x x) of forces with this total and virial. */
static vec3 turned_by(vec3 force, const mat3 *virial, const twist *t) {
  double trace = virial->m[0][0] + virial->m[1][1] + virial->m[2][2];
  vec3 sum = vec3_madd(vec3_cross(force, t->v), trace, t->w);
  return vec3_sub(sum, mat3_tmul_vec3(virial, t->w));
}

/* G, from tip to root, in the order of M. */
static void gather_tension(strand *s) {
  helix_state *own = s->own;
  if (own->free_root) return;
  vec3 force = {0, 0, 0};
  mat3 virial = {{{0}}};
  for (int32_t e = s->elements - 1; e >= 0; e--) {
    piece *p = &own->pieces[e];
    vec3 turned[3];
    int32_t row = offset_of(own) + 3 * e;
    for (int c = 0; c < 3; c++) {
      turned[c] = vec3_add(p->turned[c], turned_by(force, &virial, &p->beyond[c]));
      twist felt = {{0, 0, 0}, turned[c]};
      for (int b = 0; b <= c; b++)
        *band_at(&own->tension, row + c, row + b) =
            (vec3_dot(p->beyond[b].w, turned[c]) + vec3_dot(p->beyond[c].w, turned[b])) / 2;
      fill_before(own, &own->tension, e, row + c, &felt);
    }
    force = vec3_add(force, p->force.v);
    virial = mat3_add(&virial, &p->virial);
  }
}

static void gather(strand *s) {
  helix_state *own = s->own;
  inertia beyond = {0};
  twist force = {{0, 0, 0}, {0, 0, 0}}, carrying = force;
  for (int32_t e = s->elements - 1; e >= 0; e--) {
    piece *p = &own->pieces[e];
    for (int c = 0; c < 3; c++) {
      int32_t row = offset_of(own) + 3 * e + c;
      twist far = momentum_of(&beyond, &p->beyond[c]), all = twist_add(p->momentum[c], far);
      for (int b = 0; b <= c; b++)
        *band_at(&own->mass, row, row - c + b) = p->own[c][b] + twist_dot(&p->beyond[b], &far);
      fill_before(own, &own->mass, e, row, &all);
      own->force[row] = p->push[c] + twist_dot(&p->beyond[c], &force);
      own->momentum[row] = p->carried[c] + twist_dot(&p->beyond[c], &carrying);
    }
    beyond.mass += p->inertia.mass;
    beyond.first = vec3_add(beyond.first, p->inertia.first);
    beyond.second = mat3_add(&beyond.second, &p->inertia.second);
    force = twist_add(force, p->force), carrying = twist_add(carrying, p->carrying);
  }
  for (int k = 0; k < offset_of(own); k++) {
    twist unit = root_twist(k), momentum = momentum_of(&beyond, &unit);
    for (int j = 0; j <= k; j++) {
      twist other = root_twist(j);
      *band_at(&own->mass, k, j) = twist_dot(&other, &momentum);
    }
    own->force[k] = twist_dot(&unit, &force), own->momentum[k] = twist_dot(&unit, &carrying);
  }
  own->first = beyond.first;
}

static void prepare(strand *s, const strand_step *step) {
  helix_state *own = s->own;
  own->kinetic = 0;
  place_pieces(s);
  if (!own->moved) remember(s, s->v);
  for (int32_t e = 0; e < s->elements; e++) integrate(s, step, e);
  gather(s);
  gather_tension(s);
}

/* ---- velocities of places ---- */

static double stiffness(const strand *s, int c) {
  return s->length * (c < 2 ? strand_bending(&s->material) : strand_twisting(&s->material));
}

/* The velocity and spin at a place by freedom; returns where the place is, from the root's. */
static vec3 columns_at(const strand *s, const strand_place *place, vec3 *linear, vec3 *angular,
                       int32_t *count, mat3 *frame) {
  const helix_state *own = s->own;
  const piece *p = &own->pieces[place->element];
  helix_point at = helix_at(p->k, place->s);
  vec3 x = vec3_add(p->start, mat3_mul_vec3(&p->frame, at.rho));
  int32_t n = 0;
  for (int k = 0; k < offset_of(own); k++, n++) {
    twist t = root_twist(k);
    linear[n] = vec3_add(t.v, vec3_cross(t.w, x)), angular[n] = t.w;
  }
  for (int32_t e = 0; e < place->element; e++)
    for (int c = 0; c < 3; c++, n++) {
      const twist *t = &own->pieces[e].beyond[c];
      linear[n] = vec3_add(t->v, vec3_cross(t->w, x)), angular[n] = t->w;
    }
  for (int c = 0; c < 3; c++, n++) {
    vec3 v = mat3_column(&at.by_rho, AXIS[c]), w = mat3_column(&at.by_turn, AXIS[c]);
    linear[n] = mat3_mul_vec3(&p->frame, v), angular[n] = mat3_mul_vec3(&p->frame, w);
  }
  *count = n;
  if (frame) *frame = mat3_mul(&p->frame, &at.turn);
  return x;
}

/* G_ij of a force at the place whose columns are at hand, j <= i. */
static double turning_stiffness(const helix_state *own, vec3 force, int32_t i, int32_t j) {
  if (own->free_root) return 0;
  int32_t piece_i = i / 3, piece_j = j / 3;
  double there = vec3_dot(own->angular[j], vec3_cross(force, own->linear[i]));
  if (piece_i != piece_j) return there;
  return (there + vec3_dot(own->angular[i], vec3_cross(force, own->linear[j]))) / 2;
}

static void add_hold(strand *s, const strand_step *step, const strand_hold *hold, double *rhs) {
  helix_state *own = s->own;
  int32_t count;
  mat3 frame;
  vec3 x = columns_at(s, &hold->place, own->linear, own->angular, &count, &frame), turn = {0, 0, 0};
  if (hold->turning > 0) {
    mat3 missing = mat3_mul_t(&hold->frame, &frame);
    turn = quat_log(quat_from_matrix(&missing));
  }
  vec3 away = vec3_sub(hold->target, vec3_add(own->root, x));
  double h = step->h;
  if (!own->free_root) {
    vec3 drift = vec3_add(s->root_velocity, vec3_cross(s->root_spin, x));
    away = vec3_madd(away, -h, drift), turn = vec3_madd(turn, -h, s->root_spin);
  }
  vec3 pull = vec3_scale(hold->stiffness, away);
  for (int32_t i = 0; i < count; i++) {
    vec3 v = vec3_scale(hold->stiffness, own->linear[i]);
    vec3 w = vec3_scale(hold->turning, own->angular[i]);
    rhs[i] += h * (vec3_dot(v, away) + vec3_dot(w, turn));
    for (int32_t j = 0; j <= i; j++)
      *band_at(&s->factor, i, j) +=
          h * h * (vec3_dot(v, own->linear[j]) + vec3_dot(w, own->angular[j]));
    for (int32_t j = 0; s->tensed && j <= i; j++)
      *band_at(&s->factor, i, j) += h * h * turning_stiffness(own, pull, i, j);
  }
}

static void linearise(strand *s, const strand_step *step, const double *at, double *rhs) {
  (void)at; /* M and K are those of the beginning of the step */
  helix_state *own = s->own;
  double h = step->h;
  int32_t n = s->freedoms;
  for (int32_t i = 0; i < n; i++) rhs[i] = own->momentum[i] + h * own->force[i];
  for (int32_t i = 0; i < n; i++)
    for (int32_t j = 0; j <= i; j++) {
      double m = *band_at(&own->mass, i, j);
      double tension = s->tensed ? *band_at(&own->tension, i, j) : 0;
      *band_at(&s->factor, i, j) = m * (1 + h * s->material.damping) + h * h * tension;
    }
  for (int32_t k = 0; k < 3 * s->elements; k++) {
    int32_t i = offset_of(own) + k;
    double stiff = stiffness(s, k % 3);
    rhs[i] -= h * stiff * (s->q[i] - own->rest[k]);
    *band_at(&s->factor, i, i) += h * h * stiff;
  }
  for (size_t k = 0; k < s->hold_count; k++) add_hold(s, step, &s->holds[k], rhs);
}

static void jacobian(const strand *s, const strand_place *at, strand_jacobian *out) {
  const helix_state *own = s->own;
  vec3 *angular = own->angular;
  vec3 x = columns_at(s, at, out->column, angular, &out->count, NULL);
  out->first = 0, out->drift = vec3_make(0, 0, 0);
  for (int32_t i = 0; i < out->count; i++)
    out->column[i] = vec3_add(out->column[i], vec3_cross(angular[i], at->offset));
  if (!own->free_root)
    out->drift = vec3_add(s->root_velocity, vec3_cross(s->root_spin, vec3_add(x, at->offset)));
}

static vec3 point(const strand *s, const strand_place *at, vec3 *tangent) {
  const helix_state *own = s->own;
  const piece *p = &own->pieces[at->element];
  vec3 rho = helix_place(p->k, at->s, tangent);
  if (tangent) *tangent = mat3_mul_vec3(&p->frame, *tangent);
  return vec3_add(vec3_add(own->root, p->start), mat3_mul_vec3(&p->frame, rho));
}

static void commit(strand *s, const strand_step *step, const double *v) {
  helix_state *own = s->own;
  remember(s, v);
  own->moved = true;
  memcpy(s->v, v, (size_t)s->freedoms * sizeof *v);
  for (int32_t i = offset_of(own); i < s->freedoms; i++) s->q[i] += step->h * v[i];
  vec3 velocity = own->free_root ? vec3_from(v) : s->root_velocity;
  vec3 spin = own->free_root ? vec3_from(v + 3) : s->root_spin;
  own->root = vec3_madd(own->root, step->h, velocity);
  quat turn = quat_exp(vec3_scale(step->h, spin));
  turn = quat_normalized(quat_multiply(turn, quat_from_matrix(&own->frame)));
  own->frame = quat_to_matrix(turn);
}

static double kinetic(const strand *s, const strand_step *step) {
  (void)step;
  return ((const helix_state *)s->own)->kinetic;
}

static double elastic(const strand *s) {
  const helix_state *own = s->own;
  double sum = 0;
  for (int32_t k = 0; k < 3 * s->elements; k++) {
    double off = s->q[offset_of(own) + k] - own->rest[k];
    sum += stiffness(s, k % 3) * off * off / 2;
  }
  return sum;
}

static double height(const strand *s, vec3 gravity) {
  const helix_state *own = s->own;
  return -vec3_dot(gravity, vec3_madd(own->first, strand_mass(s), own->root));
}

const strand_model strand_super_helix = {
    .name = "super_helix",
    .about = "constant curvatures and twist on each element, implicit; does not stretch",
    .curved = true,
    .spins = true,
    .linear = true,
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
