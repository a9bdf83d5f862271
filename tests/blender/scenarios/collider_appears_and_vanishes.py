# SPDX-License-Identifier: GPL-3.0-or-later
"""Keyframes and drivers of a collider's visibility: it catches cloth from the frame on that it is shown
at, and lets go at the frame it is hidden at; what is inside then is pushed out with a warning; the bundle for
the farm has the same bits; a moved key makes the cache stale, by name; resuming and baking from a frame
agree. What is simply hidden, or held hidden by a key, is a proxy and takes part. What is simulated may be shown
and hidden as one likes."""

import bpy
import lab

GRAVITY = 9.81
H = 1 / 48  # two substeps of a frame at 24 frames a second


def fallen(steps):
    """Of backward Euler, from rest."""
    return GRAVITY * H * H * steps * (steps + 1) / 2


def heights(folder, name="Cloth"):
    return [min(points[2::3]) for points in lab.cached(folder, name)]


def show(ob, path, *moments):
    """Keys of a visibility: (frame, shown)."""
    for frame, shown in moments:
        setattr(ob, path, not shown)
        ob.keyframe_insert(path, frame=frame)


def unkey(ob, *paths):
    for path in paths:
        lab.fcurves(ob).remove(lab.fcurves(ob).find(path))
        setattr(ob, path, False)


def catches(block, cloth):
    """Both paths, each alone; together hide_render decides."""
    lab.bake()
    there = lab.cached(lab.cache_folder(), "Cloth")
    assert heights(lab.cache_folder())[11] > -0.22, "a block that is there holds it"
    show(block, "hide_render", (1, False), (4, True))
    folder = lab.bake()
    caught = lab.cached(folder, "Cloth")
    assert caught == there, "it appears before it is touched"
    show(block, "hide_viewport", (1, True), (3, False))  # render decides
    assert lab.cached(lab.bake(), "Cloth") == there
    lab.plays(cloth)
    unkey(block, "hide_render")
    folder = lab.bake()
    lab.close(heights(folder)[11], -fallen(22), 1e-3, "without it the cloth falls")
    unkey(block, "hide_viewport")
    show(block, "hide_viewport", (1, False), (4, True))
    assert lab.cached(lab.bake(), "Cloth") == there
    unkey(block, "hide_viewport")
    driver = block.driver_add("hide_viewport").driver
    driver.type, driver.expression = "SCRIPTED", "frame < 4"
    bpy.context.scene.frame_set(2)
    assert lab.cached(lab.bake(), "Cloth") == there
    assert bpy.context.scene.frame_current == 2 and block.hide_viewport, "all is as it was"
    assert not any(curve.mute for curve in block.animation_data.drivers)
    block.driver_remove("hide_viewport")
    block.hide_viewport = False


def is_a_proxy(block):
    """Hidden for good, by hand or by a key."""
    reference = lab.cached(lab.bake(), "Cloth")
    for path in ("hide_render", "hide_viewport"):
        show(block, path, (1, False), (9, False))
        assert lab.cached(lab.bake(), "Cloth") == reference and getattr(block, path)
        unkey(block, path)


def lets_go(scene, block, cloth):
    """A moving one, which is read while it is hidden too; the cloth's own visibility changes nothing."""
    cloth.location.z = -0.198  # it begins with a thickness of 2 mm
    lab.key(block, "location", (1, (0, 0, -0.3)), (12, (0.02, 0, -0.3)))
    show(block, "hide_viewport", (1, True), (6, False))
    show(cloth, "hide_viewport", (1, False), (3, True))
    show(cloth, "hide_render", (1, True), (8, False))
    lab.save()
    folder = lab.bake()
    held = heights(folder)
    # frame 6 is the first without it, and ends the first step without it
    lab.close(held[4], -0.198, 1e-5, "it lies at frame 5")
    for frame in range(6, 13):
        steps = 2 * (frame - 6) + 1
        lab.close(held[frame - 1], held[4] - fallen(steps), 2e-6, f"falls at frame {frame}")
    assert lab.changes() == []
    whole = lab.cached(folder, "Cloth")

    assert bpy.ops.tribo.export_farm(directory=lab.path("bundle")) == {"FINISHED"}
    lab.tribo("bake", lab.path("bundle", "scene.json"), "--out", lab.path("farm"), "--progress", "none")
    lab.same_files(folder, lab.path("farm"), ["Cloth.pc2"])
    assert lab.bake_json(folder)["scene_hash"] == lab.bake_json(lab.path("farm"))["scene_hash"]
    assert "there from frame 1 to before 6" in lab.tribo("check", lab.path("bundle", "scene.json")).stdout

    job = lab.begin_job(7)  # past the vanishing
    job.cancel()
    assert bpy.ops.tribo.resume() == {"FINISHED"}
    assert lab.cached(folder, "Cloth") == whole

    # the simulated object's own keys are no input; the block's are
    lab.fcurves(cloth).find("hide_render").keyframe_points[1].co.x = 9
    assert lab.changes() == [], lab.changes()
    curve = lab.fcurves(block).find("hide_viewport")
    curve.keyframe_points[1].co.x = 9
    assert lab.changes() == ["Block: its visibility changed"], lab.changes()
    scene.frame_set(4)
    assert bpy.ops.tribo.bake_from_here() == {"FINISHED"}
    later = heights(folder)
    lab.close(later[7], -0.198, 1e-5, "it lies at frame 8 now")
    assert later[8] < later[7] - 1e-4
    assert lab.changes() == []
    show(block, "hide_render", (1, True), (5, False))  # which decides from now on
    assert lab.changes() == ["Block: its visibility changed"], lab.changes()
    block.animation_data_clear()
    cloth.animation_data_clear()
    for ob in (block, cloth):
        ob.hide_viewport = ob.hide_render = False


def pushes_out(scene, block, cloth):
    cloth.location.z = 0.0
    block.location = (0, 0, -0.05)  # around the cloth
    block.scale = (1, 1, 2)
    show(block, "hide_render", (1, False), (3, True))
    jobs = lab.addon("jobs")
    job = jobs.run(jobs.Job(scene, bpy.context.view_layer))
    assert job.state == jobs.DONE, job.message
    warned = [text for text in job.warnings if "inside the surface of 'Block' when that appears" in text]
    assert warned and "'Cloth': vertex" in warned[0], job.warnings
    found = heights(job.folder)
    lab.close(found[1], -fallen(2), 1e-5, "it falls at first")
    assert found[1] < found[2] < 0.1, ("it is not thrown", found)
    lab.close(found[11], 0.152, 1e-4, "it lies on the block, by its thickness")
    block.animation_data_clear()
    block.scale, block.hide_render = (1, 1, 1), False


def between_frames(scene, block, cloth):
    """Colliders are read as often as the scene says, and this with them."""
    cloth.location.z = -0.198
    block.location = (0, 0, -0.3)
    show(block, "hide_render", (1, True), (5.5, False))
    for samples, without in ((1, 1), (2, 2)):  # steps up to frame 6
        scene.tribo.samples = samples
        found = heights(lab.bake())
        lab.close(found[5], found[4] - fallen(without), 2e-6, f"{samples} samples a frame")
    scene.tribo.samples = 1
    block.animation_data_clear()


def lives(scene, block, cloth, path):
    """Frame by frame the same, of a block that moves while it is hidden."""
    cloth.location.z = 0.0
    lab.key(block, "location", (1, (0, 0, -0.6)), (6, (0, 0, -0.3)))
    show(block, path, (1, False), (5, True), (11, False))
    baked = lab.cached(lab.bake(), "Cloth")
    assert min(baked[9][2::3]) > -0.21 and min(baked[11][2::3]) < min(baked[9][2::3]) - 0.01
    assert bpy.ops.tribo.free() == {"FINISHED"}
    live = lab.addon("live")
    for frame in range(1, 13):
        scene.frame_set(frame)
        assert live.frames_of(scene) == (1, frame), live.messages
        assert block.hide_get() is False and getattr(block, path) == (not 5 <= frame < 11)
        worst = lab.farthest(lab.shown(cloth), baked[frame - 1])
        assert worst < 1e-6, (path, frame, worst)
    block.animation_data_clear()
    setattr(block, path, False)


def run():
    scene = lab.empty_scene(1, 12)
    block = lab.make(lab.box("Block", (2, 2, 0.2), (0, 0, -0.3)), "COLLIDER")
    cloth = lab.make(lab.grid("Cloth", 4, 0.5, (0, 0, 0)), "CLOTH", **lab.IN_VACUUM)
    lab.save()
    catches(block, cloth)
    is_a_proxy(block)
    lets_go(scene, block, cloth)
    pushes_out(scene, block, cloth)
    between_frames(scene, block, cloth)
    lives(scene, block, cloth, "hide_render")
    lives(scene, block, cloth, "hide_viewport")
