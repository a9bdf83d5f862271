# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers of a checkpoint (core/src/cache/checkpoint.h), named section by section, so that a
change of the file's layout can be told apart from a change of the numbers. A new version of the
layout is one more function in READERS."""
import struct


def words(data, at, count):
    """Numbers of 8 bytes as their bits: no rounding, no NaN that is unlike itself."""
    return list(struct.unpack_from("<%dQ" % count, data, at)), at + 8 * count


def read_4(data):
    (step, nodes, rigids, touches), at = words(data, 32, 4)
    x, at = words(data, at, 3 * nodes)
    v, at = words(data, at, 3 * nodes)
    turns, at = words(data, at, 4 * rigids)
    touch, at = words(data, at, 6 * touches)
    return {"step": [step], "positions": x, "velocities": v, "orientations": turns,
            "warm.impulses": [touch[6 * i + k] for i in range(touches) for k in range(1, 5)],
            "warm.keys": [touch[6 * i + k] for i in range(touches) for k in (0, 5)]}


READERS = {4: read_4}


def sections(data):
    """Section -> list of 64-bit words. A version without a reader is one section of bytes."""
    if data[:8] != b"TRIBOCKP":
        return {"bytes": list(data)}
    version = struct.unpack_from("<I", data, 8)[0]
    if version not in READERS:
        return {"bytes of version %d" % version: list(data[24:-8])}
    return READERS[version](data)


def show(word):
    return "%.17g" % struct.unpack("<d", struct.pack("<Q", word))[0]
