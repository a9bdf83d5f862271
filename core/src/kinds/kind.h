/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * kind: what an object can be, a row of a table each: cloth, solid, rigid, collider, rod. A row has
 * the facts that the rest of the program asks for ("does it deform?") in place of comparing kinds,
 * and the functions that check and build an object of the kind. docs/add_a_kind.md has the recipe.
 *
 * The table is append-only: a row's number is in the hashes of scenes, its name in scene files and
 * manifests.
 */
#ifndef KINDS_KIND_H
#define KINDS_KIND_H

#include "base/status.h"
#include "kinds/builder.h"
#include "tribo/scene.h"

typedef struct kind_row {
  tribo_kind_info about; /* published: tribo_kind_at */
  size_t params;         /* the offset of its group in tribo_object_def; with about.group */

  /* The mesh, after counts and coordinates have been looked at. */
  tribo_status (*check)(const tribo_object_def *def, tribo_error *err);

  /* Mends the scene's own copy of what cannot be simulated as it is, and says so in `note`, which
   * was "". NULL: nothing is mended. */
  tribo_status (*mend)(tribo_object_def *mine, char note[TRIBO_MESSAGE_SIZE], tribo_error *err);

  /* Simulated: numbers that are solved for, three a node; and elastic terms, at most. */
  size_t (*node_count)(const tribo_object_def *def);
  size_t terms;

  /* Into the model: nodes, masses and energies of a body; or, of what is given, a collider: then
   * body is NULL. */
  tribo_status (*build)(builder *b, size_t object, model_body *body, tribo_error *err);

  /* What the matrix of the method projective bounds the energy with, a size of its elements (area
   * or volume), and the mass a size. NULL of what has no elasticity. */
  double (*weight)(const tribo_object_def *def);
  double (*density)(const tribo_object_def *def);

  /* In metres, of an object whose surface.thickness is left open; NULL: 0, or as quality has it. */
  double (*thickness)(const tribo_object_def *def);

  /* In kilograms; NULL of what is given. */
  double (*mass)(const tribo_object_def *def);
} kind_row;

/* NULL for a number that is no kind. */
const kind_row *kind_at(size_t number);

/* The row of an object that has been checked. */
const kind_row *kind_of(const tribo_object_def *def);

/* NULL for a name that is no kind's. */
const kind_row *kind_named(const char *name);

/* The parameters of its own group; NULL: it has none. */
const void *kind_params(const tribo_object_def *def);
void *kind_params_of(tribo_object_def *def);

/* What an object whose surface.thickness is left open has by its kind, m. */
double kind_thickness(const tribo_object_def *def);

/* The object is tets alone; tets in a cage carry a surface of triangles. */
bool kind_is_tets(const tribo_object_def *def);

/* "cloth, solid, rigid, collider or rod", with text around each and before the last. Returns out.
 */
enum { KIND_LIST_SIZE = 256 };
char *kind_list(const char *before, const char *after, const char *last, char out[KIND_LIST_SIZE]);

extern const kind_row kind_cloth, kind_solid, kind_rigid, kind_collider, kind_rod;

#endif
