/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mls_tree: finds the neighbours of an MLS surface's queries with a kd-tree of its samples.
 */
#ifndef MLS_MLS_TREE_H
#define MLS_MLS_TREE_H

#include "geom/kdtree.h"
#include "mls/mls.h"

/* Builds the tree of the samples as they are now; after an update it must be built anew. `scratch`
 * gives memory for the length of the call. */
tribo_status mls_tree_build(const tasks *t, const mls_surface *surface, arena *scratch,
                            kdtree *tree, tribo_error *err);

/* A search that asks the tree, in the tree's order. */
mls_search mls_tree_search(kdtree *tree);

/* The spacing of a cloud: the distance to the k-th nearest other sample, or to the farthest when
 * there are fewer. The first ring of an even cloud has six; MLS_RING leaves some room. Unlike a
 * mesh, a cloud does not say where its surface goes on: a gap between points that are close among
 * themselves is not seen. One sample alone has no spacing, 0. */
#define MLS_RING 8
tribo_status mls_spacing_of_points(const tasks *t, const mls_surface *surface, const kdtree *tree,
                                   size_t k, arena *scratch, double *spacing, tribo_error *err);

#endif
