/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * peer_nanoflann: Debian's nanoflann behind a few C functions, for bench_kdtree to measure against.
 * Built only where its header is found.
 */
#ifndef BENCH_PEER_NANOFLANN_H
#define BENCH_PEER_NANOFLANN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct peer_tree peer_tree;

/* An index of `count` points of three doubles each, which must stay; not built yet. */
peer_tree *peer_create(const double *points, size_t count, size_t leaf);
void peer_build(peer_tree *tree);
void peer_free(peer_tree *tree);

/* All hits of all queries, in number. The hits go into memory that is used again. */
size_t peer_radius(peer_tree *tree, const double *queries, size_t count, double radius, int sorted);
size_t peer_nearest(peer_tree *tree, const double *queries, size_t count, size_t k);

#ifdef __cplusplus
}
#endif

#endif
