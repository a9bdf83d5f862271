/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "film.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "bench/measure.h"
#include "geom/topology.h"
#include "model/collider.h"
#include "scene/compile.h"

typedef struct film {
  FILE *file;
  const tribo_scene *scene;
  const simulation *simulation;
  vec3 *scratch;
} film;

static void put_count(film *f, size_t count) {
  int32_t value = (int32_t)count;
  fwrite(&value, sizeof value, 1, f->file);
}

/* As recording.h counts them; what is not in there is none that may cross. */
static int role_of(tribo_kind kind) {
  return kind == TRIBO_CLOTH ? 1 : kind == TRIBO_SOLID ? 2 : kind == TRIBO_RIGID ? 3 : 0;
}

static tribo_status put_thing(film *f, const tribo_object_def *def, tribo_error *err) {
  arena memory = {0};
  topology_list skin = {(int32_t *)def->triangles, def->triangle_count};
  if (def->tets) TRY(topology_boundary(def->tets, def->tet_count, &memory, &skin, err));
  put_count(f, strlen(def->name));
  fwrite(def->name, 1, strlen(def->name), f->file);
  put_count(f, (size_t)role_of(def->kind));
  put_count(f, def->vertex_count);
  put_count(f, skin.count);
  put_count(f, 0);
  fwrite(skin.vertices, sizeof(int32_t), 3 * skin.count, f->file);
  arena_free(&memory);
  return TRIBO_OK;
}

/* Places of all vertices of object `o` at a time, seconds. */
static void put_places(film *f, size_t o, double seconds) {
  const model *m = simulation_model(f->simulation);
  tasks one = tasks_create(1);
  for (size_t b = 0; b < m->body_count; b++)
    if (m->bodies[b].object == o)
      fwrite(simulation_positions(f->simulation) + m->bodies[b].first_vertex, sizeof(vec3),
             (size_t)m->bodies[b].vertex_count, f->file);
  for (size_t c = 0; c < m->collider_count; c++)
    if (m->colliders[c].object == o) {
      collider_vertices(&m->colliders[c], &one, seconds, f->scratch);
      fwrite(f->scratch, sizeof(vec3), (size_t)m->colliders[c].vertex_count, f->file);
    }
}

static tribo_status put_head(film *f, int frames, tribo_error *err) {
  double fps = tribo_scene_time((tribo_scene *)f->scene)->fps;
  fwrite("outcome\n", 1, 8, f->file);
  put_count(f, tribo_scene_object_count(f->scene));
  put_count(f, (size_t)frames + 1);
  fwrite(&fps, sizeof fps, 1, f->file);
  size_t most = 0;
  for (size_t o = 0; o < tribo_scene_object_count(f->scene); o++) {
    const tribo_object_def *def = tribo_scene_object(f->scene, o);
    most = def->vertex_count > most ? def->vertex_count : most;
    TRY(put_thing(f, def, err));
  }
  f->scratch = malloc((most + 1) * sizeof *f->scratch);
  return f->scratch ? TRIBO_OK : status_no_memory(err, "a film");
}

static void put_frame(film *f, int frame) {
  double fps = tribo_scene_time((tribo_scene *)f->scene)->fps;
  for (size_t o = 0; o < tribo_scene_object_count(f->scene); o++) put_places(f, o, frame / fps);
}

static tribo_status shoot(film *f, simulation *s, int frames, film_report *out, tribo_error *err) {
  TRY(put_head(f, frames, err));
  put_frame(f, 0);
  for (int frame = 1; frame <= frames; frame++) {
    tribo_report report;
    double began = thread_seconds();
    TRY(simulation_steps(s, out->substeps, &report, err));
    out->seconds += thread_seconds() - began;
    out->frames++;
    out->steps += report.steps;
    out->iterations += report.newton_iterations;
    out->cuts += report.cuts;
    out->unsolved += (report.rough & TRIBO_ROUGH_STEPS) != 0;
    if (report.friction_residual > out->friction) out->friction = report.friction_residual;
    if (report.residual > out->residual) out->residual = report.residual;
    put_frame(f, frame);
  }
  return TRIBO_OK;
}

tribo_status film_take(const tribo_scene *scene, const char *path, film_report *out,
                       tribo_error *err) {
  const tribo_time_params *time = tribo_scene_time((tribo_scene *)scene);
  tribo_choice choice;
  simulation *s = NULL;
  *out = (film_report){0};
  TRY(tribo_scene_choice(scene, &choice, NULL, err));
  out->substeps = choice.substeps;
  out->method = choice.method;
  TRY(compile_simulation(scene, 1, NULL, &s, err));
  film f = {.file = fopen(path, "wb"), .scene = scene, .simulation = s};
  tribo_status status = f.file ? shoot(&f, s, time->end - time->start, out, err)
                               : status_fail(err, TRIBO_IO, "cannot write %s", path);
  if (f.file && fclose(f.file) != 0 && status == TRIBO_OK)
    status = status_fail(err, TRIBO_IO, "cannot write %s", path);
  free(f.scratch);
  simulation_free(s);
  return status;
}
