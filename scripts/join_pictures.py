# SPDX-License-Identifier: GPL-3.0-or-later
"""Joins pictures of equal height side by side, or of equal width one above the other.

    python3 scripts/join_pictures.py OUT.png [--down] [--half] [--calm] A.png B.png ...

--half: at half the size, four pixels averaged to one, which takes away noise and bytes.
--calm: each pixel is the mean of those around it that are about as bright: less noise, same edges.
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


def differences(row, above):
    """The filters of PNG that say how a row differs: from its left, from above, from the best guess."""
    left = bytes(3) + bytes(row[:-3])
    corner = bytes(3) + bytes(above[:-3])
    yield 1, bytes((c - a) & 255 for c, a in zip(row, left))
    yield 2, bytes((c - b) & 255 for c, b in zip(row, above))
    guesses = bytearray(row)
    for i, (a, b, c) in enumerate(zip(left, above, corner)):
        far_a, far_b, far_c = abs(b - c), abs(a - c), abs(a + b - 2 * c)
        guesses[i] = a if far_a <= far_b and far_a <= far_c else b if far_b <= far_c else c
    yield 4, bytes((c - g) & 255 for c, g in zip(row, guesses))


def write_png(path, width, rows):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    raw, above = b"", bytes(3 * width)
    for row in rows:  # of the filters the one with the smallest differences packs best
        how, packed = min(
            differences(row, above), key=lambda one: sum(min(c, 256 - c) for c in one[1])
        )
        raw += bytes([how]) + packed
        above = row
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


def calm(width, rows):
    """Noise is small steps between neighbours; what differs by more is left out of the mean."""
    reach, step = 2, 12
    quiet = []
    for y, row in enumerate(rows):
        near = rows[max(0, y - reach) : y + reach + 1]
        smooth = bytearray(row)
        for x in range(width):
            r, g, b = row[3 * x : 3 * x + 3]
            low, high = 3 * max(0, x - reach), 3 * min(width, x + reach + 1)
            sums, count = [0, 0, 0], 0
            for other in near:
                for k in range(low, high, 3):
                    u, v, w = other[k], other[k + 1], other[k + 2]
                    if -step <= u - r <= step and -step <= v - g <= step and -step <= w - b <= step:
                        sums[0] += u
                        sums[1] += v
                        sums[2] += w
                        count += 1
            smooth[3 * x : 3 * x + 3] = bytes((c + count // 2) // count for c in sums)
        quiet.append(smooth)
    return width, quiet


def main(words):
    down, half, quiet = "--down" in words, "--half" in words, "--calm" in words
    out, *paths = [word for word in words if word not in ("--down", "--half", "--calm")]
    pictures = [read_png(path) for path in paths]
    if half:
        pictures = [halve(*picture) for picture in pictures]
    if quiet:
        pictures = [calm(*calm(*picture)) for picture in pictures]
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
