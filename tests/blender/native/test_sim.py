# SPDX-License-Identifier: GPL-3.0-or-later
"""The live simulation and the cache."""

import unittest
from array import array

import support
from support import Case, _tribo, box, draped, grid, moved, run


def advance(sim):
    sim.start_frame()
    sim.wait()


def lifted(known):
    """A sheet on a box that rises; the first `known` samples of its motion and of a pin's targets."""
    scene = _tribo.Scene()
    scene.set("time.end", 6)
    motion, targets = _tribo.Samples(1, 1), _tribo.Samples(1, 1, 1)
    for frame in range(known):
        motion.append(moved(0, 0, 0.02 * frame))
        targets.append(array("f", [-0.5, -0.5, 0.16]), moved(0, 0, 0.01 * frame))
    scene.add("box", "collider", *box(0.6, 0.6, 0.3), motion=motion)
    positions, triangles = grid(6, 0.16)
    scene.add("sheet", "cloth", positions, triangles, pins=[{"vertices": array("i", [0]), "targets": targets}])
    return scene


class Sim(Case):
    def test_frames_are_those_of_a_bake(self):
        scene = draped()
        run(scene, self.folder / "a")
        cache, sim = _tribo.Cache(self.folder / "a"), _tribo.Sim(scene)
        self.assertEqual(sim.objects(), ["sheet"])
        self.assertEqual(sim.frame_number(), 1.0)
        baked, live = array("f", bytes(12 * 81)), array("f", bytes(12 * 81))
        for frame in range(2, 7):
            advance(sim)
            self.assertEqual(sim.frame_number(), frame)
            cache.positions(0, frame, baked)
            sim.positions(0, live)
            self.assertEqual(baked, live)
        report = sim.report()
        self.assertNotIn("steps", report["rough"])
        self.assertEqual(report["contacts"], sim.contacts().count)
        self.assertGreater(report["contacts"], 0)
        scene.set("time.fps", 25)  # the scene is free again

    def test_presence_that_is_told_as_it_goes(self):
        def blinking(present):
            scene = _tribo.Scene()
            scene.add("box", "collider", *box(2.0, 2.0, 0.3), present=present)
            scene.add("sheet", "cloth", *grid(6, 0.15))
            return _tribo.Sim(scene)

        known, told = blinking(array("d", [1, 3, 5, float("inf")])), blinking(None)
        a, b, touched = array("d", bytes(24 * 49)), array("d", bytes(24 * 49)), []
        for frame in range(2, 6):
            told.extend_presence(0, frame, frame < 3 or frame >= 5)
            advance(known)
            advance(told)
            known.positions(0, a)
            told.positions(0, b)
            self.assertEqual(a, b)
            touched.append(told.report()["contacts"] > 0)
        self.assertEqual(touched, [True, False, False, True])
        self.refused("object 1 is no collider", told.extend_presence, 1, 9, True)
        self.refused("is no collider", told.extend_presence, -1, 9, True)
        self.refused("cannot appear or vanish at", told.extend_presence, 0, 2, False)

    def test_motion_that_is_told_as_it_goes(self):
        known, told = _tribo.Sim(lifted(6)), _tribo.Sim(lifted(1))
        a, b = array("d", bytes(24 * 49)), array("d", bytes(24 * 49))
        for frame in range(1, 6):
            told.extend(0, moved(0, 0, 0.02 * frame))
            told.extend_pin(1, 0, array("f", [-0.5, -0.5, 0.16]), moved(0, 0, 0.01 * frame))
            advance(known)
            advance(told)
            known.positions(0, a)
            told.positions(0, b)
            self.assertEqual(a, b)

    def test_positions_through_a_transform(self):
        sim = _tribo.Sim(draped(3))
        plain, moved_by = array("d", bytes(24 * 16)), array("d", bytes(24 * 16))
        sim.positions(0, plain)
        sim.positions(0, moved_by, moved(1, 2, 3))
        for i in range(0, 48, 3):
            self.assertEqual(moved_by[i], plain[i] + 1)
            self.assertEqual(moved_by[i + 2], plain[i + 2] + 3)

    def test_nothing_else_while_a_frame_is_under_way(self):
        sim = _tribo.Sim(draped(40))
        out = array("f", bytes(12 * 41 * 41))
        sim.start_frame()
        self.refused("under way", sim.start_frame)
        self.refused("under way", sim.positions, 0, out)
        self.refused("under way", sim.extend, 0, moved(0, 0, 0))
        self.refused("under way", sim.contacts)
        self.assertIn(sim.wait(0), (True, False))
        sim.wait()
        sim.positions(0, out)
        self.assertTrue(sim.wait())  # again, without a frame: there is nothing to wait for

    def test_cancel_leaves_the_frame_before(self):
        scene = draped(30)
        sim, straight = _tribo.Sim(scene), _tribo.Sim(scene)
        advance(sim)
        advance(straight)
        sim.start_frame()
        sim.cancel()
        try:
            sim.wait()
        except _tribo.Error as error:
            self.assertEqual(error.status, "cancelled")
            self.assertEqual(sim.frame_number(), 2.0)
            advance(sim)
        advance(straight)
        a, b = array("f", bytes(12 * 31 * 31)), array("f", bytes(12 * 31 * 31))
        sim.positions(0, a)
        straight.positions(0, b)
        self.assertEqual(a, b)

    def test_refuses(self):
        sim = _tribo.Sim(lifted(1))
        self.refused("16 are needed", sim.extend, 0, array("d", [1, 2, 3]))
        self.refused("no collider with a motion", sim.extend, 1, moved(0, 0, 0))
        self.refused("no collider with a motion", sim.extend, 9, moved(0, 0, 0))
        self.refused("no pin 4", sim.extend_pin, 1, 4, array("f", [0, 0, 0]))
        self.refused("keep the shape", sim.extend, 0, array("d", [2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]))
        self.refused("no simulated object 1", sim.positions, 1, array("f"))
        self.refused("room for 3", sim.positions, 0, array("f", [0, 0, 0]))
        self.refused("items are 'i'", sim.positions, 0, array("i", [0] * 147))
        self.refused("read-only", sim.positions, 0, bytes(147 * 4))
        self.refused("a Scene is needed", _tribo.Sim, 3)
        self.refused("", _tribo.Sim, _tribo.Scene())


class Contacts(Case):
    def test_are_flat_arrays(self):
        scene = draped()
        run(scene, self.folder / "a", contacts=True)
        found = _tribo.Cache(self.folder / "a").contacts(6)
        self.assertGreater(found.count, 10)
        self.assertEqual(len(found.position), 12 * found.count)
        self.assertEqual(len(found.mu), 4 * found.count)
        self.assertEqual(len(found.state), found.count)
        self.assertEqual(len(array("i", found.vertex)), found.count)
        self.assertEqual(set(found.object), {"sheet"})
        self.assertEqual(set(found.surface), {"floor"})
        self.assertEqual(set(array("f", found.mu)), {0.5})
        self.assertLessEqual(set(found.state), {0, 1})
        heights = array("f", found.position)[2::3]
        for height in heights:
            self.assertAlmostEqual(height, 0.8, 4)
        self.assertTrue(all(z > 0 for z in array("f", found.force)[2::3]))
        with self.assertRaises(TypeError):
            type(found)()

    def test_of_the_cache_are_those_of_the_simulation(self):
        scene = draped()
        run(scene, self.folder / "a", contacts=True)
        cache, sim = _tribo.Cache(self.folder / "a"), _tribo.Sim(scene)
        for frame in range(2, 7):
            advance(sim)
            live, baked = sim.contacts(), cache.contacts(frame)
            for name in ("count", "position", "normal", "force", "slip", "mu", "gap", "state", "vertex"):
                self.assertEqual(getattr(live, name), getattr(baked, name), name)

    def test_refuses(self):
        run(draped(3), self.folder / "a")
        cache = _tribo.Cache(self.folder / "a")
        self.refused("--contacts", cache.contacts, 3)
        self.refused("holds no bake", _tribo.Cache, self.folder)
        self.refused("there is no object number 4", cache.positions, 4, 1, array("f"))
        self.refused("77 is not among them", cache.positions, 0, 77, array("f"))
        self.refused("room for 1", cache.positions, 0, 1, array("f", [0]))
        self.assertEqual(cache.objects(), [{"name": "sheet", "kind": "cloth", "vertex_count": 16, "frames": 6}])
        self.assertEqual(cache.states(), [])
        about = cache.about()
        self.assertEqual((about["start"], about["end"], about["frames"]), (1, 6, 6))


if __name__ == "__main__":
    unittest.main()
