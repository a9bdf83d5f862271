/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "step/start_checks.h"

#include <math.h>
#include <stdio.h>

#include "contact/feel.h"
#include "model/collider.h"

/* What is inside of surfaces. */
typedef struct buried {
  size_t count;
  const contact_point *worst; /* NULL: nothing is */
  double depth;               /* of the worst, metres */
} buried;

/* appearing: of the surfaces that appear in the step alone. */
static tribo_status find_buried(const start_checks *c, const contact_moment *now,
                                const vec3 *velocities, bool appearing, buried *out,
                                tribo_error *err) {
  double slack = 10 * c->contact_tolerance;
  contact_set set;
  *out = (buried){0};
  TRY(contact_find(c->finder, now, velocities, 0, &set, err));
  for (size_t i = 0; i < set.count; i++) {
    const contact_point *p = &set.contacts[i];
    double depth = p->allowed - p->gap;
    if (!(depth > slack) || (appearing && !c->finder->surfaces[p->surface].appears)) continue;
    out->count++;
    if (!out->worst || depth > out->depth) out->worst = p, out->depth = depth;
  }
  return TRIBO_OK;
}

static const char *feeler_name(const start_checks *c, const contact_point *p) {
  return c->model->bodies[c->model->feelers[p->feeler].body].name;
}

static int feeler_vertex(const start_checks *c, const contact_point *p) {
  return (int)feelers_vertex(&c->finder->feelers[p->feeler], (size_t)p->number);
}

void start_checks_straying(const start_checks *c) {
  const model *m = c->model;
  for (size_t i = 0; c->log.write && i < m->surface_count; i++) {
    const model_surface *of = &m->surfaces[i];
    if (!(of->strays > 0)) continue;
    vec3 at = of->strays_at;
    char by[64];
    snprintf(by, sizeof by, isfinite(of->strays) ? "%.3g m" : "out of reach", of->strays);
    log_write(
        &c->log, TRIBO_LOG_WARNING,
        "object '%s': its smooth surface is off its mesh, by %s at (%.4g, %.4g, %.4g) of the "
        "mesh; there the mesh is felt instead. Give it 'auto' or 'mesh' for surface.contact, or "
        "give it more samples (surface.spacing)",
        model_surface_name(m, (int32_t)i), by, at.x, at.y, at.z);
  }
}

/* A smooth surface that lies off its mesh does this where the mesh looks free. */
tribo_status start_checks_inside(const start_checks *c, const contact_moment *now,
                                 const vec3 *velocities, double *depth, tribo_error *err) {
  const model *m = c->model;
  buried found;
  *depth = 0;
  if (!c->finder) return TRIBO_OK;
  TRY(find_buried(c, now, velocities, false, &found, err));
  if (!found.worst) return TRIBO_OK;
  *depth = found.depth;
  log_write(&c->log, TRIBO_LOG_WARNING,
            "object '%s': vertex %d starts %.3g m inside the surface of '%s', and %zu of all "
            "vertices start inside something; they are pushed out in about %.2g s. Move them, or "
            "where the surface is smooth and lies off its mesh, give it more samples "
            "(surface.spacing)",
            feeler_name(c, found.worst), feeler_vertex(c, found.worst), found.depth,
            model_surface_name(m, found.worst->surface), found.count,
            feel_seconds_inside(m, found.depth));
  return TRIBO_OK;
}

bool start_checks_appears(const model *m, double seconds, double h) {
  for (size_t i = 0; i < m->collider_count; i++) {
    const model_collider *c = &m->colliders[i];
    if (collider_present(c, seconds + h) && !collider_present(c, seconds)) return true;
  }
  return false;
}

tribo_status start_checks_appearing(const start_checks *c, const contact_moment *now,
                                    const vec3 *velocities, tribo_error *err) {
  const model *m = c->model;
  buried found;
  TRY(find_buried(c, now, velocities, true, &found, err));
  if (found.worst)
    log_write(&c->log, TRIBO_LOG_WARNING,
              "object '%s': vertex %d is %.3g m inside the surface of '%s' when that appears, at "
              "%.6g s, and %zu of all vertices are inside of what appears there; they are pushed "
              "out in about %.2g s. Let it appear elsewhere, or at another time",
              feeler_name(c, found.worst), feeler_vertex(c, found.worst), found.depth,
              model_surface_name(m, found.worst->surface), now->start + now->h, found.count,
              feel_seconds_inside(m, found.depth));
  return TRIBO_OK;
}
