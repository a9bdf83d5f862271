# SPDX-License-Identifier: GPL-3.0-or-later
"""The native module, or the reason why there is none."""

import platform
import sys

PROBLEM = ""

try:
    from . import _tribo as tribo
except ImportError as failure:
    tribo = None
    PROBLEM = (
        f"Tribo's native module does not load on {platform.system()} {platform.machine()} with "
        f"Python {sys.version_info.major}.{sys.version_info.minor}: {failure}. Install the zip made "
        "for this platform; it needs Blender 4.1 or later, or a Blender built with Python 3.11"
    )


def kinds():
    """Kinds of objects that this build of the core simulates or touches."""
    listed = ["CLOTH", "SOLID", "RIGID", "COLLIDER"]
    if any(row["group"] == "rod" for row in tribo.parameters()):
        listed.insert(3, "ROD")
    return listed
