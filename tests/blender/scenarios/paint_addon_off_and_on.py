# SPDX-License-Identifier: GPL-3.0-or-later
"""Off and on again, with the tool chosen, overlays on and strokes done: nothing is left behind, and what was
combed is still there."""

import addon_utils
import bpy
import lab
import paint_lab

WINDOW = True
SECONDS = 120


def handlers():
    return {name: len(getattr(bpy.app.handlers, name)) for name in ("undo_post", "save_pre", "load_pre",
                                                                   "depsgraph_update_post")}


def choose_tool():
    window = bpy.context.window_manager.windows[0]
    area = next(a for a in window.screen.areas if a.type == "VIEW_3D")
    region = next(r for r in area.regions if r.type == "WINDOW")
    with bpy.context.temp_override(window=window, area=area, region=region):
        assert bpy.ops.wm.tool_set_by_id(name="tribo.comb_tool") == {"FINISHED"}


def run():
    yield 0.5
    ob = paint_lab.painted_sheet("256")
    assert paint_lab.stroke([(0.3, 0.5, 0), (1.7, 0.5, 0)], radius=0.1) == {"FINISHED"}
    bpy.context.scene.tribo_overlay.structure = True
    pixels = paint_lab.image_pixels(ob.tribo.structure_map)
    before = handlers()
    for _ in range(3):
        choose_tool()
        yield 0.5
        addon_utils.disable(lab.PACKAGE)
        yield 0.5
        tool = bpy.context.workspace.tools.from_space_view3d_mode("OBJECT", create=False)
        assert tool.idname == "builtin.select_box", tool.idname
        assert not hasattr(bpy.types.Scene, "tribo_overlay") and not hasattr(bpy.types.Image, "tribo_stroke")
        assert addon_utils.enable(lab.PACKAGE) is not None
        yield 0.5
        assert handlers() == before, (handlers(), before)
    assert bpy.context.scene.tribo_overlay.structure, "settings are kept in the file"
    assert paint_lab.image_pixels(ob.tribo.structure_map) == pixels
    assert paint_lab.stroke([(0.3, 0.2, 0), (1.7, 0.2, 0)], radius=0.1) == {"FINISHED"}
    lab.close(paint_lab.degrees(paint_lab.structure_at(ob, (0.5, 0.2, 0)), (1, 0, 0)), 0, 0.5)
