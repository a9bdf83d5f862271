/* Tribo: a scene in motion. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A simulation compiles a scene once and then moves it, substep by substep. The scene may be freed
 * after tribo_sim_create. One thread at a time may use a simulation; several simulations may run at
 * the same time.
 */
#ifndef TRIBO_SIM_H
#define TRIBO_SIM_H

#include "tribo/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tribo_sim tribo_sim;

typedef struct tribo_sim_options {
  int threads;      /* 0: as many as the machine has. Results do not depend on it. */
  tribo_log_fn log; /* may be NULL */
  void *log_user;
  /* Looked at while a step runs: once it is not 0, the step ends with TRIBO_CANCELLED and the state
   * is as before. Any thread or a signal may set it; it must outlive the simulation. NULL: none. */
  const int *stop;
} tribo_sim_options;

/* Why a frame is rough, the gravest first. */
enum {
  TRIBO_ROUGH_ENERGY = 1,    /* there is more energy than anything put in */
  TRIBO_ROUGH_CROSSINGS = 2, /* new_crossings is not 0 */
  TRIBO_ROUGH_DEEP = 4,      /* something is deep inside of what it touches */
  TRIBO_ROUGH_TANGLED = 8,   /* contacts between cloths contradict each other, and hold it back */
  TRIBO_ROUGH_STEPS = 16     /* a step missed its tolerance, by what can be seen */
};

/* What a step or a frame came to; a frame's numbers are sums or worst cases over its steps. */
typedef struct tribo_report {
  int steps;                /* time steps solved, cut ones counted as they were solved */
  int cuts;                 /* how often a step was cut in two */
  int newton_iterations;    /* in all */
  int linear_iterations;    /* of iterative linear solvers, in all */
  double residual;          /* worst force imbalance at the end of a step, relative */
  int contacts;             /* points that touch, at the end */
  int linearizations;       /* how often contacts were linearised, in all */
  int friction_iterations;  /* staggered projections, in all */
  double friction_residual; /* worst change of the impulses when the friction solve stopped */
  double max_penetration;   /* worst depth at the end of a step, metres */
  int cloth_contacts;       /* those of the contacts that are between cloth and cloth */
  double cloth_depth;       /* by how much cloths were nearer than their thickness, at worst, m */
  double held_back;         /* energy that contacts of cloth made, and that was taken away, J */
  int crossings;            /* edges that pass through triangles at the end (tribo_crossing); -1:
                               they were not counted (solver.crossings) */
  int new_crossings;        /* those of them that were not there at the first frame */
  int grazing;              /* edges that pass through a triangle too, but no deeper than a step may
                               leave them (tribo_crossing): not among the crossings */
  unsigned rough;           /* why the frame is not what it should be: bits of TRIBO_ROUGH_... */
  bool converged;           /* every step reached the tolerance, and nothing is rough */
  double kinetic_energy;    /* at the end, joules */
  double elastic_energy;    /* at the end, joules */
  double seconds;           /* wall time, and the shares of it below */
  double linear_seconds;    /* inside the linear solver */
  double assembly_seconds;
} tribo_report;

/* Options may be NULL. */
TRIBO_API tribo_status tribo_sim_create(const tribo_scene *scene, const tribo_sim_options *options,
                                        tribo_sim **out, tribo_error *err);
TRIBO_API void tribo_sim_free(tribo_sim *sim);

/* Advances one substep, or to the next frame. When it fails the state is as before the call.
 * report may be NULL. */
TRIBO_API tribo_status tribo_sim_step(tribo_sim *sim, tribo_report *report, tribo_error *err);
TRIBO_API tribo_status tribo_sim_frame(tribo_sim *sim, tribo_report *report, tribo_error *err);

/* One more sample of the motion of a collider (3 numbers a vertex in the world, or 16 of a
 * transform, as the motion it was added with), or of the targets of a pin (3 a vertex of the pin);
 * object and pin by their numbers in the scene. It must have at least one sample from the start.
 * The next frame may be advanced to once its samples are there; results are then as if all had been
 * known before. */
TRIBO_API tribo_status tribo_sim_extend_motion(tribo_sim *sim, size_t object, const double *sample,
                                               tribo_error *err);
TRIBO_API tribo_status tribo_sim_extend_targets(tribo_sim *sim, size_t object, size_t pin,
                                                const double *sample, tribo_error *err);

/* From `frame` on the collider is there, or is not, whatever was said before; frames ascend from
 * call to call, and come before the steps that end there. */
TRIBO_API tribo_status tribo_sim_extend_presence(tribo_sim *sim, size_t object, double frame,
                                                 bool present, tribo_error *err);

/* Seconds since the first frame, and the frame number (fractional within a frame). */
TRIBO_API double tribo_sim_time(const tribo_sim *sim);
TRIBO_API double tribo_sim_frame_number(const tribo_sim *sim);

/* The simulated objects, in the order of the scene; colliders are not among them. */
TRIBO_API size_t tribo_sim_object_count(const tribo_sim *sim);
TRIBO_API const char *tribo_sim_object_name(const tribo_sim *sim, size_t object);
TRIBO_API size_t tribo_sim_vertex_count(const tribo_sim *sim, size_t object);

/* World-space positions (m) and velocities (m/s), 3 doubles a vertex, straight from the
 * simulation: valid until the next call that moves it. */
TRIBO_API const double *tribo_sim_positions(const tribo_sim *sim, size_t object);
TRIBO_API const double *tribo_sim_velocities(const tribo_sim *sim, size_t object);

/* Whether friction could bear more: then it sticks. Without friction it slips. */
typedef enum tribo_contact_state { TRIBO_STICK, TRIBO_SLIP } tribo_contact_state;

/* One point in contact, as the last step left it: the last of a frame, or the second half of it if
 * it was cut. Contacts that bear nothing are not listed. Where cloth touches between its vertices,
 * which the method `projective` knows, the vertex is that with the largest share. */
typedef struct tribo_contact {
  size_t object; /* whose vertex it is, by its number among the simulated objects */
  int32_t vertex;
  const char *surface; /* the name of the object touched */
  double position[3];  /* where on the surface, m */
  double normal[3];    /* unit, from the surface towards the vertex */
  double gap;          /* m, negative when inside; as the solver sees it, linear within the step */
  double mu;           /* coefficient in force */
  double impulse[3];   /* on the vertex, N s, normal and friction together */
  double force[3];     /* the same by the length of the step, N */
  double torque;  /* on its object about the normal, N m: friction against turning on the spot */
  double slip[3]; /* tangential velocity relative to the surface, m/s */
  tribo_contact_state state;
} tribo_contact;

/* All contacts of the last step, in an order that does not depend on threads; valid until the next
 * call that moves the simulation. NULL when there are none. count may be NULL. */
TRIBO_API const tribo_contact *tribo_sim_contacts(const tribo_sim *sim, size_t *count);

/* The edges of two objects that pass through triangles of each other, or of one object that deforms
 * through its own: counted from positions and triangles alone, with exact signs, whatever a solver
 * believes. Objects whose surface.contact is "none" do not take part, nor do colliders that are
 * not there. What is no deeper than a step may leave it only grazes, and is counted apart: ten
 * times the contact tolerance, or a thousandth of the mean edge of the finer mesh if that is more.
 * A crossing is new, and makes the frame rough, unless it lies where the two crossed at the first
 * frame: it has vertices of both that took part in a crossing there, or are neighbours of one.
 * Strands of rods have no triangles: two of their segments cross where the centre lines are nearer
 * than half of the sum of the thicknesses, and such a crossing is new unless the two strands
 * crossed at the first frame. The other segment then stands for the triangle, its second vertex
 * twice. */
typedef struct tribo_crossing {
  const char *object, *other; /* names; twice the same for what crosses itself */
  size_t a, b;                /* their numbers in the scene, colliders counted */
  int count;                  /* edges of either through triangles of the other */
  int new_count;              /* those of them that are new */
  int at_start;               /* how many there were at the first frame */
  double depth;               /* how far the deepest would have to be moved to be out, m; */
  double place[3];            /* where that one is, */
  const char *edge_of;        /* whose edge it is, */
  int32_t edge[2];            /* the edge's vertices, */
  int32_t triangle[3];        /* and those of the triangle, of the other object */
} tribo_crossing;

/* The pairs that cross, as they were counted last: at the end of the last frame whose report has
 * crossings; before the first, as the scene was given. Valid until the next call that moves the
 * simulation. NULL when there are none. count may be NULL. */
TRIBO_API const tribo_crossing *tribo_sim_crossings(const tribo_sim *sim, size_t *count);

/* The triangles of an object, by its number in the scene, that an edge passes through, as counted
 * last: three vertices each, sorted. count: of triangles. */
TRIBO_API const int32_t *tribo_sim_pierced(const tribo_sim *sim, size_t object, size_t *count);

/* A hash of the whole state to the last bit: time, positions, velocities, orientations, friction.
 */
TRIBO_API uint64_t tribo_sim_hash(const tribo_sim *sim);

/* The linear solver in use, and whether its results are the same bits for any thread count. */
TRIBO_API const char *tribo_sim_linear_solver(const tribo_sim *sim, bool *deterministic);

#ifdef __cplusplus
}
#endif

#endif
