/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fibers/find.h"

#include <stdlib.h>

#include "base/array.h"
#include "geom/bvh.h"
#include "geom/distance.h"

enum { BLOCK = 128, NEAR = 64, MOST_PARTS = 8, REFINEMENTS = 4 };

static const double PART_ANGLE = 0.5;   /* rad: of a straight piece of a bent element */
static const double SIDE_BY_SIDE = 0.1; /* sine: pieces within it are parallel */
static const double SAME_PLACE = 0.4;   /* of a piece: contacts nearer on both sides are one */
static const double SLACK = 0.05;       /* of the radii: looked at beyond the way of the step */

typedef struct piece {
  int32_t strand, element;
  double s0, s1, arc; /* m, on the element; arc: of s0, from the root */
  vec3 p[2], v[2];    /* ends, and their velocities without contacts */
  bool last;          /* the strand ends with it */
} piece;

typedef ARRAY(fiber_contact) contact_list;

typedef struct block {
  contact_list found;
  bool failed;
} block;

typedef struct search {
  const fibers *f;
  const size_t *first; /* by strand: of pieces */
  const int32_t *parts;
  piece *pieces;
  size_t count;
  bvh_box *boxes;
  bvh tree;
  block *blocks;
} search;

vec3 fibers_velocity(const strand *s, const strand_place *at, const double *v, vec3 *columns) {
  strand_jacobian j = {.column = columns};
  s->model->jacobian(s, at, &j);
  vec3 u = j.drift;
  for (int32_t k = 0; k < j.count; k++) u = vec3_madd(u, v[j.first + k], j.column[k]);
  return u;
}

/* ---- pieces ---- */

static int32_t parts_of(const strand *s) {
  if (!s->model->curved) return 1;
  double most = 0;
  for (int32_t e = 0; e < s->elements; e++) {
    strand_place ends[2] = {{.element = e}, {.element = e, .s = s->length}};
    vec3 t[2];
    for (int k = 0; k < 2; k++) s->model->point(s, &ends[k], &t[k]);
    most = fmax(most, acos(fmax(-1, fmin(1, vec3_dot(t[0], t[1])))));
  }
  return (int32_t)fmin(MOST_PARTS, 1 + floor(most / PART_ANGLE));
}

static void end_of(const strand *s, int32_t e, double at, vec3 *columns, vec3 *p, vec3 *v) {
  strand_place place = {.element = e, .s = at};
  *p = s->model->point(s, &place, NULL);
  *v = fibers_velocity(s, &place, s->free, columns);
}

static void cut_strand(search *l, size_t i, vec3 *columns) {
  const strand *s = &l->f->strands[i];
  int32_t parts = l->parts[i];
  piece *p = l->pieces + l->first[i];
  double part = s->length / parts;
  vec3 at, velocity;
  end_of(s, 0, 0, columns, &at, &velocity);
  for (int32_t e = 0; e < s->elements; e++)
    for (int32_t k = 0; k < parts; k++, p++) {
      *p = (piece){.strand = (int32_t)i,
                   .element = e,
                   .s0 = k * part,
                   .s1 = k + 1 == parts ? s->length : (k + 1) * part,
                   .arc = e * s->length + k * part,
                   .p[0] = at,
                   .v[0] = velocity,
                   .last = e + 1 == s->elements && k + 1 == parts};
      end_of(s, e, p->s1, columns, &at, &velocity);
      p->p[1] = at, p->v[1] = velocity;
    }
}

static void cut_strands(void *context, size_t begin, size_t end) {
  search *l = context;
  arena scratch = {0};
  for (size_t i = begin; i < end; i++) {
    arena_reset(&scratch);
    vec3 *columns = ARENA_ARRAY(&scratch, vec3, l->f->strands[i].freedoms);
    if (columns) cut_strand(l, i, columns);
  }
  arena_free(&scratch);
}

static double radius_of(const search *l, const piece *p) {
  return l->f->strands[p->strand].material.radius;
}

static void box_pieces(void *context, size_t begin, size_t end) {
  search *l = context;
  for (size_t i = begin; i < end; i++) {
    const piece *p = &l->pieces[i];
    double wide = radius_of(l, p) * (1 + SLACK), h = l->f->step.h;
    bvh_box box = {p->p[0], p->p[0]};
    for (int k = 0; k < 4; k++) {
      vec3 x = k < 2 ? p->p[k] : vec3_madd(p->p[k - 2], h, p->v[k - 2]);
      box.low = vec3_make(fmin(box.low.x, x.x), fmin(box.low.y, x.y), fmin(box.low.z, x.z));
      box.high = vec3_make(fmax(box.high.x, x.x), fmax(box.high.y, x.y), fmax(box.high.z, x.z));
    }
    vec3 margin = {wide, wide, wide};
    l->boxes[i] = (bvh_box){vec3_sub(box.low, margin), vec3_add(box.high, margin)};
  }
}

static tribo_status cut_all(search *l, arena *memory, tribo_error *err) {
  size_t n = l->f->count;
  size_t *first = ARENA_ARRAY(memory, size_t, n + 1);
  int32_t *parts = ARENA_ARRAY(memory, int32_t, n);
  if (!first || !parts) return status_no_memory(err, "pieces of strands");
  for (size_t i = 0; i < n; i++) {
    parts[i] = parts_of(&l->f->strands[i]);
    first[i + 1] = first[i] + (size_t)parts[i] * (size_t)l->f->strands[i].elements;
  }
  l->first = first, l->parts = parts, l->count = first[n];
  l->pieces = ARENA_ARRAY(memory, piece, l->count);
  l->boxes = ARENA_ARRAY(memory, bvh_box, l->count);
  if (!l->pieces || !l->boxes) return status_no_memory(err, "pieces of strands");
  tasks_for(&l->f->tasks, n, 1, cut_strands, l);
  tasks_for(&l->f->tasks, l->count, 256, box_pieces, l);
  return TRIBO_OK;
}

/* ---- one contact ---- */

static void set_frame(fiber_contact *c, vec3 along) {
  vec3 t = vec3_madd(along, -vec3_dot(along, c->n), c->n);
  if (vec3_norm2(t) < 1e-12) {
    vec3 other = fabs(c->n.x) < 0.6 ? vec3_make(1, 0, 0) : vec3_make(0, 1, 0);
    t = vec3_cross(c->n, other);
  }
  c->t = vec3_normalized(t);
  c->b_axis = vec3_cross(c->n, c->t);
}

static double clamp(double x, double low, double high) { return fmin(high, fmax(low, x)); }

/* A pair of places on two strands, with what is there. */
typedef struct meeting {
  strand_place a, b;
  vec3 xa, xb, ta, tb;
  double distance2;
} meeting;

static void look(const strand *a, const strand *b, meeting *m) {
  m->xa = a->model->point(a, &m->a, &m->ta), m->xb = b->model->point(b, &m->b, &m->tb);
  m->distance2 = vec3_norm2(vec3_sub(m->xa, m->xb));
}

/* Closest points on the curves, each taken for straight in turn. Curves that bend away sharper than
 * they are apart would send that astray: a move that does not bring them nearer is halved, and
 * given up. */
static void refine(const strand *a, const strand *b, meeting *m) {
  look(a, b, m);
  for (int turn = 0; turn < REFINEMENTS; turn++) {
    vec3 d = vec3_sub(m->xa, m->xb);
    double c = vec3_dot(m->ta, m->tb), da = vec3_dot(d, m->ta), db = vec3_dot(d, m->tb);
    double sine2 = 1 - c * c, move_a = 0, move_b = db;
    if (sine2 > SIDE_BY_SIDE * SIDE_BY_SIDE)
      move_a = (c * db - da) / sine2, move_b = (db - c * da) / sine2;
    double part = 1;
    for (; part > 0.1; part /= 2) {
      meeting next = *m;
      next.a.s = clamp(m->a.s + part * move_a, 0, a->length);
      next.b.s = clamp(m->b.s + part * move_b, 0, b->length);
      look(a, b, &next);
      if (next.distance2 >= m->distance2) continue;
      *m = next;
      break;
    }
    if (part <= 0.1) return;
  }
}

/* The contact of two places, where they are close enough. */
static void add_pair(const search *l, const piece *p, double s, const piece *o, double t,
                     block *to) {
  const strand *a = &l->f->strands[p->strand], *b = &l->f->strands[o->strand];
  fiber_contact c = {.a = p->strand, .b = o->strand, .mu = l->f->mu};
  c.at[0] = (strand_place){.element = p->element, .s = p->s0 + s * (p->s1 - p->s0)};
  c.at[1] = (strand_place){.element = o->element, .s = o->s0 + t * (o->s1 - o->s0)};
  meeting m = {.a = c.at[0],
               .b = c.at[1],
               .xa = distance_along(p->p[0], p->p[1], s),
               .xb = distance_along(o->p[0], o->p[1], t),
               .ta = vec3_normalized(vec3_sub(p->p[1], p->p[0])),
               .tb = vec3_normalized(vec3_sub(o->p[1], o->p[0]))};
  if (a->model->curved || b->model->curved) refine(a, b, &m);
  c.at[0] = m.a, c.at[1] = m.b;
  c.arc[0] = c.at[0].element * a->length + c.at[0].s;
  c.arc[1] = c.at[1].element * b->length + c.at[1].s;
  if (c.arc[0] <= a->rooted && c.arc[1] <= b->rooted) return;
  double radii = a->material.radius + b->material.radius;
  if (c.a == c.b && fabs(c.arc[0] - c.arc[1]) < M_PI * a->material.radius) return;
  vec3 apart = vec3_sub(m.xa, m.xb);
  double distance = vec3_norm(apart);
  c.gap = distance - radii;
  vec3 closing = vec3_sub(vec3_madd(vec3_scale(1 - s, p->v[0]), s, p->v[1]),
                          vec3_madd(vec3_scale(1 - t, o->v[0]), t, o->v[1]));
  if (c.gap > SLACK * radii + l->f->step.h * vec3_norm(closing)) return;
  c.n = distance > 1e-9 * radii ? vec3_scale(1 / distance, apart)
                                : vec3_normalized(vec3_cross(m.ta, m.tb));
  set_frame(&c, m.ta);
  c.at[0].offset = vec3_scale(-a->material.radius, c.n);
  c.at[1].offset = vec3_scale(b->material.radius, c.n);
  if (!ARRAY_PUSH(to->found, c)) to->failed = true;
}

/* Pieces side by side touch where an end of one is beside the other, others where they are closest.
 */
static void look_at_pair(const search *l, size_t i, size_t j, block *to) {
  const piece *p = &l->pieces[i], *o = &l->pieces[j];
  vec3 dp = vec3_sub(p->p[1], p->p[0]), dq = vec3_sub(o->p[1], o->p[0]);
  double across = vec3_norm2(vec3_cross(dp, dq)), s, t;
  if (across > SIDE_BY_SIDE * SIDE_BY_SIDE * vec3_norm2(dp) * vec3_norm2(dq)) {
    distance_edge_edge(p->p, o->p, &s, &t);
    add_pair(l, p, s, o, t, to);
    return;
  }
  bool any = false;
  for (int k = 0; k < 4; k++) {
    const piece *own = k < 2 ? p : o, *other = k < 2 ? o : p;
    vec3 edge = k < 2 ? dq : dp, end = own->p[k % 2];
    double at = vec3_dot(vec3_sub(end, other->p[0]), edge) / vec3_norm2(edge);
    if (at < 0 || at > 1) continue;
    any = true;
    add_pair(l, p, k < 2 ? k % 2 : at, o, k < 2 ? at : k % 2, to);
  }
  if (any) return;
  distance_edge_edge(p->p, o->p, &s, &t);
  add_pair(l, p, s, o, t, to);
}

static void add_obstacle(const search *l, const piece *p, int end, int32_t k, block *to) {
  const strand *s = &l->f->strands[p->strand];
  const fiber_obstacle *o = &l->f->obstacles[k];
  if (p->arc + (end ? p->s1 - p->s0 : 0) <= s->rooted) return;
  double radius = s->material.radius, h = l->f->step.h;
  vec3 x = p->p[end], from = vec3_sub(x, o->centre);
  vec3 u = vec3_sub(p->v[end], vec3_add(o->velocity, vec3_cross(o->spin, from)));
  double reach = radius * (1 + SLACK) + h * vec3_norm(u);
  fiber_contact c = {.a = p->strand, .b = ~k, .mu = o->mu};
  if (o->mesh) {
    mesh_foot foot;
    if (!mesh_distance_query(o->mesh, x, fmax(reach, 4 * radius), &foot)) return;
    c.gap = foot.distance - radius, c.n = foot.normal, c.foot = foot.foot;
  } else {
    primitive_foot foot = primitive_distance(&o->shape, x);
    c.gap = foot.distance - radius, c.n = foot.normal, c.foot = foot.foot;
  }
  if (c.gap + radius > reach) return;
  vec3 along = vec3_normalized(vec3_sub(p->p[1], p->p[0]));
  c.at[0] = (strand_place){
      .element = p->element, .s = end ? p->s1 : p->s0, .offset = vec3_scale(-radius, c.n)};
  c.arc[0] = p->arc + (end ? p->s1 - p->s0 : 0);
  set_frame(&c, along);
  if (!ARRAY_PUSH(to->found, c)) to->failed = true;
}

static void look_at_piece(const search *l, size_t i, block *to) {
  int32_t few[NEAR], *near = few;
  size_t count = bvh_overlap(&l->tree, &l->boxes[i], few, NEAR);
  if (count > NEAR) {
    near = malloc(count * sizeof *near);
    if (!near) {
      to->failed = true;
      return;
    }
    bvh_overlap(&l->tree, &l->boxes[i], near, count);
  }
  for (size_t k = 0; k < count; k++)
    if ((size_t)near[k] > i) look_at_pair(l, i, (size_t)near[k], to);
  if (near != few) free(near);
  for (size_t k = 0; k < l->f->obstacle_count; k++) {
    add_obstacle(l, &l->pieces[i], 0, (int32_t)k, to);
    if (l->pieces[i].last) add_obstacle(l, &l->pieces[i], 1, (int32_t)k, to);
  }
}

static void look_at_block(void *context, size_t begin, size_t end) {
  search *l = context;
  for (size_t k = begin; k < end; k++)
    for (size_t i = k * BLOCK; i < l->count && i < (k + 1) * BLOCK; i++)
      look_at_piece(l, i, &l->blocks[k]);
}

/* ---- all of them, in order ---- */

static int compare(double x, double y) { return (x > y) - (x < y); }

static int by_place(const void *x, const void *y) {
  const fiber_contact *a = x, *b = y;
  if (a->a != b->a) return a->a < b->a ? -1 : 1;
  if (a->b != b->b) return a->b < b->b ? -1 : 1;
  int order = compare(a->arc[0], b->arc[0]);
  if (order == 0) order = compare(a->arc[1], b->arc[1]);
  if (order == 0) order = compare(a->gap, b->gap);
  return order ? order : compare(a->at[0].s, b->at[0].s);
}

static bool same_place(const search *l, const fiber_contact *x, const fiber_contact *y) {
  double part[2] = {0, INFINITY};
  part[0] = l->f->strands[x->a].length / l->parts[x->a];
  if (x->b >= 0) part[1] = l->f->strands[x->b].length / l->parts[x->b];
  return fabs(x->arc[0] - y->arc[0]) < SAME_PLACE * part[0] &&
         fabs(x->arc[1] - y->arc[1]) < SAME_PLACE * part[1] && vec3_dot(x->n, y->n) > 0.9;
}

/* Keeps the deepest of those at one place: nu above 1 is what elements that share a node would make
 * of it. */
static size_t merge(const search *l, fiber_contact *c, size_t count) {
  size_t kept = 0, first = 0; /* first: of the pair's contacts that may still be near */
  for (size_t i = 0; i < count; i++) {
    if (kept > first && (c[first].a != c[i].a || c[first].b != c[i].b)) first = kept;
    size_t k = kept;
    while (k > first && !same_place(l, &c[k - 1], &c[i]) &&
           c[i].arc[0] - c[k - 1].arc[0] < l->f->strands[c[i].a].length)
      k--;
    bool same = k > first && same_place(l, &c[k - 1], &c[i]);
    if (!same)
      c[kept++] = c[i];
    else if (c[i].gap < c[k - 1].gap)
      c[k - 1] = c[i];
  }
  return kept;
}

static tribo_status gather(search *l, size_t blocks, arena *memory, fiber_contact **out,
                           size_t *count, tribo_error *err) {
  size_t all = 0;
  bool failed = false;
  for (size_t k = 0; k < blocks; k++)
    all += l->blocks[k].found.count, failed = failed || l->blocks[k].failed;
  fiber_contact *list = failed ? NULL : ARENA_ARRAY(memory, fiber_contact, all);
  if (!list) return status_no_memory(err, "contacts of strands");
  all = 0;
  for (size_t k = 0; k < blocks; k++)
    for (size_t i = 0; i < l->blocks[k].found.count; i++) list[all++] = l->blocks[k].found.data[i];
  qsort(list, all, sizeof *list, by_place);
  *count = merge(l, list, all);
  *out = list;
  qsort(list, *count, sizeof *list, by_place);
  return TRIBO_OK;
}

tribo_status fibers_find(const fibers *f, arena *memory, fiber_contact **out, size_t *count,
                         tribo_error *err) {
  search l = {.f = f};
  TRY(cut_all(&l, memory, err));
  TRY(bvh_build(l.boxes, l.count, memory, &l.tree, err));
  size_t blocks = (l.count + BLOCK - 1) / BLOCK;
  l.blocks = ARENA_ARRAY(memory, block, blocks);
  if (!l.blocks) return status_no_memory(err, "contacts of strands");
  tasks_for(&f->tasks, blocks, 1, look_at_block, &l);
  tribo_status status = gather(&l, blocks, memory, out, count, err);
  for (size_t k = 0; k < blocks; k++) ARRAY_FREE(l.blocks[k].found);
  return status;
}

/* ---- impulses of the last step ---- */

static size_t first_of(const fiber_contact *c, size_t count, int32_t a, int32_t b) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    bool before = c[middle].a != a ? c[middle].a < a : c[middle].b < b;
    if (before)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void fibers_carry(const fibers *f, const fiber_contact *last, size_t last_count, fiber_contact *now,
                  size_t count) {
  for (size_t i = 0; i < count; i++) {
    fiber_contact *c = &now[i];
    double best = f->strands[c->a].length;
    const fiber_contact *from = NULL;
    for (size_t k = first_of(last, last_count, c->a, c->b);
         k < last_count && last[k].a == c->a && last[k].b == c->b; k++) {
      double away = fabs(last[k].arc[0] - c->arc[0]) + fabs(last[k].arc[1] - c->arc[1]);
      if (away < best && vec3_dot(last[k].n, c->n) > 0.5) best = away, from = &last[k];
    }
    if (!from) continue;
    vec3 r = vec3_madd(vec3_scale(from->r.x, from->n), from->r.y, from->t);
    r = vec3_madd(r, from->r.z, from->b_axis);
    contact_coefficients grip = {c->mu, c->mu};
    vec3 own = {vec3_dot(r, c->n), vec3_dot(r, c->t), vec3_dot(r, c->b_axis)};
    c->r = contact_problem_project(grip, own);
  }
}
