/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scenes_contact: scenes of frictional contact, most of them those of Larionov, Fan and Pai 2021,
 * section 6; painted planes after Erleben, Macklin, Andrews and Kry 2020, section 5. Each has a
 * struct of parameters, all of them numbers, with the paper's values as defaults where the paper
 * gives them:
 *
 *   scene_block_slide_params p = scene_block_slide_defaults();
 *   p.mu = 0.176;
 *   TRY(scene_block_slide(&p, &scene, err));
 *
 * and `make_scene block_slide DIR mu=0.176` writes the same scene as files. The tables below are
 * the reference: FIELD(name, default, what it is).
 *
 * Every scene has `dt`, the time step, and `seconds`, how long it runs. Where steps are short
 * several make a frame, so that frames are about 0.01 s apart.
 */
#ifndef TESTS_SCENES_SCENES_CONTACT_H
#define TESTS_SCENES_SCENES_CONTACT_H

#include "scenes/scenes.h"
#include "scenes/scenes_fast.h"
#include "scenes/scenes_matchstick.h"
#include "scenes/scenes_ordinary.h"

/* Figure 5a: a soft block of 4 x 4 x 4 cells, 320 tets, lies on a ramp that descends towards +x. It
 * slides where mu < tan(angle). It starts without stress and slips until its weight has built up
 * the pressure below it: the stiffer, the sooner. At 5e5 Pa it gets to 0.014 m/s in that time. */
#define SCENE_BLOCK_SLIDE(FIELD)                                                                   \
  FIELD(mu, 0.177, "friction between block and ramp")                                              \
  FIELD(angle, 10, "of the ramp, degrees")                                                         \
  FIELD(cells, 4, "of the block along an edge")                                                    \
  FIELD(size, 0.2, "of the block, m")                                                              \
  FIELD(young, 1e7, "of the block, Pa")                                                            \
  FIELD(gap, 0, "between block and ramp at the start, m")                                          \
  FIELD(dt, 0.01, "time step, s")                                                                  \
  FIELD(seconds, 2, "how long it runs, s")

/* Figure 5b: a square of cloth lies on the ramp. 39 cells make 1,600 vertices. */
#define SCENE_CLOTH_SLIDE(FIELD)                                                                   \
  FIELD(mu, 0.177, "friction between cloth and ramp")                                              \
  FIELD(angle, 10, "of the ramp, degrees")                                                         \
  FIELD(cells, 20, "of the cloth along an edge")                                                   \
  FIELD(size, 1, "of the cloth, m")                                                                \
  FIELD(gap, 0, "between cloth and ramp at the start, m")                                          \
  FIELD(dt, 0.01, "time step, s")                                                                  \
  FIELD(seconds, 2, "how long it runs, s")

/* Figure 13: a block on a plane, pressed down and dragged along -x by its top. */
#define SCENE_BLOCK_DRAG(FIELD)                                                                    \
  FIELD(mu, 0.5, "friction between block and plane")                                               \
  FIELD(cells, 8, "of the block along its longer edges; half as many upwards")                     \
  FIELD(size, 0.4, "of the block along its longer edges, m")                                       \
  FIELD(young, 5e4, "of the block, Pa")                                                            \
  FIELD(press, 0.05, "how far the top is pressed down, in parts of the height")                    \
  FIELD(speed, 0.5, "of the drag, m/s")                                                            \
  FIELD(dt, 0.01, "time step, s")                                                                  \
  FIELD(seconds, 1.5, "how long it runs, s")

/* Figure 6: cloth draped over a cylinder along the y axis, around the top and straight down on both
 * sides. Its middle is `offset` beyond the top, towards +x: the ends are 2 offset apart in height.
 * Appendix B has the coefficient at which it stops. The 392, 2K, 7K triangles of Table 1 are 7, 16,
 * 30 cells; 61 cells make 30K. */
#define SCENE_CLOTH_CYLINDER(FIELD)                                                                \
  FIELD(mu, 0.15, "friction between cloth and cylinder")                                           \
  FIELD(offset, 0.4, "of the cloth from balance, m")                                               \
  FIELD(cells, 16, "of the cloth across its width")                                                \
  FIELD(sides, 16, "of the cylinder; the paper's coarsest has 7")                                  \
  FIELD(length, 4, "of the cloth, from end to end, m")                                             \
  FIELD(width, 1, "of the cloth, along the cylinder, m")                                           \
  FIELD(radius, 0.50929581789406507, "of the cylinder, 1.6/pi m as in appendix B")                 \
  FIELD(cylinder, 6, "length of the cylinder, which is open at its ends, m")                       \
  FIELD(lift, -1,                                                                                  \
        "of the cloth above that radius at the start, m; below 0: it lies on the smooth cylinder") \
  FIELD(thickness, 0,                                                                              \
        "distance the cloth keeps from the cylinder, m: for pictures of coarse cloth")             \
  FIELD(stretch, 2e4, "stiffness of the cloth, N/m")                                               \
  FIELD(damping, 0, "of the cloth's motion, 1/s")                                                  \
  FIELD(dt, 0.01, "time step, s")                                                                  \
  FIELD(seconds, 5, "how long it runs, s")

/* Figure 7: a hollow ball, 9,000 tets on 2,408 vertices, dropped on a ramp with a spin that drives
 * it up the slope, towards -x. The paper names the spin, but neither the drop nor the ball. Where
 * friction stops the slip within the bounce, more of it changes nothing: from 0.5 m, at 100 degrees
 * a second, 0.5 is as good as 1. From 0.02 m the bounce grows with friction up to 1. */
#define SCENE_BALL_SPIN(FIELD)                                                                     \
  FIELD(mu, 0.5, "friction between ball and ramp")                                                 \
  FIELD(angle, 10, "of the ramp, degrees")                                                         \
  FIELD(spin, 100, "about the axis across the ramp, degrees a second")                             \
  FIELD(cells, 10, "of the ball along a quarter of its girth")                                     \
  FIELD(layers, 3, "of cells from the hollow to the outside")                                      \
  FIELD(outer, 0.5, "radius of the ball, m")                                                       \
  FIELD(inner, 0.35, "radius of its hollow, m")                                                    \
  FIELD(height, 0.02, "between ball and ramp at the start, m")                                     \
  FIELD(young, 1e6, "of the ball, Pa")                                                             \
  FIELD(dt, 0.005, "time step, s")                                                                 \
  FIELD(seconds, 7.5, "how long it runs, s")

/* A sphere thrown along a plane without spin: it slides, then rolls at 5/7 of its speed. */
#define SCENE_SPHERE_ON_PLANE(FIELD)                                                               \
  FIELD(mu, 0.3, "friction between sphere and plane")                                              \
  FIELD(soft, 0, "0: a rigid body; 1: a stiff solid")                                              \
  FIELD(cells, 12, "of the sphere along a quarter of its girth")                                   \
  FIELD(layers, 3, "of cells around the solid's core")                                             \
  FIELD(radius, 0.2, "of the sphere, m")                                                           \
  FIELD(speed, 2, "along +x at the start, m/s")                                                    \
  FIELD(young, 1e7, "of the solid, Pa")                                                            \
  FIELD(gap, 0, "between sphere and plane at the start, m")                                        \
  FIELD(dt, 0.005, "time step, s")                                                                 \
  FIELD(seconds, 1.5, "how long it runs, s")

/* Figure 8: a stool, 10,800 tets on 3,667 vertices, slides down a ramp on its four legs. Friction
 * above tan(angle) slows it down: it starts with a speed. Below 0.3 m/s or so its hind legs stick
 * and slip in turns; with ten times the stiffness they hardly do. */
#define SCENE_STOOL_CHATTER(FIELD)                                                                 \
  FIELD(mu, 0.2, "friction between stool and ramp")                                                \
  FIELD(angle, 10, "of the ramp, degrees")                                                         \
  FIELD(cells, 24, "of the seat along an edge; a leg has an eighth, rounded down")                 \
  FIELD(speed, 1, "down the ramp at the start, m/s")                                               \
  FIELD(young, 2e6, "of the stool, Pa")                                                            \
  FIELD(dt, 0.0003, "time step, s")                                                                \
  FIELD(seconds, 5.4, "how long it runs, s")

/* Figure 9: a small driver turns a large soft wheel by a belt; axes along y. The driver first moves
 * away from the wheel and so tightens the belt, then turns faster and faster, and stops at once.
 * The wheel turns without friction on an axle that stands still. 7,440 elements on 2,772 vertices.
 */
#define SCENE_BELT_DRIVE(FIELD)                                                                    \
  FIELD(mu, 0.2, "friction between belt and wheel; at 0.02 the wheel slips when the driver stops") \
  FIELD(mu_driver, 0.5, "friction between belt and driver")                                        \
  FIELD(around, 64, "cells of the wheel around its axis; even")                                    \
  FIELD(belt_cells, 140, "of the belt along its loop")                                             \
  FIELD(driver_sides, 32, "of the driver, and of the axle")                                        \
  FIELD(tighten, 0.02, "stretch of the belt when it is tight")                                     \
  FIELD(acceleration, 1.5, "of the driver, rad/s^2")                                               \
  FIELD(stop, 8, "when the driver stops, s")                                                       \
  FIELD(young, 5e5, "of the wheel, Pa")                                                            \
  FIELD(stretch, 2e4, "stiffness of the belt, N/m")                                                \
  FIELD(dt, 0.005, "time step, s")                                                                 \
  FIELD(seconds, 12.5, "how long it runs, s")

/* Figure 1: two soft finger tips pinch a rigid whiskey glass, lift it and hold it. Bones, and the
 * ends away from the glass, are led. 0.004 m cubes make 3.6K tets, 0.00157 m 60K,
 * of which 45K have a vertex that is free. */
#define SCENE_GLASS_PINCH(FIELD)                                                                   \
  FIELD(mu, 0.5, "friction between fingers and glass; at 0.02 it slips away")                      \
  FIELD(size, 0.004, "of the lattice cubes of the fingers, m; the paper's count: 0.00157")         \
  FIELD(step, 0.005, "edges of the glass, m")                                                      \
  FIELD(squeeze, 0.004, "how far the fingers press in, m")                                         \
  FIELD(lift, 0.05, "of the glass, m")                                                             \
  FIELD(young, 3e5, "of the fingers, Pa")                                                          \
  FIELD(floor, 1, "1: the glass stands on a floor at the start; 0: there is none")                 \
  FIELD(dt, 0.0001, "time step, s")                                                                \
  FIELD(seconds, 1, "how long it runs, s")

/* Figure 11: a hollow ball falls on a trampoline held at its rim, which is drawn tight, later let
 * loose, and then stretched to launch the ball. 8,034 elements; 22 cells, 3 layers, 49 rings and
 * dt = 0.005 make 58K. */
#define SCENE_BALL_ON_TRAMPOLINE(FIELD)                                                            \
  FIELD(mu, 0.2, "friction between ball and trampoline")                                           \
  FIELD(cells, 9, "of the ball along a quarter of its girth")                                      \
  FIELD(layers, 2, "of cells from the hollow to the outside")                                      \
  FIELD(rings, 23, "of vertices of the trampoline")                                                \
  FIELD(radius, 1.5, "of the trampoline, m")                                                       \
  FIELD(aside, 0.5, "how far from the middle the ball falls, m")                                   \
  FIELD(height, 0.5, "between ball and trampoline at the start, m")                                \
  FIELD(dt, 0.01, "time step, s")                                                                  \
  FIELD(seconds, 15, "how long it runs, s")

/* Figure 12: a tank top on a body that turns and leans. The body is a collider that moves, or a
 * solid whose inner core moves. The shoulders slope by 30 degrees, and the top is loose: it hangs
 * on its straps. Without friction they slide off the shoulders, and the top falls. */
#define SCENE_GARMENT(FIELD)                                                                       \
  FIELD(mu, 0.8, "friction between top and body; without, the straps slide off")                   \
  FIELD(soft, 0, "0: the body is a collider; 1: a solid")                                          \
  FIELD(cloth_size, 0.0157, "of the lattice that the top is cut from, m")                          \
  FIELD(body_size, 0.025, "of the lattice cubes of the body, m; the paper's count: 0.0152")        \
  FIELD(gap, 0.01, "between top and body at the start, m: how loose it is")                        \
  FIELD(thickness, 0, "distance the top keeps from the body, m: for pictures of coarse cloth")     \
  FIELD(core, 0.035, "how deep below the skin the solid is led, m")                                \
  FIELD(twist, 25, "of the shoulders against the hips, degrees to both sides")                     \
  FIELD(lean, 12, "of the shoulders, degrees to both sides")                                       \
  FIELD(young, 5e4, "of the body, Pa")                                                             \
  FIELD(dt, 0.004, "time step, s; the paper's soft body: 0.001")                                   \
  FIELD(seconds, 4, "how long it runs, s")

/* The Matchstick model, figure 3: a row of flat boxes, one higher up than the other so that none
 * meets the next, is let go on a plane with a painted structure. */
#define SCENE_PAINTED_PLANE(FIELD)                                                                 \
  FIELD(field, 0, "the structure: 0 channels, 1 spreads, 2 leads in a slalom")                     \
  FIELD(boxes, 5, "how many")                                                                      \
  FIELD(row, -1, "width of their row at the start, m; below 0: 2.2, and 0.5 to be spread")         \
  FIELD(along, 0.15, "friction along the structure")                                               \
  FIELD(across, 2, "friction across the structure")                                                \
  FIELD(angle, 20, "of the plane, degrees")                                                        \
  FIELD(turn, 35, "of the structure from downhill at most, degrees")                               \
  FIELD(wave, 3, "length of a wave of the slalom, m")                                              \
  FIELD(pixels, 256, "of the map along its longer side")                                           \
  FIELD(dt, 0.005, "time step, s")                                                                 \
  FIELD(seconds, 2.6, "how long it runs, s")

/* Figure 12: three boxes that start in different places and orientations leave the plane at one
 * place. */
#define SCENE_PAINTED_EXIT(FIELD)                                                                  \
  FIELD(along, 0.15, "friction along the structure")                                               \
  FIELD(across, 2, "friction across the structure; 0.15 as well: each goes straight down")         \
  FIELD(angle, 20, "of the plane, degrees")                                                        \
  FIELD(exit, 0.6, "where the lines lead, m from the middle of the lower edge")                    \
  FIELD(pixels, 256, "of the map along its longer side")                                           \
  FIELD(dt, 0.005, "time step, s")                                                                 \
  FIELD(seconds, 2.6, "how long it runs, s")

/* Figure 7: one box on an oblique structure. */
#define SCENE_PAINTED_OBLIQUE(FIELD)                                                               \
  FIELD(along, 0.1, "friction along the structure")                                                \
  FIELD(across, 0.3, "friction across the structure")                                              \
  FIELD(angle, 20, "of the plane, degrees")                                                        \
  FIELD(structure, 45, "its angle from downhill, degrees")                                         \
  FIELD(pixels, 16, "of the map along its longer side")                                            \
  FIELD(dt, 0.005, "time step, s")                                                                 \
  FIELD(seconds, 1.8, "how long it runs, s")

/* RECIPE(name, table, what it shows) */
#define SCENE_CONTACT_RECIPES(RECIPE)                                                              \
  RECIPE(block_slide, SCENE_BLOCK_SLIDE, "a soft block on a ramp")                                 \
  RECIPE(cloth_slide, SCENE_CLOTH_SLIDE, "a square of cloth on a ramp")                            \
  RECIPE(block_drag, SCENE_BLOCK_DRAG, "a soft block dragged along a plane by its top")            \
  RECIPE(cloth_cylinder, SCENE_CLOTH_CYLINDER, "cloth that hangs over a cylinder")                 \
  RECIPE(ball_spin, SCENE_BALL_SPIN, "a spinning hollow ball dropped on a ramp")                   \
  RECIPE(sphere_on_plane, SCENE_SPHERE_ON_PLANE, "a sphere that slides, then rolls")               \
  RECIPE(stool_chatter, SCENE_STOOL_CHATTER, "a stool that slides down a ramp")                    \
  RECIPE(belt_drive, SCENE_BELT_DRIVE, "a driver, a belt and a soft wheel")                        \
  RECIPE(glass_pinch, SCENE_GLASS_PINCH, "two finger tips that lift a glass")                      \
  RECIPE(ball_on_trampoline, SCENE_BALL_ON_TRAMPOLINE, "a hollow ball on a trampoline")            \
  RECIPE(garment, SCENE_GARMENT, "a tank top on a moving body")                                    \
  RECIPE(painted_plane, SCENE_PAINTED_PLANE, "boxes led by a painted structure")                   \
  RECIPE(painted_exit, SCENE_PAINTED_EXIT, "three boxes that leave a plane at one place")          \
  RECIPE(painted_oblique, SCENE_PAINTED_OBLIQUE, "a box on an oblique structure")                  \
  SCENE_MATCHSTICK_RECIPES(RECIPE)                                                                 \
  SCENE_FAST_RECIPES(RECIPE)                                                                       \
  SCENE_ORDINARY_RECIPES(RECIPE)

#define SCENE_FIELD(name, value, about) double name;
#define SCENE_DECLARE(recipe, table, about)                                                        \
  typedef struct scene_##recipe##_params {                                                         \
    table(SCENE_FIELD)                                                                             \
  } scene_##recipe##_params;                                                                       \
  scene_##recipe##_params scene_##recipe##_defaults(void);                                         \
  tribo_status scene_##recipe(const scene_##recipe##_params *p, tribo_scene **out,                 \
                              tribo_error *err);
SCENE_CONTACT_RECIPES(SCENE_DECLARE)
#undef SCENE_DECLARE
#undef SCENE_FIELD

/* Where the garment's body carries what was at `start` and moves with it. */
void scene_garment_carries(const scene_garment_params *p, double seconds, const double start[3],
                           double x[3]);

/* Where the dancer in a dress carries what was at `start` and moves with her. */
void scene_dress_carries(const scene_dress_params *p, double seconds, const double start[3],
                         double x[3]);

/* The tables, for programs. */
typedef struct scene_option {
  const char *name, *about;
  double value; /* the default */
} scene_option;

typedef struct contact_recipe {
  const char *name, *about;
  const scene_option *options;
  size_t option_count;
  tribo_status (*make)(const double *values, tribo_scene **out, tribo_error *err);
} contact_recipe;

const contact_recipe *contact_recipes(size_t *count);

#endif
