# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel of wedges, and *Add to Wedge* in the menu of every property."""

import bpy

from .. import wedges
from ..library import tribo
from ..logic import wedges as words
from .panels import ClosedPanel, columns, wrapped

SHOWN = 40  # scenes that the panel lists; the contact sheet has all


class TRIBO_PT_wedge(ClosedPanel, bpy.types.Panel):
    bl_label = "Wedge"

    def draw(self, context):
        scene = context.scene
        settings = scene.tribo_wedge
        if not settings.axes:
            wrapped(self.layout, "Right click any number or choice: Add to Wedge", "INFO")
        for index, axis in enumerate(settings.axes):
            self.draw_axis(index, axis)
        column = columns(self.layout)
        column.prop(settings, "folder")
        column.prop(settings, "jobs")
        run = wedges.runs.get(scene.name)
        if run:
            wrapped(self.layout, run.line() + "; Esc stops", "TIME")
        else:
            buttons = self.layout.column(align=True)
            buttons.operator("tribo.wedge_make", icon="FILE_NEW")
            buttons.operator("tribo.wedge_run", icon="REC")
        self.draw_farm(settings)
        self.draw_items(scene)

    def draw_axis(self, index, axis):
        box = self.layout.box()
        row = box.row()
        row.label(text=axis.label)
        row.operator("tribo.wedge_remove", text="", icon="X").index = index
        column = columns(box)
        if axis.is_vector:
            column.prop(axis, "component")
        if axis.kind == "WORDS":
            column.prop(axis, "words")
        else:
            column.prop(axis, "low")
            column.prop(axis, "high")
            column.prop(axis, "count")
            column.prop(axis, "equal_factors")
        if index:
            column.prop(axis, "together")

    def draw_farm(self, settings):
        self.layout.label(text="Export for Farm")
        columns(self.layout).prop(settings, "pictures")
        buttons = self.layout.column(align=True)
        for engine in tribo.farm_engines():
            buttons.operator("tribo.wedge_export", icon="EXPORT", text=engine["title"]).engine = engine["name"]

    def draw_items(self, scene):
        items = wedges.reports.get(scene.name, ())
        row = self.layout.row(align=True)
        row.operator("tribo.wedge_look", icon="FILE_REFRESH")
        row.operator("tribo.wedge_open_sheet", icon="URL")
        for item in items[:SHOWN]:
            row = self.layout.row(align=True)
            row.label(text=words.line(item), icon="CHECKMARK" if item["state"] == "done" else "BLANK1")
            if item["state"] == "done":
                row.operator("tribo.wedge_take", text="Take").number = item["number"]
            elif item["why"]:
                wrapped(self.layout, item["why"], "ERROR")
        if len(items) > SHOWN:
            self.layout.label(text=f"and {len(items) - SHOWN} more, in the contact sheet")


def draw_in_menu(self, context):
    """Behind what Blender offers for a property."""
    if getattr(context, "button_prop", None) is not None:
        self.layout.separator()
        self.layout.operator("tribo.wedge_add", icon="PRESET")


def menu():
    """The menu of a right click; made by whoever needs it first, before Blender has one of its own."""
    found = getattr(bpy.types, "UI_MT_button_context_menu", None) or getattr(bpy.types, "WM_MT_button_context", None)
    if found:
        return found

    class WM_MT_button_context(bpy.types.Menu):
        bl_label = "Unused"

        def draw(self, _context):
            pass

    bpy.utils.register_class(WM_MT_button_context)
    return WM_MT_button_context


_menu = None


def register():
    global _menu
    bpy.utils.register_class(TRIBO_PT_wedge)
    _menu = menu()
    _menu.append(draw_in_menu)


def unregister():
    _menu.remove(draw_in_menu)
    bpy.utils.unregister_class(TRIBO_PT_wedge)
