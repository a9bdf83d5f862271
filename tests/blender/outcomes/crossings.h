// SPDX-License-Identifier: GPL-3.0-or-later
//
// Edges that go through triangles, and points inside of closed meshes: counted from the places
// alone, with nothing of what simulated them.
#ifndef OUTCOMES_CROSSINGS_H
#define OUTCOMES_CROSSINGS_H

#include "recording.h"

typedef struct {
  long count;
  double at[3];  // where the first one is, metres
} crossings;

typedef struct {
  int count;
  double deepest;  // metres from the surface
} inside;

// An edge goes through a triangle where both of its ends are further than this from the triangle's
// plane, and the place where it does is further than this from the triangle's sides. What rests on
// a surface is off by rounding; that touches, and no more. Metres.
#define TOUCHES 1e-5

// Edges of either in triangles of the other; of a thing in itself where both are the same. false
// without memory.
bool crossings_of(const thing *a, const thing *b, int frame, crossings *out);

// Points of `what` that are inside of the closed mesh `around`.
inside inside_of(const thing *what, const thing *around, int frame);

#endif
