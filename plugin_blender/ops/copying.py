# SPDX-License-Identifier: GPL-3.0-or-later
"""Copy to Selected: what an object is to Tribo, friction pairs included."""

import bpy

from ..logic import table
from ..props import groups, objects, quality
from .setup import suits

GROUPS = ("pin_group", "stiffness_group", "friction_group")
OWN = {"rna_type", "name", "kind", "preset", "begun_thickness", *GROUPS}  # not copied as they are


class TRIBO_OT_copy_to_selected(bpy.types.Operator):
    """Give the other selected objects the Tribo settings and friction pairs of the active one. Vertex
groups go by their names, where the other object has them"""

    bl_idname = "tribo.copy_to_selected"
    bl_label = "Copy to Selected"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        if context.object is None or context.object.tribo.kind == "NONE":
            return False
        if len(set(context.selected_objects) - {context.object}) == 0:
            cls.poll_message_set("Select the objects to copy to, and last the one to copy from")
            return False
        return True

    def execute(self, context):
        source, without = context.object, []
        targets = [ob for ob in context.selected_objects if ob != source and ob.library is None]
        fitting = [ob for ob in targets if suits(ob, source.tribo.kind)]
        for ob in targets:
            if ob not in fitting:
                self.report({"WARNING"}, f"{ob.name} is no mesh and stays as it is")
        if not fitting:
            self.report({"ERROR"}, f"Nothing selected can be what {source.name} is")
            return {"CANCELLED"}
        for ob in fitting:
            without += _copy(source, ob)
        _copy_pairs(context.scene.tribo.pairs, source.name, [ob.name for ob in fitting])
        for ob, group in without:
            self.report({"WARNING"}, f"{ob.name} has no vertex group {group}, and does without")
        self.report({"INFO"}, f"Copied to {len(fitting)} object{'s' * (len(fitting) > 1)}")
        return {"FINISHED"}


def _copy(source, target):
    """All settings; [(object, vertex group that it lacks)]."""
    ours, theirs = source.tribo, target.tribo
    theirs.kind = ours.kind
    theirs.preset = ours.preset
    left_open = quality.has_open_thickness(ours)
    own_thickness, begun = theirs.surface.thickness, theirs.begun_thickness
    _copy_values(ours, theirs, OWN)
    if left_open:  # the other has edges of its own
        theirs.surface.property_unset("thickness")
        theirs.begun_thickness = 0.0
        if begun > 0 and own_thickness == begun:
            theirs.surface.thickness, theirs.begun_thickness = own_thickness, begun
        objects.begin_thickness(target)
    lacking = []
    for name in GROUPS:
        group = getattr(ours, name)
        has = not group or group in getattr(target, "vertex_groups", {})
        setattr(theirs, name, group if has else "")
        if not has:
            lacking.append((target, group))
    return lacking


def _copy_values(ours, theirs, but=frozenset({"rna_type", "name"})):
    for prop in ours.bl_rna.properties:
        name = prop.identifier
        if name in but:
            continue
        value = getattr(ours, name)
        if isinstance(value, bpy.types.PropertyGroup):
            _copy_values(value, getattr(theirs, name))
        elif prop.type == "POINTER" or ours.is_property_set(name):
            setattr(theirs, name, value)
        else:
            theirs.property_unset(name)


def _copy_pairs(pairs, source, targets):
    """A pair of the source becomes one of each target, in place of what that had with the same other."""
    kept = [(p.a, p.b, groups.values(p, "friction")) for p in pairs if source in (p.a, p.b)]
    for a, b, values in kept:
        for name in targets:
            if name in (a, b):  # of the two with each other
                continue
            ends = [name if x == source else x for x in (a, b)]
            for i in reversed([i for i, p in enumerate(pairs) if sorted((p.a, p.b)) == sorted(ends)]):
                pairs.remove(i)
            made = pairs.add()
            made.a, made.b = ends
            for key, value in values.items():
                setattr(made.friction, table.attribute(key), value)


CLASSES = (TRIBO_OT_copy_to_selected,)

register, unregister = bpy.utils.register_classes_factory(CLASSES)
