# SPDX-License-Identifier: GPL-3.0-or-later
"""What became of the bake that plays: kept with it, and told as long as it plays."""

import bpy

from .. import jobs
from ..bridge import caches, findings, missing
from ..logic.findings import mark
from . import panels
from .findings import draw_message

MOST = 6


def warnings_of(scene):
    """Of the bake under way, or of the one that plays; without what the artist dismissed."""
    job = jobs.running.get(scene.name)
    gone = set(findings.dismissed(scene))
    return [text for text in (job.warnings if job else caches.warnings(scene)) if mark(text) not in gone]


class TRIBO_PT_missing_cache(panels.TriboPanel, bpy.types.Panel):
    bl_label = "Missing Cache"
    bl_order = -1
    bl_parent_id = "TRIBO_PT_tribo"

    @classmethod
    def poll(cls, context):
        return super().poll(context) and bool(missing.of_scene(context.scene))

    def draw(self, context):
        panels.wrapped(self.layout, missing.sentence(context.scene), "ERROR")
        self.layout.operator("tribo.free", text="Play Nothing", icon="X")


class TRIBO_PT_result(panels.TriboPanel, bpy.types.Panel):
    bl_label = "Result"
    bl_order = -1
    bl_parent_id = "TRIBO_PT_tribo"

    @classmethod
    def poll(cls, context):
        return super().poll(context) and bool(warnings_of(context.scene))

    def draw(self, context):
        found = warnings_of(context.scene)
        for text in found[:MOST]:
            draw_message(self.layout, text, "ERROR")
        if len(found) > MOST:
            self.layout.label(text=f"and {len(found) - MOST} more")


register, unregister = bpy.utils.register_classes_factory((TRIBO_PT_missing_cache, TRIBO_PT_result))
