/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "step/buried.h"

#include <math.h>

#include "contact/narrow_phase.h"

typedef struct buried {
  size_t count, near;
  const contact_point *worst;  /* NULL: nothing is inside */
  const contact_point *nearer; /* of those that are outside, and too near */
  double depth;                /* of the worst, metres; thickness counts as inside */
  double nearness;             /* of the nearer: what is missing of the thickness, metres */
} buried;

/* By how much two things are kept apart, metres. */
static double thickness_at(const model *m, const contact_point *c) {
  return m->probes[c->probe].params.thickness + m->surfaces[c->surface].params.thickness;
}

static void bury(buried *out, const contact_point *c, double depth, double most) {
  if (depth > most) {
    out->count++;
    if (!out->worst || depth > out->depth) out->worst = c, out->depth = depth;
  } else {
    out->near++;
    if (!out->nearer || depth > out->nearness) out->nearer = c, out->nearness = depth;
  }
}

/* appearing: of the surfaces that appear in the step alone. */
static tribo_status find_buried(contact_finder *finder, const contact_moment *now,
                                const vec3 *velocities, double slack, bool appearing, buried *out,
                                tribo_error *err) {
  contact_set set;
  *out = (buried){0};
  TRY(contact_find(finder, now, velocities, 0, &set, err));
  for (size_t i = 0; i < set.count; i++) {
    const contact_point *c = &set.contacts[i];
    double depth = c->allowed - c->gap;
    if (!(depth > slack) || (appearing && !contact_surface(finder, c)->appears)) continue;
    bury(out, c, depth, thickness_at(finder->model, c) + slack);
  }
  return TRIBO_OK;
}

static const char *probe_name(const model *m, const contact_point *c) {
  return m->bodies[m->probes[c->probe].body].name;
}

tribo_status buried_at_start(contact_finder *finder, const contact_moment *now,
                             const vec3 *velocities, double slack, const log_sink *log,
                             buried_told *told, tribo_error *err) {
  const model *m = finder->model;
  buried found;
  TRY(find_buried(finder, now, velocities, slack, false, &found, err));
  *told = (buried_told){.depth = fmax(found.depth, found.nearness)};
  if (found.worst) {
    told->what = probe_name(m, found.worst);
    told->in = model_surface_name(m, found.worst->surface);
  }
  if (found.worst)
    log_write(log, TRIBO_LOG_WARNING,
              "object '%s': vertex %d starts %.3g m inside the surface of '%s', and %zu of all "
              "vertices start inside something; they are pushed out in about %.2g s. Move them, or "
              "where the surface is smooth and lies off its mesh, give it more samples "
              "(surface.spacing)",
              probe_name(m, found.worst), (int)found.worst->vertex, found.depth,
              model_surface_name(m, found.worst->surface), found.count,
              narrow_seconds_inside(m, found.depth));
  else if (found.nearer)
    log_write(log, TRIBO_LOG_INFO,
              "object '%s' starts nearer to '%s' than the %.3g m that they keep, by %.3g m, and is "
              "moved off in about %.2g s",
              probe_name(m, found.nearer), model_surface_name(m, found.nearer->surface),
              thickness_at(m, found.nearer), found.nearness,
              narrow_seconds_inside(m, found.nearness));
  return TRIBO_OK;
}

tribo_status buried_by_appearing(contact_finder *finder, const contact_moment *now,
                                 const vec3 *velocities, double slack, const log_sink *log,
                                 tribo_error *err) {
  const model *m = finder->model;
  buried found;
  TRY(find_buried(finder, now, velocities, slack, true, &found, err));
  if (!found.worst) return TRIBO_OK;
  log_write(log, TRIBO_LOG_WARNING,
            "object '%s': vertex %d is %.3g m inside the surface of '%s' when that appears, at "
            "%.6g s, and %zu of all vertices are inside of what appears there; they are pushed out "
            "in about %.2g s. Let it appear elsewhere, or at another time",
            probe_name(m, found.worst), (int)found.worst->vertex, found.depth,
            model_surface_name(m, found.worst->surface), now->start + now->h, found.count,
            narrow_seconds_inside(m, found.depth));
  return TRIBO_OK;
}
