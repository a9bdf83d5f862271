# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bake does not do though the scene asks for it, or does though hardly anyone means it.

A finding is a row of TABLE with an object and its numbers filled in. Warnings go with a bake, too;
notes are for the panel alone: they may well be meant.
"""

from collections import namedtuple

from . import fingerprint

WARNING, NOTE = "WARNING", "NOTE"

# remedy: (operator, label, its arguments) or None
Finding = namedtuple("Finding", "id severity object message remedy")

MAKE_COLLIDER = ("tribo.make_collider", "Make Collider")
WELD = ("tribo.weld", "Weld")
NORMALS = ("tribo.recalculate_normals", "Recalculate Normals")
MOVE_ABOVE = ("tribo.move_above", "Move Above Tribo")
SWITCH_ON = ("tribo.switch_on_modifier", "Switch On")

# id: (severity, message, remedy)
TABLE = {
    "gravity": (
        WARNING, "Gravity is {how}, but a bake takes one value for all frames: that of frame {frame}{values}. "
        "Delete {what} (Scene properties > Gravity)", None),
    "force field": (
        WARNING, "{object}: the force field ({kind}) acts on nothing of Tribo. {instead}", None),
    "collision": (
        WARNING, "{object} has Blender's {physics}, but is no Tribo collider: nothing touches it", MAKE_COLLIDER),
    "collisions": (
        WARNING, "{count} more object{s} {have} Blender's Collision or Rigid Body, but {are} no Tribo collider{s}: nothing "
        "touches what is none", None),
    "through": (
        WARNING, "{object} is no Tribo collider: {what} falls through it, and there is nothing else that it could "
        "fall on", MAKE_COLLIDER),
    "passes": (
        NOTE, "{object} is no Tribo collider: {what} falls through it", MAKE_COLLIDER),
    "own physics": (
        WARNING, "{object} has Blender's {physics} beside Tribo: {effect}; remove it in the Physics tab", None),
    "instance": (
        WARNING, "{object} stands here as an instance ({instancer}), and nothing touches instances: make "
        "them real (Object > Apply > Make Instances Real)", None),
    "sewing": (
        WARNING, "{object}: {count} edge{s} without a face (sewing edges) {are} left out: Tribo sews nothing. "
        "Close the seams in the mesh (Edit Mode > Merge, or Bridge Edge Loops)", None),
    "coarse": (
        NOTE, "{object} has {count} vertices: cloth bends only where its mesh is cut. Cut it finer (Edit Mode > "
        "Subdivide), or put a Subdivision Surface above Tribo", None),
    "armature below": (
        WARNING, "{object}: the modifier {modifier} stands below Tribo and moves the simulated result once "
        "more; drag it above, so that pins follow it", MOVE_ABOVE),
    "keyframes": (
        WARNING, "{object} {how}, but what is simulated takes from that only where it "
        "begins. {instead}", None),
    "pin group": (
        WARNING, "{object}: the pin group '{group}' does not exist (Pinning > Weights)", None),
    "pins nothing": (
        WARNING, "{object}: the pin group '{group}' has no vertex with a weight above 0 and pins nothing; "
        "assign vertices to it, or clear Pinning > Weights", None),
    "pins all": (  # of which the core warns with the bake
        NOTE, "{object}: the pin group '{group}' holds all {count} vertices, and nothing of it is simulated. Remove those "
        "that are to move from it", None),
    "pins weak": (
        WARNING, "{object}: the pin group '{group}' pins nothing: its largest weight is {most:.2g}, and with "
        "Pinning > Stiffness 0 vertices are held from 0.5 on. Paint 1 where it is to be held, or set a "
        "Stiffness: then each hangs on a spring of that times its weight", None),
    "modifier off": (
        WARNING, "{object}: the modifier {modifier} is switched off {where}, and the bake is not seen there",
        SWITCH_ON),
    "hidden": (
        NOTE, "{object} is hidden {where}, and still a collider: others touch it. If it is not meant as a "
        "proxy, set its kind to None", None),
    "left out": (
        NOTE, "{object} is in no collection that this view layer shows, and takes no part. Include its collection "
        "(Outliner), or set its kind to None", None),
    "layers": (
        NOTE, "{object} does not touch itself with the method {method}: folds pass through each other. "
        "{instead}", None),
}

# Of what the core doubts: what puts it right.
DOUBTS = {"pieces": WELD, "winding": NORMALS, "inside_out": NORMALS}
NOTED = {"holes", "falls"}  # that may well be meant


def make(which, ob, arguments=None, **values):
    """A finding of the table. ob: whose it is, "" for the scene."""
    severity, text, remedy = TABLE[which]
    return Finding(which, severity, ob, text.format(object=ob, **values), _with(remedy, ob, arguments))


def doubt(found, names, text):
    """A finding of what the core doubts. names: of the objects; text: its message, for artists."""
    ob = names[found["object"]]
    severity = NOTE if found["kind"] in NOTED else WARNING
    return Finding(found["kind"], severity, ob, text, _with(DOUBTS.get(found["kind"]), ob, None))


def _with(remedy, ob, arguments):
    return (*remedy, {"object": ob, **(arguments or {})}) if remedy else None


def mark(text):
    """By which a message that was dismissed is known again."""
    return fingerprint.digest(text)


def plural(count, one, many):
    return one if count == 1 else many
