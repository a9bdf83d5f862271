# SPDX-License-Identifier: GPL-3.0-or-later
"""`tribo bake` of the exported bundle, Blender's own bake and the farm script give the same bits: with
moving and deforming colliders, pins that move, a map, a soft body and names that need changing."""

import os

import bpy
import lab


def scene_with_everything():
    scene = lab.empty_scene(1, 4)
    scene.tribo.samples = 2
    ramp = lab.box("ramp/1", (2, 2, 0.2), (0, 0, -0.1))
    ramp.keyframe_insert("rotation_euler", frame=1)
    ramp.rotation_euler = (0.1, 0, 0.05)
    ramp.keyframe_insert("rotation_euler", frame=4)
    lab.make(ramp, "COLLIDER")
    wave = lab.grid("Wave", 4, 1.0, (0, 0, 0.2))
    wave.shape_key_add(name="Basis")
    key = wave.shape_key_add(name="Up")
    key.data[12].co.z += 0.1
    key.keyframe_insert("value", frame=1)
    key.value = 1.0
    key.keyframe_insert("value", frame=4)
    lab.make(wave, "COLLIDER")
    cloth = lab.grid("Cloth", 5, 0.8, (0, 0, 0.35))
    lab.make(cloth, "CLOTH")
    lab.pin(cloth, [0, 5])
    cloth.keyframe_insert("location", frame=1)
    cloth.location.z += 0.05
    cloth.keyframe_insert("location", frame=4)
    soft = lab.box("cloth", (0.3, 0.3, 0.3), (2, 0, 0.5))
    lab.make(soft, "SOLID", fill__fill_from="lattice", fill__cells=3)
    image = bpy.data.images.new("grip", 4, 4, float_buffer=True, is_data=True)
    cloth.data.uv_layers.new()
    cloth.tribo.friction_map = image
    bpy.ops.tribo.pair_add(a="ramp/1", b="Cloth", mu=0.3)
    return scene


def run():
    scene_with_everything()
    lab.save()
    folder = lab.bake()
    names = [n for n in os.listdir(folder) if n.endswith(".pc2")]
    assert len(names) == 4, names
    assert bpy.ops.tribo.export_farm(directory=lab.path("bundle")) == {"FINISHED"}
    lab.tribo("bake", lab.path("bundle", "scene.json"), "--out", lab.path("farm"), "--progress", "none")
    world = [n for n in names if not n.endswith(".local.pc2")]
    lab.same_files(folder, lab.path("farm"), world)
    assert lab.bake_json(folder)["scene_hash"] == lab.bake_json(lab.path("farm"))["scene_hash"]

    lab.save("shot.blend")
    script = lab.script()
    copy = lab.path("elsewhere")
    os.makedirs(copy)
    os.rename(lab.path("shot.blend"), os.path.join(copy, "shot.blend"))
    done = lab.another_blender("--factory-startup", os.path.join(copy, "shot.blend"), "-P", script, "--",
                               "--resume", "--progress", "json")
    assert '"status": "done"' in done.stdout, done.stdout
    lab.same_files(folder, os.path.join(copy, "tribo_cache_shot", "Scene"), names)
    again = lab.another_blender("--factory-startup", os.path.join(copy, "shot.blend"), "-P", script,
                                "--", "--scene", "Nowhere", expect=2)
    assert "there is no scene 'Nowhere'" in again.stderr, again.stderr
