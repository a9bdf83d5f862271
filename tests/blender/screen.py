# SPDX-License-Identifier: GPL-3.0-or-later
"""A picture of the window as the X server has it. Blender's own operator reads its front buffer back, and
with the Mesa of Debian 13 that is black.

The window fills the screen of Xvfb (see run.py).
"""

import ctypes
import struct
import zlib

ALL_PLANES, Z_PIXMAP = ctypes.c_ulong(-1), 2


class XImage(ctypes.Structure):
    """The beginning of what Xlib.h has."""

    _fields_ = [(name, ctypes.c_int) for name in ("width", "height", "xoffset", "format")] + [
        ("data", ctypes.c_void_p)] + [(name, ctypes.c_int) for name in (
            "byte_order", "bitmap_unit", "bitmap_bit_order", "bitmap_pad", "depth", "bytes_per_line",
            "bits_per_pixel")]


def pixels():
    """(width, height, bytes), four a pixel, blue first, the highest row first."""
    x = ctypes.CDLL("libX11.so.6")
    x.XOpenDisplay.restype = ctypes.c_void_p
    x.XDefaultRootWindow.argtypes = x.XCloseDisplay.argtypes = [ctypes.c_void_p]
    x.XDefaultRootWindow.restype = ctypes.c_ulong
    x.XDisplayWidth.argtypes = x.XDisplayHeight.argtypes = [ctypes.c_void_p, ctypes.c_int]
    x.XGetImage.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_int, ctypes.c_uint,
                            ctypes.c_uint, ctypes.c_ulong, ctypes.c_int]
    x.XGetImage.restype = ctypes.POINTER(XImage)
    x.XDestroyImage.argtypes = [ctypes.POINTER(XImage)]
    display = x.XOpenDisplay(None)
    assert display, "there is no X server"
    width, height = x.XDisplayWidth(display, 0), x.XDisplayHeight(display, 0)
    image = x.XGetImage(display, x.XDefaultRootWindow(display), 0, 0, width, height, ALL_PLANES, Z_PIXMAP)
    found = image.contents
    assert (found.bits_per_pixel, found.byte_order, found.bytes_per_line) == (32, 0, 4 * width)
    values = ctypes.string_at(found.data, 4 * width * height)
    x.XDestroyImage(image)
    x.XCloseDisplay(display)
    return width, height, values


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def save(file):
    """As a PNG."""
    width, height, values = pixels()
    rgb = bytearray(3 * width * height)
    for k in range(3):
        rgb[k::3] = values[2 - k::4]
    rows = b"".join(b"\0" + rgb[at:at + 3 * width] for at in range(0, len(rgb), 3 * width))
    with open(file, "wb") as stream:
        stream.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0))
                     + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))
