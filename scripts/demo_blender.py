# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo in Blender, for scripts/demo: makes the example Combed Ramp, bakes it with the add-on and
renders it.

    blender -b --factory-startup --python-exit-code 1 -P scripts/demo_blender.py -- make FILE.blend
    blender -b FILE.blend --python-exit-code 1 -P scripts/demo_blender.py -- render PICTURE.png [FRAME]

The picture shows where the puck was in earlier frames too.
"""

import math
import os
import sys

import addon_utils
import bpy
from mathutils import Vector

SAMPLES = 32
SIZE = 1120, 630
EARLIER = (1, 11, 17, 22, 27, 31)


def need_addon():
    if addon_utils.enable("tribo", default_set=True) is None:
        raise SystemExit("demo_blender: the add-on cannot be enabled")


def make(path):
    need_addon()
    for ob in list(bpy.data.objects):
        bpy.data.objects.remove(ob)
    from tribo.examples import combed_ramp

    combed_ramp.make(bpy.context.scene)
    bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(path))
    from tribo import jobs

    scene = bpy.context.scene
    job = jobs.run(jobs.Job(scene, bpy.context.view_layer),
                   report=lambda job: print("demo: " + job.line(), flush=True))
    if job.state != jobs.DONE:
        raise SystemExit("demo_blender: " + job.line())
    dress(scene)
    bpy.ops.wm.save_mainfile()


def dress(scene):
    """Materials, light and camera for the picture."""
    from tribo.ops import brushed

    ramp = bpy.data.objects["Ramp"]
    ramp.data.materials[0] = brushed.make_material(ramp)
    group = next(n for n in ramp.data.materials[0].node_tree.nodes if n.type == "GROUP")
    group.inputs["Scratch Density"].default_value = 110.0
    group.inputs["Scratch Length"].default_value = 0.06
    group.inputs["Scratches"].default_value = 1.0
    group.inputs["Roughness"].default_value = 0.32
    thick = ramp.modifiers.new("Thickness", "SOLIDIFY")
    thick.thickness, thick.offset = 0.03, -1
    for name, rough, sheen in (("Stays", 0.25, 0), ("Rides", 0.25, 0), ("Silk", 0.35, 0.6), ("Ball", 0.4, 0),
                               ("Floor", 0.7, 0)):
        shader = bpy.data.materials[name].node_tree.nodes["Principled BSDF"]
        shader.inputs["Roughness"].default_value = rough
        if "Sheen" in shader.inputs:
            shader.inputs["Sheen"].default_value = sheen
    bpy.data.materials["Floor"].node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (
        0.20, 0.22, 0.25, 1)
    bpy.data.objects.remove(bpy.data.objects["Sun"])
    world = bpy.data.worlds.new("Demo")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs[0].default_value = (0.30, 0.34, 0.40, 1)
    world.node_tree.nodes["Background"].inputs[1].default_value = 0.5
    scene.world = world
    lamp(scene, "Key", (-3.0, -2.5, 3.6), 2.0, 330, (1.0, 0.92, 0.82))
    lamp(scene, "Rim", (2.2, 3.4, 2.4), 2.6, 330, (0.75, 0.86, 1.0))
    aim(scene, Vector((1.15, -4.2, 2.0)), Vector((-0.13, -0.62, 0.33)), 44)


def lamp(scene, name, place, size, watts, colour):
    data = bpy.data.lights.new(name, "AREA")
    data.size, data.energy, data.color = size, watts, colour
    ob = bpy.data.objects.new(name, data)
    ob.location = place
    ob.rotation_euler = (Vector((0, -0.5, 0.3)) - Vector(place)).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(ob)


def aim(scene, place, target, lens):
    camera = scene.camera
    camera.location, camera.data.lens = place, lens
    camera.rotation_euler = (target - place).to_track_quat("-Z", "Y").to_euler()


def leave_trail(scene, name, frames):
    """Copies of an object as it was in earlier frames, the earlier the paler."""
    ob = bpy.data.objects[name]
    for number, frame in enumerate(frames):
        scene.frame_set(frame)
        seen = ob.evaluated_get(bpy.context.evaluated_depsgraph_get())
        mesh = bpy.data.meshes.new_from_object(seen)
        ghost = bpy.data.objects.new(f"{name} {frame}", mesh)
        ghost.matrix_world = seen.matrix_world
        material = bpy.data.materials[name].copy()
        share = 0.12 + 0.4 * number / len(frames)
        material.node_tree.nodes["Principled BSDF"].inputs["Alpha"].default_value = share
        mesh.materials.clear()
        mesh.materials.append(material)
        scene.collection.objects.link(ghost)


def render(path, frame):
    scene = bpy.context.scene
    leave_trail(scene, "Rides", [f for f in EARLIER if f < frame])
    scene.frame_set(frame)
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = SAMPLES
    scene.cycles.use_adaptive_sampling = True
    scene.cycles.adaptive_threshold = 0.16 / math.sqrt(SAMPLES)
    scene.cycles.use_denoising = False  # Debian builds Blender without the denoiser
    scene.cycles.max_bounces = 6
    scene.cycles.sample_clamp_indirect = 2.0
    scene.view_settings.view_transform = "Filmic"
    scene.view_settings.look = "Medium High Contrast"
    scene.render.resolution_x, scene.render.resolution_y = SIZE
    scene.render.resolution_percentage = 100
    scene.render.use_stamp = False
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode = "RGB"
    scene.render.image_settings.compression = 90
    scene.render.filepath = os.path.abspath(path)
    bpy.ops.render.render(write_still=True)


def main():
    words = sys.argv[sys.argv.index("--") + 1:]
    if words[0] == "make":
        make(words[1])
    else:
        render(words[1], int(words[2]) if len(words) > 2 else 35)


main()
