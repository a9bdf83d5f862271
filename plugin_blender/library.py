# SPDX-License-Identifier: GPL-3.0-or-later
"""The native module, or the reason why there is none."""

import os
import platform
import sys

from .logic import kinds, wording

PROBLEM = ""
WAIT_POLICY = "OMP_WAIT_POLICY"


def _load():
    """Its threads shall sleep while they wait, not spin: they share the cores with Blender, and a busy
    machine would lose most of its time. Its OpenMP asks the environment once, when it is loaded."""
    before = os.environ.get(WAIT_POLICY)
    os.environ[WAIT_POLICY] = "passive"
    try:
        from . import _tribo
    finally:
        if before is None:
            del os.environ[WAIT_POLICY]
        else:
            os.environ[WAIT_POLICY] = before
    return _tribo


try:
    tribo = _load()
    wording.learn(tribo.parameters())
    kinds.learn(tribo.kinds())
except ImportError as failure:
    tribo = None
    PROBLEM = (
        f"Tribo's native module does not load on {platform.system()} {platform.machine()} with "
        f"Python {sys.version_info.major}.{sys.version_info.minor}: {failure}. Install the zip made "
        "for this platform; it needs Blender 4.1 or later, or a Blender built with Python 3.11"
    )
