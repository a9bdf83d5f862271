# SPDX-License-Identifier: GPL-3.0-or-later
"""The panels of the Physics tab: what it is, what it is made of, what holds it, how it rubs, what
others touch; then the scene: quality, cache, and last what is rarely needed."""

import textwrap

import bpy

from .. import jobs, live, stale
from ..bridge import caches, frames, playback, stack, subjects
from ..library import tribo
from ..logic import kinds, table
from ..logic.places import MAIN
from ..props import groups, objects
from . import quality

# Parameters that have a place of their own, or that Blender's own settings replace.
PLACED = {
    "world": {"method", "quality", "gravity"}, "time": {"start", "end", "fps", "substeps"},
    "surface": {"mu", "contact", "thickness"},
}


class TriboPanel:
    bl_space_type, bl_region_type, bl_context = "PROPERTIES", "WINDOW", "physics"
    bl_order = 1  # above them is what there is to say: ui/findings.py, ui/verdict.py
    takes = staticmethod(lambda kind: kind in kinds.names())

    @classmethod
    def poll(cls, context):
        return context.object is not None and cls.takes(context.object.tribo.kind)


class ClosedPanel(TriboPanel):
    """Within Tribo's, and closed at first."""

    bl_parent_id = "TRIBO_PT_tribo"
    bl_options = {"DEFAULT_CLOSED"}


def _width():
    """Of the panel in characters, about."""
    region = bpy.context.region
    scale = bpy.context.preferences.system.ui_scale
    return max(20, int((region.width / scale - 80) / 6.6)) if region else 40


def wrapped(layout, text, icon="NONE"):
    """Text over as many lines as it needs."""
    column = layout.column(align=True)
    column.scale_y = 0.8
    for i, line in enumerate(textwrap.wrap(text, _width())):
        column.label(text=line, icon=icon if i == 0 else "BLANK1" if icon != "NONE" else "NONE")


def columns(layout):
    layout.use_property_split = True
    layout.use_property_decorate = False
    return layout.column()


def draw_parameters(layout, owner, group, names):
    """Parameters of a group; their units where there is room."""
    rows = {row["name"]: row for row in groups.rows_by_group()[group]}
    for name in names:
        text = table.label(rows[name], with_unit=_width() > 45)
        layout.prop(getattr(owner, group), table.attribute(name), text=text)


def draw_group(layout, owner, group, leave_out=()):
    """Every parameter of a group that has no place elsewhere."""
    names = [row["name"] for row in groups.rows_by_group()[group]]
    placed = PLACED.get(group, ())
    draw_parameters(layout, owner, group, [n for n in names if n not in leave_out and n not in placed])


def draw_weights(column, ob, name):
    """A vertex group that multiplies something, and by what. Words short enough for a narrow editor."""
    column.prop_search(ob.tribo, name + "_group", ob, "vertex_groups", text="Weights")
    if getattr(ob.tribo, name + "_group"):
        column.prop(ob.tribo, name + "_low", text="At 0")
        column.prop(ob.tribo, name + "_high", text="At 1")


def draw_add(self, context):
    """The button in Blender's own list of physics."""
    if context.object is None:
        return
    column = self.layout.column(align=True)
    if context.object.tribo.kind == "NONE":
        row = column.row(align=True)
        row.operator_menu_enum("tribo.add", "kind", text="Tribo", icon="MOD_CLOTH")
        row.menu("TRIBO_MT_examples", text="", icon="QUESTION")
    else:
        column.operator("tribo.remove", text="Tribo", icon="X")


class TRIBO_PT_tribo(TriboPanel, bpy.types.Panel):
    bl_label = "Tribo"
    bl_order = 0

    def draw(self, context):
        settings = context.object.tribo
        column = columns(self.layout)
        column.prop(settings, "kind")
        column.prop(settings, "preset")
        if settings.kind != "NONE":
            quality.draw_menu(column, context.scene.tribo)
        note = objects.preset_note(settings)
        if note:
            wrapped(column, note, "INFO")
        if subjects.is_simulated(context.object) and not stack.find(context.object):
            column.label(text="The Tribo modifier is missing", icon="ERROR")
            column.operator("tribo.place_modifier")
        if len(context.selected_objects) > 1:
            column.operator("tribo.copy_to_selected", icon="COPYDOWN")


class TRIBO_PT_material(TriboPanel, bpy.types.Panel):
    bl_label = "Material"
    bl_parent_id = "TRIBO_PT_tribo"
    takes = staticmethod(kinds.is_simulated)

    def draw(self, context):
        ob = context.object
        column = columns(self.layout)
        group, names = MAIN[ob.tribo.kind]
        draw_parameters(column, ob.tribo, group, names)
        if kinds.deforms(ob.tribo.kind) and ob.type == "MESH":
            draw_weights(column, ob, "stiffness")


class TRIBO_PT_pinning(TriboPanel, bpy.types.Panel):
    bl_label = "Pinning"
    bl_parent_id = "TRIBO_PT_tribo"
    takes = staticmethod(kinds.takes_pins)

    def draw(self, context):
        ob = context.object
        column = columns(self.layout)
        column.prop_search(ob.tribo, "pin_group", ob, "vertex_groups", text="Weights")
        row = column.row()
        row.active = bool(ob.tribo.pin_group)
        draw_parameters(row, ob.tribo, "pin", ["stiffness"])


class TRIBO_PT_friction(TriboPanel, bpy.types.Panel):
    bl_label = "Friction"
    bl_parent_id = "TRIBO_PT_tribo"

    def draw(self, context):
        ob = context.object
        column = columns(self.layout)
        draw_parameters(column, ob.tribo, "surface", ["mu"])
        if ob.tribo.surface.mu < 0:
            column.label(text=f"The scene's default: {context.scene.tribo.friction.mu:.3g}", icon="INFO")
        if ob.type == "MESH":
            draw_weights(column, ob, "friction")
        column.template_ID(ob.tribo, "structure_map", text="Structure", open="image.open")
        column.template_ID(ob.tribo, "friction_map", text="Grip", open="image.open")


class TRIBO_PT_surface(ClosedPanel, bpy.types.Panel):
    bl_label = "Collision"

    def draw(self, context):
        column = columns(self.layout)
        draw_parameters(column, context.object.tribo, "surface", ["contact", "thickness"])


class TRIBO_PT_quality(ClosedPanel, bpy.types.Panel):
    bl_label = "Scene Quality"

    def draw(self, context):
        settings = context.scene.tribo
        column = columns(self.layout)
        quality.draw_numbers(column, settings)
        column.prop(settings, "samples", text="Samples")
        column.prop(settings, "use_scene_range", text="Scene Range")
        if not settings.use_scene_range:
            column.prop(settings.time, "start")
            column.prop(settings.time, "end")


def draw_strangers(layout, scene):
    """What plays in this scene and was baked in another file."""
    found = playback.strangers(scene)
    if found:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        wrapped(layout, f"{found[0].name}{more}: plays the cache of another file. Bake makes one for this "
                "file; without it, Live can simulate here", "INFO")
        layout.operator("tribo.free", text="Play without Its Cache", icon="X")


class TRIBO_PT_cache(TriboPanel, bpy.types.Panel):
    bl_label = "Cache and Bake"
    bl_parent_id = "TRIBO_PT_tribo"

    def draw(self, context):
        job = jobs.running.get(context.scene.name)
        if job:
            self.draw_running(job)
        else:
            self.draw_buttons(context)
            self.draw_state(context)

    def draw_running(self, job):
        column = self.layout.column()
        wrapped(column, job.line(), "TIME")
        if hasattr(column, "progress"):  # from 4.0 on
            column.progress(factor=job.fraction(), text=f"{100 * job.fraction():.0f}%")
        column.operator("tribo.stop", icon="CANCEL", text="Stop (Esc)")

    def draw_buttons(self, context):
        scene = context.scene
        status = caches.status(scene)
        column = self.layout.column(align=True)
        column.scale_y = 1.2
        if status in ("interrupted", "cancelled", "failed"):
            column.operator("tribo.resume", icon="PLAY")
        elif caches.is_short(scene) and caches.is_at_home(scene):
            column.operator("tribo.resume", icon="PLAY", text=f"Go On to Frame {frames.of_scene(scene).end}")
        column.operator("tribo.bake", icon="REC", text="Bake Again" if status else "Bake")
        if status and scene.frame_current > frames.of_scene(scene).start:
            column.operator("tribo.bake_from_here", icon="FRAME_NEXT")
        if status:
            column.operator("tribo.free", icon="TRASH")
        column.operator("tribo.export_farm", icon="EXPORT")

    def draw_state(self, context):
        scene, layout = context.scene, self.layout
        folder, last = caches.playing(scene), jobs.last.get(scene.name, "")
        reason = last.partition("failed: ")[2]
        repeated = folder and (last.startswith("Tribo: baked") or reason and reason in caches.sentence(scene))
        if last and not repeated:
            wrapped(layout, last, "INFO")
        if folder:
            wrapped(layout, caches.sentence(scene), "FILE_FOLDER")
            if caches.is_short(scene):
                wrapped(layout, f"The scene goes on to frame {frames.of_scene(scene).end}: there the last frame of the "
                        "bake stands", "ERROR")
            if not caches.is_at_home(scene) and bpy.data.filepath:
                wrapped(layout, "This cache belongs to another file or scene", "ERROR")
                row = layout.row(align=True)
                row.operator("tribo.cache_here", text="Copy Here").mode = "COPY"
                row.operator("tribo.cache_here", text="Move Here").mode = "MOVE"
            for line in stale.found.get(scene.name, ())[:6]:
                wrapped(layout, "Out of date: " + line, "ERROR")
        else:
            columns(layout).prop(scene.tribo, "live")
            draw_strangers(layout, scene)
            span = live.frames_of(scene)
            if span:
                layout.label(text=f"In memory: frames {span[0]} to {span[1]}", icon="MEMORY")
            if scene.name in live.messages:
                wrapped(layout, live.messages[scene.name], "ERROR")
            elif live.hint(scene):
                wrapped(layout, live.hint(scene), "PLAY")


class TRIBO_PT_scene_friction(ClosedPanel, bpy.types.Panel):
    bl_label = "Friction Pairs"

    def draw(self, context):
        scene = context.scene
        column = columns(self.layout)
        column.prop(scene.tribo.friction, "mu", text="Scene Default")
        column.prop(scene.tribo.combine, "combine")
        row = self.layout.row()
        row.template_list("TRIBO_UL_pairs", "", scene.tribo, "pairs", scene.tribo, "active_pair", rows=3)
        buttons = row.column(align=True)
        buttons.operator("tribo.pair_add", text="", icon="ADD").a = context.object.name
        buttons.operator("tribo.pair_remove", text="", icon="REMOVE")
        if 0 <= scene.tribo.active_pair < len(scene.tribo.pairs):
            pair = scene.tribo.pairs[scene.tribo.active_pair]
            column = columns(self.layout)
            column.prop_search(pair, "a", scene, "objects")
            column.prop_search(pair, "b", scene, "objects")
            draw_group(column, pair, "friction")


class TRIBO_UL_pairs(bpy.types.UIList):
    def draw_item(self, _context, layout, _data, item, _icon, _active, _active_name):
        layout.label(text=f"{item.a or '?'} on {item.b or '?'}")
        layout.prop(item.friction, "mu", text="", emboss=False)


class TRIBO_PT_advanced(ClosedPanel, bpy.types.Panel):
    bl_label = "Advanced"

    def draw(self, context):
        pass


class TRIBO_PT_advanced_object(ClosedPanel, bpy.types.Panel):
    bl_label = "Object"
    bl_parent_id = "TRIBO_PT_advanced"

    def draw(self, context):
        settings = context.object.tribo
        column = columns(self.layout)
        column.prop(settings, "material")
        group, shown = MAIN.get(settings.kind, (None, ()))
        if group:
            draw_group(column, settings, group, shown)
        if kinds.is_filled(settings.kind):
            draw_group(column, settings, "fill")
        if kinds.is_simulated(settings.kind):
            draw_group(column, settings, "object")
        draw_group(column, settings, "surface")
        if settings.structure_map or settings.friction_map:
            draw_group(column, settings, "maps")


class TRIBO_PT_advanced_scene(ClosedPanel, bpy.types.Panel):
    bl_label = "Scene"
    bl_parent_id = "TRIBO_PT_advanced"

    def draw(self, context):
        settings = context.scene.tribo
        column = columns(self.layout)
        for name in ("threads", "keep_states", "contacts", "missing", "use_custom_folder"):
            column.prop(settings, name)
        if settings.use_custom_folder:
            column.prop(settings, "custom_folder")
        for group, rows in groups.rows_by_group().items():
            if not table.is_of_objects(rows) and group not in ("friction", "combine"):
                draw_group(column, settings, group)
        column.label(text="Tribo " + tribo.version())


CLASSES = (
    TRIBO_UL_pairs, TRIBO_PT_tribo, TRIBO_PT_material, TRIBO_PT_pinning, TRIBO_PT_friction,
    TRIBO_PT_surface, TRIBO_PT_scene_friction, TRIBO_PT_quality, TRIBO_PT_cache, TRIBO_PT_advanced,
    TRIBO_PT_advanced_object, TRIBO_PT_advanced_scene,
)


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.PHYSICS_PT_add.append(draw_add)


def unregister():
    bpy.types.PHYSICS_PT_add.remove(draw_add)
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
