# SPDX-License-Identifier: GPL-3.0-or-later
"""Tribo for Blender: cloth, soft bodies and rigid bodies with friction that is painted."""

bl_info = {
    "name": "Tribo",
    "author": "The Tribo authors",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "Properties > Physics > Tribo",
    "description": "Cloth, soft bodies and rigid bodies with friction that you paint",
    "doc_url": "",
    "category": "Physics",
}

import importlib
import sys

# In the order in which they are registered.
MODULES = (
    "props",
    "ops.setup",
    "ops.copying",
    "ops.bake",
    "ops.cache",
    "ops.wedge",
    "ops.remedies",
    "ops.examples",
    "ops.comb_canvas",
    "ops.comb",
    "ops.maps",
    "ops.brushed",
    "ui.panels",
    "ui.wedge",
    "ui.verdict",
    "ui.findings",
    "ui.menus",
    "ui.paint",
    "ui.overlay",
    "pauses",
    "stale",
    "doubts",
    "handlers",
)

_registered = []


def _forget_old_modules():
    """Disabling and enabling must run the code that is on disk now. The native module stays: a
    process loads it once."""
    kept = (f"{__name__}._tribo",)
    for name in list(sys.modules):
        if name.startswith(__name__ + ".") and name not in kept:
            del sys.modules[name]
            # `from . import live` would find the old module as an attribute of the package.
            globals().pop(name[len(__name__) + 1 :], None)


def register():
    from . import library

    try:
        for name in MODULES if library.tribo else ("ui.missing",):
            module = importlib.import_module("." + name, __name__)
            module.register()
            _registered.append(module)
    except Exception:
        unregister()
        raise


def unregister():
    while _registered:
        _registered.pop().unregister()
    _forget_old_modules()
