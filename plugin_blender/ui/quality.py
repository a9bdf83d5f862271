# SPDX-License-Identifier: GPL-3.0-or-later
"""The quality in the panels: the menu, and what it came to."""

from ..logic import table
from ..props import groups, quality


def draw_menu(layout, settings):
    """settings: Scene.tribo."""
    layout.prop(settings.world, "quality", text="Quality")
    layout.label(text=line(settings), icon="INFO")


def draw_numbers(layout, settings):
    """Free to be changed; hidden as long as nobody knows them."""
    if quality.is_chosen(settings) and not quality.is_known(settings):
        layout.label(text="Method and substeps:", icon="INFO")  # a narrow panel has room for so much
        layout.label(text="chosen at Play or Bake", icon="BLANK1")
        return
    layout.prop(settings.world, "method")
    layout.prop(settings.time, "substeps")


def line(settings):
    """"Fast, 24 substeps, 5 mm"."""
    if quality.is_chosen(settings) and not quality.is_known(settings):
        return "chosen at Play or Bake"
    row = next(row for row in groups.rows_by_group()["world"] if row["name"] == "method")
    method = next(item[1] for item in table.choice_items(row) if item[0] == settings.world.method)
    parts = [method.split(" (")[0], f"{settings.time.substeps} substeps"]
    if quality.is_chosen(settings) and settings.shown_thickness > 0:
        parts.append(f"{1000 * settings.shown_thickness:.3g} mm")
    return ", ".join(parts)
