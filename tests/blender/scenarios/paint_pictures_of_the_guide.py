# SPDX-License-Identifier: GPL-3.0-or-later
"""The two pictures of docs/painting.md: a dome combed around its middle, in the 3D view with the tool, the
panels and the overlay, and rendered with the brushed look. It stays a test: whatever draws must draw, and
the highlights must show."""

import math

import bpy
import lab
import paint_lab
import picture_lab

WINDOW = True
SECONDS = 280
RINGS, COLUMNS = 20, 72


def dome():
    """A shallow dome of radius 1 with a rim, unwrapped by Blender."""
    points, faces = [], []
    for i in range(RINGS + 1):
        r = 0.04 + 0.96 * i / RINGS
        z = 0.35 * math.cos(0.5 * math.pi * r) ** 0.7 if r < 1 else -0.08
        points += [(r * math.cos(a), r * math.sin(a), z)
                   for a in (2 * math.pi * k / COLUMNS for k in range(COLUMNS))]
    for i in range(RINGS):
        for k in range(COLUMNS):
            a, b = i * COLUMNS + k, i * COLUMNS + (k + 1) % COLUMNS
            faces.append((a, a + COLUMNS, b + COLUMNS, b))
    ob = lab.mesh_object("Dome", points, faces)
    for polygon in ob.data.polygons:
        polygon.use_smooth = True
    return ob


def height(r):
    return 0.35 * math.cos(0.5 * math.pi * min(r, 1)) ** 0.7


def comb_around(ob):
    """Rings outside, and spokes in the middle."""
    for r in (0.95, 0.85, 0.75, 0.65, 0.55):
        ring = [(r * math.cos(a), r * math.sin(a), height(r))
                for a in (2 * math.pi * k / 48 for k in range(49))]
        assert paint_lab.stroke(ring, radius=0.14) == {"FINISHED"}
    for k in range(16):
        a = 2 * math.pi * k / 16
        spoke = [(r * math.cos(a), r * math.sin(a), height(r)) for r in (0.06, 0.15, 0.25, 0.36)]
        assert paint_lab.stroke(spoke, radius=0.1) == {"FINISHED"}
    ring = [(0.42 * math.cos(a), 0.42 * math.sin(a), height(0.42))
            for a in (2 * math.pi * k / 48 for k in range(49))]
    for _ in range(3):
        assert paint_lab.stroke(ring, radius=0.1, mode="smooth") == {"FINISHED"}
    for a in (0.4, 2.0, 3.6):
        assert paint_lab.stroke([(0.6 * math.cos(a), 0.6 * math.sin(a), height(0.6))], radius=0.12,
                                mode="erase") == {"FINISHED"}


def light(scene):
    lamp = bpy.data.objects.new("Window", bpy.data.lights.new("Window", "AREA"))
    lamp.location, lamp.data.energy, lamp.data.size = (1.5, 1.8, 2.6), 90, 0.5
    lamp.rotation_euler = (-0.65, 0.45, 0.2)
    fill = bpy.data.objects.new("Fill", bpy.data.lights.new("Fill", "AREA"))
    fill.location, fill.data.energy, fill.data.size = (-2.5, -1.5, 2), 25, 2
    fill.rotation_euler = (0.5, -0.85, 0)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.location, camera.rotation_euler = (0, -2.7, 2.2), (0.87, 0, 0)
    for made in (lamp, fill, camera):
        scene.collection.objects.link(made)
    scene.camera = camera
    scene.world = bpy.data.worlds.new("Dim")
    scene.world.color = (0.02, 0.02, 0.025)


def render(scene):
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising, scene.cycles.device = 24, False, "CPU"
    scene.render.resolution_x, scene.render.resolution_y = 640, 400
    scene.render.filepath = lab.path("brushed.png")
    bpy.ops.render.render(write_still=True)


def run():
    yield 1.0
    scene = lab.empty_scene()
    ob = lab.make(dome(), "COLLIDER")
    assert bpy.ops.tribo.new_structure_map(size="1024") == {"FINISHED"}
    comb_around(ob)
    area = picture_lab.show()
    yield 2.0
    scene.tribo_overlay.structure, scene.tribo_overlay.spacing = True, 0.05
    area.tag_redraw()
    yield 2.0
    picture_lab.screenshot(area, "combing.png")
    image = bpy.data.images.load(lab.path("combing.png"))
    pixels = paint_lab.image_pixels(image)
    vivid = sum(1 for r, g, b in zip(pixels[0::4], pixels[1::4], pixels[2::4]) if max(r, g, b) - min(r, g, b) > 0.3)
    print(f"{vivid} vivid pixels")
    assert vivid > 5000, vivid
    assert not lab.addon("ui.overlay_data").messages, lab.addon("ui.overlay_data").messages
    scene.tribo_overlay.structure = False
    assert bpy.ops.tribo.brushed_look() == {"FINISHED"}
    light(scene)
    render(scene)
    picture = bpy.data.images.load(lab.path("brushed.png"))
    pixels = paint_lab.image_pixels(picture)
    assert max(pixels[1::4]) > 0.8 and min(pixels[1::4]) < 0.2
    yield 0.1
