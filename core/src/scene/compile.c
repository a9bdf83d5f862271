/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/compile.h"

#include <stdio.h>
#include <string.h>

#include "base/tasks.h"
#include "friction/tensor.h"
#include "scene/doubts.h"
#include "scene/quality.h"
#include "scene/scene_check.h"

static tribo_status check_something_moves(const tribo_scene *scene, tribo_error *err) {
  size_t count = scene->objects.count;
  if (count == 0)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "the scene has no objects; there is nothing to simulate");
  for (size_t i = 0; i < count; i++)
    if (scene->objects.data[i].kind != TRIBO_COLLIDER) return TRIBO_OK;
  return status_fail(err, TRIBO_BAD_INPUT,
                     "the scene has colliders only; add a cloth, a solid or a rigid body");
}

/* ---- what a method can do -------------------------------------------------------------------- */

/* Projective Dynamics knows cloth and soft solids, with its own solver. */
static tribo_status check_projective(const tribo_scene *scene, tribo_error *err) {
  if (scene->world.method == TRIBO_METHOD_BARRIER && scene->solver.backend != TRIBO_BACKEND_NATIVE)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "solver.backend is 'ipopt', which has no part in the method 'barrier'; set "
                       "it to 'native', or the method to 'forwarding'");
  if (scene->world.method != TRIBO_METHOD_PROJECTIVE) return TRIBO_OK;
  if (scene->solver.backend != TRIBO_BACKEND_NATIVE)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "solver.backend is 'ipopt', which has no part in the method 'projective'; "
                       "set it to 'native', or the method to 'forwarding'");
  for (size_t i = 0; i < scene->objects.count; i++) {
    const tribo_object_def *o = &scene->objects.data[i];
    if (o->kind == TRIBO_RIGID)
      return status_fail(err, TRIBO_BAD_INPUT,
                         "object '%s' is a rigid body, but the method 'projective' moves cloth and "
                         "solids only; set the method to 'forwarding', or make it a collider",
                         o->name);
  }
  return TRIBO_OK;
}

/* Which friction the chosen method and backend solve exactly. What they do not is refused, never
 * approximated; one that learns a law says so in skills_of. */
typedef struct friction_skills {
  bool directions; /* mu_along, mu_across */
  bool speeds;     /* mu_dynamic */
  bool drilling;   /* mu_drill */
  char why[480];   /* there is no drilling */
} friction_skills;

/* What in the scene has no turning that a torque could hold back; NULL: nothing. What moves counts
 * even where it touches nobody: with it the step is not one of rigid bodies alone. */
static const tribo_object_def *without_turning(const tribo_scene *scene) {
  for (size_t i = 0; i < scene->objects.count; i++) {
    const tribo_object_def *o = &scene->objects.data[i];
    bool turns = o->kind == TRIBO_RIGID || (o->kind == TRIBO_COLLIDER && !o->motion.points);
    bool counts = o->kind != TRIBO_COLLIDER || o->surface.contact != TRIBO_CONTACT_NONE;
    if (!turns && counts) return o;
  }
  return NULL;
}

/* Drilling is solved where nothing but rigid bodies moves (solve/contact_rigid.h). */
static void find_drilling(const tribo_scene *scene, friction_skills *skills) {
  const tribo_object_def *soft = without_turning(scene);
  const char *of = soft && soft->kind == TRIBO_COLLIDER ? "a collider that deforms"
                   : soft                               ? scene_check_kind(soft->kind)
                                                        : NULL;
  if (soft)
    snprintf(skills->why, sizeof skills->why,
             "'%.200s' is %s, which has no turning of its own to hold back; drilling friction is "
             "for scenes of rigid bodies, and colliders that keep their shape",
             soft->name, of);
  else if (scene->solver.backend != TRIBO_BACKEND_NATIVE)
    snprintf(skills->why, sizeof skills->why,
             "solver.backend 'ipopt' has no drilling friction; set it to 'native'");
  else if (scene->solver.effective_mass != TRIBO_EFFECTIVE_MASS_ELASTIC)
    snprintf(skills->why, sizeof skills->why,
             "solver.effective_mass 'lumped' has no drilling friction; set it to 'elastic'");
  else
    skills->drilling = true;
}

static friction_skills skills_of(const tribo_scene *scene) {
  friction_skills skills = {.directions = true, .speeds = true};
  /* without contact nothing is asked for */
  if (scene->world.method == TRIBO_METHOD_ELASTIC)
    skills.drilling = true;
  else if (scene->world.method == TRIBO_METHOD_BARRIER)
    snprintf(skills.why, sizeof skills.why,
             "the method 'barrier' has no drilling friction; set the method to 'forwarding'");
  else
    find_drilling(scene, &skills);
  return skills;
}

static tribo_status check_law(const friction_law *law, const friction_skills *skills,
                              tribo_error *err) {
  if (!skills->directions && !law_is_isotropic(law))
    return status_fail(
        err, TRIBO_BAD_INPUT,
        "mu_along is %g, mu_across %g and mu %g, but this method has the same friction "
        "in every direction; leave mu_along and mu_across out",
        law->mu_along, law->mu_across, law->mu);
  if (!skills->speeds && law->mu_dynamic != law->mu)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "mu_dynamic is %g and mu %g, but this method has the same friction at every "
                       "speed; leave mu_dynamic out",
                       law->mu_dynamic, law->mu);
  if (!skills->drilling && law->mu_drill > 0)
    return status_fail(err, TRIBO_BAD_INPUT, "mu_drill is %g m, but %s; or leave mu_drill out",
                       law->mu_drill, skills->why);
  return TRIBO_OK;
}

/* A tensor with directions needs to know them: every object that the word means has a structure. */
static tribo_status check_structure(const tribo_scene *scene, const char *word,
                                    const double tensor[3], const char *key, tribo_error *err) {
  if (!tensor_has_directions(tensor)) return TRIBO_OK;
  for (size_t i = 0; i < scene->objects.count; i++) {
    const tribo_object_def *o = &scene->objects.data[i];
    bool meant = strcmp(o->name, word) == 0 || (o->material && strcmp(o->material, word) == 0);
    if (!meant || o->structure_map.pixels || o->vertex_structure) continue;
    return status_fail(err, TRIBO_BAD_INPUT,
                       "%s is [%g %g %g], which has directions, but '%.200s' has no structure to "
                       "count them from; give it a structure_map or vertex_structure, or the same "
                       "number along and across and 0 between",
                       key, tensor[0], tensor[1], tensor[2], o->name);
  }
  return TRIBO_OK;
}

static tribo_status check_pair(const tribo_scene *scene, const friction_pair_def *pair,
                               const friction_skills *skills, tribo_error *err) {
  friction_law law = law_make(&pair->friction);
  TRY(check_law(&law, skills, err));
  TRY(check_structure(scene, pair->a, law.tensor_a, "tensor_a", err));
  return check_structure(scene, pair->b, law.tensor_b, "tensor_b", err);
}

static tribo_status check_friction(const tribo_scene *scene, tribo_error *err) {
  friction_skills skills = skills_of(scene);
  friction_law standard = law_make(&scene->friction);
  tribo_status status = check_law(&standard, &skills, err);
  if (status != TRIBO_OK) return status_prefix(err, status, "friction.default: ");
  for (size_t i = 0; i < scene->pairs.count; i++) {
    const friction_pair_def *pair = &scene->pairs.data[i];
    status = check_pair(scene, pair, &skills, err);
    if (status != TRIBO_OK)
      return status_prefix(err, status, "friction of '%s' and '%s': ", pair->a, pair->b);
  }
  return TRIBO_OK;
}

/* ---- compiling ------------------------------------------------------------------------------- */

tribo_status compile_pairs(const tribo_scene *scene, arena *memory, pairs *out, tribo_error *err) {
  return pairs_build(scene->objects.data, scene->objects.count, &scene->combine, &scene->friction,
                     scene->pairs.data, scene->pairs.count, memory, out, err);
}

/* Of a scene with every number decided. */
static tribo_status compile_planned(const tribo_scene *scene, compiled *out, tribo_error *err) {
  TRY(check_something_moves(scene, err));
  TRY(check_projective(scene, err));
  TRY(check_friction(scene, err));
  TRY(model_build(scene->objects.data, scene->objects.count, &scene->world, &scene->time, &out->m,
                  err));
  tribo_status status = compile_pairs(scene, &out->m.memory, &out->friction, err);
  if (status != TRIBO_OK) model_free(&out->m);
  return status;
}

tribo_status compile_scene(const tribo_scene *scene, compiled *out, tribo_error *err) {
  *out = (compiled){0};
  quality_plan plan;
  TRY(quality_plan_make(scene, &plan, err));
  tribo_status status = compile_planned(&plan.scene, out, err);
  quality_plan_free(&plan);
  return status;
}

static tribo_status simulate(const tribo_scene *planned, const tribo_sim_options *wanted,
                             simulation **out, tribo_error *err) {
  compiled c = {0};
  TRY(compile_planned(planned, &c, err));
  simulation_options options = {.solver = planned->solver,
                                .method = planned->world.method,
                                .friction = c.friction,
                                .step_seconds = scene_step_seconds(planned),
                                .substeps = planned->time.substeps,
                                .first_frame = planned->time.start,
                                .frames = planned->time.end - planned->time.start + 1,
                                .threads = wanted->threads,
                                .stop = wanted->stop,
                                .log = {wanted->log, wanted->log_user}};
  tribo_status status = doubts_tell(planned, &options.log, &options.inside_out, err);
  if (status != TRIBO_OK) {
    model_free(&c.m);
    return status;
  }
  return simulation_create(&c.m, &options, out, err);
}

tribo_status compile_for(const tribo_scene *scene, const tribo_sim_options *wanted,
                         simulation **out, tribo_error *err) {
  *out = NULL;
  TRY(tasks_check_threads(wanted->threads, err));
  quality_plan plan;
  TRY(quality_plan_make(scene, &plan, err));
  tribo_status status = simulate(&plan.scene, wanted, out, err);
  quality_plan_free(&plan);
  return status;
}

tribo_status compile_simulation(const tribo_scene *scene, int threads, const log_sink *log,
                                simulation **out, tribo_error *err) {
  tribo_sim_options options = {.threads = threads};
  if (log) options.log = log->write, options.log_user = log->user;
  return compile_for(scene, &options, out, err);
}
