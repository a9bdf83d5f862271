/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "step/start_checks.h"

#include <math.h>
#include <stdio.h>

#include "model/collider.h"

void start_checks_straying(const model *m, const log_sink *log) {
  for (size_t i = 0; log->write && i < m->surface_count; i++) {
    const model_surface *of = &m->surfaces[i];
    if (!(of->strays > 0)) continue;
    vec3 at = of->strays_at;
    char by[64];
    snprintf(by, sizeof by, isfinite(of->strays) ? "%.3g m" : "out of reach", of->strays);
    log_write(
        log, TRIBO_LOG_WARNING,
        "object '%s': its smooth surface is off its mesh, by %s at (%.4g, %.4g, %.4g) of the "
        "mesh; there the mesh is felt instead. Give it 'auto' or 'mesh' for surface.contact, or "
        "give it more samples (surface.spacing)",
        model_surface_name(m, (int32_t)i), by, at.x, at.y, at.z);
  }
}

bool start_checks_appears(const model *m, double seconds, double h) {
  for (size_t i = 0; i < m->collider_count; i++) {
    const model_collider *c = &m->colliders[i];
    if (collider_present(c, seconds + h) && !collider_present(c, seconds)) return true;
  }
  return false;
}
