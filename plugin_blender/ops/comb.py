# SPDX-License-Identifier: GPL-3.0-or-later
"""Strokes of the comb: drawn with the mouse, or given by a script."""

from array import array

import bpy
from bpy_extras import view3d_utils

from ..bridge.errors import Refusal
from ..library import tribo
from ..logic import strokes, wording
from . import comb_canvas

MODES = [
    ("comb", "Comb", "The structure turns into the direction of the stroke"),
    ("smooth", "Smooth", "The structure turns into the mean of what is around"),
    ("erase", "Erase", "The surface becomes the same in all directions"),
]
SPACING = 0.2  # of the radius, between the points of a stroke


class TRIBO_PG_comb(bpy.types.PropertyGroup):
    """The brush."""

    radius: bpy.props.FloatProperty(
        name="Radius", description="How far the brush reaches over the surface", default=0.1, min=1e-4,
        max=1000, soft_max=1, subtype="DISTANCE", unit="LENGTH")
    strength: bpy.props.FloatProperty(
        name="Strength", description="How far a stroke turns what is there", default=1, min=0, max=1,
        subtype="FACTOR")
    mode: bpy.props.EnumProperty(name="Mode", items=MODES)
    mirror: bpy.props.EnumProperty(
        name="Mirror", description="Stroke the other side too, in the object's own axes",
        options={"ENUM_FLAG"}, items=[(axis, axis, f"Across the object's {axis}") for axis in "XYZ"])


class TRIBO_PG_point(bpy.types.PropertyGroup):
    """A point of a stroke, in the world."""

    location: bpy.props.FloatVectorProperty(subtype="XYZ")


def mirror_letters(flags):
    return "".join(sorted(flags))


def as_numbers(points):
    return array("d", (x for point in points for x in point))


def fill_in(operator, context):
    """What the caller did not say is as the brush has it."""
    brush = context.scene.tribo_comb
    for name in ("radius", "strength", "mode", "mirror"):
        if not operator.properties.is_property_set(name):
            setattr(operator, name, getattr(brush, name))


def refused(operator, failure):
    operator.report({"ERROR"}, wording.artist(str(failure)))
    return {"CANCELLED"}


def mouse_ray(context, event):
    """(origin, direction) of the ray under the mouse, in the world."""
    region, view = context.region, context.region_data
    at = event.mouse_region_x, event.mouse_region_y
    origin = view3d_utils.region_2d_to_origin_3d(region, view, at)
    return tuple(origin), tuple(view3d_utils.region_2d_to_vector_3d(region, view, at))


class TRIBO_OT_comb_stroke(bpy.types.Operator):
    """Comb the structure of the surface along a stroke"""

    bl_idname = "tribo.comb_stroke"
    bl_label = "Comb"
    bl_options = {"UNDO"}

    points: bpy.props.CollectionProperty(type=TRIBO_PG_point, options={"SKIP_SAVE"})
    radius: bpy.props.FloatProperty(name="Radius", default=0.1, min=1e-6, unit="LENGTH",
                                    options={"SKIP_SAVE"})
    strength: bpy.props.FloatProperty(name="Strength", default=1, min=0, max=1, options={"SKIP_SAVE"})
    mode: bpy.props.EnumProperty(name="Mode", items=MODES, options={"SKIP_SAVE"})
    mirror: bpy.props.EnumProperty(name="Mirror", items=[(axis, axis, "") for axis in "XYZ"],
                                   options={"ENUM_FLAG", "SKIP_SAVE"})

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.mode in ("OBJECT", "PAINT_TEXTURE")

    def begin(self, context):
        fill_in(self, context)
        self.canvas, self.comb = comb_canvas.of_object(
            context.object, context.evaluated_depsgraph_get())
        self.canvas.read(context.object.tribo.structure_map)
        self.comb.begin(self.mode, self.radius, self.strength, mirror_letters(self.mirror))

    def execute(self, context):
        try:
            self.begin(context)
            self.comb.extend(as_numbers(point.location for point in self.points), self.canvas.pixels)
            return self.finish(context)
        except (Refusal, tribo.Error) as failure:
            return refused(self, failure)

    def finish(self, context):
        record = self.comb.end()
        if not record:
            self.report({"WARNING"}, "The stroke touched nothing: it is off the surface, or a single point")
            return {"CANCELLED"}
        self.canvas.commit(context.object.tribo.structure_map, record)
        redraw(context)
        return {"FINISHED"}

    # ---- with the mouse ----

    def invoke(self, context, event):
        if context.region_data is None:
            return self.execute(context)
        try:
            self.begin(context)
        except (Refusal, tribo.Error) as failure:
            return refused(self, failure)
        if self.comb.pick(*mouse_ray(context, event)) is None:
            return {"PASS_THROUGH"}
        self.path = strokes.Path(SPACING * self.radius)
        self.drag(context, event)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def drag(self, context, event):
        met = self.comb.pick(*mouse_ray(context, event))
        if met and self.path.take(met[1]):
            self.points.add().location = met[1]
            self.comb.extend(array("d", met[1]), self.canvas.pixels)
            self.canvas.version += 1
            redraw(context)

    def modal(self, context, event):
        try:
            if event.type in ("MOUSEMOVE", "INBETWEEN_MOUSEMOVE"):
                self.drag(context, event)
            elif event.type in ("ESC", "RIGHTMOUSE"):
                return self.give_up(context)
            elif event.type == "LEFTMOUSE" and event.value == "RELEASE":
                return self.finish(context)
        except (Refusal, tribo.Error) as failure:
            self.give_up(context)
            return refused(self, failure)
        return {"RUNNING_MODAL"}

    def give_up(self, context):
        """The image still is what it was; the shadow becomes so again."""
        self.canvas.swap(self.comb.end())
        self.canvas.version += 1
        redraw(context)
        return {"CANCELLED"}

    def cancel(self, context):
        self.give_up(context)


def redraw(context):
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type in ("VIEW_3D", "IMAGE_EDITOR"):
                area.tag_redraw()


class TRIBO_OT_comb_fill(bpy.types.Operator):
    """Give the whole surface one structure: along an axis, along the UVs, or none"""

    bl_idname = "tribo.comb_fill"
    bl_label = "Fill Structure"
    bl_options = {"REGISTER", "UNDO"}

    along: bpy.props.EnumProperty(
        name="Along", items=[
            ("X", "Object X", ""), ("Y", "Object Y", ""), ("Z", "Object Z", ""),
            ("U", "U (warp)", "To the right in the UVs, as warp threads lie"),
            ("V", "V (weft)", "Up in the UVs"), ("NONE", "None", "The same in all directions")])
    strength: bpy.props.FloatProperty(name="Strength", default=1, min=0, max=1, subtype="FACTOR")

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.tribo.structure_map is not None

    def execute(self, context):
        ob = context.object
        try:
            canvas, comb = comb_canvas.of_object(ob, context.evaluated_depsgraph_get())
            canvas.read(ob.tribo.structure_map)
            self.fill(ob, comb, canvas.pixels)
            canvas.commit(ob.tribo.structure_map, comb.end())
        except (Refusal, tribo.Error) as failure:
            return refused(self, failure)
        redraw(context)
        return {"FINISHED"}

    def fill(self, ob, comb, pixels):
        if self.along in "XYZ":
            column = "XYZ".index(self.along)
            axis = tuple(row[column] for row in ob.matrix_world.to_3x3())
            comb.fill(pixels, axis=axis, strength=self.strength)
        elif self.along == "NONE":
            comb.fill(pixels)
        else:
            comb.fill(pixels, angle=0.0 if self.along == "U" else 1.5707963267948966,
                      strength=self.strength)


class CombStep:
    """One stroke back or forth, where Blender's own undo does not do it: in Texture Paint."""

    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, context):
        image = context.object.tribo.structure_map if context.object else None
        return image is not None and comb_canvas.find(image) is not None

    def execute(self, context):
        image = context.object.tribo.structure_map
        canvas = comb_canvas.find(image)
        before = canvas.history.position
        canvas.go_to(image, before + self.step)
        redraw(context)
        if canvas.history.position == before:
            self.report({"INFO"}, f"There is no stroke to {self.bl_label.split()[0].lower()}")
            return {"CANCELLED"}
        return {"FINISHED"}


class TRIBO_OT_comb_undo(CombStep, bpy.types.Operator):
    """Undo the last stroke on the structure map"""

    bl_idname = "tribo.comb_undo"
    bl_label = "Undo Stroke"
    step = -1


class TRIBO_OT_comb_redo(CombStep, bpy.types.Operator):
    """Redo the stroke that was undone"""

    bl_idname = "tribo.comb_redo"
    bl_label = "Redo Stroke"
    step = 1


class TRIBO_OT_comb_adjust(bpy.types.Operator):
    """Drag to change the brush"""

    bl_idname = "tribo.comb_adjust"
    bl_label = "Adjust Comb"
    bl_options = {"BLOCKING", "GRAB_CURSOR", "INTERNAL"}

    what: bpy.props.EnumProperty(items=[("radius", "Radius", ""), ("strength", "Strength", "")])

    def invoke(self, context, event):
        self.start, self.before = event.mouse_x, getattr(context.scene.tribo_comb, self.what)
        context.window_manager.modal_handler_add(self)
        self.tell(context)
        return {"RUNNING_MODAL"}

    def tell(self, context):
        value = getattr(context.scene.tribo_comb, self.what)
        context.workspace.status_text_set(f"Comb {self.what}: {value:.4g}   drag, click to confirm, Esc")
        redraw(context)

    def modal(self, context, event):
        brush = context.scene.tribo_comb
        if event.type == "MOUSEMOVE":
            moved = event.mouse_x - self.start
            if self.what == "radius":
                brush.radius = self.before * 2 ** (moved / 150)
            else:
                brush.strength = self.before + moved / 300
            self.tell(context)
        elif event.type in ("LEFTMOUSE", "RET"):
            context.workspace.status_text_set(None)
            return {"FINISHED"}
        elif event.type in ("ESC", "RIGHTMOUSE"):
            setattr(brush, self.what, self.before)
            context.workspace.status_text_set(None)
            redraw(context)
            return {"CANCELLED"}
        return {"RUNNING_MODAL"}


CLASSES = (TRIBO_PG_comb, TRIBO_PG_point, TRIBO_OT_comb_stroke, TRIBO_OT_comb_fill, TRIBO_OT_comb_undo,
           TRIBO_OT_comb_redo, TRIBO_OT_comb_adjust)


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Scene.tribo_comb = bpy.props.PointerProperty(type=TRIBO_PG_comb)


def unregister():
    del bpy.types.Scene.tribo_comb
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
