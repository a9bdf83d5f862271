# SPDX-License-Identifier: GPL-3.0-or-later
"""The program's manners: what it says, where, and with which exit code."""
import fcntl
import json
import os
import pty
import struct
import subprocess
import termios
import unittest
import zlib

from program import Case, PROGRAM, bake, content, motion, run, stats, write_fall, write_scene


class Program(Case):
    def test_version_and_help(self):
        done = run("--version")
        self.claim_code(done, 0)
        self.assertRegex(done.stdout, r"^tribo \d+\.\d+\.\d+\n$")
        for words in (["--help"], ["help"]):
            done = run(*words)
            self.claim_code(done, 0)
            for command in ("bake", "check", "info", "export", "reference"):
                self.assertIn(f"tribo {command}", done.stdout)
        for words in (["help", "bake"], ["bake", "--help"]):
            done = run(*words)
            self.claim_code(done, 0)
            for option in ("--out DIR", "--threads N", "--set key=value", "--resume", "--frames",
                           "--contacts"):
                self.assertIn(option, done.stdout)
        self.assertEqual(run().returncode, 2)

    def test_reference_is_the_markdown_of_the_scene_file(self):
        done = run("reference")
        self.claim_code(done, 0)
        self.assertTrue(done.stdout.startswith("# "), done.stdout[:80])
        self.assertIn("substeps", done.stdout)

    def test_a_wrong_word_gets_a_suggestion(self):
        scene = write_scene(self.path("scene"))
        self.claim_error(run("bkae", scene), 2, "did you mean 'bake'?")
        self.claim_error(run("bake", scene, "--ouf", "x"), 2, "did you mean '--out'?")
        self.claim_error(run("bake", scene, "--resum"), 2, "did you mean '--resume'?")
        self.claim_error(run("bake", scene, "--zebra"), 2, "'tribo help bake' lists them")
        self.claim_error(run("bake", scene, "-x"), 2, "two dashes")
        self.claim_error(run("bake", scene, "--out", "x", "--progress", "jsn"), 2, "'json'")
        self.claim_error(run("export", "x", "--to", "abj"), 2, "did you mean 'obj'?")
        self.claim_error(run("help", "exprot"), 2, "did you mean 'export'?")

    def test_missing_and_surplus_words_are_named(self):
        scene = write_scene(self.path("scene"))
        self.claim_error(run("bake"), 2, "needs SCENE.json")
        self.claim_error(run("bake", scene), 2, "--out DIR")
        self.claim_error(run("bake", scene, "more", "--out", "x"), 2, "'more' is one word too many")
        self.claim_error(run("bake", scene, "--out"), 2, "'--out' needs a value")
        self.claim_error(run("bake", scene, "--resume=yes"), 2, "'--resume' takes no value")
        self.claim_error(run("bake", scene, "--out", "x", "--threads", "many"), 2, "whole number")
        self.claim_error(run("bake", scene, "--out", "x", "--set", "gravity"), 2, "key=value")
        self.claim_error(run("export", "x"), 2, "--to mdd, geo, obj or pc2")

    def test_a_bad_scene_leaves_no_folder(self):
        out = self.path("out")
        broken = {
            "missing": self.path("missing.json"),
            "no json": self.path("text.json"),
            "unknown key": write_scene(self.path("a"), gravitty=[0, 0, 0]),
            "no end": write_scene(self.path("b"), time={"start": 5, "end": 1}),
            "no mesh": write_scene(self.path("c"), objects=[
                {"name": "sheet", "kind": "cloth", "mesh": "nowhere.obj"}]),
        }
        with open(broken["no json"], "w") as file:
            file.write("frictional contact")
        for what, scene in broken.items():
            with self.subTest(what):
                done = bake(scene, out)
                self.claim_code(done, 2)
                self.assertTrue(done.stderr.startswith("tribo: "), done.stderr)
                self.assertEqual(run("check", scene).returncode, 2)
                self.assertFalse(os.path.exists(out))
        scene = write_scene(self.path("d"))
        self.claim_error(bake(scene, out, "--set", "time.substep=3"), 2, "time.substeps")
        self.claim_error(bake(scene, out, "--method", "magic"), 2, "magic")
        self.assertFalse(os.path.exists(out))

    def test_a_scene_that_does_not_converge_ends_with_3(self):
        scene = write_scene(self.path("scene"),
                            solver={"tolerance": 1e-14, "iterations": 1, "cuts": 0})
        done = bake(scene, self.path("out"))
        self.claim_code(done, 3)
        self.assertTrue(done.stderr.startswith("tribo: "), done.stderr)
        info = json.loads(run("info", self.path("out"), "--json").stdout)
        self.assertEqual(info["status"], "failed")
        self.assertNotEqual(info["message"], "")

    def test_check_says_what_is_in_the_scene(self):
        done = run("check", write_scene(self.path("scene"), squares=4, cubes=2))
        self.claim_code(done, 0)
        self.assertIn("cloth, 25 vertices, 32 triangles, 0.2 kg, 2 pinned", done.stdout)
        self.assertIn("solid, 27 vertices, 48 tets, 27 kg", done.stdout)
        self.assertIn("2 substeps of 0.0208333 s", done.stdout)
        self.assertTrue(done.stdout.endswith("ok\n"))

    def test_check_says_what_is_painted(self):
        def chunk(kind, data):
            return (struct.pack(">I", len(data)) + kind + data +
                    struct.pack(">I", zlib.crc32(kind + data)))
        scene = write_scene(self.path("scene"), squares=4, cubes=2, method="forwarding")
        folder = os.path.dirname(scene)
        with open(os.path.join(folder, "floor.png"), "wb") as file:  # two pixels: blue 51 and 255
            file.write(b"\x89PNG\r\n\x1a\n" +
                       chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 1, 8, 2, 0, 0, 0)) +
                       chunk(b"IDAT", zlib.compress(b"\0\xff\x80\x33\xff\x80\xff")) +
                       chunk(b"IEND", b""))
        with open(os.path.join(folder, "floor.obj"), "w") as file:
            file.write("v -9 -9 -5\nv 9 -9 -5\nv 9 9 -5\nv -9 9 -5\nvt 0 0\nvt 1 0\nvt 1 1\n"
                       "f 1/1 2/2 3/3\nf 1/1 3/1 4/1\n")
        with open(scene) as file:
            text = json.load(file)
        floor = {"name": "floor", "kind": "collider", "mesh": "floor.obj",
                 "structure_map": "floor.png", "friction_map": "floor.png",
                 "maps": {"friction_channel": "b", "friction_scale": 5}}
        text["objects"].append(floor)
        with open(scene, "w") as file:
            json.dump(text, file)
        done = run("check", scene)
        self.claim_code(done, 0)
        self.assertIn("structure_map 2 x 1, 2 UV islands, none on 1 triangle without UV area (the "
                      "first is 1); friction_map 2 x 1 b, friction times 1 to 5\n", done.stdout)
        floor["friction_map"] = "flor.png"
        with open(scene, "w") as file:
            json.dump(text, file)
        self.claim_error(run("check", scene), 2, "'floor': friction_map: ")

    def test_check_says_what_contact_sees(self):
        scene = write_scene(self.path("scene"), squares=4, cubes=2, method="forwarding", friction={
            "default": {"mu": 0.25}, "pairs": [{"a": "floor", "b": "box", "mu": 0.125}]})
        with open(scene) as file:
            text = json.load(file)
        with open(os.path.join(os.path.dirname(scene), "floor.obj"), "w") as file:
            file.write("v -9 -9 -5\nv 9 -9 -5\nv 9 9 -5\nv -9 9 -5\nf 1 2 3 4\n")
        sheet, box = (o["name"] for o in text["objects"])
        text["friction"]["pairs"][0]["b"] = box
        text["objects"].append({"name": "floor", "kind": "collider", "mesh": "floor.obj"})
        with open(scene, "w") as file:
            json.dump(text, file)
        done = run("check", scene)
        self.claim_code(done, 0)
        self.assertIn("collider, 4 vertices, 2 triangles, stands still", done.stdout)
        self.assertIn("contact mesh (by its shape), open, felt from both sides, 2 triangles of 20.5 m", done.stdout)
        self.assertIn("contact mls (by its shape), closed, 48 triangles of 0.171 m; touches others "
                      "with 26 vertices", done.stdout)
        self.assertIn(f"friction of {box} and floor: 0.125\n", done.stdout)
        self.assertIn(f"friction of {sheet} and floor: 0.25\n", done.stdout)
        done = run("check", scene, "--set", "friction.default.mu=0.5")
        self.assertIn(f"friction of {sheet} and floor: 0.5\n", done.stdout)
        done = run("check", scene, "--method", "elastic")
        self.claim_code(done, 0)
        self.assertNotIn("friction of", done.stdout)
        self.claim_error(run("check", scene, "--backend", "magic"), 2, "native, ipopt")
        text["friction"]["pairs"][0]["a"] = "flor"
        with open(scene, "w") as file:
            json.dump(text, file)
        self.claim_error(run("check", scene), 2, "did you mean 'floor'?")

    def test_check_tells_of_touches_only_where_the_method_has_them(self):
        scene = write_scene(self.path("scene"), squares=3, method="projective")
        with open(scene) as file:
            text = json.load(file)
        text["objects"].append({**text["objects"][0], "name": "twin"})
        for thickness, wanted in ((0, "touches nothing\n"), (0.01, "touches others and itself with")):
            for one in text["objects"]:
                one["surface"] = {"thickness": thickness}
            with open(scene, "w") as file:
                json.dump(text, file)
            done = run("check", scene)
            self.claim_code(done, 0)
            self.assertEqual(done.stdout.count(wanted), len(text["objects"]), done.stdout)
            self.assertEqual("pass through each other" in done.stderr, thickness == 0, done.stderr)

    def test_frames_end_the_bake_but_cannot_begin_it(self):
        scene = write_scene(self.path("scene"), end=4)
        out = self.path("out")
        self.claim_error(bake(scene, out, "--frames", "2:4"), 2, "every later frame follows")
        self.claim_error(bake(scene, out, "--frames", "1:0"), 2, "before the first")
        self.claim_error(bake(scene, out, "--frames", "1-3"), 2, "A:B")
        self.claim_error(bake(scene, out, "--frames", ":"), 2, "A:B")
        self.assertFalse(os.path.exists(out))
        self.claim_code(bake(scene, out, "--frames", "1:2"), 0)
        self.assertEqual(len(stats(out)), 2)
        self.claim_code(bake(scene, out, "--resume", "--frames", ":3"), 0)
        self.assertEqual(len(stats(out)), 3)
        self.claim_code(bake(scene, out, "--resume"), 0)
        self.claim_equal(out, self.baked(scene))

    def test_a_folder_with_a_bake_is_not_touched_without_being_told(self):
        scene = write_scene(self.path("scene"), end=2)
        out = self.path("out")
        self.claim_code(bake(scene, out), 0)
        before = motion(out)
        done = bake(scene, out)
        self.claim_error(done, 2, "--resume")
        self.assertIn("--overwrite", done.stderr)
        self.claim_equal(out, before)
        done = run("bake", scene, "--out", out, "--resume")
        self.claim_code(done, 0)
        self.assertIn("already baked: frames 1 to 2", done.stderr)
        other = ["--set", "gravity=[0,0,-1]"]
        self.claim_error(bake(scene, out, "--resume", *other), 2,
                         "the scene changed since this bake; bake anew with --overwrite")
        self.claim_code(bake(scene, out, "--overwrite", *other), 0)
        self.assertNotEqual(motion(out)["sheet.pc2"], before["sheet.pc2"])

    def test_contacts_are_written_when_asked_for(self):
        scene = write_scene(self.path("scene"), end=3, floor=True)
        out = self.path("out")
        self.claim_code(bake(scene, out), 0)
        self.assertNotIn("contacts.jsonl", os.listdir(out))
        self.assertNotIn("contacts", run("info", out).stdout)
        self.claim_error(bake(scene, out, "--resume", "--contacts"), 2, "begun without --contacts")
        self.claim_code(bake(scene, out, "--overwrite", "--contacts"), 0)
        self.claim_contacts(out)
        self.assertIn("contacts.jsonl", run("info", out).stdout)
        self.assertIs(json.loads(run("info", out, "--json").stdout)["contacts"], True)

        # On a floor at rest, the forces carry what they must: the box slides, braked by mu N.
        with open(os.path.join(out, "contacts.jsonl")) as file:
            last = [json.loads(line) for line in file][-1]
        box = [c for c in last["contacts"] if c["object"] == "box"]
        self.assertEqual({c["surface"] for c in box}, {"floor"})
        for c in box:
            self.assertEqual(c["state"], "slip")
            self.assertAlmostEqual(c["normal"][2], 1, delta=1e-12)
            self.assertAlmostEqual(c["force"][0], -c["mu"] * c["force"][2],
                                   delta=0.02 * c["force"][2])
        self.claim_code(bake(scene, out, "--overwrite"), 0)
        self.assertNotIn("contacts.jsonl", os.listdir(out))

    def test_progress_for_programs_is_a_line_of_json_a_frame(self):
        scene = write_scene(self.path("scene"), end=3)
        done = run("bake", scene, "--out", self.path("out"), "--progress", "json")
        self.claim_code(done, 0)
        self.assertEqual(done.stderr, "")
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([line["frame"] for line in lines[:-1]], [1, 2, 3])
        for line in lines[:-1]:
            self.assertEqual((line["start"], line["end"]), (1, 3))
            self.assertGreaterEqual(line["seconds"], 0)
            self.assertGreaterEqual(line["seconds_left"], 0)
            self.assertIs(line["converged"], True)
            self.assertEqual((line["crossings"], line["new_crossings"], line["rough"]), (0, 0, []))
        self.assertEqual(lines[-1], {"status": "done", "exit": 0, "code": 0, "message": "",
                                     "rough": 0, "verdict": "3 frames, none rough"})

        done = run("bake", scene, "--out", self.path("out"), "--progress", "json")
        self.claim_code(done, 2)
        last = json.loads(done.stdout.splitlines()[-1])
        self.assertEqual((last["status"], last["exit"]), ("failed", 2))
        self.assertIn("--overwrite", last["message"])
        self.assertGreaterEqual(last["code"], 1000)

    def test_progress_in_a_log_is_a_line_a_frame(self):
        scene = write_scene(self.path("scene"), end=3)
        done = run("bake", scene, "--out", self.path("out"))
        self.assertEqual([line.split(":")[0] for line in done.stderr.splitlines()],
                         ["frame 1/3", "frame 2/3", "frame 3/3"])
        self.assertIn("baked frames 1 to 3", done.stdout)
        self.assertIn("3 frames, none rough", done.stdout)

    def test_a_bake_that_came_out_badly_says_so_and_strictly_fails(self):
        scene, out = write_fall(self.path("scene")), self.path("out")
        done = run("bake", scene, "--out", out)
        self.claim_code(done, 0)
        self.assertIn("object 'sheet' has got through 'blade' at frame 3:", done.stderr)
        last = done.stderr.splitlines()[-1]
        self.assertRegex(last, "^tribo: warning: [234] frames rough: 3 to [456]; worst [3456]: sheet crosses blade at")
        self.assertIn(last[len("tribo: warning: "):], run("info", out).stdout)
        said = json.loads(run("info", "--json", out).stdout)["verdict"]
        self.assertEqual(said["reasons"], ["crossings"])
        self.assertEqual((said["object"], said["other"]), ("sheet", "blade"))
        self.assertEqual(said["ranges"][0][0], 3)
        self.assertEqual(json.load(open(os.path.join(out, "bake.json")))["verdict"], said["text"])
        done = bake(scene, self.path("strict"), "--strict", "--progress", "json")
        self.claim_code(done, 6)
        last = json.loads(done.stdout.splitlines()[-1])
        self.assertEqual((last["status"], last["exit"], last["verdict"]), ("done", 6, said["text"]))
        self.claim_code(bake(scene, out, "--resume", "--strict"), 6)
        self.claim_code(bake(write_scene(self.path("calm"), end=3), self.path("c"), "--strict"), 0)

    def on_a_terminal(self, columns, *words):
        """What the program draws on a terminal of that many columns."""
        try:
            master, slave = pty.openpty()
        except OSError as fault:  # a bare chroot without /dev/pts
            self.skipTest(f"no terminal to be had: {fault}")
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = subprocess.Popen([PROGRAM, *words], stdout=subprocess.DEVNULL, stderr=slave)
        os.close(slave)
        drawn = b""
        while True:
            try:
                piece = os.read(master, 4096)
            except OSError:
                break
            if not piece:
                break
            drawn += piece
        os.close(master)
        self.assertEqual(process.wait(), 0)
        return drawn.decode()

    def test_the_bar_fits_its_terminal(self):
        scene = write_scene(self.path("scene"), end=3)
        for columns, wanted in ((120, "[####"), (60, "s/frame"), (25, "left"), (12, "frame 3/3"),
                                (4, "fra"), (1, "")):
            drawn = self.on_a_terminal(columns, "bake", scene, "--out", self.path(f"o{columns}"))
            self.assertNotIn("\n", drawn)
            self.assertIn(wanted, drawn)
            for piece in drawn.split("\r"):
                self.assertLess(len(piece), max(columns, 1))

    def test_the_friction_problems_of_a_bake_can_be_solved_on_their_own(self):
        scene = write_scene(self.path("scene"), squares=2, cubes=2, end=4, floor=True)
        problems = self.path("problems")
        done = bake(scene, self.path("out"), "--contact-problems", problems)
        if "built without HDF5" in done.stderr:
            self.skipTest(done.stderr.strip())
        self.claim_code(done, 0)
        self.assertEqual(sorted(os.listdir(problems)),
                         [f"contacts_{frame:06}.hdf5" for frame in (2, 3, 4)])
        for name in os.listdir(problems):
            done = run("contact-problem", "solve", os.path.join(problems, name), "--cold",
                       "--tolerance", "1e-9")
            self.claim_code(done, 0)
            self.assertTrue(done.stdout.startswith("solved: "), done.stdout)

    def test_info_says_what_is_there(self):
        scene = write_scene(self.path("scene"), squares=4, end=3)
        out = self.path("out")
        self.claim_error(run("info", out), 2, "holds no bake")
        self.claim_code(bake(scene, out), 0)
        done = run("info", out)
        self.claim_code(done, 0)
        self.assertIn(f"{out}: done", done.stdout)
        self.assertIn("frames 1 to 3 are complete, of 1 to 3", done.stdout)
        info = json.loads(run("info", out, "--json").stdout)
        self.assertEqual(info["frames"], 3)
        self.assertEqual(info["substeps"], 2)
        self.assertEqual(info["objects"][0],
                         {"name": "sheet", "kind": "cloth", "vertices": 25, "frames": 3})

    def test_export_writes_what_it_is_asked_for(self):
        scene = write_scene(self.path("scene"), squares=4, end=4)
        out, to = self.path("out"), self.path("to")
        self.claim_code(bake(scene, out), 0)
        for format in ("mdd", "geo", "obj", "pc2"):
            self.claim_code(run("export", out, "--to", format, "--out", to, "--frames", "2:3"), 0)
        wanted = [f"{name}.{frame:04}.{ending}" for name in ("box", "sheet") for frame in (2, 3)
                  for ending in ("geo", "obj")]
        wanted += [f"{name}.{ending}" for name in ("box", "sheet") for ending in ("mdd", "pc2")]
        self.assertEqual(sorted(os.listdir(to)), sorted(wanted))
        cache = content(os.path.join(out, "sheet.pc2"))
        sample = 12 * 25
        self.assertEqual(content(os.path.join(to, "sheet.pc2"))[32:],
                         cache[32 + sample:32 + 3 * sample])
        vertices, frames = struct.unpack(">2i", content(os.path.join(to, "sheet.mdd"))[:8])[::-1]
        self.assertEqual((vertices, frames), (25, 2))

        self.claim_error(run("export", out, "--to", "obj", "--object", "sheets"), 2, "'sheet'")
        self.claim_error(run("export", out, "--to", "obj", "--frames", "2:9"), 2, "1 to 4")
        self.claim_error(run("export", out, "--to", "pc2"), 2, "a file of the bake itself")
        self.claim_code(run("export", out, "--to", "obj", "--object", "sheet", "--frames", ":1"), 0)
        self.assertTrue(os.path.exists(os.path.join(out, "sheet.0001.obj")))
        self.assertFalse(os.path.exists(os.path.join(out, "box.0001.obj")))


if __name__ == "__main__":
    unittest.main()
