# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of objects as the core and a file system take them."""

import hashlib
import re
import unicodedata

LONGEST = 180  # the core takes 200 bytes; a number may follow

# What Windows takes for a device, up to the first dot (core/src/scene/scene_check_name.c).
DEVICE = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *(\.|$)", re.IGNORECASE)


def legal(name):
    """The same name without what the core refuses, because some system cannot hold it: '/', a dot in front, a
    dot or a blank at the end, a device of Windows, too many bytes."""
    text = "".join("_" if c in '/\\:*?"<>|' or ord(c) < 32 or ord(c) == 127 else c for c in name)
    if text.startswith("."):
        text = "_" + text[1:]
    if DEVICE.match(text):
        text = "_" + text
    text = text.encode("utf-8", "replace")[:LONGEST].decode("utf-8", "ignore")
    if text[-1:] in (".", " "):
        text = text[:-1] + "_"
    return text or "_"


def distinct(name):
    """Legal, and another for every name: where something had to be changed, a mark of the name as it
    was follows. So the caches of two scenes never share a folder."""
    made = legal(name)
    if made == name:
        return made
    return f"{made}-{hashlib.blake2b(name.encode('utf-8'), digest_size=3).hexdigest()}"


def unique(names):
    """A legal name for each, in order, no two alike in any case or way to put accents on letters: they become
    names of files. Nor may one be another's with `.local`, which is what its playback is called."""
    taken, out = set(), []
    for name in names:
        base = candidate = legal(name)
        number = 2
        while not taken.isdisjoint(_stems(candidate)):
            candidate = f"{base}_{number}"
            number += 1
        taken.update(_stems(candidate))
        out.append(candidate)
    return out


def _stems(name):
    folded = unicodedata.normalize("NFD", unicodedata.normalize("NFD", name).casefold())
    return {folded, folded + ".local"}
