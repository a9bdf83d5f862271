# SPDX-License-Identifier: GPL-3.0-or-later
"""Playing without a bake says which frames are rough, what went through what, and what was warned of; and why
a bake failed is still in the panel when the file is opened again."""

import bpy
import lab


def run():
    scene = lab.cloth_through_cloth()
    live, verdict = lab.addon("live"), lab.addon("ui.verdict")
    scene.frame_set(1)
    for frame in range(1, 11):
        scene.frame_set(frame)
    assert live.frames_of(scene) == (1, 10), live.messages
    said = verdict.live_verdict(scene)
    assert "rough" in said and "went through" in said, said
    told = verdict.warnings_of(scene)
    assert any("'High' has got through 'Low' at frame" in text or "'Low' has got through 'High' at frame" in text
               for text in told), told
    assert lab.addon("crossings").of_frame(scene), "what crosses at this frame"
    assert bpy.ops.tribo.dismiss(message=told[0]) == {"FINISHED"}
    assert verdict.warnings_of(scene) == told[1:]
    live.forget()
    assert verdict.live_verdict(scene) == ""
    a_bake_that_fails(scene)


def a_bake_that_fails(scene):
    """Pins that are driven into a block, where a bake shall not go on."""
    for ob in list(bpy.data.objects):
        bpy.data.objects.remove(ob)
    lab.make(lab.box("Block"), "COLLIDER")
    cloth = lab.make(lab.grid(cells=4, size=0.6, location=(0, 0, 0.55)), "CLOTH")
    lab.pin(cloth, range(10))
    lab.key(cloth, "location", (1, (0, 0, 0.55)), (4, (0, 0, 0.2)))
    scene.tribo.solver.on_failure = "stop"
    lab.save()
    message = lab.error_of(bpy.ops.tribo.bake)
    assert "pinned" in message and "'Block'" in message and "frame " in message, message
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    said = lab.addon("bridge.caches").sentence(bpy.context.scene)
    assert said.startswith("Failed, frames 1 to ") and "is pinned" in said and "frame " in said, said
