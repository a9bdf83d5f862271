# SPDX-License-Identifier: GPL-3.0-or-later
"""From the core's table of parameters to the properties that an artist sees.

A parameter is written once, in core/include/tribo/params.inl. Here is only what Blender adds: labels,
what a float of Blender stands for, which groups belong to objects.
"""

import struct

from . import thickness

OBJECT_PLACE = "objects[]"

# Labels that the name of a parameter alone does not make.
LABELS = {
    ("cloth", "stretch_weft"): "Stretch Weft",
    ("cloth", "bend"): "Bending",
    ("solid", "young"): "Young's Modulus",
    ("solid", "poisson"): "Poisson's Ratio",
    ("cloth", "poisson"): "Poisson's Ratio",
    ("fill", "from"): "Tets",
    ("surface", "mu"): "Friction",
    ("friction", "mu"): "Friction",
    ("friction", "mu_along"): "Along the Structure",
    ("friction", "mu_across"): "Across the Structure",
    ("friction", "mu_dynamic"): "When Sliding",
    ("friction", "mu_drill"): "Drilling",
    ("time", "fps"): "Frames a Second",
}

# What the artist reads in place of the core's word.
CHOICE_LABELS = {
    ("world", "method", "forwarding"): "Accurate (forwarding)",
    ("world", "method", "projective"): "Fast (projective)",
    ("world", "method", "barrier"): "Nothing Passes (barrier)",
    ("world", "method", "elastic"): "No Contact (elastic)",
    ("world", "quality", "custom"): "Custom",
    ("world", "quality", "preview"): "Preview",
    ("world", "quality", "good"): "Good",
    ("world", "quality", "final"): "Final",
}

# What Blender's set-up adds to the core's help.
MORE = {("surface", "thickness"): thickness.ABOUT}

# Parameters that are below 0 as long as nobody gave them; the artist sees 0.
OPEN = {("surface", "thickness")}

# Names that Python or Blender keeps for itself.
RENAMED = {"from": "fill_from"}


def may_be_open(row):
    return (row["group"], row["name"]) in OPEN


def shown(row, number):
    return max(number, 0.0) if may_be_open(row) else number


def groups(rows):
    """{group: its rows}, in the order of the table."""
    out = {}
    for row in rows:
        out.setdefault(row["group"], []).append(row)
    return out


def is_of_objects(rows):
    """Whether a group of rows is set object by object."""
    return rows[0]["place"].startswith(OBJECT_PLACE)


def attribute(name):
    """The property that holds a parameter."""
    return RENAMED.get(name, name)


def words(name):
    return " ".join(word.capitalize() for word in name.split("_"))


def label(row, with_unit=False):
    text = LABELS.get((row["group"], row["name"])) or words(row["name"])
    return f"{text} ({row['unit']})" if with_unit and row["unit"] else text


def tooltip(row):
    """Blender adds the full stop."""
    more = MORE.get((row["group"], row["name"]))
    text = ". ".join(filter(None, (row["help"].rstrip("."), more)))
    return f"{text}. In {row['unit']}" if row["unit"] else text


def choice_items(row):
    """(identifier, label, tooltip, number) of a choice; the number keeps files readable when the
    table grows."""
    return [
        (name, choice_label(row["group"], row["name"], name), row["help"], number)
        for number, name in enumerate(row["choices"])
    ]


def choice_label(group, name, choice):
    """As the menu has it."""
    return CHOICE_LABELS.get((group, name, choice)) or words(choice)


def digits(row):
    """Decimals that show the default and a hundredth of it."""
    size = abs(row["value"])
    for count in range(2, 6):
        if size == 0 or size >= 10.0 ** (2 - count):
            return count if size else 3
    return 6


def tidy(number):
    """The shortest decimal that a float of Blender stands for: 0.177, not 0.17700000107."""
    single = struct.pack("f", number)
    for count in range(6, 10):
        short = float(f"{number:.{count}g}")
        if struct.pack("f", short) == single:
            return short
    return number
