# SPDX-License-Identifier: GPL-3.0-or-later
"""Rendering while the scene is read and while it is baked: the picture is made, the bake gives the bits of
an undisturbed one, and the picture after it shows the baked frame."""

import os
import shutil

import bpy
import lab

SECONDS = 120


def render(name):
    bpy.context.scene.render.filepath = lab.path(name)
    assert bpy.ops.render.render(write_still=True) == {"FINISHED"}
    assert os.path.getsize(lab.path(name)) > 0
    image = bpy.data.images.load(lab.path(name))
    pixels = list(image.pixels)
    bpy.data.images.remove(image)
    return pixels


def run():
    scene, cloth = lab.hanging(8, 20)
    render_to = scene.render
    render_to.engine, scene.cycles.samples = "CYCLES", 1
    scene.cycles.use_denoising = False
    render_to.resolution_x = render_to.resolution_y = 16
    render_to.threads_mode, render_to.threads = "FIXED", 1
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.location = (0, 0, 4)
    scene.collection.objects.link(camera)
    scene.camera = camera
    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    scene.collection.objects.link(sun)
    lab.save()
    folder = lab.bake()
    shutil.copytree(folder, lab.path("alone"))
    scene.frame_set(20)
    after = render("after.png")
    bpy.ops.tribo.free()
    job = lab.begin_job()
    job.sampler.read(0)
    render("reading.png")
    while not (job.poll and (job.poll["frame"] or 0) >= 2):
        assert job.advance()
    render("baking.png")
    lab.finish_job(job)
    lab.same_files(folder, lab.path("alone"), ["Cloth.pc2", "Cloth.local.pc2"])
    scene.frame_set(20)
    assert render("again.png") == after
    scene.frame_set(1)
    assert render("first.png") != after, "the picture does not show the bake"
    scene.frame_start, scene.frame_end = 19, 20
    scene.render.filepath = lab.path("movie")
    assert bpy.ops.render.render(animation=True) == {"FINISHED"}
    assert cloth.modifiers["Tribo"].factor == 1.0
