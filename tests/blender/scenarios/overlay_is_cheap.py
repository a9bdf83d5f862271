# SPDX-License-Identifier: GPL-3.0-or-later
"""On 100,000 triangles: off it costs nothing, and on, what has not changed is not made again; a stroke
makes the marks again, and only the marks."""

import time

import bpy
import lab
import paint_lab
import picture_lab

WINDOW = True
SECONDS = 180
CELLS = 224  # two triangles each: 100,352


def sheet():
    ob = lab.grid("Large", CELLS, 2.0, (0, 0, 0))
    side = CELLS + 1
    layer = ob.data.uv_layers.new(name="UVMap")
    uvs = []
    for loop in ob.data.loops:
        i, j = loop.vertex_index % side, loop.vertex_index // side
        uvs += [0.02 + 0.96 * i / CELLS, 0.02 + 0.96 * j / CELLS]
    layer.data.foreach_set("uv", uvs)
    return ob


def timed(action):
    start, clock = time.process_time(), time.perf_counter()
    action()
    return 1e3 * (time.process_time() - start), 1e3 * (time.perf_counter() - clock)


def run():
    yield 0.5
    lab.empty_scene()
    ob = lab.make(sheet(), "COLLIDER")
    assert bpy.ops.tribo.new_structure_map(size="1024") == {"FINISHED"}
    assert bpy.ops.tribo.comb_fill(along="X") == {"FINISHED"}
    overlay, data = lab.addon("ui.overlay"), lab.addon("ui.overlay_data")
    matrix = picture_lab.from_above((0, 0), 2.2)
    off = min(timed(lambda: overlay.draw_all(bpy.context, matrix))[0] for _ in range(5))
    settings = bpy.context.scene.tribo_overlay
    settings.structure = settings.grip = True
    ob.tribo.friction_map = bpy.data.images.new("grip", 64, 64, float_buffer=True, is_data=True)
    first = timed(lambda: picture_lab.take(matrix))
    marks, grip = (data._kept[what, "Large"][1] for what in ("structure", "grip"))
    yield 0.1
    depsgraph = bpy.context.evaluated_depsgraph_get()
    again = [timed(lambda: (data.structure(ob, depsgraph, 0), data.grip(ob, depsgraph)))[0] for _ in range(5)]
    print(f"off {off:.2f} ms; first {first[0]:.0f} ms; what has not changed {min(again):.2f} ms")
    assert off < 2, off
    assert min(again) < 5, again
    assert data._kept["structure", "Large"][1] is marks and data._kept["grip", "Large"][1] is grip
    assert paint_lab.stroke([(-0.5, 0, 0), (0.5, 0.2, 0)], radius=0.1) == {"FINISHED"}
    stroke = timed(lambda: data.structure(ob, depsgraph, 0))
    print(f"marks made again after a stroke: {stroke[0]:.1f} ms")
    assert data._kept["structure", "Large"][1] is not marks and data._kept["grip", "Large"][1] is grip
    assert stroke[0] < 100, stroke
    yield 0.1
