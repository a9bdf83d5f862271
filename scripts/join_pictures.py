# SPDX-License-Identifier: GPL-3.0-or-later
"""Joins pictures of equal height side by side, or of equal width one above the other.

    python3 scripts/join_pictures.py OUT.png [--down] [--half] A.png B.png ...

--half: at half the size, four pixels averaged to one, which takes away noise and bytes.
Reads the PNG files that Blender writes (8 bits, RGB or RGBA, not interlaced); needs nothing else.
"""

import struct
import sys
import zlib


def read_png(path):
    """Width, and one bytearray of RGB a row."""
    with open(path, "rb") as file:
        data = file.read()
    at, packed = 8, b""
    while at < len(data):
        (size,), kind = struct.unpack(">I", data[at : at + 4]), data[at + 4 : at + 8]
        body = data[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, bits, colours, _, _, interlaced = struct.unpack(">IIBBBBB", body)
            if bits != 8 or colours not in (2, 6) or interlaced:
                raise SystemExit(f"join_pictures: {path} is not 8 bits RGB or RGBA")
        elif kind == b"IDAT":
            packed += body
        at += 12 + size
    raw, step = zlib.decompress(packed), 4 if colours == 6 else 3
    rows, before, at = [], bytearray(width * step), 0
    for _ in range(height):
        how, row = raw[at], bytearray(raw[at + 1 : at + 1 + width * step])
        undo_filter(how, row, before, step)
        before, at = row, at + 1 + width * step
        rows.append(bytearray(c for i, c in enumerate(row) if i % step < 3))
    return width, rows


def undo_filter(how, row, above, step):
    for i in range(len(row)):
        left = row[i - step] if i >= step else 0
        corner = above[i - step] if i >= step else 0
        if how == 1:
            guess = left
        elif how == 2:
            guess = above[i]
        elif how == 3:
            guess = (left + above[i]) // 2
        elif how == 4:
            middle = left + above[i] - corner
            guess = min((left, above[i], corner), key=lambda c: abs(middle - c))
        else:
            guess = 0
        row[i] = (row[i] + guess) & 255


def write_png(path, width, rows):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    raw = b""
    for row in rows:  # each byte less its left neighbour: packs well
        raw += b"\1" + bytes((c - (row[i - 3] if i >= 3 else 0)) & 255 for i, c in enumerate(row))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        file.write(chunk(b"IHDR", struct.pack(">IIBBBBB", width, len(rows), 8, 2, 0, 0, 0)))
        file.write(chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b""))


def halve(width, rows):
    return width // 2, [
        bytearray(
            (a[i] + a[i + 3] + b[i] + b[i + 3] + 2) // 4
            for i in (6 * (k // 3) + k % 3 for k in range(3 * (width // 2)))
        )
        for a, b in zip(rows[::2], rows[1::2])
    ]


def main(words):
    down, half = "--down" in words, "--half" in words
    out, *paths = [word for word in words if word not in ("--down", "--half")]
    pictures = [read_png(path) for path in paths]
    if half:
        pictures = [halve(*picture) for picture in pictures]
    if len({width if down else len(rows) for width, rows in pictures}) != 1:
        raise SystemExit("join_pictures: the pictures differ in " + ("width" if down else "height"))
    if down:
        write_png(out, pictures[0][0], [row for _, rows in pictures for row in rows])
    else:
        rows = [b"".join(parts) for parts in zip(*(rows for _, rows in pictures))]
        write_png(out, sum(width for width, _ in pictures), rows)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    main(sys.argv[1:])
