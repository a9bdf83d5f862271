# SPDX-License-Identifier: GPL-3.0-or-later
"""Scene.tribo_wedge: what a wedge varies, and where it is kept."""

import bpy

from ..logic import wedges


class TRIBO_PG_wedge_axis(bpy.types.PropertyGroup):
    """A property and the values that it shall take."""

    owner: bpy.props.StringProperty(name="Object", description="The object that has it; empty: the scene")
    path: bpy.props.StringProperty(name="Property", description="As Python finds it: tribo.cloth.bend")
    label: bpy.props.StringProperty()
    kind: bpy.props.EnumProperty(items=[("REAL", "Number", ""), ("INT", "Whole Number", ""), ("WORDS", "Choice", "")])
    component: bpy.props.IntProperty(name="Component", default=0, min=0, max=31,
                                     description="Which number of a vector, from 0")
    is_vector: bpy.props.BoolProperty()
    low: bpy.props.FloatProperty(name="From", precision=4)
    high: bpy.props.FloatProperty(name="To", precision=4)
    count: bpy.props.IntProperty(name="Count", default=4, min=1, max=1000)
    equal_factors: bpy.props.BoolProperty(
        name="Equal Factors", description="From one value to the next by a factor, not by a step")
    words: bpy.props.StringProperty(name="Choices", description="Identifiers with commas between: preview,good")
    together: bpy.props.BoolProperty(
        name="With the One Before", description="In step with the property before, not with all its values")

    def values(self):
        if self.kind == "WORDS":
            return [word.strip() for word in self.words.split(",") if word.strip()]
        low, high = (tidy(self.low), tidy(self.high))
        return wedges.spread(low, high, self.count, self.equal_factors, self.kind == "INT")


def tidy(value):
    """The number that was typed: Blender keeps it in 32 bits."""
    return float(f"{value:.7g}")


class TRIBO_PG_wedge(bpy.types.PropertyGroup):
    axes: bpy.props.CollectionProperty(type=TRIBO_PG_wedge_axis)
    folder: bpy.props.StringProperty(name="Folder", subtype="DIR_PATH", default="//tribo_wedge",
                                     description="Where the wedge is kept: scenes, bakes, contact sheet")
    jobs: bpy.props.IntProperty(name="At Once", default=2, min=1, max=256, description="How many scenes are baked at once")
    pictures: bpy.props.BoolProperty(name="Thumbnails", default=True,
                                     description="On a farm, render thumbnails in the same tasks")


CLASSES = (TRIBO_PG_wedge_axis, TRIBO_PG_wedge)


def register():
    for made in CLASSES:
        bpy.utils.register_class(made)
    bpy.types.Scene.tribo_wedge = bpy.props.PointerProperty(type=TRIBO_PG_wedge, name="Tribo Wedge")


def unregister():
    del bpy.types.Scene.tribo_wedge
    for made in reversed(CLASSES):
        bpy.utils.unregister_class(made)
