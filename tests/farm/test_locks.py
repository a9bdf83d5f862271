# SPDX-License-Identifier: GPL-3.0-or-later
"""Two bakes into one folder, where locks are refused or reach no further than a machine."""

import os
import signal
import subprocess
import time
import unittest

import farm
from farm import timeless

SHIM = os.environ.get("TRIBO_NO_FLOCK", "")


@unittest.skipUnless(SHIM, "the shim is not built with sanitizers")
class Locks(farm.Case):
    FRAMES = 36

    def setUp(self):
        super().setUp()
        self.scene = farm.make_scene(self.path("scene"), resolution=12, end=self.FRAMES)
        self.out = self.path("out")

    def begin(self, flock, host, *words):
        environment = {**os.environ, "LD_PRELOAD": SHIM, "TRIBO_TEST_FLOCK": flock, "TRIBO_TEST_HOST": host}
        return subprocess.Popen([farm.PROGRAM, "bake", self.scene, "--out", self.out, "--progress", "none", "--threads",
                                 "1", *words], env=environment, stderr=subprocess.PIPE, text=True)

    def frames(self):
        path = os.path.join(self.out, "sheet.pc2")
        return (os.path.getsize(path) - 32) // (12 * 13 * 13) if os.path.exists(path) else 0

    def wait_for(self, frames, process):
        while self.frames() < frames and process.poll() is None:
            time.sleep(0.01)
        self.assertIsNone(process.poll(), "the bake was over before it could be disturbed")

    def end(self, process):
        _, said = process.communicate(timeout=120)
        return process.returncode, said

    def assert_whole(self):
        farm.tribo("info", self.out)
        farm.tribo("bake", self.scene, "--out", self.path("alone"), "--progress", "none", "--threads", 1)
        self.assertEqual(timeless(self.out), timeless(self.path("alone")))
        self.assertFalse(os.path.exists(os.path.join(self.out, "bake.lock")))

    def test_refused_locks_of_one_machine_keep_the_second_out(self):
        first = self.begin("refused", "here")
        self.wait_for(3, first)
        code, said = self.end(self.begin("refused", "here", "--resume"))
        self.assertEqual((code, "another bake is running" in said), (2, True), said)
        self.assertEqual(self.end(first)[0], 0)
        self.assert_whole()

    def test_what_a_kill_left_keeps_nobody_out(self):
        first = self.begin("refused", "here")
        self.wait_for(3, first)
        first.send_signal(signal.SIGKILL)
        self.end(first)
        self.assertTrue(os.path.exists(os.path.join(self.out, "bake.lock")))
        self.assertEqual(self.end(self.begin("refused", "here", "--resume")), (0, ""))
        self.assert_whole()

    def of_two_machines(self, flock):
        first = self.begin(flock, "alpha")
        self.wait_for(3, first)
        second = self.begin(flock, "beta", "--resume")
        code, said = self.end(first)
        self.assertEqual(code, 4, said)
        self.assertIn("'beta' has taken the folder over", said)
        self.assertEqual(self.end(second)[0], 0)
        self.assert_whole()

    def test_of_two_machines_without_locks_the_later_goes_on(self):
        self.of_two_machines("refused")

    def test_of_two_machines_with_locks_of_their_own_the_later_goes_on(self):
        self.of_two_machines("local")

    def test_of_two_that_begin_at_once_one_bakes(self):
        both = [self.begin("refused", host, "--resume") for host in ("alpha", "beta")]
        codes = sorted(self.end(process)[0] for process in both)
        self.assertEqual(codes[0], 0, codes)
        self.assertIn(codes[1], (2, 4))
        self.assert_whole()
