# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of objects as the core and a file system take them."""

LONGEST = 180  # the core takes 200 bytes; a number may follow


def legal(name):
    """The same name without what the core refuses: '/', a dot in front, too many bytes."""
    text = "".join("_" if c in '/\\:*?"<>|' or ord(c) < 32 else c for c in name)
    if text.startswith("."):
        text = "_" + text[1:]
    return text.encode("utf-8")[:LONGEST].decode("utf-8", "ignore") or "_"


def unique(names):
    """A legal name for each, in order, no two alike in any case: they become names of files."""
    taken, out = set(), []
    for name in names:
        base = candidate = legal(name)
        number = 2
        while candidate.casefold() in taken:
            candidate = f"{base}_{number}"
            number += 1
        taken.add(candidate.casefold())
        out.append(candidate)
    return out
