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
  FIELD(stretch, 20, "stiffness of the ribbon, N/m")                                               \
  FIELD(bend, 1e-4, "flexural rigidity of the ribbon, N m; the paper's weight is 2e-2")            \
  FIELD(iterations, 20, "local and global, a step")                                                \
  FIELD(projective, 1, "1: the method projective; 0: forwarding")                                  \
  FIELD(dt, 0.004, "time step, s")                                                                 \
  FIELD(seconds, 4, "how long it runs, s")

#define SCENE_FAST_RECIPES(RECIPE)                                                                 \
  RECIPE(ribbon, SCENE_RIBBON, "a ribbon that lays itself in folds")                               \
  RECIPE(squares, SCENE_SQUARES, "sheets that fall on a turning sphere")

#endif
