/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * film: runs a scene of the core and writes what was seen of it, frame by frame, as a recording
 * (tests/blender/outcomes/recording.h), which a judge reads that knows nothing of the method.
 */
#ifndef TESTS_ORDINARY_FILM_H
#define TESTS_ORDINARY_FILM_H

#include "tribo/scene.h"

/* What the method itself says of its run. */
typedef struct film_report {
  int frames, steps, iterations, cuts;
  int unsolved;    /* frames with a step that did not reach its tolerance */
  int substeps;    /* of a frame, and */
  int method;      /* TRIBO_METHOD_..., as it was chosen */
  double friction; /* worst residual of Coulomb's law */
  double residual; /* worst of forces */
  double seconds;  /* processor time of one thread */
} film_report;

/* Of a scene with its method, quality and number of frames in place. */
tribo_status film_take(const tribo_scene *scene, const char *path, film_report *out,
                       tribo_error *err);

#endif
