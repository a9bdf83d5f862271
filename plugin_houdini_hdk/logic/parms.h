/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * parms: the parameters of the node, a row each, and their values.
 *
 * The rows are those of the core's own table (tribo_param_table), but for the three that Houdini's
 * timeline has, and before them the few that only the node has. The dialog, the evaluation in the
 * SOP, bundles and captures all go through these rows: a parameter is listed once.
 */
#ifndef HOUDINI_PARMS_H
#define HOUDINI_PARMS_H

#include <tribo/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hou_parm_type {
  HOU_PARM_BUTTON,
  HOU_PARM_TOGGLE,
  HOU_PARM_INT,
  HOU_PARM_REAL,
  HOU_PARM_VEC3,
  HOU_PARM_MENU,
  HOU_PARM_TEXT,
  HOU_PARM_FILE
} hou_parm_type;

/* The rows that the code knows by name; the core's follow. */
enum {
  HOU_PARM_RESET,
  HOU_PARM_START,
  HOU_PARM_CACHE_MEMORY,
  HOU_PARM_SAMPLES,
  HOU_PARM_THREADS,
  HOU_PARM_OBJECT_KIND,
  HOU_PARM_CLOTH_MATERIAL,
  HOU_PARM_SOLID_MATERIAL,
  HOU_PARM_RIGID_MATERIAL,
  HOU_PARM_COLLIDER_MATERIAL,
  HOU_PARM_PIN_GROUP,
  HOU_PARM_STRUCTURE_MAP,
  HOU_PARM_FRICTION_MAP,
  HOU_PARM_SHOW_CONTACTS,
  HOU_PARM_FORCE_SCALE,
  HOU_PARM_BUNDLE,
  HOU_PARM_BUNDLE_END,
  HOU_PARM_WRITE_BUNDLE,
  HOU_PARM_BAKE,
  HOU_PARM_CACHE,
  HOU_PARM_PROGRAMS,
  HOU_PARM_OWN
};

/* The node that simulates as the timeline plays, and the asset that bakes. */
enum { HOU_SOLVER = 1, HOU_BAKER = 2 };

typedef struct hou_parm {
  char name[64];
  char label[64];
  const char *tab; /* which tab of the dialog it stands in */
  hou_parm_type type;
  double value[3]; /* the default, in Houdini's space */
  double low, high;
  bool strict;         /* low and high are limits, not the ends of a slider */
  const char *text;    /* the default of TEXT and FILE */
  const char *choices; /* of a MENU of the core; hou_parm_choice knows all */
  const char *unit, *help;
  char greyed[96];               /* the condition under which it does not count; "" for none */
  unsigned absent;               /* HOU_SOLVER or HOU_BAKER: the node that does not have it */
  bool shown_only;               /* the motion does not depend on it */
  bool in_space;                 /* of VEC3: a direction or velocity, to be turned */
  const tribo_param_info *param; /* NULL: the node's own */
} hou_parm;

/* False past the last. */
bool hou_parm_at(size_t row, hou_parm *out);
size_t hou_parm_count(void);

/* A choice of a menu; false past the last. */
bool hou_parm_choice(size_t row, size_t number, char *out, size_t size);

/* The row of a name, or SIZE_MAX. */
size_t hou_parm_find(const char *name);

/* Values by row, in Houdini's space; a menu's is the number of the choice. */
typedef struct hou_settings {
  size_t count;
  double (*values)[3];
  char **texts; /* NULL where the row has none */
} hou_settings;

bool hou_settings_create(hou_settings *out); /* defaults; false without memory */
bool hou_settings_copy(const hou_settings *from, hou_settings *out);
void hou_settings_free(hou_settings *s);
bool hou_settings_text(hou_settings *s, size_t row, const char *text);

/* Of all that the motion depends on. */
uint64_t hou_settings_hash(const hou_settings *s);

/* One value by the name of its row, as a capture has it: "3", "0 -9.81 0", "barrier". */
tribo_status hou_settings_set(hou_settings *s, const char *name, const char *value,
                              tribo_error *err);

/* How the dialog is meant: which rows it has, and what its head is. */
typedef struct hou_dialog_style {
  const char *head;     /* lines before the parameters */
  const char *callback; /* Python of the buttons, with %s for the row's name; NULL: C++ has them */
  unsigned node;        /* HOU_SOLVER or HOU_BAKER */
} hou_dialog_style;

/* The text of Houdini's dialog script for these rows; free with free(). NULL without memory. */
char *hou_dialog(const hou_dialog_style *style);

#ifdef __cplusplus
}
#endif

#endif
