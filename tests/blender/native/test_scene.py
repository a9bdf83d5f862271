# SPDX-License-Identifier: GPL-3.0-or-later
"""Parameters, scenes and what they refuse."""

import math
import unittest
from array import array

import support
from support import Case, _tribo, box, draped, grid, moved


class Parameters(Case):
    def test_every_row_can_make_a_property(self):
        rows = _tribo.parameters()
        self.assertGreater(len(rows), 50)
        for row in rows:
            self.assertEqual(
                set(row),
                {"group", "place", "name", "kind", "value", "low", "high", "unit", "choices", "help"},
            )
            self.assertTrue(row["help"].endswith("."), row)
            if row["kind"] == "choice":
                self.assertIn(row["value"], row["choices"])
            elif row["kind"] == "vec3":
                self.assertEqual(len(row["value"]), 3)
            else:
                self.assertIsInstance(row["value"], int if row["kind"] == "int" else float)
                self.assertLessEqual(row["low"], row["value"])
                self.assertLessEqual(row["value"], row["high"])

    def test_defaults_are_accepted_back(self):
        scene = _tribo.Scene()
        places = {"world": "", "time": "time.", "solver": "solver.", "combine": "friction."}
        for row in _tribo.parameters():
            if row["group"] in places:
                scene.set(places[row["group"]] + row["name"], row["value"])
        positions, triangles = grid(2)
        groups = {}
        for row in _tribo.parameters():
            if row["group"] in ("object", "cloth", "surface", "maps", "fill"):
                groups.setdefault(row["group"], {})[row["name"]] = row["value"]
        scene.add("sheet", "cloth", positions, triangles, parameters=groups)
        plain = _tribo.Scene()
        plain.add("sheet", "cloth", positions, triangles)
        self.assertEqual(scene.hash(), plain.hash())

    def test_version_and_parts(self):
        self.assertRegex(_tribo.version(), r"^\d+\.\d+\.\d+$")
        self.assertEqual(
            set(_tribo.available()), {"ipopt", "openexr", "hdf5", "tetgen", "pardiso"}
        )


class Settings(Case):
    def test_values_of_every_type(self):
        scene = _tribo.Scene()
        before = scene.hash()
        for key, value in (
            ("time.substeps", 7),
            ("time.fps", 30),
            ("time.fps", 29.97),
            ("gravity", (0, 0, -1.62)),
            ("gravity", [0.0, 1e-300, -1]),
            ("gravity", array("d", [0, 0, -9])),
            ("method", "elastic"),
            ("friction.default.mu", 0.1),
        ):
            scene.set(key, value)
            self.assertNotEqual(scene.hash(), before)
            before = scene.hash()

    def test_every_bit_of_a_number_arrives(self):
        a, b, c = (_tribo.Scene() for _ in range(3))
        a.set("time.fps", 24.1)
        b.set("time.fps", math.nextafter(24.1, 25))
        c.set("time.fps", 24.1)
        self.assertNotEqual(a.hash(), b.hash())
        self.assertEqual(a.hash(), c.hash())

    def test_time_end_is_not_in_the_hash(self):
        a, b = draped(end=5), draped(end=50)
        self.assertEqual(a.hash(), b.hash())
        self.assertRegex(a.hash(), "^[0-9a-f]{16}$")

    def test_what_is_refused(self):
        scene = _tribo.Scene()
        self.refused("did you mean 'time.substeps'", scene.set, "time.sbsteps", 3)
        self.refused(["time.substeps", "0"], scene.set, "time.substeps", 0)
        self.refused("gravity must be three numbers", scene.set, "gravity", (1, 2))
        self.refused("gravity", scene.set, "gravity", None)
        self.refused("gravity", scene.set, "gravity", {"x": 1})
        self.refused("time.fps", scene.set, "time.fps", float("nan"))
        self.refused("method is 'forwrd'", scene.set, "method", "forwrd")
        with self.assertRaises(TypeError):
            scene.set("method")
        with self.assertRaises(TypeError):
            _tribo.Scene(1)

    def test_pairs(self):
        scene = draped()
        before = scene.hash()
        scene.pair("sheet", "floor", {"mu": 0.2, "mu_along": 0.1})
        self.assertNotEqual(scene.hash(), before)
        self.refused("pair 'a' and 'b'", scene.pair, "a", "b", {"my": 1})
        self.refused("friction", scene.pair, "a", "b", {"mu": -1})
        scene.pair("nobody", "floor", {"mu": 0.2})
        self.refused("nobody", scene.check)


class Objects(Case):
    def setUp(self):
        super().setUp()
        self.scene = _tribo.Scene()
        self.positions, self.triangles = grid(3)

    def add(self, **keywords):
        arguments = {
            "name": "sheet",
            "kind": "cloth",
            "positions": self.positions,
            "triangles": self.triangles,
        }
        arguments.update(keywords)
        return self.scene.add(**arguments)

    def test_numbers_count_up(self):
        self.assertEqual(self.add(), 0)
        self.assertEqual(self.add(name="other"), 1)
        self.assertEqual(self.scene.outline(0)["triangle_count"], 18)
        self.assertEqual(self.scene.outline(0)["vertex_count"], 16)
        self.assertIsNone(self.scene.note(0))
        self.assertFalse(self.scene.paint(0)["friction"])
        self.refused("no object 2", self.scene.note, 2)
        self.refused("no object -1", self.scene.outline, -1)

    def test_doubts_tell_what_a_bake_would_warn_of(self):
        self.add()
        (found,) = self.scene.doubts()
        self.assertEqual((found["kind"], found["object"]), ("falls", 0))  # there is no collider
        loose = array("f", [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0])
        self.scene.add("rag", "cloth", loose, array("i", range(6)), transform=moved(50, 0, 0))
        found = next(d for d in self.scene.doubts() if d["kind"] == "pieces")
        self.assertEqual((found["object"], found["count"], found["of"]), (1, 1, 2))
        self.assertIn("2 separate pieces", found["message"])

    def test_floats_and_doubles_of_the_same_numbers_are_the_same(self):
        self.add()
        other = _tribo.Scene()
        other.add("sheet", "cloth", array("d", self.positions), array("I", self.triangles))
        self.assertEqual(self.scene.hash(), other.hash())

    def test_transform_acts_in_double_precision(self):
        shift = 1000.0 + 2.0**-30  # lost in a float
        self.add(transform=moved(0, 0, shift))
        other = _tribo.Scene()
        there = array("d", self.positions)
        for i in range(2, len(there), 3):
            there[i] += shift
        other.add("sheet", "cloth", there, self.triangles)
        self.assertEqual(self.scene.hash(), other.hash())

    def test_mirrored_objects_keep_their_outside(self):
        positions, triangles = box()
        mirror = array("d", [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
        self.scene.add("brick", "rigid", positions, triangles, transform=mirror)
        self.scene.check()  # a box that is inside out has a negative volume and is refused
        turned = array("i", triangles)
        for t in range(0, len(turned), 3):
            turned[t + 1], turned[t + 2] = turned[t + 2], turned[t + 1]
        bad = _tribo.Scene()
        self.refused("brick", lambda: (bad.add("brick", "rigid", positions, turned), bad.check()))

    def test_bad_buffers(self):
        add = self.add
        self.refused(["object 'sheet': positions", "list"], add, positions=[1, 2, 3])
        self.refused("items are 'i'", add, positions=array("i", [1, 2, 3]))
        self.refused("items are 'f'", add, triangles=array("f", [0, 1, 2]))
        self.refused("items are 'q'", add, triangles=array("q", [0, 1, 2]))
        self.refused("items are 'h'", add, triangles=array("h", [0, 1, 2]))
        self.refused("C-contiguous", add, positions=memoryview(self.positions)[::2])
        self.refused("no whole number of points", add, positions=array("f", [1, 2, 3, 4]))
        self.refused("no whole number of triangles", add, triangles=array("i", [0, 1]))
        self.refused("no positions", add, positions=None)
        self.refused("16 are needed", add, transform=array("d", [1] * 15))
        self.refused("last row", add, transform=array("d", [1] * 16))
        self.refused("uvs: 4 numbers, but 108", add, uvs=array("f", [0] * 4))
        self.refused("vertex_friction: 3 numbers, but 16", add, vertex_friction=array("f", [0] * 3))
        self.refused("vertex_structure", add, vertex_structure=array("f", [0] * 16))
        self.refused("vertex_stiffness", add, vertex_stiffness=array("f", [0] * 17))
        self.refused("uses vertex 99", add, triangles=array("i", [0, 1, 99]))
        self.refused("nan", add, positions=array("f", [float("nan")] * 48))
        self.refused("items are 'B'", add, positions=b"12345678")
        with self.assertRaises(TypeError):
            self.scene.add("sheet")
        with self.assertRaises(TypeError):
            add(colour=3)
        self.assertEqual(add(), 0)  # nothing of all that is left behind

    def test_several_dimensions_are_read_as_one(self):
        flat = memoryview(self.positions).cast("B").cast("f", [16, 3])
        self.add(positions=flat)
        other = _tribo.Scene()
        other.add("sheet", "cloth", self.positions, self.triangles)
        self.assertEqual(self.scene.hash(), other.hash())

    def test_bad_words(self):
        self.refused("kind 'cloht'", self.add, kind="cloht")
        self.refused("did you mean 'stretch'", self.add, parameters={"cloth": {"strech": 1}})
        self.refused("groups are", self.add, parameters={"clothes": {}})
        self.refused("dict of groups", self.add, parameters=3)
        self.refused("dict of parameters", self.add, parameters={"cloth": 3})
        self.refused("stretch", self.add, parameters={"cloth": {"stretch": -1}})
        self.refused("name", self.add, name="")

    def test_pins(self):
        held = array("i", [0, 3])
        targets = _tribo.Samples(1, 1, 2)
        targets.append(array("f", [0] * 6))
        self.add(pins=[{"vertices": held, "stiffness": 3.5, "targets": targets}])
        self.refused("pin 0", self.add, name="a", pins=[{"vertices": [1]}])
        self.refused("pin 0", self.add, name="a", pins=[3])
        self.refused("stiffnes", self.add, name="a", pins=[{"vertices": held, "stiffnes": 3}])
        self.refused("99", self.add, name="a", pins=[{"vertices": array("i", [99])}])
        three = _tribo.Samples(1, 1, 3)
        three.append(array("f", [0] * 9))
        self.refused("pin has 2 vertices", self.add, name="a", pins=[{"vertices": held, "targets": three}])
        self.refused("must be Samples", self.add, name="a", pins=[{"vertices": held, "targets": 3}])

    def test_presence(self):
        def bits(**more):
            scene = _tribo.Scene()
            scene.add("wall", "collider", *box(1.0, 1.0, 1.0), **more)
            return scene.hash()

        always, never = bits(), bits(present=array("d"))
        some = bits(present=array("f", [2, 5.5]))
        self.assertEqual(len({always, never, some}), 3)
        self.assertEqual(always, bits(present=None))
        self.assertEqual(some, bits(present=array("d", [2, 5.5])))
        self.refused("present: 3 numbers; give two frames a range", bits, present=array("d", [1, 2, 3]))
        self.refused("range 0: it ends at frame 1, but begins at 2", bits, present=array("d", [2, 1]))
        self.refused("present belongs to a collider", self.add, name="c", present=array("d", [1, 2]))

    def test_motion(self):
        motion = _tribo.Samples(1, 0.5)
        motion.append(support.IDENTITY)
        motion.append(moved(1, 0, 0))
        self.assertEqual(len(motion), 2)
        self.add(kind="collider", motion=motion)
        vertices = _tribo.Samples(1, 1, 16)
        vertices.append(self.positions, moved(0, 0, 2))
        self.add(name="b", kind="collider", motion=vertices)
        self.refused("motion belongs to a collider", self.add, name="c", motion=motion)
        few = _tribo.Samples(1, 1, 4)
        few.append(array("f", [0] * 12))
        self.refused("samples of 4 vertices", self.add, name="c", kind="collider", motion=few)
        self.refused("48 are needed", vertices.append, array("f", [0] * 3))
        self.refused("takes no other", motion.append, support.IDENTITY, support.IDENTITY)
        self.refused("interval", _tribo.Samples, 1, 0)

    def test_the_first_row_of_a_map_is_at_the_bottom(self):
        positions, triangles = grid(1, 0.0)
        uvs = array("f", [0, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1])
        rows = array("f", [0.2, 1.0])  # a pixel wide, two high
        scene = _tribo.Scene()
        scene.add("floor", "collider", positions, triangles, uvs=uvs, friction_map=(rows, 1, 2, 1))
        about = scene.paint(0)
        self.assertTrue(about["friction"])
        self.assertAlmostEqual(about["least"], 0.2)
        scene.add("sheet", "cloth", *grid(8, 0.0001, 0.9))
        scene.set("friction.default.mu", 0.5)
        sim = _tribo.Sim(scene)
        sim.start_frame()
        sim.wait()
        found = sim.contacts()
        self.assertGreater(found.count, 20)
        height, mu = array("f", found.position)[1::3], array("f", found.mu)
        seen = set()
        for y, value in zip(height, mu):
            if abs(y) > 0.3:  # beyond the middles of the two pixels nothing is blended
                self.assertAlmostEqual(value, 0.1 if y < 0 else 0.5, 5)
                seen.add(y > 0)
        self.assertEqual(seen, {True, False})

    def test_maps_that_make_no_sense(self):
        positions, triangles = grid(1, 0.0)
        uvs = array("f", [0, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1])

        def add(image):
            self.scene.add("a", "collider", positions, triangles, uvs=uvs, friction_map=image)

        self.refused("(pixels, width", add, 3)
        self.refused("4 are needed", add, (array("f", [1]), 2, 2, 1))
        self.refused("5 channels", add, (array("f", [1] * 20), 2, 2, 5))
        self.refused("-1", add, (array("f", [-1]), 1, 1, 1))
        self.refused("no pixels", add, (None, 1, 1, 1))

    def test_solids_are_filled(self):
        positions, triangles = box(0.2, 0.2, 0.2)
        lattice = {"fill": {"from": "lattice", "cells": 3}}
        self.scene.add("jelly", "solid", positions, triangles, parameters=lattice)
        self.scene.check()
        self.assertIsNone(self.scene.note(0))
        if not _tribo.available()["tetgen"]:
            self.skipTest("no TetGen")
        open_box, fill = array("i", triangles[:-3]), {"fill": {"from": "fill"}}
        words = ["jar", "the surface is open"]
        self.refused(words, self.scene.add, "jar", "solid", positions, open_box, parameters=fill)
        index = self.scene.add("lid", "solid", positions, open_box)  # auto: a lattice then
        self.assertIn("lattice", self.scene.note(index))

    def test_stiffness_is_in_the_hash(self):
        self.add(vertex_stiffness=array("f", [2] * 16))
        other = _tribo.Scene()
        other.add("sheet", "cloth", self.positions, self.triangles)
        self.assertNotEqual(self.scene.hash(), other.hash())

    def test_skin(self):
        self.scene.add("brick", "rigid", *box(1, 2, 3), parameters={"surface": {"contact": "mesh"}})
        skin = _tribo.skin(self.scene, 0)
        self.assertEqual(len(skin["hole"]), 8)
        self.assertEqual(len(skin["positions"]), 8 * 12)
        self.assertEqual(len(skin["triangles"]), 12 * 12)
        self.assertFalse(any(skin["hole"]))
        for got, wanted in zip(array("f", skin["positions"]), box(1, 2, 3)[0]):
            self.assertAlmostEqual(got, wanted, 6)
        finer = _tribo.skin(self.scene, 0, spacing=0.25)
        self.assertGreater(len(finer["hole"]), 100)
        self.add()
        self.refused("no surface that others touch", _tribo.skin, self.scene, 1)
        self.refused("a Scene is needed", _tribo.skin, 3, 0)


if __name__ == "__main__":
    unittest.main()
