/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "friction/pairs.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* All that a law can depend on; NULL stands for a name or material of no pair. */
typedef struct object_class {
  const char *name, *material;
  double mu; /* the object's own; below 0: it has the scene's default */
} object_class;

static const char *material_of(const tribo_object_def *o) {
  return o->material ? o->material : o->name;
}

double pairs_combine(int rule, double a, double b) {
  switch (rule) {
    case TRIBO_COMBINE_AVERAGE: return 0.5 * (a + b);
    case TRIBO_COMBINE_MINIMUM: return fmin(a, b);
    case TRIBO_COMBINE_MAXIMUM: return fmax(a, b);
    case TRIBO_COMBINE_PRODUCT: return a * b;
    default: return sqrt(a * b);
  }
}

/* ---- names ----------------------------------------------------------------------------------- */

static tribo_status unknown_name(const tribo_object_def *objects, size_t count, size_t number,
                                 const char *name, tribo_error *err) {
  const char **names = malloc(2 * (count + 1) * sizeof *names);
  if (!names) return status_no_memory(err, "the names of objects");
  for (size_t i = 0; i < count; i++) {
    names[2 * i] = objects[i].name;
    names[2 * i + 1] = material_of(&objects[i]);
  }
  const char *meant = text_suggest(name, names, 2 * count);
  free(names);
  if (meant)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "friction.pairs[%zu]: no object or material is named '%.200s'; did you mean "
                       "'%.200s'?",
                       number, name, meant);
  return status_fail(err, TRIBO_BAD_INPUT,
                     "friction.pairs[%zu]: no object or material is named '%.200s'; name one of "
                     "the scene, or remove the pair",
                     number, name);
}

static tribo_status check_name(const tribo_object_def *objects, size_t count, size_t number,
                               const char *name, tribo_error *err) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(objects[i].name, name) == 0 || strcmp(material_of(&objects[i]), name) == 0)
      return TRIBO_OK;
  return unknown_name(objects, count, number, name, err);
}

/* The first mention of a word in the list, so that equal words are equal pointers; or NULL. */
static const char *mention(const friction_pair_def *list, size_t count, const char *word) {
  for (size_t i = 0; i < count; i++) {
    if (strcmp(list[i].a, word) == 0) return list[i].a;
    if (strcmp(list[i].b, word) == 0) return list[i].b;
  }
  return NULL;
}

/* ---- the table ------------------------------------------------------------------------------- */

/* How closely a word names an object: 1 by its name, 0 by its material, -1 not at all. */
static int closeness(const object_class *c, const char *word) {
  if (c->name && strcmp(c->name, word) == 0) return 1;
  return c->material && strcmp(c->material, word) == 0 ? 0 : -1;
}

/* The rank of a pair for two objects: 2 names both, 1 one object and a material, 0 two materials;
 * -1 when it does not speak of them. swapped: its a is the second object. */
static int rank_of(const friction_pair_def *pair, const object_class *a, const object_class *b,
                   bool *swapped) {
  int aa = closeness(a, pair->a), bb = closeness(b, pair->b);
  int ab = closeness(a, pair->b), ba = closeness(b, pair->a);
  int straight = aa < 0 || bb < 0 ? -1 : aa + bb, crossed = ab < 0 || ba < 0 ? -1 : ab + ba;
  *swapped = crossed > straight;
  return *swapped ? crossed : straight;
}

/* What an object brings where no pair speaks. */
static friction_law own_law(const object_class *c, const friction_law *standard) {
  friction_law law = *standard;
  if (c->mu >= 0) law.mu = law.mu_along = law.mu_across = law.mu_dynamic = c->mu;
  return law;
}

/* Every rule of combination grows with both of its arguments: mu_dynamic <= mu stays. */
static friction_law combined(int rule, const friction_law *a, const friction_law *b) {
  return (friction_law){.mu = pairs_combine(rule, a->mu, b->mu),
                        .mu_along = pairs_combine(rule, a->mu_along, b->mu_along),
                        .mu_across = pairs_combine(rule, a->mu_across, b->mu_across),
                        .mu_dynamic = pairs_combine(rule, a->mu_dynamic, b->mu_dynamic),
                        .stribeck_velocity = a->stribeck_velocity, /* of the default, like b's */
                        .mu_drill = a->mu_drill};
}

static friction_law law_between(const object_class *a, const object_class *b, int rule,
                                const friction_law *standard, const friction_pair_def *list,
                                size_t count) {
  const friction_pair_def *speaks = NULL;
  int best = -1;
  bool turned = false;
  for (size_t i = 0; i < count; i++) {
    bool swapped;
    int rank = rank_of(&list[i], a, b, &swapped);
    if (rank < 0 || rank < best) continue;
    best = rank;
    speaks = &list[i];
    turned = swapped;
  }
  if (speaks) {
    friction_law law = law_make(&speaks->friction);
    return turned ? law_swapped(&law) : law;
  }
  friction_law of_a = own_law(a, standard), of_b = own_law(b, standard);
  return combined(rule, &of_a, &of_b);
}

static bool same_class(const object_class *a, const object_class *b) {
  return a->name == b->name && a->material == b->material && a->mu == b->mu;
}

/* Sorts the objects into classes; returns how many there are. */
static size_t classify(const tribo_object_def *objects, size_t count, const friction_pair_def *list,
                       size_t list_count, object_class *classes, int32_t *class_of_object) {
  size_t known = 0;
  for (size_t i = 0; i < count; i++) {
    double own = objects[i].surface.mu;
    object_class c = {.name = mention(list, list_count, objects[i].name),
                      .material = mention(list, list_count, material_of(&objects[i])),
                      .mu = own < 0 ? -1 : own};
    size_t k = 0;
    while (k < known && !same_class(&classes[k], &c)) k++;
    if (k == known) classes[known++] = c;
    class_of_object[i] = (int32_t)k;
  }
  return known;
}

tribo_status pairs_build(const tribo_object_def *objects, size_t count,
                         const tribo_combine_params *combine, const tribo_friction_params *standard,
                         const friction_pair_def *list, size_t list_count, arena *memory,
                         pairs *out, tribo_error *err) {
  for (size_t i = 0; i < list_count; i++) {
    TRY(check_name(objects, count, i, list[i].a, err));
    TRY(check_name(objects, count, i, list[i].b, err));
  }
  int32_t *class_of_object = ARENA_ARRAY(memory, int32_t, count);
  object_class *classes = malloc((count + 1) * sizeof *classes);
  size_t known = 0;
  if (class_of_object && classes)
    known = classify(objects, count, list, list_count, classes, class_of_object);
  friction_law *laws = ARENA_ARRAY(memory, friction_law, known * known);
  if (!class_of_object || !classes || !laws) {
    free(classes);
    return status_no_memory(err, "the friction of pairs");
  }
  friction_law base = law_make(standard);
  for (size_t a = 0; a < known; a++)
    for (size_t b = 0; b <= a; b++) {
      friction_law law =
          law_between(&classes[a], &classes[b], combine->combine, &base, list, list_count);
      laws[b * known + a] = law_swapped(&law);
      laws[a * known + b] = law;
    }
  free(classes);
  *out = (pairs){.object_count = count,
                 .class_count = known,
                 .class_of_object = class_of_object,
                 .laws = laws};
  return TRIBO_OK;
}

const friction_law *pairs_law(const pairs *p, size_t object_a, size_t object_b) {
  assert(object_a < p->object_count && object_b < p->object_count);
  size_t a = (size_t)p->class_of_object[object_a], b = (size_t)p->class_of_object[object_b];
  return &p->laws[a * p->class_count + b];
}

bool pairs_drill(const pairs *p) {
  for (size_t k = 0; k < p->class_count * p->class_count; k++)
    if (p->laws[k].mu_drill > 0) return true;
  return false;
}
