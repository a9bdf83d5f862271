/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/contact_export.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"

/* The entries of the contact set, node by node: those of a node couple with each other. An entry of
 * a contact that drills comes twice where it turns: in its own row, and in that of its drilling. */
typedef struct by_node {
  size_t *start; /* node_count + 1 */
  size_t *entry; /* of the set */
  int32_t *row;  /* of the problem, that the entry belongs to */
  bcsr_clique_set *cliques;
} by_node;

/* Which contacts drill, in rows after all others. */
typedef struct drillings {
  size_t count;
  int32_t *row;     /* by contact: of its drilling; -1: it has none */
  int32_t *contact; /* by row: the contact itself, or the one whose drilling it is */
} drillings;

static bool moves(const friction_problem *p, int32_t node) {
  return mat3_frobenius2(&p->inverse_mass[node]) > 0;
}

static tribo_status find_drillings(const friction_problem *p, arena *scratch, drillings *out,
                                   tribo_error *err) {
  size_t count = p->set->count;
  *out = (drillings){.row = ARENA_ARRAY(scratch, int32_t, count),
                     .contact = ARENA_ARRAY(scratch, int32_t, 2 * count)};
  if (!out->row || !out->contact) return status_no_memory(err, "the contact problem");
  for (size_t i = 0; i < count; i++) {
    bool drills = friction_drills(p, i);
    out->contact[i] = (int32_t)i;
    out->row[i] = drills ? (int32_t)(count + out->count) : -1;
    if (drills) out->contact[count + out->count++] = (int32_t)i;
  }
  return TRIBO_OK;
}

/* The rows that entry e of contact i is in. */
static int rows_of(const friction_problem *p, const drillings *drills, size_t i, size_t e,
                   int32_t rows[2]) {
  rows[0] = (int32_t)i, rows[1] = drills->row[i];
  return rows[1] >= 0 && vec3_norm2(p->set->turn[e]) > 0 ? 2 : 1;
}

static tribo_status sort_by_node(const friction_problem *p, const drillings *drills, arena *scratch,
                                 by_node *out, tribo_error *err) {
  const contact_set *set = p->set;
  size_t most = 2 * set->start[set->count];
  *out = (by_node){.start = ARENA_ARRAY(scratch, size_t, p->node_count + 2),
                   .entry = ARENA_ARRAY(scratch, size_t, most),
                   .row = ARENA_ARRAY(scratch, int32_t, most),
                   .cliques = ARENA_ARRAY(scratch, bcsr_clique_set, p->node_count)};
  if (!out->start || !out->entry || !out->row || !out->cliques)
    return status_no_memory(err, "the contact problem");
  /* Counts stand two places up, so that filling a node moves its end to where it belongs. */
  int32_t rows[2];
  for (size_t i = 0; i < set->count; i++)
    for (size_t e = set->start[i]; e < set->start[i + 1]; e++)
      out->start[set->node[e] + 2] += (size_t)rows_of(p, drills, i, e, rows);
  for (size_t n = 0; n <= p->node_count; n++) out->start[n + 1] += out->start[n];
  for (size_t i = 0; i < set->count; i++)
    for (size_t e = set->start[i]; e < set->start[i + 1]; e++) {
      int twice = rows_of(p, drills, i, e, rows);
      for (int k = 0; k < twice; k++) {
        size_t at = out->start[set->node[e] + 1]++;
        out->entry[at] = e;
        out->row[at] = rows[k];
      }
    }
  for (size_t n = 0; n < p->node_count; n++)
    out->cliques[n] =
        (bcsr_clique_set){.rows = out->row + out->start[n],
                          .count = moves(p, (int32_t)n) && out->start[n + 1] > out->start[n],
                          .arity = (int)(out->start[n + 1] - out->start[n])};
  return TRIBO_OK;
}

/* The rows of J at an entry: N, t and b of a contact, or d alone of a drilling. */
static mat3 rows_at(const friction_problem *p, const drillings *drills, int32_t row, size_t e) {
  if ((size_t)row < p->set->count) return friction_rows(p, (size_t)drills->contact[row], e);
  vec3 turn = p->set->turn[e];
  return (mat3){{{turn.x, turn.y, turn.z}}};
}

static void add_node(const friction_problem *p, const drillings *drills, const by_node *at,
                     int32_t node, contact_stored *out) {
  for (size_t a = at->start[node]; a < at->start[node + 1]; a++) {
    mat3 rows = rows_at(p, drills, at->row[a], at->entry[a]);
    mat3 moved = mat3_mul(&rows, &p->inverse_mass[node]);
    for (size_t b = at->start[node]; b < at->start[node + 1]; b++) {
      mat3 other = rows_at(p, drills, at->row[b], at->entry[b]);
      mat3 part = mat3_mul_t(&moved, &other);
      mat3 *block = &out->problem.w.blocks[bcsr_find(&out->pattern, at->row[a], at->row[b])];
      *block = mat3_add(block, &part);
    }
  }
}

/* (room, slip) - W r0; of drillings the spin. */
static void fill_velocities(const friction_problem *p, const drillings *drills, vec3 *q,
                            contact_stored *out) {
  const contact_set *set = p->set;
  bcsr_multiply_rows(&out->problem.w, out->r, 0, set->count + drills->count, q);
  for (size_t i = 0; i < set->count; i++) {
    vec3 slip = vec3_scale(-1, set->contacts[i].surface_velocity);
    for (size_t e = set->start[i]; e < set->start[i + 1]; e++)
      slip = vec3_add(slip, mat3_mul_vec3(&set->carry[e], p->velocity[set->node[e]]));
    vec3 free = {p->room[i], vec3_dot(p->cones[i].t, slip), vec3_dot(p->cones[i].b, slip)};
    q[i] = vec3_sub(free, q[i]);
    int32_t d = drills->row[i];
    if (d >= 0) q[d] = vec3_make(friction_spin(p, i) - q[d].x, 0, 0);
  }
}

static void fill_coefficients(const friction_problem *p, const drillings *drills,
                              contact_coefficients *grip, int32_t *drill) {
  for (size_t i = 0; i < p->set->count; i++) {
    int32_t d = drills->row[i];
    grip[i] = (contact_coefficients){p->cones[i].mu_t, p->cones[i].mu_b};
    if (d >= 0) grip[d] = (contact_coefficients){p->cones[i].mu_drill, 0};
    if (drill) drill[i] = d;
    if (drill && d >= 0) drill[d] = d;
  }
}

static tribo_status assemble(const friction_problem *p, arena *scratch, arena *memory,
                             contact_stored *out, tribo_error *err) {
  drillings drills;
  TRY(find_drillings(p, scratch, &drills, err));
  size_t count = p->set->count, rows = count + drills.count;
  by_node at;
  TRY(sort_by_node(p, &drills, scratch, &at, err));
  TRY(bcsr_analyze((int32_t)rows, at.cliques, p->node_count, memory, &out->pattern, err));
  mat3 *blocks = ARENA_ARRAY(memory, mat3, bcsr_block_count(&out->pattern));
  vec3 *q = ARENA_ARRAY(memory, vec3, rows);
  contact_coefficients *grip = ARENA_ARRAY(memory, contact_coefficients, rows);
  int32_t *drill = drills.count ? ARENA_ARRAY(memory, int32_t, rows) : NULL;
  out->r = ARENA_ARRAY(memory, vec3, rows);
  if (!blocks || !q || !grip || !out->r || (drills.count && !drill))
    return status_no_memory(err, "the contact problem");
  out->problem = (contact_problem){{&out->pattern, blocks}, q, grip, drill};
  for (size_t n = 0; n < p->node_count; n++)
    if (at.cliques[n].count) add_node(p, &drills, &at, (int32_t)n, out);
  for (size_t i = 0; i < count; i++) out->r[i] = p->given[i];
  fill_velocities(p, &drills, q, out);
  fill_coefficients(p, &drills, grip, drill);
  out->given = true;
  return TRIBO_OK;
}

tribo_status contact_export_within(const friction_problem *from, arena *memory, contact_stored *out,
                                   tribo_error *err) {
  *out = (contact_stored){0};
  return assemble(from, memory, memory, out, err);
}

tribo_status contact_export_problem(const friction_problem *from, contact_stored *out,
                                    tribo_error *err) {
  *out = (contact_stored){0};
  arena scratch = {0};
  tribo_status status = assemble(from, &scratch, &out->memory, out, err);
  arena_free(&scratch);
  if (status != TRIBO_OK) contact_stored_free(out);
  return status;
}

tribo_status contact_export_write(const friction_problem *from, const char *folder, int number,
                                  tribo_error *err) {
  char name[64];
  contact_stored stored;
  snprintf(name, sizeof name, "contacts_%06d.hdf5", number);
  char *path = file_join(folder, name);
  if (!path) return status_no_memory(err, "the contact problem");
  tribo_status status = file_make_folder(folder, err);
  if (status == TRIBO_OK) status = contact_export_problem(from, &stored, err);
  if (status == TRIBO_OK) {
    status = contact_file_write(path, &stored.problem, stored.r, name, FCLIB_COLUMNS, err);
    contact_stored_free(&stored);
  }
  free(path);
  return status;
}
