# SPDX-License-Identifier: GPL-3.0-or-later
"""Inputs that are not in the object itself make the cache stale too: a parent, an armature's pose and
keys, a hook's target, a constraint, geometry nodes' settings, pairs, units, samples, maps and kinds; what
is no input does not: materials, names of collections, what stands below Tribo, the camera."""

import bpy
import lab


def expect(part):
    lines = lab.changes()
    assert len(lines) == 1 and part in lines[0], (part, lines)


def nodes(ob):
    """Geometry nodes that do nothing, with a number to give them: (who has it, its name)."""
    tree = bpy.data.node_groups.new("Nothing", "GeometryNodeTree")
    if hasattr(tree, "interface"):  # from 4.0 on
        for way in ("INPUT", "OUTPUT"):
            tree.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
        number = tree.interface.new_socket("Amount", in_out="INPUT", socket_type="NodeSocketFloat")
    else:
        for sockets in (tree.inputs, tree.outputs):
            sockets.new("NodeSocketGeometry", "Geometry")
        number = tree.inputs.new("NodeSocketFloat", "Amount")
    tree.links.new(tree.nodes.new("NodeGroupInput").outputs[0], tree.nodes.new("NodeGroupOutput").inputs[0])
    modifier = ob.modifiers.new("Nodes", "NODES")
    modifier.node_group = tree
    return modifier, number.identifier


def give(modifier, name, value):
    if hasattr(modifier, "properties"):  # from 5.2 on
        getattr(modifier.properties.inputs, name).value = value
    else:
        modifier[name] = value
    modifier.id_data.update_tag()


def change_what_is_no_input(scene, cloth, modifier):
    cloth.data.materials.append(bpy.data.materials.new("Red"))
    cloth.modifiers.new("Thick", "SOLIDIFY")
    scene.collection.objects.link(bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera")))
    scene.frame_set(2)
    cloth.hide_render = True
    cloth.show_in_front = True
    scene.tribo.threads = 2
    if hasattr(modifier, "open_manage_panel"):  # from 4.1 on
        modifier.open_manage_panel = not modifier.open_manage_panel


def make_block(scene, rig):
    """A collider with a parent, an armature and a constraint."""
    carrier = bpy.data.objects.new("Carrier", None)
    target = bpy.data.objects.new("Target", None)
    scene.collection.objects.link(carrier)
    scene.collection.objects.link(target)
    block = lab.make(lab.box("Block", (0.5, 0.5, 0.5)), "COLLIDER")
    block.parent = carrier
    block.vertex_groups.new(name="Bone").add(range(8), 1.0, "REPLACE")
    block.modifiers.new("Armature", "ARMATURE").object = rig
    follow = block.constraints.new("COPY_LOCATION")
    follow.target, follow.influence = target, 0.5
    return carrier, target, follow


def run():
    scene = lab.empty_scene(1, 3)
    rig = lab.rig()
    lab.key(rig.pose.bones["Bone"], "location", (1, (0, 0, 0)), (3, (0, 0.1, 0)))
    rig.pose.bones["Bone"].rotation_euler = (0, 0, 0)
    carrier, target, follow = make_block(scene, rig)
    cloth = lab.make(lab.grid("Cloth", 3), "CLOTH")
    hook = cloth.modifiers.new("Hook", "HOOK")
    hook.object, hook.vertex_group = target, ""
    bpy.ops.object.modifier_move_to_index(modifier="Hook", index=0)
    modifier, amount = nodes(cloth)
    bpy.ops.object.modifier_move_to_index(modifier="Nodes", index=0)
    give(modifier, amount, 1.0)
    bpy.ops.tribo.pair_add(a="Block", b="Cloth", mu=0.4)
    lab.save()
    lab.bake()
    assert lab.changes() == [], lab.changes()

    def tried(change, back, part):
        change()
        bpy.context.view_layer.update()
        expect(part)
        back()
        bpy.context.view_layer.update()
        assert lab.changes() == [], (part, lab.changes())

    def put(owner, name, value, part):
        before = getattr(owner, name)
        before = before.copy() if hasattr(before, "copy") else before
        tried(lambda: setattr(owner, name, value), lambda: setattr(owner, name, before), part)

    put(carrier, "location", (1, 0, 0), "Block: its transform")
    put(follow, "influence", 0.7, "Block: its transform")
    put(rig, "location", (0, 0, 1), "Block: its modifiers")
    put(rig.pose.bones["Bone"], "rotation_euler", (0.1, 0, 0), "Block: its modifiers")
    put(lab.fcurves(rig)[1].keyframe_points[1], "co", (3, 0.3), "Block: its animation")
    put(hook, "strength", 0.5, "Cloth: its modifiers")
    tried(lambda: give(modifier, amount, 2.0), lambda: give(modifier, amount, 1.0), "Cloth: its modifiers")
    put(scene.tribo.pairs[0].friction, "mu", 0.9, "The scene's friction")
    put(scene.unit_settings, "scale_length", 0.1, "The scene's units")
    put(scene.tribo, "samples", 3, "The scene's quality")
    put(scene, "use_gravity", False, "The scene's gravity")
    put(cloth.tribo.pin, "stiffness", 50.0, "Cloth: its material")
    image = bpy.data.images.new("Grip", 4, 4)
    put(cloth.tribo, "friction_map", image, "Cloth: its maps")
    put(cloth.tribo, "material", "felt", "Cloth: its surface")
    group = cloth.vertex_groups.new(name="Soft")
    group.add([1], 0.5, "REPLACE")
    put(cloth.tribo, "stiffness_group", "Soft", "Cloth: its vertex groups")

    change_what_is_no_input(scene, cloth, modifier)
    assert lab.changes() == [], lab.changes()
