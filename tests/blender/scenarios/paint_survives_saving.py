# SPDX-License-Identifier: GPL-3.0-or-later
"""What was combed is in the file, or beside it, after saving, to the bit: a bake before and one after
loading must not differ."""

import bpy
import lab
import paint_lab


def paint(place):
    ob = paint_lab.painted_sheet("256")
    if place == "FILE":
        lab.save(f"{place}.blend")
        bpy.data.images.remove(ob.tribo.structure_map)
        assert bpy.ops.tribo.new_structure_map(size="256", place=place) == {"FINISHED"}
    assert paint_lab.stroke([(0.2, 0.3, 0), (1.8, 0.7, 0)], radius=0.2, strength=0.7) == {"FINISHED"}
    return ob


def run():
    for place in ("PACK", "FILE"):
        ob = paint(place)
        before = paint_lab.image_pixels(ob.tribo.structure_map)
        lab.save(f"{place}.blend")
        assert not ob.tribo.structure_map.is_dirty
        bpy.ops.wm.open_mainfile(filepath=lab.path(f"{place}.blend"))
        ob = bpy.data.objects["Sheet"]
        image = ob.tribo.structure_map
        assert (image.packed_file is not None) == (place == "PACK"), place
        assert image.colorspace_settings.name == "Non-Color"
        after = paint_lab.image_pixels(image)
        assert after == before, lab.farthest(after, before)
        # and it can be combed on
        bpy.context.view_layer.objects.active = ob
        assert paint_lab.stroke([(0.2, 0.9, 0), (1.8, 0.9, 0)], radius=0.1) == {"FINISHED"}
        lab.save(f"{place}.blend")
        bpy.ops.wm.open_mainfile(filepath=lab.path(f"{place}.blend"))
        ob = bpy.data.objects["Sheet"]
        lab.close(paint_lab.degrees(paint_lab.structure_at(ob, (0.5, 0.9, 0)), (1, 0, 0)), 0, 0.1)
