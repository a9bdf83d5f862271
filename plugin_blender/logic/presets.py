# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials, in SI units, each with where its numbers come from.

They are typical of a kind of material, not a measurement of yours. docs/blender.md has the source of each
number, and says for which none was found. Cloth: 490 N/m is the largest load of Kawabata's tensile test
(KES-F); 1 gf cm2/cm of bending is 9.81e-5 N m, 1 gf/cm/degree of shear is 56 N/m. Friction is that of the material on itself, dry: with the
scene's rule (geometric mean) two materials meet in the middle.
"""

# What lets cloth come to rest within some seconds: air that resists as it does a flat plate, which makes wind
# act too, and damping in place of all that is lost in real seams, threads and air. `rest` is in 1/s:
# at 3 what swings loses half its amplitude in half a second, and falls at 3.3 m/s at most.
CLOTH_DRAG = 1.2

# A jelly is known by how far it sags, whatever its size. Its modulus is this times density, gravity and size, the
# side of a cube as large as the box around it: a cube sags by half of 1 / FIRMNESS of its height. Three cubes
# that stand on one another buckle below 41 (docs/projective.md); leaning and falling ones want twice that.
FIRMNESS = 100.0
GRAVITY = 9.81  # m/s2
SIZE = 0.3  # m, for which its numbers stand below; as many swings die away at any other

CLOTH, SOLID, RIGID, COLLIDER = "CLOTH", "SOLID", "RIGID", "COLLIDER"

# What a click on a kind gives; flesh to what bones move, as below.
FIRST = {CLOTH: "cotton", SOLID: "jelly", RIGID: "wood", COLLIDER: "wood"}


def _cloth(density, stretch, shear, bend, mu, note, poisson=0.0, rest=3.0):
    material = {"density": density, "stretch": stretch, "shear": shear, "bend": bend}
    material["poisson"] = poisson
    material["damping_mass"] = rest
    return {"values": {"cloth": material, "object": {"drag": CLOTH_DRAG}, "surface": {"mu": mu}}, "note": note}


def _solid(density, young, poisson, damping, mu, note):
    material = {"density": density, "young": young, "poisson": poisson, "damping_stiffness": damping}
    return {"values": {"solid": material, "surface": {"mu": mu}}, "note": note}


def _rigid(density, mu, note):
    return {"values": {"rigid": {"density": density}, "surface": {"mu": mu}}, "note": note}


PRESETS = {
    CLOTH: {
        "cotton": _cloth(0.13, 8e3, 50.0, 8e-6, 0.5,
                         "Shirting, 130 g/m2: 6% longer under 490 N/m, bending 0.08 gf cm2/cm"),
        "denim": _cloth(0.4, 1e4, 120.0, 2e-5, 0.5,
                        "12 oz twill, washed, 400 g/m2: 5% longer under 490 N/m, bending 0.2 gf cm2/cm; "
                        "unwashed it is stiffer", rest=4.0),
        "silk": _cloth(0.07, 1e4, 17.0, 2e-6, 0.3,
                       "Satin of 16 momme, 70 g/m2: shears easily, bending 0.02 gf cm2/cm"),
        "leather": _cloth(0.9, 2e4, 7.5e3, 3e-4, 0.6,
                          "Garment leather of 1 mm, 20 MPa: about isotropic, softer in bending than "
                          "a plate of that modulus", 0.3),
    },
    SOLID: {
        "rubber": _solid(1000.0, 2e6, 0.49, 0.002, 1.15,
                         "Natural rubber, Shore A 40: 2 MPa at small strain"),
        "flesh": _solid(1050.0, 3e4, 0.47, 0.008, 0.5,
                        "Between fat, 26 kPa under a light touch, and muscle, 62; dry skin"),
        "jelly": {**_solid(1050.0, 3e5, 0.45, 0.006, 0.4,
                           "Wobbles, keeps its shape and stacks; as firm as its size asks for, 300 kPa where it "
                           "is 30 cm large"), "sized": True},
        "gel": _solid(1015.0, 4.5e3, 0.48, 0.001, 0.2,
                      "Gelatine, 5% by weight: 4.3 kPa; wet surface"),
    },
    RIGID: {
        "wood": _rigid(700.0, 0.4, "Oak, 700 kg/m3; planed wood on wood 0.25 to 0.5"),
        "glass": _rigid(2500.0, 0.4, "Soda-lime glass; 0.4 as handled, 0.9 to 1 where clean of all grease"),
        "steel": _rigid(7850.0, 0.6, "Mild steel on steel, dry: 0.5 to 0.8; a film of oil has 0.1"),
    },
}

# A collider has a surface and no inside.
PRESETS[COLLIDER] = {
    name: {"values": {"surface": preset["values"]["surface"]}, "note": preset["note"]}
    for kind in (RIGID, SOLID)
    for name, preset in PRESETS[kind].items()
}


def of_kind(kind):
    """{name: preset} that suits a kind of object."""
    return PRESETS.get(kind, {})


def first(kind, on_bones):
    """The preset that an object begins with."""
    return "flesh" if kind == SOLID and on_bones else FIRST.get(kind, "custom")


def values(preset, size):
    """{group: {parameter: value}} of a preset, for an object of that size in metres (see FIRMNESS); 0: none yet."""
    found = preset["values"]
    if not preset.get("sized") or not size > 0:
        return found
    solid, side = found["solid"], size / SIZE
    sized = {"young": FIRMNESS * solid["density"] * GRAVITY * size,
             "damping_stiffness": solid["damping_stiffness"] * side**0.5}
    return {**found, "solid": {**solid, **{name: float(f"{value:.2g}") for name, value in sized.items()}}}


def size_of(extents):
    """The side of a cube as large as a box; of a flat one its longest."""
    x, y, z = extents
    return (x * y * z) ** (1 / 3) or max(extents)


def all_values():
    """(kind, preset, group, parameter, value), for tests."""
    for kind, named in PRESETS.items():
        for name, preset in named.items():
            for group, values in preset["values"].items():
                for parameter, value in values.items():
                    yield kind, name, group, parameter, value
