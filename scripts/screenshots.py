# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of docs/blender.md in a window, with pictures; scripts/screenshots starts it."""

import os

import bpy
import hand
import lab

WINDOW = True


class Lower:
    """Of the window, what matters: without the menus and the outliner."""

    x, y, width, height = 0, 0, 1400, 600


def shot(name, what=Lower):
    """A part of the window: one of its editors, or its lower part."""
    os.makedirs(lab.path("pictures"), exist_ok=True)
    yield 0.3
    whole = lab.path("whole.png")
    bpy.ops.screen.screenshot(filepath=whole)
    image = bpy.data.images.load(whole)
    width = image.size[0]
    left, low, right, top = what.x, what.y, what.x + what.width, what.y + what.height
    cut = bpy.data.images.new("cut", right - left, top - low)
    pixels = image.pixels[:]
    rows = [pixels[4 * (y * width + left):4 * (y * width + right)] for y in range(low, top)]
    cut.pixels.foreach_set([x for row in rows for x in row])
    cut.filepath_raw, cut.file_format = lab.path("pictures", name + ".png"), "PNG"
    bpy.context.scene.render.image_settings.color_mode = "RGB"
    cut.save()
    bpy.data.images.remove(image)
    bpy.data.images.remove(cut)
    print("shot:", name, flush=True)


def select(ob):
    for other in bpy.context.view_layer.objects:
        other.select_set(other == ob)
    bpy.context.view_layer.objects.active = ob


def bake():
    jobs = lab.addon("jobs")
    assert bpy.ops.tribo.bake("INVOKE_DEFAULT") == {"RUNNING_MODAL"}, jobs.last
    yield from hand.wait_for(lambda: not jobs.running, 600)


def first_bake():
    """The five steps: grid, Cloth, Collider, Bake, play."""
    scene = bpy.context.scene
    scene.frame_end = 30
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=20, y_subdivisions=20, size=3.4, location=(0, 0, 1.1))
    cloth = bpy.context.object
    for polygon in cloth.data.polygons:
        polygon.use_smooth = True
    yield from hand.tab("PHYSICS")
    x, y = yield from hand.find("rigidbody.constraint_add(")
    yield from hand.click((x, y - 26))
    yield from shot("first_1_kind")
    yield from hand.key("ESC")
    bpy.ops.tribo.add(kind="CLOTH")
    yield from hand.key("HOME", hand.middle(hand.region("PROPERTIES")))
    yield from shot("first_2_cloth", hand.area("PROPERTIES"))
    select(bpy.data.objects["Cube"])
    bpy.ops.tribo.add(kind="COLLIDER")
    yield from shot("first_3_collider")
    bpy.ops.wm.save_as_mainfile(filepath=lab.path("shot.blend"))
    jobs = lab.addon("jobs")
    bpy.ops.tribo.bake("INVOKE_DEFAULT")
    yield from hand.wait_for(lambda: not jobs.running or (jobs.running["Scene"].poll or {}).get("frame", 0) > 4)
    select(cloth)
    yield from hand.move(hand.middle(hand.region("PROPERTIES")))
    for _ in range(30):
        yield from hand.key("WHEELDOWNMOUSE")
    yield from shot("first_4_baking")
    yield from hand.wait_for(lambda: not jobs.running, 600)
    scene.frame_set(30)
    yield from shot("first_5_baked")


def example(name, frame, shows):
    bpy.ops.tribo.example(name=name)
    scene = bpy.context.scene
    for area in bpy.context.screen.areas:
        if area.type == "VIEW_3D":
            area.spaces.active.region_3d.view_perspective = "CAMERA"
            area.spaces.active.shading.color_type = "MATERIAL"
    scene.render.resolution_x, scene.render.resolution_y = 1200, 820
    yield from shows(scene, frame)


def garment(scene, frame):
    scene.frame_end = frame
    select(scene.objects["Skirt"])
    yield from bake()
    scene.frame_set(frame)
    yield from shot("garment", hand.area("VIEW_3D"))


def painting(scene, _frame):
    ramp = scene.objects["Ramp"]
    select(ramp)
    scene.tribo_comb.radius = 0.12
    yield from hand.press("tribo.comb_tool", "VIEW_3D", "TOOLS")
    yield from hand.move(hand.middle(hand.region("VIEW_3D")))
    yield from shot("painting", hand.area("VIEW_3D"))


def run():
    yield from first_bake()
    yield from example("combed_ramp", 1, painting)
    yield from example("garment", 12, garment)
