/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "method/trouble.h"

#include <stdio.h>
#include <string.h>

#include "model/kinematics.h"

void trouble_at_contact(const contact_finder *finder, const contact_point *c, trouble *t) {
  const probes *with = &finder->probes[c->probe];
  t->object = finder->model->bodies[with->def->body].name;
  t->vertex = (int)c->vertex;
  t->surface = model_surface_name(finder->model, c->surface);
}

void trouble_at_node(const model *m, int32_t node, trouble *t) {
  for (size_t b = 0; b < m->body_count; b++) {
    const model_body *body = &m->bodies[b];
    if (node < body->first_node || node >= body->first_node + body->node_count) continue;
    t->object = body->name;
    if (body->kinematics->deforms) t->vertex = (int)(node - body->first_node);
  }
}

trouble trouble_of_pin(const contact_finder *finder, const contact_point *buried, double depth,
                       trouble_time time) {
  trouble t = {.value = depth, .time = time, .vertex = -1};
  if (!buried) return t;
  t.kind = TROUBLE_BURIED;
  trouble_at_contact(finder, buried, &t);
  return t;
}

void trouble_add(const trouble *one, trouble *worst) {
  if (one->kind < worst->kind) return;
  if (one->kind > worst->kind || one->value > worst->value) *worst = *one;
}

/* Of forces and friction, relative to what balances them. */
static const double SEEN = 1e-3;

bool trouble_shows(const trouble *t) {
  bool relative = t->kind == TROUBLE_FORCES || t->kind == TROUBLE_FRICTION;
  return t->kind != TROUBLE_NONE && !(relative && t->value < SEEN);
}

/* ---- words ------------------------------------------------------------------------------------
 */

enum { CLAUSE = 512 };

/* Which test failed, and where. */
static void say_what(const trouble *t, char *out) {
  const char *object = t->object ? t->object : "?", *on = t->surface ? t->surface : "?";
  char at[256];
  if (t->vertex >= 0)
    snprintf(at, sizeof at, "vertex %d of '%s'", t->vertex, object);
  else
    snprintf(at, sizeof at, "'%s'", object);
  if (t->kind == TROUBLE_BURIED)
    snprintf(out, CLAUSE, "%s is pinned %.3g m inside '%s'", at, t->value, on);
  else if (t->kind == TROUBLE_STOPPED)
    snprintf(out, CLAUSE, "%s is stopped by '%s', %.3g m before where it is led", at, on, t->value);
  else if (t->kind == TROUBLE_DEEP && t->other)
    snprintf(out, CLAUSE, "%s has no room between '%s' and '%s', and is left %.3g m inside '%s'",
             at, on, t->other, t->value, on);
  else if (t->kind == TROUBLE_DEEP)
    snprintf(out, CLAUSE, "%s is left %.3g m inside '%s'", at, t->value, on);
  else if (t->kind == TROUBLE_OFF)
    snprintf(out, CLAUSE, "a contact is off by %.3g m, where %s touches '%s'", t->value, at, on);
  else if (t->kind == TROUBLE_FRICTION)
    snprintf(out, CLAUSE, "forces of contact are off by %.3g, most where %s touches '%s'", t->value,
             at, on);
  else
    snprintf(out, CLAUSE, "forces are out of balance by %.3g, most at %s", t->value, at);
}

static void say_remedy(const trouble *t, char *out) {
  const char *on = t->surface ? t->surface : "?";
  if (t->kind == TROUBLE_BURIED)
    snprintf(out, CLAUSE, "move the pin or '%s' apart, make the pin soft (stiffness above 0)", on);
  else if (t->kind == TROUBLE_STOPPED)
    snprintf(out, CLAUSE,
             "lead it around '%s', or leave it more room, make a pin soft (stiffness "
             "above 0)",
             on);
  else if (t->kind == TROUBLE_DEEP && t->other)
    snprintf(out, CLAUSE, "leave more room between '%s' and '%s', use a smaller surface.thickness",
             on, t->other);
  else if (t->kind == TROUBLE_DEEP)
    snprintf(out, CLAUSE, "use more substeps, move '%s' more slowly, leave more room around it",
             on);
  else if (t->kind == TROUBLE_FRICTION)
    snprintf(out, CLAUSE, "use more substeps, raise solver.friction_iterations");
  else
    snprintf(out, CLAUSE,
             "use more substeps, softer materials or slower pins, raise solver.iterations");
}

static bool same(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static bool was_told(const trouble_told *told, const trouble *t) {
  for (size_t i = 0; i < told->all.count; i++) {
    const trouble *before = &told->all.data[i];
    if (before->kind != t->kind) continue;
    if (t->kind < TROUBLE_DEEP) return true;
    if (!same(before->object, t->object)) continue;
    if (same(before->surface, t->surface) && same(before->other, t->other)) return true;
    if (same(before->surface, t->other) && same(before->other, t->surface)) return true;
  }
  return false;
}

void trouble_warn(trouble_told *told, const trouble *t, const log_sink *log) {
  bool shows = trouble_shows(t);
  if (t->kind == TROUBLE_NONE || (shows ? was_told(told, t) : told->unseen)) return;
  if (shows && !ARRAY_PUSH(told->all, *t)) return; /* told again next time */
  told->unseen |= !shows;
  char what[CLAUSE], remedy[CLAUSE];
  say_what(t, what);
  say_remedy(t, remedy);
  log_write(log, shows ? TRIBO_LOG_WARNING : TRIBO_LOG_INFO,
            "frame %d, near %.6g s: %s%s. To mend it, %s", t->time.frame, t->time.seconds,
            t->kind >= TROUBLE_BURIED ? "" : "a step did not reach its tolerance: ", what, remedy);
}

void trouble_told_free(trouble_told *told) { ARRAY_FREE(told->all); }

tribo_status trouble_fail(const trouble *t, const trouble_cut *cut, tribo_error *err) {
  char what[CLAUSE], remedy[CLAUSE];
  say_what(t, what);
  say_remedy(t, remedy);
  if (t->kind == TROUBLE_RANGE)
    return status_fail(err, TRIBO_NOT_CONVERGED,
                       "the step at %.6g s left the range of numbers; use more substeps, softer "
                       "materials or slower pins%s%s%s",
                       t->time.seconds, cut->instead ? ", or the method '" : "",
                       cut->instead ? cut->instead : "", cut->instead ? "'" : "");
  if (t->kind == TROUBLE_BURIED || t->kind == TROUBLE_STOPPED)
    return status_fail(
        err, TRIBO_NOT_CONVERGED,
        "frame %d: the step at %.6g s did not converge: %s; %s, or set solver.on_failure to "
        "'continue'",
        t->time.frame, t->time.seconds, what, remedy);
  return status_fail(
      err, TRIBO_NOT_CONVERGED,
      "frame %d: the step at %.6g s did not converge: %s; %s, the step cut %d times to "
      "%.3g s; %s, or set solver.on_failure to 'continue'",
      t->time.frame, t->time.seconds, what, cut->why, cut->cuts, cut->h, remedy);
}
