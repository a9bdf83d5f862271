// SPDX-License-Identifier: GPL-3.0-or-later
#include "recording.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 100000000 };

static bool read_count(FILE *file, int *out) {
  int32_t value;
  if (fread(&value, sizeof value, 1, file) != 1 || value < 0 || value > MOST) return false;
  *out = value;
  return true;
}

static bool read_ints(FILE *file, int *out, size_t count) {
  return fread(out, sizeof *out, count, file) == count;
}

static int compare_edges(const void *left, const void *right) {
  const int *a = left, *b = right;
  return a[0] != b[0] ? (a[0] < b[0] ? -1 : 1) : (a[1] > b[1]) - (a[1] < b[1]);
}

static void put_in_order(int *edge) {
  if (edge[0] > edge[1]) {
    int kept = edge[0];
    edge[0] = edge[1];
    edge[1] = kept;
  }
}

// Adds the diagonals by which faces were cut to the edges of the mesh, and says whether it is
// closed.
static bool complete_edges(thing *one) {
  size_t corners = 3 * (size_t)one->triangles;
  int(*all)[2] = malloc((corners + 1) * sizeof *all);
  int(*kept)[2] = realloc(one->edge, ((size_t)one->edges + corners + 1) * sizeof *kept);
  if (kept) one->edge = kept;
  if (!all || !kept) {
    free(all);
    return false;
  }
  for (size_t i = 0; i < corners; i++) {
    const int *triangle = one->triangle[i / 3];
    all[i][0] = triangle[i % 3];
    all[i][1] = triangle[(i + 1) % 3];
    put_in_order(all[i]);
  }
  for (int e = 0; e < one->edges; e++) put_in_order(kept[e]);
  qsort(kept, (size_t)one->edges, sizeof *kept, compare_edges);
  qsort(all, corners, sizeof *all, compare_edges);
  one->drawn = one->edges;
  one->closed = corners > 0;
  for (size_t i = 0, next; i < corners; i = next) {
    for (next = i + 1; next < corners && !compare_edges(all[i], all[next]);) next++;
    one->closed = one->closed && next - i == 2;
    if (bsearch(all[i], kept, (size_t)one->drawn, sizeof *kept, compare_edges)) continue;
    memcpy(kept[one->edges++], all[i], sizeof *kept);
  }
  free(all);
  return true;
}

static bool read_thing(FILE *file, thing *one, int frames) {
  int letters, kind;
  if (!read_count(file, &letters) || !(one->name = calloc((size_t)letters + 1, 1))) return false;
  if (fread(one->name, 1, (size_t)letters, file) != (size_t)letters) return false;
  if (!read_count(file, &kind) || kind > ROLE_RIGID || !read_count(file, &one->points) ||
      !read_count(file, &one->triangles) || !read_count(file, &one->edges))
    return false;
  one->role = (role)kind;
  size_t triangles = (size_t)one->triangles, edges = (size_t)one->edges;
  size_t places = (size_t)one->points * (size_t)frames;
  one->triangle = malloc((triangles + 1) * sizeof *one->triangle);
  one->edge = malloc((edges + 1) * sizeof *one->edge);
  one->place = malloc((places + 1) * sizeof *one->place);
  return one->triangle && one->edge && one->place &&
         read_ints(file, &one->triangle[0][0], 3 * triangles) &&
         read_ints(file, &one->edge[0][0], 2 * edges) && complete_edges(one);
}

static bool read_frames(FILE *file, recording *out) {
  for (int frame = 0; frame < out->frames; frame++)
    for (int i = 0; i < out->things; i++) {
      thing *one = &out->thing[i];
      size_t count = (size_t)one->points;
      double(*into)[3] = one->place + (size_t)frame * count;
      if (fread(into, sizeof *into, count, file) != count) return false;
    }
  return true;
}

static bool read_all(FILE *file, recording *out) {
  char magic[8];
  if (fread(magic, 1, 8, file) != 8 || memcmp(magic, "outcome\n", 8) != 0) return false;
  int things;
  if (!read_count(file, &things) || !read_count(file, &out->frames) ||
      fread(&out->fps, sizeof out->fps, 1, file) != 1 || out->frames < 2)
    return false;
  if (!(out->thing = calloc((size_t)things + 1, sizeof *out->thing))) return false;
  for (; out->things < things; out->things++)
    if (!read_thing(file, &out->thing[out->things], out->frames)) {
      out->things++;  // its parts are freed, too
      return false;
    }
  return read_frames(file, out);
}

bool recording_read(recording *out, const char *path) {
  *out = (recording){0};
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    return false;
  }
  bool whole = read_all(file, out);
  fclose(file);
  if (!whole) fprintf(stderr, "%s: not a recording, or not whole\n", path);
  return whole;
}

void recording_free(recording *recorded) {
  for (int i = 0; i < recorded->things; i++) {
    thing *one = &recorded->thing[i];
    free(one->name);
    free(one->triangle);
    free(one->edge);
    free(one->place);
  }
  free(recorded->thing);
}
