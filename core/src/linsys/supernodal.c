/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "linsys/supernodal.h"

#include <assert.h>
#include <stdlib.h>

/* Subtrees below this share of the whole work are one job: enough jobs to keep many threads busy,
 * few enough that handing them out costs nothing. Nothing below a fraction of a millisecond is
 * worth handing out at all. */
enum { SHARES = 48 };
static const double SMALLEST_JOB = 1e7; /* flops */

static int32_t below(const supernodal *s, int32_t node) {
  return supernodal_height(s, node) - supernodal_columns(s, node);
}

/* Doubles an update takes, rounded up to whole cache lines. */
static size_t update_size(const supernodal *s, int32_t node) {
  size_t side = 3 * (size_t)below(s, node);
  return (side * side + 7) & ~(size_t)7;
}

static bool allocate_tree(supernodal *s) {
  size_t count = (size_t)s->shape.count, total = s->shape.rows_at[count];
  s->parent = ARENA_ARRAY(&s->memory, int32_t, count);
  s->child = ARENA_ARRAY(&s->memory, int32_t, count);
  s->sibling = ARENA_ARRAY(&s->memory, int32_t, count);
  s->relative = ARENA_ARRAY(&s->memory, int32_t, total);
  s->run = ARENA_ARRAY(&s->memory, int32_t, total);
  s->values_at = ARENA_ARRAY(&s->memory, size_t, count + 1);
  s->update_at = ARENA_ARRAY(&s->memory, size_t, count);
  return s->parent && s->child && s->sibling && s->relative && s->run && s->values_at &&
         s->update_at;
}

/* The parent owns the first row below. */
static void find_parents(supernodal *s, const int32_t *node_of_column) {
  int32_t count = s->shape.count;
  for (int32_t n = 0; n < count; n++) s->parent[n] = s->child[n] = s->sibling[n] = -1;
  for (int32_t n = count - 1; n >= 0; n--) {
    if (below(s, n) == 0) continue;
    int32_t up =
        node_of_column[s->shape.rows[s->shape.rows_at[n] + (size_t)supernodal_columns(s, n)]];
    assert(up > n);
    s->parent[n] = up;
    s->sibling[n] = s->child[up];
    s->child[up] = n;
  }
}

/* Rows below are among the parent's: both lists ascend, so one walk finds them all. */
static void find_relative(supernodal *s) {
  const int32_t *rows = s->shape.rows;
  for (int32_t n = 0; n < s->shape.count; n++) {
    if (s->parent[n] < 0) continue;
    size_t from = s->shape.rows_at[n] + (size_t)supernodal_columns(s, n);
    size_t end = s->shape.rows_at[n + 1], base = s->shape.rows_at[s->parent[n]], at = base;
    for (size_t i = from; i < end; i++) {
      while (rows[at] < rows[i]) at++;
      assert(rows[at] == rows[i] && at < s->shape.rows_at[s->parent[n] + 1]);
      s->relative[i] = (int32_t)(at - base);
    }
    for (size_t i = end; i-- > from;)
      s->run[i] = i + 1 < end && s->relative[i + 1] == s->relative[i] + 1 ? s->run[i + 1] + 1 : 1;
  }
}

static void place_values(supernodal *s) {
  size_t at = 0;
  for (int32_t n = 0; n < s->shape.count; n++) {
    s->values_at[n] = at;
    size_t size = 9 * (size_t)supernodal_height(s, n) * (size_t)supernodal_columns(s, n);
    at += (size + 7) & ~(size_t)7;
  }
  s->values_at[s->shape.count] = at;
}

static void size_packs(supernodal *s) {
  for (int32_t n = 0; n < s->shape.count; n++) {
    size_t size = dense_pack_size(3 * supernodal_columns(s, n), 3 * below(s, n));
    if (size > s->pack_size) s->pack_size = size;
  }
  s->pack_size = (s->pack_size + 7) & ~(size_t)7;
}

static int32_t place_of_row(const supernodal *s, int32_t node, int32_t row) {
  const int32_t *rows = s->shape.rows + s->shape.rows_at[node];
  int32_t low = 0, high = supernodal_height(s, node) - 1;
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    if (rows[middle] < row)
      low = middle + 1;
    else
      high = middle;
  }
  assert(rows[low] == row);
  return low;
}

/* Every block of the matrix's upper triangle, sorted by the supernode that takes it. */
static bool place_entries(supernodal *s, const bcsr_pattern *pattern, const int32_t *node_of_column,
                          const int32_t *place) {
  size_t count = (size_t)s->shape.count, blocks = 0;
  for (int32_t i = 0; i < pattern->rows; i++)
    blocks += (size_t)(pattern->row_start[i + 1] - pattern->diagonal[i]);
  s->entries = ARENA_ARRAY(&s->memory, supernodal_entry, blocks);
  size_t *start = s->entries_at = ARENA_ARRAY(&s->memory, size_t, count + 2);
  if (!s->entries || !start) return false;

  for (int filling = 0; filling < 2; filling++) {
    for (int32_t i = 0; i < pattern->rows; i++)
      for (int32_t k = pattern->diagonal[i]; k < pattern->row_start[i + 1]; k++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): place of every row */
        int32_t a = place[i], b = place[pattern->columns[k]];
        bool transposed = a < b; /* (a, b) lies above the diagonal of the reordered matrix */
        int32_t row = transposed ? b : a, column = transposed ? a : b;
        int32_t node = node_of_column[column];
        if (!filling) {
          start[node + 2]++;
          continue;
        }
        size_t height = 3 * (size_t)supernodal_height(s, node);
        size_t to = 3 * (size_t)(column - s->shape.first[node]) * height +
                    3 * (size_t)place_of_row(s, node, row);
        s->entries[start[node + 1]++] = (supernodal_entry){to, k, transposed};
      }
    if (!filling)
      for (size_t n = 0; n <= count; n++) start[n + 1] += start[n];
  }
  return true;
}

static double work_of(const supernodal *s, int32_t node) {
  double w = 3.0 * supernodal_columns(s, node), m = 3.0 * below(s, node);
  return w * w * w / 3 + w * w * m + w * m * m + 100 * (w + m);
}

static bool cut_into_jobs(supernodal *s) {
  int32_t count = s->shape.count;
  double *work = calloc((size_t)count, sizeof *work);
  int32_t *size = calloc((size_t)count, sizeof *size),
          *job_of = calloc((size_t)count, sizeof *size);
  int32_t *parent = ARENA_ARRAY(&s->memory, int32_t, count);
  s->jobs = ARENA_ARRAY(&s->memory, supernodal_job, count);
  bool done = work && size && job_of && parent && s->jobs;
  if (done) {
    double total = 0;
    for (int32_t n = 0; n < count; n++) {
      work[n] += work_of(s, n);
      size[n]++;
      total += work_of(s, n);
      if (s->parent[n] < 0) continue;
      work[s->parent[n]] += work[n];
      size[s->parent[n]] += size[n];
    }
    double small = total / SHARES > SMALLEST_JOB ? total / SHARES : SMALLEST_JOB;
    for (int32_t n = 0; n < count; n++) {
      bool within = work[n] <= small && s->parent[n] >= 0 && work[s->parent[n]] <= small;
      if (within) continue;
      int32_t begin = work[n] <= small ? n - size[n] + 1 : n;
      job_of[n] = (int32_t)s->job_count;
      s->jobs[s->job_count++] = (supernodal_job){begin, n + 1};
    }
    for (size_t j = 0; j < s->job_count; j++) {
      int32_t up = s->parent[s->jobs[j].end - 1];
      parent[j] = up < 0 ? -1 : job_of[up];
    }
    done = tasks_forest_create(s->job_count, parent, &s->memory, &s->forest);
  }
  free(work);
  free(size);
  free(job_of);
  return done;
}

/* Within a job, updates stand on two stacks, by the parity of their depth: when a front is built
 * its children are on top of one, and its own update goes on top of the other. */
static void stack_updates(supernodal *s, const unsigned char *odd) {
  size_t peak[2] = {0, 0};
  for (size_t j = 0; j < s->job_count; j++) {
    size_t top[2] = {0, 0};
    for (int32_t n = s->jobs[j].begin; n < s->jobs[j].end; n++) {
      if (n + 1 < s->jobs[j].end) {
        s->update_at[n] = top[odd[n]];
        top[odd[n]] += update_size(s, n);
        if (top[odd[n]] > peak[odd[n]]) peak[odd[n]] = top[odd[n]];
      }
      if (s->jobs[j].end - s->jobs[j].begin > 1) /* otherwise the children are roots of jobs */
        for (int32_t c = s->child[n]; c >= 0; c = s->sibling[c]) top[!odd[n]] -= update_size(s, c);
    }
  }
  for (size_t j = 0; j < s->job_count; j++)
    for (int32_t n = s->jobs[j].begin; n + 1 < s->jobs[j].end; n++)
      if (odd[n]) s->update_at[n] += peak[0];
  s->stack_size = peak[0] + peak[1];
}

typedef struct buffer {
  size_t size, at;
  int32_t next; /* in a list of spare ones; -1: last */
} buffer;

/* The root of a job leaves its update to the parent, at an unknown time in an unknown thread. Its
 * buffer can only go to a grandparent or above, which surely starts after the parent is done.
 * Returns the size of all buffers. */
static size_t share_updates(supernodal *s, buffer *buffers, int32_t *spare, int32_t *buffer_of) {
  int32_t used = 0;
  for (size_t j = 0; j < s->job_count; j++) {
    int32_t available = -1;
    for (int32_t c = s->forest.child[j]; c >= 0; c = s->forest.sibling[c]) {
      if (spare[c] < 0) continue;
      int32_t last = spare[c];
      while (buffers[last].next >= 0) last = buffers[last].next;
      buffers[last].next = available;
      available = spare[c];
    }
    int32_t *best = NULL;
    for (int32_t *link = &available; *link >= 0; link = &buffers[*link].next)
      if (!best || buffers[*link].size > buffers[*best].size) best = link;
    int32_t mine;
    if (best) {
      mine = *best;
      *best = buffers[mine].next;
    } else {
      mine = used++;
      buffers[mine] = (buffer){0};
    }
    size_t size = update_size(s, s->jobs[j].end - 1);
    if (size > buffers[mine].size) buffers[mine].size = size;
    buffer_of[j] = mine;

    spare[j] = available;
    for (int32_t c = s->forest.child[j]; c >= 0; c = s->forest.sibling[c]) {
      buffers[buffer_of[c]].next = spare[j];
      spare[j] = buffer_of[c];
    }
  }
  size_t total = 0;
  for (int32_t b = 0; b < used; b++) {
    buffers[b].at = total;
    total += buffers[b].size;
  }
  for (size_t j = 0; j < s->job_count; j++)
    s->update_at[s->jobs[j].end - 1] = buffers[buffer_of[j]].at;
  return total;
}

static bool place_updates(supernodal *s) {
  size_t count = (size_t)s->shape.count;
  unsigned char *odd = calloc(count, 1);
  buffer *buffers = calloc(s->job_count, sizeof *buffers);
  int32_t *spare = calloc(s->job_count, sizeof *spare);
  int32_t *buffer_of = calloc(s->job_count, sizeof *buffer_of);
  bool done = odd && buffers && spare && buffer_of;
  if (done) {
    for (size_t n = count; n-- > 0;)
      if (s->parent[n] >= 0) odd[n] = !odd[s->parent[n]];
    stack_updates(s, odd);
    s->kept_size = share_updates(s, buffers, spare, buffer_of);
  }
  free(odd);
  free(buffers);
  free(spare);
  free(buffer_of);
  return done;
}

static bool plan(supernodal *s, const bcsr_pattern *pattern) {
  if (!allocate_tree(s)) return false;
  int32_t *node_of_column = malloc((size_t)s->rows * sizeof(int32_t));
  int32_t *place = malloc((size_t)s->rows * sizeof(int32_t));
  bool done = node_of_column && place;
  if (done) {
    for (int32_t n = 0; n < s->shape.count; n++)
      for (int32_t c = s->shape.first[n]; c < s->shape.first[n + 1]; c++) node_of_column[c] = n;
    for (int32_t i = 0; i < s->rows; i++) place[s->shape.order[i]] = i;
    find_parents(s, node_of_column);
    find_relative(s);
    place_values(s);
    size_packs(s);
    done = place_entries(s, pattern, node_of_column, place) && cut_into_jobs(s) && place_updates(s);
  }
  free(node_of_column);
  free(place);
  return done;
}

/* The stacks count as for two threads, so that what fits does not depend on their number. */
static bool fits(const supernodal *s, double most_bytes) {
  double doubles = (double)s->values_at[s->shape.count] + (double)s->kept_size +
                   2 * ((double)s->stack_size + (double)s->pack_size);
  return doubles * sizeof(double) <= most_bytes;
}

/* Not from the arena: these are the large ones, they need no clearing, and an arena grows by
 * doubling.
 */
static double *numbers(size_t count) {
  size_t bytes = (count * sizeof(double) + 63) & ~(size_t)63;
  return aligned_alloc(64, bytes ? bytes : 64);
}

static bool allocate_numbers(supernodal *s) {
  s->values = numbers(s->values_at[s->shape.count]);
  s->kept = numbers(s->kept_size);
  s->stacks = numbers(s->stack_size * (size_t)s->tasks.threads);
  s->packs = numbers(s->pack_size * (size_t)s->tasks.threads);
  return s->values && s->kept && s->stacks && s->packs;
}

tribo_status supernodal_create(supernodal *s, const bcsr_pattern *pattern, double most_bytes,
                               bool *too_large, tribo_error *err) {
  s->rows = pattern->rows;
  s->dense = dense_best();
  atomic_init(&s->failed, false);
  *too_large = false;
  if (!plan(s, pattern)) return status_no_memory(err, "the factorisation");
  *too_large = !fits(s, most_bytes);
  if (*too_large || allocate_numbers(s)) return TRIBO_OK;
  return status_fail(err, TRIBO_NO_MEMORY,
                     "out of memory for the factorisation; the solver cg needs far less");
}

void supernodal_free(supernodal *s) {
  free(s->values);
  free(s->kept);
  free(s->stacks);
  free(s->packs);
  free(s->x);
  arena_free(&s->memory);
}
