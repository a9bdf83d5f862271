/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scenes_fibers: the scenes of document 004, section 5, for tests, bench and figures. What the
 * paper says of them (strands, elements, step, friction: its Table I) is taken over; lengths,
 * stiffness and motion, which it does not say, are ours.
 */
#ifndef TESTS_SCENES_FIBERS_H
#define TESTS_SCENES_FIBERS_H

#include "fibers/fibers.h"

enum { FIBER_OBSTACLES = 4 };

typedef struct fiber_scene {
  const char *name, *about;
  const char *label;  /* of Table I: "SH", "MS", "C"; NULL: not in it */
  double theirs;      /* s a step, there */
  int their_contacts; /* the most */
  double seconds;     /* how long it goes on */
  fibers f;
  arena memory;
  fiber_obstacle obstacles[FIBER_OBSTACLES];
  strand_hold holds[2];
  double time;
  void (*move)(struct fiber_scene *s); /* leads roots, holds, obstacles into the step that comes */
} fiber_scene;

/* The names that can be made, NULL at the end. */
extern const char *const fiber_scene_names[];

/* mu: of all pairs; below 0: as the paper has it. TRIBO_BAD_INPUT for a name that is none. */
tribo_status fiber_scene_make(const char *name, double mu, int threads, fiber_scene *out,
                              tribo_error *err);

/* So many mats of 50 strands of 30 nodes: nothing else grows with them. */
tribo_status fiber_scene_mats(size_t mats, int threads, fiber_scene *out, tribo_error *err);

tribo_status fiber_scene_step(fiber_scene *s, fibers_report *report, tribo_error *err);
void fiber_scene_free(fiber_scene *s);

/* Where node i of strand k is: 0 is its root. */
vec3 fiber_scene_node(const fiber_scene *s, size_t k, int32_t i);

/* The farthest that two nodes of the scene are apart across the floor, and the highest node: m. */
double fiber_scene_spread(const fiber_scene *s);
double fiber_scene_height(const fiber_scene *s);

#endif
