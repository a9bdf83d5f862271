/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "projective/projective_guard.h"

#include <math.h>
#include <string.h>

#include "projective/projective.h"

/* Of mass times gravity times size: what a step may gain by rounding. */
static const double ROUNDING = 1e-7;

/* Halvings of the share that is left. */
enum { HALVINGS = 12 };

/* Of the velocities of the iterations: where less than this is left they lead the wrong way. */
static const double ENOUGH = 0.9;

/* ---- pieces -----------------------------------------------------------------------------------
 */

/* What hangs together by elements has one number. */
static int32_t number_pieces(const model *m, int32_t *piece_of, int32_t *queue) {
  const bcsr_pattern *pattern = &m->pattern;
  int32_t count = 0;
  for (int32_t i = 0; i < m->node_count; i++) piece_of[i] = -1;
  for (int32_t i = 0; i < m->node_count; i++) {
    if (piece_of[i] >= 0) continue;
    int32_t tail = 0;
    piece_of[i] = count;
    queue[tail++] = i;
    for (int32_t head = 0; head < tail; head++) {
      int32_t row = queue[head];
      for (int32_t k = pattern->row_start[row]; k < pattern->row_start[row + 1]; k++) {
        int32_t other = pattern->columns[k];
        if (piece_of[other] >= 0) continue;
        piece_of[other] = count;
        queue[tail++] = other;
      }
    }
    count++;
  }
  return count;
}

tribo_status projective_guard_create(const model *m, arena *memory, projective_guard *out,
                                     tribo_error *err) {
  *out = (projective_guard){.piece_of = ARENA_ARRAY(memory, int32_t, m->node_count),
                            .wanted = ARENA_ARRAY(memory, vec3, m->node_count)};
  int32_t *queue = ARENA_ARRAY(memory, int32_t, m->node_count);
  if (!out->piece_of || !out->wanted || !queue) return status_no_memory(err, "a step's work space");
  out->count = (size_t)number_pieces(m, out->piece_of, queue);
  out->pieces = ARENA_ARRAY(memory, guard_piece, out->count);
  out->sums = ARENA_ARRAY(memory, double, out->count);
  return out->pieces && out->sums ? TRIBO_OK : status_no_memory(err, "a step's work space");
}

static int32_t root_of(projective_guard *g, int32_t piece) {
  while (g->pieces[piece].root != piece)
    piece = g->pieces[piece].root = g->pieces[g->pieces[piece].root].root;
  return piece;
}

static guard_piece *piece_at(projective_guard *g, int32_t node) {
  return &g->pieces[root_of(g, g->piece_of[node])];
}

static void join(projective_guard *g, int32_t a, int32_t b) {
  int32_t one = root_of(g, g->piece_of[a]), other = root_of(g, g->piece_of[b]);
  if (one != other) g->pieces[one > other ? one : other].root = one < other ? one : other;
}

/* Solids know what an impulse does to them (projective_press.h); alone they are not minded. */
static bool is_cloth(const projective *p, int32_t node) {
  return p->model->bodies[p->layers.finder.body[node]].sheet;
}

static void join_pieces(projective *p) {
  projective_guard *g = &p->guard;
  for (size_t i = 0; i < g->count; i++) g->pieces[i] = (guard_piece){.root = (int32_t)i};
  for (size_t i = 0; i < p->layers.count; i++) {
    const projective_stencil *c = &p->layers.stencils[i];
    for (int k = 1; k < 4 && c->impulse.x > 0; k++) join(g, c->node[0], c->node[k]);
    for (int k = 0; k < 4; k++)
      piece_at(g, c->node[k])->touches |= is_cloth(p, c->node[k]) || c->impulse.x > 0;
  }
  for (size_t i = 0; i < g->count; i++)
    if (g->pieces[i].touches) g->pieces[root_of(g, (int32_t)i)].touches = true;
}

/* ---- what came from outside -------------------------------------------------------------------
 */

static double pull_of(const model *m) {
  double g = vec3_norm(m->gravity);
  return g > 0 ? g : 9.81;
}

/* A contact of a node with an obstacle: its velocity counts for the base, by the impulse. */
static void stand_on(guard_piece *piece, vec3 velocity, double weight) {
  piece->lies = true;
  piece->base = vec3_madd(piece->base, weight, velocity);
  piece->carried += weight;
}

static double square(double x) { return x * x; }

/* r . w of an obstacle that moves, whose way along the normal is in the gap; of one that rests
 * what it takes to lift `mass` out of it. */
static double giving(vec3 r, vec3 shift, bool moves, double lift) {
  double inside = fmax(0, -shift.x);
  if (!moves) return lift * inside;
  return fmax(lift * inside, r.x * inside) + fmax(0, -(r.y * shift.y + r.z * shift.z));
}

static void ask_contacts(projective *p) {
  const model *m = p->model;
  double lift = p->options.h * pull_of(m);
  for (size_t i = 0; i < p->set.count; i++) {
    const projective_contact *c = &p->contacts[i];
    guard_piece *piece = piece_at(&p->guard, c->node);
    piece->touches |= is_cloth(p, c->node);
    if (c->held || !(c->impulse.x > 0)) continue;
    const contact_point *at = &p->set.contacts[i];
    bool moves = vec3_norm2(at->surface_velocity) > 0;
    double mass = c->pressed ? piece->mass : c->mass;
    double given = giving(c->impulse, c->shift, moves, lift * mass);
    if (at->allowed > 0) given += mass * square(fmin(c->shift.x, 0)) / 2;
    piece->given = c->pressed ? fmax(piece->given, given) : piece->given + given;
    stand_on(piece, at->surface_velocity, c->impulse.x);
  }
}

static void ask_meetings(projective *p) {
  double lift = p->options.h * pull_of(p->model);
  for (size_t i = 0; i < p->edges.count; i++) {
    const projective_stencil *c = &p->edges.stencils[i];
    guard_piece *piece = piece_at(&p->guard, c->node[0]);
    piece->touches = true;
    if (!(c->impulse.x > 0)) continue;
    piece->given += giving(c->impulse, c->shift, p->edges.moves[i], lift * c->mass);
    vec3 surface_velocity = vec3_madd(vec3_scale(-c->shift.y, c->cone.t), -c->shift.z, c->cone.b);
    stand_on(piece, surface_velocity, c->impulse.x);
  }
  for (size_t i = 0; i < p->layers.count; i++) {
    const projective_stencil *c = &p->layers.stencils[i];
    if (!(c->impulse.x > 0)) continue;
    guard_piece *piece = piece_at(&p->guard, c->node[0]);
    piece->given += giving(c->impulse, c->shift, false, lift * c->mass);
  }
}

/* What obstacles give that were stopped from passing. */
static void ask_passing(projective *p) {
  const projective_passing *by = &p->passing;
  for (size_t i = 0; i < by->hits.count; i++) {
    const passing_hit *hit = &by->hits.data[i];
    guard_piece *piece = piece_at(&p->guard, hit->node[0]);
    piece->touches = true;
    if (hit->skin < 0 || !(hit->impulse > 0)) continue;
    piece->given += fmax(0, hit->impulse * hit->driven);
    stand_on(piece, hit->surface_velocity, hit->impulse);
  }
}

static void ask_nodes(projective *p) {
  const model *m = p->model;
  projective_guard *g = &p->guard;
  for (int32_t i = 0; i < m->node_count; i++) {
    guard_piece *piece = piece_at(g, i);
    piece->mass += m->mass[i];
    double work = -vec3_dot(p->g[i], p->v[i]);
    if (p->air) piece->driven += fmax(0, -p->options.h * vec3_dot(p->air[i], p->v[i]));
    if (m->row_of_node[i] >= 0) {
      piece->work += work;
      continue;
    }
    piece->driven += fmax(0, work);
    stand_on(piece, p->v[i], vec3_norm(p->g[i]));
  }
}

/* ---- energy -----------------------------------------------------------------------------------
 */

static double node_energy(const projective *p, int32_t i, vec3 x, vec3 v) {
  const model *m = p->model;
  double sum = -m->mass[i] * vec3_dot(m->gravity, vec3_sub(x, p->start[i]));
  sum += 0.5 * m->mass[i] * vec3_norm2(v);
  if (p->soft[i] > 0) sum += 0.5 * p->soft[i] * vec3_norm2(vec3_sub(x, p->target[i]));
  return sum;
}

/* Of each piece, at velocities v and, if the step is done, where they lead to. */
static void count_energy(projective *p, const vec3 *v, bool done) {
  projective_guard *g = &p->guard;
  memset(g->sums, 0, g->count * sizeof *g->sums);
  for (int32_t i = 0; i < p->model->node_count; i++) {
    vec3 x = done ? vec3_madd(p->start[i], p->options.h, v[i]) : p->start[i];
    p->x[i] = (vec4){{x.x, x.y, x.z, 0}};
    g->sums[g->piece_of[i]] += node_energy(p, i, x, v[i]);
  }
  projective_cloth_energies(&p->cloth, p->x, g->piece_of, g->sums);
  projective_solid_energies(&p->solid, p->x, g->piece_of, g->sums);
  for (size_t i = 0; i < g->count; i++) {
    int32_t root = root_of(g, (int32_t)i);
    if (root != (int32_t)i) g->sums[root] += g->sums[i];
  }
}

/* ---- holding back -----------------------------------------------------------------------------
 */

/* Whether contacts of any piece do more work than they may. */
static bool is_suspicious(projective *p) {
  projective_guard *g = &p->guard;
  const model *m = p->model;
  bool any = false;
  for (size_t i = 0; i < g->count; i++) {
    guard_piece *piece = &g->pieces[i];
    piece->low = piece->high = 1;
    if (piece->root != (int32_t)i || !piece->touches) continue;
    piece->given += ROUNDING * piece->mass * pull_of(m) * m->size;
    piece->low = piece->work > piece->given ? 0 : 1;
    any |= piece->low < 1;
  }
  return any;
}

/* What stands still with what it stands on, or flies as a whole. */
static void find_bases(projective *p) {
  projective_guard *g = &p->guard;
  const model *m = p->model;
  for (int32_t i = 0; i < m->node_count; i++) {
    guard_piece *piece = piece_at(g, i);
    g->wanted[i] = p->v[i];
    if (piece->lies) continue;
    piece->base = vec3_madd(piece->base, m->mass[i], p->v[i]);
    piece->carried += m->mass[i];
  }
  for (size_t i = 0; i < g->count; i++)
    if (g->pieces[i].carried > 0)
      g->pieces[i].base = vec3_scale(1 / g->pieces[i].carried, g->pieces[i].base);
}

static double middle_share(const guard_piece *piece) { return 0.5 * (piece->low + piece->high); }

static void set_velocities(projective *p, double (*share)(const guard_piece *piece)) {
  projective_guard *g = &p->guard;
  for (int32_t i = 0; i < p->model->node_count; i++) {
    const guard_piece *piece = piece_at(g, i);
    if (p->model->row_of_node[i] < 0 || piece->low == 1) continue;
    vec3 own = vec3_sub(g->wanted[i], piece->base);
    p->v[i] = vec3_madd(piece->base, share(piece), own);
  }
}

static double least_share(const guard_piece *piece) { return piece->low; }

static void count_now(projective *p) {
  projective_guard *g = &p->guard;
  count_energy(p, p->v, true);
  for (size_t i = 0; i < g->count; i++) g->pieces[i].now = g->sums[i];
}

/* Pieces that have no more than was there and came in are let go where they want. */
static bool is_too_much(projective *p, const vec3 *before) {
  projective_guard *g = &p->guard;
  bool any = false;
  count_energy(p, before, false);
  for (size_t i = 0; i < g->count; i++)
    g->pieces[i].allowed = g->sums[i] + g->pieces[i].given + g->pieces[i].driven;
  count_now(p);
  for (size_t i = 0; i < g->count; i++) {
    guard_piece *piece = &g->pieces[i];
    if (!(piece->now > piece->allowed)) piece->low = 1;
    any |= piece->low < 1;
  }
  return any;
}

static bool makes_energy(projective *p, const projective_start *start) {
  if (p->set.count + p->edges.count + p->layers.count + p->passing.hits.count == 0) return false;
  projective_residual(p);
  join_pieces(p);
  ask_nodes(p);
  ask_contacts(p);
  ask_meetings(p);
  ask_passing(p);
  return is_suspicious(p) && is_too_much(p, start->v);
}

static void halve(projective *p) {
  projective_guard *g = &p->guard;
  set_velocities(p, middle_share);
  count_now(p);
  for (size_t i = 0; i < g->count; i++) {
    guard_piece *piece = &g->pieces[i];
    if (piece->low == 1) continue;
    *(piece->now > piece->allowed ? &piece->high : &piece->low) = middle_share(piece);
  }
}

static guard_made count_made(const projective *p) {
  const projective_guard *g = &p->guard;
  guard_made made = {.node = -1};
  double most = 0;
  size_t which = 0;
  for (size_t i = 0; i < g->count; i++) {
    const guard_piece *piece = &g->pieces[i];
    if (piece->low == 1) continue;
    double more = piece->now - piece->allowed;
    made.joules += more;
    if (more > most) most = more, which = i;
  }
  if (!(most > 0)) return made;
  made.share = most / (g->pieces[which].mass * pull_of(p->model) * p->model->size);
  for (int32_t i = 0; made.node < 0; i++)
    if (g->piece_of[i] == (int32_t)which) made.node = i;
  return made;
}

guard_made projective_guard_hold(projective *p, const projective_start *start) {
  projective_guard *g = &p->guard;
  if (!makes_energy(p, start)) return (guard_made){.node = -1};
  guard_made made = count_made(p);
  find_bases(p);
  for (int k = 0; k < HALVINGS; k++) halve(p);
  set_velocities(p, least_share);
  for (size_t i = 0; i < g->count; i++) made.again |= g->pieces[i].low < ENOUGH;
  return made;
}

bool projective_guard_again(projective_guard *g, int32_t node) {
  return piece_at(g, node)->low < ENOUGH;
}
