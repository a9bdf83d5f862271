# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes to look at: each is a script in examples/ that makes a new scene."""

import importlib

import bpy

EXAMPLES = {
    "drape": ("Drape over a Sphere", "A cotton cloth falls on a ball of wood"),
    "painted_ramp": ("Painted Ramp", "Two boxes on a ramp whose grip is painted: one holds, one slides"),
    "combed_ramp": ("Combed Ramp", "Twin pucks on brushed metal: one rides the strokes, one stays"),
    "garment": ("Garment on a Moving Body", "A skirt on a body that an armature moves"),
}


class TRIBO_OT_example(bpy.types.Operator):
    """Make a new scene with an example, ready to bake"""

    bl_idname = "tribo.example"
    bl_label = "Tribo Example"
    bl_options = {"REGISTER", "UNDO"}

    name: bpy.props.EnumProperty(
        name="Example", items=[(key, label, text) for key, (label, text) in EXAMPLES.items()])

    def execute(self, context):
        module = importlib.import_module("...examples." + self.name, __name__)
        scene = bpy.data.scenes.new("Tribo " + EXAMPLES[self.name][0])
        if context.window:
            context.window.scene = scene
        module.make(scene)
        return {"FINISHED"}


def register():
    bpy.utils.register_class(TRIBO_OT_example)


def unregister():
    bpy.utils.unregister_class(TRIBO_OT_example)
