/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sight: what is seen of a recording, at every frame, with nothing of what simulated it.
 */
#ifndef TESTS_ORDINARY_SIGHT_H
#define TESTS_ORDINARY_SIGHT_H

#include "../blender/outcomes/recording.h"

typedef struct sight {
  int points;         /* of what is simulated */
  long crossings;     /* edges through triangles at the worst frame, */
  int crossed_frames; /* how many frames have any, */
  int first_crossed;  /* and the first of them; -1: none */
  double low;         /* the lowest point of what is simulated, at any frame, m */
  double stretch;     /* of cloth: the strain that one edge in a hundred exceeds, at the worst
                         frame but the first */
  double speed;       /* of the fastest vertex between the last two frames, m/s */
  bool finite;
} sight;

/* false: no memory. */
bool sight_of(const recording *of, sight *out);

#endif
