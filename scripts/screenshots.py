# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of docs/blender.md in a window, with pictures; scripts/screenshots starts it. What the guide tells
of soft tissue and of garments is set up by the scenarios that try those steps."""

import math
import os
import sys

import bpy
import hand
import lab
import picture_lab
import screen
from mathutils import Euler, Vector

WINDOW = True
sys.path.append(os.path.join(os.environ["TRIBO_SOURCE"], "tests", "blender", "scenarios"))


BELOW = 0.17  # the middle of Lower below that of the 3D view, in parts of the distance


class Lower:
    """Of the window, what matters: without the menus and the outliner."""

    x, y, width, height = 0, 0, 1400, 600


def shot(name, what=Lower):
    """A part of the window: one of its editors, or its lower part."""
    os.makedirs(lab.path("pictures"), exist_ok=True)
    yield 0.3
    screen.save(lab.path("whole.png"))
    picture_lab.cut(lab.path("whole.png"), lab.path("pictures", name + ".png"), what)
    print("shot:", name, flush=True)


def look(at, distance, pitch=65, turn=35):
    """Turns the 3D view to a place, in degrees from straight down and about the vertical. The place is in
    the middle of what `Lower` leaves of the view."""
    space = hand.area("VIEW_3D").spaces.active
    view = space.region_3d
    turned = Euler((math.radians(pitch), 0, math.radians(turn))).to_quaternion()
    view.view_perspective, view.view_rotation = "PERSP", turned
    view.view_location, view.view_distance = Vector(at) + turned @ Vector((0, BELOW * distance, 0)), distance
    space.shading.color_type, space.overlay.show_cursor = "MATERIAL", False


def scroll_down():
    yield from hand.move(hand.middle(hand.region("PROPERTIES")))
    for _ in range(30):
        yield from hand.key("WHEELDOWNMOUSE")


def bake():
    jobs = lab.addon("jobs")
    assert bpy.ops.tribo.bake("INVOKE_DEFAULT") == {"RUNNING_MODAL"}, jobs.last
    yield from hand.wait_for(lambda: not jobs.running, 600)
    assert "baked" in jobs.last[bpy.context.scene.name], jobs.last


def first_bake():
    """The five steps: grid, Cloth, Collider, Bake, play. The cube is rounded, as Ctrl 3 does it."""
    scene = bpy.context.scene
    scene.frame_end = 100
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=20, y_subdivisions=20, size=2.2, location=(0, 0, 1))
    cloth = bpy.context.object
    for polygon in cloth.data.polygons:
        polygon.use_smooth = True
    lab.select(bpy.data.objects["Cube"])
    bpy.ops.object.subdivision_set(level=3)
    bpy.ops.object.shade_smooth()
    lab.select(cloth)
    look((0, 0, 0.5), 7.5)
    yield from hand.tab("PHYSICS")
    x, y = yield from hand.find("rigidbody.constraint_add(")
    yield from hand.click((x, y - 26))
    yield from shot("first_1_kind")
    yield from hand.key("ESC")
    bpy.ops.tribo.add(kind="CLOTH")
    yield from hand.key("HOME", hand.middle(hand.region("PROPERTIES")))
    yield from shot("first_2_cloth", hand.area("PROPERTIES"))
    lab.select(bpy.data.objects["Cube"])
    bpy.ops.tribo.add(kind="COLLIDER")
    yield from shot("first_3_collider")
    bpy.ops.wm.save_as_mainfile(filepath=lab.path("shot.blend"))
    jobs = lab.addon("jobs")
    bpy.ops.tribo.bake("INVOKE_DEFAULT")
    yield from hand.wait_for(lambda: not jobs.running or (jobs.running["Scene"].poll or {}).get("frame", 0) > 4)
    lab.select(cloth)
    yield from scroll_down()
    yield from shot("first_4_baking")
    yield from hand.wait_for(lambda: not jobs.running, 600)
    scene.frame_set(100)
    yield from hand.key("HOME", hand.middle(hand.region("PROPERTIES")))  # where Result is
    yield from shot("first_5_baked")


def painting():
    """The Comb tool on the example."""
    bpy.ops.tribo.example(name="combed_ramp")
    scene = bpy.context.scene
    lab.select(scene.objects["Ramp"])
    scene.tribo_comb.radius, scene.tribo_overlay.spacing = 0.12, 0.075
    for name in ("Silk", "Ball", "Floor"):
        scene.objects[name].hide_set(True)
    look((0, -0.1, 0.4), 4.5, 55, 25)
    yield from hand.press("tribo.comb_tool", "VIEW_3D", "TOOLS")
    yield from hand.move(hand.middle(hand.region("VIEW_3D")))
    yield from shot("painting")


def soft_tissue():
    import guide_soft_tissue

    scene, body = guide_soft_tissue.make()
    scene.tribo.world.quality = "good"
    skin = bpy.data.materials.new("Skin")
    skin.diffuse_color = (0.6, 0.38, 0.28, 1)
    body.data.materials.append(skin)
    body.modifiers["Subdivision"].levels = 2
    scene.objects["Rig"].show_in_front = True
    lab.select(body)
    look((0, -0.04, -0.02), 1.5, 82, 62)
    yield from bake()
    scene.frame_set(9)
    yield from hand.key("HOME", hand.middle(hand.region("PROPERTIES")))
    yield from shot("soft_tissue")


def garment():
    import guide_garment

    scene, skin, bones, skirt = guide_garment.make()
    over = guide_garment.skirt(scene, lab.addon("examples.shapes"), "Over", 0.018, (0.42, 0.06, 0.05))
    guide_garment.dress(over, skin, bones)
    for worn in (skirt, over):
        worn.modifiers.new("Subdivision", "SUBSURF").levels = 2
    scene.tribo.world.quality = "good"  # as the guide has it
    bones.hide_set(True)
    lab.select(over)
    look((0, 0, 0.48), 2.1, 75, 30)
    yield from bake()
    scene.frame_set(16)
    yield from hand.key("HOME", hand.middle(hand.region("PROPERTIES")))  # below is a path of this machine
    yield from shot("garment")


def run():
    for part in (first_bake, soft_tissue, garment, painting):
        yield from part()
