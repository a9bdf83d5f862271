# SPDX-License-Identifier: GPL-3.0-or-later
"""Memory stays flat, and nothing of the module's insides is seen from outside."""

import gc
import os
import resource
import subprocess
import unittest
from array import array

import support
from support import Case, _tribo, draped, grid, moved, run


def resident():
    """Bytes of memory that the process holds now."""
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


class Memory(Case):
    def flat(self, once, rounds, most):
        """Doing it `rounds` times costs less than `most` bytes more than doing it a tenth as often."""
        for _ in range(rounds // 10):
            once()
        before = resident()
        for _ in range(rounds):
            once()
        grown = resident() - before
        print(f"{rounds} rounds: {grown / 1024:.0f} KiB")
        self.assertLess(grown, most)

    def test_a_thousand_scenes(self):
        positions, triangles = grid(20)  # 441 vertices: a leaked scene is more than 20 KiB
        targets = _tribo.Samples(1, 1, 2)
        targets.append(array("f", [0] * 6))
        pixels = array("f", [0.5] * 1024)
        uvs = array("f", [0.5] * (2 * len(triangles)))

        def once():
            scene = _tribo.Scene()
            scene.set("gravity", (0, 0, -1))
            scene.add(
                "sheet", "cloth", positions, triangles, transform=moved(1, 2, 3),
                parameters={"cloth": {"stretch": 5.0}}, material="wool",
                pins=[{"vertices": array("i", [0, 1]), "targets": targets}],
                vertex_stiffness=array("f", [1] * 441),
            )
            scene.add("floor", "collider", positions, triangles, uvs=uvs, friction_map=(pixels, 32, 32, 1))
            scene.pair("wool", "floor", {"mu": 0.5})
            scene.hash()
            for bad in (
                lambda: scene.add("x", "cloth", positions, array("i", [0, 1, 999])),
                lambda: scene.add("x", "cloth", positions, triangles, parameters={"cloth": {"a": 1}}),
                lambda: scene.add("x", "cloth", positions, triangles, vertex_friction=array("f", [1])),
                lambda: scene.set("nothing", 3),
            ):
                try:
                    bad()
                except _tribo.Error:
                    continue
                raise AssertionError("not refused")

        self.flat(once, 1000, 2 * 1024 * 1024)

    def test_bakes_sims_and_caches(self):
        scene = draped(12, end=2)

        def once():
            run(scene, self.folder / "a", overwrite=True, contacts=True, keep_states=True,
                playback={"sheet": support.IDENTITY})
            cache = _tribo.Cache(self.folder / "a")
            cache.contacts(2)
            cache.states()
            sim = _tribo.Sim(scene, threads=1)
            sim.start_frame()
            sim.wait()
            sim.contacts()
            _tribo.skin(scene, 1)

        self.flat(once, 60, 3 * 1024 * 1024)

    def test_parameters_and_samples(self):
        values = array("f", [0] * 3000)

        def once():
            _tribo.parameters()
            samples = _tribo.Samples(1, 1, 1000)
            for _ in range(5):
                samples.append(values)

        self.flat(once, 300, 1024 * 1024)


class Threads(Case):
    def test_end_with_their_objects(self):
        def count():
            return len(os.listdir("/proc/self/task"))

        scene = draped(12, end=2)
        run(scene, self.folder / "a", threads=1)
        before = count()
        for _ in range(20):
            run(scene, self.folder / "a", threads=1, overwrite=True)
            _tribo.Sim(scene, threads=1)
        gc.collect()
        self.assertLessEqual(count(), before + 1)


class Link(Case):
    def test_only_the_import_is_seen(self):
        listed = subprocess.run(
            ["nm", "-D", "--defined-only", support.MODULE], capture_output=True, text=True, check=True
        ).stdout.split()
        names = [w for w in listed if not all(c in "0123456789abcdef" for c in w) and len(w) > 1]
        self.assertEqual(names, ["PyInit__tribo"])

    def test_needs_nothing_but_the_system_and_what_lies_beside_it(self):
        needed = subprocess.run(
            ["objdump", "-p", support.MODULE], capture_output=True, text=True, check=True
        ).stdout
        names = {line.split()[1] for line in needed.splitlines() if "NEEDED" in line}
        system = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}
        beside = set(os.listdir(support.MODULE.parent / "lib"))
        self.assertLessEqual(names, system | beside)
        for name in beside:  # and these need nothing else in turn
            needed = subprocess.run(
                ["objdump", "-p", support.MODULE.parent / "lib" / name],
                capture_output=True, text=True, check=True,
            ).stdout
            wants = {line.split()[1] for line in needed.splitlines() if "NEEDED" in line}
            self.assertLessEqual(wants, system | beside | {"libz.so.1", "libgcc_s.so.1"}, name)


if __name__ == "__main__":
    unittest.main()
