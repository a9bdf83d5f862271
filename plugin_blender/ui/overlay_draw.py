# SPDX-License-Identifier: GPL-3.0-or-later
"""Shaders and batches of the overlay: what is drawn is given as flat arrays of numbers."""

import os
from array import array

import gpu

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "shaders", "glsl")

# Colours, as they are in the legend too. The axes are Blender's.
AXES = ((1.0, 0.2, 0.2), (0.45, 0.85, 0.1), (0.15, 0.5, 1.0))
NONE = (0.55, 0.55, 0.55)
ICE, ROUGH = (0.1, 0.35, 1.0), (1.0, 0.15, 0.05)
STICKS, SLIPS = (0.1, 0.8, 0.3), (1.0, 0.45, 0.0)
SKIN, THIN, HOLES = (0.3, 0.8, 0.9), (1.0, 0.8, 0.2), (1.0, 0.1, 0.4)
PIERCED = (1.0, 0.05, 0.05)
NEARER = 2e-4  # of the depth: marks lie on the surface, not in it

INPUTS = {
    "marks": (("VEC3", "pos"), ("VEC3", "direction")),
    "grip": (("VEC3", "pos"), ("VEC2", "uv")),
    "contacts": (("VEC3", "pos"), ("VEC3", "normal"), ("VEC3", "force"), ("VEC2", "corner"),
                 ("FLOAT", "state")),
    "skin": (("VEC3", "pos"), ("FLOAT", "hole")),
    "pierced": (("VEC3", "pos"),),
}
BETWEEN = {
    "marks": (("VEC3", "run"),), "grip": (("VEC2", "place"),), "contacts": (("VEC3", "paint"),),
    "skin": (("FLOAT", "open"), ("VEC3", "at")), "pierced": (("VEC3", "at"),),
}
# What never changes is written into the shader, what does is set when drawing: a GPU need not offer more
# than 128 bytes for that.
CONSTANTS = {
    "marks": {"NEARER": NEARER, "AXIS_X": AXES[0], "AXIS_Y": AXES[1], "AXIS_Z": AXES[2],
              "NO_STRUCTURE": NONE},
    "grip": {"NEARER": NEARER, "ICE": ICE, "ROUGH": ROUGH},
    "contacts": {"NEARER": 4 * NEARER, "STICKS": STICKS, "SLIPS": SLIPS},
    "skin": {"NEARER": 0.5 * NEARER, "SKIN": SKIN, "THIN": THIN, "HOLES": HOLES},
    "pierced": {"PIERCED": PIERCED},
}
UNIFORMS = {
    "marks": {}, "skin": {}, "pierced": {},
    "grip": {"channel": (0.2126, 0.7152, 0.0722, 0.0), "scale": 1.0},
    "contacts": {"metres_a_newton": 1.0, "point_size": 6.0},
}
WIDTH = {"FLOAT": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}

_shaders = {}


def _type_of(value):
    return "FLOAT" if isinstance(value, float) else f"VEC{len(value)}"


def _written(value):
    """As GLSL writes it."""
    if isinstance(value, float):
        return f"{value:.9f}"
    return f"vec{len(value)}({', '.join(_written(x) for x in value)})"


def _source(name, stage):
    with open(os.path.join(FOLDER, f"{name}.{stage}"), encoding="utf-8") as file:
        return file.read()


def shader(name):
    """Made on first use: only a window has a GPU."""
    if name not in _shaders:
        info = gpu.types.GPUShaderCreateInfo()
        for i, (kind, attribute) in enumerate(INPUTS[name]):
            info.vertex_in(i, kind, attribute)
        between = gpu.types.GPUStageInterfaceInfo(f"tribo_{name}")
        for kind, value in BETWEEN[name]:
            between.smooth(kind, value)
        info.vertex_out(between)
        info.push_constant("MAT4", "view_projection")
        info.push_constant("FLOAT", "opacity")
        info.push_constant("FLOAT", "encoded")
        for uniform, value in UNIFORMS[name].items():
            info.push_constant(_type_of(value), uniform)
        for constant, value in CONSTANTS[name].items():
            info.define("TRIBO_" + constant, _written(value))
        if name == "grip":
            info.sampler(0, "FLOAT_2D", "map")
        info.fragment_out(0, "VEC4", "colour")
        info.vertex_source(_source(name, "vert"))
        info.fragment_source(_source("colour", "frag") + _source(name, "frag"))
        _shaders[name] = gpu.shader.create_from_info(info)
    return _shaders[name]


def forget():
    _shaders.clear()


def _rows(numbers, width, code="f"):
    """A flat buffer as a table, which is how Blender takes vertices."""
    flat = memoryview(numbers).cast("B")
    count = len(flat) // (4 * width)
    return flat.cast(code, [count, width]) if width > 1 else flat.cast(code)


def batch(name, kind, count, indices=None, **attributes):
    """attributes: flat numbers, 'f', of each vertex."""
    layout = gpu.types.GPUVertFormat()
    for form, attribute in INPUTS[name]:
        layout.attr_add(id=attribute, comp_type="F32", len=WIDTH[form], fetch_mode="FLOAT")
    vertices = gpu.types.GPUVertBuf(layout, count)
    for form, attribute in INPUTS[name]:
        vertices.attr_fill(attribute, _rows(attributes[attribute], WIDTH[form]))
    if indices is None:
        return gpu.types.GPUBatch(type=kind, buf=vertices)
    elements = gpu.types.GPUIndexBuf(type="TRIS", seq=_rows(indices, 3, "I"))
    return gpu.types.GPUBatch(type=kind, buf=vertices, elem=elements)


def quads(count):
    """Indices of two triangles for each four vertices."""
    out = array("I", bytes(24 * count))
    for k, corner in enumerate((0, 1, 2, 0, 2, 3)):
        out[k::6] = array("I", range(corner, 4 * count, 4))
    return out


def repeated(numbers, width, times):
    """Every row of a table some times over."""
    source = array("f")
    source.frombytes(memoryview(numbers).cast("B"))
    out = array("f", bytes(4 * len(source) * times))
    for k in range(times):
        for i in range(width):
            out[k * width + i::times * width] = source[i::width]
    return out


encodes = False  # whether what is drawn into turns linear light into sRGB, as the 3D view does


def draw(name, what, view_projection, opacity, texture=None, **uniforms):
    program = shader(name)
    program.bind()
    program.uniform_float("encoded", float(encodes))
    program.uniform_float("view_projection", view_projection)
    program.uniform_float("opacity", opacity)
    for uniform, value in {**UNIFORMS[name], **uniforms}.items():
        program.uniform_float(uniform, value)
    if texture is not None:
        program.uniform_sampler("map", texture)
    what.draw(program)
