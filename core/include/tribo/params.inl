/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every parameter of Tribo, written once. From these tables come the structs and defaults of
 * scene.h, the keys of the scene file and their checks, `tribo bake --set`, docs/scene.md and the
 * properties of the plugins.
 *
 *   REAL(name, default, min, max, unit, help)
 *   INT(name, default, min, max, unit, help)
 *   VEC3(name, x, y, z, unit, help)
 *   CHOICE(name, default index, "first|second", help)
 */

/* Keys at the top of the scene file. */
#define TRIBO_PARAMS_WORLD(REAL, INT, VEC3, CHOICE)                                                \
  CHOICE(method, 0, "elastic",                                                                     \
         "How a step is solved. elastic: implicit backward Euler without contact.")                \
  VEC3(gravity, 0, 0, -9.81, "m/s^2", "Acceleration of gravity.")                                  \
  VEC3(wind, 0, 0, 0, "m/s", "Velocity of the air; acts on objects whose drag is above 0.")        \
  REAL(air_density, 1.2, 0, 1000, "kg/m^3", "Density of the air, for drag.")

#define TRIBO_PARAMS_TIME(REAL, INT, VEC3, CHOICE)                                                 \
  INT(start, 1, -1000000, 1000000, "frame", "First frame: the state as given, before any motion.") \
  INT(end, 120, -1000000, 1000000, "frame", "Last frame.")                                         \
  REAL(fps, 24, 0.001, 1000000, "1/s", "Frames a second.")                                         \
  INT(substeps, 4, 1, 10000, "", "Time steps within a frame.")

#define TRIBO_PARAMS_SOLVER(REAL, INT, VEC3, CHOICE)                                               \
  CHOICE(linear, 0, "auto|cholmod|pardiso|cg",                                                     \
         "Linear solver. auto: direct; for solids, conjugate gradients first.") \
  REAL(tolerance, 1e-6, 1e-14, 0.1, "",                                                            \
       "A step is solved when the forces balance to this fraction of the largest of them.")        \
  INT(iterations, 60, 1, 10000, "", "Newton iterations a step before it is cut in two.")           \
  INT(cuts, 6, 0, 20, "", "How often a step may be cut in two, and its halves again.")             \
  CHOICE(on_failure, 0, "stop|continue",                                                           \
         "When a step still fails: stop the bake, or keep the best iterate and go on.")            \
  REAL(cg_tolerance, 1e-5, 1e-14, 0.1, "", "Relative residual at which cg stops.")                 \
  INT(cg_iterations, 5000, 1, 1000000, "", "Iterations at most for cg.")

/* Keys of every simulated object. */
#define TRIBO_PARAMS_OBJECT(REAL, INT, VEC3, CHOICE)                                               \
  VEC3(velocity, 0, 0, 0, "m/s", "Velocity at the first frame.")                                   \
  REAL(drag, 0, 0, 1000, "", "Drag coefficient against the air; a flat plate has about 1.2.")

/* "elastic" of a solid. */
#define TRIBO_PARAMS_SOLID(REAL, INT, VEC3, CHOICE)                                                \
  CHOICE(model, 0, "stable_neo_hookean|neo_hookean",                                               \
         "Material law. Both agree with linear elasticity at small strain.")                       \
  REAL(density, 1000, 1e-6, 1e6, "kg/m^3", "Mass per volume.")                                     \
  REAL(young, 1e5, 1e-3, 1e13, "Pa", "Young's modulus: resistance to stretch.")                    \
  REAL(poisson, 0.4, 0, 0.495, "", "Poisson's ratio: 0.5 would keep volume exactly.")           \
  REAL(damping_mass, 0, 0, 1e6, "1/s", "Damping of all motion, in proportion to mass.")            \
  REAL(damping_stiffness, 0, 0, 10, "s", "Damping of deformation, in proportion to stiffness.")

/* "elastic" of a cloth. */
#define TRIBO_PARAMS_CLOTH(REAL, INT, VEC3, CHOICE)                                                \
  REAL(density, 0.2, 1e-6, 1e6, "kg/m^2", "Mass per area.")                                        \
  REAL(stretch, 1000, 0, 1e12, "N/m", "Stiffness along the warp threads, and along the weft.")     \
  REAL(stretch_weft, 0, 0, 1e12, "N/m", "Stiffness along the weft where it differs; 0: as stretch.") \
  REAL(shear, 300, 0, 1e12, "N/m", "Stiffness against shear between warp and weft.")               \
  REAL(poisson, 0, 0, 0.95, "", "How much the weft narrows when the warp is stretched.")           \
  REAL(bend, 1e-4, 0, 1e9, "N m", "Flexural rigidity.")                                            \
  CHOICE(rest_angle, 0, "mesh|flat", "Rest angle of the folds: as in the mesh, or flat.")          \
  CHOICE(warp_from, 0, "axis|uv", "Warp direction: from warp_axis, or from the mesh's u.")         \
  VEC3(warp_axis, 1, 0, 0, "", "Warp direction in the rest shape, projected on each triangle.")    \
  REAL(damping_mass, 0, 0, 1e6, "1/s", "Damping of all motion, in proportion to mass.")            \
  REAL(damping_stiffness, 0, 0, 10, "s", "Damping of deformation, in proportion to stiffness.")

/* "pin" of an object. */
#define TRIBO_PARAMS_PIN(REAL, INT, VEC3, CHOICE)                                                  \
  REAL(stiffness, 0, 0, 1e12, "N/m", "Spring to the target, for each vertex; 0: held exactly.")

/* All groups: GROUP(table, struct name, where its keys stand in the scene file, title). */
#define TRIBO_PARAM_GROUPS(GROUP)                                                                  \
  GROUP(TRIBO_PARAMS_WORLD, world, "", "Top of the scene file")                                    \
  GROUP(TRIBO_PARAMS_TIME, time, "time", "time")                                                   \
  GROUP(TRIBO_PARAMS_SOLVER, solver, "solver", "solver")                                           \
  GROUP(TRIBO_PARAMS_OBJECT, object, "objects[]", "Every object")                                  \
  GROUP(TRIBO_PARAMS_SOLID, solid, "objects[].elastic", "elastic of a solid")                      \
  GROUP(TRIBO_PARAMS_CLOTH, cloth, "objects[].elastic", "elastic of a cloth")                      \
  GROUP(TRIBO_PARAMS_PIN, pin, "objects[].pin", "pin")
