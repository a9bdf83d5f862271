/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * law: how two surfaces rub, and the cone that follows at a contact. Three verbs with the cone:
 * law_cone makes it, cone_project and cone_residual use it (cone.h).
 *
 * Coulomb: one coefficient mu, whatever the direction.
 *
 * Matchstick (document 002, Algorithm 1): each surface may have a structure direction, in which it
 * is combed, grooved or grown; it has no sign. Two structures that run the same way make an ellipse
 * of mu_along and mu_across, perpendicular ones the circle of mu, and between them, with theta in
 * [0, pi/2] the angle between the two lines,
 *
 *   d = 1 - 2 theta/pi,   mu_t = d mu_along + (1 - d) mu,   mu_b = d mu_across + (1 - d) mu,
 *
 * t being their mean direction. mu_along is thus the document's mu_t^A: what resists sliding along
 * the structure. The document calls t the major axis; with mu_along < mu_across it is the minor
 * one. Where one surface has no structure the other's counts in full, d = 1 (its sec. 6; Algorithm
 * 1 taken by the letter would give d = 0 there). Where none has, the cone is Coulomb's.
 *
 * Tensors (Appendix A, tensor.h): in place of mu_along and mu_across each surface may have a tensor
 * of its own in the frame of its structure; mu times their sum makes the ellipse.
 *
 * Static and dynamic. A contact that slides at speed v bears less than one that sticks. The whole
 * cone, drilling included, shrinks by one factor, so that its shape stays:
 *
 *   mu(v)/mu,   mu(v) = mu_dynamic + (mu - mu_dynamic) exp(-(v/v_s)^2)      (Stribeck, Gauss' form)
 *
 * It has slope 0 at v = 0, so creeping contacts hold like sticking ones. In an implicit step v is
 * the slip speed at the start of the step, and 0 for a contact that stuck: within the step the
 * coefficient is a constant, every solver sees an ordinary cone, and maximum dissipation holds. The
 * price is a lag of one step, an error of first order in its length like that of the step itself.
 *
 * Drilling (sec. 4.4): with mu_drill > 0, in metres, a torque about the normal is borne, together
 * with the tangential part in one ellipsoid. For a round contact patch of radius R with even
 * pressure, mu_drill = 2/3 mu R.
 */
#ifndef FRICTION_LAW_H
#define FRICTION_LAW_H

#include "base/status.h"
#include "friction/cone.h"
#include "tribo/scene.h"

/* Every value is set: what tribo_friction_params leaves open is decided. */
typedef struct friction_law {
  double mu, mu_along, mu_across;
  double mu_dynamic;               /* at most mu */
  double stribeck_velocity;        /* v_s, m/s; 0: any sliding is fast */
  double mu_drill;                 /* metres */
  bool tensors;                    /* instead of mu_along and mu_across */
  double tensor_a[3], tensor_b[3]; /* along, across, between; of the first and the second object */
} friction_law;

/* Values within their ranges (params.inl) that cannot stand together, or a negative one other than
 * -1, "not given". The message names the key and both values. */
tribo_status law_check(const tribo_friction_params *params, tribo_error *err);

/* mu_along, mu_across and mu_dynamic are mu where not given. */
friction_law law_make(const tribo_friction_params *params);

/* The law seen from the other object. */
friction_law law_swapped(const friction_law *law);

/* The same, every value given. */
tribo_friction_params law_params(const friction_law *law);

/* mu(v)/mu: 1 for what sticks, mu_dynamic/mu for what slides fast. */
double law_weakening(const friction_law *law, double slip_speed);

/* Whether no structure direction makes a difference. */
bool law_is_isotropic(const friction_law *law);

/* The cone of a contact. s_a and s_b are the structure directions of the two surfaces in the world,
 * of any length and sign; only their part in the tangent plane counts, and 0 means no structure.
 * The frame does not depend on the signs, nor on the order of the two. Without structure it is
 * cone_tangent's. */
friction_cone law_cone(const friction_law *law, vec3 normal, vec3 s_a, vec3 s_b, double slip_speed);

#endif
