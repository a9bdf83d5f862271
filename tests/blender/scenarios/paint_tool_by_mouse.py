# SPDX-License-Identifier: GPL-3.0-or-later
"""The Comb tool by mouse and keys alone, in a window: a drag combs, Ctrl erases, Ctrl Z takes a stroke
back, in Object mode and in Texture Paint; F changes the radius; the right button gives a stroke up (Esc does, too, but after it
Blender 3.4 quits with exit code 1)."""

import subprocess

import bpy
import lab
import paint_lab

WINDOW = True
SECONDS = 280


def view():
    """(window, area, region) of the 3D view."""
    window = bpy.context.window_manager.windows[0]
    area = next(a for a in window.screen.areas if a.type == "VIEW_3D")
    return window, area, next(r for r in area.regions if r.type == "WINDOW")


def look_down():
    window, area, region = view()
    with bpy.context.temp_override(window=window, area=area, region=region):
        space = area.spaces.active
        space.region_3d.view_perspective = "ORTHO"
        space.region_3d.view_rotation = (1, 0, 0, 0)
        space.region_3d.view_location = (1, 0.5, 0)
        space.region_3d.view_distance = 3


def choose(tool):
    window, area, region = view()
    with bpy.context.temp_override(window=window, area=area, region=region):
        assert bpy.ops.wm.tool_set_by_id(name=tool) == {"FINISHED"}


def on_screen(x, y):
    """Where a point of the sheet is, for xdotool: the window fills the screen, y grows downward."""
    from bpy_extras.view3d_utils import location_3d_to_region_2d

    window, area, region = view()
    at = location_3d_to_region_2d(region, area.spaces.active.region_3d, (x, y, 0))
    return [str(round(region.x + at[0])), str(round(window.height - 1 - region.y - at[1]))]


def xdo(*words):
    subprocess.run(["xdotool", *words], check=True)


def drag(points, key=None, give_up=False):
    """A generator: press, move in small steps, release."""
    xdo("mousemove", *on_screen(*points[0]))
    yield 0.3
    if key:
        xdo("keydown", key)
        yield 0.2
    xdo("mousedown", "1")
    yield 0.2
    for a, b in zip(points, points[1:]):
        for k in range(1, 9):
            xdo("mousemove", *on_screen(*(p + (q - p) * k / 8 for p, q in zip(a, b))))
            yield 0.05
    yield 0.2
    if give_up:
        xdo("click", "3")
        yield 0.3
    xdo("mouseup", "1")
    yield 0.3
    if key:
        xdo("keyup", key)
        yield 0.2


def structure(x, y):
    return paint_lab.structure_at(bpy.data.objects["Sheet"], (x, y, 0))


def has(x, y):
    return paint_lab.length(structure(x, y)) > 0.5


def press(*keys):
    xdo("key", *keys)


def strokes(tool):
    """Comb, give up, erase, undo and redo: the same in both modes."""
    choose(tool)
    yield 0.5
    yield from drag([(0.3, 0.3), (1.7, 0.7)])
    assert has(0.65, 0.4) and has(1.35, 0.6), "the stroke is there, across the seam"
    for x, y in ((0.65, 0.4), (1.35, 0.6)):
        off = paint_lab.degrees(structure(x, y), (1.4, 0.4, 0))
        print(f"{bpy.context.mode}: {off:.2f} degrees off")
        assert off < 2, off
    yield from drag([(0.3, 0.8), (0.7, 0.8)], give_up=True)
    assert not has(0.5, 0.8), "given up"
    yield from drag([(1.3, 0.6), (1.4, 0.6)], key="ctrl")
    assert not has(1.35, 0.6) and has(0.65, 0.4), "erased"
    press("ctrl+z")
    yield 0.7
    assert has(1.35, 0.6) and has(0.65, 0.4), "the erasing is undone"
    press("ctrl+z")
    yield 0.7
    assert not has(1.35, 0.6) and not has(0.65, 0.4), "the stroke is undone"
    press("ctrl+shift+z")
    yield 0.7
    assert has(0.65, 0.4), "and there again"


def run():
    yield 1.0
    paint_lab.painted_sheet("512")
    bpy.context.scene.tribo_comb.radius = 0.12
    look_down()
    bpy.ops.ed.undo_push(message="Start")
    yield 1.0
    yield from strokes("tribo.comb_tool")
    before = bpy.context.scene.tribo_comb.radius
    xdo("mousemove", *on_screen(1.0, 0.5))
    yield 0.3
    press("f")
    yield 0.3
    xdo("mousemove_relative", "60", "0")
    yield 0.3
    xdo("click", "1")
    yield 0.3
    assert bpy.context.scene.tribo_comb.radius > 1.1 * before, bpy.context.scene.tribo_comb.radius
    bpy.context.scene.tribo_comb.radius = before
    assert bpy.ops.tribo.comb_fill(along="NONE") == {"FINISHED"}
    bpy.ops.object.mode_set(mode="TEXTURE_PAINT")
    bpy.ops.ed.undo_push(message="Paint")
    yield 0.5
    yield from strokes("tribo.comb_paint_tool")
    lab.close(bpy.data.objects["Sheet"].tribo.structure_map.size[0], 512, 0)
