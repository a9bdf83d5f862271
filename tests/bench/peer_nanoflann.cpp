// SPDX-License-Identifier: GPL-3.0-or-later
#include "peer_nanoflann.h"

#include <cstdint>
#include <nanoflann.hpp>
#include <utility>
#include <vector>

namespace {

struct Cloud {
  const double *points;
  size_t count;

  size_t kdtree_get_point_count() const { return count; }
  double kdtree_get_pt(size_t index, size_t axis) const { return points[3 * index + axis]; }
  template <class Box>
  bool kdtree_get_bbox(Box &) const {
    return false;
  }
};

using Metric = nanoflann::L2_Simple_Adaptor<double, Cloud, double, std::uint32_t>;
using Index = nanoflann::KDTreeSingleIndexAdaptor<Metric, Cloud, 3, std::uint32_t>;

}  // namespace

struct peer_tree {
  Cloud cloud;
  Index index;
  std::vector<std::pair<std::uint32_t, double>> hits;
  std::vector<std::uint32_t> indices;
  std::vector<double> distances;

  peer_tree(const double *points, size_t count, size_t leaf)
      : cloud{points, count},
        // Without the flag the index would be built here already, and then once more.
        index(3, cloud,
              nanoflann::KDTreeSingleIndexAdaptorParams(
                  leaf, nanoflann::KDTreeSingleIndexAdaptorFlags::SkipInitialBuildIndex)) {}
};

peer_tree *peer_create(const double *points, size_t count, size_t leaf) {
  return new peer_tree(points, count, leaf);
}

void peer_build(peer_tree *tree) { tree->index.buildIndex(); }
void peer_free(peer_tree *tree) { delete tree; }

size_t peer_radius(peer_tree *tree, const double *queries, size_t count, double radius,
                   int sorted) {
  const nanoflann::SearchParams params(32, 0, sorted != 0);
  size_t total = 0;
  for (size_t i = 0; i < count; i++)
    total += tree->index.radiusSearch(queries + 3 * i, radius * radius, tree->hits, params);
  return total;
}

size_t peer_nearest(peer_tree *tree, const double *queries, size_t count, size_t k) {
  tree->indices.resize(k);
  tree->distances.resize(k);
  size_t total = 0;
  for (size_t i = 0; i < count; i++)
    total +=
        tree->index.knnSearch(queries + 3 * i, k, tree->indices.data(), tree->distances.data());
  return total;
}
