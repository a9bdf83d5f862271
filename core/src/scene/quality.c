/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/quality.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kinds/kind.h"
#include "scene/measure.h"
#include "scene/params.h"

/* What a level asks of a step, by method. */
typedef struct level {
  int least, most;  /* substeps */
  double way;       /* of the fastest in a substep, in gaps (see gap_of) */
  double thickness; /* at most, m */
  double share;     /* of the mean edge, the thickness else */
} level;

enum { LEVELS = TRIBO_QUALITY_FINAL + 1 };

static const level PROJECTIVE[LEVELS] = {
    [TRIBO_QUALITY_PREVIEW] = {8, 16, 3.0, 0.005, 0.25},
    [TRIBO_QUALITY_GOOD] = {16, 48, 1.5, 0.005, 0.25},
    [TRIBO_QUALITY_FINAL] = {32, 96, 0.75, 0.005, 0.25},
};

/* Every step goes until it has converged, and cuts itself where it must. */
static const level FORWARDING[LEVELS] = {
    [TRIBO_QUALITY_PREVIEW] = {2, 8, 2.0, 0.002, 0.1},
    [TRIBO_QUALITY_GOOD] = {4, 16, 1.0, 0.002, 0.1},
    [TRIBO_QUALITY_FINAL] = {8, 32, 0.5, 0.002, 0.1},
};

/* Nothing passes, however fast it is; shorter steps only make shorter work of each. */
static const level BARRIER[LEVELS] = {
    [TRIBO_QUALITY_PREVIEW] = {4, 4, INFINITY, 0.002, 0.1},
    [TRIBO_QUALITY_GOOD] = {8, 8, INFINITY, 0.002, 0.1},
    [TRIBO_QUALITY_FINAL] = {16, 16, INFINITY, 0.002, 0.1},
};

static const level *const LEVELS_OF[] = {[TRIBO_METHOD_FORWARDING] = FORWARDING,
                                         [TRIBO_METHOD_ELASTIC] = FORWARDING,
                                         [TRIBO_METHOD_PROJECTIVE] = PROJECTIVE,
                                         [TRIBO_METHOD_BARRIER] = BARRIER};

/* A rigid body may go by this part of its least extent, cloth and solids by this part of an edge:
 * where that is more than their thickness. */
static const double PART_OF_BODY = 0.25, PART_OF_EDGE = 0.1;

/* What an iteration of the method projective settles of h^2 k / m: of cloth as in
 * step/simulation.c; of solids, whose matrix bounds more than what they resist with, less. */
static const double SHEET_AN_ITERATION = 500, SOLID_AN_ITERATION = 50;

/* ---- the method ------------------------------------------------------------------------------ */

static bool keeps_shape(const tribo_object_def *o) {
  return kind_of(o)->about.simulated && !kind_of(o)->about.deforms;
}

/* With barrier every object knows every other: what many props cost is the business of forwarding.
 */
enum { BARRIER_MOST = 64 };

/* Barrier does what the scene asks for, but for these: it has no drilling, and feels what is
 * simulated and smooth by wish as its mesh. */
static bool barrier_suits(const tribo_scene *scene) {
  if (scene->objects.count > BARRIER_MOST || scene->friction.mu_drill > 0) return false;
  for (size_t i = 0; i < scene->pairs.count; i++)
    if (scene->pairs.data[i].friction.mu_drill > 0) return false;
  for (size_t i = 0; i < scene->objects.count; i++)
    if (kind_of(&scene->objects.data[i])->about.simulated &&
        scene->objects.data[i].surface.contact == TRIBO_CONTACT_MLS)
      return false;
  return true;
}

/* Fast for what it can move, and for what nothing else is asked. Next to rigid bodies what deforms
 * is moved by the method that lets it neither through them nor through itself; so are rods, which
 * touch each other with no other. */
static int method_for(const tribo_scene *scene) {
  bool rigid = false, soft = false, rods = false;
  if (scene->solver.backend != TRIBO_BACKEND_NATIVE) return TRIBO_METHOD_FORWARDING;
  for (size_t i = 0; i < scene->objects.count; i++) {
    rigid |= keeps_shape(&scene->objects.data[i]);
    soft |= kind_of(&scene->objects.data[i])->about.deforms;
    rods |= kind_of(&scene->objects.data[i])->about.mesh == TRIBO_MESH_SEGMENTS;
  }
  if (!rigid && !rods) return TRIBO_METHOD_PROJECTIVE;
  return soft && barrier_suits(scene) ? TRIBO_METHOD_BARRIER : TRIBO_METHOD_FORWARDING;
}

static const level *level_for(const tribo_scene *scene) {
  return &LEVELS_OF[scene->world.method][scene->world.quality];
}

/* ---- the thickness --------------------------------------------------------------------------- */

/* To two digits, for whoever reads it. */
static double rounded(double value) {
  double unit = pow(10, floor(log10(value)) - 1);
  return round(value / unit) * unit;
}

/* Thickness of sheets; and of solids where only a thickness lets them touch. */
static double thickness_for(const tribo_object_def *o, const tribo_scene *scene, const measure *m) {
  if (kind_of(o)->thickness) return kind_thickness(o);
  const level *l = level_for(scene);
  const tribo_kind_info *about = &kind_of(o)->about;
  bool layers = scene->world.method == TRIBO_METHOD_PROJECTIVE;
  bool thick = about->deforms && (about->sheet || layers);
  double size = fmin(l->thickness, l->share * m->edge);
  return thick && size > 0 ? rounded(size) : 0;
}

/* ---- the substeps ---------------------------------------------------------------------------- */

/* How far something may go in a step before it could be through something else. */
static double gap_of(const tribo_object_def *o, const measure *m) {
  if (keeps_shape(o)) {
    vec3 size = vec3_sub(m->high, m->low);
    return PART_OF_BODY * fmin(size.x, fmin(size.y, size.z));
  }
  return fmax(o->surface.thickness, PART_OF_EDGE * m->edge);
}

/* The fastest of what object `index` may meet: that is moved, or begins with a speed. */
static double others(const measure *all, size_t count, size_t index) {
  double most = 0;
  for (size_t i = 0; i < count; i++)
    if (i != index) most = fmax(most, all[i].driven);
  return most;
}

/* Steps a second that an object's speed wants, and its stiffness. */
static double steps_for(const tribo_scene *scene, const measure *all, size_t index, double *speed) {
  const tribo_object_def *o = &scene->objects.data[index];
  double gap = gap_of(o, &all[index]), most = scene->solver.projective_iterations;
  double v = measure_speed(scene, all, index) + others(all, scene->objects.count, index);
  *speed = fmax(*speed, v);
  double steps = gap > 0 ? v / (level_for(scene)->way * gap) : 0;
  if (scene->world.method != TRIBO_METHOD_PROJECTIVE) return steps;
  most *= kind_of(o)->about.sheet ? SHEET_AN_ITERATION : SOLID_AN_ITERATION;
  return fmax(steps, sqrt(all[index].stiffness / most));
}

static int substeps_for(const tribo_scene *scene, const measure *all, double *speed) {
  const level *l = level_for(scene);
  double steps = 0;
  for (size_t i = 0; i < scene->objects.count; i++)
    if (kind_of(&scene->objects.data[i])->about.simulated)
      steps = fmax(steps, steps_for(scene, all, i, speed));
  enum { EVEN = 4 }; /* a number to remember, and the same for scenes that hardly differ */
  double wanted = EVEN * ceil(steps / scene->time.fps / EVEN);
  return (int)fmin(fmax(wanted, l->least), l->most); /* also of what is not finite */
}

/* ---- the plan -------------------------------------------------------------------------------- */

static void decide(tribo_scene *scene, const measure *all, tribo_choice *choice) {
  if (scene->world.quality != TRIBO_QUALITY_CUSTOM) {
    if (!scene->given.method) scene->world.method = method_for(scene);
    for (size_t i = 0; i < scene->objects.count; i++) {
      tribo_object_def *o = &scene->objects.data[i];
      if (o->surface.thickness < 0) o->surface.thickness = thickness_for(o, scene, &all[i]);
    }
    int substeps = substeps_for(scene, all, &choice->speed);
    if (!scene->given.substeps) scene->time.substeps = substeps;
  }
  for (size_t i = 0; i < scene->objects.count; i++) {
    tribo_object_def *o = &scene->objects.data[i];
    if (o->surface.thickness < 0) o->surface.thickness = kind_thickness(o);
    if (kind_of(o)->about.simulated)
      choice->thickness = fmax(choice->thickness, o->surface.thickness);
  }
  choice->quality = scene->world.quality;
  choice->method = scene->world.method;
  choice->substeps = scene->time.substeps;
  scene->world.quality = TRIBO_QUALITY_CUSTOM; /* a plan of the plan is the plan */
}

tribo_status quality_plan_make(const tribo_scene *scene, quality_plan *out, tribo_error *err) {
  TRY(scene_check(scene, err)); /* so that numbers are in their ranges */
  *out = (quality_plan){.scene = *scene};
  size_t count = scene->objects.count;
  tribo_object_def *objects = calloc(count + 1, sizeof *objects);
  measure *all = calloc(count + 1, sizeof *all);
  tribo_status status = objects && all ? TRIBO_OK : status_no_memory(err, "a scene");
  bool asked = scene->world.quality != TRIBO_QUALITY_CUSTOM;
  for (size_t i = 0; i < count && asked && status == TRIBO_OK; i++)
    status = measure_object(scene, i, &all[i], err);
  if (status == TRIBO_OK) {
    if (count) memcpy(objects, scene->objects.data, count * sizeof *objects);
    out->scene.objects.data = objects;
    decide(&out->scene, all, &out->choice);
  } else {
    free(objects);
  }
  free(all);
  return status;
}

void quality_plan_free(quality_plan *plan) {
  free(plan->scene.objects.data);
  plan->scene.objects.data = NULL;
}

char *quality_word(const char *name, int number, char out[QUALITY_WORD_SIZE]) {
  const char *at = params_find("world", name)->choices;
  for (; number > 0; number--) at += strcspn(at, "|") + 1;
  snprintf(out, QUALITY_WORD_SIZE, "%.*s", (int)strcspn(at, "|"), at);
  return out;
}

char *quality_text(const tribo_choice *choice, char out[QUALITY_TEXT_SIZE]) {
  char quality[QUALITY_WORD_SIZE], method[QUALITY_WORD_SIZE], thick[48] = "";
  if (choice->thickness > 0) snprintf(thick, sizeof thick, ", thickness %.3g m", choice->thickness);
  snprintf(out, QUALITY_TEXT_SIZE,
           "quality %s: method %s, %d substeps%s, for speeds up to %.2g m/s",
           quality_word("quality", choice->quality, quality),
           quality_word("method", choice->method, method), choice->substeps, thick, choice->speed);
  return out;
}
