# SPDX-License-Identifier: GPL-3.0-or-later
"""All there is when the native module does not load: the reason, where the artist looks."""

import textwrap

import bpy

from ..library import PROBLEM


def draw_problem(layout):
    box = layout.box()
    for i, line in enumerate(textwrap.wrap(PROBLEM, 60)):
        box.label(text=line, icon="ERROR" if i == 0 else "BLANK1")


class TRIBO_AP_missing(bpy.types.AddonPreferences):
    bl_idname = __package__.rpartition(".")[0]

    def draw(self, _context):
        draw_problem(self.layout)


class TRIBO_PT_missing(bpy.types.Panel):
    bl_label = "Tribo"
    bl_space_type, bl_region_type, bl_context = "PROPERTIES", "WINDOW", "physics"

    def draw(self, _context):
        draw_problem(self.layout)


CLASSES = (TRIBO_AP_missing, TRIBO_PT_missing)


def register():
    print("Tribo: " + PROBLEM)
    for cls in CLASSES:
        bpy.utils.register_class(cls)


def unregister():
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
