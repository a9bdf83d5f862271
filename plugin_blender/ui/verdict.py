# SPDX-License-Identifier: GPL-3.0-or-later
"""What became of the bake that plays: kept with it, and told as long as it plays."""

import bpy

from .. import crossings, doubts, jobs, live
from ..bridge import caches, findings, missing
from ..logic import progress
from ..logic.findings import mark
from . import panels
from .findings import draw_message

MOST = 6  # of warnings, ranges of frames, and pairs that cross


def warnings_of(scene):
    """Of the bake under way, of the one that plays, or of the live simulation; without what the artist
    dismissed, and what the scene still is to blame for."""
    teller = jobs.running.get(scene.name) or (None if caches.playing(scene) else live.running.get(scene.name))
    gone = set(findings.dismissed(scene))
    above = {one.message for one in doubts.found.get(scene.name, ())}  # in Before You Bake: once is enough
    told = teller.warnings if teller else caches.warnings(scene)
    return [text for text in told if mark(text) not in gone and text not in above]


def live_verdict(scene):
    """Of the frames in memory, where no bake plays."""
    run = None if caches.playing(scene) else live.running.get(scene.name)
    return progress.rough(run.rough) if run else ""


def draw_verdict(layout, scene):
    """How many frames are rough, and buttons that go there."""
    found = caches.verdict(scene)
    if not found:
        if live_verdict(scene):
            panels.wrapped(layout, "Live: " + live_verdict(scene), "ERROR")
        return
    if not found["rough"] and caches.status(scene) != "done":
        panels.wrapped(layout, f"{found['frames']} frames are there, none of them rough", "INFO")
    elif not found["rough"]:
        panels.wrapped(layout, f"{found['frames']} frames, none of them rough", "CHECKMARK")
    else:
        panels.wrapped(layout, found["text"], "ERROR")
        layout.operator("tribo.go_to_frame", text=f"Go to the Worst, {found['worst']}",
                        icon="TIME").frame = found["worst"]
        flow = layout.grid_flow(columns=3, align=True)
        for text, first in progress.spans(found["ranges"], 2 * MOST):
            flow.operator("tribo.go_to_frame", text=text).frame = first
        if len(found["ranges"]) > 2 * MOST:
            layout.label(text=f"and {len(found['ranges']) - 2 * MOST} more")
    if found["counted"] < found["frames"]:
        panels.wrapped(layout, f"Crossings were counted at {found['counted']} of {found['frames']} frames (Advanced > "
                       "Scene > Crossings)", "INFO")


def draw_crossings(layout, scene):
    """What crosses at the frame where the timeline stands."""
    found = crossings.of_frame(scene)
    if found:
        layout.label(text=f"At frame {scene.frame_current}:")
        for one in found[:MOST]:
            panels.wrapped(layout, progress.crossing(one), "DOT")
        layout.prop(scene.tribo_overlay, "crossings", text="Show Pierced Faces")


class TRIBO_OT_go_to_frame(bpy.types.Operator):
    """Go to this frame"""

    bl_idname = "tribo.go_to_frame"
    bl_label = "Go to Frame"

    frame: bpy.props.IntProperty(options={"SKIP_SAVE"})

    def execute(self, context):
        context.scene.frame_set(self.frame)
        return {"FINISHED"}


class TRIBO_PT_missing_cache(panels.TriboPanel, bpy.types.Panel):
    bl_label = "Missing Cache"
    bl_order = 0
    bl_parent_id = "TRIBO_PT_tribo"

    @classmethod
    def poll(cls, context):
        return super().poll(context) and bool(missing.of_scene(context.scene))

    def draw(self, context):
        panels.wrapped(self.layout, missing.sentence(context.scene), "ERROR")
        self.layout.operator("tribo.free", text="Play Nothing", icon="X")


class TRIBO_PT_result(panels.TriboPanel, bpy.types.Panel):
    bl_label = "Result"
    bl_order = 0
    bl_parent_id = "TRIBO_PT_tribo"

    @classmethod
    def poll(cls, context):
        scene = context.scene
        return super().poll(context) and bool(caches.verdict(scene) or warnings_of(scene) or live_verdict(scene))

    def draw(self, context):
        scene = context.scene
        if scene.name not in jobs.running:
            draw_verdict(self.layout, scene)
            draw_crossings(self.layout, scene)
        found = warnings_of(scene)
        for text in found[:MOST]:
            draw_message(self.layout, text, "ERROR")
        if len(found) > MOST:
            self.layout.label(text=f"and {len(found) - MOST} more")


register, unregister = bpy.utils.register_classes_factory(
    (TRIBO_OT_go_to_frame, TRIBO_PT_missing_cache, TRIBO_PT_result))
