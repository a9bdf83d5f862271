# SPDX-License-Identifier: GPL-3.0-or-later
"""Wedges: add a property, make the scenes, bake them here or hand them to a farm, take one."""

import os

import bpy

from .. import wedges
from ..bridge.errors import Refusal
from ..library import tribo
from ..logic import wording
from .bake import Baker, redraw

TICK = 0.2


def attempt(operator, call):
    """What call() gives; None after the artist was told why not."""
    try:
        return call()
    except (Refusal, tribo.Error, OSError) as failure:
        operator.report({"ERROR"}, wording.artist(str(failure)))
        return None


class TRIBO_OT_wedge_add(bpy.types.Operator):
    """Vary this property in the scene's wedge"""

    bl_idname = "tribo.wedge_add"
    bl_label = "Add to Wedge"
    bl_options = {"REGISTER", "UNDO"}

    owner: bpy.props.StringProperty(description="The object that has it; empty: the scene")
    path: bpy.props.StringProperty(description="Of the property; empty: the one under the mouse")

    def under_the_mouse(self, context):
        """(owner, path) of the button that was clicked."""
        pointer, prop = getattr(context, "button_pointer", None), getattr(context, "button_prop", None)
        if pointer is None or prop is None:
            raise Refusal("There is no property under the mouse")
        data = pointer.id_data
        if data != context.scene and not isinstance(data, bpy.types.Object):
            raise Refusal("Only properties of objects and of the scene can be varied")
        place = pointer.path_from_id() if pointer != data else ""
        path = f"{place}.{prop.identifier}" if place else prop.identifier
        return ("" if data == context.scene else data.name), path

    def execute(self, context):
        def add():
            owner, path = (self.owner, self.path) if self.path else self.under_the_mouse(context)
            return wedges.add_axis(context.scene, owner, path)

        axis = attempt(self, add)
        if axis is None:
            return {"CANCELLED"}
        self.report({"INFO"}, f"The wedge varies {axis.label}")
        redraw()
        return {"FINISHED"}


class TRIBO_OT_wedge_remove(bpy.types.Operator):
    """Vary this property no more"""

    bl_idname = "tribo.wedge_remove"
    bl_label = "Remove from Wedge"
    bl_options = {"REGISTER", "UNDO"}

    index: bpy.props.IntProperty()

    def execute(self, context):
        axes = context.scene.tribo_wedge.axes
        if not 0 <= self.index < len(axes):
            return {"CANCELLED"}
        axes.remove(self.index)
        return {"FINISHED"}


class TRIBO_OT_wedge_make(bpy.types.Operator):
    """Write a scene for every combination of values. What was baked of the same scenes before serves again"""

    bl_idname = "tribo.wedge_make"
    bl_label = "Make Wedge"

    def execute(self, context):
        count = attempt(self, lambda: wedges.make(context.scene, context.view_layer))
        if count is None:
            return {"CANCELLED"}
        self.report({"INFO"}, f"{count} scenes in {wedges.folder_of(context.scene)}")
        return {"FINISHED"}


class TRIBO_OT_wedge_run(bpy.types.Operator):
    """Bake the scenes of the wedge that are not done, several at once"""

    bl_idname = "tribo.wedge_run"
    bl_label = "Bake Wedge Here"

    timer = None

    @classmethod
    def poll(cls, context):
        return context.scene.name not in wedges.runs

    def execute(self, context):
        run = attempt(self, lambda: wedges.Run(context.scene))
        if run is None:
            return {"CANCELLED"}
        while run.advance():
            for bake, _ in run.at_work.values():
                bake.join(0.05)
        return self.tell(context, run)

    def invoke(self, context, _event):
        if bpy.app.background or context.window is None:
            return self.execute(context)
        self.run = attempt(self, lambda: wedges.Run(context.scene))
        if self.run is None:
            return {"CANCELLED"}
        self.timer = context.window_manager.event_timer_add(TICK, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC" and event.value == "PRESS":
            self.run.cancel()
            return self.leave(context)
        if event.type == "TIMER":
            if not self.run.advance():
                return self.leave(context)
            context.workspace.status_text_set(self.run.line() + "    Esc: stop")
            wedges.look(context.scene)
            redraw()
        return {"PASS_THROUGH"}

    def cancel(self, context):
        self.run.cancel()
        self.leave(context)

    def leave(self, context):
        context.window_manager.event_timer_remove(self.timer)
        if context.workspace:
            context.workspace.status_text_set(None)
        return self.tell(context, self.run)

    def tell(self, context, run):
        wedges.look(context.scene)
        attempt(self, lambda: tribo.wedge_sheet(run.folder))
        redraw()
        self.report({"WARNING"} if run.failed else {"INFO"}, run.line())
        return {"FINISHED"}


class TRIBO_OT_wedge_look(bpy.types.Operator):
    """Look how the scenes of the wedge stand, and make its contact sheet"""

    bl_idname = "tribo.wedge_look"
    bl_label = "Look Again"

    def execute(self, context):
        if not wedges.look(context.scene):
            self.report({"ERROR"}, "There is no wedge in the folder; press Make Wedge")
            return {"CANCELLED"}
        attempt(self, lambda: tribo.wedge_sheet(wedges.folder_of(context.scene)))
        redraw()
        return {"FINISHED"}


class TRIBO_OT_wedge_open_sheet(bpy.types.Operator):
    """Open the contact sheet in the browser"""

    bl_idname = "tribo.wedge_open_sheet"
    bl_label = "Open Contact Sheet"

    def execute(self, context):
        def sheet():
            folder = wedges.folder_of(context.scene)
            tribo.wedge_sheet(folder)
            return os.path.join(folder, "sheet.html")

        path = attempt(self, sheet)
        if path is None:
            return {"CANCELLED"}
        bpy.ops.wm.url_open(url="file://" + path)
        return {"FINISHED"}


class TRIBO_OT_wedge_take(Baker, bpy.types.Operator):
    """Set the values of this one, and play its bake. Replaces the bake that is there"""

    bl_idname = "tribo.wedge_take"
    bl_label = "Take This One"

    number: bpy.props.IntProperty()

    def make_job(self, context):
        return wedges.take(context.scene, context.view_layer, self.number)


class TRIBO_OT_wedge_export(bpy.types.Operator):
    """Write the wedge and the files of a farm's engine"""

    bl_idname = "tribo.wedge_export"
    bl_label = "Export Wedge for Farm"

    engine: bpy.props.StringProperty(default="slurm", description="slurm, openjd, flamenco, opencue or tops")
    tribo: bpy.props.StringProperty(name="Tribo", description="The program tribo on the farm's machines")

    def execute(self, context):
        settings = context.scene.tribo_wedge

        def export():
            wedges.make(context.scene, context.view_layer)
            folder = wedges.folder_of(context.scene)
            tribo.farm_write(folder, self.engine, tribo=self.tribo or None, pictures=settings.pictures)
            return folder

        folder = attempt(self, export)
        if folder is None:
            return {"CANCELLED"}
        about = next(row for row in tribo.farm_engines() if row["name"] == self.engine)
        self.report({"INFO"}, f"Wrote {folder}/farm/{about['file']}; {about['how']}")
        return {"FINISHED"}


CLASSES = (TRIBO_OT_wedge_add, TRIBO_OT_wedge_remove, TRIBO_OT_wedge_make, TRIBO_OT_wedge_run, TRIBO_OT_wedge_look,
           TRIBO_OT_wedge_open_sheet, TRIBO_OT_wedge_take, TRIBO_OT_wedge_export)


def register():
    for made in CLASSES:
        bpy.utils.register_class(made)


def unregister():
    wedges.stop_all()
    for made in reversed(CLASSES):
        bpy.utils.unregister_class(made)
