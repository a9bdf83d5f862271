# SPDX-License-Identifier: GPL-3.0-or-later
"""What the view layer excludes takes no part; hidden objects do, and stay hidden; a collection that is off
in the viewport is refused by name; a bake made in one view layer is not stale in another."""

import bpy
import lab


def run():
    scene = lab.empty_scene(1, 4)
    cloth = lab.make(lab.grid("Cloth", 3, 0.5, (0, 0, 0.15)), "CLOTH")
    block = lab.box("Block", (1, 1, 0.2))
    lab.make(block, "COLLIDER")
    box = bpy.data.collections.new("Props")
    scene.collection.children.link(box)
    scene.collection.objects.unlink(block)
    box.objects.link(block)
    layer = bpy.context.view_layer
    lab.save()
    with_block = lab.cached(lab.bake(), "Cloth")
    block.hide_set(True)
    assert lab.cached(lab.bake(), "Cloth") == with_block and block.hide_get()
    block.hide_set(False)
    block.hide_viewport = block.hide_render = True
    assert lab.cached(lab.bake(), "Cloth") == with_block and block.hide_viewport
    block.hide_viewport = False
    cloth.hide_set(True)
    assert lab.cached(lab.bake(), "Cloth") == with_block and cloth.hide_get()
    cloth.hide_set(False)

    props = layer.layer_collection.children["Props"]
    for owner in (box, props):  # the screen icon and the eye
        owner.hide_viewport = True
        try:
            bpy.ops.tribo.bake()
        except RuntimeError as refusal:
            assert "Block" in str(refusal) and "collection" in str(refusal), refusal
        else:
            assert lab.cached(lab.cache_folder(), "Cloth") == with_block
        owner.hide_viewport = False

    other = scene.view_layers.new("Without")
    other.layer_collection.children["Props"].exclude = True
    lab.bake()
    assert lab.changes() == []
    bpy.context.window.view_layer = other
    assert lab.changes() == [], lab.changes()
    without = lab.cached(lab.bake(), "Cloth")
    assert lab.farthest(without[3], with_block[3]) > 1e-3
    assert lab.changes() == [], lab.changes()
    lab.plays(cloth)
