/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solve/contact_export.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"

/* The entries of the contact set, node by node: those of a node couple with each other. */
typedef struct by_node {
  size_t *start;    /* node_count + 1 */
  size_t *entry;    /* of the set */
  int32_t *contact; /* that the entry belongs to */
  bcsr_clique_set *cliques;
} by_node;

static bool moves(const friction_problem *p, int32_t node) {
  return mat3_frobenius2(&p->inverse_mass[node]) > 0;
}

static tribo_status sort_by_node(const friction_problem *p, arena *scratch, by_node *out,
                                 tribo_error *err) {
  const contact_set *set = p->set;
  size_t entries = set->start[set->count];
  *out = (by_node){.start = ARENA_ARRAY(scratch, size_t, p->node_count + 2),
                   .entry = ARENA_ARRAY(scratch, size_t, entries),
                   .contact = ARENA_ARRAY(scratch, int32_t, entries),
                   .cliques = ARENA_ARRAY(scratch, bcsr_clique_set, p->node_count)};
  if (!out->start || !out->entry || !out->contact || !out->cliques)
    return status_no_memory(err, "the contact problem");
  /* Counts stand two places up, so that filling a node moves its end to where it belongs. */
  for (size_t e = 0; e < entries; e++) out->start[set->node[e] + 2]++;
  for (size_t n = 0; n <= p->node_count; n++) out->start[n + 1] += out->start[n];
  for (size_t i = 0; i < set->count; i++)
    for (size_t e = set->start[i]; e < set->start[i + 1]; e++) {
      size_t at = out->start[set->node[e] + 1]++;
      out->entry[at] = e;
      out->contact[at] = (int32_t)i;
    }
  for (size_t n = 0; n < p->node_count; n++)
    out->cliques[n] =
        (bcsr_clique_set){.rows = out->contact + out->start[n],
                          .count = moves(p, (int32_t)n) && out->start[n + 1] > out->start[n],
                          .arity = (int)(out->start[n + 1] - out->start[n])};
  return TRIBO_OK;
}

static void add_node(const friction_problem *p, const by_node *at, int32_t node,
                     contact_stored *out) {
  for (size_t a = at->start[node]; a < at->start[node + 1]; a++) {
    mat3 rows = friction_rows(p, (size_t)at->contact[a], at->entry[a]);
    mat3 moved = mat3_mul(&rows, &p->inverse_mass[node]);
    for (size_t b = at->start[node]; b < at->start[node + 1]; b++) {
      mat3 other = friction_rows(p, (size_t)at->contact[b], at->entry[b]);
      mat3 part = mat3_mul_t(&moved, &other);
      mat3 *block =
          &out->problem.w.blocks[bcsr_find(&out->pattern, at->contact[a], at->contact[b])];
      *block = mat3_add(block, &part);
    }
  }
}

/* (room, slip) - W r0 */
static void fill_velocities(const friction_problem *p, vec3 *q, contact_stored *out) {
  const contact_set *set = p->set;
  bcsr_multiply_rows(&out->problem.w, p->given, 0, set->count, q);
  for (size_t i = 0; i < set->count; i++) {
    vec3 slip = vec3_scale(-1, set->contacts[i].drift);
    for (size_t e = set->start[i]; e < set->start[i + 1]; e++)
      slip = vec3_add(slip, mat3_mul_vec3(&set->carry[e], p->velocity[set->node[e]]));
    vec3 free = {p->room[i], vec3_dot(p->cones[i].t, slip), vec3_dot(p->cones[i].b, slip)};
    q[i] = vec3_sub(free, q[i]);
  }
}

static tribo_status assemble(const friction_problem *p, arena *scratch, contact_stored *out,
                             tribo_error *err) {
  size_t count = p->set->count;
  by_node at;
  TRY(sort_by_node(p, scratch, &at, err));
  TRY(bcsr_analyze((int32_t)count, at.cliques, p->node_count, &out->memory, &out->pattern, err));
  mat3 *blocks = ARENA_ARRAY(&out->memory, mat3, bcsr_block_count(&out->pattern));
  vec3 *q = ARENA_ARRAY(&out->memory, vec3, count);
  contact_coefficients *grip = ARENA_ARRAY(&out->memory, contact_coefficients, count);
  out->r = ARENA_ARRAY(&out->memory, vec3, count);
  if (!blocks || !q || !grip || !out->r) return status_no_memory(err, "the contact problem");
  out->problem = (contact_problem){{&out->pattern, blocks}, q, grip};
  for (size_t n = 0; n < p->node_count; n++)
    if (at.cliques[n].count) add_node(p, &at, (int32_t)n, out);
  fill_velocities(p, q, out);
  for (size_t i = 0; i < count; i++)
    grip[i] = (contact_coefficients){p->cones[i].mu_t, p->cones[i].mu_b};
  for (size_t i = 0; i < count; i++) out->r[i] = p->given[i];
  out->given = true;
  return TRIBO_OK;
}

tribo_status contact_export_problem(const friction_problem *from, contact_stored *out,
                                    tribo_error *err) {
  *out = (contact_stored){0};
  arena scratch = {0};
  tribo_status status = assemble(from, &scratch, out, err);
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
