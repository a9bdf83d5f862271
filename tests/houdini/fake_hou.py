# SPDX-License-Identifier: GPL-3.0-or-later
"""As much of Houdini's Python module as the asset Tribo Bake uses, for tests. Names and results are those of the HOM
documentation; what it does in a real Houdini nobody saw (docs/houdini.md)."""

import os
import re
from array import array

attribData = type("attribData", (), {"Float": "float", "Int": "int", "String": "string"})
attribType = type("attribType", (), {"Point": "point"})
primType = type("primType", (), {"Polygon": "poly", "Tetrahedron": "tet", "Sphere": "sphere"})
parmTemplateType = type("parmTemplateType", (), {name: name for name in
                        ("Int", "Float", "String", "Toggle", "Menu", "Button", "FolderSet")})
severityType = type("severityType", (), {"Error": "error", "Warning": "warning", "Message": "message"})

now = 1.0  # the frame of the timeline
interrupt_after = None  # how many looks until Esc
shown = []  # what was displayed


class NodeError(Exception):
    pass


class OperationInterrupted(Exception):
    pass


class PackedPrim:
    pass


def frame():
    return now


def fps():
    return 24.0


def frameToTime(at):
    return (at - 1) / 24.0


def isUIAvailable():
    return True


class ui:
    @staticmethod
    def displayMessage(text, severity, title):
        shown.append((severity, text))


class InterruptableOperation:
    def __init__(self, name, open_interrupt_dialog=False):
        self.name = name

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

    def updateProgress(self, fraction):
        global interrupt_after
        assert 0 <= fraction <= 1, fraction
        if interrupt_after is not None:
            interrupt_after -= 1
            if interrupt_after < 0:
                interrupt_after = None
                raise OperationInterrupted()


class Point:
    def __init__(self, number):
        self._number = number

    def number(self):
        return self._number


class Vertex:
    def __init__(self, point):
        self._point = point

    def point(self):
        return Point(self._point)


class Prim:
    def __init__(self, points, kind=primType.Polygon, closed=True):
        self.points, self.kind, self.closed = points, kind, closed

    def type(self):
        return self.kind

    def isClosed(self):
        return self.closed

    def vertices(self):
        return [Vertex(p) for p in self.points]


class Attrib:
    def __init__(self, name, kind, size, values):
        self._name, self._kind, self._size, self.values = name, kind, size, values

    def name(self):
        return self._name

    def dataType(self):
        return self._kind

    def size(self):
        return self._size


class Group:
    def __init__(self, numbers):
        self.numbers = numbers

    def points(self):
        return [Point(n) for n in self.numbers]


class Geometry:
    def __init__(self, points=(), prims=()):
        self.P, self._prims = array("f", points), list(prims)
        self.attributes, self.groups = {}, {}

    def intrinsicValue(self, name):
        return {"pointcount": len(self.P) // 3, "primitivecount": len(self._prims),
                "vertexcount": sum(len(p.points) for p in self._prims)}[name]

    def prims(self):
        return tuple(self._prims)

    def add(self, owner, name, kind, size, values):
        self.attributes[owner, name] = Attrib(name, kind, size, values)

    def findPrimAttrib(self, name):
        return self.attributes.get(("prim", name))

    def findVertexAttrib(self, name):
        return self.attributes.get(("vertex", name))

    def findPointAttrib(self, name):
        return self.attributes.get(("point", name))

    def findGlobalAttrib(self, name):
        return self.attributes.get(("detail", name))

    def addAttrib(self, owner, name, default):
        self.add(owner, name, attribData.Float, 3, array("f", bytes(4 * len(self.P))))

    def attribValue(self, name):
        found = self.attributes["detail", name]
        return tuple(found.values) if found.size() > 1 else found.values[0]

    def _bytes(self, owner, name, kind):
        found = self.attributes[owner, name]
        assert found.dataType() == kind, f"{name} is no {kind}"
        return found.values.tobytes()

    def pointFloatAttribValuesAsString(self, name):
        return self.P.tobytes() if name == "P" else self._bytes("point", name, attribData.Float)

    def primFloatAttribValuesAsString(self, name):
        return self._bytes("prim", name, attribData.Float)

    def vertexFloatAttribValuesAsString(self, name):
        return self._bytes("vertex", name, attribData.Float)

    def pointIntAttribValuesAsString(self, name):
        return self._bytes("point", name, attribData.Int)

    def primStringAttribValues(self, name):
        return tuple(self.attributes["prim", name].values)

    def pointStringAttribValues(self, name):
        return tuple(self.attributes["point", name].values)

    def setPointFloatAttribValuesFromString(self, name, values):
        target = self.P if name == "P" else self.attributes["point", name].values
        found = array("f")
        found.frombytes(values)
        assert len(found) == len(target), "as many numbers as there are points"
        target[:] = found

    def findPointGroup(self, name):
        return Group(self.groups[name]) if name in self.groups else None


class Source:
    """A node above: its geometry as a function of the frame."""

    def __init__(self, at):
        self.at = at

    def geometryAtFrame(self, at_frame, output_index=0):
        return self.at(at_frame)


class Connection:
    def __init__(self, number, source):
        self.number, self.source = number, source

    def inputIndex(self):
        return self.number

    def inputNode(self):
        return self.source

    def outputIndex(self):
        return 0


class ParmTemplate:
    def __init__(self, kind):
        self.kind = kind

    def type(self):
        return self.kind


class ParmTuple:
    def __init__(self, node, name, kind, values):
        self.node, self._name, self.kind, self.values = node, name, kind, values

    def name(self):
        return self._name

    def parmTemplate(self):
        return ParmTemplate(self.kind)

    def evalAtTime(self, _time):
        return tuple(self.values)

    def eval(self):
        return self.values[0]


KINDS = {"integer": parmTemplateType.Int, "float": parmTemplateType.Float, "vector": parmTemplateType.Float,
         "ordinal": parmTemplateType.Menu, "toggle": parmTemplateType.Toggle, "button": parmTemplateType.Button,
         "string": parmTemplateType.String, "file": parmTemplateType.String}


class NodeType:
    def __init__(self, module):
        self.module = module

    def hdaModule(self):
        return self.module


class Node:
    """A node of the asset, with the parameters of its dialog script and the code of its module."""

    def __init__(self, folder):
        with open(os.path.join(folder, "DialogScript"), encoding="utf-8") as file:
            self.parms = {p.name(): p for p in self._read(file.read())}
        with open(os.path.join(folder, "PythonModule"), encoding="utf-8") as file:
            code = file.read()
        self.module = type("module", (), {})()
        exec(compile(code, "PythonModule", "exec"), self.module.__dict__)
        with open(os.path.join(folder, "PythonCook"), encoding="utf-8") as file:
            self.cook_code = compile(file.read(), "PythonCook", "exec")
        self.inputs, self.geo, self.cooks = {}, None, 0

    def _read(self, text):
        for block in re.split(r"\n    parm \{\n", text)[1:]:
            name = re.search(r'name "(\w+)"', block)[1]
            kind = re.search(r"type (\w+)", block)[1]
            found = re.findall(r'"([^"]*)"', re.search(r"default \{(.*)\}", block)[1])
            if KINDS[kind] != parmTemplateType.String:
                found = [float(x) if kind in ("float", "vector") else int(x) for x in found]
            yield ParmTuple(self, name, KINDS[kind], found)

    def type(self):
        return NodeType(self.module)

    def parm(self, name):
        return self.parms[name]

    def parmTuples(self):
        return tuple(self.parms.values())

    def inputConnections(self):
        return tuple(Connection(number, source) for number, source in sorted(self.inputs.items()))

    def geometry(self):
        return self.geo

    def cook(self, force=False):
        """As Houdini cooks a Python SOP: its geometry is a copy of the first input's."""
        self.geo = self.inputs[0].geometryAtFrame(now)
        self.cooks += 1
        exec(self.cook_code, {"hou": type("hou", (), {"pwd": lambda _=None: self})()})

    def press(self, button):
        self.module.pressed(button, {"node": self})
