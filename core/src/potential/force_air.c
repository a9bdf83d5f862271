/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The force of the air: drag on the triangles of each skin, lagged (energy/wind.h). It has no bound
 * that holds for every step: its stiffness follows the speed at the step's start.
 */
#include "energy/wind.h"
#include "potential/force.h"

static size_t element_count(const model *m) { return m->skin_triangles; }

static void prepare(const model *m, const force_step *step, void *elements) {
  for (size_t k = 0; k < m->skin_count; k++)
    wind_prepare(&m->skins[k].set, &m->skins[k].air, step->h, step->x0, step->v0, step->tasks,
                 (wind_element *)elements + m->skins[k].first);
}

static size_t term_count(const model *m) { return m->skin_count; }

static energy_term term(const model *m, const void *elements, size_t k) {
  const model_skin *skin = &m->skins[k];
  return (energy_term){&wind_kernel, &skin->set, (const wind_element *)elements + skin->first};
}

const force_source force_air = {.name = "the air",
                                .element_count = element_count,
                                .element_size = sizeof(wind_element),
                                .prepare = prepare,
                                .term_count = term_count,
                                .term = term};
