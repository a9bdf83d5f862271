/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stage: a few objects, compiled, with nodes that a test may move, and the contacts they have.
 */
#ifndef TESTS_CONTACT_STAGE_H
#define TESTS_CONTACT_STAGE_H

#include "claims.h"
#include "contact/find.h"
#include "kinds/build.h"
#include "model/kinematics.h"
#include "scenes/shapes.h"

enum { STAGE_OBJECTS = 6 };

typedef struct stage {
  tribo_object_def defs[STAGE_OBJECTS];
  mesh shapes[STAGE_OBJECTS];
  size_t count;
  arena memory;
  tasks tasks;
  model m;
  contact_finder finder;
  vec3 *x, *x_before;                   /* nodes */
  vec3 *vertices, *before, *velocities; /* vertices */
  quat *turns;
  contact_moment moment;
  contact_set set;
} stage;

static inline stage *stage_make(void) {
  stage *s = calloc(1, sizeof *s);
  assert_non_null(s);
  return s;
}

static inline tribo_object_def stage_def(tribo_kind kind, int shape) {
  tribo_object_def def = tribo_object_default(kind);
  def.surface.contact = shape;
  return def;
}

/* Takes the mesh. */
static inline size_t stage_add(stage *s, tribo_object_def def, mesh shape) {
  static const char *const names[STAGE_OBJECTS] = {"a", "b", "c", "d", "e", "f"};
  size_t i = s->count++;
  assert_true(i < STAGE_OBJECTS);
  def.name = names[i];
  def.positions = shape.positions;
  def.vertex_count = shape.vertex_count;
  if (def.kind != TRIBO_SOLID || def.cage) {
    def.triangles = shape.triangles;
    def.triangle_count = shape.triangle_count;
  }
  if (def.kind == TRIBO_SOLID && !def.cage) {
    def.tets = shape.tets;
    def.tet_count = shape.tet_count;
  }
  s->shapes[i] = shape;
  s->defs[i] = def;
  return i;
}

/* Vertices where the nodes carry them. */
static inline void stage_carry(stage *s) {
  kinematics_positions(&s->m, &s->tasks, s->x, s->turns, s->vertices);
}

/* Compiles what was added. Nothing moves, and the nodes are where they start. */
static inline void stage_build(stage *s, mls_transport transport, int threads) {
  tribo_world_params world = tribo_world_defaults();
  tribo_time_params time = tribo_time_defaults();
  s->tasks = tasks_create(threads);
  claim_ok(model_build(s->defs, s->count, &world, &time, &s->m, err));
  claim_ok(contact_finder_create(&s->m, BROAD_PHASE_ALL, transport, &s->tasks, &s->finder, err));
  size_t nodes = (size_t)s->m.node_count, vertices = (size_t)s->m.vertex_count;
  s->x = ARENA_ARRAY(&s->memory, vec3, nodes);
  s->x_before = ARENA_ARRAY(&s->memory, vec3, nodes);
  s->vertices = ARENA_ARRAY(&s->memory, vec3, vertices);
  s->before = ARENA_ARRAY(&s->memory, vec3, vertices);
  s->velocities = ARENA_ARRAY(&s->memory, vec3, vertices);
  s->turns = ARENA_ARRAY(&s->memory, quat, s->m.rigid_count + 1);
  memcpy(s->x, s->m.rest, nodes * sizeof *s->x);
  for (size_t r = 0; r < s->m.rigid_count; r++) {
    s->turns[r] = s->m.rigids[r].turn;
    s->x[s->m.rigids[r].node + 1] = vec3_make(0, 0, 0);
  }
  memcpy(s->x_before, s->x, nodes * sizeof *s->x);
  stage_carry(s);
  memcpy(s->before, s->vertices, vertices * sizeof *s->vertices);
  s->moment = (contact_moment){.h = 0.01,
                               .x = s->x,
                               .turns = s->turns,
                               .vertices = s->vertices,
                               .x_before = s->x,
                               .before = s->vertices};
}

/* From here on the way since x_before counts. */
static inline void stage_moves(stage *s) {
  s->moment.x_before = s->x_before;
  s->moment.before = s->before;
}

static inline void stage_free(stage *s) {
  contact_finder_free(&s->finder);
  model_free(&s->m);
  arena_free(&s->memory);
  for (size_t i = 0; i < s->count; i++) mesh_free(&s->shapes[i]);
  free(s);
}

static inline void stage_find(stage *s, double margin) {
  stage_carry(s);
  claim_ok(contact_find(&s->finder, &s->moment, s->velocities, margin, &s->set, err));
}

static inline const contact_point *stage_contact(const contact_set *set, uint64_t key) {
  for (size_t i = 0; i < set->count; i++)
    if (set->contacts[i].key == key) return &set->contacts[i];
  return NULL;
}

/* A ball of a cube's faces, pushed out to the radius; of solid kind with its tets. */
static inline mesh stage_ball(int n, double radius, bool tets) {
  mesh block = shape_block(n, n, n, 2, 2, 2);
  shape_move(&block, -1, -1, -1);
  for (size_t i = 0; i < block.vertex_count; i++) {
    double *p = block.positions + 3 * i;
    double cube = fmax(fabs(p[0]), fmax(fabs(p[1]), fabs(p[2])));
    double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    for (int c = 0; c < 3; c++) p[c] *= length > 0 ? radius * cube / length : 0;
  }
  if (tets) return block;
  mesh skin = shape_skin(&block);
  mesh_free(&block);
  return skin;
}

/* The skin of a block about the origin. */
static inline mesh stage_box(int n, double width, double depth, double height) {
  mesh block = shape_block(n, n, n, width, depth, height), skin = shape_skin(&block);
  shape_move(&skin, -width / 2, -depth / 2, -height / 2);
  mesh_free(&block);
  return skin;
}

/* A sheet about the origin, at a height. */
static inline mesh stage_sheet(int n, double size, double z) {
  mesh sheet = shape_sheet(n, n, size, size);
  shape_move(&sheet, -size / 2, -size / 2, z);
  return sheet;
}

static inline vec3 stage_random(uint64_t *seed, double size) {
  return (vec3){claim_between(seed, -size, size), claim_between(seed, -size, size),
                claim_between(seed, -size, size)};
}

#endif
