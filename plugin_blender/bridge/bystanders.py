# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes that are nothing to Tribo, and stand where something that is simulated falls: the collider that was
forgotten. Told by their boxes alone."""

from mathutils import Vector

from ..logic import kinds
from . import subjects

SLIVER = 0.25  # of the smaller footprint: what overlaps by less is beside


class Box:
    def __init__(self, ob):
        corners = [ob.matrix_world @ Vector(corner) for corner in ob.bound_box]
        self.low = [min(corner[axis] for corner in corners) for axis in range(3)]
        self.high = [max(corner[axis] for corner in corners) for axis in range(3)]

    def under(self, other):
        """By how much of the smaller footprint one lies under the other, 0 to 1."""
        share = 1.0
        for axis in (0, 1):
            both = min(self.high[axis], other.high[axis]) - max(self.low[axis], other.low[axis])
            least = min(self.high[axis] - self.low[axis], other.high[axis] - other.low[axis])
            share *= max(0.0, min(1.0, both / least)) if least > 0 else float(both >= 0)
        return share


def of_scene(scene, view_layer):
    """(mesh, what falls through it, whether anything else would hold that), each mesh once."""
    if not scene.use_gravity or scene.gravity[2] >= 0:
        return []
    falling = [(ob, Box(ob)) for ob in subjects.objects(view_layer) if _falls(ob)]
    colliders = [Box(ob) for ob in subjects.objects(view_layer) if _holds(ob)]
    out = []
    for ob in sorted(view_layer.objects, key=lambda ob: ob.name) if falling else ():
        if not _is_bystander(ob):
            continue
        box = Box(ob)
        for thing, own in falling:
            if _is_in_the_way(box, own, colliders) and not _are_kin(ob, thing):
                out.append((ob, thing, any(_is_below(other, own) for other in colliders)))
                break
    return out


def _falls(ob):
    return subjects.is_simulated(ob) and not (ob.tribo.pin_group and kinds.takes_pins(ob.tribo.kind))


def _holds(ob):
    return kinds.is_given(ob.tribo.kind) and ob.tribo.surface.contact != "none"


def _is_bystander(ob):
    """Something solid that is seen, and that nothing says anything else of."""
    if ob is None or ob.type not in subjects.MESHED or ob.tribo.kind != "NONE" or not ob.visible_get():
        return False
    if ob.hide_render or ob.display_type in ("WIRE", "BOUNDS") or ob.rigid_body is not None:
        return False
    if ob.collision is not None and ob.collision.use:
        return False
    return ob.type != "MESH" or len(ob.data.polygons) > 0


def _is_below(box, own):
    return box.low[2] < own.high[2] and box.under(own) > 0


def _is_in_the_way(box, own, colliders):
    """Below, and no collider comes first."""
    if not box.high[2] < own.high[2] or box.under(own) < SLIVER:
        return False
    return not any(other.high[2] >= box.high[2] and other.under(box) >= SLIVER for other in colliders)


def _are_kin(ob, thing):
    return ob.parent is not None and ob.parent in (thing, thing.parent) or thing.parent == ob
