# SPDX-License-Identifier: GPL-3.0-or-later
"""What cannot be baked as it is: found before the first step, told by name."""

from . import animation, shapes, stack, subjects
from .errors import Refusal


def check(scene, obs):
    """Refusal for the first thing that a bake would have to ignore."""
    _check_keyframes("The scene " + scene.name, scene)
    for ob in obs:
        _check_keyframes(ob.name, ob)
        if subjects.is_simulated(ob):
            _check_render_levels(ob)


def _check_keyframes(name, owner):
    for curve in animation.curves(owner):
        if curve.data_path.startswith("tribo."):
            kind = "driven" if getattr(curve, "driver", None) else "keyframed"
            raise Refusal(f"{name}: {curve.data_path} is {kind} (F-curve {curve.data_path}"
                          f"[{curve.array_index}]), but holds for a whole bake; remove that F-curve")


def _check_render_levels(ob):
    """The cache fits one vertex count, so what makes vertices above Tribo must make the same number
    for the viewport and for renders."""
    for modifier in stack.above(ob):
        if modifier.show_viewport != modifier.show_render:
            raise Refusal(f"{ob.name}: the modifier {modifier.name} above Tribo is on only in "
                          f"{'the viewport' if modifier.show_viewport else 'renders'}; switch both "
                          "alike, or move it below Tribo")
        levels, render = getattr(modifier, "levels", None), getattr(modifier, "render_levels", None)
        if modifier.show_viewport and levels != render:
            raise Refusal(f"{ob.name}: the modifier {modifier.name} above Tribo has {levels} levels in "
                          f"the viewport and {render} in renders; make them equal, or move it below "
                          "Tribo")


def why_topology(sampler, subject, mesh, before):
    """Names the modifier by which an object's topology changed: the first one up to which the stack
    gives another mesh now than at the first frame."""
    scene = sampler.scene()
    ob = subjects.expect(scene, subject)
    frame = sampler.frame_text()
    now = len(mesh.vertices), len(mesh.polygons)
    text = (f"{ob.name} has {now[0]} vertices and {now[1]} faces at frame {frame}, but {before[0]} and "
            f"{before[1]} at frame {sampler.start}" if now != before[:2] else
            f"The faces of {ob.name} are joined in another way at frame {frame} than at frame "
            f"{sampler.start}")
    name = _changing_modifier(sampler, ob)
    if name:
        return f"{text}: the modifier {name} changes it; move it below Tribo, or stop it from changing"
    return f"{text}; keep the number of vertices and faces"


def _changing_modifier(sampler, ob):
    scene, layer = sampler.scene(), sampler.view_layer()
    frame_now = scene.frame_current, scene.frame_subframe
    last = stack.index(ob) if subjects.is_simulated(ob) else len(ob.modifiers)
    used = [m for m in list(ob.modifiers)[:last] if m.show_viewport]

    def topology_at(frame, subframe):
        scene.frame_set(frame, subframe=subframe)
        layer.update()
        with shapes.evaluated(ob, layer.depsgraph) as mesh:
            return shapes.topology(mesh)

    try:
        for modifier in used:
            modifier.show_viewport = False
        for modifier in used:
            modifier.show_viewport = True
            if topology_at(sampler.start, 0.0) != topology_at(*frame_now):
                return modifier.name
    finally:
        for modifier in used:
            modifier.show_viewport = True
    return ""
