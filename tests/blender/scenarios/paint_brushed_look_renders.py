# SPDX-License-Identifier: GPL-3.0-or-later
"""The brushed look follows the map: a lamp's highlight on a combed sheet is drawn out across the
structure, on plain and on mirrored islands, and round where there is none, with and without scratches."""

import math
from array import array

import bpy
import lab
import paint_lab

SECONDS = 240
SIZE = 96


def stage(ob):
    scene = bpy.context.scene
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.data.type, camera.data.ortho_scale = "ORTHO", 0.9
    camera.location = (0.5, 0.5, 3)
    lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "POINT"))
    lamp.location, lamp.data.energy, lamp.data.shadow_soft_size = (0.5, 0.5, 2), 20, 0.05
    for made in (camera, lamp):
        scene.collection.objects.link(made)
    scene.camera, scene.render.engine = camera, "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising, scene.cycles.device = 24, False, "CPU"
    scene.render.resolution_x = scene.render.resolution_y = SIZE
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.world = bpy.data.worlds.new("Dark")
    scene.world.color = (0, 0, 0)
    return camera, lamp


def highlight(name):
    """(angle of its long axis in degrees, long over short, all of its light)."""
    scene = bpy.context.scene
    scene.render.filepath = lab.path(name + ".exr")
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(scene.render.filepath)
    pixels = array("f", bytes(4 * SIZE * SIZE * image.channels))
    image.pixels.foreach_get(pixels)
    light = pixels[1::image.channels]
    top = sorted(light)[-SIZE * SIZE // 50]
    total = x1 = y1 = xx = xy = yy = 0.0
    for i, value in enumerate(light):
        weight = min(value, top)
        x, y = i % SIZE, i // SIZE
        total, x1, y1 = total + weight, x1 + weight * x, y1 + weight * y
        xx, xy, yy = xx + weight * x * x, xy + weight * x * y, yy + weight * y * y
    assert total > 0
    x1, y1 = x1 / total, y1 / total
    xx, xy, yy = xx / total - x1 * x1, xy / total - x1 * y1, yy / total - y1 * y1
    half, spread = (xx + yy) / 2, math.hypot((xx - yy) / 2, xy)
    angle = math.degrees(0.5 * math.atan2(2 * xy, xx - yy)) % 180
    return angle, math.sqrt((half + spread) / (half - spread)), total


def run():
    ob = paint_lab.painted_sheet("256")
    assert bpy.ops.tribo.brushed_look() == {"FINISHED"}
    group = ob.data.materials[0].node_tree.nodes["Group"]
    camera, lamp = stage(ob)
    _, _, scratched = highlight("scratched")
    group.inputs["Scratches"].default_value = 0.0
    _, stretch, light = highlight("none")
    print(f"without structure: {stretch:.2f} times as long as wide, light {light:.1f}, {scratched:.1f}")
    assert stretch < 1.05, stretch
    lab.close(scratched, light, 0.01 * light, "scratches need a structure")
    for angle in (0, 30, 120):
        d = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        line = [(1 - 0.5 * d[0], 0.5 - 0.5 * d[1], 0), (1 + 0.5 * d[0], 0.5 + 0.5 * d[1], 0)]
        assert paint_lab.stroke(line, radius=4) == {"FINISHED"}
        for side in (0.5, 1.5):
            camera.location.x = lamp.location.x = side
            seen, stretch, _ = highlight(f"{angle}_{side}")
            print(f"structure at {angle}: highlight at {seen:.1f}, {stretch:.2f} times as long as wide")
            assert stretch > 1.15, stretch
            lab.close((seen - angle) % 180, 90, 6, "across the structure")
