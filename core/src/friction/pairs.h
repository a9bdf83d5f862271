/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pairs: the friction law of any two objects of a scene. Made once from what the scene says
 * of materials, objects and pairs (docs/friction.md), then looked up in constant time.
 *
 * A pair that names both objects counts most, then one that names an object and a material, then
 * one of two materials; among equals the later. Without a pair each object brings a law of its own:
 * the scene's default, or where it has a coefficient of its own, plain Coulomb with that; the rule
 * of combination makes one coefficient of two, in mu, mu_along, mu_across and mu_dynamic alike.
 */
#ifndef FRICTION_PAIRS_H
#define FRICTION_PAIRS_H

#include "base/arena.h"
#include "base/status.h"
#include "friction/law.h"
#include "tribo/scene.h"

/* a and b name an object or a material, in either order. */
typedef struct friction_pair_def {
  const char *a, *b;
  tribo_friction_params friction;
} friction_pair_def;

/* Objects that the scene treats alike form a class: a scene of many objects and few materials has a
 * small table. */
typedef struct pairs {
  size_t object_count, class_count;
  const int32_t *class_of_object;
  const friction_law *laws; /* class_count x class_count, symmetric */
} pairs;

/* In `memory`. A name in the list that is no object's and no material's is refused, with the name
 * that was probably meant. */
tribo_status pairs_build(const tribo_object_def *objects, size_t count,
                         const tribo_combine_params *combine, const tribo_friction_params *standard,
                         const friction_pair_def *list, size_t list_count, arena *memory,
                         pairs *out, tribo_error *err);

/* The law between two objects, by their numbers in the scene; also of one with itself. Its first
 * tensor is that of object_a. */
const friction_law *pairs_law(const pairs *p, size_t object_a, size_t object_b);

/* Whether any two objects have drilling friction. */
bool pairs_drill(const pairs *p);

/* One coefficient from those of two objects, by TRIBO_COMBINE_*. */
double pairs_combine(int rule, double a, double b);

#endif
