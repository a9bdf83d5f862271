/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scenes_fast: the scenes of Ly, Jouve, Boissieux and Bertails-Descoubes 2020, section 5, for the
 * method `projective`. Densities, weights and steps are those of its Table 1; sizes and motions,
 * which it does not give, are ours. Tables as in scenes_contact.h, which includes this.
 */
#ifndef TESTS_SCENES_SCENES_FAST_H
#define TESTS_SCENES_SCENES_FAST_H

/* Square1 and Square3: flat sheets fall on a sphere that starts to turn about the vertical. 76 x 77
 * cells make 6,006 vertices a sheet. */
#define SCENE_SQUARES(FIELD)                                                                       \
  FIELD(mu, 0.3, "friction of all")                                                                \
  FIELD(layers, 1, "sheets above each other")                                                      \
  FIELD(cells, 76, "of a sheet along one edge; one more along the other")                          \
  FIELD(size, 1, "of a sheet, m")                                                                  \
  FIELD(radius, 0.25, "of the sphere, m")                                                          \
  FIELD(spin, 180, "of the sphere, degrees a second, from 1 s on")                                 \
  FIELD(thickness, 0.008, "of a sheet: layers keep this distance, m")                              \
  FIELD(density, 3, "of a sheet, kg/m^2; the three of Square3 have 1.5")                           \
  FIELD(stretch, 200, "stiffness of a sheet, N/m")                                                 \
  FIELD(bend, 5e-4, "flexural rigidity of a sheet, N m")                                           \
  FIELD(iterations, 20, "local and global, a step")                                                \
  FIELD(projective, 1, "1: the method projective; 0: forwarding")                                  \
  FIELD(dt, 0.005, "time step, s")                                                                 \
  FIELD(seconds, 4, "how long it runs, s")

/* Ribbon: a strip that stands on its narrow side above a ramp, falls, and lays itself in folds. 990
 * x 5 cells make its 5,946 vertices. */
#define SCENE_RIBBON(FIELD)                                                                        \
  FIELD(mu, 0.3, "friction of the ribbon with itself")                                             \
  FIELD(mu_ramp, 0.7, "friction between ribbon and ramp")                                          \
  FIELD(angle, 10, "of the ramp, degrees")                                                         \
  FIELD(cells, 990, "of the ribbon along its length")                                              \
  FIELD(across, 5, "of the ribbon across")                                                         \
  FIELD(length, 4, "of the ribbon, m")                                                             \
  FIELD(width, 0.05, "of the ribbon, m")                                                           \
  FIELD(thickness, 0.004, "of the ribbon: layers keep this distance, m")                           \
  FIELD(density, 0.25, "of the ribbon, kg/m^2")                                                    \
  FIELD(stretch, 200, "stiffness of the ribbon, N/m; the paper's weight is 20")                    \
  FIELD(bend, 1e-4, "flexural rigidity of the ribbon, N m; the paper's weight is 2e-2")            \
  FIELD(iterations, 20, "local and global, a step")                                                \
  FIELD(projective, 1, "1: the method projective; 0: forwarding")                                  \
  FIELD(dt, 0.001, "time step, s; the paper's is 0.004")                                           \
  FIELD(seconds, 4, "how long it runs, s")

/* How a dancer moves: she turns on the spot to one side and back, twists, sways and lifts her
 * arms. */
#define SCENE_DANCE(FIELD)                                                                         \
  FIELD(turn, 270, "of the dancer, to one side and back, degrees")                                 \
  FIELD(period, 2.4, "of the turn, s; of the other motions half of it")                            \
  FIELD(twist, 15, "of the shoulders against the hips, degrees to both sides")                     \
  FIELD(sway, 0.04, "of the hips, m to both sides")                                                \
  FIELD(lift, 50, "of the arms, degrees")

/* Arabesque and Crinoline: a dress, or a gown with skirts below its own, on a dancer. The paper's
 * air acts on nodes: damping is its coefficient by the mass of a vertex. */
#define SCENE_WORN(FIELD, LAYERS, SIZE, FLARE, LENGTH, STRETCH, BEND, DAMPING)                     \
  FIELD(mu, 0.6, "friction between cloth and body")                                                \
  FIELD(mu_self, 0.3, "friction of cloth on cloth")                                                \
  FIELD(layers, LAYERS, "of skirts")                                                               \
  FIELD(size, SIZE, "of the triangles of cloth, m")                                                \
  FIELD(body_size, 0.025, "of the triangles of the body, m")                                       \
  FIELD(gap, 0.009, "between bodice and body at the start, m")                                     \
  FIELD(skin, 0.003, "what cloth keeps from the body besides: smooth contact rounds it off, m")    \
  FIELD(thickness, 0.004, "of cloth: layers, and the body, keep this distance, m")                 \
  FIELD(flare, FLARE, "of the skirts from the vertical, degrees")                                  \
  FIELD(length, LENGTH, "of the skirts, m")                                                        \
  FIELD(density, 0.01, "of cloth, kg/m^2")                                                         \
  FIELD(stretch, STRETCH, "stiffness of cloth, N/m")                                               \
  FIELD(bend, BEND, "flexural rigidity of cloth, N m")                                             \
  FIELD(damping, DAMPING, "of all motion by the air, 1/s")                                         \
  SCENE_DANCE(FIELD)                                                                               \
  FIELD(iterations, 30, "local and global, a step")                                                \
  FIELD(projective, 1, "1: the method projective; 0: forwarding")                                  \
  FIELD(dt, 0.002, "time step, s")                                                                 \
  FIELD(seconds, 4, "how long it runs, s")

#define SCENE_DRESS(FIELD) SCENE_WORN(FIELD, 1, 0.01065, 42, 0.62, 4, 5e-7, 2.4)
#define SCENE_GOWN(FIELD)  SCENE_WORN(FIELD, 3, 0.0126, 36, 0.96, 5, 5e-6, 0.17)

#define SCENE_FAST_RECIPES(RECIPE)                                                                 \
  RECIPE(ribbon, SCENE_RIBBON, "a ribbon that lays itself in folds")                               \
  RECIPE(squares, SCENE_SQUARES, "sheets that fall on a turning sphere")                           \
  RECIPE(dress, SCENE_DRESS, "a dress with straps on a dancer")                                    \
  RECIPE(gown, SCENE_GOWN, "a gown of three skirts on a dancer")

#endif
