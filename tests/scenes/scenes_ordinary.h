/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scenes_ordinary: twelve scenes as an artist sets them up, with the defaults of everything: what a
 * method and a quality are judged by (tests/ordinary). The floor is called "Floor" and is
 * the plane z = 0. Tables as in scenes_contact.h, which includes this.
 */
#ifndef TESTS_SCENES_SCENES_ORDINARY_H
#define TESTS_SCENES_SCENES_ORDINARY_H

#define SCENE_ORDINARY(FIELD)                                                                      \
  FIELD(cells, 32, "of the cloth along an edge; of solids about a fifth of it")                    \
  FIELD(triangles, 1500, "of what it lies on, where that is a head or a ball")                     \
  FIELD(seconds, 2.5, "how long it runs, s")

#define SCENE_ORDINARY_RECIPES(RECIPE)                                                             \
  RECIPE(table, SCENE_ORDINARY, "cloth on a round table")                                          \
  RECIPE(head, SCENE_ORDINARY, "cloth on a lumpy head")                                            \
  RECIPE(edge_first, SCENE_ORDINARY, "cloth that falls edge-first on the floor")                   \
  RECIPE(coarse_cube, SCENE_ORDINARY, "cloth on a cube of twelve triangles")                       \
  RECIPE(curtain, SCENE_ORDINARY, "a curtain, and a ball that swings through it")                  \
  RECIPE(skirt, SCENE_ORDINARY, "a skirt on a body of capsules that walks")                        \
  RECIPE(sleeve, SCENE_ORDINARY, "a sleeve on an arm that bends by 120 degrees")                   \
  RECIPE(two_sheets, SCENE_ORDINARY, "two sheets on a ball, the upper one stiffer")                \
  RECIPE(squashed_ball, SCENE_ORDINARY, "a soft ball squashed between two plates")                 \
  RECIPE(jellies, SCENE_ORDINARY, "three soft cubes, one on the other")                            \
  RECIPE(flag_on_pole, SCENE_ORDINARY, "a flag in the wind, around its pole")                      \
  RECIPE(bars, SCENE_ORDINARY, "cloth over thin bars and a spike")

#endif
