# SPDX-License-Identifier: GPL-3.0-or-later
"""Object.tribo: what an object is to Tribo."""

import bpy

from ..logic import kinds, presets, table, thickness
from . import groups, quality
from .changes import notice

# What the artist sees of a kind; the numbers are in files.
KIND_ITEMS = [
    ("NONE", "None", "Not part of the simulation", "X", 0),
    ("CLOTH", "Cloth", "A surface that bends and stretches", "MOD_CLOTH", 1),
    ("SOLID", "Soft Body", "A body that deforms: flesh, rubber, gel", "MOD_SOFT", 2),
    ("RIGID", "Rigid", "A body that keeps its shape", "RIGID_BODY", 3),
    ("COLLIDER", "Collider", "What others touch; it moves as it is animated", "MOD_PHYSICS", 4),
]


def kind_items():
    """Those that this build of the core has."""
    return [item for item in KIND_ITEMS if item[0] == "NONE" or item[0] in kinds.names()]


_kept_items = {}  # Blender needs the strings of a dynamic enum to stay alive


def _preset_items(self, _context):
    items = [("custom", "Custom", "Values of your own", 0)]
    for number, (name, preset) in enumerate(presets.of_kind(self.kind).items(), 1):
        items.append((name, name.capitalize(), preset["note"], number))
    return _kept_items.setdefault(self.kind, items)


def preset_values(settings):
    """{group: {parameter: value}} of the chosen preset, for an object of this size."""
    preset = presets.of_kind(settings.kind).get(settings.preset)
    if not preset:
        return {}
    ob = settings.id_data
    scenes = ob.users_scene
    unit = scenes[0].unit_settings.scale_length if scenes else 1.0
    return presets.values(preset, unit * presets.size_of(ob.dimensions))


def apply_preset(settings):
    """Puts the values of the chosen preset into the properties."""
    for group, values in preset_values(settings).items():
        for name, value in values.items():
            setattr(getattr(settings, group), name, value)


def _others(settings):
    """Names of the values that are not those of the preset."""
    return {name for group, values in preset_values(settings).items() for name, value in values.items()
            if table.tidy(getattr(getattr(settings, group), name)) != value}


def preset_note(settings):
    """What the panel says of the chosen preset; "" without one."""
    preset, others = presets.of_kind(settings.kind).get(settings.preset), _others(settings)
    if not preset or not others:
        return preset["note"] if preset else ""
    name = settings.preset.capitalize()
    if preset.get("sized") and others <= {"young", "damping_stiffness"}:
        return f"{name}, not as firm as its size asks for; choose {name} again for that"
    return f"{name}, with values of your own"


def _preset_chosen(self, context):
    apply_preset(self)
    notice(self, context)


def begin_thickness(ob):
    """Gives cloth the thickness it begins with, and takes it back when it becomes something else. What
    the artist chose stays."""
    from ..bridge import shapes  # which needs this module

    settings, surface = ob.tribo, ob.tribo.surface
    if kinds.is_sheet(settings.kind):
        if not surface.is_property_set("thickness") and ob.type == "MESH" and ob.data.edges:
            surface.thickness = settings.begun_thickness = thickness.of_cloth(shapes.mean_edge(ob))
    elif settings.begun_thickness:
        if surface.thickness == settings.begun_thickness:
            surface.property_unset("thickness")
        settings.begun_thickness = 0.0


def _kind_chosen(self, context):
    from ..bridge import playback  # which needs this module

    if self.kind != "NONE":
        quality.begin(self.id_data)
    begin_thickness(self.id_data)
    playback.follow_kind(self.id_data)
    notice(self, context)


def _own_properties():
    shared = groups.SHARED
    own_update = {key: value for key, value in shared.items() if key != "update"}
    number = dict(min=0.0, max=1000.0, soft_max=10.0, precision=3, **shared)
    image = dict(type=bpy.types.Image, override={"LIBRARY_OVERRIDABLE"}, update=notice)
    return {
        "kind": bpy.props.EnumProperty(name="Kind", items=kind_items(), default="NONE", update=_kind_chosen,
                                     **own_update),
        "preset": bpy.props.EnumProperty(
            name="Preset", description="Fills in the values of a material",
            items=_preset_items, update=_preset_chosen, **own_update),
        "material": bpy.props.StringProperty(
            name="Pair Name", description="What it is called in the friction pairs; empty: the "
            "object's own name", **shared),
        "pin_group": bpy.props.StringProperty(
            name="Pin Group", description="Vertices that follow the animated input. Pin stiffness 0: "
            "weights of a half and more are held exactly. Above: a spring of stiffness times weight",
            **shared),
        "stiffness_group": bpy.props.StringProperty(
            name="Stiffness Group", description="Multiplies the elastic stiffness by vertex", **shared),
        "stiffness_low": bpy.props.FloatProperty(
            name="Stiffness at Weight 0", default=0.1, **number),
        "stiffness_high": bpy.props.FloatProperty(
            name="Stiffness at Weight 1", default=1.0, **number),
        "friction_group": bpy.props.StringProperty(
            name="Friction Group", description="Multiplies friction by vertex", **shared),
        "friction_low": bpy.props.FloatProperty(
            name="Friction at Weight 0", default=0.0, **number),
        "friction_high": bpy.props.FloatProperty(
            name="Friction at Weight 1", default=1.0, **number),
        "begun_thickness": bpy.props.FloatProperty(options={"HIDDEN"}, override=shared["override"]),
        "structure_map": bpy.props.PointerProperty(
            name="Structure Map", description="Image whose red and green are the direction of the "
            "surface's structure in its UVs", **image),
        "friction_map": bpy.props.PointerProperty(
            name="Grip Map", description="Image that multiplies friction", **image),
    }


def register():
    made = {**_own_properties(), **groups.pointers(of_objects=True)}
    global TriboObject
    TriboObject = type("TRIBO_PG_object_settings", (bpy.types.PropertyGroup,), {"__annotations__": made})
    bpy.utils.register_class(TriboObject)
    bpy.types.Object.tribo = bpy.props.PointerProperty(
        type=TriboObject, name="Tribo", override={"LIBRARY_OVERRIDABLE"})


def unregister():
    del bpy.types.Object.tribo
    bpy.utils.unregister_class(TriboObject)
    _kept_items.clear()
