// SPDX-License-Identifier: GPL-3.0-or-later
//
// What an artist saw of a shot: every mesh of it in the world, at every frame.
// tests/blender/outcomes/record.py writes it, whoever simulated.
#ifndef OUTCOMES_RECORDING_H
#define OUTCOMES_RECORDING_H

#include <stdbool.h>

typedef enum { ROLE_COLLIDER, ROLE_CLOTH, ROLE_SOFT, ROLE_RIGID } role;

typedef struct {
  char *name;
  role role;
  int points, triangles, edges;
  int (*triangle)[3];
  int (*edge)[2];      // of the triangles, each once
  int drawn;           // the first of the edges are the mesh's own; the rest are diagonals
  bool closed;         // two triangles at each edge
  double (*place)[3];  // [frame * points + point], metres
} thing;

typedef struct {
  int things, frames;
  double fps;
  thing *thing;
} recording;

// Whether the file could be read whole; says on stderr why not.
bool recording_read(recording *out, const char *path);
void recording_free(recording *recorded);

static inline const double (*places_of(const thing *one, int frame))[3] {
  return (const double(*)[3])(one->place + (long)frame * one->points);
}

#endif
