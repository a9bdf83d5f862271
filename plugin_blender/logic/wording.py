# SPDX-License-Identifier: GPL-3.0-or-later
"""The core's messages in the words of the panels.

The core names its remedies as the program `tribo` and scene files take them; an artist has buttons in
their place. Parameters are known from the core's table, whatever is added to it; the rest is here.
tests/blender/test_logic.py reads every message of the core and fails when one has an option or a key that
comes through.
"""

import re

from . import places, table

# The longer phrases first: each replaces what it finds before the shorter ones look.
PHRASES = (
    ("give --resume or --overwrite, not both", "Resume and Bake cannot be had together"),
    ("give --from-frame without --resume and --overwrite", "Bake from This Frame goes alone"),
    ("give --resume to go on with it or --overwrite to replace it",
     "press Resume to go on with it, or Bake to replace it"),
    ("begun without --contacts; go on without, or bake anew with --overwrite",
     "begun without Keep Contacts: switch it off (Advanced > Scene) to go on, or press Bake to make it "
     "anew"),
    ("begun without --keep-states; go on without, or bake anew with --overwrite",
     "begun without Allow Bake From Any Frame: switch it off (Advanced > Scene) to go on, or press Bake "
     "to make it anew"),
    ("; bake with --keep-states", ": switch on Allow Bake From Any Frame (Advanced > Scene) and press Bake"),
    ("; bake with --contacts", ": switch on Keep Contacts (Advanced > Scene) and press Bake"),
    ("or go on from one of its frames with --from-frame",
     "or go to one of its frames and press Bake from This Frame"),
    ("go on with it in the program that began it, or bake anew with --overwrite",
     "go on with it in the program that began it, or press Bake to make it anew"),
    ("bake anew with --overwrite", "press Bake to make it anew"),
    ("bake into another folder, or take the files of this bake away by hand and bake anew",
     "press Free, which takes away what the cache is known to hold, then Bake"),
    ("--resume goes", "Resume goes"),
    ("--resume writes", "Resume writes"),
    (": run scripts/setup --with-mkl", ", which this machine lacks: choose another solver (Advanced > Scene)"),
    ("; run scripts/setup --with-mkl, or choose MUMPS", "; choose MUMPS"),
    ("program tetgen: run scripts/setup, or set", "program tetgen, which this machine lacks: install it, or set"),
    ("or 'mesh' for surface.contact", "or Collision > Contact: Mesh"),
    ("merge double vertices", "merge double vertices (Tribo > Before You Bake > Weld)"),
    ("recalculate the normals", "recalculate the normals (Tribo > Before You Bake > Recalculate Normals)"),
    ("remove it or move a vertex",
     "remove it (Edit Mode, Mesh > Clean Up > Degenerate Dissolve) or move a vertex"),
    ("remove it or connect it", "remove it (Edit Mode, Mesh > Clean Up > Delete Loose) or connect it"),
    ("flip its triangles so that their fronts are outside",
     "recalculate its normals (Edit Mode, Mesh > Normals > Recalculate Outside)"),
    ("A unit is a metre; scale the scene",
     "A unit is a metre times Unit Scale (Scene properties > Units); scale the scene, or change that,"),
    ("give it a structure_map or vertex_structure", "choose a map in Friction > Structure"),
    ("friction.pairs", "Friction Pairs"),
    ("friction.default", "Friction Pairs > Scene Default"),
    ("structure_map", "Friction > Structure"),
    ("friction_map", "Friction > Grip"),
    ("vertex_structure", "the structure"),
    ("vertex_friction", "Friction > Weights"),
    ("vertex_stiffness", "Material > Weights"),
    ("softer materials (elastic)", "softer materials (Material)"),
    ("make it softer (elastic)", "make it softer (Material)"),
)

METHOD = re.compile(r"\bmethod '?(forwarding|projective|elastic|barrier)'?(?!\w)|(?<=\bmethod to )'(\w+)'")
SECONDS = re.compile(r"\b(at|near|before) (\d+(?:\.\d+)?(?:e[+-]\d+)?) s\b(?!/)")
_keys = []  # [(pattern, words)], the longer keys first
_choices = None  # a pattern of words that stand for a choice, between quotes
_labels = {}  # of these words
_lists = {}  # all choices of a parameter, as the core lists them: their labels


def learn(rows):
    """The core's table of parameters: how messages name them, and where the artist has them."""
    global _choices
    named = {}
    for row in rows:
        for key in places.keys(row):
            named.setdefault(key, places.of(row))
        if row["kind"] == "choice":
            labels = {word: table.choice_label(row["group"], row["name"], word) for word in row["choices"]}
            _labels.update(labels)
            _lists["give one of: " + ", ".join(labels)] = "give one of: " + ", ".join(labels.values())
            named.setdefault(f"{row['name']} is '", places.of(row) + " is '")
    _keys[:] = [(re.compile(rf"(?<![\w.]){re.escape(key)}" + r"(?!\w)" * (key[-1] != "'")), named[key])
                for key in sorted(named, key=len, reverse=True)]
    _choices = re.compile(r"(?<=\b(?:to|is) )'(" + "|".join(_labels) + r")'")


def _method(found):
    return "method " * bool(found[1]) + table.choice_label("world", "method", found[1] or found[2])


def named(text, names):
    """A message with objects called as the artist calls them. names: {as files have it: as Blender has it}."""
    for theirs, ours in names.items():
        if theirs != ours:
            text = text.replace(f"'{theirs}'", f"'{ours}'")
    return text


def artist(text, clock=None):
    """A message of the core, or any other, for someone in front of Blender. clock: (first frame, frames a second)
    of the simulation that speaks, where it is known; its seconds become frames, unless it names one itself."""
    if clock and not re.search(r"\bframe \d", text):
        text = SECONDS.sub(lambda found: f"{found[1]} frame {round(clock[0] + float(found[2]) * clock[1], 1):g}", text)
    for theirs, ours in PHRASES:
        text = text.replace(theirs, ours)
    text = METHOD.sub(_method, text)
    for theirs, ours in _lists.items():
        if text.endswith(theirs):
            text = text[:-len(theirs)] + ours
    for pattern, words in _keys:
        text = pattern.sub(words, text)
    return _choices.sub(lambda found: _labels[found[1]], text) if _choices else text
