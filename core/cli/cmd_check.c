/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tribo check: reads a scene, makes it ready to run, says what is in it and what contact sees of
 * it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* Word `number` of "first|second". */
static void print_choice(const char *group, const char *name, int number) {
  size_t count;
  const tribo_param_info *row = tribo_param_table(&count);
  for (size_t i = 0; i < count; i++) {
    if (strcmp(row[i].group, group) != 0 || strcmp(row[i].name, name) != 0) continue;
    const char *word = row[i].choices;
    for (; number > 0; number--) word += strcspn(word, "|") + 1;
    printf("%.*s", (int)strcspn(word, "|"), word);
  }
}

static void print_presence(const tribo_presence_def *p) {
  if (!p->limited) return;
  printf(p->range_count ? ", there" : ", never there");
  for (size_t i = 0; i < p->range_count; i++) {
    printf("%s from frame %.6g", i ? "," : "", p->ranges[2 * i]);
    if (!isinf(p->ranges[2 * i + 1])) printf(" to before %.6g", p->ranges[2 * i + 1]);
  }
}

/* A collider's line: whether it moves, and when it is there. */
static void print_motion(const tribo_object_def *o) {
  printf("%s", o->motion.points ? "deforms" : o->motion.transforms ? "moves" : "stands still");
  if (o->motion.sample_count)
    printf(" over frames %.6g to %.6g", o->motion.start,
           o->motion.start + o->motion.interval * (double)(o->motion.sample_count - 1));
  print_presence(&o->presence);
}

static void print_kind(const tribo_object_def *o) {
  const tribo_kind_info *kind = tribo_kind_at((size_t)o->kind);
  bool tets = kind->mesh == TRIBO_MESH_TETS;
  printf("%s, %zu vertices, %zu %s, ", kind->name, o->vertex_count,
         tets ? o->tet_count : o->triangle_count, tets ? "tets" : "triangles");
  if (kind->simulated)
    printf("%.6g kg", tribo_object_mass(o));
  else
    print_motion(o);
  if (o->cage) printf(", %zu nodes of a cage", o->cage_count);
}

/* Whether object i touches or is touched by another, and itself, with the scene's method. */
typedef struct company {
  bool others, itself;
} company;

static tribo_status find_company(const tribo_scene *scene, size_t i, company *out,
                                 tribo_error *err) {
  *out = (company){0};
  tribo_status status = tribo_scene_meet(scene, i, i, &out->itself, err);
  size_t count = tribo_scene_object_count(scene);
  for (size_t j = 0; j < count && status == TRIBO_OK && !out->others; j++)
    if (j != i) status = tribo_scene_meet(scene, i, j, &out->others, err);
  return status;
}

static void print_contact(const tribo_object_def *o, const tribo_outline *seen, company with) {
  printf("  %-16s ", "");
  if (!with.others && !with.itself) {
    printf(seen->is_touched || seen->touches ? "touches nothing\n" : "no contact\n");
    return;
  }
  if (seen->is_touched) {
    printf("contact ");
    print_choice("surface", "contact", seen->contact);
    printf("%s, %s%s, %zu triangle%s of %.3g m",
           o->surface.contact == TRIBO_CONTACT_AUTO ? " (by its shape)" : "",
           seen->closed ? "closed" : "open", seen->two_sided ? ", felt from both sides" : "",
           seen->triangle_count, seen->triangle_count == 1 ? "" : "s", seen->spacing);
    if (seen->flat_count) printf(", %zu without area left out", seen->flat_count);
  }
  if (seen->touches)
    printf("%stouches %s with %zu vertices", seen->is_touched ? "; " : "",
           !with.itself  ? "others"
           : with.others ? "others and itself"
                         : "itself",
           seen->vertex_count);
  printf("\n");
}

static void print_map(const char *name, const tribo_map_def *map, const char *by_vertex) {
  if (map->pixels)
    printf("%s %d x %d", name, map->width, map->height);
  else
    printf("%s", by_vertex);
}

static void print_paint(const tribo_object_def *o, const tribo_paint *p) {
  if (!p->structure && !p->friction) return;
  printf("  %-16s ", "");
  if (p->structure) {
    print_map("structure_map", &o->structure_map, "vertex_structure");
    if (o->structure_map.pixels)
      printf(", %zu UV island%s", p->islands, p->islands == 1 ? "" : "s");
    if (p->mirrored) printf(", %zu triangles mirrored", p->mirrored);
    if (p->flat)
      printf(", none on %zu triangle%s without UV area (the first is %zu)", p->flat,
             p->flat == 1 ? "" : "s", p->first_flat);
  }
  if (p->friction) {
    if (p->structure) printf("; ");
    print_map("friction_map", &o->friction_map, "vertex_friction");
    if (o->friction_map.pixels) {
      printf(" ");
      print_choice("maps", "friction_channel", o->maps.friction_channel);
    }
    printf(", friction times %.6g to %.6g", p->least, p->most);
  }
  printf("\n");
}

static void print_object(const tribo_object_def *o, const tribo_outline *seen, bool contact,
                         company with) {
  size_t pinned = 0;
  for (size_t i = 0; i < o->pin_count; i++) pinned += o->pins[i].vertex_count;
  printf("  %-16s ", o->name);
  print_kind(o);
  if (pinned) printf(", %zu pinned", pinned);
  if (o->material) printf(", of %s", o->material);
  printf("\n");
  if (contact) print_contact(o, seen, with);
}

/* mu, and whatever else differs from plain Coulomb. */
static void print_law(const tribo_friction_params *f) {
  printf("%.6g", f->mu);
  const double *a = f->tensor_a, *b = f->tensor_b;
  if (a[0] != 0 || a[1] != 0 || a[2] != 0 || b[0] != 0 || b[1] != 0 || b[2] != 0)
    printf(" times the tensors [%.6g %.6g %.6g] + [%.6g %.6g %.6g]", a[0], a[1], a[2], b[0], b[1],
           b[2]);
  else if (f->mu_along != f->mu || f->mu_across != f->mu)
    printf(", along the structure %.6g, across it %.6g", f->mu_along, f->mu_across);
  if (f->mu_dynamic != f->mu)
    printf(", sliding faster than %.6g m/s %.6g", f->stribeck_velocity, f->mu_dynamic);
  if (f->mu_drill > 0) printf(", drilling %.6g m", f->mu_drill);
  printf("\n");
}

/* The friction of every two objects that can touch, as long as that is no flood. */
static tribo_status print_friction(const tribo_scene *scene, tribo_error *err) {
  enum { MOST = 20 };
  size_t count = tribo_scene_object_count(scene), found = 0;
  for (size_t a = 0; a < count && found <= MOST; a++)
    for (size_t b = 0; b < a && found <= MOST; b++) {
      bool meet;
      tribo_status status = tribo_scene_meet(scene, a, b, &meet, err);
      if (status != TRIBO_OK) return status;
      if (!meet || found++ >= MOST) continue;
      tribo_friction_params friction;
      status = tribo_scene_pair_friction(scene, a, b, &friction, err);
      if (status != TRIBO_OK) return status;
      printf("friction of %s and %s: ", tribo_scene_object(scene, b)->name,
             tribo_scene_object(scene, a)->name);
      print_law(&friction);
    }
  if (found > MOST) printf("and more pairs\n");
  return TRIBO_OK;
}

static tribo_status print_objects(tribo_scene *scene, tribo_error *err) {
  size_t count = tribo_scene_object_count(scene);
  tribo_choice choice;
  tribo_status status = tribo_scene_choice(scene, &choice, NULL, err);
  if (status != TRIBO_OK) return status;
  bool contact = choice.method != TRIBO_METHOD_ELASTIC;
  tribo_outline *seen = calloc(count + 1, sizeof *seen);
  if (!seen) {
    snprintf(err->message, sizeof err->message, "out of memory");
    return TRIBO_NO_MEMORY;
  }
  printf("%zu object%s\n", count, count == 1 ? "" : "s");
  for (size_t i = 0; i < count && status == TRIBO_OK; i++) {
    status = tribo_scene_outline(scene, i, &seen[i], err);
    tribo_paint paint;
    company with = {0};
    if (status == TRIBO_OK) status = tribo_scene_paint(scene, i, &paint, err);
    if (status == TRIBO_OK && contact) status = find_company(scene, i, &with, err);
    if (status != TRIBO_OK) break;
    print_object(tribo_scene_object(scene, i), &seen[i], contact, with);
    if (contact) print_paint(tribo_scene_object(scene, i), &paint);
  }
  if (status == TRIBO_OK && contact) status = print_friction(scene, err);
  free(seen);
  return status;
}

/* What the scene's quality came to; nothing where the scene has its own numbers. */
static void print_choice_made(const tribo_choice *choice) {
  if (choice->quality == TRIBO_QUALITY_CUSTOM) return;
  printf("quality ");
  print_choice("world", "quality", choice->quality);
  printf(": method ");
  print_choice("world", "method", choice->method);
  printf(", %d substeps, thickness up to %.3g m, for speeds up to %.2g m/s\n", choice->substeps,
         choice->thickness, choice->speed);
}

static tribo_status print_summary(tribo_scene *scene, const tribo_sim *sim, tribo_error *err) {
  tribo_status status = print_objects(scene, err);
  if (status != TRIBO_OK) return status;
  const tribo_time_params *time = tribo_scene_time(scene);
  tribo_choice choice;
  status = tribo_scene_choice(scene, &choice, NULL, err);
  if (status != TRIBO_OK) return status;
  print_choice_made(&choice);
  printf("frames %d to %d at %.6g a second, %d substep%s of %.6g s\n", time->start, time->end,
         time->fps, choice.substeps, choice.substeps == 1 ? "" : "s",
         1 / (time->fps * choice.substeps));
  bool deterministic;
  const char *solver = tribo_sim_linear_solver(sim, &deterministic);
  printf("linear solver %s, %s\n", solver,
         deterministic ? "the same bits for any number of threads"
                       : "equal to tolerance from run to run");
  return TRIBO_OK;
}

static void on_log(void *user, tribo_log_level level, const char *message) {
  (void)user;
  if (level == TRIBO_LOG_WARNING) cli_say("warning: %s", message);
}

static int run(const arguments *args) {
  tribo_scene *scene;
  tribo_error err = {0};
  tribo_status status = cli_read_scene(args, &scene, &err);
  if (status != TRIBO_OK) return cli_fail(status, &err);

  tribo_sim *sim = NULL;
  tribo_sim_options options = {.log = on_log};
  status = tribo_sim_create(scene, &options, &sim, &err);
  if (status == TRIBO_OK) status = print_summary(scene, sim, &err);
  if (status == TRIBO_OK) printf("ok\n");
  tribo_sim_free(sim);
  tribo_scene_free(scene);
  return status == TRIBO_OK ? EXIT_DONE : cli_fail(status, &err);
}

const command cmd_check = {
    .syntax = {.name = "check",
               .operand = "SCENE.json",
               .about = "Reads a scene, makes it ready to run and says what is in it.",
               .options = {{"quality", "Q", "sets quality: preview, good, final"},
                           {"method", "M", "sets method"},
                           {"backend", "B", "sets solver.backend"},
                           {"linear", "L", "sets solver.linear"},
                           {"set", "key=value", "sets a key of the scene file: time.substeps=8"}}},
    .run = run,
};
