/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rows: every method and every kind of object, with what each claims. The programs beside this file
 * hold each row to the same claims, through the public headers alone: to add a method or a kind is
 * to add a row here. What a row does not claim must be refused with object and remedy, or is listed
 * as lacking and then shown to be absent; nothing is skipped.
 */
#ifndef TESTS_CONFORMANCE_ROWS_H
#define TESTS_CONFORMANCE_ROWS_H

#include "scenes/shapes.h"
#include "tribo/tribo.h"

/* ---- kinds ---- */

typedef struct kind_row {
  tribo_kind kind;
  const char *name;
  const char *called;        /* how a refusal calls it */
  const char *without_parts; /* the elements it needs, as a refusal calls them */
  bool deforms;              /* spinning freely, it stretches */
  bool pinnable;             /* false: pins are refused */
  bool dragged;              /* object.drag above 0 slows it; false: such a drag is refused */
  /* 0.2 m across, its lowest vertices at z = 0, centred on the z axis. */
  mesh (*shape)(void);
  /* The mass of each vertex, kg, as the defaults of the kind have it. */
  void (*masses)(const mesh *m, double *out);
} kind_row;

/* ---- methods ---- */

enum {
  CLOTH = 1 << TRIBO_CLOTH,
  SOLID = 1 << TRIBO_SOLID,
  RIGID = 1 << TRIBO_RIGID,
  ROD = 1 << TRIBO_ROD
};

typedef struct method_row {
  const char *name; /* the word of the scene file */
  int method;       /* its place among the choices of `method` */
  unsigned moves;   /* kinds, bits of 1 << kind; other kinds are refused */
  bool contact;     /* false: bodies pass through each other and no contact is reported */
  bool ipopt;       /* takes solver.backend ipopt; false: refuses it */
  double fall;      /* m, how far free fall may be from the sum of backward Euler */
  double momentum;  /* part of sum m |v| by which that of a free body may change */
  double records;   /* part of the weight's impulse that contact records may leave unexplained */
  double ramp;      /* part of Coulomb's acceleration that sliding may be off by */
  double energy;    /* part of the first energy by which the energy may grow */
} method_row;

static const method_row METHODS[] = {
    {.name = "forwarding",
     .method = TRIBO_METHOD_FORWARDING,
     .moves = CLOTH | SOLID | RIGID | ROD,
     .contact = true,
     .ipopt = true,
     .fall = 1e-12,
     .momentum = 1e-12,
     .records = 1e-9,
     .ramp = 0.005,
     .energy = 1e-9},
    {.name = "elastic",
     .method = TRIBO_METHOD_ELASTIC,
     .moves = CLOTH | SOLID | RIGID | ROD,
     .ipopt = true,
     .fall = 1e-12,
     .momentum = 1e-12,
     .energy = 1e-9},
    {.name = "projective",
     .method = TRIBO_METHOD_PROJECTIVE,
     .moves = CLOTH | SOLID,
     .contact = true,
     .fall = 1e-12,
     .momentum = 1e-12,
     .records = 1e-9,
     .ramp = 0.005,
     .energy = 1e-9},
    {.name = "barrier",
     .method = TRIBO_METHOD_BARRIER,
     .moves = CLOTH | SOLID | RIGID | ROD,
     .contact = true,
     .fall = 1e-12,
     .momentum = 1e-9,
     .records = 1e-5,
     .ramp = 0.005,
     .energy = 1e-9},
};

enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

/* ---- shapes and masses of the kinds ---- */

static inline mesh rows_sheet(void) {
  mesh m = shape_sheet(4, 4, 0.2, 0.2);
  if (m.positions) shape_move(&m, -0.1, -0.1, 0);
  return m;
}

static inline mesh rows_block(void) {
  mesh m = shape_block(3, 3, 3, 0.2, 0.2, 0.2);
  if (m.positions) shape_move(&m, -0.1, -0.1, 0);
  return m;
}

static inline mesh rows_box(void) {
  mesh block = rows_block(), skin = block.positions ? shape_skin(&block) : (mesh){0};
  mesh_free(&block);
  return skin;
}

/* Three strands beside each other, which lie on z = 0 with the thickness that rods have. */
static inline mesh rows_strands(void) {
  enum { STRANDS = 3, POINTS = 9 };
  mesh m = shape_new(STRANDS * POINTS, 0, 0);
  m.edges = malloc(2 * STRANDS * (POINTS - 1) * sizeof *m.edges);
  if (!m.positions || !m.edges) return (mesh){0};
  for (int i = 0; i < STRANDS * POINTS; i++) {
    m.positions[3 * i] = 0.2 * (i % POINTS) / (POINTS - 1) - 0.1;
    int strand = i / POINTS;
    m.positions[3 * i + 1] = 0.1 * strand - 0.1;
    m.positions[3 * i + 2] = tribo_rod_defaults().radius;
    if (i % POINTS == 0) continue;
    m.edges[2 * m.edge_count] = i - 1;
    m.edges[2 * m.edge_count++ + 1] = i;
  }
  return m;
}

/* What a body of the kind has for arrays. */
static inline void rows_give(const mesh *m, tribo_object_def *def) {
  def->positions = m->positions, def->vertex_count = m->vertex_count;
  def->triangles = m->triangles, def->triangle_count = m->triangle_count;
  def->tets = m->tets, def->tet_count = m->tet_count;
  def->segments = m->edges, def->segment_count = m->edge_count;
}

static inline void rows_edge(const mesh *m, int32_t from, int32_t to, double out[3]) {
  for (int c = 0; c < 3; c++) out[c] = m->positions[3 * to + c] - m->positions[3 * from + c];
}

static inline void rows_cross(const double a[3], const double b[3], double out[3]) {
  for (int c = 0; c < 3; c++)
    out[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
}

/* A third of every triangle's density times area. */
static inline void rows_cloth_masses(const mesh *m, double *out) {
  for (size_t t = 0; t < m->triangle_count; t++) {
    const int32_t *v = m->triangles + 3 * t;
    double a[3], b[3], n[3];
    rows_edge(m, v[0], v[1], a);
    rows_edge(m, v[0], v[2], b);
    rows_cross(a, b, n);
    double area = 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; k++) out[v[k]] += tribo_cloth_defaults().density * area / 3;
  }
}

/* A quarter of every tet's density times volume. */
static inline void rows_solid_masses(const mesh *m, double *out) {
  for (size_t t = 0; t < m->tet_count; t++) {
    const int32_t *v = m->tets + 4 * t;
    double a[3], b[3], c[3], n[3];
    rows_edge(m, v[0], v[1], a);
    rows_edge(m, v[0], v[2], b);
    rows_edge(m, v[0], v[3], c);
    rows_cross(a, b, n);
    double volume = fabs(n[0] * c[0] + n[1] * c[1] + n[2] * c[2]) / 6;
    for (int k = 0; k < 4; k++) out[v[k]] += tribo_solid_defaults().density * volume / 4;
  }
}

/* The box is symmetric: with the same mass at every vertex the sums of momentum and weight are
 * those of the body. Its kinetic energy is not, and is taken from the report. */
static inline void rows_rigid_masses(const mesh *m, double *out) {
  double mass = tribo_rigid_defaults().density * 0.2 * 0.2 * 0.2;
  for (size_t v = 0; v < m->vertex_count; v++) out[v] = mass / (double)m->vertex_count;
}

/* A half of every segment's density times volume. */
static inline void rows_rod_masses(const mesh *m, double *out) {
  tribo_rod_params p = tribo_rod_defaults();
  for (size_t k = 0; k < m->edge_count; k++) {
    const int32_t *v = m->edges + 2 * k;
    double a[3];
    rows_edge(m, v[0], v[1], a);
    double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    double mass = p.density * 3.14159265358979323846 * p.radius * p.radius * length;
    for (int i = 0; i < 2; i++) out[v[i]] += mass / 2;
  }
}

static const kind_row KINDS[] = {
    {.kind = TRIBO_CLOTH,
     .name = "cloth",
     .called = "cloth",
     .without_parts = "triangles",
     .deforms = true,
     .pinnable = true,
     .dragged = true,
     .shape = rows_sheet,
     .masses = rows_cloth_masses},
    {.kind = TRIBO_SOLID,
     .name = "solid",
     .called = "a solid",
     .without_parts = "tets",
     .deforms = true,
     .pinnable = true,
     .dragged = true,
     .shape = rows_block,
     .masses = rows_solid_masses},
    {.kind = TRIBO_RIGID,
     .name = "rigid",
     .called = "a rigid body",
     .without_parts = "triangles",
     .shape = rows_box,
     .masses = rows_rigid_masses},
    {.kind = TRIBO_ROD,
     .name = "rod",
     .called = "a rod",
     .without_parts = "segments",
     .deforms = true,
     .pinnable = true,
     .shape = rows_strands,
     .masses = rows_rod_masses},
};

enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

/* The row of a kind. A new kind that is simulated does not compile here until it has its row, and
 * its place in this switch (-Wswitch). */
static inline const kind_row *rows_of_kind(tribo_kind kind) {
  switch (kind) {
    case TRIBO_CLOTH:
    case TRIBO_SOLID:
    case TRIBO_RIGID:
    case TRIBO_ROD:
      for (size_t k = 0; k < KIND_COUNT; k++)
        if (KINDS[k].kind == kind) return &KINDS[k];
      return NULL;
    case TRIBO_COLLIDER: return NULL; /* not simulated */
  }
  return NULL;
}

#endif
