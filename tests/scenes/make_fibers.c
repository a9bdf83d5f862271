/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * make_fibers SCENE FILE.obj [SECONDS [MU]]: runs a scene of scenes_fibers.h for so long and writes
 * its strands as OBJ lines, for scripts/render_fibers.py. The radius of the strands, and the
 * spheres and capsules among the obstacles, stand in comments that it reads.
 */
#include <stdio.h>
#include <stdlib.h>

#include "scenes/scenes_fibers.h"

enum { PARTS = 6 }; /* of a bent element */

static int write_strand(FILE *file, strand *s, const strand_step *step, int first) {
  int parts = s->model->curved ? PARTS : 1, count = 0;
  s->model->prepare(s, step);
  for (int32_t e = 0; e < s->elements; e++)
    for (int p = e > 0; p <= parts; p++, count++) {
      strand_place at = {.element = e, .s = s->length * p / parts};
      vec3 x = s->model->point(s, &at, NULL);
      fprintf(file, "v %.6f %.6f %.6f\n", x.x, x.y, x.z);
    }
  fprintf(file, "l");
  for (int i = 0; i < count; i++) fprintf(file, " %d", first + i);
  fprintf(file, "\n");
  return count;
}

static int write_scene(const char *path, fiber_scene *s) {
  FILE *file = fopen(path, "w");
  if (!file) return fprintf(stderr, "%s cannot be written\n", path), 1;
  fprintf(file, "# radius %g\n", s->f.strands[0].material.radius);
  for (size_t i = 0; i < s->f.obstacle_count; i++) {
    const primitive *o = &s->obstacles[i].shape;
    vec3 axis = mat3_column(&o->axes, 2);
    if (o->kind == PRIMITIVE_PLANE) fprintf(file, "# plane\n");
    if (o->kind == PRIMITIVE_SPHERE)
      fprintf(file, "# ball %g %g %g %g\n", o->centre.x, o->centre.y, o->centre.z, o->radius);
    for (int k = -4; o->kind == PRIMITIVE_CAPSULE && k <= 4; k++) {
      vec3 at = vec3_madd(o->centre, o->half.z * k / 4, axis);
      fprintf(file, "# ball %g %g %g %g\n", at.x, at.y, at.z, o->radius);
    }
  }
  int first = 1;
  for (size_t i = 0; i < s->f.count; i++)
    first += write_strand(file, &s->f.strands[i], &s->f.step, first);
  return fclose(file) != 0;
}

int main(int count, char **words) {
  tribo_error err = {0};
  fiber_scene s;
  fibers_report report;
  if (count < 3) return fprintf(stderr, "make_fibers SCENE FILE.obj [SECONDS [MU]]\n"), 2;
  if (fiber_scene_make(words[1], count > 4 ? strtod(words[4], NULL) : -1, 0, &s, &err) != TRIBO_OK)
    return fprintf(stderr, "%s\n", err.message), 2;
  double seconds = count > 3 ? strtod(words[3], NULL) : s.seconds;
  while (s.time < seconds)
    if (fiber_scene_step(&s, &report, &err) != TRIBO_OK)
      return fprintf(stderr, "%s\n", err.message), 1;
  int status = write_scene(words[2], &s);
  fiber_scene_free(&s);
  return status;
}
