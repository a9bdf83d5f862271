/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What one call of each kernel's verbs costs, in nanoseconds, on one core: the best of several
 * passes over many randomly deformed elements, so that branches are not learned by heart.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "energy/bending.h"
#include "energy/membrane.h"
#include "energy/pin.h"
#include "energy/solid.h"
#include "energy/wind.h"

enum { COUNT = 4096, PASSES = 15 };

static uint64_t seed = 1;

static double between(double low, double high) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return low + (high - low) * ((double)(seed >> 11) * 0x1p-53);
}

static vec3 jitter(vec3 p, double size) {
  return vec3_add(p, vec3_make(between(-size, size), between(-size, size), between(-size, size)));
}

static vec3 positions[COUNT][4];

static void deform(const vec3 *rest, int arity, double size) {
  for (int e = 0; e < COUNT; e++)
    for (int a = 0; a < arity; a++) positions[e][a] = jitter(rest[a], size);
}

typedef enum verb { ENERGY, GRADIENT, EXACT, PROJECTED, VERBS } verb;

static double sink; /* keeps the work from being left out */

static void run(const element_kernel *k, const void *data, verb v, size_t e) {
  vec3 g[4];
  double h[ELEMENT_MAX_DOFS * ELEMENT_MAX_DOFS];
  switch (v) {
    case ENERGY: sink += k->energy(data, e, positions[e]); break;
    case GRADIENT:
      k->gradient(data, e, positions[e], g);
      sink += g[0].x;
      break;
    default:
      k->hessian(data, e, positions[e], v == EXACT ? HESSIAN_EXACT : HESSIAN_PROJECTED, h);
      sink += h[1];
  }
}

static void measure(const element_kernel *k, const void *data, const char *how) {
  printf("%-20s %-12s", k->name, how);
  for (verb v = ENERGY; v < VERBS; v++) {
    double best = 1e9;
    for (int pass = 0; pass < PASSES; pass++) {
      double start = clock_seconds();
      for (size_t e = 0; e < COUNT; e++) run(k, data, v, e);
      double seconds = clock_seconds() - start;
      if (seconds < best) best = seconds;
    }
    printf(" %9.0f", best / COUNT * 1e9);
  }
  printf("\n");
}

int main(void) {
  static const vec3 tet[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const vec3 triangle[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  static const vec3 flap[4] = {{0, 0, 0}, {0, 1, 0}, {-1, 0.5, 0}, {1, 0.5, 0}};
  static const char *const names[3] = {"2% strain", "20% strain", "100% strain"};
  static const double sizes[3] = {0.01, 0.1, 0.5};

  printf("%-20s %-12s %9s %9s %9s %9s   (ns per call)\n", "kernel", "deformation", "energy",
         "gradient", "exact", "projected");
  static solid_element solids[COUNT];
  static membrane_element membranes[COUNT];
  static bending_element hinges[COUNT];
  static pin_element pins[COUNT];
  static wind_element winds[COUNT];
  membrane_material cloth = {1000, 600, 0.2, 50};
  for (int e = 0; e < COUNT; e++) {
    solid_element_init(tet, 1e5, 0.45, &solids[e]);
    membrane_element_init(triangle, vec3_make(1, 0.2, 0), &cloth, &membranes[e]);
    bending_element_init(flap, 1e-3, &hinges[e]);
    pins[e] = (pin_element){1, {0, 0, 0}};
    winds[e] = (wind_element){{0, 0, 1}, {0, 0, 0.1}, 1};
  }
  for (int s = 0; s < 3; s++) {
    deform(tet, 4, sizes[s]);
    measure(&solid_kernel_neo_hookean, solids, names[s]);
    measure(&solid_kernel_stable_neo_hookean, solids, names[s]);
  }
  for (int s = 0; s < 3; s++) {
    deform(triangle, 3, sizes[s]);
    measure(&membrane_kernel, membranes, names[s]);
  }
  for (int s = 0; s < 3; s++) {
    deform(flap, 4, sizes[s]);
    measure(&bending_kernel, hinges, names[s]);
  }
  deform(tet, 4, 0.1);
  measure(&pin_kernel, pins, "");
  measure(&wind_kernel, winds, "");
  return sink == 0.123456789; /* never, but the compiler can not know */
}
