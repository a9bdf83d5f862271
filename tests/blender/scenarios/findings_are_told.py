# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bake leaves out is told by name, in the panel and with the bake, with a button that puts it right
where there is one; and a sound scene says nothing."""

import json

import bpy
import lab


def found():
    return lab.addon("doubts").look(bpy.context.scene)


def expect(which, *words):
    """The one finding of this id, which a bake would tell as well."""
    mine = [one for one in found() if one.id == which]
    assert len(mine) == 1, (which, found())
    for word in words:
        assert word in mine[0].message, (word, mine[0].message)
    told = lab.addon("bridge.findings").warnings(bpy.context.scene, bpy.context.view_layer)
    assert (mine[0].message in told) == (mine[0].severity == "WARNING" and which not in CORE), told
    return mine[0]


CORE = {"soft", "pieces", "winding", "inside_out", "large", "small", "unseen", "idle", "twins"}  # the bake hears of these from the core


def press(one):
    """Its button; then it is gone."""
    operator, _, arguments = one.remedy
    assert getattr(bpy.ops.tribo, operator.partition(".")[2])(**arguments) == {"FINISHED"}
    assert one.id not in {other.id for other in found()}, one


def gone(which):
    assert which not in {one.id for one in found()}, which


def scene_of_its_own():
    scene = lab.empty_scene(1, 4)
    scene.tribo.dismissed, scene.tribo.world.method = "", "forwarding"
    cloth = lab.make(lab.grid(), "CLOTH")
    floor = lab.make(lab.box("Floor", (4, 4, 0.2)), "COLLIDER")
    assert [one.id for one in found()] == ["layers"], found()  # a note: it does not touch itself
    return scene, cloth, floor


def of_the_scene():
    scene, cloth, _ = scene_of_its_own()
    lab.key(scene, "gravity", (1, (0, 0, -9.81)), (4, (0, 0, 9.81)))
    scene.frame_set(4)
    expect("gravity", "is keyframed", "that of frame 1, (0, 0, -9.81)")
    lab.close(lab.addon("bridge.frames").gravity(scene)[2], -9.81, 1e-5, "gravity of the first frame")
    scene.animation_data_clear()
    gone("gravity")
    of_driven_gravity(scene)
    bpy.ops.object.effector_add(type="WIND")
    expect("force field", "(Wind)", "Drag")
    bpy.ops.object.delete()
    table = lab.box("Table")
    lab.select(table)
    table.modifiers.new("Collision", "COLLISION")
    press(expect("collision", "Table has Blender's Collision, but is no Tribo collider"))
    assert table.tribo.kind == "COLLIDER"
    table.tribo.kind = "NONE"
    table.modifiers.clear()
    lab.select(*(lab.box(f"Brick{i}") for i in range(6)), table)
    bpy.ops.rigidbody.objects_add(type="ACTIVE")
    collisions = [one for one in found() if one.id.startswith("collision")]
    assert len(collisions) == 5 and collisions[4].message.startswith("3 more objects have"), collisions
    assert "Rigid Body (active)" in collisions[0].message, collisions
    bpy.ops.rigidbody.objects_remove()
    assert [one.id for one in found()].count("passes") == 4, found()  # they are plain meshes now
    for k in range(6):
        bpy.data.objects.remove(bpy.data.objects[f"Brick{k}"])
    table.tribo.kind = "COLLIDER"
    aside = bpy.data.collections.new("Aside")
    scene.collection.children.link(aside)
    scene.collection.objects.unlink(table)
    aside.objects.link(table)
    bpy.context.view_layer.layer_collection.children["Aside"].exclude = True
    expect("left out", "Table is in no collection that this view layer shows")
    aside.objects.unlink(table)
    assert bpy.ops.tribo.dismiss(message=expect("layers", "Accurate").message) == {"FINISHED"}
    assert found() == []


def of_driven_gravity(scene):
    """A bake takes the driver's value at its first frame, wherever the timeline stands, and stays up to date."""
    driver = scene.driver_add("gravity", 2).driver
    driver.expression = "-9.81 + 5 * (frame - 1)"
    scene.frame_set(4)
    expect("gravity", "is driven", "that of frame 1. Delete the driver")
    core = lab.addon("jobs").read_scene(scene, bpy.context.view_layer)
    lab.save()
    lab.bake()
    scene.frame_set(2)
    assert lab.changes() == [], lab.changes()
    lab.close(scene.gravity[2], -4.81, 1e-5, "gravity that Blender shows")
    core.write(lab.path("driven"))
    with open(lab.path("driven", "scene.json"), encoding="utf-8") as file:
        lab.close(json.load(file)["gravity"][2], -9.81, 1e-5, "gravity of the bake")
    scene.driver_remove("gravity", 2)
    scene.gravity = (0, 0, -9.81)
    bpy.ops.tribo.free()
    gone("gravity")


def of_modifiers_and_keys():
    _, cloth, floor = scene_of_its_own()
    cloth.modifiers.new("Cloth", "CLOTH")
    expect("own physics", "Cloth has Blender's Cloth beside Tribo")
    cloth.modifiers["Cloth"].show_viewport = False
    expect("own physics", "Cloth has Blender's Cloth beside Tribo")  # in renders, still
    cloth.modifiers.remove(cloth.modifiers["Cloth"])
    rig = lab.rig()
    cloth.modifiers.new("Armature", "ARMATURE").object = rig
    press(expect("armature below", "the modifier Armature stands below Tribo"))
    assert [m.name for m in cloth.modifiers] == ["Armature", "Tribo"]
    cloth.modifiers["Tribo"].show_render = False
    press(expect("modifier off", "switched off in renders"))
    assert cloth.modifiers["Tribo"].show_render
    floor.hide_render = True
    expect("hidden", "Floor is hidden in renders, and still a collider")
    ball = lab.make(lab.box("Ball", (0.3, 0.3, 0.3), (0, 0, 3)), "RIGID")
    lab.key(ball, "location", (1, (0, 0, 3)), (4, (1, 0, 3)))
    expect("keyframes", "Ball is keyframed (location)", "Velocity")
    mover, _ = bpy.data.objects["Ball"], bpy.data.objects["Ball"].animation_data_clear()
    mover.tribo.kind = "COLLIDER"
    lab.key(mover, "location", (1, (0, 0, 3)), (4, (1, 0, 3)))
    gone("keyframes")
    cloth.modifiers.clear()
    cloth.tribo.kind = "NONE"
    cloth.tribo.kind = "CLOTH"
    cloth.parent = mover
    expect("keyframes", "Cloth is moved by Ball", "Pin what is to follow")
    cloth.parent = None
    cloth.shape_key_add(name="Basis")
    lab.key(cloth.shape_key_add(name="Wide"), "value", (1, 0.0), (4, 1.0))
    expect("keyframes", "Cloth has animated shape keys")
    lab.pin(cloth, [0])
    gone("keyframes")


def of_pins():
    _, cloth, _ = scene_of_its_own()
    group = lab.pin(cloth, [])
    expect("pins nothing", "the pin group 'Pin' has no vertex")
    group.add([0, 1], 0.4, "REPLACE")
    expect("pins weak", "its largest weight is 0.4", "Stiffness")
    cloth.tribo.pin.stiffness = 50.0
    gone("pins weak")
    cloth.tribo.pin.stiffness = 0.0
    group.add(range(49), 1.0, "REPLACE")
    expect("pins all", "the pin group 'Pin' holds all 49 vertices")
    cloth.tribo.pin_group = "Gone"
    expect("pin group", "'Gone' does not exist")


def of_meshes():
    scene, cloth, floor = scene_of_its_own()
    points = [tuple(v.co) for v in cloth.data.vertices]
    faces = [tuple(p.vertices) for p in cloth.data.polygons]
    loose = [points[v] for face in faces for v in face]
    rag = lab.make(lab.mesh_object("Rag", loose, [tuple(range(4 * i, 4 * i + 4)) for i in range(len(faces))],
                                   (3, 0, 1)), "CLOTH")
    press(expect("pieces", "'Rag': 36 separate pieces; 60 edges", "Weld"))
    assert len(rag.data.vertices) == len(points)
    bpy.data.objects.remove(rag)
    mesh = bpy.data.meshes.new("Seam")
    mesh.from_pydata(points, [(0, 48), (6, 42)], faces)
    before, cloth.data = cloth.data, mesh
    expect("sewing", "Cloth: 2 edges without a face")
    cloth.data = before
    cloth.data.polygons[7].flip()
    cloth.data.update()
    one = expect("winding", "'Cloth': 2 of its 72 triangles", "Recalculate Normals")
    press(one)
    floor.data.flip_normals()
    floor.data.update()
    expect("inside_out", "'Floor': it is inside out")
    lab.save()
    job = lab.addon("jobs").run(lab.addon("jobs").Job(scene, bpy.context.view_layer))
    assert "'Floor': it is inside out" in job.warnings[0], job.warnings
    assert not any("starts" in text for text in job.warnings), "its start is not to blame"
    verdict = lab.addon("ui.verdict")
    expect("inside_out")
    assert not any("inside out" in text for text in verdict.warnings_of(scene)), "told twice in the panel"
    press(expect("inside_out"))
    assert any("inside out" in text for text in verdict.warnings_of(scene)), "the bake was made with it"
    cloth.scale = (300, 300, 300)
    expect("large", "'Cloth' is 424 m across", "Unit Scale")
    cloth.tribo.kind = "NONE"
    jelly = lab.make(lab.box("Jelly", (50, 50, 50), (0, 0, 100)), "SOLID")  # of half a metre, in centimetres
    expect("large", "'Jelly' is 86.6 m across")
    bpy.data.objects.remove(jelly)
    cubes = [lab.make(lab.box(f"Cube {k}", (0.3, 0.3, 0.3), (0, 0, 0.2 + 0.33 * k)), "SOLID") for k in range(3)]
    gone("soft")  # as a jelly they stand
    for cube in cubes:
        cube.tribo.preset = "flesh"
    expect("soft", "'Cube 0' to 'Cube 2', 3 of them on one another, are 0.9 m high", "0.56 m", "Young's Modulus")
    lab.pin(cubes[0], [0, 1, 2, 3])
    gone("soft")  # what is pinned hangs
    for cube in cubes:
        bpy.data.objects.remove(cube)


def of_a_plane():
    """As Blender adds it, with four vertices."""
    lab.empty_scene(1, 4)
    bpy.ops.mesh.primitive_plane_add(location=(0, 0, 1))
    assert bpy.ops.tribo.add(kind="CLOTH") == {"FINISHED"}
    assert expect("coarse", "Plane has 4 vertices").severity == "NOTE"
    finer = bpy.context.object.modifiers.new("Finer", "SUBSURF")
    expect("coarse")  # below Tribo it only smooths what is simulated
    while bpy.context.object.modifiers[0] != finer:
        bpy.ops.object.modifier_move_up(modifier="Finer")
    gone("coarse")


def of_what_is_in_the_way():
    """The collider that was forgotten, the one that is switched off, and the copy that was never moved."""
    _, cloth, floor = scene_of_its_own()
    ball = lab.box("Ball", (0.5, 0.5, 0.5), (0, 0, 0.5))
    assert expect("passes", "Ball is no Tribo collider: Cloth falls through it").severity == "NOTE"
    for name, value in (("hide_render", True), ("location", (3, 0, 0.5)), ("location", (0, 0, 3)), ("parent", cloth),
                        ("location", (0, 0, -2))):  # not seen, beside, above, carried along, below the floor
        before = getattr(ball, name).copy() if name == "location" else getattr(ball, name)
        setattr(ball, name, value)
        bpy.context.view_layer.update()
        gone("passes")
        setattr(ball, name, before)
    floor.tribo.kind = "NONE"
    both = [one for one in found() if one.id == "through"]
    assert [one.object for one in both] == ["Ball", "Floor"], found()
    assert expect("falls", "'Cloth' falls for as long as").severity == "NOTE"
    told = lab.addon("bridge.findings").warnings(bpy.context.scene, bpy.context.view_layer)
    assert both[0].message in told, told
    assert bpy.ops.tribo.make_collider(object="Ball") == {"FINISHED"}
    for which in ("through", "falls"):
        gone(which)
    ball.tribo.surface.contact = "none"
    expect("idle", "'Ball' is a collider that nothing touches", "Collision > Contact")
    ball.tribo.surface.contact = "auto"
    copy = cloth.copy()
    copy.name = "Copy"
    bpy.context.scene.collection.objects.link(copy)
    expect("twins", "'Cloth' and 'Copy' lie in one place: 49 of their vertices")
    copy.location.x += 0.1
    gone("twins")


def of_layers():
    scene, cloth, _ = scene_of_its_own()
    other = lab.make(lab.grid("Scarf", location=(0, 0, 1.2)), "CLOTH")
    expect("unseen", "'Cloth' and 'Scarf' pass through each other", "Fast")
    scene.tribo.world.method = "projective"
    assert found() == []
    other.tribo.surface.thickness = 0.0
    expect("unseen", "'Scarf' is 0", "Thickness")
    scene.tribo.world.quality = "good"
    scene.tribo.shown_quality = "good"  # as after a bake of before there was anything rigid
    lab.make(lab.box("Stone", (0.3, 0.3, 0.3), (0, 0, 3)), "RIGID")
    gone("unseen")
    gone("layers")  # the method that the quality takes now knows all of them
    scene.tribo.world.method = "forwarding"
    assert "rigid bodies" in expect("unseen", "Layers are of the method Fast").message
    assert all("rigid" in one.message for one in found() if one.id == "layers"), found()
    bpy.data.objects.remove(bpy.data.objects["Stone"])
    scene.tribo.world.method = "projective"
    other.location.x = 20
    gone("unseen")


def run():
    for part in (of_the_scene, of_modifiers_and_keys, of_pins, of_meshes, of_a_plane, of_what_is_in_the_way, of_layers):
        part()
