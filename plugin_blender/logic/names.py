# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of objects as the core and a file system take them."""

import hashlib

LONGEST = 180  # the core takes 200 bytes; a number may follow


def legal(name):
    """The same name without what the core refuses: '/', a dot in front, too many bytes."""
    text = "".join("_" if c in '/\\:*?"<>|' or ord(c) < 32 else c for c in name)
    if text.startswith("."):
        text = "_" + text[1:]
    return text.encode("utf-8")[:LONGEST].decode("utf-8", "ignore") or "_"


def distinct(name):
    """Legal, and another for every name: where something had to be changed, a mark of the name as it
    was follows. So the caches of two scenes never share a folder."""
    made = legal(name)
    if made == name:
        return made
    return f"{made}-{hashlib.blake2b(name.encode('utf-8'), digest_size=3).hexdigest()}"


def unique(names):
    """A legal name for each, in order, no two alike in any case: they become names of files. Nor may
    one be another's with `.local`, which is what its playback is called."""
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
    return {name.casefold(), name.casefold() + ".local"}
