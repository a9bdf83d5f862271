/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scenes_matchstick: piles of rigid bodies, and the scenes of Erleben, Macklin, Andrews and Kry
 * 2020, section 5, in which structure directions decide what happens. The paper gives pictures but
 * no numbers: sizes and coefficients are ours. Tables as in scenes_contact.h, which includes this.
 */
#ifndef TESTS_SCENES_SCENES_MATCHSTICK_H
#define TESTS_SCENES_SCENES_MATCHSTICK_H

/* Blocks on each other on a floor. `shift` moves every second one aside along x; `turn` turns each
 * about the vertical against the one below, so that edges cross edges. */
#define SCENE_STACK(FIELD)                                                                         \
  FIELD(blocks, 10, "how many")                                                                    \
  FIELD(mu, 0.5, "friction of all")                                                                \
  FIELD(size, 0.2, "of a block, m")                                                                \
  FIELD(cells, 2, "of a block's mesh along an edge")                                               \
  FIELD(box, 1, "1: blocks are touched as boxes; 0: as meshes")                                    \
  FIELD(shift, 0, "of every second block along x, m")                                              \
  FIELD(turn, 0, "of a block against the one below, degrees")                                      \
  FIELD(taper, 0, "how much wider a block is than the one below, m; below 0: a pyramid")           \
  FIELD(gap, 0, "between blocks at the start, m")                                                  \
  FIELD(dt, 0.01, "time step, s")                                                                  \
  FIELD(seconds, 10, "how long it runs, s")

#define SCENE_MATCHSTICK_RECIPES(RECIPE) RECIPE(stack, SCENE_STACK, "a stack of rigid blocks")

#endif
