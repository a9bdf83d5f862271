# SPDX-License-Identifier: GPL-3.0-or-later
"""The thickness that a new cloth begins with.

Contact rounds sharp edges by it, which the solver likes: a rim that lies exactly on the edge of a block
costs fifty times as many iterations without (docs/contact.md). The fast method lets layers of cloth touch
only where they have one. What it does to the picture: cloth keeps that gap from all it lies on.
"""

MOST = 0.002  # metres: hidden from a camera that sees a whole garment
PART = 0.1  # of an edge: small things in fine meshes get less

ABOUT = ("New cloth gets 2 mm, or a tenth of its mean edge where that is less: sharp edges are rounded by "
         "it, and layers of cloth in the fast method need it. The gap shows in close-ups; a Solidify "
         "modifier below Tribo fills it")


def of_cloth(mean_edge):
    """Metres, to two digits. mean_edge: of the mesh, in metres."""
    return float(f"{min(MOST, PART * mean_edge):.2g}")
