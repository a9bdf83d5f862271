# SPDX-License-Identifier: GPL-3.0-or-later
"""A wedge on a real Slurm of two machines, on which everything goes wrong that does on farms."""

import os
import signal
import subprocess
import sys
import unittest

import farm
import slurm
from farm import report, tribo

BEND, ITERATIONS, CUTS = "objects[sheet].elastic.bend", "solver.iterations", "solver.cuts"
BAD = 2


@unittest.skipIf(slurm.missing(), slurm.missing())
class Farm(farm.Case):
    def setUp(self):
        super().setUp()
        self.cluster = slurm.Slurm(self.path("slurm"), ["alpha", "beta"])
        self.addCleanup(self.cluster.close)

    def wedge_of_eight(self):
        scene = farm.make_scene(self.path("scene"), resolution=20, end=40)
        iterations = ",".join("1" if i == BAD else "60" for i in range(8))
        cuts = ",".join("0" if i == BAD else "6" for i in range(8))
        return self.make("--vary", f"{BEND}=1e-5:1e-3:8:log", "--with", f"{ITERATIONS}={iterations}",
                         "--with", f"{CUTS}={cuts}", scene=scene)

    def submit(self, wedge):
        done = subprocess.run([farm.PROGRAM, "farm", "slurm", wedge], env=self.cluster.environment, capture_output=True,
                              text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("submitted 8 bakes", done.stdout)

    def bake_of(self, wedge, task):
        """The process that bakes a task, a child of the one that looks after it."""
        folder = report(wedge)[task]["bake"]
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    words = file.read().split(b"\0")
            except OSError:
                continue
            if b"bake" in words[1:2] and os.path.join(wedge, folder).encode() in words:
                return int(name)
        return None

    def frames(self, wedge, task):
        return report(wedge)[task]["frames"]

    def running_on(self, node, but=()):
        """A task that has baked a few frames there, and is neither the bad one nor one of `but`."""
        found = []

        def look():
            found[:] = [t for t, n in self.cluster.running()
                        if n == node and t != BAD and t not in but and 2 <= self.frames(self.wedge, t) < 25]
            return bool(found)

        self.cluster.wait(look, 60)
        return found[0]

    def test_everything_that_goes_wrong_on_farms(self):
        self.wedge = wedge = self.wedge_of_eight()
        self.submit(wedge)
        killed = self.running_on("alpha")
        victim = self.bake_of(wedge, killed)
        self.assertIsNotNone(victim)
        os.kill(victim, signal.SIGKILL)

        preempted = self.running_on("alpha", but=[killed])
        self.cluster.run("sbatch", "-p", "urgent", "-w", "alpha", "--output=/dev/null", "--wrap", "sleep 1")
        self.cluster.wait(lambda: preempted not in [t for t, _ in self.cluster.running()], 30)

        self.running_on("beta", but=[killed, preempted])
        self.cluster.run("scontrol", "update", "nodename=beta", "state=drain", "reason=test")
        self.cluster.wait(lambda: not self.cluster.left(), 150)

        items = report(wedge)
        self.assertEqual([i["state"] for i in items], ["failed" if n == BAD else "done" for n in range(8)])
        self.assertEqual(items[BAD]["exit"], 3)
        self.assertIn("frame", items[BAD]["why"])
        self.assertGreaterEqual(items[killed]["attempts"], 2)
        self.assertGreaterEqual(items[preempted]["attempts"], 2)
        self.assertEqual({i["host"] for i in items}, {"alpha", "beta"})
        self.assertIn("drain", self.cluster.run("sinfo", "-h", "-n", "beta", "-o", "%T"))
        self.assert_as_baked_directly(wedge, [i for i in items if i["state"] == "done"])
        self.assert_sheet_says(wedge, items[BAD]["why"])
        sys.stderr.write(tribo("wedge", "status", wedge).stdout)

    def assert_sheet_says(self, wedge, why):
        with open(os.path.join(wedge, "sheet.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertIn(why.replace('"', '\\"'), page)
        self.assertEqual(page.count('"state": "done"'), 7)

    def test_two_machines_make_the_same_bits(self):
        scene = farm.make_scene(self.path("scene"), resolution=10, end=8)
        wedges = {node: self.make("--vary", f"{BEND}=1e-4", scene=scene, out=node) for node in ("alpha", "beta")}
        for node, wedge in wedges.items():
            tribo("farm", "slurm", wedge, "--write-only")
            self.cluster.run("bash", os.path.join(wedge, "farm", "slurm_submit.sh"), "-w", node)
        self.cluster.wait(lambda: not self.cluster.left(), 60)
        items = {node: report(wedge)[0] for node, wedge in wedges.items()}
        self.assertEqual({node: item["host"] for node, item in items.items()}, {"alpha": "alpha", "beta": "beta"})
        first, second = (farm.timeless(os.path.join(wedges[n], items[n]["bake"])) for n in wedges)
        self.assertEqual(first, second)


if __name__ == "__main__":
    if slurm.missing():
        print(slurm.missing())
        sys.exit(77)
    unittest.main()
