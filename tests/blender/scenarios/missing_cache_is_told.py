# SPDX-License-Identifier: GPL-3.0-or-later
"""A cache that is gone: the panel says which objects stand as modelled and where it was looked for, a render
without a window ends with exit code 5 and renders nothing, unless the scene says to render nevertheless. One that
was copied in part, or emptied, likewise."""

import os
import shutil

import bpy
import lab

SECONDS = 120


def render(expect):
    shutil.rmtree(lab.path("out"), ignore_errors=True)
    done = lab.another_blender(lab.path("shot.blend"), "--addons", lab.PACKAGE, "-o", lab.path("out", "f"), "-f", "2",
                               expect=expect)
    return done.stderr, os.path.isdir(lab.path("out"))


def seen_from_elsewhere(of_render, collection):
    """As an instance, or behind another scene: what is missing is missing there as well."""
    other = bpy.data.scenes.new("Other")
    assert of_render(other) == ([], [])
    instance = bpy.data.objects.new("Instance", None)
    instance.instance_type, instance.instance_collection = "COLLECTION", collection
    other.collection.objects.link(instance)
    assert "Cloth: its cache is missing" in of_render(other)[0][0], of_render(other)
    bpy.data.objects.remove(instance)
    other.background_set = bpy.data.scenes["Scene"]
    assert "Cloth: its cache is missing" in of_render(other)[0][0], of_render(other)
    bpy.data.scenes.remove(other)


def run():
    scene = lab.empty_scene(1, 3)
    scene.tribo.live = False
    cloth = lab.make(lab.grid(cells=2), "CLOTH")
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(scene.camera)
    scene.render.engine, scene.render.resolution_x, scene.render.resolution_y = "CYCLES", 8, 8
    scene.cycles.samples, scene.cycles.use_denoising = 1, False
    lab.save()
    of_render = lab.addon("bridge.missing").of_render
    assert of_render(scene) == ([], ["Cloth is not baked, and is rendered as modelled"]), of_render(scene)
    folder = lab.bake()
    bpy.ops.wm.save_mainfile()
    assert of_render(scene) == ([], []), of_render(scene)
    away = lab.path("away")
    os.rename(folder, away)
    said, made = render(5)
    assert not made and f"tribo: Cloth: its cache is missing: {folder}" in said, said
    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    scene, missing = bpy.context.scene, lab.addon("bridge.missing")
    told = missing.sentence(scene)
    assert folder in told and "Cloth stands as modelled" in told, told
    bpy.ops.wm.save_mainfile()  # does not make it forgotten
    assert of_render(scene)[0], "saved"
    aside = bpy.data.collections.new("Aside")
    scene.collection.children.link(aside)
    cloth = bpy.data.objects["Cloth"]
    scene.collection.objects.unlink(cloth)
    aside.objects.link(cloth)
    assert of_render(scene)[0], "in a collection of its own"
    aside.hide_render = True  # then no render shows it
    assert of_render(scene) == ([], []), of_render(scene)
    aside.hide_render = False
    seen_from_elsewhere(of_render, aside)
    scene.tribo.missing = "RENDER"
    bpy.ops.wm.save_mainfile()
    said, made = render(0)
    assert made and "its cache is missing" in said, said
    os.rename(away, folder)
    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    scene = bpy.context.scene
    assert missing.sentence(scene) == "" and len(lab.plays(bpy.data.objects["Cloth"])) == 3
    file = os.path.join(folder, "Cloth.local.pc2")
    whole = os.path.getsize(file)
    scene.tribo.missing = "STOP"
    bpy.ops.wm.save_mainfile()
    os.truncate(file, whole - 4)
    assert "is cut off after 2 of 3 frames" in missing.sentence(scene), missing.sentence(scene)
    said, made = render(5)
    assert not made and f"tribo: Cloth: its cache is cut off after 2 of 3 frames: {file}" in said, said
    for size in (20, 0):
        os.truncate(file, size)
        assert "is no cache, or was emptied" in missing.sentence(scene), missing.sentence(scene)
    os.unlink(file)
    assert "Cloth.local.pc2" in missing.sentence(scene)
    shutil.rmtree(folder)
    assert missing.sentence(scene)
    assert bpy.ops.tribo.free() == {"FINISHED"}
    assert missing.sentence(scene) == "" and lab.addon("bridge.caches").remembered(scene) == ""
