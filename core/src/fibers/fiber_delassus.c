/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fibers/fiber_delassus.h"

#include <string.h>

static bool diagonal(const strand *s) { return s->factor.half == 0; }

/* ---- sides ---- */

static tribo_status count_sides(fiber_delassus *d, arena *memory, tribo_error *err) {
  size_t n = d->f->count;
  d->start = ARENA_ARRAY(memory, size_t, n + 2);
  d->sides = ARENA_ARRAY(memory, fiber_side, 2 * d->count);
  d->own = arena_alloc(memory, d->count, sizeof *d->own);
  d->half = ARENA_ARRAY(memory, double *, n);
  d->product = ARENA_ARRAY(memory, double *, n);
  if (!d->start || !d->sides || !d->own || !d->half || !d->product)
    return status_no_memory(err, "contacts of strands");
  for (size_t i = 0; i < d->count; i++) {
    d->start[d->contacts[i].a + 2]++;
    if (d->contacts[i].b >= 0) d->start[d->contacts[i].b + 2]++;
  }
  for (size_t i = 0; i < n; i++) d->start[i + 2] += d->start[i + 1];
  for (size_t i = 0; i < d->count; i++)
    for (int k = 0; k < 2; k++) {
      int32_t s = k ? d->contacts[i].b : d->contacts[i].a;
      d->own[i][k] = -1;
      if (s < 0) continue;
      d->own[i][k] = (int32_t)d->start[s + 1];
      d->sides[d->start[s + 1]++].contact = (int32_t)i;
    }
  return TRIBO_OK;
}

static tribo_status make_room(fiber_delassus *d, arena *memory, tribo_error *err) {
  for (size_t s = 0; s < d->f->count; s++) {
    size_t n = (size_t)d->f->strands[s].freedoms, sides = d->start[s + 1] - d->start[s];
    if (sides == 0) continue;
    vec3 *rows = ARENA_ARRAY(memory, vec3, n * sides);
    d->half[s] = ARENA_ARRAY(memory, double, n * 3 * sides);
    if (!diagonal(&d->f->strands[s]))
      d->product[s] = ARENA_ARRAY(memory, double, 9 * sides * sides);
    if (!rows || !d->half[s] || (!d->product[s] && !diagonal(&d->f->strands[s])))
      return status_no_memory(err, "contacts of strands");
    for (size_t k = 0; k < sides; k++) d->sides[d->start[s] + k].rows = rows + k * n;
  }
  return TRIBO_OK;
}

static vec3 in_frame(const fiber_contact *c, double sign, vec3 x) {
  return vec3_make(sign * vec3_dot(x, c->n), sign * vec3_dot(x, c->t),
                   sign * vec3_dot(x, c->b_axis));
}

static void take_sides(void *context, size_t begin, size_t end) {
  fiber_delassus *d = context;
  for (size_t s = begin; s < end; s++)
    for (size_t k = d->start[s]; k < d->start[s + 1]; k++) {
      fiber_side *side = &d->sides[k];
      const fiber_contact *c = &d->contacts[side->contact];
      bool second = d->own[side->contact][1] == (int32_t)k;
      strand_jacobian j = {.column = side->rows};
      d->f->strands[s].model->jacobian(&d->f->strands[s], &c->at[second], &j);
      side->first = j.first, side->count = j.count;
      for (int32_t i = 0; i < j.count; i++)
        side->rows[i] = in_frame(c, second ? -1 : 1, side->rows[i]);
      side->drift = in_frame(c, second ? -1 : 1, j.drift);
    }
}

/* ---- the pattern ---- */

static bool share_freedoms(const fiber_side *x, const fiber_side *y) {
  return x->first < y->first + y->count && y->first < x->first + x->count;
}

/* The contacts of each strand couple with each other; of one with a diagonal A by pairs. */
static tribo_status analyze(fiber_delassus *d, arena *memory, tribo_error *err) {
  size_t n = d->f->count, pairs = 0, filled = 0;
  for (size_t s = 0; s < n; s++)
    for (size_t k = d->start[s]; diagonal(&d->f->strands[s]) && k < d->start[s + 1]; k++)
      for (size_t o = k + 1; o < d->start[s + 1]; o++)
        pairs += share_freedoms(&d->sides[k], &d->sides[o]);
  size_t sides = d->start[n];
  int32_t *rows = ARENA_ARRAY(memory, int32_t, sides + 2 * pairs);
  bcsr_clique_set *sets = ARENA_ARRAY(memory, bcsr_clique_set, n + 1);
  if (!rows || !sets) return status_no_memory(err, "contacts of strands");
  for (size_t k = 0; k < sides; k++) rows[k] = d->sides[k].contact;
  int32_t *pair = rows + sides;
  for (size_t s = 0; s < n; s++) {
    if (!diagonal(&d->f->strands[s])) {
      size_t own = d->start[s + 1] - d->start[s];
      sets[s] = (bcsr_clique_set){rows + d->start[s], own > 0, (int)own};
      continue;
    }
    sets[s] = (bcsr_clique_set){rows + d->start[s], d->start[s + 1] - d->start[s], 1};
    for (size_t k = d->start[s]; k < d->start[s + 1]; k++)
      for (size_t o = k + 1; o < d->start[s + 1]; o++)
        if (share_freedoms(&d->sides[k], &d->sides[o]))
          pair[filled++] = rows[k], pair[filled++] = rows[o];
  }
  sets[n] = (bcsr_clique_set){pair, pairs, 2};
  TRY(bcsr_analyze((int32_t)d->count, sets, n + 1, memory, &d->pattern, err));
  d->w = (bcsr){&d->pattern, ARENA_ARRAY(memory, mat3, bcsr_block_count(&d->pattern))};
  return d->w.blocks ? TRIBO_OK : status_no_memory(err, "contacts of strands");
}

tribo_status fiber_delassus_make(const fibers *f, const fiber_contact *contacts, size_t count,
                                 arena *memory, fiber_delassus *out, tribo_error *err) {
  *out = (fiber_delassus){.f = f, .contacts = contacts, .count = count};
  TRY(count_sides(out, memory, err));
  TRY(make_room(out, memory, err));
  tasks_for(&f->tasks, f->count, 1, take_sides, out);
  return analyze(out, memory, err);
}

/* ---- the numbers ---- */

/* Y^T Y of a strand, the lower triangle of blocks, a row of it at a time. */
static void multiply(const fiber_delassus *d, size_t s) {
  size_t sides = d->start[s + 1] - d->start[s], wide = 3 * sides;
  const double *y = d->half[s];
  double *w = d->product[s];
  memset(w, 0, wide * wide * sizeof *w);
  for (size_t r = 0; r < (size_t)d->f->strands[s].freedoms; r++) {
    const double *row = y + r * wide;
    for (size_t i = 0; i < wide; i++) {
      double factor = row[i];
      if (factor == 0) continue;
      double *to = w + i * wide;
      size_t end = i / 3 * 3 + 3;
      for (size_t j = 0; j < end; j++) to[j] += factor * row[j];
    }
  }
}

static void solve_strands(void *context, size_t begin, size_t end) {
  fiber_delassus *d = context;
  for (size_t s = begin; s < end; s++) {
    const strand *own = &d->f->strands[s];
    size_t sides = d->start[s + 1] - d->start[s], wide = 3 * sides;
    double *y = d->half[s];
    if (sides == 0) continue;
    memset(y, 0, (size_t)own->freedoms * wide * sizeof *y);
    int32_t first = own->freedoms;
    for (size_t k = 0; k < sides; k++) {
      const fiber_side *side = &d->sides[d->start[s] + k];
      if (side->first < first) first = side->first;
      for (int32_t i = 0; i < side->count; i++) {
        double *to = y + (size_t)(side->first + i) * wide + 3 * k;
        to[0] = side->rows[i].x, to[1] = side->rows[i].y, to[2] = side->rows[i].z;
      }
    }
    band_forward(&own->factor, (int)wide, first, y);
    if (d->product[s]) multiply(d, s);
  }
}

/* Block (x, y) of a strand's part of W. */
static mat3 block_of(const fiber_delassus *d, size_t s, size_t x, size_t y) {
  size_t wide = 3 * (d->start[s + 1] - d->start[s]), i = x - d->start[s], j = y - d->start[s];
  mat3 out = {{{0}}};
  if (d->product[s]) {
    const double *w = d->product[s];
    for (size_t r = 0; r < 3; r++)
      for (size_t c = 0; c < 3; c++)
        out.m[r][c] =
            i >= j ? w[(3 * i + r) * wide + 3 * j + c] : w[(3 * j + c) * wide + 3 * i + r];
    return out;
  }
  const fiber_side *side = &d->sides[x];
  for (int32_t k = side->first; k < side->first + side->count; k++) {
    const double *row = d->half[s] + (size_t)k * wide;
    for (size_t r = 0; r < 3; r++)
      for (size_t c = 0; c < 3; c++) out.m[r][c] += row[3 * i + r] * row[3 * j + c];
  }
  return out;
}

static void fill_row(const fiber_delassus *d, size_t i) {
  const bcsr_pattern *p = d->w.pattern;
  for (int32_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) d->w.blocks[k] = (mat3){{{0}}};
  for (int end = 0; end < 2; end++) {
    int32_t s = end ? d->contacts[i].b : d->contacts[i].a;
    if (s < 0) continue;
    size_t own = (size_t)d->own[i][end];
    int32_t k = p->row_start[i]; /* sides ascend with contacts, as columns do */
    for (size_t o = d->start[s]; o < d->start[s + 1]; o++) {
      if (diagonal(&d->f->strands[s]) && !share_freedoms(&d->sides[own], &d->sides[o])) continue;
      while (p->columns[k] < d->sides[o].contact) k++;
      mat3 block = block_of(d, (size_t)s, own, o);
      d->w.blocks[k] = mat3_add(&d->w.blocks[k], &block);
    }
  }
}

static void fill_rows(void *context, size_t begin, size_t end) {
  for (size_t i = begin; i < end; i++) fill_row(context, i);
}

void fiber_delassus_fill(fiber_delassus *d, vec3 *velocity) {
  tasks_for(&d->f->tasks, d->f->count, 1, solve_strands, d);
  tasks_for(&d->f->tasks, d->count, 64, fill_rows, d);
  for (size_t i = 0; i < d->count; i++) velocity[i] = vec3_make(0, 0, 0);
  for (size_t s = 0; s < d->f->count; s++)
    for (size_t k = d->start[s]; k < d->start[s + 1]; k++) {
      const fiber_side *side = &d->sides[k];
      vec3 u = vec3_add(velocity[side->contact], side->drift);
      for (int32_t i = 0; i < side->count; i++)
        u = vec3_madd(u, d->f->strands[s].free[side->first + i], side->rows[i]);
      velocity[side->contact] = u;
    }
}

void fiber_delassus_respond(const fiber_delassus *d, size_t i, const vec3 *r, double *v) {
  const strand *s = &d->f->strands[i];
  size_t sides = d->start[i + 1] - d->start[i], wide = 3 * sides;
  for (size_t k = 0; k < (size_t)s->freedoms; k++) {
    v[k] = 0;
    for (size_t j = 0; j < sides; j++) {
      const double *y = d->half[i] + k * wide + 3 * j;
      vec3 own = r[d->sides[d->start[i] + j].contact];
      v[k] += y[0] * own.x + y[1] * own.y + y[2] * own.z;
    }
  }
  if (sides > 0) band_backward(&s->factor, 1, v);
  for (int32_t k = 0; k < s->freedoms; k++) v[k] += s->free[k];
}

void fiber_delassus_push(const fiber_delassus *d, size_t i, const vec3 *r, double *f) {
  for (size_t k = d->start[i]; k < d->start[i + 1]; k++) {
    const fiber_side *side = &d->sides[k];
    for (int32_t j = 0; j < side->count; j++)
      f[side->first + j] += vec3_dot(side->rows[j], r[side->contact]);
  }
}
