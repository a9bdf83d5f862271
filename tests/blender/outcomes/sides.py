# SPDX-License-Identifier: GPL-3.0-or-later
"""Who simulates a scene: Tribo, or Blender itself. Each makes an object cloth, soft, rigid or a collider by
one click with its defaults, has wind as its user would make it, and simulates the scene's frames."""

import time

import bpy
from mathutils import Vector

COLLIDER, CLOTH, SOFT, RIGID = range(4)


def choose(ob):
    bpy.ops.object.select_all(action="DESELECT")
    ob.select_set(True)
    bpy.context.view_layer.objects.active = ob


class Side:
    def __init__(self):
        self.roles = {}  # object's name: what it is to the judge
        self.said = []  # what the artist is told

    def take(self, ob, role):
        self.roles[ob.name] = role
        choose(ob)


class Tribo(Side):
    def add(self, ob, role, kind):
        self.take(ob, role)
        assert bpy.ops.tribo.add(kind=kind) == {"FINISHED"}
        return ob

    def collider(self, ob):
        return self.add(ob, COLLIDER, "COLLIDER")

    def cloth(self, ob, pinned=None):
        self.add(ob, CLOTH, "CLOTH").tribo.pin_group = pinned or ""

    def soft(self, ob):
        self.add(ob, SOFT, "SOLID")

    def rigid(self, ob, velocity=(0, 0, 0), hollow=False):
        self.add(ob, RIGID, "RIGID").tribo.object.velocity = velocity

    def wind(self, velocity):
        bpy.context.scene.tribo.world.wind = velocity

    def simulate(self, jobs):
        """Seconds, of reading the scene and of all frames. A bake that stops is what it is: what it did play
        is recorded, and the last of it stands."""
        began = time.perf_counter()
        try:
            job = jobs.run(jobs.Job(bpy.context.scene, bpy.context.view_layer))
        except (jobs.Refusal, jobs.tribo.Error) as refusal:
            self.done, self.said = False, [str(refusal)]
        else:
            self.done, self.said = job.state == jobs.DONE, [job.line(), *job.warnings]
        return time.perf_counter() - began


class Blender(Side):
    done = True

    def collider(self, ob):
        self.take(ob, COLLIDER)
        bpy.ops.object.modifier_add(type="COLLISION")
        return ob

    def cloth(self, ob, pinned=None):
        self.take(ob, CLOTH)
        bpy.ops.object.modifier_add(type="CLOTH")
        modifier = ob.modifiers[-1]
        modifier.collision_settings.use_self_collision = True
        modifier.settings.vertex_group_mass = pinned or ""
        modifier.point_cache.frame_end = bpy.context.scene.frame_end
        if len([name for name, role in self.roles.items() if role == CLOTH]) > 1:
            for other, role in self.roles.items():
                if role == CLOTH and not bpy.data.objects[other].collision:
                    choose(bpy.data.objects[other])
                    bpy.ops.object.modifier_add(type="COLLISION")

    def soft(self, ob):
        """A goal would hold it in the air; cubes of mass 1 kg."""
        self.take(ob, SOFT)
        bpy.ops.object.modifier_add(type="SOFT_BODY")
        modifier = ob.modifiers[-1]
        modifier.settings.use_goal = False
        modifier.point_cache.frame_end = bpy.context.scene.frame_end
        bpy.ops.object.modifier_add(type="COLLISION")

    def rigid(self, ob, velocity=(0, 0, 0), hollow=False):
        """Colliders become passive. A throw is animated for two frames and then let go, as its users do."""
        self.take(ob, RIGID)
        bpy.ops.rigidbody.object_add(type="ACTIVE")
        if hollow:
            ob.rigid_body.collision_shape = "MESH"
        bpy.context.scene.rigidbody_world.point_cache.frame_end = bpy.context.scene.frame_end
        if any(velocity):
            step, begin = Vector(velocity) / bpy.context.scene.render.fps, ob.location.copy()
            for frame in (1, 2, 3):
                ob.location = begin + (frame - 1) * step
                ob.keyframe_insert("location", frame=frame)
            for curve in ob.animation_data.action.fcurves:
                for point in curve.keyframe_points:
                    point.interpolation = "LINEAR"
            for frame, held in ((1, True), (3, False)):
                ob.rigid_body.kinematic = held
                ob.keyframe_insert("rigid_body.kinematic", frame=frame)
        for name, role in self.roles.items():
            if role == COLLIDER and bpy.data.objects[name].rigid_body is None:
                choose(bpy.data.objects[name])
                bpy.ops.rigidbody.object_add(type="PASSIVE")

    def wind(self, velocity):
        velocity = Vector(velocity)
        bpy.ops.object.effector_add(type="WIND", location=-velocity)
        ob = bpy.context.object
        ob.rotation_euler = velocity.to_track_quat("Z", "Y").to_euler()
        ob.field.strength = 100 * velocity.length

    def simulate(self, _jobs):
        """Seconds, of playing all frames."""
        scene = bpy.context.scene
        began = time.perf_counter()
        for frame in range(scene.frame_start, scene.frame_end + 1):
            scene.frame_set(frame)
        return time.perf_counter() - began


SIDES = {"tribo": Tribo, "blender": Blender}
