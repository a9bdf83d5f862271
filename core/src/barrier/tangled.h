/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tangled: what passes through something at the start of a step, and is let go until it has come
 * apart.
 *
 * A barrier and a free way would keep a crossing for ever. So vertices of edges that cross a part,
 * and of triangles that edges of it cross, do not see that part: no contact, no limit to their way;
 * neither do those inside of it, where it is closed. Inside they are pushed towards the closest
 * place of its surface by PUSH times their weight (twice the gravity, or what crosses the part in a
 * second where there is none). Everything else stays free of crossings.
 *
 * Where the last step ended free of crossings the next starts so, and nothing is looked for.
 */
#ifndef BARRIER_TANGLED_H
#define BARRIER_TANGLED_H

#include "geom/crossings.h"
#include "proximity/surface_mesh.h"

typedef struct tangled {
  const surface_mesh *mesh;
  crossings_mesh crossings;
  crossing_list found;
  bool *lost; /* vertex_count x part_count: the two do not see each other */
  bool any;
  vec3 *free_end; /* nodes at the end of a step without crossings, */
  bool known;     /* if there was one */
} tangled;

tribo_status tangled_create(const surface_mesh *mesh, arena *memory, tangled *out,
                            tribo_error *err);
void tangled_free(tangled *t);

/* At the start of a step: fills lost and any. absent: of parts. appears: some part was not there
 * before. */
tribo_status tangled_look(tangled *t, const tasks *with, const vec3 *x, const vec3 *places,
                          const bool *absent, bool appears, tribo_error *err);

/* Adds to the nodes' push what lets the lost ones out. places are those of the last look. */
tribo_status tangled_push(const tangled *t, const vec3 *x, const vec3 *places, vec3 *push,
                          tribo_error *err);

/* A step ended at x; whole: everything got to where it should be, so the next starts free. */
void tangled_end(tangled *t, const vec3 *x, bool whole);

#endif
