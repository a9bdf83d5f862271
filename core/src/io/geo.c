/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/geo.h"

#include "base/file.h"
#include "base/number.h"
#include "io/floats.h"

/* A point of a primitive; with a comma but for the first of all. */
static void write_index(FILE *stream, int32_t index, bool first) {
  char text[NUMBER_SIZE + 1] = ",";
  size_t length = 1 + number_print_int(text + 1, index);
  fwrite(text + first, 1, length - first, stream);
}

static void write_tet_indices(FILE *stream, const mesh *m) {
  for (size_t i = 0; i < 4 * m->tet_count; i++) write_index(stream, m->tets[i], i == 0);
}

/* Triangles turned: Houdini winds polygons clockwise, seen from outside. */
static void write_triangle_indices(FILE *stream, const mesh *m) {
  for (size_t t = 0; t < m->triangle_count; t++) {
    const int32_t *corner = m->triangles + 3 * t;
    write_index(stream, corner[0], t == 0);
    write_index(stream, corner[2], false);
    write_index(stream, corner[1], false);
  }
}

static bool continues(const mesh *m, size_t edge) {
  return edge > 0 && m->edges[2 * edge] == m->edges[2 * edge - 1];
}

static void write_curve_indices(FILE *stream, const mesh *m) {
  for (size_t i = 0; i < m->edge_count; i++) {
    if (!continues(m, i)) fprintf(stream, i ? ",%d" : "%d", (int)m->edges[2 * i]);
    fprintf(stream, ",%d", (int)m->edges[2 * i + 1]);
  }
}

static void write_curve_lengths(FILE *stream, const mesh *m) {
  size_t length = 0;
  const char *comma = "";
  for (size_t i = 0; i < m->edge_count; i++) {
    length = continues(m, i) ? length + 1 : 2;
    if (i + 1 < m->edge_count && continues(m, i + 1)) continue;
    fprintf(stream, "%s%zu", comma, length);
    comma = ",";
  }
}

/* Three floats a point. `type` tells Houdini how it transforms. */
static void write_attribute(FILE *stream, const char *name, const char *type, const double *values,
                            size_t points) {
  fprintf(stream,
          "[[\"scope\",\"public\",\"type\",\"numeric\",\"name\",\"%s\","
          "\"options\",{\"type\":{\"type\":\"string\",\"value\":\"%s\"}}],\n"
          "[\"size\",3,\"storage\",\"fpreal32\","
          "\"values\",[\"size\",3,\"storage\",\"fpreal32\",\"tuples\",[",
          name, type);
  for (size_t i = 0; i < points; i++) {
    char line[4 * NUMBER_SIZE] = ",\n[";
    size_t length = 3, skip = i == 0; /* no comma before the first */
    for (size_t k = 0; k < 3; k++) {
      double value = (double)(float)values[3 * i + k];
      length += number_print(line + length, value, NUMBER_EXACT_FLOAT);
      line[length++] = k < 2 ? ',' : ']';
    }
    fwrite(line + skip, 1, length - skip, stream);
  }
  fputs("]]]]", stream);
}

static void write_counts(FILE *stream, const mesh *m) {
  size_t vertices, primitives;
  if (m->tet_count) {
    vertices = 4 * m->tet_count;
    primitives = m->tet_count;
  } else if (m->triangle_count) {
    vertices = 3 * m->triangle_count;
    primitives = m->triangle_count;
  } else {
    vertices = primitives = 0;
    for (size_t i = 0; i < m->edge_count; i++) {
      bool new_curve = !continues(m, i);
      vertices += new_curve ? 2 : 1;
      primitives += new_curve;
    }
  }
  fprintf(stream,
          "[\"fileversion\",\"20.5.278\",\"hasindex\",false,"
          "\"pointcount\",%zu,\"vertexcount\",%zu,\"primitivecount\",%zu,\"info\",{},\n",
          m->vertex_count, vertices, primitives);
}

static void write_topology(FILE *stream, const mesh *m) {
  fputs("\"topology\",[\"pointref\",[\"indices\",[", stream);
  if (m->tet_count)
    write_tet_indices(stream, m);
  else if (m->triangle_count)
    write_triangle_indices(stream, m);
  else
    write_curve_indices(stream, m);
  fputs("]]],\n", stream);
}

static void write_primitives(FILE *stream, const mesh *m) {
  fputs("\"primitives\",[", stream);
  if (m->tet_count)
    fprintf(stream, "[[\"type\",\"Tetrahedron_run\"],[\"startvertex\",0,\"nprimitives\",%zu]]",
            m->tet_count);
  else if (m->triangle_count)
    fprintf(stream,
            "[[\"type\",\"Polygon_run\"],"
            "[\"startvertex\",0,\"nprimitives\",%zu,\"nvertices_rle\",[3,%zu]]]",
            m->triangle_count, m->triangle_count);
  else if (m->edge_count) {
    size_t curves = 0;
    for (size_t i = 0; i < m->edge_count; i++) curves += !continues(m, i);
    fprintf(stream,
            "[[\"type\",\"PolygonCurve_run\"],"
            "[\"startvertex\",0,\"nprimitives\",%zu,\"nvertices\",[",
            curves);
    write_curve_lengths(stream, m);
    fputs("]]]", stream);
  }
  fputs("]]\n", stream);
}

tribo_status geo_write(const char *path, const mesh *m, const double *positions,
                       const double *velocities, tribo_error *err) {
  TRY(floats_check(path, "position", positions, m->vertex_count, err));
  if (velocities) TRY(floats_check(path, "velocity", velocities, m->vertex_count, err));
  file_out out;
  TRY(file_create(path, &out, err));
  write_counts(out.stream, m);
  write_topology(out.stream, m);
  fputs("\"attributes\",[\"pointattributes\",[\n", out.stream);
  write_attribute(out.stream, "P", "point", positions, m->vertex_count);
  if (velocities) {
    fputs(",\n", out.stream);
    write_attribute(out.stream, "v", "vector", velocities, m->vertex_count);
  }
  fputs("]],\n", out.stream);
  write_primitives(out.stream, m);
  return file_commit(&out, err);
}
