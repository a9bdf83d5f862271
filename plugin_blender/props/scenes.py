# SPDX-License-Identifier: GPL-3.0-or-later
"""Scene.tribo: time, method, friction between pairs, the cache. What runs is in jobs.py, not here:
a file must never be saved as "baking"."""

import bpy

from . import groups


class TRIBO_PG_pair(bpy.types.PropertyGroup):
    """Friction between two objects or materials."""


def _pair_properties():
    text = groups.SHARED
    return {
        "a": bpy.props.StringProperty(name="A", description="An object or a pair name", **text),
        "b": bpy.props.StringProperty(name="B", description="An object or a pair name", **text),
        "friction": bpy.props.PointerProperty(
            type=groups.MADE["friction"], override={"LIBRARY_OVERRIDABLE"}),
    }


def _own_properties():
    shared = groups.SHARED
    return {
        "use_scene_range": bpy.props.BoolProperty(
            name="Scene Frame Range", default=True,
            description="Simulate from the first to the last frame of the scene", **shared),
        "samples": bpy.props.IntProperty(
            name="Samples a Frame", default=1, min=1, max=32,
            description="How often a frame colliders and pins are read; more for motion that is "
            "fast or not straight within a frame", **shared),
        "threads": bpy.props.IntProperty(
            name="Threads", default=0, min=0, max=1024,
            description="0: one for each core. The result is the same for any number", **shared),
        "keep_states": bpy.props.BoolProperty(
            name="Allow Bake From Any Frame", default=True,
            description="Keeps the state of every frame, so that a later bake can start from it; "
            "takes about as much disk again", **shared),
        "contacts": bpy.props.BoolProperty(
            name="Keep Contacts", default=False,
            description="Writes every contact of every frame, to be seen in the overlay", **shared),
        "live": bpy.props.BoolProperty(
            name="Live", default=True,
            description="Without a bake, simulate as the timeline plays", **shared),
        "pairs": bpy.props.CollectionProperty(type=TRIBO_PG_pair, override={"LIBRARY_OVERRIDABLE"}),
        "active_pair": bpy.props.IntProperty(options={"HIDDEN"}),
        "use_custom_folder": bpy.props.BoolProperty(
            name="Other Folder", description="Keep the cache elsewhere than beside the file", **shared),
        "custom_folder": bpy.props.StringProperty(
            name="Cache Folder", subtype="DIR_PATH", **shared),
        "missing": bpy.props.EnumProperty(
            name="Missing Cache", description="What a render without a window does when the cache of "
            "something that it shows is missing", default="STOP", items=[
                ("STOP", "Stop", "End Blender with exit code 5 before the first frame"),
                ("RENDER", "Render as Modelled", "Say so, and render without it")], options=set()),
        "remapped": bpy.props.BoolProperty(options={"HIDDEN"}),  # whether playback follows a remapped time
        # Marks of findings that the artist dismissed, with blanks between (logic/findings.py).
        "dismissed": bpy.props.StringProperty(options={"HIDDEN"}),
        # The quality whose numbers stand in the properties, and the thickness of the thickest.
        "shown_quality": bpy.props.StringProperty(options={"HIDDEN"}),
        "shown_thickness": bpy.props.FloatProperty(options={"HIDDEN"}),
        # Where the cache is that plays: as found from the file, and as found from anywhere.
        "cache_beside": bpy.props.StringProperty(options={"HIDDEN"}),
        "cache_at": bpy.props.StringProperty(options={"HIDDEN"}),
    }


def register():
    global TriboScene
    TRIBO_PG_pair.__annotations__ = _pair_properties()
    bpy.utils.register_class(TRIBO_PG_pair)
    made = {**_own_properties(), **groups.pointers(of_objects=False)}
    TriboScene = type("TRIBO_PG_scene_settings", (bpy.types.PropertyGroup,), {"__annotations__": made})
    bpy.utils.register_class(TriboScene)
    bpy.types.Scene.tribo = bpy.props.PointerProperty(type=TriboScene, name="Tribo")


def unregister():
    del bpy.types.Scene.tribo
    bpy.utils.unregister_class(TriboScene)
    bpy.utils.unregister_class(TRIBO_PG_pair)
