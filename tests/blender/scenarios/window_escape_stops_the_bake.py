# SPDX-License-Identifier: GPL-3.0-or-later
"""In a window: a bake runs with progress in the status bar and the panel; Esc, as a key of the
keyboard, stops it at once, while it reads the scene and while it simulates; undo in between leaves
no stuck state."""

import subprocess

import bpy
import lab

WINDOW = True


def press(key):
    subprocess.run(["xdotool", "mousemove", "500", "400", "key", key], check=True)


def run():
    scene = lab.empty_scene(1, 100000)
    cloth = lab.make(lab.grid(cells=12), "CLOTH")
    lab.pin(cloth, [0, 12])
    bpy.ops.ed.undo_push(message="set up")
    lab.save()
    jobs = lab.addon("jobs")
    yield 0.5
    assert bpy.ops.tribo.bake("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    yield 0.5
    assert jobs.running["Scene"].state == jobs.READING
    press("Escape")
    yield from lab.wait_for(lambda: not jobs.running, 5)
    assert not any(m.name == "Tribo" and not m.show_viewport for m in cloth.modifiers)

    scene = bpy.context.scene
    scene.frame_end = 300
    assert bpy.ops.tribo.bake("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    yield from lab.wait_for(lambda: (jobs.running["Scene"].poll or {}).get("frame"))
    assert "frame" in jobs.running["Scene"].line()
    bpy.ops.ed.undo_push(message="one")
    bpy.ops.ed.undo()
    yield 0.3
    assert jobs.running
    press("Escape")
    yield from lab.wait_for(lambda: not jobs.running, 5)
    caches = lab.addon("bridge.caches")
    assert caches.status(bpy.context.scene) == "cancelled"
    assert bpy.ops.tribo.resume("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    yield 0.5
    bpy.ops.wm.read_homefile(use_factory_startup=False)  # another file: the bake ends with the old one
    yield 0.5
    assert not jobs.running
