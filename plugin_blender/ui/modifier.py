# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong with the modifier that plays the cache: it is gone, or switched off."""

from ..bridge import stack, subjects


def faults(ob):
    """[(what the artist should know, the switch that mends it or "")]."""
    if not subjects.is_simulated(ob):
        return []
    found = stack.find(ob)
    if found is None:
        return [("The Tribo modifier is missing", "")]
    switches = (("show_viewport", "The Tribo modifier is off in viewports: nothing is seen to move"),
                ("show_render", "The Tribo modifier is off in renders: pictures show the mesh at rest"))
    return [(text, switch) for switch, text in switches if not getattr(found, switch)]


def draw(layout, ob):
    for text, switch in faults(ob):
        layout.label(text=text, icon="ERROR")
        if switch:
            layout.prop(stack.find(ob), switch, text="Switch On", toggle=True)
        else:
            layout.operator("tribo.place_modifier")
