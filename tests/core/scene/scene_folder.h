/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scene_folder: a folder of meshes and animations, and scene files that name them.
 */
#ifndef TESTS_CORE_SCENE_SCENE_FOLDER_H
#define TESTS_CORE_SCENE_SCENE_FOLDER_H

#include "claims.h"

#include "base/file.h"
#include "io/image.h"
#include "io/pc2.h"
#include "scene/scene_file.h"
#include "scratch.h"

/* A folder with a sheet of 4 vertices, a block of 5, and animations for pins. */
static inline void write_text(const char *name, const char *text) {
  claim_ok(file_write(scratch_path(name), text, strlen(text), err));
}

static inline void write_pc2(const char *name, int32_t vertices, int32_t samples) {
  pc2 f;
  double positions[36] = {0};
  for (int i = 0; i < 36; i++) positions[i] = i;
  claim_ok(pc2_create(scratch_path(name), vertices, 5, 0.5F, &f, err));
  for (int32_t s = 0; s < samples; s++) {
    for (int i = 0; i < 36; i++) positions[i] += 100 * s;
    claim_ok(pc2_append(&f, positions, err));
  }
  pc2_close(&f);
}

static inline int write_folder(void **state) {
  if (scratch_create(state) != 0) return -1;
  write_text("sheet.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n");
  write_text("uv.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nf 1/1 2/2 3/3\n");
  write_text("points.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nl 1 2\nl 2 3\n");
  write_text("far.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 9\n");
  write_text("block.msh",
             "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n"
             "4 0 0 1\n5 0 0 -1\n$EndNodes\n$Elements\n2\n1 4 0 1 2 3 4\n2 4 0 1 3 2 5\n"
             "$EndElements\n");
  write_text("inverted.msh",
             "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n"
             "4 0 0 1\n$EndNodes\n$Elements\n1\n1 4 0 2 1 3 4\n$EndElements\n");
  write_text("flat.msh",
             "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n"
             "4 1 1 0\n$EndNodes\n$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n");
  write_text("skin.msh",
             "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n"
             "$EndNodes\n$Elements\n1\n1 2 0 1 2 3\n$EndElements\n");
  write_text("ramp.obj",
             "v 0 0 0\nv 1 0 0\nv 1 1 .5\nv 0 1 .5\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
             "f 1/1 2/2 3/3 4/4\n");
  float pixel[] = {1, 0, 1}; /* what a PNG holds exactly: no need for OpenEXR */
  image map = {1, 1, 3, pixel};
  claim_ok(image_write(scratch_path("ramp_mu.png"), &map, err));
  claim_ok(image_write(scratch_path("ramp_grain.png"), &map, err));
  write_text("glass.obj",
             "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
  write_text("inside.obj", "v .1 .1 .1\nv .4 .1 .1\nv .1 .4 -.1\nf 1 2 3\n");
  write_pc2("ramp.pc2", 4, 3);
  write_pc2("pins.pc2", 2, 3);
  write_pc2("whole.pc2", 4, 3);
  write_pc2("wrong.pc2", 12, 1);
  write_pc2("empty.pc2", 2, 0);
  return 0;
}

static inline tribo_status parse(const char *text, tribo_scene **out, tribo_error *err) {
  return scene_file_parse("scene.json", scratch_folder, text, strlen(text), out, err);
}

static inline tribo_scene *parsed(const char *text) {
  tribo_scene *scene = NULL;
  claim_ok(parse(text, &scene, err));
  return scene;
}

/* The text is refused in these words, after the name of the file. */
#define claim_refused(text, words)                                                                 \
  do {                                                                                             \
    tribo_scene *scene_ = (tribo_scene *)&(char){0};                                               \
    claim_fails(parse(text, &scene_, err), TRIBO_BAD_INPUT, words);                                \
    claim_fails(parse(text, &scene_, err), TRIBO_BAD_INPUT, "'scene.json': ");                     \
    assert_null(scene_);                                                                           \
  } while (0)

#define SCENE(objects) "{\"tribo\": 1, \"objects\": [" objects "]}"
#define SHEET(more)                                                                                \
  SCENE("{\"name\": \"sheet\", \"kind\": \"cloth\", \"mesh\": \"sheet.obj\"" more "}")
#define BLOCK(more)                                                                                \
  SCENE("{\"name\": \"block\", \"kind\": \"solid\", \"mesh\": \"block.msh\"" more "}")
#define PIN(more)       SHEET(", \"pin\": {\"vertices\": [0, 3]" more "}")
#define TRANSFORM(rows) BLOCK(", \"transform\": [" rows "]")

#endif
