# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake, Resume, Bake from this frame: in a window modal, with progress and Esc; from a script or
without a window blocking."""

import bpy

from .. import jobs, live
from ..bridge.errors import Refusal
from ..library import tribo
from ..logic import wording

TICK = 0.1


class Baker:
    """What the three operators share. A subclass says how its job starts."""

    bl_options = {"REGISTER"}
    timer = None
    job = None

    @classmethod
    def poll(cls, context):
        if context.scene.name in jobs.running:
            cls.poll_message_set("A bake is running; press Esc to stop it")
            return False
        return True

    def start(self, context):
        """A new job, or None with the reason reported."""
        try:
            live.forget(context.scene.name)
            return self.make_job(context)
        except (Refusal, tribo.Error, OSError) as failure:
            jobs.last[context.scene.name] = f"Tribo: {wording.artist(str(failure))}"
            self.report({"ERROR"}, wording.artist(str(failure)))
            return None

    def execute(self, context):
        job = self.start(context)
        if job is None:
            return {"CANCELLED"}
        try:
            jobs.run(job)
        finally:
            if job.is_alive():  # Ctrl-C
                job.cancel()
        return self.tell(job)

    def invoke(self, context, _event):
        if bpy.app.background or context.window is None:
            return self.execute(context)
        job = self.start(context)
        if job is None:
            return {"CANCELLED"}
        self.job = job
        self.timer = context.window_manager.event_timer_add(TICK, window=context.window)
        context.window_manager.modal_handler_add(self)
        self.show(context, job)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        job = self.job
        if not job.is_alive():  # stopped from elsewhere: a file was loaded, the add-on reloaded
            return self.leave(context, None)
        if event.type == "ESC" and event.value == "PRESS":
            job.cancel()
            return self.leave(context, job)
        if event.type == "TIMER":
            alive = job.advance()
            self.show(context, job)
            if not alive:
                return self.leave(context, job)
        return {"PASS_THROUGH"}

    def cancel(self, context):
        """Blender ends the operator: the window closes, another file is loaded."""
        if self.job is not None:
            self.job.cancel()
        self.leave(context, None)

    def show(self, context, job):
        if context.workspace:
            context.workspace.status_text_set(job.line() + "    Esc: stop")
        redraw()

    def leave(self, context, job):
        if self.timer is not None:
            context.window_manager.event_timer_remove(self.timer)
            self.timer = None
        if context.workspace:
            context.workspace.status_text_set(None)
        redraw()
        return self.tell(job) if job else {"CANCELLED"}

    def tell(self, job):
        for warning in job.warnings:
            self.report({"WARNING"}, warning)
        if job.state == jobs.DONE:
            self.report({"WARNING"} if job.verdict else {"INFO"}, job.line())
            return {"FINISHED"}
        self.report({"WARNING"} if job.state == jobs.CANCELLED else {"ERROR"}, job.message or job.line())
        return {"CANCELLED"}


def redraw():
    """The panels that show progress."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type in ("PROPERTIES", "VIEW_3D"):
                area.tag_redraw()


class TRIBO_OT_bake(Baker, bpy.types.Operator):
    """Simulate all frames and keep them on disk. Replaces the bake that is there"""

    bl_idname = "tribo.bake"
    bl_label = "Bake"

    def make_job(self, context):
        return jobs.Job(context.scene, context.view_layer)


class TRIBO_OT_resume(Baker, bpy.types.Operator):
    """Go on where a bake stopped. The result is the same as without the stop"""

    bl_idname = "tribo.resume"
    bl_label = "Resume"

    def make_job(self, context):
        return jobs.Job(context.scene, context.view_layer, resume=True)


class TRIBO_OT_bake_from_here(Baker, bpy.types.Operator):
    """Keep the frames up to this one and simulate on from it, with the settings as they are now"""

    bl_idname = "tribo.bake_from_here"
    bl_label = "Bake from This Frame"

    def make_job(self, context):
        return jobs.Job(context.scene, context.view_layer, from_frame=context.scene.frame_current)


class TRIBO_OT_stop(bpy.types.Operator):
    """Stop the bake; Resume goes on"""

    bl_idname = "tribo.stop"
    bl_label = "Stop"

    @classmethod
    def poll(cls, context):
        return context.scene.name in jobs.running

    def execute(self, context):
        jobs.running[context.scene.name].cancel()
        return {"FINISHED"}


CLASSES = (TRIBO_OT_bake, TRIBO_OT_resume, TRIBO_OT_bake_from_here, TRIBO_OT_stop)

register, unregister = bpy.utils.register_classes_factory(CLASSES)
