# SPDX-License-Identifier: GPL-3.0-or-later
"""A bake is the same bits for any number of threads, and after any end, however violent."""
import glob
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import time
import unittest

from program import (Case, KILLED, PROGRAM, bake, bake_words, content, frames_written, kill_at,
                     manifest, motion, run, write_ball, write_scene)


class Threads(Case):
    def test_one_and_two_threads_give_the_same_bytes(self):
        scene = write_scene(self.path("scene"), squares=24, cubes=4, end=3, floor=True)
        for threads in (1, 2, 3):
            self.claim_code(run("bake", scene, "--out", self.path(f"t{threads}"), "--threads",
                                threads, "--contacts"), 0)
        self.claim_contacts(self.path("t1"))
        for threads in (2, 3):
            self.claim_equal(self.path(f"t{threads}"), motion(self.path("t1")))


class Killed(Case):
    """Kills a bake before every single system call that changes a file."""

    def survives(self, out):
        """Whatever the kill left, the folder can be read, and what is not Tribo's is there."""
        if os.path.exists(os.path.join(out, "bake.json")):
            done = run("info", out, "--json")
            self.claim_code(done, 0)
        if os.path.exists(os.path.join(out, "notes.txt")):
            with open(os.path.join(out, "notes.txt")) as notes:
                self.assertEqual(notes.read(), "mine")

    def for_every_call(self, prepare, *words):
        """prepare(out) makes a folder ready; the bake with `words` is killed in it ever later."""
        number, killed = 1, KILLED
        while killed == KILLED:
            out = self.path(f"killed{number}")
            scene = prepare(out)
            killed = kill_at(number, scene, out, *words)
            self.assertIn(killed, (0, KILLED), f"before call {number}")
            self.survives(out)
            yield number, scene, out
            shutil.rmtree(out, ignore_errors=True)
            number += 1
        self.assertGreater(number, 30)

    def with_notes(self, out):
        os.makedirs(out)
        with open(os.path.join(out, "notes.txt"), "w") as notes:
            notes.write("mine")


class EveryCall(Killed):
    """New bakes, resumed ones, overwriting ones."""

    def test_a_new_bake_survives(self):
        scene = write_scene(self.path("scene"), squares=3, end=3, floor=True)
        wanted = self.baked(scene, "--contacts")
        self.claim_contacts(self.path("reference"))

        def prepare(out):
            self.with_notes(out)
            return scene

        for number, _, out in self.for_every_call(prepare, "--contacts"):
            # Before the manifest is in place nobody knows that contacts were asked for.
            begun = os.path.exists(os.path.join(out, "bake.json"))
            self.claim_code(bake(scene, out, "--resume", *([] if begun else ["--contacts"])), 0)
            self.claim_equal(out, wanted)

    def test_a_new_bake_without_contacts_survives(self):
        scene = write_scene(self.path("scene"), squares=3, end=2)
        wanted = self.baked(scene)

        def prepare(out):
            self.with_notes(out)
            return scene

        for number, _, out in self.for_every_call(prepare):
            self.claim_code(bake(scene, out, "--resume"), 0)
            self.claim_equal(out, wanted)

    def test_a_resumed_bake_survives(self):
        scene = write_scene(self.path("scene"), squares=3, end=4, floor=True)
        wanted = self.baked(scene, "--contacts")
        self.claim_code(bake(scene, self.path("half"), "--frames", ":2", "--contacts"), 0)

        def prepare(out):
            shutil.copytree(self.path("half"), out)
            # As a kill left it: a sample and a line ahead of the checkpoint, torn.
            with open(os.path.join(out, "sheet.pc2"), "ab") as cache:
                cache.write(b"torn")
            with open(os.path.join(out, "stats.jsonl"), "a") as lines:
                lines.write('{"frame": 3')
            with open(os.path.join(out, "contacts.jsonl"), "a") as lines:
                lines.write('{"frame": 3, "contacts": []}\n{"fra')
            return scene

        for number, _, out in self.for_every_call(prepare, "--resume", "--contacts"):
            self.claim_code(bake(scene, out, "--resume", "--contacts"), 0)
            self.claim_equal(out, wanted)

    def test_an_overwriting_bake_survives(self):
        old = write_scene(self.path("old"), squares=2, end=2, sheet="curtain", floor=True)
        new = write_scene(self.path("new"), squares=3, end=2)
        wanted = self.baked(new)
        self.claim_code(bake(old, self.path("before"), "--contacts"), 0)

        def prepare(out):
            shutil.copytree(self.path("before"), out)
            with open(os.path.join(out, "notes.txt"), "w") as notes:
                notes.write("mine")
            return new

        taken_over = 0
        for number, _, out in self.for_every_call(prepare, "--overwrite"):
            done = bake(new, out, "--resume")
            if done.returncode != 0:
                # Killed before the new manifest was in place: the old bake is whole.
                self.claim_error(done, 2, "the scene changed since this bake")
                self.claim_equal(out, motion(self.path("before")), tidy=False)
                self.claim_code(bake(new, out, "--overwrite"), 0)
            else:
                taken_over += 1
            self.claim_equal(out, wanted)
        self.assertGreater(taken_over, 20)


class GoingBack(Killed):
    """Bakes that keep the state of every frame, and such as go on from one of them."""

    def test_a_bake_that_keeps_its_states_survives(self):
        scene = write_scene(self.path("scene"), squares=3, end=3)
        wanted = self.baked(scene, "--keep-states")
        self.assertEqual(len([name for name in wanted if name.startswith("states/")]), 3)

        def prepare(out):
            self.with_notes(out)
            return scene

        for _, _, out in self.for_every_call(prepare, "--keep-states"):
            begun = os.path.exists(os.path.join(out, "bake.json"))
            self.claim_code(bake(scene, out, "--resume", *([] if begun else ["--keep-states"])), 0)
            self.claim_equal(out, wanted)

    def test_going_back_survives(self):
        old = write_scene(self.path("old"), squares=3, end=4, floor=True)
        new = write_scene(self.path("new"), squares=3, end=4, floor=True, gravity=[1, 0, -5])
        before = self.path("before")
        self.claim_code(bake(old, before, "--keep-states", "--contacts"), 0)
        shutil.copytree(before, self.path("changed"))
        self.claim_code(bake(new, self.path("changed"), "--from-frame", "2"), 0)
        wanted = motion(self.path("changed"))
        kept = motion(before)
        for frame in range(1, 5):
            name = f"states/{frame:06d}.ckpt"
            self.assertEqual(wanted[name] == kept[name], frame <= 2)

        def prepare(out):
            shutil.copytree(before, out)
            return new

        taken_over = 0
        for _, _, out in self.for_every_call(prepare, "--from-frame", "2"):
            done = bake(new, out, "--resume")
            if done.returncode != 0:
                # Killed before the journal was in place: the old bake is whole.
                self.claim_error(done, 2, "the scene changed since this bake")
                self.claim_equal(out, kept, tidy=False)
                self.claim_code(bake(new, out, "--from-frame", "2"), 0)
            else:
                taken_over += 1
            self.claim_equal(out, wanted)
        self.assertGreater(taken_over, 20)

    def test_overwriting_a_bake_with_states_survives(self):
        old = write_scene(self.path("old"), squares=2, end=3, sheet="curtain")
        new = write_scene(self.path("new"), squares=3, end=2)
        wanted = self.baked(new)
        self.claim_code(bake(old, self.path("before"), "--keep-states"), 0)

        def prepare(out):
            shutil.copytree(self.path("before"), out)
            return new

        for _, _, out in self.for_every_call(prepare, "--overwrite"):
            done = bake(new, out, "--resume")
            if done.returncode != 0:
                self.claim_error(done, 2, "the scene changed since this bake")
                self.claim_equal(out, motion(self.path("before")), tidy=False)
                self.claim_code(bake(new, out, "--overwrite"), 0)
            self.claim_equal(out, wanted)
            self.assertNotIn("states", os.listdir(out))


class Moments(Case):
    """Kills at random moments of the clock, as life does."""

    def start(self, scene, out):
        return subprocess.Popen([PROGRAM, *bake_words(scene, out, "--resume")],
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def kill_after(self, frames, scene, out):
        """Kills the bake when it has come that far; parts of a frame count by the clock."""
        process = self.start(scene, out)
        began, waited_for = time.monotonic(), frames_written(out)
        while process.poll() is None and frames_written(out) < int(frames):
            time.sleep(0.001)
        a_frame = (time.monotonic() - began) / max(1, int(frames) - waited_for)
        time.sleep(a_frame * (frames - int(frames)))
        process.kill()
        process.communicate()
        return process.returncode == -signal.SIGKILL

    def test_ten_kills_spread_over_the_bake(self):
        scene = write_scene(self.path("scene"), squares=10, cubes=2, end=12)
        wanted = self.baked(scene)
        chance, killed = random.Random(20), 0
        for tenth in range(10):
            out = self.path(f"moment{tenth}")
            killed += self.kill_after(12 * (tenth + chance.random()) / 10, scene, out)
            self.claim_code(bake(scene, out, "--resume"), 0)
            self.claim_equal(out, wanted)
        self.assertGreaterEqual(killed, 8)

    def test_killed_again_and_again(self):
        scene = write_scene(self.path("scene"), squares=10, cubes=2, end=12)
        wanted = self.baked(scene)
        chance, out = random.Random(21), self.path("out")
        for kill in range(10):
            self.kill_after(kill + chance.random(), scene, out)
        self.claim_code(bake(scene, out, "--resume"), 0)
        self.claim_equal(out, wanted)


class Signals(Case):
    def interrupted(self, signals):
        scene = write_scene(self.path("scene"), squares=16, cubes=2, end=400)
        out = self.path("out")
        process = subprocess.Popen([PROGRAM, *bake_words(scene, out)], stderr=subprocess.PIPE,
                                   text=True)
        while frames_written(out) < 3:
            self.assertIsNone(process.poll(), "the bake is too short for this test")
            time.sleep(0.005)
        for number in signals:
            process.send_signal(number)
            time.sleep(0.001)
        _, said = process.communicate(timeout=200)
        self.assertEqual(process.returncode, 130, said)
        return scene, out, said

    def finish(self, scene, out):
        frames = frames_written(out) + 2
        self.claim_code(bake(scene, out, "--resume", "--frames", f":{frames}"), 0)
        self.claim_code(bake(scene, self.path("whole"), "--frames", f":{frames}"), 0)
        self.claim_equal(out, motion(self.path("whole")))

    def test_an_interrupt_ends_after_the_frame_and_says_how_to_go_on(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            scene, out, said = self.interrupted([number])
            self.assertIn("stopped after frame", said)
            self.assertIn(f"tribo bake {scene} --out {out} --threads 1 --progress none --resume\n",
                          said)
            self.assertEqual(manifest(out)["status"], "cancelled")
            self.finish(scene, out)
            shutil.rmtree(self.folder)
            os.mkdir(self.folder)

    def claim_ends_unheard(self, process, scene, out):
        self.assertEqual(process.wait(timeout=200), 130)
        self.assertEqual(manifest(out)["status"], "cancelled")
        self.assertFalse(os.path.exists(os.path.join(out, "bake.lock")))
        self.finish(scene, out)

    def unheard(self, style, **streams):
        scene = write_scene(self.path("scene"), squares=4, end=4000)
        out = self.path("out")
        words = ["bake", scene, "--out", out, "--threads", "1", "--progress", style]
        return subprocess.Popen([PROGRAM, *words], **streams), scene, out

    def test_a_reader_that_goes_away_ends_the_bake_cleanly(self):
        for style, stream in (("json", "stdout"), ("lines", "stderr")):
            process, scene, out = self.unheard(style, **{stream: subprocess.PIPE})
            reader = getattr(process, stream)
            for _ in range(3):
                reader.readline()
            reader.close()
            self.claim_ends_unheard(process, scene, out)
            shutil.rmtree(self.folder)
            os.mkdir(self.folder)

    def test_a_closed_stdout_ends_the_bake_cleanly_and_harms_no_file(self):
        process, scene, out = self.unheard("json", preexec_fn=lambda: os.close(1))
        self.claim_ends_unheard(process, scene, out)

    @unittest.skipUnless(shutil.which("tetgen"), "needs TetGen")
    def test_a_signal_while_tets_are_made_leaves_nothing_in_tmp(self):
        os.mkdir(self.path("scene"))
        write_ball(self.path("scene", "ball.obj"))
        scene = self.path("scene", "scene.json")
        with open(scene, "w") as out:
            json.dump({"tribo": 1, "objects": [{"name": "ball", "kind": "solid", "mesh": "ball.obj",
                                                "tets": {"from": "fill", "size": 0.011}}]}, out)
        before = set(glob.glob("/tmp/tribo-tets-*"))
        for words, number in ((bake_words(scene, self.path("out")), signal.SIGTERM),
                              (["check", scene], signal.SIGINT), (["check", scene], signal.SIGKILL)):
            process = subprocess.Popen([PROGRAM, *words], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, text=True)
            children = f"/proc/{process.pid}/task/{process.pid}/children"
            child = ""
            while not child:
                self.assertIsNone(process.poll(), "TetGen was too quick for this test")
                child = content(children).decode()
            time.sleep(0.1)
            process.send_signal(number)
            process.communicate(timeout=10)
            self.assertEqual(process.returncode, -number)
            for _ in range(200):
                left = set(glob.glob("/tmp/tribo-tets-*")) - before
                if not left:
                    break
                time.sleep(0.02)
            self.assertEqual(left, set())
        self.assertFalse(os.path.exists(self.path("out")))

    def test_a_second_interrupt_ends_at_once(self):
        scene, out, _ = self.interrupted([signal.SIGINT, signal.SIGINT, signal.SIGINT])
        self.finish(scene, out)


class Disk(Case):
    """A disk that is full, or refuses, costs the frame at work and nothing else."""

    def test_a_limit_on_file_size_ends_the_bake_and_it_resumes(self):
        scene = write_scene(self.path("scene"), squares=8, end=40)
        wanted = self.baked(scene)
        sample = 12 * 81
        limit = 32 + 25 * sample + 100
        self.assertLess(max(len(wanted[n]) for n in wanted if not n.endswith(".pc2")), limit)
        out = self.path("out")
        done = bake(scene, out, preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY)))
        self.claim_error(done, 4, "cannot write")
        self.assertIn(out, done.stderr)
        self.assertIn("File too large", done.stderr)
        self.assertEqual(manifest(out)["status"], "failed")
        self.assertIn("File too large", manifest(out)["message"])
        self.assertGreater(frames_written(out), 5)
        self.claim_code(run("info", out), 0)
        self.claim_code(bake(scene, out, "--resume"), 0)
        self.claim_equal(out, wanted)

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("unshare"), "needs root to mount")
    def test_a_full_disk_ends_the_bake_and_it_resumes(self):
        scene = write_scene(self.path("scene"), squares=8, end=40)
        wanted = self.baked(scene)
        disk = self.path("disk")
        os.mkdir(disk)
        script = """
            mount -t tmpfs -o size=96k none "$1" || exit 77
            shift
            "$@"; echo "first $?"
            mount -o remount,size=10m none "$DISK"
            "$@" --resume; echo "second $?"
            cp -r "$DISK/out" "$KEPT"
        """
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-c", script, "sh", disk, PROGRAM,
             *bake_words(scene, os.path.join(disk, "out"))],
            capture_output=True, text=True, timeout=250,
            env={**os.environ, "DISK": disk, "KEPT": self.path("kept")})
        if done.returncode in (1, 77):
            self.skipTest("cannot mount here: " + done.stderr)
        self.assertEqual(done.stdout.split("\n")[:2], ["first 4", "second 0"], done.stderr)
        self.assertIn("No space left on device", done.stderr)
        self.claim_equal(self.path("kept"), wanted)

    def test_a_folder_that_cannot_be_made_is_a_matter_of_the_disk(self):
        scene = write_scene(self.path("scene"))
        with open(self.path("file"), "w"):
            pass
        self.claim_error(bake(scene, self.path("file", "out")), 4, self.path("file"))
        self.claim_error(bake(scene, "/proc/out"), 4, "/proc/out")


if __name__ == "__main__":
    unittest.main()
