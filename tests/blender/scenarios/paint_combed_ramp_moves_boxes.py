# SPDX-License-Identifier: GPL-3.0-or-later
"""What is combed is what moves: on a ramp of 20 degrees (tan 0.364) with friction 0.1 along the structure and
0.8 across it, a box slides where the ramp is combed down the slope and holds where it is combed across. The
left half is combed the one way, the right half, another island, mirrored in the UVs, the other."""

import math

import bpy
import lab
import paint_lab

TILT = math.radians(20)
SECONDS = 120


def on_ramp(x, y, lift=0.0):
    return (x, y * math.cos(TILT) - lift * math.sin(TILT), y * math.sin(TILT) + lift * math.cos(TILT))


def box(name, x):
    ob = lab.make(lab.box(name, (0.2, 0.2, 0.08)), "RIGID")
    ob.rotation_euler[0] = TILT
    ob.location = on_ramp(x, 0.5, 0.0401)
    return ob


def down(ob):
    """How far it has come down the slope."""
    first, last = lab.shown(ob, 1), lab.shown(ob, bpy.context.scene.frame_end)
    y = sum(b - a for a, b in zip(first[1::3], last[1::3])) / (len(first) // 3)
    z = sum(b - a for a, b in zip(first[2::3], last[2::3])) / (len(first) // 3)
    return -(y * math.cos(TILT) + z * math.sin(TILT))


def run():
    ramp = paint_lab.painted_sheet("256")
    bpy.context.scene.frame_end = 12
    ramp.rotation_euler[0] = TILT
    bpy.context.view_layer.update()
    assert paint_lab.stroke([on_ramp(0.5, 0.95), on_ramp(0.5, 0.05)], radius=0.45) == {"FINISHED"}
    assert paint_lab.stroke([on_ramp(1.05, 0.5), on_ramp(1.95, 0.5)], radius=0.45) == {"FINISHED"}
    boxes = box("Slides", 0.5), box("Holds", 1.5)
    for ob in boxes:
        assert bpy.ops.tribo.pair_add(a=ob.name, b="Sheet", mu=0.45) == {"FINISHED"}
        friction = bpy.context.scene.tribo.pairs[-1].friction
        friction.mu_along, friction.mu_across = 0.1, 0.8
    lab.save()
    lab.bake()
    slides, holds = (down(ob) for ob in boxes)
    seconds = 11 / bpy.context.scene.render.fps
    free = 0.5 * 9.81 * (math.sin(TILT) - 0.1 * math.cos(TILT)) * seconds ** 2
    print(f"slides {slides:.4f} m (by the formula {free:.4f}), holds {holds:.6f} m")
    lab.close(slides, free, 0.1 * free, "down the slope")
    assert abs(holds) < 1e-3, holds
