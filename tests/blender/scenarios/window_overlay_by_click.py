# SPDX-License-Identifier: GPL-3.0-or-later
"""The overlay of the structure goes on and off by a click in the sidebar (N, Tribo), and the view shows it
and shows it no more."""

import bpy
import hand
import lab
import paint_lab
import screen

WINDOW = True
SECONDS = 280


def coloured():
    """Vivid pixels in the left half of the 3D view, where no panel and no axis of the gizmo is."""
    screen.save(lab.path("view.png"))
    image = bpy.data.images.load(lab.path("view.png"))
    width, area = image.size[0], hand.area("VIEW_3D")
    pixels, count = image.pixels[:], 0
    for y in range(area.y + area.height // 4, area.y + 3 * area.height // 4):
        start = 4 * (y * width + area.x + area.width // 4)
        row = pixels[start:start + 4 * (area.width // 4)]
        count += sum(max(p) - min(p) > 0.3 for p in zip(row[0::4], row[1::4], row[2::4]))
    bpy.data.images.remove(image)
    return count


def open_sidebar():
    """N, then the tab that is ours: the one under which Blender knows a switch of the overlay."""
    yield from hand.key("N", hand.middle(hand.region("VIEW_3D")))
    yield 0.5
    side = hand.region("VIEW_3D", "UI")
    x = side.x + side.width // 3
    for down in range(30, 420, 45):
        yield from hand.click((side.x + side.width - 8, side.y + side.height - down))
        yield 0.2
        rows = range(side.y + side.height - 4, side.y + side.height // 2, -hand.STEP)
        place = yield from hand.seek("tribo_overlay", [(x, y) for y in rows])
        if place:
            return place
    raise AssertionError("no tab has the switches")


def run():
    scene = lab.empty_scene()
    sheet = lab.make(paint_lab.sheet(), "COLLIDER")
    sheet.location = (-1, -0.5, 0)
    assert bpy.ops.tribo.new_structure_map(size="256") == {"FINISHED"}
    assert bpy.ops.tribo.comb_fill(along="X") == {"FINISHED"}
    space = hand.area("VIEW_3D").spaces.active
    space.region_3d.view_distance, space.overlay.show_axis_x = 3.0, False
    space.region_3d.view_location, space.overlay.show_axis_y = (0, 0, 0), False
    lab.select(sheet)
    sheet.select_set(False)  # no outline
    space.overlay.show_cursor = space.overlay.show_object_origins = False
    yield 1.0
    place = yield from open_sidebar()
    before = coloured()
    assert not scene.tribo_overlay.structure
    yield from hand.click(place)
    yield 1.0
    assert scene.tribo_overlay.structure, "the click did not reach the switch"
    shown = coloured()
    yield from hand.click(place)
    yield 1.0
    assert not scene.tribo_overlay.structure
    after = coloured()
    print("vivid pixels before, on, off:", before, shown, after)
    assert shown > before + 500 and after == before, (before, shown, after)
