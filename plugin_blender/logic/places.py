# SPDX-License-Identifier: GPL-3.0-or-later
"""Where an artist finds a parameter of the core: the panel and the label."""

from . import table

# What Material shows: of a kind of object its group and the parameters.
MAIN = {
    "CLOTH": ("cloth", ("density", "stretch", "shear", "bend")),
    "SOLID": ("solid", ("density", "young", "poisson")),
    "RIGID": ("rigid", ("density",)),
}

# Parameters that the panels show before Advanced; a group's other ones are there.
PANELS = {
    ("world", "method"): "Scene Quality",
    ("time", "substeps"): "Scene Quality",
    ("surface", "mu"): "Friction",
    ("surface", "contact"): "Collision",
    ("surface", "thickness"): "Collision",
    ("pin", "stiffness"): "Pinning",
    **{(group, name): "Material" for group, names in MAIN.values() for name in names},
}
GROUPS = {"friction": "Friction Pairs", "combine": "Friction Pairs"}

# What Blender's own settings stand for.
BLENDERS = {
    ("time", "start"): "the first frame",
    ("time", "end"): "the last frame",
    ("time", "fps"): "the frame rate",
    ("world", "gravity"): "gravity",
}


def of(row):
    """"Collision > Thickness" of a row of the table."""
    key = row["group"], row["name"]
    if key in BLENDERS:
        return BLENDERS[key]
    end = "Object" if row["place"].startswith(table.OBJECT_PLACE) else "Scene"
    panel = PANELS.get(key) or GROUPS.get(row["group"]) or "Advanced > " + end
    return f"{panel} > {table.label(row)}"


def keys(row):
    """How the core's messages name it: "surface.thickness", and by its name alone where nothing else
    is called so."""
    place = row["place"].replace(table.OBJECT_PLACE + ".", "").replace(table.OBJECT_PLACE, "")
    named = [f"{place}.{row['name']}"] if place else []
    return named + ([row["name"]] if "_" in row["name"] else [])
