# SPDX-License-Identifier: GPL-3.0-or-later
"""Add > Tribo Examples."""

import bpy

from ..ops import examples


class TRIBO_MT_examples(bpy.types.Menu):
    bl_label = "Tribo Examples"

    def draw(self, _context):
        for name, (label, _) in examples.EXAMPLES.items():
            self.layout.operator("tribo.example", text=label).name = name


def draw_in_add(self, _context):
    self.layout.menu("TRIBO_MT_examples", icon="MOD_CLOTH")


def register():
    bpy.utils.register_class(TRIBO_MT_examples)
    bpy.types.VIEW3D_MT_add.append(draw_in_add)


def unregister():
    bpy.types.VIEW3D_MT_add.remove(draw_in_add)
    bpy.utils.unregister_class(TRIBO_MT_examples)
