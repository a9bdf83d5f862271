# SPDX-License-Identifier: GPL-3.0-or-later
"""Set-up in one click."""

import bpy

from ..bridge import playback, stack, subjects
from ..logic import kinds, presets
from ..props import objects


class TRIBO_OT_add(bpy.types.Operator):
    """Make the selected objects part of the simulation"""

    bl_idname = "tribo.add"
    bl_label = "Add Tribo"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.object is not None

    def execute(self, context):
        chosen = [ob for ob in context.selected_objects if suits(ob, self.kind)]
        if context.object not in chosen and suits(context.object, self.kind):
            chosen.append(context.object)
        chosen = [ob for ob in chosen if ob.library is None]
        if not chosen:
            self.report({"ERROR"}, f"{context.object.name} cannot be {NAMES[self.kind]}: " + why_not(context.object, self.kind))
            return {"CANCELLED"}
        for ob in chosen:
            ob.tribo.kind = self.kind
            ob.tribo.preset = presets.first(self.kind, is_on_bones(ob))
        return {"FINISHED"}


NAMES = {"CLOTH": "cloth", "SOLID": "a soft body", "RIGID": "a rigid body", "COLLIDER": "a collider", "ROD": "a rod"}


def why_not(ob, kind):
    """What keeps an object from being of a kind."""
    if ob.library is not None:
        return "it is linked; make an override (Object > Library Override), or change it in its own file"
    if ob.type in subjects.MESHED and kinds.is_simulated(kind):
        return "it is no mesh; convert it first (Object > Convert > Mesh)"
    return "it has no surface; choose a mesh" + ("" if kinds.is_simulated(kind) else ", a curve, a text or the like")


def is_on_bones(ob):
    return any(modifier.type == "ARMATURE" for modifier in ob.modifiers)


def suits(ob, kind):
    return ob.type in ({"MESH"} if kinds.is_simulated(kind) else subjects.MESHED)


class TRIBO_OT_remove(bpy.types.Operator):
    """Take the selected objects out of the simulation; caches on disk stay"""

    bl_idname = "tribo.remove"
    bl_label = "Remove Tribo"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.tribo.kind != "NONE"

    def execute(self, context):
        for ob in {context.object, *context.selected_objects}:
            ob.tribo.kind = "NONE"
            playback.follow_kind(ob)
        return {"FINISHED"}


class TRIBO_OT_place_modifier(bpy.types.Operator):
    """Put the Tribo modifier back where it belongs: below what shapes the input, above what \
finishes the surface"""

    bl_idname = "tribo.place_modifier"
    bl_label = "Restore Tribo Modifier"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.object is not None and subjects.is_simulated(context.object)

    def execute(self, context):
        stack.take_away(context.object)
        stack.put(context.object)
        playback.show_cache(context.scene)
        return {"FINISHED"}


class TRIBO_OT_pair_add(bpy.types.Operator):
    """Give two objects or materials a friction of their own"""

    bl_idname = "tribo.pair_add"
    bl_label = "Add Friction Pair"
    bl_options = {"REGISTER", "UNDO"}

    a: bpy.props.StringProperty(name="A")
    b: bpy.props.StringProperty(name="B")
    mu: bpy.props.FloatProperty(name="Friction", default=0.5, min=0.0)

    def execute(self, context):
        settings = context.scene.tribo
        pair = settings.pairs.add()
        pair.a, pair.b, pair.friction.mu = self.a, self.b, self.mu
        settings.active_pair = len(settings.pairs) - 1
        return {"FINISHED"}


class TRIBO_OT_pair_remove(bpy.types.Operator):
    """Remove the chosen friction pair"""

    bl_idname = "tribo.pair_remove"
    bl_label = "Remove Friction Pair"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return 0 <= context.scene.tribo.active_pair < len(context.scene.tribo.pairs)

    def execute(self, context):
        settings = context.scene.tribo
        settings.pairs.remove(settings.active_pair)
        settings.active_pair = max(0, min(settings.active_pair, len(settings.pairs) - 1))
        return {"FINISHED"}


CLASSES = (TRIBO_OT_add, TRIBO_OT_remove, TRIBO_OT_place_modifier, TRIBO_OT_pair_add,
           TRIBO_OT_pair_remove)


def register():
    items = [item for item in objects.kind_items() if item[0] != "NONE"]
    TRIBO_OT_add.__annotations__ = {
        "kind": bpy.props.EnumProperty(name="Kind", items=items, default="CLOTH")}
    for cls in CLASSES:
        bpy.utils.register_class(cls)


def unregister():
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
