# SPDX-License-Identifier: GPL-3.0-or-later
"""The Comb tool, and the panels of what is painted."""

import math

import bpy
import gpu
from bpy_extras import view3d_utils
from gpu_extras.batch import batch_for_shader

from ..bridge.errors import Refusal
from ..library import tribo
from ..ops import comb_canvas

STROKE = "tribo.comb_stroke"
LEFT = {"type": "LEFTMOUSE", "value": "PRESS"}

KEYS = (
    (STROKE, dict(LEFT), None),
    (STROKE, dict(LEFT, shift=True), {"properties": [("mode", "smooth")]}),
    (STROKE, dict(LEFT, ctrl=True), {"properties": [("mode", "erase")]}),
    ("tribo.comb_adjust", {"type": "F", "value": "PRESS"}, {"properties": [("what", "radius")]}),
    ("tribo.comb_adjust", {"type": "F", "value": "PRESS", "shift": True},
     {"properties": [("what", "strength")]}),
)
# In Texture Paint, Blender's undo keeps to its own strokes.
PAINT_KEYS = KEYS + (
    ("tribo.comb_undo", {"type": "Z", "value": "PRESS", "ctrl": True}, None),
    ("tribo.comb_redo", {"type": "Z", "value": "PRESS", "ctrl": True, "shift": True}, None),
)


class CombTool:
    bl_space_type = "VIEW_3D"
    bl_label = "Comb"
    bl_description = ("Comb the structure of the surface: friction differs along and across it\n"
                      "Shift: smooth, Ctrl: erase, F: radius, Shift F: strength")
    bl_icon = "brush.particle.comb"

    def draw_settings(context, layout, _tool):
        brush = context.scene.tribo_comb
        layout.prop(brush, "mode", text="")
        layout.prop(brush, "radius")
        layout.prop(brush, "strength", slider=True)
        row = layout.row(align=True)
        row.label(text="Mirror")
        row.prop(brush, "mirror")
        if context.object and context.object.tribo.structure_map is None:
            layout.operator("tribo.new_structure_map", icon="ADD")

    def draw_cursor(context, _tool, xy):
        if hasattr(bpy.types.Scene, "tribo_comb"):  # Blender keeps this when the add-on is switched off
            draw_brush(context, xy)


class TRIBO_TL_comb(CombTool, bpy.types.WorkSpaceTool):
    bl_context_mode = "OBJECT"
    bl_idname = "tribo.comb_tool"
    bl_keymap = KEYS


class TRIBO_TL_comb_paint(CombTool, bpy.types.WorkSpaceTool):
    bl_context_mode = "PAINT_TEXTURE"
    bl_idname = "tribo.comb_paint_tool"
    bl_keymap = PAINT_KEYS


def comb_is_chosen(context):
    """Whether the Comb tool is what the mouse has."""
    if context.mode not in ("OBJECT", "PAINT_TEXTURE") or context.workspace is None:
        return False
    tool = context.workspace.tools.from_space_view3d_mode(context.mode, create=False)
    return tool is not None and tool.idname in (TRIBO_TL_comb.bl_idname, TRIBO_TL_comb_paint.bl_idname)


def draw_brush(context, xy):
    """A circle around the mouse as large as the brush is there."""
    region, view = context.region, context.region_data
    if region is None or view is None or context.object is None:
        return
    at = xy[0] - region.x, xy[1] - region.y
    radius = 8.0
    try:
        _, comb = comb_canvas.of_object(context.object, context.evaluated_depsgraph_get())
        met = comb.pick(tuple(view3d_utils.region_2d_to_origin_3d(region, view, at)),
                        tuple(view3d_utils.region_2d_to_vector_3d(region, view, at)))
    except (Refusal, tribo.Error):
        return
    if met:
        radius = context.scene.tribo_comb.radius * pixels_a_metre(region, view, met[1])
    points = [(xy[0] + radius * math.cos(a), xy[1] + radius * math.sin(a))
              for a in (2 * math.pi * k / 64 for k in range(65))]
    shader = gpu.shader.from_builtin("UNIFORM_COLOR" if bpy.app.version >= (4, 0, 0) else "2D_UNIFORM_COLOR")
    batch = batch_for_shader(shader, "LINE_STRIP", {"pos": points})
    gpu.state.blend_set("ALPHA")
    shader.uniform_float("color", (1, 1, 1, 0.9 if met else 0.3))
    batch.draw(shader)
    gpu.state.blend_set("NONE")


def pixels_a_metre(region, view, point):
    """How large a metre at a point is on the screen."""
    right = view.view_matrix.inverted().col[0].xyz
    a = view3d_utils.location_3d_to_region_2d(region, view, point)
    step = 0.01 * max(view.view_distance, 1e-6)
    b = view3d_utils.location_3d_to_region_2d(region, view, [p + step * r for p, r in zip(point, right)])
    return (a - b).length / step if a and b else 0.0


class PaintPanel:
    bl_label = "Painting"

    def draw(self, context):
        ob, layout = context.object, self.layout
        column = layout.column(align=True)
        row = column.row(align=True)
        row.operator("tribo.new_structure_map", icon="ADD")
        row.operator("tribo.import_map", text="", icon="FILEBROWSER").to = "STRUCTURE"
        if ob.tribo.structure_map:
            column.operator_menu_enum("tribo.comb_fill", "along", icon="BRUSH_DATA")
            column.operator("tribo.brushed_look", icon="MATERIAL")
        row = column.row(align=True)
        row.operator("tribo.new_grip_map", icon="ADD")
        row.operator("tribo.import_map", text="", icon="FILEBROWSER").to = "GRIP"
        if ob.tribo.structure_map and not comb_is_chosen(context):
            layout.label(text="Choose the Comb tool in the toolbar to stroke", icon="INFO")


class TRIBO_PT_painting(PaintPanel, bpy.types.Panel):
    bl_parent_id = "TRIBO_PT_friction"
    bl_options = {"DEFAULT_CLOSED"}
    bl_space_type, bl_region_type, bl_context = "PROPERTIES", "WINDOW", "physics"

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "MESH"


class TRIBO_PT_painting_sidebar(PaintPanel, bpy.types.Panel):
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "Tribo"

    @classmethod
    def poll(cls, context):
        ob = context.object
        return ob is not None and ob.type == "MESH" and ob.tribo.kind != "NONE"


CLASSES = (TRIBO_PT_painting, TRIBO_PT_painting_sidebar)
TOOLS = (TRIBO_TL_comb, TRIBO_TL_comb_paint)


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    if not bpy.app.background:  # at its start, without a window, Blender has no key maps to put them in
        for tool in TOOLS:
            bpy.utils.register_tool(tool, separator=True)


def put_down():
    """No window keeps a tool that is gone. While Blender starts up there is no window yet to ask."""
    if not hasattr(bpy.context, "temp_override"):
        return
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            region = next((r for r in area.regions if r.type == "WINDOW"), None)
            if area.type != "VIEW_3D" or region is None:
                continue
            with bpy.context.temp_override(window=window, area=area, region=region):
                if comb_is_chosen(bpy.context):
                    brush = "builtin.brush" if bpy.app.version >= (4, 3, 0) else "builtin_brush.Draw"
                    bpy.ops.wm.tool_set_by_id(
                        name="builtin.select_box" if bpy.context.mode == "OBJECT" else brush)


def unregister():
    if not bpy.app.background:
        put_down()
        for tool in reversed(TOOLS):
            bpy.utils.unregister_tool(tool)
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
