/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ipopt/ipopt_delassus.h"

/* Which contacts hang on a node, and by which entry. */
typedef struct hold {
  int32_t contact;
  size_t entry;
} hold;

typedef struct holds {
  size_t *start; /* node i has places start[i] to start[i + 1] */
  hold *hold;
  int32_t *contact; /* the same, contacts alone */
} holds;

static bool find_holds(const friction_problem *p, arena *memory, holds *out) {
  const contact_set *set = p->set;
  size_t entries = set->start[set->count];
  out->start = ARENA_ARRAY(memory, size_t, p->node_count + 2);
  out->hold = ARENA_ARRAY(memory, hold, entries);
  out->contact = ARENA_ARRAY(memory, int32_t, entries);
  if (!out->start || !out->hold || !out->contact) return false;
  /* Counts stand two places up: filling then moves each start to where it belongs. */
  for (size_t e = 0; e < entries; e++) out->start[set->node[e] + 2]++;
  for (size_t i = 0; i <= p->node_count; i++) out->start[i + 1] += out->start[i];
  for (size_t i = 0; i < set->count; i++)
    for (size_t e = set->start[i]; e < set->start[i + 1]; e++) {
      size_t at = out->start[set->node[e] + 1]++;
      out->hold[at] = (hold){(int32_t)i, e};
      out->contact[at] = (int32_t)i;
    }
  return true;
}

static bool moves(const mat3 *inverse_mass) { return mat3_frobenius2(inverse_mass) > 0; }

static tribo_status build_w(delassus *d, arena *memory, tribo_error *err) {
  const friction_problem *p = d->p;
  holds h;
  bcsr_clique_set *sets = ARENA_ARRAY(memory, bcsr_clique_set, p->node_count);
  bcsr_pattern *pattern = ARENA_ARRAY(memory, bcsr_pattern, 1);
  if (!sets || !pattern || !find_holds(p, memory, &h))
    return status_no_memory(err, "the friction problem");
  size_t set_count = 0;
  for (size_t i = 0; i < p->node_count; i++)
    if (h.start[i + 1] > h.start[i] && moves(&p->inverse_mass[i]))
      sets[set_count++] =
          (bcsr_clique_set){h.contact + h.start[i], 1, (int)(h.start[i + 1] - h.start[i])};
  TRY(bcsr_analyze(d->count, sets, set_count, memory, pattern, err));
  d->w = (bcsr){pattern, ARENA_ARRAY(memory, mat3, bcsr_block_count(pattern))};
  if (!d->w.blocks) return status_no_memory(err, "the friction problem");

  for (size_t node = 0; node < p->node_count; node++) {
    if (!moves(&p->inverse_mass[node])) continue;
    for (size_t a = h.start[node]; a < h.start[node + 1]; a++) {
      mat3 ja = friction_rows(p, (size_t)h.hold[a].contact, h.hold[a].entry);
      mat3 jm = mat3_mul(&ja, &p->inverse_mass[node]);
      for (size_t b = h.start[node]; b < h.start[node + 1]; b++) {
        mat3 jb = friction_rows(p, (size_t)h.hold[b].contact, h.hold[b].entry);
        mat3 part = mat3_mul_t(&jm, &jb);
        mat3 *block = &d->w.blocks[bcsr_find(pattern, h.hold[a].contact, h.hold[b].contact)];
        *block = mat3_add(block, &part);
      }
    }
  }
  return TRIBO_OK;
}

tribo_status delassus_build(const friction_problem *p, vec3 *impulse, arena *memory, delassus *out,
                            tribo_error *err) {
  size_t count = p->set->count;
  *out = (delassus){.p = p,
                    .count = (int32_t)count,
                    .free = ARENA_ARRAY(memory, vec3, count),
                    .impulse = impulse,
                    .velocity = ARENA_ARRAY(memory, vec3, count),
                    .difference = ARENA_ARRAY(memory, vec3, count),
                    .tasks = tasks_create(1)};
  if (!out->free || !out->velocity || !out->difference)
    return status_no_memory(err, "the friction problem");
  for (size_t i = 0; i < count; i++) {
    vec3 slip = vec3_scale(-1, p->set->contacts[i].surface_velocity);
    for (size_t e = p->set->start[i]; e < p->set->start[i + 1]; e++)
      slip = vec3_add(slip, mat3_mul_vec3(&p->set->carry[e], p->velocity[p->set->node[e]]));
    out->free[i] =
        vec3_make(p->room[i], vec3_dot(p->cones[i].t, slip), vec3_dot(p->cones[i].b, slip));
  }
  return build_w(out, memory, err);
}

void delassus_respond(delassus *d) {
  for (int32_t i = 0; i < d->count; i++) d->difference[i] = vec3_sub(d->impulse[i], d->p->given[i]);
  bcsr_multiply(&d->w, &d->tasks, d->difference, d->velocity);
  for (int32_t i = 0; i < d->count; i++) d->velocity[i] = vec3_add(d->velocity[i], d->free[i]);
}

double delassus_energy(const delassus *d) {
  double sum = 0;
  for (int32_t i = 0; i < d->count; i++)
    sum += vec3_dot(d->difference[i], vec3_add(d->velocity[i], d->free[i]));
  return sum / 2;
}
