# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel of what a bake would leave out, with what puts it right. It is there only while there is
something to say."""

import bpy

from .. import doubts
from ..logic.findings import WARNING
from . import panels

MOST = 8


def draw_message(layout, message, icon, remedy=None):
    """A message over several lines, its remedy below, and a cross to be rid of it."""
    row = layout.row()
    column = row.column()
    panels.wrapped(column, message, icon)
    if remedy:
        operator, label, arguments = remedy
        button = column.operator(operator, text=label)
        for name, value in arguments.items():
            setattr(button, name, value)
    row.operator("tribo.dismiss", text="", icon="X", emboss=False).message = message


class TRIBO_PT_findings(panels.TriboPanel, bpy.types.Panel):
    bl_label = "Before You Bake"
    bl_order = 0
    bl_parent_id = "TRIBO_PT_tribo"

    @classmethod
    def poll(cls, context):
        return super().poll(context) and bool(doubts.found.get(context.scene.name))

    def draw(self, context):
        found = doubts.of(context.scene, context.object)
        for one in found[:MOST]:
            draw_message(self.layout, one.message, "ERROR" if one.severity == WARNING else "INFO", one.remedy)
        if len(found) > MOST:
            self.layout.label(text=f"and {len(found) - MOST} more")


register, unregister = bpy.utils.register_classes_factory((TRIBO_PT_findings,))
