# SPDX-License-Identifier: GPL-3.0-or-later
"""By the mouse: a right click on a number, Add to Wedge; and a second time, which is refused."""

import bpy
import hand
import lab

WINDOW = True
SECONDS = 280


def right_click(place):
    """Takes the last item of the menu of a button: End, Enter."""
    yield from hand.key("RIGHTMOUSE", place)
    yield 0.3
    yield from hand.picture("menu")
    yield from hand.key("END")
    yield from hand.key("RET")


def run():
    scene = lab.empty_scene(1, 4)
    cloth = lab.grid("Cloth", 4, 0.8, (0, 0, 0.3))
    lab.make(cloth, "CLOTH")
    lab.pin(cloth, [0, 4])
    lab.select(cloth)
    lab.save()
    yield from hand.tab("PHYSICS")
    place = yield from hand.find("bend")
    yield from right_click(place)
    axes = scene.tribo_wedge.axes
    yield from hand.wait_for(lambda: len(axes) == 1, 10)
    assert (axes[0].owner, axes[0].path) == ("Cloth", "tribo.cloth.bend"), (axes[0].owner, axes[0].path)
    axes[0].count = 2
    yield from right_click(place)
    yield 0.3
    assert len(axes) == 1, "it was added twice"
