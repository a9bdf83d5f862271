# SPDX-License-Identifier: GPL-3.0-or-later
"""The fingerprint of everything that a bake reads from a scene.

Made from what the artist edits (meshes, settings, keyframes, modifiers), not from evaluated frames:
so it does not depend on the current frame, and costs milliseconds. What animation moves is left out
of the values and is in the keyframes.
"""

from array import array

import bpy

from ..logic import fingerprint, kinds, table
from ..props import groups, quality
from . import animation, frames, movers, presence, shapes, subjects

SKIPPED = {"rna_type", "name", "is_active", "show_expanded", "show_in_editmode", "show_on_cage",
           "filepath", "execution_time", "persistent_uid", "show_group_selector", "show_manage_panel"}


def of_scene(scene, view_layer):
    """See logic/fingerprint.py."""
    obs = subjects.objects(view_layer)
    chosen = quality.is_chosen(scene.tribo)
    named = {subjects.title(ob.name, subjects.library_of(ob)): _object(ob, chosen) for ob in obs}
    return {"scene": _scene(scene), "objects": named}


def _scene(scene):
    settings = scene.tribo
    named = {group: groups.values(settings, group) for group, rows in groups.rows_by_group().items()
             if not table.is_of_objects(rows)}
    if quality.is_chosen(settings):  # what it chose follows from the rest
        named["world"]["method"] = named["time"]["substeps"] = None
    else:
        del named["world"]["quality"]  # as caches have it that were made before there was one
    time = frames.of_scene(scene)
    friction = [named.pop("friction"), named.pop("combine")]
    friction += [(p.a, p.b, groups.values(p, "friction")) for p in settings.pairs]
    remapped = [frames.scale(scene)] if frames.scale(scene) != 1.0 else []
    named["time"] = named["time"]["substeps"], settings.samples
    return {
        # The last frame is no part of it: a bake can be made longer.
        "first frame": fingerprint.digest(time.start),
        "frame rate": fingerprint.digest(time.fps, *remapped),
        "friction": fingerprint.digest(friction),
        "gravity": fingerprint.digest(_gravity(scene)),
        "units": fingerprint.digest(scene.unit_settings.scale_length),
        "quality": fingerprint.digest(named),
    }


def _gravity(scene):
    """A driver's value changes with the timeline; what it says does not."""
    paths = ("gravity", "use_gravity")
    if any(animation.is_driven(scene, path) for path in paths):
        return animation.key_numbers(scene, paths)
    return list(frames.gravity(scene))


def _object(ob, chosen):
    settings = ob.tribo
    own = {g: groups.values(settings, g) for g in sorted(kinds.groups_of(settings.kind) | {"pin"})}
    thickness = own["surface"]["thickness"]
    left_open = chosen and quality.has_open_thickness(settings)
    own["surface"]["thickness"] = None if left_open else max(thickness, 0.0)
    surface = [own.pop("surface"), own.pop("maps"), settings.material]
    out = {
        "kind": fingerprint.digest(settings.kind),
        "material": fingerprint.digest(own),
        "surface": fingerprint.digest(surface),
        "mesh": _mesh(ob),
        "transform": fingerprint.digest(_transform(ob, set())),
        "animation": fingerprint.digest(_animations(ob)),
        "modifiers": fingerprint.digest(_modifiers(ob)),
        "vertex groups": _vertex_groups(ob),
        "maps": fingerprint.digest([_image(settings.structure_map), _image(settings.friction_map)]),
    }
    shown_by = presence.deciding(ob)
    if shown_by:
        out["visibility"] = fingerprint.digest(animation.key_numbers(ob, paths=(shown_by,)))
    return out


def shape(ob):
    """What a mesh is, where it stands now, and how it is touched."""
    return [ob.name, ob.tribo.kind, shapes.points(ob.data).tobytes(), shapes.topology(ob.data),
            [list(row) for row in ob.matrix_world], groups.values(ob.tribo, "surface")]


def _mesh(ob):
    if ob.type != "MESH":
        return fingerprint.digest(_plain(ob.data, ob.data), _controls(ob.data))
    parts = [shapes.points(ob.data), shapes.topology(ob.data)]
    if ob.data.shape_keys:
        for block in ob.data.shape_keys.key_blocks:
            values = array("f", bytes(12 * len(block.data)))
            block.data.foreach_get("co", values)
            parts += [values, block.mute]
            if f'key_blocks["{block.name}"].value' not in animation.moved_paths(ob.data.shape_keys):
                parts.append(block.value)
    return fingerprint.digest(*parts)


def _controls(data):
    """What a curve, a surface or a metaball is drawn by."""
    out = [_plain(element, data) for element in getattr(data, "elements", ())]
    for spline in getattr(data, "splines", ()):
        out.append(_plain(spline, data))
        out += [_plain(point, data) for point in (*spline.points, *spline.bezier_points)]
    return out


def _vertex_groups(ob):
    """Weights of the groups that Tribo reads."""
    settings, parts = ob.tribo, []
    for name in (settings.pin_group, settings.stiffness_group, settings.friction_group):
        group = ob.vertex_groups.get(name) if name and ob.type == "MESH" else None
        parts.append(array("f", shapes.weights(ob, ob.data, name)) if group else name)
    ends = ("stiffness_low", "stiffness_high", "friction_low", "friction_high")
    return fingerprint.digest(*parts, [getattr(settings, end) for end in ends])


def _transform(ob, seen):
    """Its own place, and that of whatever carries it, as far as no F-curve sets it."""
    if ob is None or ob.name in seen:
        return []
    seen.add(ob.name)
    moved = animation.moved_paths(ob)
    values = [list(map(float, getattr(ob, path))) if path not in moved else path
              for path in ("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle",
                           "scale")]
    values += [ob.rotation_mode, [list(row) for row in ob.matrix_parent_inverse], ob.parent_type,
               ob.parent_bone]
    values += [_plain(constraint, ob) for constraint in ob.constraints]
    if ob.pose:
        values += [_bone(bone, moved) for bone in ob.pose.bones]
    for other in [ob.parent] + [getattr(c, "target", None) for c in ob.constraints]:
        values.append(_transform(other, seen))
    return values


def _bone(bone, moved):
    prefix = f'pose.bones["{bone.name}"].'
    paths = ("location", "rotation_euler", "rotation_quaternion", "scale")
    return [list(map(float, getattr(bone, p))) for p in paths if prefix + p not in moved]


def _animations(ob):
    out = []
    for one in movers.of(ob):
        out += animation.key_numbers(one, but=presence.PATHS)
        data = one.data
        if data is not None and getattr(data, "animation_data", None):
            out += animation.key_numbers(data)
        keys = getattr(data, "shape_keys", None)
        if keys:
            out += animation.key_numbers(keys)
    return out


def _modifiers(ob):
    out = []
    for modifier in movers.input_modifiers(ob):
        if modifier.show_viewport:
            helper = movers.helper(modifier)
            out += [_plain(modifier, ob), _transform(helper, set())]
            if modifier.type == "NODES":
                out += _given_to_nodes(modifier, ob)
    return out


def _given_to_nodes(modifier, owner):
    """The inputs of geometry nodes, without what animation moves."""
    moved = animation.moved_paths(owner)
    path = f'modifiers["{bpy.utils.escape_identifier(modifier.name)}"]'
    if not hasattr(modifier, "properties"):  # until 5.1
        return [[key, repr(modifier[key])] for key in modifier.keys() if f'{path}["{key}"]' not in moved]
    out, given = [], modifier.properties.inputs
    for socket in given.bl_rna.properties:
        if socket.type == "POINTER" and socket.identifier != "rna_type":
            one = getattr(given, socket.identifier)
            names = [name for name in one.bl_rna.properties.keys() if name != "rna_type"]
            out += [[socket.identifier, name, _written(getattr(one, name))] for name in names
                    if f"{path}.properties.inputs.{socket.identifier}.{name}" not in moved]
    return out


def _written(value):
    """A value of any type as text that stays the same."""
    return repr(tuple(value) if hasattr(value, "__len__") and not isinstance(value, str) else value)


def _plain(thing, owner):
    """The settings of a modifier or constraint, without what animation moves."""
    moved = animation.moved_paths(owner)
    out = {"type": getattr(thing, "type", "")}
    for prop in thing.bl_rna.properties:
        name = prop.identifier
        if name in SKIPPED or prop.type == "COLLECTION" or any(p.endswith("." + name) for p in moved):
            continue
        if name.startswith("open_") and name.endswith("_panel"):  # of the modifier's own buttons
            continue
        if prop.is_readonly and prop.type != "POINTER":
            continue
        value = getattr(thing, name, None)
        if prop.type == "POINTER":
            value = getattr(value, "name", None)
        elif getattr(prop, "is_array", False):
            value = repr([tuple(v) if hasattr(v, "__len__") else v for v in value])
        elif prop.type == "ENUM" and prop.is_enum_flag:
            value = sorted(value)
        out[name] = value
    return out


def _image(image):
    """An image by what changes when it is painted, saved or replaced; its pixels would take long."""
    if image is None:
        return None
    return [image.name, image.filepath, list(image.size), image.is_dirty, image.tribo_stroke]
