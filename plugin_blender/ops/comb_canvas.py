# SPDX-License-Identifier: GPL-3.0-or-later
"""What is painted on: an object's surface, the pixels of its structure map, and what was done to them.

Blender's undo knows nothing of pixels that a script writes. So every stroke leaves a record here, and
its number in the image, where Blender's undo keeps it: when undo or redo brings back another number,
the pixels follow. A canvas belongs to an image, which is found by a number in it, because pointers and
names do not survive undo and renaming.
"""

from array import array

import bpy
from mathutils import Matrix

from ..bridge import shapes
from ..bridge.errors import Refusal
from ..library import tribo
from ..logic import strokes

canvases = {}  # by Image.tribo_canvas
surfaces = {}  # by the full name of an object


class Surface:
    """The shape of an object, and its comb, made again when its mesh, its UVs or its place change."""

    def __init__(self):
        self.shape = None  # points, triangles, uvs
        self.place = None  # 16 numbers, to the world
        self.data_name = ""  # of the mesh
        self.moved = True  # the mesh may have changed since it was read
        self.shape_version = 0  # grows whenever the shape, or the place that it was read at, is another
        self.comb = None
        self.made_from = None
        self.version = 0  # grows whenever the comb is another

    def read(self, ob, depsgraph, uvs=True, follow_place=False):
        """Reads the mesh if it may have changed."""
        place = array("d", (x for row in ob.matrix_world for x in row))
        self.data_name = ob.data.name_full
        if self.shape and not self.moved and (self.shape[2] or not uvs):
            found = self.shape
        else:
            with shapes.evaluated(ob, depsgraph) as mesh:
                found = shapes.points(mesh), shapes.triangles(mesh), shapes.uvs(mesh)
        if not found[1]:
            raise Refusal(f"{ob.name} has no faces")
        if uvs and found[2] is None:
            raise Refusal(f"{ob.name} has no UVs: unwrap it, or use New Structure Map")
        if found != self.shape or (follow_place and place != self.place):
            self.shape, self.place = found, place
            self.shape_version += 1
        self.moved = False

    def of(self, ob, depsgraph, width, height, follow_place=True):
        """The comb. To draw on a surface that moves as a whole it need not be made again: see since."""
        self.read(ob, depsgraph, follow_place=follow_place)
        wanted = self.shape_version, ob.tribo.maps.wrap, width, height
        if wanted != self.made_from:
            self.comb = tribo.Comb(*self.shape, width, height, transform=self.place,
                                   wrap=ob.tribo.maps.wrap)
            self.made_from = wanted
            self.version += 1
        return self.comb

    def since(self, ob):
        """How the object has moved since its shape was read."""
        then = Matrix([self.place[4 * i:4 * i + 4] for i in range(4)])
        return ob.matrix_world @ then.inverted_safe()

    def world_points(self):
        """Points in the world, as they were read, flat."""
        m, points = self.place, self.shape[0]
        x, y, z = points[0::3], points[1::3], points[2::3]
        out = array("f", bytes(4 * len(points)))
        for k in range(3):
            a, b, c, d = m[4 * k:4 * k + 4]
            out[k::3] = array("f", (a * p + b * q + c * r + d for p, q, r in zip(x, y, z)))
        return out

    def size(self):
        """The diagonal of the box around it."""
        points = self.world_points()
        return sum((max(points[k::3]) - min(points[k::3])) ** 2 for k in range(3)) ** 0.5


class Canvas:
    """The pixels of an image and the strokes on it."""

    def __init__(self, number, image):
        self.number, self.name = number, image.name_full
        self.width, self.height = image.size
        self.pixels = array("f", bytes(16 * self.width * self.height))
        self.history = strokes.History(image.tribo_stroke)
        self.version = 0  # grows with every change of the pixels

    def read(self, image):
        """Someone else may have painted, too."""
        image.pixels.foreach_get(self.pixels)

    def write(self, image):
        image.pixels.foreach_set(self.pixels)
        image.update()
        self.version += 1

    def swap(self, record):
        tribo.Comb.swap(record, self.pixels, self.width, self.height)

    def commit(self, image, record):
        """A stroke is done."""
        self.history.add(record)
        image.tribo_stroke = self.history.position
        self.write(image)

    def go_to(self, image, position):
        """Undo or redo as far as the records go."""
        self.read(image)
        for record in self.history.move(position):
            self.swap(record)
        image.tribo_stroke = self.history.position
        self.write(image)


def check_image(image):
    if image.source == "TILED" or image.source in ("MOVIE", "SEQUENCE"):
        raise Refusal(f"The image {image.name} has tiles or frames: the comb needs a single image")
    if image.size[0] == 0 or image.size[1] == 0:
        raise Refusal(f"The image {image.name} cannot be read ({image.filepath or 'no file'})")
    if image.channels != 4:
        raise Refusal(f"The image {image.name} has {image.channels} channels, not red, green, blue and "
                      "alpha: use New Structure Map")


def find(image):
    """The canvas of an image, or None. Undo may have brought back a time when the image had no number
    yet, or that of another session: then its name finds it."""
    canvas = canvases.get(image.tribo_canvas)
    if canvas is None:
        canvas = next((c for c in canvases.values() if c.name == image.name_full), None)
    fits = canvas and (canvas.width, canvas.height) == tuple(image.size)
    return canvas if fits else None


def of_image(image):
    """The canvas of an image; a new one for a new image, a copy, or one of another size."""
    canvas = find(image)
    number = image.tribo_canvas
    taken = [other.tribo_canvas for other in bpy.data.images if other != image]
    if canvas is None or canvas.number in taken:
        check_image(image)
        if number == 0 or number in taken or number in canvases:
            number = max([0, *canvases, *taken]) + 1
        canvas = canvases[number] = Canvas(number, image)
        canvas.read(image)
    canvas.name = image.name_full
    if image.tribo_canvas != canvas.number:
        image.tribo_canvas = canvas.number
    return canvas


def of_object(ob, depsgraph):
    """(canvas, comb) to paint on an object; Refusal says what is missing."""
    if ob is None or ob.type not in {"MESH", "CURVE", "SURFACE", "FONT", "META"}:
        raise Refusal("Choose an object with a surface to comb")
    image = ob.tribo.structure_map
    if image is None:
        raise Refusal(f"{ob.name} has no structure map: use New Structure Map")
    check_image(image)
    if image.library:
        raise Refusal(f"The image {image.name} is linked: make it local, or use New Structure Map")
    canvas = of_image(image)
    return canvas, surface_of(ob).of(ob, depsgraph, canvas.width, canvas.height)


def surface_of(ob):
    return surfaces.setdefault(ob.name_full, Surface())


# ---- what Blender does meanwhile ---------------------------------------------------------------------


@bpy.app.handlers.persistent
def follow_undo(*_):
    """Undo and redo bring back the number of the last stroke; and images that had been undone away
    come back without their pixels."""
    for surface in surfaces.values():
        surface.moved = True
    for image in bpy.data.images:
        canvas = find(image)
        if canvas is None:
            continue
        if not image.has_data:
            canvas.write(image)
        if image.tribo_stroke != canvas.history.position:
            canvas.go_to(image, image.tribo_stroke)


@bpy.app.handlers.persistent
def follow_changes(_scene, depsgraph):
    """Where a mesh may be another. Moving as a whole is seen from the matrix."""
    for update in depsgraph.updates:
        if not update.is_updated_geometry:
            continue
        changed = update.id.original.name_full
        for name, surface in surfaces.items():
            if changed in (name, surface.data_name):
                surface.moved = True


@bpy.app.handlers.persistent
def keep_pixels(*_):
    """What was painted goes into the file, or beside it: Blender itself would ask only on quitting."""
    for image in bpy.data.images:
        if image.tribo_canvas in canvases and image.is_dirty and not image.library:
            save(image)


def save(image):
    """Into the file that Tribo made for it; a picture from elsewhere is packed, not overwritten."""
    if image.tribo_own_file and image.packed_file is None and image.filepath:
        try:
            image.save()
            return
        except RuntimeError:
            pass  # its folder is gone or cannot be written: what was painted must not be lost
    image.pack()


@bpy.app.handlers.persistent
def forget(*_):
    canvases.clear()
    surfaces.clear()


HANDLERS = {
    "undo_post": follow_undo, "redo_post": follow_undo, "depsgraph_update_post": follow_changes,
    "frame_change_post": follow_changes, "save_pre": keep_pixels, "load_pre": forget,
}


def register():
    bpy.types.Image.tribo_canvas = bpy.props.IntProperty(options={"HIDDEN"})
    bpy.types.Image.tribo_stroke = bpy.props.IntProperty(options={"HIDDEN"})
    bpy.types.Image.tribo_own_file = bpy.props.BoolProperty(options={"HIDDEN"})
    for name, function in HANDLERS.items():
        getattr(bpy.app.handlers, name).append(function)


def unregister():
    for name, function in HANDLERS.items():
        handlers = getattr(bpy.app.handlers, name)
        if function in handlers:
            handlers.remove(function)
    forget()
    del bpy.types.Image.tribo_own_file
    del bpy.types.Image.tribo_stroke
    del bpy.types.Image.tribo_canvas
