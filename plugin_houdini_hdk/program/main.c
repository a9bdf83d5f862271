/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tribo-houdini: what the asset Tribo Bake asks for, as a program of its own, so that nothing of it
 * is loaded into Houdini. The asset's dialog and the help page's parameters come from here, too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "logic/capture.h"

enum { EXIT_WRONG_USE = 2, EXIT_BAD_INPUT = 3, EXIT_FILES = 4 };

static const char USAGE[] =
    "tribo-houdini bundle CAPTURE FOLDER   writes scene.json and meshes for tribo bake\n"
    "tribo-houdini attributes              lists what is read of geometry: name, owners, type, "
    "width\n"
    "tribo-houdini dialog                  the dialog script of the asset Tribo Bake\n"
    "tribo-houdini parameters              the parameters as a help page has them\n";

static int bundle(const char *path, const char *folder) {
  hou_capture *capture = NULL;
  hou_say said = {0};
  tribo_error err = {0};
  tribo_status status = hou_capture_open(path, &capture, &err);
  if (status == TRIBO_OK) {
    hou_host host = hou_capture_host(capture);
    status = hou_bundle_write(&host, hou_capture_settings(capture), hou_capture_end(capture),
                              folder, &said, &err);
  }
  for (size_t i = 0; i < said.count; i++)
    fprintf(stderr, "%s: %s\n", said.items[i].severity == HOU_NOTE ? "note" : "warning",
            said.items[i].text);
  if (status != TRIBO_OK) fprintf(stderr, "error: %s\n", err.message);
  hou_say_clear(&said);
  hou_capture_close(capture);
  return status == TRIBO_OK ? 0 : status == TRIBO_IO ? EXIT_FILES : EXIT_BAD_INPUT;
}

static int attributes(void) {
  static const struct {
    hou_owner owner;
    const char *name;
  } owners[] = {{HOU_PRIMITIVE, "primitive"},
                {HOU_VERTEX, "vertex"},
                {HOU_POINT, "point"},
                {HOU_DETAIL, "detail"}};
  static const char *const storages[] = {"real", "whole", "text"};
  hou_attribute a;
  for (size_t row = 0; hou_attribute_at(row, &a); row++) {
    const char *comma = "";
    printf("%s\t", a.name);
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++)
      if (a.owners & (unsigned)owners[i].owner) {
        printf("%s%s", comma, owners[i].name);
        comma = ",";
      }
    printf("\t%s\t%d\n", storages[a.storage], a.width);
  }
  return 0;
}

static int dialog(void) {
  hou_dialog_style style = {
      "    name tribo::bake\n    script bake\n    label \"Tribo Bake\"\n\n"
      "    help {\n        \"\"\n    }\n\n"
      "    inputlabel 1 \"Geometry\"\n    inputlabel 2 \"Constraints\"\n"
      "    inputlabel 3 \"Colliders\"\n\n",
      "hou.pwd().hdaModule().pressed", HOU_BAKER};
  char *text = hou_dialog(&style);
  if (!text) return EXIT_FILES;
  fputs(text, stdout);
  free(text);
  return 0;
}

static int parameters(void) {
  hou_parm p;
  const char *tab = "";
  for (size_t row = 0; hou_parm_at(row, &p); row++) {
    if (p.absent & HOU_SOLVER) continue;
    if (strcmp(tab, p.tab) != 0) printf("\n== %s ==\n", tab = p.tab);
    printf("\n%s:\n    #id: %s\n\n    %s\n", p.label, p.name, p.help);
  }
  return 0;
}

int main(int count, char **words) {
  const char *command = count > 1 ? words[1] : "";
  if (strcmp(command, "bundle") == 0 && count == 4) return bundle(words[2], words[3]);
  if (strcmp(command, "attributes") == 0 && count == 2) return attributes();
  if (strcmp(command, "dialog") == 0 && count == 2) return dialog();
  if (strcmp(command, "parameters") == 0 && count == 2) return parameters();
  fputs(USAGE, stderr);
  return EXIT_WRONG_USE;
}
