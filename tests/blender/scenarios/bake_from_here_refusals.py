# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake from this frame where it cannot be: without a bake, outside of the baked frames, without kept
states, with another mesh. Each refusal says why, in the words of the panels, and leaves the cache as it was."""

import shutil

import bpy
import lab


def refuse(*words):
    message = lab.error_of(bpy.ops.tribo.bake_from_here)
    assert any(word in message for word in words) and "--" not in message, (words, message)
    assert not lab.addon("jobs").running


def run():
    scene, cloth = lab.hanging(4, 6)
    lab.save()
    refuse("no bake")
    folder = lab.bake()
    shutil.copytree(folder, lab.path("kept"))
    scene.frame_end = 20
    scene.frame_set(15)
    refuse("15")
    scene.frame_set(0)
    refuse("0")
    lab.same_files(folder, lab.path("kept"), ["Cloth.pc2", "Cloth.local.pc2"])
    scene.frame_end = 6
    scene.frame_set(3)
    other = lab.make(lab.grid("Another", 2, 1.0, (5, 0, 1)), "CLOTH")
    refuse("Another", "object", "scene")
    lab.same_files(folder, lab.path("kept"), ["Cloth.pc2", "Cloth.local.pc2"])
    bpy.data.objects.remove(other)
    bpy.context.view_layer.update()
    lab.plays(cloth)
    scene.tribo.keep_states = False
    lab.bake()
    scene.frame_set(3)
    refuse("switch on Allow Bake From Any Frame")
    lab.same_files(folder, lab.path("kept"), ["Cloth.pc2", "Cloth.local.pc2"])
