/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "materials.h"

#include <math.h>
#include <string.h>

/* The materials of the Blender add-on, plugin_blender/logic/presets.py, where the sources of the
 * numbers stand; tests/houdini/test_tables.py compares. The first of a kind is what an object has
 * that nobody chose one for. */
static const hou_material_row ROWS[] = {
    {TRIBO_CLOTH, "cotton", "cloth", "density", 0.13},
    {TRIBO_CLOTH, "cotton", "cloth", "stretch", 8000.0},
    {TRIBO_CLOTH, "cotton", "cloth", "shear", 50.0},
    {TRIBO_CLOTH, "cotton", "cloth", "bend", 8e-06},
    {TRIBO_CLOTH, "cotton", "cloth", "poisson", 0.0},
    {TRIBO_CLOTH, "cotton", "cloth", "damping_mass", 3.0},
    {TRIBO_CLOTH, "cotton", "object", "drag", 1.2},
    {TRIBO_CLOTH, "cotton", "surface", "mu", 0.5},
    {TRIBO_CLOTH, "denim", "cloth", "density", 0.4},
    {TRIBO_CLOTH, "denim", "cloth", "stretch", 10000.0},
    {TRIBO_CLOTH, "denim", "cloth", "shear", 120.0},
    {TRIBO_CLOTH, "denim", "cloth", "bend", 2e-05},
    {TRIBO_CLOTH, "denim", "cloth", "poisson", 0.0},
    {TRIBO_CLOTH, "denim", "cloth", "damping_mass", 4.0},
    {TRIBO_CLOTH, "denim", "object", "drag", 1.2},
    {TRIBO_CLOTH, "denim", "surface", "mu", 0.5},
    {TRIBO_CLOTH, "silk", "cloth", "density", 0.07},
    {TRIBO_CLOTH, "silk", "cloth", "stretch", 10000.0},
    {TRIBO_CLOTH, "silk", "cloth", "shear", 17.0},
    {TRIBO_CLOTH, "silk", "cloth", "bend", 2e-06},
    {TRIBO_CLOTH, "silk", "cloth", "poisson", 0.0},
    {TRIBO_CLOTH, "silk", "cloth", "damping_mass", 3.0},
    {TRIBO_CLOTH, "silk", "object", "drag", 1.2},
    {TRIBO_CLOTH, "silk", "surface", "mu", 0.3},
    {TRIBO_CLOTH, "leather", "cloth", "density", 0.9},
    {TRIBO_CLOTH, "leather", "cloth", "stretch", 20000.0},
    {TRIBO_CLOTH, "leather", "cloth", "shear", 7500.0},
    {TRIBO_CLOTH, "leather", "cloth", "bend", 0.0003},
    {TRIBO_CLOTH, "leather", "cloth", "poisson", 0.3},
    {TRIBO_CLOTH, "leather", "cloth", "damping_mass", 3.0},
    {TRIBO_CLOTH, "leather", "object", "drag", 1.2},
    {TRIBO_CLOTH, "leather", "surface", "mu", 0.6},
    {TRIBO_SOLID, "jelly", "solid", "density", 1050.0},
    {TRIBO_SOLID, "jelly", "solid", "young", 300000.0},
    {TRIBO_SOLID, "jelly", "solid", "poisson", 0.45},
    {TRIBO_SOLID, "jelly", "solid", "damping_stiffness", 0.006},
    {TRIBO_SOLID, "jelly", "surface", "mu", 0.4},
    {TRIBO_SOLID, "rubber", "solid", "density", 1000.0},
    {TRIBO_SOLID, "rubber", "solid", "young", 2000000.0},
    {TRIBO_SOLID, "rubber", "solid", "poisson", 0.49},
    {TRIBO_SOLID, "rubber", "solid", "damping_stiffness", 0.002},
    {TRIBO_SOLID, "rubber", "surface", "mu", 1.15},
    {TRIBO_SOLID, "flesh", "solid", "density", 1050.0},
    {TRIBO_SOLID, "flesh", "solid", "young", 30000.0},
    {TRIBO_SOLID, "flesh", "solid", "poisson", 0.47},
    {TRIBO_SOLID, "flesh", "solid", "damping_stiffness", 0.008},
    {TRIBO_SOLID, "flesh", "surface", "mu", 0.5},
    {TRIBO_SOLID, "gel", "solid", "density", 1015.0},
    {TRIBO_SOLID, "gel", "solid", "young", 4500.0},
    {TRIBO_SOLID, "gel", "solid", "poisson", 0.48},
    {TRIBO_SOLID, "gel", "solid", "damping_stiffness", 0.001},
    {TRIBO_SOLID, "gel", "surface", "mu", 0.2},
    {TRIBO_RIGID, "wood", "rigid", "density", 700.0},
    {TRIBO_RIGID, "wood", "surface", "mu", 0.4},
    {TRIBO_RIGID, "glass", "rigid", "density", 2500.0},
    {TRIBO_RIGID, "glass", "surface", "mu", 0.4},
    {TRIBO_RIGID, "steel", "rigid", "density", 7850.0},
    {TRIBO_RIGID, "steel", "surface", "mu", 0.6},
    {TRIBO_COLLIDER, "wood", "surface", "mu", 0.4},
    {TRIBO_COLLIDER, "glass", "surface", "mu", 0.4},
    {TRIBO_COLLIDER, "steel", "surface", "mu", 0.6},
    {TRIBO_COLLIDER, "rubber", "surface", "mu", 1.15},
    {TRIBO_COLLIDER, "flesh", "surface", "mu", 0.5},
    {TRIBO_COLLIDER, "jelly", "surface", "mu", 0.4},
    {TRIBO_COLLIDER, "gel", "surface", "mu", 0.2},
};

/* A jelly is as firm as its size asks for: Young's modulus is this times density, gravity and the
 * side of a cube as large as its box; its numbers above are for SIZE. */
#define FIRMNESS 100.0
#define GRAVITY  9.81 /* m/s^2 */
#define SIZE     0.3  /* m */

const hou_material_row *hou_material_row_at(size_t number) {
  return number < sizeof ROWS / sizeof *ROWS ? ROWS + number : NULL;
}

const char *hou_material_name(tribo_kind kind, size_t number) {
  const char *last = "";
  for (const hou_material_row *row = ROWS; row < ROWS + sizeof ROWS / sizeof *ROWS; row++) {
    if (row->kind != kind || strcmp(row->material, last) == 0) continue;
    last = row->material;
    if (number-- == 0) return last;
  }
  return NULL;
}

bool hou_material_known(tribo_kind kind, const char *name) {
  const char *known;
  for (size_t i = 0; (known = hou_material_name(kind, i)); i++)
    if (strcmp(known, name) == 0) return true;
  return false;
}

/* To two digits, as the add-on has it. */
static double two_digits(double value) {
  if (!(value > 0)) return value;
  double unit = pow(10.0, floor(log10(value)) - 1.0);
  return round(value / unit) * unit;
}

void hou_material_size(const char *name, double size, tribo_solid_params *solid) {
  if (strcmp(name, "jelly") != 0 || !(size > 0)) return;
  solid->young = two_digits(FIRMNESS * solid->density * GRAVITY * size);
  solid->damping_stiffness = two_digits(solid->damping_stiffness * sqrt(size / SIZE));
}
