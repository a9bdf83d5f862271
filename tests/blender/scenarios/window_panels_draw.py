# SPDX-License-Identifier: GPL-3.0-or-later
"""Every panel draws for every kind of object, before, during and after a bake, without a complaint;
a bake in the window goes on by itself, and Esc stops one."""

import bpy
import lab
import screen

WINDOW = True


def show_physics():
    for area in bpy.context.screen.areas:
        if area.type == "PROPERTIES":
            area.spaces.active.context = "PHYSICS"
            return area
    raise AssertionError("no properties editor")


def select(ob):
    for other in bpy.context.view_layer.objects:
        other.select_set(other == ob)
    bpy.context.view_layer.objects.active = ob


def run():
    scene = lab.empty_scene(1, 6)
    block = lab.make(lab.box("Block", (1, 1, 0.4)), "COLLIDER")
    soft = lab.make(lab.box("Soft", (0.2, 0.2, 0.2), (2, 0, 1)), "SOLID", fill__fill_from="lattice",
                    fill__cells=2)
    rigid = lab.make(lab.box("Rigid", (0.2, 0.2, 0.2), (3, 0, 1)), "RIGID")
    cloth = lab.make(lab.grid(cells=5, size=0.6, location=(0, 0, 0.3)), "CLOTH")
    bpy.ops.tribo.pair_add(a="Block", b="Cloth", mu=0.2)
    area = show_physics()
    for ob in (block, soft, rigid, cloth):
        select(ob)
        area.tag_redraw()
        yield 0.1
    lab.save()
    jobs = lab.addon("jobs")
    assert bpy.ops.tribo.bake("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    assert "Scene" in jobs.running
    yield from lab.wait_for(lambda: not jobs.running)
    held = lab.cached(lab.cache_folder(), "Cloth")
    assert len(held) == 6 and lab.farthest(lab.shown(bpy.data.objects["Cloth"], 6), held[5]) < 1e-6
    yield 0.2
    bpy.ops.ed.undo_push(message="x")
    screen.save(lab.path("panels.png"))
    yield 0.1
    scene = bpy.context.scene
    scene.frame_end = 2000
    assert bpy.ops.tribo.bake("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    yield 1.0
    screen.save(lab.path("baking.png"))
    assert jobs.running
    bpy.ops.tribo.stop()
    yield 0.3
    assert not jobs.running
    assert bpy.ops.tribo.free() == {"FINISHED"}
    yield 0.2
