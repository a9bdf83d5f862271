/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a mesh reader promises about any bytes: either a fault with a message and an empty mesh, or
 * finite numbers and indices that are all in range.
 */
#ifndef TESTS_FUZZ_MESH_H
#define TESTS_FUZZ_MESH_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef tribo_status (*fuzz_parser)(const char *name, const char *text, size_t size, mesh *out,
                                    tribo_error *err);

static inline void fuzz_require(bool promise) {
  if (!promise) abort();
}

static inline void fuzz_finite(const double *values, size_t count) {
  for (size_t i = 0; i < count; i++) fuzz_require(isfinite(values[i]));
}

static inline void fuzz_in_range(const int32_t *indices, size_t count, size_t vertices) {
  for (size_t i = 0; i < count; i++) fuzz_require(indices[i] >= 0 && (size_t)indices[i] < vertices);
}

static inline void fuzz_mesh(fuzz_parser parse, const uint8_t *data, size_t size) {
  char *text = malloc(size + 1); /* of just the size: a step too far is seen */
  if (!text) return;
  memcpy(text, data, size);
  text[size] = 0;
  mesh m;
  tribo_error err = {0};
  tribo_status status = parse("fuzz", text, size, &m, &err);
  free(text);

  if (status == TRIBO_OK) {
    fuzz_finite(m.positions, 3 * m.vertex_count);
    if (m.uvs) fuzz_finite(m.uvs, 6 * m.triangle_count);
    fuzz_in_range(m.triangles, 3 * m.triangle_count, m.vertex_count);
    fuzz_in_range(m.tets, 4 * m.tet_count, m.vertex_count);
    fuzz_in_range(m.edges, 2 * m.edge_count, m.vertex_count);
  } else {
    fuzz_require(err.status == status && err.message[0]);
    fuzz_require(!m.vertex_count && !m.positions && !m.triangles && !m.uvs && !m.tets && !m.edges);
  }
  mesh_free(&m);
}

#endif
