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

/* Figure 10: a ball hits a tower of blocks, flying along x. The structure of the blocks lies in
 * their tops and bottoms. Along the flight the blocks that are hit slip away; across it they grip,
 * and take the tower with them. The ball has no structure. */
#define SCENE_TOWER(FIELD)                                                                         \
  FIELD(angle, 90, "between structure and flight, degrees")                                        \
  FIELD(blocks, 8, "how many")                                                                     \
  FIELD(mu_along, 0.05, "between blocks, along their structure")                                   \
  FIELD(mu_across, 0.6, "between blocks, across their structure")                                  \
  FIELD(mu, 0.6, "of block and floor, and of blocks whose structures cross")                       \
  FIELD(width, 0.3, "of a block, m")                                                               \
  FIELD(height, 0.2, "of a block, m")                                                              \
  FIELD(density, 500, "of the blocks, kg/m^3")                                                     \
  FIELD(ball, 1500, "density of the ball, kg/m^3")                                                 \
  FIELD(radius, 0.15, "of the ball, m")                                                            \
  FIELD(hit, 1.4, "height of the ball's way, m")                                                   \
  FIELD(speed, 4, "of the ball, m/s")                                                              \
  FIELD(dt, 0.005, "time step, s")                                                                 \
  FIELD(seconds, 2, "how long it runs, s")

/* Figure 11: a half circle of stones on the floor, or on pillars. Structure along the depth of the
 * arch lets the stones grip where they would slide radially; radial structure does not. */
#define SCENE_ARCH(FIELD)                                                                          \
  FIELD(radial, 0, "1: the structure of the joints is radial; 0: along the depth of the arch")     \
  FIELD(stones, 11, "how many")                                                                    \
  FIELD(mu_along, 0.05, "between stones, along their structure")                                   \
  FIELD(mu_across, 0.8, "between stones, across their structure")                                  \
  FIELD(mu, 0.8, "on the floor")                                                                   \
  FIELD(inner, 1, "radius below the arch, m")                                                      \
  FIELD(thickness, 0.3, "of the arch, m")                                                          \
  FIELD(depth, 0.4, "of the arch, m")                                                              \
  FIELD(pillar, 0, "height of the pillars, m; 0: none")                                            \
  FIELD(dt, 0.005, "time step, s")                                                                 \
  FIELD(seconds, 2, "how long it runs, s")

/* Figure 8: a round log starts across a plank that descends towards +x. A plank combed at 45
 * degrees pushes it aside; one combed downwards lets it slide straight on if the log is combed
 * around, and roll if it is combed along its axis, since directions that cross make plain mu. */
#define SCENE_ROLLING(FIELD)                                                                       \
  FIELD(axial, 0, "1: the log is combed along its axis; 0: around it")                             \
  FIELD(plank, 0, "angle of the plank's structure with the way down, degrees")                     \
  FIELD(angle, 40, "of the plank, degrees")                                                        \
  FIELD(mu_along, 0.02, "where both are combed alike, along")                                      \
  FIELD(mu_across, 0.3, "where both are combed alike, across")                                     \
  FIELD(mu, 0.3, "where they cross")                                                               \
  FIELD(radius, 0.1, "of the log, m")                                                              \
  FIELD(length, 0.6, "of the log between its round ends, m")                                       \
  FIELD(cells, 8, "of the log along a quarter of its girth")                                       \
  FIELD(dt, 0.005, "time step, s")                                                                 \
  FIELD(seconds, 1, "how long it runs, s")

/* The four of figure 8 beside each other, in the order of the paper. Its t is the major axis: here
 * what is combed grips along its structure and slips across it. Combed around on a plank that is
 * combed downwards, and combed crosswise: they roll. Combed around or along on a plank that is
 * combed obliquely: they skid off it. */
#define SCENE_CYLINDERS(FIELD)                                                                     \
  FIELD(plank, 45, "angle of the oblique planks' structure with the way down, degrees")            \
  FIELD(angle, 40, "of the planks, degrees")                                                       \
  FIELD(mu_along, 0.28, "where both are combed alike, along")                                      \
  FIELD(mu_across, 0, "where both are combed alike, across")                                       \
  FIELD(mu, 0.28, "where they cross")                                                              \
  FIELD(dt, 0.005, "time step, s")                                                                 \
  FIELD(seconds, 1.8, "how long it runs, s")

/* Figures 4 and 5: beams slide down a slope towards a building. The structure is painted on the
 * slope as a picture: straight down, or spreading to both sides above the building. */
#define SCENE_LOG_SLIDE(FIELD)                                                                     \
  FIELD(spread, 0, "of the structure above the building, degrees to both sides; 0: straight")      \
  FIELD(logs, 6, "how many")                                                                       \
  FIELD(angle, 30, "of the slope, degrees")                                                        \
  FIELD(mu_along, 0.1, "along the structure")                                                      \
  FIELD(mu_across, 1.5, "across the structure")                                                    \
  FIELD(mu, 0.3, "of the logs with each other and with the building")                              \
  FIELD(round, 0, "1: round logs; 0: beams")                                                       \
  FIELD(pixels, 64, "of the picture along an edge")                                                \
  FIELD(dt, 0.005, "time step, s")                                                                 \
  FIELD(seconds, 2.5, "how long it runs, s")

/* Figure 9: pills in a funnel. Structure around the axis holds them, structure that runs down the
 * walls lets them through. */
#define SCENE_HOPPER(FIELD)                                                                        \
  FIELD(down, 0, "1: the structure of the walls runs down; 0: around")                             \
  FIELD(pills, 24, "how many")                                                                     \
  FIELD(mu_along, 0.02, "of pill and wall along the structure")                                    \
  FIELD(mu_across, 1, "of pill and wall across the structure")                                     \
  FIELD(mu, 0.3, "between pills")                                                                  \
  FIELD(slope, 35, "of the walls, degrees")                                                        \
  FIELD(outlet, 0.065, "radius of the hole, m")                                                    \
  FIELD(radius, 0.02, "of a pill, m")                                                              \
  FIELD(length, 0.04, "of a pill between its round ends, m")                                       \
  FIELD(dt, 0.005, "time step, s")                                                                 \
  FIELD(seconds, 3, "how long it runs, s")

/* Figure 13: a vehicle with blocked wheels slides along x over ground that is combed along its way,
 * and from x = 0 on turned by an angle, painted as a picture. Wheels are skids of one rigid body.
 */
#define SCENE_SKID(FIELD)                                                                          \
  FIELD(turned, 45, "of the structure beyond x = 0, degrees")                                      \
  FIELD(wave, 0, "length over which the structure winds to both sides, m; 0: it stays turned")     \
  FIELD(speed, 12, "at the start, m/s")                                                            \
  FIELD(mu_along, 0.3, "along the structure")                                                      \
  FIELD(mu_across, 1, "across the structure")                                                      \
  FIELD(start, -5, "where the vehicle starts, m")                                                  \
  FIELD(dt, 0.005, "time step, s")                                                                 \
  FIELD(seconds, 3, "how long it runs, s")

/* Figure 6: a fingertip, a ball that is led, presses on a soft block and strokes it along x; or
 * two, which grip it from both sides. */
#define SCENE_STROKE(FIELD)                                                                        \
  FIELD(angle, 0, "between structure and stroke, degrees")                                         \
  FIELD(mu_along, 0.05, "along the structure")                                                     \
  FIELD(mu_across, 1, "across the structure")                                                      \
  FIELD(fingers, 1, "1: from above; 2: from both sides")                                           \
  FIELD(cells, 10, "of the block along its length")                                                \
  FIELD(young, 2e4, "of the block, Pa")                                                            \
  FIELD(press, 0.02, "how deep the fingertip presses, m")                                          \
  FIELD(speed, 0.2, "of the stroke, m/s")                                                          \
  FIELD(dt, 0.01, "time step, s")                                                                  \
  FIELD(seconds, 1.2, "how long it runs, s")

#define SCENE_MATCHSTICK_RECIPES(RECIPE)                                                           \
  RECIPE(stack, SCENE_STACK, "a stack of rigid blocks")                                            \
  RECIPE(tower, SCENE_TOWER, "a ball that hits a tower of blocks")                                 \
  RECIPE(arch, SCENE_ARCH, "an arch of stones")                                                    \
  RECIPE(rolling, SCENE_ROLLING, "a combed log on a combed plank")                                 \
  RECIPE(cylinders, SCENE_CYLINDERS, "four combed logs on four combed planks")                     \
  RECIPE(log_slide, SCENE_LOG_SLIDE, "logs that slide towards a building")                         \
  RECIPE(hopper, SCENE_HOPPER, "pills in a funnel")                                                \
  RECIPE(skid, SCENE_SKID, "a braking vehicle on combed ground")                                   \
  RECIPE(stroke, SCENE_STROKE, "a fingertip that strokes a soft block")

#endif
