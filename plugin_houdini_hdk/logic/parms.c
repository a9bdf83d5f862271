/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parms.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geo.h"
#include "materials.h"

#define MAIN  "Simulation"
#define FILES "Files"

/* The node's own, in the order of the enum. */
static const hou_parm OWN[HOU_PARM_OWN] = {
    [HOU_PARM_RESET] = {"resetsim", "Reset Simulation", "", HOU_PARM_BUTTON, .shown_only = true,
                        .absent = HOU_BAKER,
                        .help = "Forgets all frames and begins anew at the start frame."},
    [HOU_PARM_START] = {"startframe",
                        "Start Frame",
                        "",
                        HOU_PARM_INT,
                        {1},
                        0,
                        240,
                        .help = "The frame at which the inputs are as they are given."},
    [HOU_PARM_CACHE_MEMORY] = {"cachememory",
                               "Cache Memory (MB)",
                               MAIN,
                               HOU_PARM_INT,
                               {5000},
                               1,
                               50000,
                               .shown_only = true,
                               .absent = HOU_BAKER,
                               .help =
                                   "How much memory the frames may take. Beyond, the oldest are "
                                   "forgotten, and simulated again when they are asked for."},
    [HOU_PARM_SAMPLES] = {"samples",
                          "Samples a Frame",
                          MAIN,
                          HOU_PARM_INT,
                          {1},
                          1,
                          32,
                          .strict = true,
                          .help = "How often a frame colliders and pins are read."},
    [HOU_PARM_THREADS] = {"threads",
                          "Threads",
                          MAIN,
                          HOU_PARM_INT,
                          {0},
                          0,
                          64,
                          .shown_only = true,
                          .help = "0: one for each core. The result is the same for any number."},
    [HOU_PARM_OBJECT_KIND] =
        {"kind", "Kind", MAIN, HOU_PARM_MENU,
         .help = "What the geometry is, where no attribute tribo_kind says so. "
                 "auto: cloth where it is open, soft where it is closed, rods where it is "
                 "curves."},
    [HOU_PARM_CLOTH_MATERIAL] = {"cloth_material", "Material", "Cloth", HOU_PARM_MENU,
                                 .help = "Values that go together; custom: those below."},
    [HOU_PARM_SOLID_MATERIAL] = {"solid_material", "Material", "Soft", HOU_PARM_MENU,
                                 .help = "Values that go together; custom: those below."},
    [HOU_PARM_RIGID_MATERIAL] = {"rigid_material", "Material", "Rigid", HOU_PARM_MENU,
                                 .help = "Values that go together; custom: those below."},
    [HOU_PARM_COLLIDER_MATERIAL] = {"collider_material", "Collider Material", "Contact",
                                    HOU_PARM_MENU,
                                    .help = "Friction of colliders; custom: as Friction says."},
    [HOU_PARM_PIN_GROUP] = {"pingroup", "Pin Group", "Pins", HOU_PARM_TEXT, .text = "",
                            .help =
                                "Points that follow the animation of the second input, or of the "
                                "first where there is none."},
    [HOU_PARM_STRUCTURE_MAP] = {"structuremap", "Structure Map", "Maps", HOU_PARM_FILE, .text = "",
                                .help =
                                    "PNG or EXR over uv whose red and green are the direction of "
                                    "the surface's structure."},
    [HOU_PARM_FRICTION_MAP] = {"frictionmap", "Grip Map", "Maps", HOU_PARM_FILE, .text = "",
                               .help = "PNG or EXR over uv that multiplies friction."},
    [HOU_PARM_SHOW_CONTACTS] = {"showcontacts",
                                "Show Contacts",
                                MAIN,
                                HOU_PARM_TOGGLE,
                                {1},
                                .shown_only = true,
                                .absent = HOU_BAKER,
                                .help = "Draws every contact as a line along its force."},
    [HOU_PARM_FORCE_SCALE] = {"forcescale",
                              "Force Scale",
                              MAIN,
                              HOU_PARM_REAL,
                              {0.1},
                              0,
                              10,
                              .shown_only = true,
                              .unit = "m/N",
                              .absent = HOU_BAKER,
                              .help = "Length of these lines."},
    [HOU_PARM_BUNDLE] = {"bundle", "Bundle Folder", FILES, HOU_PARM_FILE, .text = "$HIP/tribo/$OS",
                         .shown_only = true,
                         .help =
                             "Where Write Bundle puts scene.json and the meshes for tribo bake."},
    [HOU_PARM_BUNDLE_END] = {"endframe",
                             "End Frame",
                             FILES,
                             HOU_PARM_INT,
                             {240},
                             0,
                             1000,
                             .shown_only = true,
                             .help = "The last frame of a bundle."},
    [HOU_PARM_WRITE_BUNDLE] = {"writebundle", "Write Bundle", FILES, HOU_PARM_BUTTON,
                               .shown_only = true,
                               .help = "Reads the inputs at every frame and writes the scene."},
    [HOU_PARM_BAKE] = {"bake", "Bake", "", HOU_PARM_BUTTON, .shown_only = true,
                       .absent = HOU_SOLVER,
                       .help =
                           "Writes the bundle, and bakes it with tribo into the cache folder. A "
                           "bake that was stopped goes on."},
    [HOU_PARM_CACHE] = {"cache", "Cache Folder", FILES, HOU_PARM_FILE,
                        .text = "$HIP/tribo/$OS.cache", .shown_only = true, .absent = HOU_SOLVER,
                        .help = "Where the bake is kept, and played from."},
    [HOU_PARM_PROGRAMS] = {"programs", "Programs", FILES, HOU_PARM_FILE, .text = "",
                           .shown_only = true, .absent = HOU_SOLVER,
                           .help = "The folder with the programs tribo and tribo-houdini; empty: "
                                   "they are on the PATH."},
};

/* Tabs by group of the core's table. */
static const struct {
  const char *group, *tab;
} TABS[] = {{"world", MAIN},         {"time", MAIN},         {"cloth", "Cloth"},
            {"solid", "Soft"},       {"fill", "Soft"},       {"rigid", "Rigid"},
            {"rod", "Rod"},          {"object", "Start"},    {"surface", "Contact"},
            {"friction", "Contact"}, {"combine", "Contact"}, {"pin", "Pins"},
            {"maps", "Maps"},        {"solver", "Solver"}};

/* Houdini's timeline has these. */
static bool of_host(const tribo_param_info *p) {
  return strcmp(p->group, "time") == 0 && strcmp(p->name, "substeps") != 0;
}

/* Three numbers that are no vector. */
static bool plain_triple(const tribo_param_info *p) { return strncmp(p->name, "tensor_", 7) == 0; }

static const struct {
  const char *name, *greyed;
} GREYED[] = {{"world_method", "{ world_quality != custom }"},
              {"time_substeps", "{ world_quality != custom }"}};

static void label_of(const tribo_param_info *p, char *out, size_t size) {
  size_t n = (size_t)snprintf(out, size, "%s", p->name);
  bool start = true;
  for (size_t i = 0; i < n && i < size - 1; i++) {
    if (out[i] == '_') out[i] = ' ';
    if (start && out[i] >= 'a' && out[i] <= 'z') out[i] = (char)(out[i] - 'a' + 'A');
    start = out[i] == ' ';
  }
  if (p->unit[0] && n + strlen(p->unit) + 4 < size) snprintf(out + n, size - n, " (%s)", p->unit);
}

static hou_parm_type type_of(tribo_param_kind kind) {
  switch (kind) {
    case TRIBO_PARAM_REAL: return HOU_PARM_REAL;
    case TRIBO_PARAM_INT: return HOU_PARM_INT;
    case TRIBO_PARAM_VEC3: return HOU_PARM_VEC3;
    case TRIBO_PARAM_CHOICE: return HOU_PARM_MENU;
  }
  return HOU_PARM_REAL;
}

/* A number of the core's table where an artist's node begins elsewhere. */
static double begun(const tribo_param_info *p) {
  bool quality = strcmp(p->group, "world") == 0 && strcmp(p->name, "quality") == 0;
  bool failure = strcmp(p->group, "solver") == 0 && strcmp(p->name, "on_failure") == 0;
  return quality ? TRIBO_QUALITY_GOOD : failure ? TRIBO_ON_FAILURE_CONTINUE : p->value[0];
}

static void parm_of_param(const tribo_param_info *p, hou_parm *out) {
  *out = (hou_parm){.type = type_of(p->kind),
                    .low = p->low,
                    .high = p->high,
                    .strict = true,
                    .unit = p->unit,
                    .choices = p->choices,
                    .help = p->help,
                    .param = p};
  snprintf(out->name, sizeof out->name, "%s_%s", p->group, p->name);
  label_of(p, out->label, sizeof out->label);
  for (size_t i = 0; i < sizeof TABS / sizeof *TABS; i++)
    if (strcmp(TABS[i].group, p->group) == 0) out->tab = TABS[i].tab;
  if (!out->tab) out->tab = "More"; /* a group that came with a new kind */
  out->in_space = p->kind == TRIBO_PARAM_VEC3 && !plain_triple(p);
  memcpy(out->value, p->value, sizeof out->value);
  out->value[0] = begun(p);
  if (out->in_space) { /* from the core's z up: (x, y, z) -> (x, z, -y) */
    out->value[1] = p->value[2];
    out->value[2] = 0.0 - p->value[1];
  }
  for (size_t i = 0; i < sizeof GREYED / sizeof *GREYED; i++)
    if (strcmp(GREYED[i].name, out->name) == 0)
      snprintf(out->greyed, sizeof out->greyed, "%s", GREYED[i].greyed);
  bool material = strcmp(p->group, "cloth") == 0 || strcmp(p->group, "solid") == 0 ||
                  strcmp(p->group, "rigid") == 0;
  if (material) snprintf(out->greyed, sizeof out->greyed, "{ %s_material != custom }", p->group);
}

static const tribo_param_info *core_param(size_t number) {
  size_t count;
  const tribo_param_info *table = tribo_param_table(&count);
  for (size_t i = 0; i < count; i++)
    if (!of_host(table + i) && number-- == 0) return table + i;
  return NULL;
}

bool hou_parm_at(size_t row, hou_parm *out) {
  if (row < HOU_PARM_OWN) {
    *out = OWN[row];
    if (!out->unit) out->unit = "";
    return true;
  }
  const tribo_param_info *p = core_param(row - HOU_PARM_OWN);
  if (p) parm_of_param(p, out);
  return p != NULL;
}

size_t hou_parm_count(void) {
  size_t count, rows = HOU_PARM_OWN;
  const tribo_param_info *table = tribo_param_table(&count);
  for (size_t i = 0; i < count; i++) rows += !of_host(table + i);
  return rows;
}

/* The kind whose materials a menu has. */
static bool kind_of_materials(size_t row, tribo_kind *kind) {
  switch (row) {
    case HOU_PARM_CLOTH_MATERIAL: *kind = TRIBO_CLOTH; return true;
    case HOU_PARM_SOLID_MATERIAL: *kind = TRIBO_SOLID; return true;
    case HOU_PARM_RIGID_MATERIAL: *kind = TRIBO_RIGID; return true;
    case HOU_PARM_COLLIDER_MATERIAL: *kind = TRIBO_COLLIDER; return true;
    default: return false;
  }
}

/* The kinds that can be simulated, behind "auto". */
static const char *kind_choice(size_t number) {
  if (number == 0) return "auto";
  const tribo_kind_info *kind;
  for (size_t i = 0; (kind = tribo_kind_at(i)); i++)
    if (kind->simulated && --number == 0) return kind->name;
  return NULL;
}

bool hou_parm_choice(size_t row, size_t number, char *out, size_t size) {
  hou_parm p;
  tribo_kind kind;
  const char *found = NULL;
  if (!hou_parm_at(row, &p) || p.type != HOU_PARM_MENU) return false;
  if (row == HOU_PARM_OBJECT_KIND) {
    found = kind_choice(number);
  } else if (kind_of_materials(row, &kind)) {
    found = hou_material_name(kind, number);
    if (!found && (number == 0 || hou_material_name(kind, number - 1))) found = "custom";
  } else {
    for (found = p.choices; found && number; number--) {
      found = strchr(found, '|');
      if (found) found++;
    }
  }
  if (!found) return false;
  snprintf(out, size, "%.*s", (int)strcspn(found, "|"), found);
  return true;
}

size_t hou_parm_find(const char *name) {
  hou_parm p;
  for (size_t row = 0; hou_parm_at(row, &p); row++)
    if (strcmp(p.name, name) == 0) return row;
  return SIZE_MAX;
}
