# SPDX-License-Identifier: GPL-3.0-or-later
"""Property groups made from the core's table: one class a group, one property a parameter.

None of them can be keyframed: the core takes one value for a whole bake, and a keyframe that is
quietly ignored is worse than none (bridge/refusals.py finds those made behind our back).
"""

import bpy

from ..library import tribo
from ..logic import table
from .changes import notice
from .quality import by_hand

SHARED = {"options": set(), "override": {"LIBRARY_OVERRIDABLE"}, "update": notice}
UPDATES = {("world", "method"): by_hand, ("time", "substeps"): by_hand}  # in place of notice
# In place of the core's: who looks at a bake sees more in one that went on, and is told.
DEFAULTS = {("solver", "on_failure"): "continue"}
MADE = {}  # group: its class


def _shared(row):
    return {**SHARED, "update": UPDATES.get((row["group"], row["name"]), notice)}


def _real(row):
    return bpy.props.FloatProperty(
        name=table.label(row), description=table.tooltip(row), default=table.shown(row, row["value"]),
        min=table.shown(row, row["low"]), max=row["high"], precision=table.digits(row), **_shared(row))


def _int(row):
    return bpy.props.IntProperty(
        name=table.label(row), description=table.tooltip(row), default=int(row["value"]),
        min=int(row["low"]), max=int(row["high"]), **_shared(row))


def _vec3(row):
    return bpy.props.FloatVectorProperty(
        name=table.label(row), description=table.tooltip(row), default=row["value"], size=3, **SHARED)


def _choice(row):
    return bpy.props.EnumProperty(
        name=table.label(row), description=table.tooltip(row), items=table.choice_items(row),
        default=DEFAULTS.get((row["group"], row["name"]), row["value"]), **_shared(row))


MAKERS = {"real": _real, "int": _int, "vec3": _vec3, "choice": _choice}


def rows_by_group():
    return table.groups(tribo.parameters())


def values(owner, group):
    """{parameter: value} of a group as the core takes them. owner: Object.tribo or Scene.tribo."""
    settings = getattr(owner, group)
    out = {}
    for row in rows_by_group()[group]:
        value = getattr(settings, table.attribute(row["name"]))
        if table.may_be_open(row) and not settings.is_property_set(table.attribute(row["name"])):
            value = row["value"]
        if row["kind"] == "real":
            value = table.tidy(value)
        elif row["kind"] == "vec3":
            value = tuple(table.tidy(x) for x in value)
        out[row["name"]] = value
    return out


def pointers(of_objects):
    """Annotations that hang the groups of objects, or those of the scene, under their owner."""
    return {
        group: bpy.props.PointerProperty(type=MADE[group], override={"LIBRARY_OVERRIDABLE"})
        for group, rows in rows_by_group().items()
        if table.is_of_objects(rows) == of_objects
    }


def register():
    for group, rows in rows_by_group().items():
        made = {table.attribute(row["name"]): MAKERS[row["kind"]](row) for row in rows}
        MADE[group] = type(f"TRIBO_PG_{group}", (bpy.types.PropertyGroup,), {"__annotations__": made})
        bpy.utils.register_class(MADE[group])


def unregister():
    for made in reversed(list(MADE.values())):
        bpy.utils.unregister_class(made)
    MADE.clear()
