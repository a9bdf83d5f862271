# SPDX-License-Identifier: GPL-3.0-or-later
"""Every panel and menu, also those that are closed, for every kind of object: what it draws exists, as
property and as operator. And every parameter of the core has a place in some panel."""

import types

import bpy
import lab

drawn = set()


class Layout:
    """Stands in for Blender's layout; refuses what it would refuse."""

    def __setattr__(self, name, value):
        pass

    def prop(self, owner, name, **_):
        assert name in owner.bl_rna.properties, (owner, name)
        drawn.add((owner.bl_rna.identifier, name))

    def prop_search(self, owner, name, source, collection, **_):
        self.prop(owner, name)
        assert hasattr(source, collection), (source, collection)

    def template_ID(self, owner, name, **_):
        self.prop(owner, name)

    def template_list(self, kind, _id, owner, name, active_owner, active, **_):
        assert hasattr(bpy.types, kind)
        self.prop(owner, name)
        self.prop(active_owner, active)

    def operator(self, name, **_):
        area, _, short = name.partition(".")
        assert short in dir(getattr(bpy.ops, area)), name
        return types.SimpleNamespace()

    def operator_menu_enum(self, name, _property, **_):
        return self.operator(name)

    def menu(self, name, **_):
        assert hasattr(bpy.types, name), name

    def label(self, text="", **_):
        assert isinstance(text, str)

    def separator(self, **_):
        pass

    def progress(self, **_):
        pass

    def row(self, **_):
        return self

    column = box = split = row


def draw_all():
    context = bpy.context
    stand_in = types.SimpleNamespace(layout=Layout())
    count = 0
    for name in dir(bpy.types):
        panel = getattr(bpy.types, name)
        if name.startswith("TRIBO_PT_") and getattr(panel, "bl_context", "") == "physics":
            if not hasattr(panel, "poll") or panel.poll(context):
                methods = {k: getattr(panel, k) for k in dir(panel) if k.startswith("draw_")}
                this = types.SimpleNamespace(layout=Layout())
                for key, method in methods.items():
                    setattr(this, key, types.MethodType(method, this))
                panel.draw(this, context)
                count += 1
    lab.addon("ui.panels").draw_add(stand_in, context)
    bpy.types.TRIBO_MT_examples.draw(stand_in, context)
    return count


def run():
    scene = lab.empty_scene(1, 3)
    scene.tribo.use_scene_range = False
    scene.tribo.time.start, scene.tribo.time.end = 1, 3
    scene.tribo.use_custom_folder = True
    scene.tribo.custom_folder = lab.path("elsewhere")
    bpy.ops.tribo.pair_add(a="A", b="B")
    box = lab.box("A", (0.4, 0.4, 0.4), (0, 0, 3))
    box.tribo.structure_map = bpy.data.images.new("map", 4, 4)
    lab.grid("B", 2)
    for kind in ("COLLIDER", "RIGID", "SOLID", "CLOTH"):
        lab.make(box, kind, stiffness_group="x", friction_group="x", surface__mu=-1.0)
        assert draw_all() >= 8, kind
    box.tribo.stiffness_group = box.tribo.friction_group = ""
    box.tribo.structure_map = None
    scene.tribo.pairs.clear()
    lab.bake()
    scene.frame_set(3)
    draw_all()

    # Groups of kinds that the add-on does not offer are drawn nowhere.
    offered = {item[0] for item in lab.addon("props.objects").KIND_ITEMS}
    absent = {row["group"] for row in lab.addon("library").tribo.kinds() if row["name"].upper() not in offered}
    missing = []
    for row in lab.addon("library").tribo.parameters():
        if row["group"] in absent:
            continue
        name = {"from": "fill_from"}.get(row["name"], row["name"])
        if (f"TRIBO_PG_{row['group']}", name) not in drawn:
            missing.append((row["group"], row["name"]))
    assert sorted(missing) == [("time", "fps"), ("world", "gravity")], missing  # Blender's own
