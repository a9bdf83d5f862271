/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/reference.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "scene/params.h"
#include "scene/scene_keys.h"
#include "scene/shortest.h"

static const char intro[] =
    "# The scene file\n"
    "\n"
    "<!-- Generated from core/include/tribo/params.inl and core/src/scene/scene_keys.c. A test\n"
    "     compares; `TRIBO_UPDATE=1` in its environment writes this file anew. -->\n"
    "\n"
    "A scene is a JSON file with meshes and animations beside it. Paths in it are relative to it.\n"
    "Units are SI, z is up, vertices and triangles are counted from 0. What is not given has the\n"
    "default below. Unknown keys, keys that stand twice and values out of range are errors.\n"
    "[friction.md](friction.md) tells which coefficient two objects have and what others touch of\n"
    "them, [maps.md](maps.md) how friction is painted.\n"
    "\n"
    "```json\n"
    "{ \"tribo\": 1,\n"
    "  \"time\": { \"start\": 1, \"end\": 120, \"fps\": 24, \"substeps\": 4 },\n"
    "  \"gravity\": [0, 0, -9.81],\n"
    "  \"wind\": [2, 0, 0],\n"
    "  \"method\": \"forwarding\",\n"
    "  \"solver\": { \"linear\": \"cholmod\", \"tolerance\": 1e-6 },\n"
    "  \"objects\": [\n"
    "    { \"name\": \"ramp\", \"kind\": \"collider\", \"mesh\": \"ramp.obj\", \"animation\": "
    "\"ramp.pc2\",\n"
    "      \"material\": \"wood\", \"surface\": { \"contact\": \"mesh\" },\n"
    "      \"structure_map\": \"ramp_grain.png\", \"friction_map\": \"ramp_mu.png\",\n"
    "      \"maps\": { \"friction_channel\": \"r\", \"friction_scale\": 2 } },\n"
    "    { \"name\": \"block\", \"kind\": \"solid\", \"mesh\": \"block.msh\",\n"
    "      \"transform\": [1, 0, 0, 0,  0, 1, 0, 0,  0, 0, 1, 2.5,  0, 0, 0, 1],\n"
    "      \"velocity\": [0, 0, -1],\n"
    "      \"elastic\": { \"model\": \"neo_hookean\", \"density\": 1000, \"young\": 1e5,\n"
    "                   \"poisson\": 0.4 } },\n"
    "    { \"name\": \"glass\", \"kind\": \"rigid\", \"mesh\": \"glass.obj\",\n"
    "      \"spin\": [0, 0, 3], \"rigid\": { \"density\": 2500 }, \"surface\": { \"mu\": 0.2 } },\n"
    "    { \"name\": \"sheet\", \"kind\": \"cloth\", \"mesh\": \"sheet.obj\", \"drag\": 1.2,\n"
    "      \"elastic\": { \"density\": 0.2, \"stretch\": 1000, \"shear\": 300, \"bend\": 1e-4,\n"
    "                   \"warp_axis\": [1, 0, 0] },\n"
    "      \"pin\": [\n"
    "        { \"vertices\": [0, 1], \"animation\": \"pins.pc2\" },\n"
    "        { \"vertices\": [3], \"stiffness\": 50 } ] } ],\n"
    "  \"friction\": { \"combine\": \"geometric_mean\", \"default\": { \"mu\": 0.5 },\n"
    "    \"pairs\": [ { \"a\": \"wood\", \"b\": \"block\", \"mu\": 0.177 },\n"
    "               { \"a\": \"glass\", \"b\": \"sheet\", \"mu\": 0.3 } ] } }\n"
    "```\n";

static const char ending[] =
    "\n"
    "## Settings on the command line\n"
    "\n"
    "`tribo bake --set time.substeps=8 --set gravity=0,0,-1` sets one key of the top, of `time`, "
    "of\n"
    "`solver` or of `friction` in place of what the file says: `--set friction.default.mu=0.3`,\n"
    "`--set friction.combine=minimum`.\n"
    "\n"
    "## Scenes that a program writes\n"
    "\n"
    "`tribo_scene_write` makes a folder of `scene.json`, an `.obj` or `.msh` for every object,\n"
    "`<object>.cage.msh` for every cage, `<object>.pin<k>.pc2` for every pin that moves and\n"
    "`<object>.motion.pc2` for every collider whose vertices move. Maps are written anew from "
    "their\n"
    "pixels, as `<object>.structure.png` and `<object>.friction.png`; what 16 bits would round "
    "goes\n"
    "to an `.exr` file. Reading it gives the same scene to the last bit: numbers have as many\n"
    "digits as they need, and what the floats of a `.pc2` file would round stands in the scene\n"
    "file, as `targets` of a pin and `points` of a collider.\n";

/* A bar would end the cell of a table. */
static void print_cell(const char *text, FILE *out) {
  for (; *text; text++) {
    if (*text == '|') putc('\\', out);
    putc(*text, out);
  }
}

static void print_keys(const char *place, const char *title, FILE *out) {
  size_t count, shown = 0;
  const scene_key *key = scene_keys(&count);
  for (size_t i = 0; i < count; i++) {
    if (strcmp(key[i].place, place) != 0) continue;
    if (shown++ == 0) fprintf(out, "\n### %s\n\n| key | value | meaning |\n|---|---|---|\n", title);
    fprintf(out, "| `%s` | ", key[i].name);
    char text[SCENE_KEY_SIZE];
    print_cell(scene_key_type(&key[i], text), out);
    fputs(key[i].need == SCENE_KEY_REQUIRED ? "; required | " : " | ", out);
    print_cell(scene_key_help(&key[i], text), out);
    fputs(" |\n", out);
  }
}

static void print_type(const tribo_param_info *row, FILE *out) {
  static const char *const types[] = {"number", "whole number", "[x, y, z]", ""};
  fputs(types[row->kind], out);
  for (const char *at = row->choices; *at; at += *at == '|') {
    int length = (int)strcspn(at, "|");
    fprintf(out, "%s`\"%.*s\"`", at == row->choices ? "" : ", ", length, at);
    at += length;
  }
}

static void print_default(const tribo_param_info *row, FILE *out) {
  char a[SHORTEST_SIZE], b[SHORTEST_SIZE], c[SHORTEST_SIZE];
  if (row->kind == TRIBO_PARAM_VEC3) {
    fprintf(out, "[%s, %s, %s]", shortest_text(row->value[0], a), shortest_text(row->value[1], b),
            shortest_text(row->value[2], c));
  } else if (row->kind == TRIBO_PARAM_CHOICE) {
    const char *word = row->choices;
    for (int skip = (int)row->value[0]; skip > 0; skip--) word += strcspn(word, "|") + 1;
    fprintf(out, "`\"%.*s\"`", (int)strcspn(word, "|"), word);
  } else {
    fputs(shortest_text(row->value[0], a), out);
  }
}

static void print_group(const params_heading *heading, FILE *out) {
  size_t count;
  const tribo_param_info *row = params_group(heading->group, &count);
  fprintf(out, "\n### %s\n\n", heading->title);
  if (*heading->place) fprintf(out, "Keys of `%s`.\n\n", heading->place);
  fputs("| key | type | default | range | unit | meaning |\n|---|---|---|---|---|---|\n", out);
  for (size_t i = 0; i < count; i++) {
    char low[SHORTEST_SIZE], high[SHORTEST_SIZE];
    bool ranged = row[i].kind == TRIBO_PARAM_REAL || row[i].kind == TRIBO_PARAM_INT;
    fprintf(out, "| `%s` | ", row[i].name);
    print_type(&row[i], out);
    fputs(" | ", out);
    print_default(&row[i], out);
    if (ranged)
      fprintf(out, " | %s to %s | ", shortest_text(row[i].low, low),
              shortest_text(row[i].high, high));
    else
      fputs(" | | ", out);
    fputs(row[i].unit, out);
    fputs(*row[i].unit ? " | " : "| ", out);
    print_cell(row[i].help, out);
    fputs(" |\n", out);
  }
}

void reference_write(FILE *out) {
  fputs(intro, out);
  fputs("\n## Structure\n", out);
  print_keys("", "The scene", out);
  print_keys("objects[]", "An object: `objects[]`", out);
  print_keys("objects[].pin", "A pin: `objects[].pin`", out);
  print_keys("friction", "Friction: `friction`", out);
  print_keys("friction.pairs[]", "A pair: `friction.pairs[]`", out);

  fputs("\n## Parameters\n", out);
  size_t count;
  const params_heading *heading = params_headings(&count);
  for (size_t i = 0; i < count; i++) print_group(&heading[i], out);
  fputs(ending, out);
}

tribo_status tribo_scene_reference(char **markdown, tribo_error *err) {
  *markdown = NULL;
  size_t size;
  FILE *out = open_memstream(markdown, &size);
  if (!out) return status_no_memory(err, "the reference");
  reference_write(out);
  if (fclose(out) == 0) return TRIBO_OK;
  free(*markdown);
  *markdown = NULL;
  return status_no_memory(err, "the reference");
}
