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
  CHOICE(method, 0, "forwarding|elastic|projective|barrier",                                       \
         "How a step is solved. forwarding: smooth contact with friction carried from step to "    \
         "step. elastic: no contact. projective: cloth and solids at a fixed number of cheap "      \
         "iterations, for layout and preview. barrier: nothing passes through anything.")          \
  CHOICE(quality, 0, "custom|preview|good|final",                                                  \
         "Chooses method, time.substeps and the surface.thickness of what has none, by speeds and " \
         "sizes; what is given counts all the same. custom: nothing is chosen.")                    \
  VEC3(gravity, 0, 0, -9.81, "m/s^2", "Acceleration of gravity.")                                  \
  VEC3(wind, 0, 0, 0, "m/s", "Velocity of the air; acts on objects whose drag is above 0.")        \
  REAL(air_density, 1.2, 0, 1000, "kg/m^3", "Density of the air, for drag.")

#define TRIBO_PARAMS_TIME(REAL, INT, VEC3, CHOICE)                                                 \
  INT(start, 1, -1000000, 1000000, "frame", "First frame: the state as given, before any motion.") \
  INT(end, 120, -1000000, 1000000, "frame", "Last frame.")                                         \
  REAL(fps, 24, 0.001, 1000000, "1/s", "Frames a second.")                                         \
  INT(substeps, 4, 1, 10000, "", "Time steps within a frame.")

#define TRIBO_PARAMS_SOLVER(REAL, INT, VEC3, CHOICE)                                               \
  CHOICE(backend, 0, "native|ipopt",                                                               \
         "Who solves contact and friction: Tribo itself, or Ipopt as in the paper (slow; friction " \
         "is then always lumped, see effective_mass).")                                            \
  CHOICE(linear, 0, "auto|cholmod|pardiso|cg",                                                     \
         "Linear solver. auto: direct; for solids, conjugate gradients first. With ipopt: auto is " \
         "MUMPS, pardiso is MKL's, and there are no others.")                                      \
  REAL(tolerance, 1e-6, 1e-14, 0.1, "",                                                            \
       "A step is solved when the forces balance to this fraction of the largest of them.")        \
  INT(iterations, 60, 1, 10000, "", "Newton iterations a step before it is cut in two.")           \
  INT(cuts, 6, 0, 20, "", "How often a step may be cut in two, and its halves again.")             \
  CHOICE(on_failure, 0, "stop|continue",                                                           \
         "When a step still fails: stop the bake, or keep the best iterate and go on.")            \
  REAL(contact_tolerance, 1e-5, 1e-12, 0.01, "",                                                   \
       "Penetration that a step may leave, as a fraction of the smallest body's size.")            \
  INT(relinearize, 8, 0, 100, "",                                                                  \
      "How often a step may linearise its contacts anew where the surface curves away.")           \
  CHOICE(effective_mass, 0, "elastic|lumped",                                                      \
         "What friction has to move: the bodies with their stiffness, or as in the paper the "     \
         "masses of the contact's vertices alone.")                                                \
  CHOICE(forwarding, 0, "on|off",                                                                  \
         "With lumped: whether the friction of the last step takes part in the next elastic solve.") \
  CHOICE(transport, 0, "rigid|parallel|plain",                                                     \
         "How friction reaches a deforming surface. rigid conserves momentum; parallel is the "    \
         "paper's, and does not quite where the surface curves.")                                  \
  REAL(friction_tolerance, 1e-6, 1e-14, 0.1, "",                                                   \
       "Change of the friction impulses, relative, at which the staggered solve stops.")           \
  INT(friction_iterations, 50, 1, 100000, "", "Staggered projections a step at most.")             \
  REAL(cg_tolerance, 1e-5, 1e-14, 0.1, "", "Relative residual at which cg stops.")                 \
  INT(cg_iterations, 5000, 1, 1000000, "", "Iterations at most for cg.")                           \
  INT(projective_iterations, 30, 1, 10000, "",                                                     \
      "Local and global iterations of a step with the method projective; 10 are a rough preview.") \
  CHOICE(crossings, 0, "auto|every|last|off",                                                      \
         "At which frames edges that pass through triangles are counted. auto: at every frame where " \
         "that is cheap, else at every few and the last.")

/* Keys of every simulated object. */
#define TRIBO_PARAMS_OBJECT(REAL, INT, VEC3, CHOICE)                                               \
  VEC3(velocity, 0, 0, 0, "m/s", "Velocity at the first frame.")                                   \
  VEC3(spin, 0, 0, 0, "rad/s", "Angular velocity about the centre of mass at the first frame.")    \
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

/* "tets" of a solid whose mesh is a surface. */
#define TRIBO_PARAMS_FILL(REAL, INT, VEC3, CHOICE)                                                 \
  CHOICE(from, 0, "auto|fill|lattice",                                                             \
         "How the inside of a surface becomes tets. fill: tets between its own vertices and new "  \
         "ones inside (needs TetGen and a clean closed surface). lattice: cubes around it, which " \
         "carry it along. auto: fill, and a lattice where the surface is not clean.")              \
  REAL(size, 0, 0, 1e6, "m",                                                                       \
       "fill: edge of the tets inside; 0: twice the mean edge of the surface.")                    \
  INT(cells, 0, 0, 100, "",                                                                        \
      "lattice: cubes along the longest side; 0: three to two mean edges of the surface, 4 to 20.")

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
  VEC3(warp_axis, 1, 0, 0, "",                                                                     \
       "Warp direction in the rest shape, projected on each triangle. Where x, the default, stands " \
       "upright on one, another axis is taken.")                                                    \
  REAL(damping_mass, 0, 0, 1e6, "1/s", "Damping of all motion, in proportion to mass.")            \
  REAL(damping_stiffness, 0, 0, 10, "s", "Damping of deformation, in proportion to stiffness.")

/* "surface" of an object: how contact sees it. */
#define TRIBO_PARAMS_SURFACE(REAL, INT, VEC3, CHOICE)                                              \
  CHOICE(contact, 0, "auto|mls|mesh|plane|sphere|capsule|box|none",                                \
         "The shape that others touch: a smooth surface through the mesh (mls), the mesh itself, " \
         "a primitive fitted to it, or none.")                                                     \
  CHOICE(role, 0, "auto|points|surface|both",                                                      \
         "In a pair of simulated objects: whose vertices touch whose surface.")                    \
  CHOICE(sides, 0, "auto|both|front",                                                              \
         "From where the mesh of a collider or a cloth is touched. both: from where a point "      \
         "comes. front: from where its normals point, and all behind is inside. auto: both of a "  \
         "sheet, which is open; front of what is closed.")                                         \
  CHOICE(kernel, 0, "cubic|interpolating", "Weights of the smooth surface.")                       \
  REAL(epsilon, 1e-5, 1e-12, 1, "", "How closely the interpolating kernel follows the samples.")   \
  REAL(radius, 0, 0, 1e6, "m", "Reach of a sample of the smooth surface; 0: from their spacing.")  \
  REAL(spacing, 0, 0, 1e6, "m", "Distance of samples at most; 0: one a triangle of the mesh.")     \
  REAL(thickness, -1, -1, 1e6, "m",                                                                \
       "Others keep this distance from the mesh; below 0: as quality has it, without one 0.")       \
  REAL(mu, -1, -1, 1e6, "",                                                                        \
       "Friction of this object where no pair says otherwise; below 0: the scene's default.")

/* "maps" of an object: how its structure_map and friction_map are read. */
#define TRIBO_PARAMS_MAPS(REAL, INT, VEC3, CHOICE)                                                 \
  CHOICE(wrap, 0, "auto|repeat|clamp",                                                             \
         "Where UVs leave 0 to 1: the maps repeat, or their outermost pixels go on. auto: repeat " \
         "where any UV is outside.")                                                               \
  CHOICE(friction_channel, 0, "luminance|r|g|b|a",                                                 \
         "What of friction_map is the multiplier. luminance: 0.2126 r + 0.7152 g + 0.0722 b.")     \
  REAL(friction_scale, 1, 0, 1e6, "",                                                              \
       "The multiplier where friction_map is 1; it grows in proportion from 0 at 0.")

/* "rigid" of a rigid body. */
#define TRIBO_PARAMS_RIGID(REAL, INT, VEC3, CHOICE)                                                \
  REAL(density, 1000, 1e-6, 1e6, "kg/m^3", "Mass per volume of the closed mesh.")

/* "elastic" of a rod. */
#define TRIBO_PARAMS_ROD(REAL, INT, VEC3, CHOICE)                                                  \
  REAL(radius, 0.005, 1e-7, 1e3, "m", "Half the thickness of a strand, at its first point.")       \
  REAL(taper, 1, 0.01, 100, "", "Radius at a strand's last point, as a part of that at its first.") \
  REAL(density, 1000, 1e-6, 1e6, "kg/m^3", "Mass per volume.")                                     \
  REAL(young, 1e7, 1e-3, 1e13, "Pa", "Young's modulus: resistance to bending and stretching.")     \
  REAL(poisson, 0.4, 0, 0.5, "", "Poisson's ratio; twisting has the modulus young / (2 + 2 poisson).") \
  REAL(stretch, 1, 0, 1e6, "", "Multiplier of the stiffness against stretching.")                  \
  REAL(bend, 1, 0, 1e6, "",                                                                        \
       "Multiplier of the stiffness against bending; of twisted fibres, as a rope is, far below 1.") \
  REAL(twist, 1, 0, 1e6, "", "Multiplier of the stiffness against twisting.")                      \
  CHOICE(rest, 0, "mesh|straight", "Shape without forces: as in the mesh, or straight.")           \
  REAL(damping_mass, 0, 0, 1e6, "1/s", "Damping of all motion, in proportion to mass.")            \
  REAL(damping_stiffness, 0, 0, 10, "s", "Damping of deformation, in proportion to stiffness.")

/* "friction.default" of the scene, and each of "friction.pairs". */
#define TRIBO_PARAMS_FRICTION(REAL, INT, VEC3, CHOICE)                                             \
  REAL(mu, 0.5, 0, 1e6, "",                                                                        \
       "Coulomb's coefficient of friction. Between two structures: when they are perpendicular.")  \
  REAL(mu_along, -1, -1, 1e6, "",                                                                  \
       "Coefficient for sliding along the structure, where both run the same way or one surface "  \
       "has none; -1: mu.")                                                                        \
  REAL(mu_across, -1, -1, 1e6, "", "The same for sliding across the structure; -1: mu.")           \
  REAL(mu_dynamic, -1, -1, 1e6, "",                                                                \
       "Coefficient of what slides fast, at most mu; -1: mu. Along and across shrink alike.")      \
  REAL(stribeck_velocity, 0.01, 0, 1e6, "m/s",                                                     \
       "Sliding speed about which friction falls from mu to mu_dynamic.")                          \
  REAL(mu_drill, 0, 0, 1e6, "m",                                                                   \
       "Torque about the normal that a contact bears, per normal force; a round patch of radius "  \
       "R has 2/3 mu R.")                                                                          \
  VEC3(tensor_a, 0, 0, 0, "",                                                                      \
       "Friction tensor of a: along its structure, across it, between the two. For pairs, in "     \
       "place of mu_along and mu_across; 0 0 0 for a and b: none.")                                \
  VEC3(tensor_b, 0, 0, 0, "", "The same of b. mu (tensor_a + tensor_b) makes the cone.")

/* "friction" of the scene. */
#define TRIBO_PARAMS_COMBINE(REAL, INT, VEC3, CHOICE)                                              \
  CHOICE(combine, 0, "geometric_mean|average|minimum|maximum|product",                             \
         "The coefficient of two objects without a pair, from that of each.")

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
  GROUP(TRIBO_PARAMS_FILL, fill, "objects[].tets", "tets of a solid")                              \
  GROUP(TRIBO_PARAMS_CLOTH, cloth, "objects[].elastic", "elastic of a cloth")                      \
  GROUP(TRIBO_PARAMS_RIGID, rigid, "objects[].rigid", "rigid of a rigid body")                     \
  GROUP(TRIBO_PARAMS_ROD, rod, "objects[].elastic", "elastic of a rod")                            \
  GROUP(TRIBO_PARAMS_SURFACE, surface, "objects[].surface", "surface of an object")                \
  GROUP(TRIBO_PARAMS_COMBINE, combine, "friction", "friction")                                     \
  GROUP(TRIBO_PARAMS_FRICTION, friction, "friction.default", "friction.default and friction.pairs") \
  GROUP(TRIBO_PARAMS_PIN, pin, "objects[].pin", "pin")                                             \
  GROUP(TRIBO_PARAMS_MAPS, maps, "objects[].maps", "maps of an object")
