# SPDX-License-Identifier: GPL-3.0-or-later
"""From factory start to a bake that plays, by mouse and keyboard alone: add a grid, make it cloth, make
the cube a collider, bake, play."""

import bpy
import hand
import lab
from bpy_extras import view3d_utils

WINDOW = True
SECONDS = 280


def place_of(point):
    """Where a point of the world is in the window."""
    part = hand.region("VIEW_3D")
    view = hand.area("VIEW_3D").spaces.active.region_3d
    x, y = view3d_utils.location_3d_to_region_2d(part, view, point)
    return part.x + int(x), part.y + int(y)


def add_grid():
    yield from hand.key("A", hand.middle(hand.region("VIEW_3D")), shift=True)
    if bpy.app.version >= (4, 0, 0):  # letters search the menu
        yield from hand.type_text("grid")
        yield from hand.key("RET")
    else:
        yield from hand.key("M")
        yield from hand.key("G")
    assert bpy.context.object.name == "Grid", bpy.context.object
    yield from hand.move(hand.middle(hand.region("VIEW_3D")))
    for letter, amount in (("S", "2"), ("G", "z1.1")):
        yield from hand.key(letter)
        yield from hand.type_text(amount)
        yield from hand.key("RET")


def run():
    yield from add_grid()
    grid, cube = bpy.data.objects["Grid"], bpy.data.objects["Cube"]
    assert abs(grid.location.z - 1.1) < 1e-6 and abs(grid.scale.x - 2) < 1e-6
    yield from hand.tab("PHYSICS")
    yield from hand.add_tribo("CLOTH")
    assert grid.tribo.kind == "CLOTH" and grid.modifiers["Tribo"].type == "MESH_CACHE"
    yield from hand.click(place_of((1, -1, -0.5)))
    assert bpy.context.object == cube, bpy.context.object
    yield from hand.add_tribo("COLLIDER")
    assert cube.tribo.kind == "COLLIDER"
    end = yield from hand.find_in_header("frame_end", "DOPESHEET_EDITOR")
    yield from hand.put_number(end, "12")
    assert bpy.context.scene.frame_end == 12
    yield from hand.press("bpy.ops.tribo.bake()")
    jobs = lab.addon("jobs")
    assert jobs.running or jobs.last, "the button did nothing"
    yield from hand.wait_for(lambda: not jobs.running, 120)
    folder = lab.cache_folder()
    assert lab.bake_json(folder)["status"] == "done", lab.bake_json(folder)
    yield from hand.picture("baked")
    held = lab.cached(folder, "Grid")
    assert len(held) == 12
    start = bpy.context.scene.frame_current
    yield from hand.key("SPACE", hand.middle(hand.region("VIEW_3D")))
    yield from hand.wait_for(lambda: bpy.context.scene.frame_current != start, 60)
    yield from hand.key("SPACE")
    frame = bpy.context.scene.frame_current
    assert lab.farthest(lab.shown(grid), held[frame - 1]) < 1e-5
    assert lab.farthest(held[0], held[11]) > 0.1, "the cloth hung in the air"
