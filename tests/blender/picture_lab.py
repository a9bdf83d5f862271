# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of the overlay alone, with a known camera, and what can be measured in them."""

import math

import bpy
import gpu
import lab
import screen
from mathutils import Matrix

SIZE = 400  # pixels, of a square picture


def from_above(middle, width):
    """The matrix of a camera that looks down on a square of some metres."""
    scale = 2 / width
    view = Matrix.Translation((-middle[0], -middle[1], 0))
    return Matrix.Diagonal((scale, scale, -0.01, 1)) @ view


def take(matrix):
    """Draws the overlay on black; rows of (red, green, blue, alpha), 0 to 255, the lowest row first."""
    overlay = lab.addon("ui.overlay")
    target = gpu.types.GPUOffScreen(SIZE, SIZE)
    with target.bind():
        frame = gpu.state.active_framebuffer_get()
        frame.clear(color=(0, 0, 0, 0), depth=1)
        overlay.draw_all(bpy.context, matrix)
        flat = frame.read_color(0, 0, SIZE, SIZE, 4, 0, "UBYTE")
    target.free()
    flat.dimensions = 4 * SIZE * SIZE
    values = bytes(flat)
    return [[tuple(values[4 * (SIZE * y + x):4 * (SIZE * y + x) + 4]) for x in range(SIZE)]
            for y in range(SIZE)]


def patch(picture, left, low, right, top):
    """A part, in shares of the sides."""
    a, b, c, d = (int(SIZE * part) for part in (left, low, right, top))
    return [row[a:c] for row in picture[b:d]]


def mean_colour(part):
    """Of the pixels that are full of something, 0 to 1; and how many there are."""
    full = [pixel for row in part for pixel in row if pixel[3] > 250]
    if not full:
        return None, 0
    return tuple(sum(pixel[k] for pixel in full) / len(full) / 255 for k in range(3)), len(full)


def strokes_of(part):
    """Lists of the pixels (x, y) that hang together, without those that the border cuts."""
    height, width = len(part), len(part[0])
    free = {(x, y) for y in range(height) for x in range(width) if part[y][x][3] > 250}
    found = []
    while free:
        waiting, stroke = [free.pop()], []
        while waiting:
            x, y = waiting.pop()
            stroke.append((x, y))
            for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if near in free:
                    free.remove(near)
                    waiting.append(near)
        if all(0 < x < width - 1 and 0 < y < height - 1 for x, y in stroke):
            found.append(stroke)
    return found


def line_angle(part):
    """The angle, in degrees, 0 to 180, along which the strokes in a picture run: the median of the long
    axes of those that are slender."""
    angles = []
    for stroke in strokes_of(part):
        n = len(stroke)
        mx, my = (sum(p[k] for p in stroke) / n for k in (0, 1))
        xx = sum((x - mx) ** 2 for x, _ in stroke) / n
        yy = sum((y - my) ** 2 for _, y in stroke) / n
        xy = sum((x - mx) * (y - my) for x, y in stroke) / n
        spread = math.hypot(xx - yy, 2 * xy)
        if n > 20 and spread > 0.8 * (xx + yy):
            angles.append(0.5 * math.atan2(2 * xy, xx - yy))
    assert len(angles) >= 3, f"{len(angles)} strokes"
    c, s = (sum(f(2 * a) for a in angles) for f in (math.cos, math.sin))
    mean = 0.5 * math.atan2(s, c)
    turned = sorted(apart_signed(math.degrees(a), math.degrees(mean)) for a in angles)
    return (math.degrees(mean) + turned[len(turned) // 2]) % 180


def apart_signed(a, b):
    return (a - b + 90) % 180 - 90


def apart(a, b):
    """Degrees between two angles of lines."""
    return abs(apart_signed(a, b))


def show():
    """The Comb tool in the 3D view, from above, and the Physics tab; the view's area."""
    window = bpy.context.window_manager.windows[0]
    area = next(a for a in window.screen.areas if a.type == "VIEW_3D")
    region = next(r for r in area.regions if r.type == "WINDOW")
    space = area.spaces.active
    with bpy.context.temp_override(window=window, area=area, region=region):
        bpy.ops.wm.tool_set_by_id(name="tribo.comb_tool")
        space.region_3d.view_rotation = (0.86, 0.45, 0.1, 0.2)
        space.region_3d.view_location = (0, 0, 0)
        space.region_3d.view_distance = 2.2
        space.show_region_ui = False
        space.overlay.show_floor = space.overlay.show_cursor = False
    properties = next(a for a in window.screen.areas if a.type == "PROPERTIES")
    properties.spaces.active.context = "PHYSICS"
    return area


def screenshot(area, name):
    """The 3D view."""
    screen.save(lab.path("whole.png"))
    cut(lab.path("whole.png"), lab.path(name), area)


def cut(source, target, part):
    """A part of a picture (x, y, width and height, from below, as areas have them), without alpha."""
    image = bpy.data.images.load(source)
    across = image.size[0]
    left, low, right, top = part.x, part.y, part.x + part.width, part.y + part.height
    piece = bpy.data.images.new("piece", right - left, top - low)
    pixels = image.pixels[:]
    rows = [pixels[4 * (y * across + left):4 * (y * across + right)] for y in range(low, top)]
    piece.pixels.foreach_set([x for row in rows for x in row])
    piece.filepath_raw, piece.file_format = target, "PNG"
    bpy.context.scene.render.image_settings.color_mode = "RGB"
    piece.save()
    bpy.data.images.remove(image)
    bpy.data.images.remove(piece)
