# SPDX-License-Identifier: GPL-3.0-or-later
"""A bake in which cloth falls through cloth is not just "baked": its line says which frames are rough, the
panel goes on saying so after the file was opened again, and warnings stay until they are dismissed."""

import bpy
import lab


def run():
    scene = lab.cloth_through_cloth()
    lab.save()
    jobs = lab.addon("jobs")
    job = jobs.run(jobs.Job(scene, bpy.context.view_layer))
    assert job.state == jobs.DONE, job.message
    assert "rough" in job.line() and "High" in job.line() and "Low" in job.line(), job.line()
    assert any("pass through each other" in text for text in job.warnings), job.warnings
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=lab.path("shot.blend"))
    scene = bpy.context.scene
    caches, verdict = lab.addon("bridge.caches"), lab.addon("ui.verdict")
    found = caches.verdict(scene)
    assert found["rough"] > 0 and "crossings" in found["reasons"], found
    assert found["text"] in job.line() and "rough" in caches.sentence(scene), caches.sentence(scene)
    assert bpy.ops.tribo.go_to_frame(frame=found["worst"]) == {"FINISHED"}
    (pair,) = lab.addon("crossings").of_frame(scene)
    assert {pair["object"], pair["other"]} == {"High", "Low"} and pair["count"] > 0, pair
    kept = verdict.warnings_of(scene)
    assert kept == job.warnings, (kept, job.warnings)
    assert bpy.ops.tribo.dismiss(message=kept[0]) == {"FINISHED"}
    assert verdict.warnings_of(scene) == kept[1:]
    bpy.data.objects.remove(bpy.data.objects["High"])
    scene.frame_end = 3
    lab.bake()
    assert caches.verdict(scene)["rough"] == 0 and "rough" not in caches.sentence(scene)
    assert caches.warnings(scene) == [], caches.warnings(scene)
