/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The scenes of contact as they are made: accepted by the core, of the stated size, and at the
 * start free of contact where contact is yet to come.
 */
#include "base/arena.h"
#include "claims.h"
#include "geom/topology.h"
#include "mls/mls.h"
#include "scenes/scenes_contact.h"
#include "scratch.h"
#include "tribo/scene.h"

static tribo_scene *made(const char *name, const char *const *words, size_t count) {
  tribo_scene *scene;
  claim_ok(scenes_make_with(name, words, count, &scene, err));
  return scene;
}

static const tribo_object_def *object_of(const tribo_scene *scene, const char *name) {
  for (size_t k = 0; k < tribo_scene_object_count(scene); k++)
    if (strcmp(tribo_scene_object(scene, k)->name, name) == 0) return tribo_scene_object(scene, k);
  print_error("no object '%s'\n", name);
  fail();
  return NULL;
}

/* Triangles, and tets with a free vertex: the paper's count. */
static size_t elements(const tribo_scene *scene, size_t *vertices) {
  size_t count = 0;
  *vertices = 0;
  for (size_t k = 0; k < tribo_scene_object_count(scene); k++) {
    const tribo_object_def *o = tribo_scene_object(scene, k);
    if (o->kind == TRIBO_COLLIDER) continue;
    char *held = calloc(o->vertex_count + 1, 1);
    assert_non_null(held);
    for (size_t p = 0; p < o->pin_count; p++)
      for (size_t i = 0; i < o->pins[p].vertex_count; i++) held[o->pins[p].vertices[i]] = 1;
    for (size_t t = 0; t < o->tet_count; t++) {
      const int32_t *v = o->tets + 4 * t;
      count += !(held[v[0]] && held[v[1]] && held[v[2]] && held[v[3]]);
    }
    if (o->kind == TRIBO_CLOTH) count += o->triangle_count;
    *vertices += o->vertex_count;
    free(held);
  }
  return count;
}

/* ---- gaps -------------------------------------------------------------------------------------
 */

static double plane_gap(const tribo_object_def *plane, const tribo_object_def *probe) {
  vec3 x[3];
  double least = INFINITY;
  for (int c = 0; c < 3; c++) x[c] = vec3_from(plane->positions + 3 * plane->triangles[c]);
  vec3 n = vec3_normalized(vec3_cross(vec3_sub(x[1], x[0]), vec3_sub(x[2], x[0])));
  for (size_t v = 0; v < probe->vertex_count; v++)
    least = fmin(least, vec3_dot(n, vec3_sub(vec3_from(probe->positions + 3 * v), x[0])));
  return least;
}

/* The least Psi over the probes that are in reach of the surface, and how many those are. */
static double smooth_gap(const tribo_object_def *body, const tribo_object_def *probe,
                         size_t *reached) {
  arena memory = {0};
  topology_list skin = {(int32_t *)body->triangles, body->triangle_count};
  mls_surface smooth;
  double least = INFINITY;
  if (body->tets) claim_ok(topology_boundary(body->tets, body->tet_count, &memory, &skin, err));
  claim_ok(mls_from_triangles(MLS_CUBIC, 1e-5, skin.vertices, skin.count,
                              (const vec3 *)body->positions, &memory, &smooth, err));
  double *spacing = ARENA_ARRAY(&memory, double, skin.count);
  int32_t *near = ARENA_ARRAY(&memory, int32_t, skin.count);
  mls_spacing_of_mesh(&smooth, spacing);
  claim_ok(mls_set_radii(spacing, MLS_SCALE, &smooth, err));
  *reached = 0;
  for (size_t v = 0; v < probe->vertex_count; v++) {
    vec3 x = vec3_from(probe->positions + 3 * v);
    size_t count = 0;
    for (size_t t = 0; t < skin.count; t++)
      if (vec3_norm2(vec3_sub(x, smooth.samples[t].point)) < smooth.reach * smooth.reach)
        near[count++] = (int32_t)t;
    mls_value psi = mls_evaluate(&smooth, x, near, count, MLS_VALUE);
    if (psi.active == 0) continue;
    least = fmin(least, psi.value);
    (*reached)++;
  }
  arena_free(&memory);
  return least;
}

static void claim_same(const tribo_object_def *a, const tribo_object_def *b) {
  assert_string_equal(a->name, b->name);
  assert_int_equal(a->kind, b->kind);
  assert_int_equal(a->vertex_count, b->vertex_count);
  assert_memory_equal(a->positions, b->positions, 3 * a->vertex_count * sizeof(double));
  assert_int_equal(a->triangle_count, b->triangle_count);
  assert_int_equal(a->tet_count, b->tet_count);
  if (a->tet_count) assert_memory_equal(a->tets, b->tets, 4 * a->tet_count * sizeof(int32_t));
  assert_int_equal(a->motion.sample_count, b->motion.sample_count);
  assert_int_equal(a->pin_count, b->pin_count);
  for (size_t p = 0; p < a->pin_count; p++)
    assert_int_equal(a->pins[p].target_count, b->pins[p].target_count);
  assert_int_equal(a->surface.contact, b->surface.contact);
  assert_int_equal(a->surface.role, b->surface.role);
  const tribo_map_def *map = &a->structure_map, *same = &b->structure_map;
  assert_int_equal(map->width, same->width);
  assert_int_equal(map->height, same->height);
  if (map->pixels)
    assert_memory_equal(map->pixels, same->pixels,
                        (size_t)(map->width * map->height * map->channels) * sizeof(float));
}

/* ---- claims -----------------------------------------------------------------------------------
 */

static void every_recipe_is_accepted_and_comes_back_from_its_files(void **state) {
  (void)state;
  const char *const brief[] = {"seconds=0.2"}; /* four seconds of a dance are a file of 60 MB */
  size_t count;
  const contact_recipe *all = contact_recipes(&count);
  assert_int_equal(count, 39);
  for (size_t k = 0; k < count; k++) {
    tribo_scene *scene = made(all[k].name, brief, 1), *back;
    const char *folder = scratch_path(all[k].name);
    char path[SCRATCH_PATH + 16];
    snprintf(path, sizeof path, "%s/scene.json", folder);
    claim_ok(tribo_scene_write(scene, folder, err));
    claim_ok(tribo_scene_read(path, &back, err));
    assert_true(tribo_scene_object_count(scene) >= 2);
    assert_int_equal(tribo_scene_object_count(back), tribo_scene_object_count(scene));
    tribo_doubt *doubts;
    size_t doubted;
    claim_ok(tribo_scene_doubts(scene, &doubts, &doubted, err));
    if (doubted) print_error("%s\n", doubts[0].message);
    assert_int_equal(doubted, 0);
    free(doubts);
    for (size_t o = 0; o < tribo_scene_object_count(scene); o++)
      claim_same(tribo_scene_object(scene, o), tribo_scene_object(back, o));
    tribo_scene_free(scene);
    tribo_scene_free(back);
    scratch_remove_folder(folder);
  }
}

static void element_counts_are_those_of_the_paper(void **state) {
  (void)state;
  static const struct {
    const char *name, *words[3];
    size_t count, elements;
  } wanted[] = {
      {"block_slide", {0}, 0, 320},
      {"cloth_cylinder", {"cells=7", "sides=7"}, 2, 392},
      {"cloth_cylinder", {0}, 0, 2000},
      {"cloth_cylinder", {"cells=30"}, 1, 7000},
      {"ball_spin", {0}, 0, 9000},
      {"stool_chatter", {0}, 0, 11000},
      {"belt_drive", {0}, 0, 8000},
      {"glass_pinch", {"size=0.00157"}, 1, 45000},
      {"ball_on_trampoline", {0}, 0, 8000},
      {"ball_on_trampoline", {"cells=22", "layers=3", "rings=49"}, 3, 58000},
      {"garment", {0}, 0, 5000},
      {"garment", {"soft=1", "body_size=0.0152"}, 2, 88000},
  };
  for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
    size_t vertices;
    tribo_scene *scene = made(wanted[k].name, wanted[k].words, wanted[k].count);
    double found = (double)elements(scene, &vertices), paper = (double)wanted[k].elements;
    print_message("%-20s %6.0f elements, %5zu vertices; paper %zu\n", wanted[k].name, found,
                  vertices, wanted[k].elements);
    claim_near(found, paper, 0.15 * paper);
    tribo_scene_free(scene);
  }
}

/* Table 1 of Ly et al. 2020; where the recipe's own grid allows, to the vertex. */
static void vertex_counts_of_cloth_are_those_of_the_paper(void **state) {
  (void)state;
  static const struct {
    const char *name, *words[2];
    size_t count;
    double paper, off;
  } wanted[] = {
      {"ribbon", {0}, 0, 5946, 0},
      {"squares", {0}, 0, 5996, 10},
      {"squares", {"layers=3"}, 1, 17964, 54},
      {"dress", {"seconds=0.1"}, 1, 15842, 0},
      {"gown", {"seconds=0.1"}, 1, 53097, 3},
  };
  for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
    tribo_scene *scene = made(wanted[k].name, wanted[k].words, wanted[k].count);
    double found = 0;
    for (size_t o = 0; o < tribo_scene_object_count(scene); o++) {
      const tribo_object_def *d = tribo_scene_object(scene, o);
      if (d->kind == TRIBO_CLOTH) found += (double)d->vertex_count;
    }
    print_message("%-20s %6.0f vertices of cloth; paper %.0f\n", wanted[k].name, found,
                  wanted[k].paper);
    claim_near(found, wanted[k].paper, wanted[k].off);
    tribo_scene_free(scene);
  }
}

static void what_lies_on_a_ramp_touches_it_at_the_start(void **state) {
  (void)state;
  static const char *const names[][3] = {
      {"block_slide", "block", "ramp"},     {"cloth_slide", "cloth", "ramp"},
      {"block_drag", "block", "plane"},     {"sphere_on_plane", "sphere", "plane"},
      {"stool_chatter", "stool", "ramp"},   {"glass_pinch", "glass", "floor"},
      {"painted_plane", "box_4", "plane"},  {"painted_exit", "box_2", "plane"},
      {"painted_oblique", "box_0", "plane"}};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    tribo_scene *scene = made(names[k][0], NULL, 0);
    claim_near(plane_gap(object_of(scene, names[k][2]), object_of(scene, names[k][1])), 0, 1e-15);
    tribo_scene_free(scene);
  }
  tribo_scene *ball = made("ball_spin", NULL, 0);
  double gap = plane_gap(object_of(ball, "ramp"), object_of(ball, "ball"));
  claim_near(gap, 0.02, 4e-4);
  tribo_scene_free(ball);
}

static void probes_start_outside_the_smooth_surfaces(void **state) {
  (void)state;
  static const struct {
    const char *name, *probe, *surface, *words[3];
    size_t count;
    double most; /* metres: how near the nearest probe is, at most */
  } pairs[] = {
      {"cloth_cylinder", "cloth", "cylinder", {0}, 0, 2e-9},
      {"cloth_cylinder", "cloth", "cylinder", {"cells=7", "sides=7"}, 2, 2e-9},
      {"cloth_cylinder", "cloth", "cylinder", {"cells=7", "sides=7", "cylinder=1.6"}, 3, 2e-9},
      {"cloth_cylinder", "cloth", "cylinder", {"cells=30", "sides=30"}, 2, 2e-9},
      {"cloth_cylinder", "cloth", "cylinder", {"cells=7", "lift=0.0005"}, 2, 1e-3},
      {"belt_drive", "belt", "wheel", {0}, 0, 2e-3},
      {"belt_drive", "belt", "driver", {0}, 0, 2e-3},
      {"belt_drive", "wheel", "axle", {0}, 0, 2e-3},
      {"glass_pinch", "glass", "thumb", {0}, 0, 3e-3},
      {"glass_pinch", "glass", "index", {0}, 0, 3e-3},
      {"garment", "top", "body", {0}, 0, 10e-3},
      {"garment", "top", "body", {"soft=1"}, 1, 10e-3},
      {"dress", "dress", "body", {"size=0.03", "seconds=0.1"}, 2, 9e-3},
      {"gown", "dress", "body", {"size=0.04", "seconds=0.1"}, 2, 9e-3},
      {"gown", "lining", "body", {"size=0.04", "seconds=0.1"}, 2, 9e-3},
  };
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
    size_t reached;
    tribo_scene *scene = made(pairs[k].name, pairs[k].words, pairs[k].count);
    double gap =
        smooth_gap(object_of(scene, pairs[k].surface), object_of(scene, pairs[k].probe), &reached);
    print_message("%s: %s is %.3g m or more from %s (%zu vertices in reach)\n", pairs[k].name,
                  pairs[k].probe, gap, pairs[k].surface, reached);
    assert_true(reached > 0);
    assert_true(gap > 0);
    claim_below(gap, pairs[k].most);
    tribo_scene_free(scene);
  }
}

/* Above the cylinder all edges have their lengths; laid on it, as nearly as its waves let them. */
static void draped_cloth_has_the_edges_of_flat_cloth(void **state) {
  (void)state;
  const int across = 16, rows = 64;
  for (int k = 0; k < 2; k++) {
    const char *const words[] = {"cells=16", "offset=0.48", k == 0 ? "lift=0.001" : "lift=-1"};
    const double off = k == 0 ? 1e-13 : 2e-3 * 4.0 / rows, ends = k == 0 ? 1e-12 : 1e-3;
    tribo_scene *scene = made("cloth_cylinder", words, 3);
    const tribo_object_def *cloth = object_of(scene, "cloth");
    const double *first = cloth->positions, *last = first + 3 * rows * (across + 1);
    for (int j = 0; j < rows; j++) {
      const double *a = first + 3 * (j * (across + 1)), *b = a + 3 * (across + 1);
      claim_near(hypot(b[0] - a[0], b[2] - a[2]), 4.0 / rows, off);
      claim_near(a[4] - a[1], -1.0 / across, 1e-15);
    }
    claim_near(first[2] - last[2], 2 * 0.48, ends);
    for (int j = 0; j < 10; j++) { /* the ends hang straight down */
      assert_true(first[3 * j * (across + 1)] == first[0]);
      assert_true(last[-3 * j * (across + 1)] == last[0]);
    }
    tribo_scene_free(scene);
  }
}

static void led_vertices_start_where_they_are(void **state) {
  (void)state;
  static const char *const names[] = {"block_drag", "glass_pinch", "ball_on_trampoline", "garment",
                                      "dress"};
  const char *const soft[] = {"soft=1"};
  for (size_t k = 0; k < 6; k++) {
    tribo_scene *scene = k < 5 ? made(names[k], NULL, 0) : made("garment", soft, 1);
    size_t led = 0;
    for (size_t o = 0; o < tribo_scene_object_count(scene); o++) {
      const tribo_object_def *d = tribo_scene_object(scene, o);
      for (size_t p = 0; p < d->pin_count; p++)
        for (size_t i = 0; i < 3 * d->pins[p].vertex_count; i++, led++)
          claim_near(d->pins[p].targets[i],
                     d->positions[3 * d->pins[p].vertices[i / 3] + (int)(i % 3)], 1e-15);
      for (size_t i = 0; d->motion.points && i < 3 * d->vertex_count; i++, led++)
        claim_near(d->motion.points[i], d->positions[i], 1e-15);
    }
    assert_true(led > 0);
    tribo_scene_free(scene);
  }
}

/* The lowest point goes down the ramp, towards +x: friction drives the ball up. */
static void the_ball_spins_against_the_slope(void **state) {
  (void)state;
  tribo_scene *scene = made("ball_spin", NULL, 0);
  const double *spin = object_of(scene, "ball")->object.spin;
  assert_true(spin[0] == 0 && spin[2] == 0);
  claim_near(spin[1], -100 * acos(-1) / 180, 1e-11);
  tribo_scene_free(scene);
}

/* The eight bytes that every PNG begins with. */
static void painted_planes_have_pictures_that_a_paint_program_opens(void **state) {
  (void)state;
  static const char *const names[] = {"painted_plane", "painted_exit", "painted_oblique"};
  for (size_t k = 0; k < 3; k++) {
    tribo_scene *scene = made(names[k], NULL, 0);
    const char *folder = scratch_path(names[k]);
    char path[SCRATCH_PATH + 32], start[8] = {0};
    claim_ok(tribo_scene_write(scene, folder, err));
    snprintf(path, sizeof path, "%s/plane.structure.png", folder);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(start, 1, sizeof start, file), sizeof start);
    fclose(file);
    assert_memory_equal(start, "\x89PNG\r\n\x1a\n", sizeof start);
    tribo_scene_free(scene);
    scratch_remove_folder(folder);
  }
}

static void options_that_make_no_sense_are_refused(void **state) {
  (void)state;
  tribo_scene *scene;
  const char *unknown[] = {"my=3"}, *empty[] = {"mu="}, *none[] = {"mu"}, *junk[] = {"mu=0.2x"};
  claim_fails(scenes_make_with("block_slide", unknown, 1, &scene, err), TRIBO_BAD_INPUT,
              "no option 'my'");
  claim_fails(scenes_make_with("block_slide", empty, 1, &scene, err), TRIBO_BAD_INPUT, "mu=");
  claim_fails(scenes_make_with("block_slide", none, 1, &scene, err), TRIBO_BAD_INPUT, "mu");
  claim_fails(scenes_make_with("block_slide", junk, 1, &scene, err), TRIBO_BAD_INPUT, "0.2x");
  claim_fails(scenes_make_with("block", NULL, 0, &scene, err), TRIBO_BAD_INPUT, "'block'");
  const char *fine[] = {"angle=30", "dt=0.002"};
  scene = made("block_slide", fine, 2);
  assert_int_equal(tribo_scene_time(scene)->substeps, 5);
  claim_near(tribo_scene_time(scene)->fps, 100, 1e-12);
  tribo_scene_free(scene);
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(every_recipe_is_accepted_and_comes_back_from_its_files),
      cmocka_unit_test(element_counts_are_those_of_the_paper),
      cmocka_unit_test(vertex_counts_of_cloth_are_those_of_the_paper),
      cmocka_unit_test(what_lies_on_a_ramp_touches_it_at_the_start),
      cmocka_unit_test(probes_start_outside_the_smooth_surfaces),
      cmocka_unit_test(draped_cloth_has_the_edges_of_flat_cloth),
      cmocka_unit_test(led_vertices_start_where_they_are),
      cmocka_unit_test(the_ball_spins_against_the_slope),
      cmocka_unit_test(painted_planes_have_pictures_that_a_paint_program_opens),
      cmocka_unit_test(options_that_make_no_sense_are_refused),
  };
  return cmocka_run_group_tests(claims, scratch_create, scratch_remove);
}
