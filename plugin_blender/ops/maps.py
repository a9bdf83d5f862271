# SPDX-License-Identifier: GPL-3.0-or-later
"""New maps to paint on, and pictures from elsewhere."""

import os
from array import array

import bpy
from bpy_extras.io_utils import ImportHelper

from ..bridge.errors import Refusal
from . import comb_canvas

SIZES = [(str(size), f"{size} x {size}", "") for size in (256, 512, 1024, 2048, 4096)]
PLACES = [("PACK", "In the File", "Packed into the .blend"),
          ("FILE", "Beside the File", "Saved as an EXR image beside the .blend")]
SLOTS = {"STRUCTURE": "structure_map", "GRIP": "friction_map"}


def check_object(ob):
    if ob.type != "MESH":
        raise Refusal(f"{ob.name} is a {ob.type.lower()}: convert it to a mesh to paint on it")
    if ob.library or ob.data.library:
        raise Refusal(f"{ob.name} is linked: make it local, or paint in its own file")
    if not ob.data.polygons:
        raise Refusal(f"{ob.name} has no faces to paint on")


def unwrap(context, ob, margin):
    """UVs where there are none; True when they were made."""
    if ob.data.uv_layers:
        return False
    mode = ob.mode
    selected = [other for other in context.view_layer.objects if other.select_get()]
    for other in selected:
        other.select_set(False)
    ob.select_set(True)
    context.view_layer.objects.active = ob
    ob.data.uv_layers.new(name="UVMap")
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.reveal()
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.uv.smart_project(angle_limit=1.15, island_margin=margin)
    bpy.ops.object.mode_set(mode=mode)
    for other in selected:
        other.select_set(True)
    return True


def new_image(name, size, colour):
    """Floats without colour management, all pixels alike."""
    image = bpy.data.images.new(name, size, size, alpha=True, float_buffer=True, is_data=True)
    image.generated_color = colour
    image.pixels.foreach_set(array("f", colour) * (size * size))
    image.update()
    return image


def keep(image, place):
    """Into the .blend, or beside it. What has no place on disk yet is packed."""
    if place == "PACK" or not bpy.data.filepath:
        image.pack()
        return
    name = bpy.path.clean_name(image.name) + ".exr"
    if os.path.exists(bpy.path.abspath("//" + name)):
        raise Refusal(f"{name} is already beside the file: rename the image or that file")
    image.file_format = "OPEN_EXR"
    image.filepath_raw = "//" + name
    image.save()
    image.tribo_own_file = True


class NewMap:
    bl_options = {"REGISTER", "UNDO"}

    size: bpy.props.EnumProperty(name="Size", items=SIZES, default="2048")
    place: bpy.props.EnumProperty(name="Keep", items=PLACES)

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.mode in ("OBJECT", "PAINT_TEXTURE")

    def invoke(self, context, _event):
        return context.window_manager.invoke_props_dialog(self)

    def execute(self, context):
        ob = context.object
        try:
            check_object(ob)
            made = unwrap(context, ob, 2 * 8 / int(self.size))
            image = new_image(f"{ob.name} {self.what}", int(self.size), self.colour)
            keep(image, self.place)
        except Refusal as failure:
            self.report({"ERROR"}, str(failure))
            return {"CANCELLED"}
        setattr(ob.tribo, self.slot, image)
        if made:
            self.report({"INFO"}, f"{ob.name} had no UVs: it was unwrapped by Smart UV Project")
        return self.hand_over(context, image)


class TRIBO_OT_new_structure_map(NewMap, bpy.types.Operator):
    """A new image for the structure of this surface, to be combed"""

    bl_idname = "tribo.new_structure_map"
    bl_label = "New Structure Map"
    what, slot, colour = "structure", "structure_map", (0.5, 0.5, 0.0, 1.0)

    def hand_over(self, context, image):
        comb_canvas.of_image(image)
        return {"FINISHED"}


class TRIBO_OT_new_grip_map(NewMap, bpy.types.Operator):
    """A new image that multiplies friction, to be painted with Blender's own brushes: white is \
friction as it is, black is ice"""

    bl_idname = "tribo.new_grip_map"
    bl_label = "New Grip Map"
    what, slot, colour = "grip", "friction_map", (1.0, 1.0, 1.0, 1.0)

    paint: bpy.props.BoolProperty(name="Paint Now", default=True,
                                  description="Go to Texture Paint with this image")

    def hand_over(self, context, image):
        context.scene.tribo_overlay.grip = True
        if self.paint:
            paint_on(context, image)
        return {"FINISHED"}


def paint_on(context, image):
    """Texture Paint, with this image and no material needed."""
    settings = context.tool_settings.image_paint
    settings.mode = "IMAGE"
    settings.canvas = image
    bpy.ops.object.mode_set(mode="TEXTURE_PAINT")


class TRIBO_OT_import_map(bpy.types.Operator, ImportHelper):
    """Use an image file as a map. Its numbers are taken as they are, without colour management"""

    bl_idname = "tribo.import_map"
    bl_label = "Import Map"
    bl_options = {"REGISTER", "UNDO"}

    filter_image: bpy.props.BoolProperty(default=True, options={"HIDDEN"})
    filter_folder: bpy.props.BoolProperty(default=True, options={"HIDDEN"})
    to: bpy.props.EnumProperty(name="As", items=[("STRUCTURE", "Structure Map", ""),
                                                 ("GRIP", "Grip Map", "")])

    @classmethod
    def poll(cls, context):
        return context.object is not None

    def execute(self, context):
        try:
            image = bpy.data.images.load(self.filepath, check_existing=True)
        except RuntimeError as failure:
            self.report({"ERROR"}, str(failure).strip())
            return {"CANCELLED"}
        image.colorspace_settings.name = "Non-Color"
        image.alpha_mode = "CHANNEL_PACKED"
        if image.size[0] == 0:
            bpy.data.images.remove(image)
            self.report({"ERROR"}, f"{self.filepath} is no image that Blender can read")
            return {"CANCELLED"}
        setattr(context.object.tribo, SLOTS[self.to], image)
        return {"FINISHED"}


CLASSES = (TRIBO_OT_new_structure_map, TRIBO_OT_new_grip_map, TRIBO_OT_import_map)

register, unregister = bpy.utils.register_classes_factory(CLASSES)
