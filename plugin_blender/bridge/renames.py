# SPDX-License-Identifier: GPL-3.0-or-later
"""What objects were called when a cache was made. A bake that goes on with it has to call them so."""

import re

from ..logic import folders
from . import stack


def played_file(ob):
    """The file's name alone that the modifier of an object plays, or ""."""
    modifier = stack.find(ob)
    return re.split(r"[\\/]", modifier.filepath)[-1] if modifier else ""


def old_names(obs, files):
    """{name of an object: its name in the cache}, where that is another. files: {title: file} of the
    cache's notes. A duplicate plays the same file, but that file's own object is still there."""
    here = {ob.name for ob in obs}
    out = {}
    for ob in obs:
        if ob.library:
            continue
        played = files.get(ob.name) or played_file(ob)
        owner = next((title for title, file in files.items() if file == played), None)
        name = played.removesuffix(folders.playback_file(""))
        if owner and (owner == ob.name or owner not in here) and name not in out.values() and name != ob.name:
            out[ob.name] = name
    return out
