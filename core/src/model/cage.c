/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/cage.h"

#include <stdlib.h>
#include <string.h>

#include "geom/embed.h"
#include "geom/orient.h"
#include "geom/winding.h"
#include "math/svd3.h"
#include "model/kinematics.h"

/* A node with less of a vertex does not carry it. */
static const double LEAST_WEIGHT = 1e-6;

/* ---- how full tets are ----------------------------------------------------------------------- */

typedef struct box {
  vec3 low, high;
  int32_t element;
} box;

static int compare_boxes(const void *left, const void *right) {
  const box *a = left, *b = right;
  if (a->low.x != b->low.x) return a->low.x < b->low.x ? -1 : 1;
  return a->element < b->element ? -1 : a->element > b->element;
}

static box *sorted_boxes(const vec3 *points, const int32_t *elements, size_t count, size_t corners,
                         arena *scratch) {
  box *boxes = ARENA_ARRAY(scratch, box, count);
  for (size_t i = 0; boxes && i < count; i++) {
    vec3 low = points[elements[corners * i]], high = low;
    for (size_t a = 1; a < corners; a++) {
      vec3 p = points[elements[corners * i + a]];
      low = vec3_make(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
      high = vec3_make(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    boxes[i] = (box){low, high, (int32_t)i};
  }
  if (boxes) qsort(boxes, count, sizeof *boxes, compare_boxes);
  return boxes;
}

static bool apart(const box *a, const box *b) {
  return a->low.y > b->high.y || b->low.y > a->high.y || a->low.z > b->high.z ||
         b->low.z > a->high.z || a->low.x > b->high.x || b->low.x > a->high.x;
}

/* Six times the volume of a tet: positive where d is before the front of a, b, c. */
static double side_of(vec3 a, vec3 b, vec3 c, vec3 d) {
  return vec3_dot(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)), vec3_sub(d, a));
}

/* By how much the winding number rises from p to q where the triangle is in between: 1 when it is
 * entered by its front, -1 by its back, 0 when it is passed by. */
static int entered(vec3 p, vec3 q, const vec3 t[3]) {
  bool from_front = side_of(t[0], t[1], t[2], p) > 0;
  if (from_front == (side_of(t[0], t[1], t[2], q) > 0)) return 0;
  bool ab = side_of(p, q, t[0], t[1]) > 0, bc = side_of(p, q, t[1], t[2]) > 0,
       ca = side_of(p, q, t[2], t[0]) > 0;
  if (ab != bc || bc != ca) return 0;
  return from_front ? 1 : -1;
}

typedef struct surface {
  winding wound;
  const vec3 *vertices;
  const int32_t *triangles; /* neighbours agree */
  const box *boxes;         /* of the triangles, sorted by where they begin along x */
  size_t count;
  double widest; /* box along x */
  int32_t *near; /* room for all triangles */
} surface;

/* Triangles whose box meets that of the tet; `first` moves on over those that begin so far before
 * the tet that not even the widest reaches it. */
static size_t find_near(const surface *s, const box *tet, size_t *first) {
  size_t found = 0;
  while (*first < s->count && s->boxes[*first].low.x < tet->low.x - s->widest) ++*first;
  for (size_t j = *first; j < s->count && s->boxes[j].low.x <= tet->high.x; j++)
    if (!apart(tet, &s->boxes[j])) s->near[found++] = s->boxes[j].element;
  return found;
}

/* Places spread evenly over a tet: weights (i + 1/4)/4 for whole i >= 0 that sum to 3. Where the
 * surface comes near, the winding number is known in the middle and changes by 1 at each triangle
 * on the straight way from there; what else changes, near a hole, is little within a tet. */
static double inner_part(const surface *s, const vec3 x[4], size_t near) {
  vec3 middle = {0, 0, 0};
  for (int a = 0; a < 4; a++) middle = vec3_madd(middle, 0.25, x[a]);
  double start = winding_number(&s->wound, middle);
  if (near == 0) return fabs(start) > 0.5;
  int inside = 0, asked = 0;
  for (int i = 0; i < 4; i++)
    for (int j = 0; i + j < 4; j++)
      for (int k = 0; i + j + k < 4; k++, asked++) {
        double weight[4] = {(i + 0.25) / 4, (j + 0.25) / 4, (k + 0.25) / 4,
                            (3 - i - j - k + 0.25) / 4};
        vec3 p = {0, 0, 0};
        for (int a = 0; a < 4; a++) p = vec3_madd(p, weight[a], x[a]);
        double number = start;
        for (size_t n = 0; n < near; n++) {
          const int32_t *t = s->triangles + 3 * (size_t)s->near[n];
          number += entered(middle, p,
                            (vec3[3]){s->vertices[t[0]], s->vertices[t[1]], s->vertices[t[2]]});
        }
        inside += fabs(number) > 0.5;
      }
  return (double)inside / asked;
}

static tribo_status measure(const tribo_object_def *def, arena *scratch, double **full,
                            tribo_error *err) {
  const vec3 *nodes = (const vec3 *)def->cage, *vertices = (const vec3 *)def->positions;
  surface s = {.vertices = vertices, .count = def->triangle_count};
  int32_t *agreed;
  size_t turned, first = 0;
  TRY(orient_surface(vertices, def->triangles, def->triangle_count, scratch, &agreed, &turned,
                     err));
  TRY(winding_build(vertices, agreed, def->triangle_count, scratch, &s.wound, err));
  s.triangles = agreed;
  s.boxes = sorted_boxes(vertices, agreed, s.count, 3, scratch);
  s.near = ARENA_ARRAY(scratch, int32_t, s.count);
  const box *tets = sorted_boxes(nodes, def->tets, def->tet_count, 4, scratch);
  *full = ARENA_ARRAY(scratch, double, def->tet_count);
  if (!tets || !s.boxes || !s.near || !*full) return status_no_memory(err, "how full tets are");
  for (size_t i = 0; i < s.count; i++)
    s.widest = fmax(s.widest, s.boxes[i].high.x - s.boxes[i].low.x);
  for (size_t i = 0; i < def->tet_count; i++) {
    vec3 x[4];
    for (size_t a = 0; a < 4; a++) x[a] = nodes[def->tets[4 * (size_t)tets[i].element + a]];
    (*full)[tets[i].element] = inner_part(&s, x, find_near(&s, &tets[i], &first));
  }
  return TRIBO_OK;
}

tribo_status cage_embed(const tribo_object_def *def, arena *memory, arena *scratch,
                        model_body *body, double **full, tribo_error *err) {
  tasks one = {1};
  embedding e;
  *full = NULL;
  tribo_status status =
      embed_points(&one, (const vec3 *)def->cage, def->cage_count, def->tets, def->tet_count,
                   (const vec3 *)def->positions, def->vertex_count, memory, &e, err);
  if (status != TRIBO_OK) return status_prefix(err, status, "object '%s': ", def->name);
  for (size_t i = 0; i < def->vertex_count; i++)
    for (int a = 0; a < 4; a++) e.anchor[i][a] += body->first_node;
  body->kinematics = &kinematics_embedded;
  body->anchor = (const int32_t(*)[4])e.anchor;
  body->weight = (const double(*)[4])e.weight;
  return e.exact ? TRIBO_OK : measure(def, scratch, full, err);
}

/* ---- pins ------------------------------------------------------------------------------------ */

static vec3 target_of(const double *targets, size_t i) { return vec3_from(targets + 3 * i); }

/* Where the pin's vertex number i would have a node of its tet. */
static vec3 wanted_of(const cage_hold *hold, const double *targets, size_t i, const mat3 *turn,
                      vec3 node) {
  if (!targets) return node; /* to the last bit */
  vec3 arm = vec3_sub(node, hold->rest[i]);
  return vec3_add(target_of(targets, i), mat3_mul_vec3(turn, arm));
}

/* The rotation that takes the pin's vertices at rest nearest to their targets in a sample, about
 * their middles; none where they lie in a line, and it would be a guess. */
static mat3 rotation_of(const cage_hold *hold, const double *targets) {
  if (!targets) return mat3_identity();
  vec3 from = {0, 0, 0}, to = {0, 0, 0};
  double each = 1 / (double)hold->vertex_count;
  for (size_t i = 0; i < hold->vertex_count; i++) {
    from = vec3_madd(from, each, hold->rest[i]);
    to = vec3_madd(to, each, target_of(targets, i));
  }
  mat3 sum = {0};
  for (size_t i = 0; i < hold->vertex_count; i++) {
    vec3 p = vec3_sub(hold->rest[i], from);
    mat3 one = mat3_outer(vec3_sub(target_of(targets, i), to), p);
    sum = mat3_add(&sum, &one);
  }
  mat3 u, v;
  vec3 s;
  svd3_decompose(&sum, &u, &s, &v);
  return s.y > 1e-6 * s.x ? mat3_mul_t(&u, &v) : mat3_identity();
}

void cage_aim(const cage_hold *hold, const vec3 *rest, const double *targets, vec3 *out) {
  mat3 turn = rotation_of(hold, targets);
  if (!hold->share) memset(out, 0, hold->count * sizeof *out);
  for (size_t i = 0; i < hold->vertex_count; i++)
    for (int a = 0; a < 4; a++) {
      int32_t at = hold->at[i][a];
      if (at < 0) continue;
      vec3 node = rest[hold->nodes[at]], wanted = wanted_of(hold, targets, i, &turn, node);
      out[at] =
          hold->share ? wanted : vec3_madd(out[at], hold->weight[i][a], vec3_sub(wanted, node));
    }
  for (size_t k = 0; !hold->share && k < hold->count; k++)
    out[k] = vec3_madd(rest[hold->nodes[k]], 1 / hold->sum[k], out[k]);
}

/* A place for every node that carries a vertex of the pin: softly one a vertex, firmly each once.
 * slot[node of the body] is 1 + its place among those held. */
static void place_nodes(const tribo_pin_def *pin, const model_body *body, int32_t *slot,
                        cage_hold *out) {
  for (size_t i = 0; i < pin->vertex_count; i++)
    for (int a = 0; a < 4; a++) {
      double weight = body->weight[pin->vertices[i]][a];
      int32_t node = body->anchor[pin->vertices[i]][a], *known = &slot[node - body->first_node];
      out->at[i][a] = -1;
      if (weight < LEAST_WEIGHT) continue;
      if (out->share || !*known) {
        out->nodes[out->count++] = node;
        *known = (int32_t)out->count;
      }
      int32_t at = out->at[i][a] = *known - 1;
      out->weight[i][a] = weight;
      out->sum[at] += weight;
      if (out->share) out->share[at] = weight;
    }
}

tribo_status cage_pin(const tribo_object_def *object, const tribo_pin_def *pin,
                      const model_body *body, const vec3 *rest, arena *memory, arena *scratch,
                      cage_hold *out, tribo_error *err) {
  size_t samples = pin->targets ? pin->target_count : 1, vertices = pin->vertex_count;
  *out = (cage_hold){.vertex_count = vertices,
                     .rest = ARENA_ARRAY(memory, vec3, vertices),
                     .at = (int32_t(*)[4])ARENA_ARRAY(memory, int32_t, 4 * vertices),
                     .weight = (double(*)[4])ARENA_ARRAY(memory, double, 4 * vertices),
                     .sum = ARENA_ARRAY(memory, double, 4 * vertices),
                     .nodes = ARENA_ARRAY(memory, int32_t, 4 * vertices)};
  bool soft = pin->params.stiffness > 0;
  if (soft) out->share = ARENA_ARRAY(memory, double, 4 * vertices);
  int32_t *slot = ARENA_ARRAY(scratch, int32_t, body->node_count);
  if (!out->rest || !out->at || !out->weight || !out->sum || !out->nodes || !slot ||
      (soft && !out->share))
    return status_no_memory(err, "pins");
  for (size_t i = 0; i < vertices; i++)
    out->rest[i] = vec3_from(object->positions + 3 * (size_t)pin->vertices[i]);
  place_nodes(pin, body, slot, out);
  out->targets = ARENA_ARRAY(memory, vec3, samples * out->count);
  if (!out->targets) return status_no_memory(err, "pins");
  for (size_t s = 0; s < samples; s++)
    cage_aim(out, rest, pin->targets ? pin->targets + 3 * s * vertices : NULL,
             out->targets + s * out->count);
  return TRIBO_OK;
}
