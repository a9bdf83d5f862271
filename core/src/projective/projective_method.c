/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "projective/projective_method.h"

#include <math.h>

#include "contact/held.h"
#include "projective/projective_list.h"

/* What is settled: a step's stiffness against its mass, for every iteration (measured:
 * docs/projective.md). */
static const double STIFFNESS_AN_ITERATION = 500;

/* Of mass times gravity times the scene's size, in a frame: as if lifted by that part of the size.
 * Cloth that drapes and folds comes to 0.02 in single frames, and nothing of that is seen; what
 * something squeezes, or is too stiff for its iterations, to 0.06 and more. */
static const double TOLD = 0.05;

typedef struct projective_self {
  projective projective;
  projective_report report; /* of the last step */
  double made_in_frame;     /* energy of contacts: its shares (projective_guard.h), of all steps */
  bool told_of_tangles, told_of_made;
} projective_self;

static tribo_status create(const method_input *in, void **self, tribo_error *err) {
  projective_self *s = *self = ARENA_ARRAY(in->memory, projective_self, 1);
  if (!s) return status_no_memory(err, "a method");
  projective_options how = {.h = in->seconds,
                            .iterations = in->solver->projective_iterations,
                            .gap = method_gap(in->model, in->solver),
                            .transport = method_transport(in->solver),
                            .tasks = *in->tasks};
  return projective_create(in->model, in->friction, &how, &s->projective, err);
}

static void free_self(void *self) { projective_free(&((projective_self *)self)->projective); }

static tribo_status step(void *self, const method_window *w, const state *from, vec3 *x,
                         method_result *result, tribo_error *err) {
  projective_self *s = self;
  projective_report *r = &s->report;
  projective_start start = {.seconds = w->seconds,
                            .x = from->x,
                            .v = from->v,
                            .turns = from->turns,
                            .touches = from->touches,
                            .touch_count = from->touch_count};
  TRY(projective_solve(&s->projective, &start, x, r, err));
  *result = (method_result){.outcome = r->finite ? METHOD_CONVERGED : METHOD_BROKEN,
                            .law_holds = true,
                            .tangled = r->tangled,
                            .iterations = r->iterations,
                            .linear_seconds = r->solve_seconds,
                            .assembly_seconds = r->local_seconds,
                            .residual = r->residual,
                            .friction_residual = r->friction,
                            .penetration = r->penetration,
                            .held_back = r->made.joules,
                            .contacts = r->contacts};
  projective_list_layers(&s->projective, x, &result->cloth_contacts, &result->cloth_depth);
  return TRIBO_OK;
}

static trouble explain(void *self, const vec3 *x, trouble_time time) {
  (void)x;
  const projective_self *s = self;
  return (trouble){
      .kind = s->report.finite ? TROUBLE_NONE : TROUBLE_RANGE, .time = time, .vertex = -1};
}

/* What hard pins hold inside is no error here: the rest is solved. */
static trouble explain_pins(void *self, const vec3 *x, trouble_time time) {
  const projective *p = &((projective_self *)self)->projective;
  const contact_set *set = &p->set;
  const contact_point *buried = NULL;
  double depth = p->options.gap;
  for (size_t i = 0; i < set->count; i++) {
    double now = set->contacts[i].allowed - contact_set_gap(set, i, x);
    if (now > depth && contact_is_held(p->model, set, i)) depth = now, buried = &set->contacts[i];
  }
  return trouble_of_pin(&p->finder, buried, depth, time);
}

/* ---- records ----------------------------------------------------------------------------------
 */

static size_t record_count(const void *self) {
  const projective *p = &((const projective_self *)self)->projective;
  return p->set.count + projective_list_count(p);
}

static size_t records(const void *self, const contact_moment *end, const vec3 *x,
                      contact_record *out) {
  const projective *p = &((const projective_self *)self)->projective;
  contact_solved solved = {&p->finder, &p->set, p->cones, p->impulses, NULL, p->v};
  size_t count = contact_records(&solved, end, x, out);
  for (size_t i = 0; i < projective_list_count(p); i++)
    count += projective_list_record(p, end->x, i, &out[count]);
  return count;
}

static size_t warm_count(const void *self) {
  return ((const projective_self *)self)->projective.set.count;
}

static size_t warm(const void *self, touch *out) {
  return projective_touches(&((const projective_self *)self)->projective, out);
}

static bool touching(const void *self) {
  return ((const projective_self *)self)->projective.finder.broad_phase.count > 0;
}

static contact_finder *finder(void *self) { return &((projective_self *)self)->projective.finder; }

static const double *elastic(void *self, const vec3 *x) {
  return projective_elastic(&((projective_self *)self)->projective, x);
}

static const char *linear_solver(const void *self, bool *deterministic) {
  (void)self;
  if (deterministic) *deterministic = true;
  return "prefactor";
}

/* ---- words ------------------------------------------------------------------------------------
 */

static double most_stiffness(const projective *p) {
  return STIFFNESS_AN_ITERATION * p->options.iterations;
}

/* It grows with the square of the step, so that shorter ones help most. */
static void tell_stiffness(const projective *p, const log_sink *log) {
  double most = most_stiffness(p);
  if (!(p->stiffness > most)) return;
  log_write(log, TRIBO_LOG_WARNING,
            "object '%s' is stiff for its mass and the size of its elements: %.2g times what %d "
            "iterations of the method projective settle, and contacts will be off. Take %.2g times "
            "as many substeps (time.substeps) or more solver.projective_iterations, make it softer "
            "(elastic), or coarser",
            p->model->bodies[p->stiffest].name, p->stiffness / most, p->options.iterations,
            ceil(10 * sqrt(p->stiffness / most)) / 10);
}

/* Those that others could meet. */
static void tell_lattices(const projective *p, const log_sink *log) {
  const model *m = p->model;
  for (size_t b = 0; m->body_count > 1 && b < m->body_count; b++) {
    if (!layers_finder_leaves_out(&p->layers.finder, b)) continue;
    log_write(
        log, TRIBO_LOG_WARNING,
        "object '%s' is carried by a lattice of tets: with the method projective it touches "
        "colliders alone, and passes through cloth and soft bodies. Close and clean its mesh, "
        "so that it can be filled (tets.from), or take the method 'forwarding'",
        m->bodies[b].name);
  }
}

static void tell_model(void *self, const log_sink *log) {
  const projective *p = &((projective_self *)self)->projective;
  if (!log->write) return;
  tell_stiffness(p, log);
  tell_lattices(p, log);
}

static const char *name_of(const projective *p, int32_t node) {
  return p->model->bodies[p->layers.finder.body[node]].name;
}

/* Once: what is tangled may stay so for the rest of a bake, and every frame has it in its report.
 */
static void tell_tangles(projective_self *s, double seconds, const log_sink *log) {
  const projective *p = &s->projective;
  const passing_report *by = &s->report.passing;
  if (!s->report.tangled || s->told_of_tangles) return;
  s->told_of_tangles = true;
  if (by->passed == 0) {
    const char *name = name_of(p, s->report.made.node);
    log_write(
        log, TRIBO_LOG_WARNING,
        "object '%s': near %.6g s its contacts contradict each other, since it started through "
        "itself or other cloth; it is held back where they would blow it up. Let it start "
        "apart",
        name, seconds);
    return;
  }
  const char *name = name_of(p, by->node);
  const char *other = by->skin < 0 ? name_of(p, by->other)
                                   : model_surface_name(p->model, p->skins.list[by->skin].surface);
  bool itself = other == name;
  log_write(
      log, TRIBO_LOG_WARNING,
      "object '%s': near %.6g s it goes through %s%s%s, where pins or colliders drive it on and "
      "leave it no way out; it is held back where that would blow it up. Leave it room there, "
      "or move what drives it more slowly",
      name, seconds, itself ? "itself" : "'", itself ? "" : other, itself ? "" : "'");
}

/* Once, like tangles; `held_back` has it in every frame. What has enough iterations for how stiff
 * it is has made it because what it touches contradicts itself. */
static void tell_made(projective_self *s, double seconds, const log_sink *log) {
  const projective *p = &s->projective;
  const guard_made *made = &s->report.made;
  s->made_in_frame += made->share;
  if (!(s->made_in_frame > TOLD) || !(made->share > 0) || s->told_of_made) return;
  s->told_of_made = true;
  bool stiff = p->stiffness > most_stiffness(p);
  log_write(log, TRIBO_LOG_WARNING,
            "object '%s': near %.6g s its contacts made as much energy as lifts it by %.2g of the "
            "scene's size; that was taken away, and it may move less freely than it should. %s",
            name_of(p, made->node), seconds, s->made_in_frame,
            stiff ? "Its steps are too long for how stiff it is: use more substeps "
                    "(time.substeps) or solver.projective_iterations, or softer materials (elastic)"
                  : "What it touches squeezes it or drives it against something else: leave it "
                    "room there, or move what drives it more slowly");
}

static void tell_step(void *self, double seconds, bool first, const log_sink *log) {
  projective_self *s = self;
  if (first) s->made_in_frame = 0;
  tell_tangles(s, seconds, log);
  tell_made(s, seconds, log);
}

const method projective_method = {.name = "projective",
                                  .can = {.kinds = 1u << TRIBO_CLOTH | 1u << TRIBO_SOLID,
                                          .moves = "cloth and solids",
                                          .contact = true,
                                          .self_contact = true,
                                          .directions = true,
                                          .speeds = true,
                                          .drilling = true,
                                          .instead = "forwarding"},
                                  .create = create,
                                  .free = free_self,
                                  .step = step,
                                  .explain = explain,
                                  .explain_pins = explain_pins,
                                  .record_count = record_count,
                                  .records = records,
                                  .warm_count = warm_count,
                                  .warm = warm,
                                  .touching = touching,
                                  .linear_solver = linear_solver,
                                  .finder = finder,
                                  .elastic = elastic,
                                  .tell_model = tell_model,
                                  .tell_step = tell_step};
