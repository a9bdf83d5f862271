/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * materials: values that are chosen together, by name, in SI units.
 */
#ifndef HOUDINI_MATERIALS_H
#define HOUDINI_MATERIALS_H

#include <tribo/scene.h>

typedef struct hou_material_row {
  tribo_kind kind;
  const char *material;  /* "cotton" */
  const char *group;     /* "cloth" */
  const char *parameter; /* "stretch" */
  double value;
} hou_material_row;

/* NULL past the last. */
const hou_material_row *hou_material_row_at(size_t number);

/* The materials of a kind, the one that it begins with first; NULL past the last. */
const char *hou_material_name(tribo_kind kind, size_t number);
bool hou_material_known(tribo_kind kind, const char *name);

/* What follows from the size of an object, the side of a cube as large as its box, m. */
void hou_material_size(const char *name, double size, tribo_solid_params *solid);

#endif
