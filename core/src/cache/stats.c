/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache/stats.h"

#include <math.h>

#include "model/kinematics.h"

stats_body stats_of_body(const model *m, const model_body *body, const state *moving) {
  stats_body sum = {0};
  double mass = 0;
  for (int32_t i = body->first_node; i < body->first_node + body->node_count; i++) {
    mass += m->mass[i];
    sum.com = vec3_madd(sum.com, m->mass[i], moving->x[i]);
    sum.com_velocity = vec3_madd(sum.com_velocity, m->mass[i], moving->v[i]);
  }
  sum.kinetic_energy = kinematics_kinetic(m, body, moving->v, moving->turns);
  double share = mass > 0 ? 1 / mass : 0;
  sum.com = vec3_scale(share, sum.com);
  sum.com_velocity = vec3_scale(share, sum.com_velocity);
  return sum;
}

static void put_integer(writer *w, const char *key, int value) {
  writer_key(w, key);
  writer_integer(w, value);
}

static void put_number(writer *w, const char *key, double value) {
  writer_key(w, key);
  writer_number(w, value);
}

static void put_vector(writer *w, const char *key, vec3 value) {
  writer_key(w, key);
  writer_numbers(w, &value.x, 3);
}

static void put_bodies(writer *w, const model *m, const state *moving) {
  writer_key(w, "objects");
  writer_open(w, '{');
  for (size_t b = 0; b < m->body_count; b++) {
    stats_body body = stats_of_body(m, &m->bodies[b], moving);
    writer_key(w, m->bodies[b].name);
    writer_open(w, '{');
    put_vector(w, "com", body.com);
    put_vector(w, "com_velocity", body.com_velocity);
    put_number(w, "kinetic_energy", body.kinetic_energy);
    writer_close(w, '}');
  }
  writer_close(w, '}');
}

static void put_line(writer *w, int frame, double seconds, const tribo_report *report,
                     const model *m, const state *moving) {
  writer_open(w, '{');
  put_integer(w, "frame", frame);
  put_number(w, "seconds", seconds);
  put_integer(w, "substeps", report->steps);
  put_integer(w, "cuts", report->cuts);
  put_integer(w, "newton_iterations", report->newton_iterations);
  put_integer(w, "linear_iterations", report->linear_iterations);
  put_number(w, "residual", report->residual);
  writer_key(w, "converged");
  writer_bool(w, report->converged);
  put_number(w, "crossings", report->crossings < 0 ? (double)NAN : (double)report->crossings);
  put_integer(w, "new_crossings", report->new_crossings);
  put_integer(w, "grazing", report->grazing);
  put_integer(w, "contacts", report->contacts);
  put_number(w, "max_penetration", report->max_penetration);
  put_integer(w, "cloth_contacts", report->cloth_contacts);
  put_number(w, "cloth_depth", report->cloth_depth);
  put_number(w, "held_back", report->held_back);
  put_integer(w, "friction_iterations", report->friction_iterations);
  put_number(w, "friction_residual", report->friction_residual);
  put_number(w, "kinetic_energy", report->kinetic_energy);
  put_number(w, "elastic_energy", report->elastic_energy);
  put_number(w, "linear_seconds", report->linear_seconds);
  put_number(w, "assembly_seconds", report->assembly_seconds);
  put_bodies(w, m, moving);
  writer_close(w, '}');
  writer_newline(w);
}

tribo_status stats_append(lines *to, int frame, double seconds, const tribo_report *report,
                          const model *m, const state *moving, tribo_error *err) {
  writer w = {0};
  put_line(&w, frame, seconds, report, m, moving);
  tribo_status status = lines_append(to, &w, err);
  writer_free(&w);
  return status;
}
