# SPDX-License-Identifier: GPL-3.0-or-later
"""What a disk or a hand did to a bake's files is found, named, and mended where that is possible."""
import json
import os
import shutil
import subprocess
import time
import unittest

from program import (Case, PROGRAM, bake, bake_words, content, frames_written, kill_at, KILLED,
                     manifest, motion, run, write_scene)


def flip(path, at, bit=0):
    """Turns one bit of a file over; `at` counts from the end where it is below 0."""
    data = bytearray(content(path))
    data[at] ^= 1 << bit
    with open(path, "wb") as out:
        out.write(data)


def cut(path, size):
    with open(path, "r+b") as out:
        out.truncate(size)


class Damage(Case):
    SAMPLE = 12 * 16  # bytes, of the sheet

    def setUp(self):
        super().setUp()
        self.scene = write_scene(self.path("scene"), squares=3, end=6, floor=True)

    def bakes(self, *words):
        """A complete bake and its motion."""
        out = self.path("out")
        self.claim_code(bake(self.scene, out, "--contacts", *words), 0)
        self.claim_code(run("info", out), 0)
        return out, motion(out)

    def fresh(self, out):
        copy = self.path("copy")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(out, copy)
        return copy

    def injuries(self):
        """What is done to a bake, the file that is named, and the words that name it."""
        at = lambda frame: 32 + self.SAMPLE * (frame - 1)
        def foreign(out):
            shutil.copy(os.path.join(out, "box.pc2"), os.path.join(out, "sheet.pc2"))
        def swap_samples(out):
            path = os.path.join(out, "sheet.pc2")
            data = content(path)
            a, b = data[at(3):at(4)], data[at(4):at(5)]
            with open(path, "wb") as file:
                file.write(data[:at(3)] + b + a + data[at(5):])
        def line(file, number, old, new):
            def change(out):
                path = os.path.join(out, file)
                lines = content(path).split(b"\n")
                assert old in lines[number], lines[number]
                lines[number] = lines[number].replace(old, new, 1)
                with open(path, "wb") as target:
                    target.write(b"\n".join(lines))
            return change
        sheet = lambda change: lambda out: change(os.path.join(out, "sheet.pc2"))
        return [
            (sheet(lambda path: flip(path, at(4) + 7, 3)), "sheet.pc2", 4),
            (sheet(lambda path: flip(path, -1)), "sheet.pc2", 6),
            (sheet(lambda path: cut(path, at(5) + 5)), "sheet.pc2", 5),
            (sheet(lambda path: cut(path, 0)), "sheet.pc2", 1),
            (sheet(os.unlink), "sheet.pc2", 1),
            (foreign, "sheet.pc2", 1),
            (swap_samples, "sheet.pc2", 3),
            (line("contacts.jsonl", 3, b'"gap": ', b'"gap": 1'), "contacts.jsonl", 4),
            (line("verdict.jsonl", 2, b'"grazing": ', b'"grazing": 7'), "verdict.jsonl", 3),
            (line("verdict.jsonl", 4, b'"sums"', b'"Sums"'), "verdict.jsonl", 5),
            (line("verdict.jsonl", 5, b'"sum"', b'"Sum"'), "verdict.jsonl", 6),
            (lambda out: os.unlink(os.path.join(out, "stats.jsonl")), "stats.jsonl", 1),
            (lambda out: shutil.copy(os.path.join(out, "stats.jsonl"),
                                     os.path.join(out, "verdict.jsonl")), "verdict.jsonl", 1),
        ]

    def claim_named(self, out, file, frame, remedy):
        done = run("info", out, "--json")
        self.claim_code(done, 2)
        for words in (f"'{file}' is damaged at frame {frame}: ", remedy):
            self.assertIn(words, done.stderr)
        if done.stdout:  # a folder that can be opened
            damage = json.loads(done.stdout)["damage"]
            self.assertIn([file, frame], [[d["file"], d["frame"]] for d in damage])

    def test_without_states_the_file_and_the_frame_are_named(self):
        out, _ = self.bakes()
        for injure, file, frame in self.injuries():
            copy = self.fresh(out)
            injure(copy)
            self.claim_named(copy, file, frame, "--overwrite")
            before = motion(copy)
            done = bake(self.scene, copy, "--resume")
            self.claim_code(done, 2)
            self.assertIn(f"'{file}' is damaged at frame {frame}: ", done.stderr)
            self.assertIn("bake anew with --overwrite", done.stderr)
            self.assertEqual(motion(copy), before)
            said = run("bake", self.scene, "--out", copy, "--resume", "--progress", "lines")
            self.assertEqual(said.stdout, "", "nothing was baked, of which something could be said")

    def test_with_states_the_bake_goes_back_and_on_to_the_same_bits(self):
        out, wanted = self.bakes("--keep-states")
        for injure, file, frame in self.injuries():
            copy = self.fresh(out)
            injure(copy)
            if frame == 1:
                self.claim_named(copy, file, frame, "--overwrite")
                self.assertIn("--overwrite", bake(self.scene, copy, "--resume").stderr)
                continue
            self.claim_named(copy, file, frame, f"--resume goes back to frame {frame - 1}")
            self.claim_code(bake(self.scene, copy, "--resume"), 0)
            self.claim_equal(copy, wanted)
            self.claim_code(run("info", copy), 0)

    def test_a_checkpoint_is_made_up_for_by_a_state(self):
        out, wanted = self.bakes("--keep-states")
        for injure in (os.unlink, lambda path: flip(path, 100), lambda path: cut(path, 30)):
            copy = self.fresh(out)
            injure(os.path.join(copy, "state.ckpt"))
            done = run("info", copy)
            self.claim_code(done, 2)
            self.assertIn("'state.ckpt' is damaged", done.stderr)
            self.assertIn("goes back to frame 6", done.stderr)
            self.claim_code(bake(self.scene, copy, "--resume"), 0)
            self.claim_equal(copy, wanted)

    def test_states_of_another_scene_are_not_gone_on_from(self):
        out, _ = self.bakes("--keep-states")
        changed = write_scene(self.path("changed"), squares=3, end=6, floor=True, gravity=[1, 0, -5])
        self.claim_code(bake(changed, out, "--from-frame", "3"), 0)
        wanted = motion(out)
        for frame, code in ((2, 2), (3, 2), (4, 0), (5, 0)):
            copy = self.fresh(out)
            flip(os.path.join(copy, "sheet.pc2"), 32 + self.SAMPLE * (frame - 1))
            self.claim_code(bake(changed, copy, "--resume"), code)
            if code == 0:
                self.claim_equal(copy, wanted)

    def test_a_state_is_named(self):
        out, _ = self.bakes("--keep-states")
        flip(os.path.join(out, "states", "000004.ckpt"), 90)
        os.unlink(os.path.join(out, "states", "000002.ckpt"))
        done = run("info", out)
        self.claim_code(done, 2)
        for frame in (2, 4):
            self.assertIn(f"the state of frame {frame} in 'states' is missing, or not what was "
                          "written", done.stderr)
        flip(os.path.join(out, "sheet.pc2"), 32 + 4 * self.SAMPLE)  # frame 5
        self.assertIn("going back to frame 3", bake(self.scene, out, "--resume").stderr)
        self.assertNotIn("frame 4", run("info", out).stderr)

    def test_a_mesh_is_written_anew(self):
        out, wanted = self.bakes()
        for injure in (os.unlink, lambda path: flip(path, 20), lambda path: cut(path, 50),
                       lambda path: cut(path, 0)):
            for file in ("sheet.obj", "box.msh"):
                copy = self.fresh(out)
                injure(os.path.join(copy, file))
                done = run("info", copy)
                self.claim_code(done, 2)
                self.assertIn(f"'{file}' is damaged: ", done.stderr)
                self.assertIn("--resume writes it anew", done.stderr)
                self.claim_code(bake(self.scene, copy, "--resume"), 0)
                self.claim_equal(copy, wanted)
                self.claim_code(run("info", copy), 0)

    def test_a_frame_to_go_back_to_is_looked_at(self):
        out, _ = self.bakes("--keep-states")
        flip(os.path.join(out, "sheet.pc2"), 32 + 2 * self.SAMPLE)
        before = motion(out)
        self.claim_error(bake(self.scene, out, "--from-frame", "4"), 2,
                         "'sheet.pc2' is damaged at frame 3: ")
        self.assertEqual(motion(out), before)
        self.claim_code(bake(self.scene, out, "--from-frame", "2"), 0)

    def test_mending_survives_kills(self):
        out, wanted = self.bakes("--keep-states")
        number, killed = 1, KILLED
        while killed == KILLED:
            copy = self.fresh(out)
            flip(os.path.join(copy, "sheet.pc2"), 32 + 4 * self.SAMPLE)
            killed = kill_at(number, self.scene, copy, "--resume")
            self.assertIn(killed, (0, KILLED))
            self.claim_code(bake(self.scene, copy, "--resume"), 0)
            self.claim_equal(copy, wanted)
            number += 1
        self.assertGreater(number, 30)

    def test_a_bake_of_before_there_were_checksums_goes_on(self):
        out, wanted = self.bakes()
        half = self.path("half")
        self.claim_code(bake(self.scene, half, "--contacts", "--frames", ":3"), 0)
        path = os.path.join(half, "verdict.jsonl")
        lines = [json.loads(text) for text in content(path).splitlines()]
        with open(path, "w") as file:
            for line in lines:
                del line["sums"], line["sum"]
                file.write(json.dumps(line) + "\n")
        about = manifest(half)
        for thing in about["objects"]:
            del thing["mesh_sum"]
        with open(os.path.join(half, "bake.json"), "w") as file:
            json.dump(about, file)
        self.claim_code(run("info", half), 0)
        self.claim_code(bake(self.scene, half, "--resume"), 0)
        self.claim_equal(half, wanted)


class Complete(Case):
    """A bake that is complete and sound is left alone."""

    def setUp(self):
        super().setUp()
        self.scene = write_scene(self.path("scene"), squares=3, end=3)
        self.out = self.path("out")
        self.claim_code(bake(self.scene, self.out), 0)

    def times(self):
        return {name: os.stat(os.path.join(self.out, name)).st_mtime_ns for name in os.listdir(self.out)}

    def test_resuming_it_writes_nothing(self):
        before = self.times()
        done = run("bake", self.scene, "--out", self.out, "--resume", "--progress", "lines")
        self.claim_code(done, 0)
        self.assertIn("already baked", done.stderr)
        self.assertEqual(self.times(), before)

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("unshare"), "needs root to mount")
    def test_resuming_it_in_a_read_only_folder_is_fine(self):
        script = """
            mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" || exit 77
            shift
            touch "$OUT/x" 2>/dev/null && exit 78
            "$@" --resume; echo "first $?"
            "$@" --resume --frames :4; echo "longer $?"
        """
        done = subprocess.run(["unshare", "--mount", "sh", "-c", script, "sh", self.out, PROGRAM,
                               *bake_words(self.scene, self.out)],
                              capture_output=True, text=True, timeout=60,
                              env={**os.environ, "OUT": self.out})
        if done.returncode in (1, 77):
            self.skipTest("cannot mount here: " + done.stderr)
        self.assertEqual(done.stdout.split("\n")[:2], ["first 0", "longer 4"], done.stderr)

    def test_a_damaged_manifest_names_the_way_out(self):
        path = os.path.join(self.out, "bake.json")
        whole = content(path)
        before = motion(self.out)
        for text in (b"", b"{", whole[:100], whole.replace(b"substeps", b"sXbsteps"), b"[]", b"\0" * 9,
                     b"[" * 100000, whole.replace(b".pc2", b".pc3")):
            with open(path, "wb") as file:
                file.write(text)
            for done in (bake(self.scene, self.out, "--resume"), run("info", self.out),
                         bake(self.scene, self.out, "--overwrite")):
                self.claim_error(done, 2, "bake into another folder")
            self.assertEqual(motion(self.out), before)


class Gone(Case):
    """What is taken away while a bake runs ends it with an error."""

    def ends(self, take_away):
        scene = write_scene(self.path("scene"), squares=6, end=100000)
        out = self.path("out")
        process = subprocess.Popen([PROGRAM, *bake_words(scene, out)], stderr=subprocess.PIPE,
                                   text=True)
        while frames_written(out) < 3:
            self.assertIsNone(process.poll())
            time.sleep(0.005)
        take_away(out)
        _, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 4, said)
        self.assertIn("tribo: ", said)
        return scene, out, said

    def test_the_folder(self):
        def remove(out):
            for _ in range(100):  # the bake may make a file meanwhile
                if subprocess.run(["rm", "-rf", out], capture_output=True).returncode == 0:
                    break

        _, out, _ = self.ends(remove)
        self.assertFalse(os.path.exists(out) and os.listdir(out))

    def test_the_folder_with_another_in_its_place(self):
        def replace(out):
            os.rename(out, out + ".old")
            os.mkdir(out)
        _, out, said = self.ends(replace)
        self.assertEqual(os.listdir(out), [])

    def test_a_file_of_it(self):
        for name in ("box.pc2", "stats.jsonl", "verdict.jsonl"):
            scene, out, said = self.ends(lambda out: os.unlink(os.path.join(out, name)))
            self.assertIn(name, said)
            self.assertEqual(manifest(out)["status"], "failed")
            done = bake(scene, out, "--resume")
            self.claim_code(done, 2)
            self.assertIn(f"'{name}' is damaged at frame", done.stderr)
            shutil.rmtree(out)


if __name__ == "__main__":
    unittest.main()
