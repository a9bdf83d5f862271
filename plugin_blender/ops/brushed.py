# SPDX-License-Identifier: GPL-3.0-or-later
"""A look made from the structure map: metal that was brushed the way it is combed.

The Normal Map node carries red and green into the frame of the UVs, mirrored islands included; with no
share along the normal what comes out is the structure itself, in the world. The highlight is drawn out
across it, as grooves do, and noise along it, into scratches.
"""

import bpy

GROUP = "Tribo Brushed"
SAMPLES = 9  # of the noise along a scratch
LEAST = 0.1  # a shorter direction is none, as in the core
INPUTS = (
    ("Structure", "NodeSocketColor", (0.5, 0.5, 0.0, 1.0)),
    ("Base Color", "NodeSocketColor", (0.75, 0.76, 0.78, 1.0)),
    ("Metallic", "NodeSocketFloat", 1.0),
    ("Roughness", "NodeSocketFloat", 0.35),
    ("Anisotropic", "NodeSocketFloat", 0.9),
    ("Scratches", "NodeSocketFloat", 0.35),
    ("Scratch Density", "NodeSocketFloat", 120.0),
    ("Scratch Length", "NodeSocketFloat", 0.12),
)


class Wiring:
    """Makes nodes and links in a tree, so that what follows reads as formulas."""

    def __init__(self, tree):
        self.tree = tree
        self.column = 0

    def node(self, kind, **settings):
        made = self.tree.nodes.new(kind)
        for name, value in settings.items():
            setattr(made, name, value)
        self.column += 1
        made.location = 180 * (self.column // 5), -160 * (self.column % 5)
        return made

    def join(self, source, socket):
        if isinstance(source, bpy.types.NodeSocket):
            self.tree.links.new(source, socket)
        else:
            socket.default_value = source

    def math(self, operation, a, b=0.0, clamp=False):
        made = self.node("ShaderNodeMath", operation=operation, use_clamp=clamp)
        self.join(a, made.inputs[0])
        self.join(b, made.inputs[1])
        return made.outputs[0]

    def vector(self, operation, a, b=(0.0, 0.0, 0.0), scale=None):
        made = self.node("ShaderNodeVectorMath", operation=operation)
        self.join(a, made.inputs[0])
        if scale is None:
            self.join(b, made.inputs[1])
        else:
            self.join(scale, made.inputs["Scale"])
        return made.outputs["Value" if operation == "LENGTH" else "Vector"]


def add_sockets(tree):
    """The group's inputs and its output, by the way of this Blender."""
    if hasattr(tree, "interface"):  # from 4.0 on
        for name, kind, value in INPUTS:
            tree.interface.new_socket(name, in_out="INPUT", socket_type=kind).default_value = value
        tree.interface.new_socket("BSDF", in_out="OUTPUT", socket_type="NodeSocketShader")
        return
    for name, kind, value in INPUTS:
        tree.inputs.new(kind, name).default_value = value
    tree.outputs.new("NodeSocketShader", "BSDF")


def direction(w, colour, uv_map):
    """(the structure in the world, 1 where there is one). Where there is none, u: in some Blenders no
    direction at all is no number, and what is no number is black."""
    split = w.node("ShaderNodeSeparateColor")
    w.join(colour, split.inputs[0])
    red, green = split.outputs[0], split.outputs[1]
    x, y = w.math("SUBTRACT", red, 0.5), w.math("SUBTRACT", green, 0.5)
    square = w.math("ADD", w.math("MULTIPLY", x, x), w.math("MULTIPLY", y, y))
    there = w.math("GREATER_THAN", square, (LEAST / 2) ** 2)
    flat = w.node("ShaderNodeCombineColor")
    w.join(w.math("ADD", red, w.math("MULTIPLY", w.math("SUBTRACT", 1.0, there), 0.5)), flat.inputs[0])
    w.join(green, flat.inputs[1])
    w.join(0.5, flat.inputs[2])
    turned = w.node("ShaderNodeNormalMap", space="TANGENT", uv_map=uv_map)
    w.join(flat.outputs[0], turned.inputs["Color"])
    return turned.outputs[0], there


def scratches(w, along, density, length):
    """Noise, averaged along the structure: -1/2 to 1/2."""
    place = w.node("ShaderNodeNewGeometry").outputs["Position"]
    total = None
    for k in range(SAMPLES):
        step = w.math("MULTIPLY", length, (k / (SAMPLES - 1)) - 0.5)
        noise = w.node("ShaderNodeTexNoise")
        w.join(w.vector("ADD", place, w.vector("SCALE", along, scale=step)), noise.inputs["Vector"])
        w.join(density, noise.inputs["Scale"])
        w.join(0.0, noise.inputs["Detail"])
        total = noise.outputs[0] if total is None else w.math("ADD", total, noise.outputs[0])
    mean = w.math("MULTIPLY", total, 1 / SAMPLES)
    return w.math("MULTIPLY", w.math("SUBTRACT", mean, 0.5), 3.0)


def make_group(uv_map):
    """The node group for a UV map, made once."""
    name = f"{GROUP} ({uv_map})"
    found = bpy.data.node_groups.get(name)
    if found:
        return found
    tree = bpy.data.node_groups.new(name, "ShaderNodeTree")
    add_sockets(tree)
    w = Wiring(tree)
    given = w.node("NodeGroupInput").outputs
    along, there = direction(w, given["Structure"], uv_map)
    strength = w.math("MULTIPLY", given["Scratches"], there)
    mark = w.math("MULTIPLY", scratches(w, along, given["Scratch Density"], given["Scratch Length"]), strength)
    bump = w.node("ShaderNodeBump")
    w.join(0.15, bump.inputs["Strength"])
    w.join(0.002, bump.inputs["Distance"])
    w.join(mark, bump.inputs["Height"])
    bsdf = w.node("ShaderNodeBsdfPrincipled")
    w.join(given["Base Color"], bsdf.inputs["Base Color"])
    w.join(given["Metallic"], bsdf.inputs["Metallic"])
    rough = w.math("ADD", given["Roughness"], w.math("MULTIPLY", mark, 0.5), clamp=True)
    w.join(rough, bsdf.inputs["Roughness"])
    w.join(w.math("MULTIPLY", given["Anisotropic"], there), bsdf.inputs["Anisotropic"])
    w.join(along, bsdf.inputs["Tangent"])
    w.join(0.25, bsdf.inputs["Anisotropic Rotation"])  # a quarter turn: grooves scatter across
    w.join(bump.outputs[0], bsdf.inputs["Normal"])
    out = w.node("NodeGroupOutput")
    w.join(bsdf.outputs[0], out.inputs[0])
    return tree


def make_material(ob):
    """A material that shows the object's structure map."""
    uv_map = ob.data.uv_layers.active.name
    material = bpy.data.materials.new(f"{ob.name} brushed")
    material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()
    w = Wiring(tree)
    place = w.node("ShaderNodeUVMap", uv_map=uv_map)
    # Closest: between two ends of one line a linear filter would find nothing.
    picture = w.node("ShaderNodeTexImage", image=ob.tribo.structure_map, interpolation="Closest")
    w.join(place.outputs[0], picture.inputs[0])
    group = w.node("ShaderNodeGroup", node_tree=make_group(uv_map))
    w.join(picture.outputs[0], group.inputs["Structure"])
    size = max(max(ob.dimensions), 1e-6)
    group.inputs["Scratch Density"].default_value = 300.0 / size
    group.inputs["Scratch Length"].default_value = 0.06 * size
    out = w.node("ShaderNodeOutputMaterial")
    w.join(group.outputs[0], out.inputs["Surface"])
    for k, node in enumerate((place, picture, group, out)):
        node.location = 280 * k, 0
    return material


class TRIBO_OT_brushed_look(bpy.types.Operator):
    """Add a material that looks brushed along the structure map (Cycles)"""

    bl_idname = "tribo.brushed_look"
    bl_label = "Add Brushed Look"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        ob = context.object
        return ob is not None and ob.type == "MESH" and ob.tribo.structure_map is not None

    def execute(self, context):
        ob = context.object
        if not ob.data.uv_layers:
            self.report({"ERROR"}, f"{ob.name} has no UVs: unwrap it, or use New Structure Map")
            return {"CANCELLED"}
        material = make_material(ob)
        if ob.data.materials:
            ob.data.materials[ob.active_material_index] = material
        else:
            ob.data.materials.append(material)
        return {"FINISHED"}


def register():
    bpy.utils.register_class(TRIBO_OT_brushed_look)


def unregister():
    bpy.utils.unregister_class(TRIBO_OT_brushed_look)
