# SPDX-License-Identifier: GPL-3.0-or-later
"""Seeing friction in the 3D view: structure, grip, contacts, and the surface that is touched. All off
until it is asked for; the Comb tool shows the structure that it combs."""

import blf
import bpy
import gpu
from mathutils import Matrix

from . import overlay_data, overlay_draw, overlay_legend, paint

HANDLES = []


def _redraw(_self, context):
    for area in context.screen.areas if context.screen else ():
        if area.type == "VIEW_3D":
            area.tag_redraw()


def _switch(name, text):
    return bpy.props.BoolProperty(name=name, description=text, default=False, update=_redraw)


class TRIBO_PG_overlay(bpy.types.PropertyGroup):
    """What the overlay shows."""

    structure: _switch("Structure", "Short strokes along the structure of surfaces, coloured by axis")
    grip: _switch("Grip", "Where friction is more (red) or less (blue) than the coefficient")
    contacts: _switch("Contacts", "Where things touch: what sticks and what slips, and the friction there")
    crossings: _switch("Crossings", "Faces that an edge passes through, in red, also where they are covered")
    skin: _switch("Touched Surface", "The surface that others touch, with its holes")
    spacing: bpy.props.FloatProperty(
        name="Spacing", description="Between strokes; 0: by the size of the object", default=0, min=0,
        soft_max=1, subtype="DISTANCE", unit="LENGTH", update=_redraw)
    arrows: bpy.props.FloatProperty(
        name="Arrows", description="The length of the longest arrow; 0: none", default=0.2, min=0,
        soft_max=2, subtype="DISTANCE", unit="LENGTH", update=_redraw)
    opacity: bpy.props.FloatProperty(name="Opacity", default=0.85, min=0, max=1, subtype="FACTOR",
                                     update=_redraw)


def taking_part(context):
    """Objects that are seen and have something to show."""
    return [ob for ob in context.view_layer.objects
            if ob.visible_get() and (ob.tribo.kind != "NONE" or ob.tribo.structure_map)]


def shows_structure(context, ob):
    return ob.tribo.structure_map is not None and (
        context.scene.tribo_overlay.structure or (ob == context.object and paint.comb_is_chosen(context)))


def overlays_are_on(context):
    return context.space_data is None or context.space_data.overlay.show_overlays


def draw_in_view():
    context = bpy.context
    if not overlays_are_on(context):
        return
    overlay_draw.encodes = True
    try:
        draw_all(context, gpu.matrix.get_projection_matrix() @ gpu.matrix.get_model_view_matrix())
    finally:
        overlay_draw.encodes = False


def draw_all(context, view_projection):
    """Everything that is switched on, into what is bound."""
    settings, depsgraph = context.scene.tribo_overlay, context.evaluated_depsgraph_get()
    gpu.state.depth_test_set("LESS_EQUAL")
    gpu.state.blend_set("ALPHA")
    try:
        for ob in taking_part(context):
            if settings.skin:
                draw_skin(ob, depsgraph, view_projection, context.scene.unit_settings.scale_length)
            if settings.grip and ob.tribo.friction_map:
                draw_grip(ob, depsgraph, view_projection, settings.opacity)
            if shows_structure(context, ob):
                draw_structure(ob, depsgraph, view_projection, settings)
        if settings.contacts:
            draw_contacts(context.scene, view_projection, settings)
        if settings.crossings:
            draw_crossings(context, view_projection)
    finally:
        gpu.state.blend_set("NONE")
        gpu.state.depth_test_set("NONE")


def draw_structure(ob, depsgraph, view_projection, settings):
    found = overlay_data.guarded(
        "structure", ob.name, lambda: overlay_data.structure(ob, depsgraph, settings.spacing))
    if found and found[0]:
        overlay_draw.draw("marks", found[0], view_projection @ found[1], settings.opacity)


def draw_grip(ob, depsgraph, view_projection, opacity):
    found = overlay_data.guarded("grip", ob.name, lambda: overlay_data.grip(ob, depsgraph))
    if found:
        batch, moved, texture, uniforms = found
        overlay_draw.draw("grip", batch, view_projection @ moved, opacity, texture, **uniforms)


def draw_skin(ob, depsgraph, view_projection, unit):
    found = overlay_data.guarded("skin", ob.name, lambda: overlay_data.skin(ob, depsgraph, unit))
    overlay_data.messages.pop(("holes", ob.name), None)
    if not found:
        return
    batch, moved, (thin, holes) = found
    if thin or holes:
        overlay_data.messages["holes", ob.name] = (
            f"{ob.name}: the touched surface is thin at {thin} points and ends or has holes at {holes}. Where "
            "that is no rim, give the mesh more points, or set Collision > Contact to mesh")
    overlay_draw.draw("skin", batch, view_projection @ moved, 0.35)


def draw_contacts(scene, view_projection, settings):
    found = overlay_data.guarded("contacts", scene.name, lambda: overlay_data.contacts(scene))
    if not found or not found[3]:
        return
    points, arrows, largest, _, _ = found
    unit = scene.unit_settings.scale_length  # the core has metres
    view_projection = view_projection @ Matrix.Scale(1 / unit, 4)
    size = settings.arrows * unit / largest if largest > 0 else 0.0
    gpu.state.program_point_size_set(True)
    overlay_draw.draw("contacts", points, view_projection, 1.0)
    gpu.state.program_point_size_set(False)
    if size:
        overlay_draw.draw("contacts", arrows, view_projection, 1.0, metres_a_newton=size)


def draw_crossings(context, view_projection):
    scene = context.scene
    found = overlay_data.guarded("crossings", scene.name, lambda: overlay_data.pierced(scene, context.view_layer))
    if not found:
        return
    gpu.state.depth_test_set("NONE")
    unit = scene.unit_settings.scale_length  # the core has metres
    for made in found[0]:
        overlay_draw.draw("pierced", made, view_projection @ Matrix.Scale(1 / unit, 4), 1.0)
    gpu.state.depth_test_set("LESS_EQUAL")


def draw_text():
    context = bpy.context
    if not overlays_are_on(context):
        return
    lines = overlay_legend.lines(context, taking_part(context), shows_structure)
    scale = context.preferences.system.ui_scale
    x, y = 60 * scale, 40 * scale
    for colour, text in reversed(lines):
        if colour:
            overlay_legend.square(x, y, 11 * scale, colour)
        if bpy.app.version >= (4, 0, 0):
            blf.size(0, 12 * scale)
        else:
            blf.size(0, int(12 * scale), 72)
        blf.color(0, 1, 1, 1, 0.9)
        blf.position(0, x + (18 * scale if colour else 0), y, 0)
        blf.draw(0, text)
        y += 17 * scale


class OverlaySwitches:
    def draw(self, context):
        settings, layout = context.scene.tribo_overlay, self.layout
        column = layout.column()
        column.prop(settings, "structure")
        row = column.row()
        row.active = settings.structure
        row.prop(settings, "spacing")
        column.prop(settings, "grip")
        column.prop(settings, "contacts")
        row = column.row()
        row.active = settings.contacts
        row.prop(settings, "arrows")
        column.prop(settings, "crossings")
        column.prop(settings, "skin")
        column.prop(settings, "opacity", slider=True)


class TRIBO_PT_overlay(OverlaySwitches, bpy.types.Panel):
    bl_label = "See"
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "Tribo"


class TRIBO_PT_overlay_popover(OverlaySwitches, bpy.types.Panel):
    bl_label = "Tribo"
    bl_parent_id = "VIEW3D_PT_overlay"
    bl_space_type, bl_region_type = "VIEW_3D", "HEADER"


CLASSES = (TRIBO_PG_overlay, TRIBO_PT_overlay, TRIBO_PT_overlay_popover)


@bpy.app.handlers.persistent
def forget(*_):
    overlay_data.forget()


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Scene.tribo_overlay = bpy.props.PointerProperty(type=TRIBO_PG_overlay)
    bpy.app.handlers.load_pre.append(forget)
    add = bpy.types.SpaceView3D.draw_handler_add
    HANDLES.append(add(draw_in_view, (), "WINDOW", "POST_VIEW"))
    HANDLES.append(add(draw_text, (), "WINDOW", "POST_PIXEL"))


def unregister():
    while HANDLES:
        bpy.types.SpaceView3D.draw_handler_remove(HANDLES.pop(), "WINDOW")
    if forget in bpy.app.handlers.load_pre:
        bpy.app.handlers.load_pre.remove(forget)
    forget()
    overlay_draw.forget()
    del bpy.types.Scene.tribo_overlay
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
