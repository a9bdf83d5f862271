# SPDX-License-Identifier: GPL-3.0-or-later
"""The program under test, scenes for it, and what makes two bakes equal.

TRIBO_PROGRAM and TRIBO_KILL_AT name the programs; tests/determinism/CMakeLists.txt sets them.
"""
import json
import math
import os
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.path.abspath(os.environ["TRIBO_PROGRAM"])
KILL_AT = os.path.abspath(os.environ["TRIBO_KILL_AT"])
KILLED, CANNOT_TRACE = 200, 201

# The leak checker of a sanitized build cannot run under ptrace, and slows every start.
os.environ["ASAN_OPTIONS"] = "detect_leaks=0:" + os.environ.get("ASAN_OPTIONS", "")


def write_sheet(path, squares, size=1.0):
    """A square of cloth in the xy plane."""
    n = squares + 1
    with open(path, "w") as out:
        for j in range(n):
            for i in range(n):
                out.write(f"v {size * i / squares!r} {size * j / squares!r} 0\n")
        for j in range(squares):
            for i in range(squares):
                a = j * n + i + 1
                out.write(f"f {a} {a + 1} {a + n + 1}\nf {a} {a + n + 1} {a + n}\n")


def write_box(path, cubes, size=0.3, origin=(0, 0, 0.5)):
    """A cube of cubes of six tets around the diagonal of each, in Gmsh's format 2.2. It is clear of
    the sheet's plane by its height: its smooth surface bulges."""
    n = cubes + 1
    at = lambda i, j, k: (k * n + j) * n + i + 1
    tets = []
    for k in range(cubes):
        for j in range(cubes):
            for i in range(cubes):
                first, last = at(i, j, k), at(i + 1, j + 1, k + 1)
                for axes in ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (1, 0, 2), (2, 1, 0)):
                    corner, path_of_corners = [i, j, k], []
                    for axis in axes[:2]:
                        corner[axis] += 1
                        path_of_corners.append(at(*corner))
                    even = axes in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
                    a, b = path_of_corners if even else reversed(path_of_corners)
                    tets.append((first, a, b, last))
    with open(path, "w") as out:
        out.write(f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{n ** 3}\n")
        for k in range(n):
            for j in range(n):
                for i in range(n):
                    x, y, z = (o + size * c / cubes for o, c in zip(origin, (i, j, k)))
                    out.write(f"{at(i, j, k)} {x!r} {y!r} {z!r}\n")
        out.write(f"$EndNodes\n$Elements\n{len(tets)}\n")
        for number, tet in enumerate(tets, 1):
            out.write(f"{number} 4 2 0 0 {' '.join(map(str, tet))}\n")
        out.write("$EndElements\n")


def write_ball(path, rings=8, radius=0.5):
    """A closed ball of rings of twice as many vertices."""
    around = 2 * rings
    at = lambda i, j: 2 + (i - 1) * around + j % around
    last = 2 + (rings - 1) * around
    with open(path, "w") as out:
        out.write(f"v 0 0 {radius!r}\n")
        for i in range(1, rings):
            for j in range(around):
                a, b = math.pi * i / rings, 2 * math.pi * j / around
                out.write("v %r %r %r\n" % (radius * math.sin(a) * math.cos(b),
                                            radius * math.sin(a) * math.sin(b), radius * math.cos(a)))
        out.write(f"v 0 0 {-radius!r}\n")
        for j in range(around):
            out.write(f"f 1 {at(1, j)} {at(1, j + 1)}\n")
            out.write(f"f {last} {at(rings - 1, j + 1)} {at(rings - 1, j)}\n")
            for i in range(1, rings - 1):
                out.write(f"f {at(i, j)} {at(i + 1, j)} {at(i + 1, j + 1)} {at(i, j + 1)}\n")


def write_scene(folder, squares=4, cubes=1, end=4, sheet="sheet", box="box", floor=False,
                **changes):
    """A sheet held at a corner and a box thrown across, or pushed along a floor beside it, so that
    there are contacts; the path of the scene file."""
    os.makedirs(folder, exist_ok=True)
    write_sheet(os.path.join(folder, "mesh_of_sheet.obj"), squares)
    write_box(os.path.join(folder, "mesh_of_box.msh"), cubes,
              origin=(2, 0, -2) if floor else (0, 0, 0.5))
    scene = {
        "tribo": 1,
        "time": {"start": 1, "end": end, "fps": 24, "substeps": 2},
        "objects": [
            {"name": sheet, "kind": "cloth", "mesh": "mesh_of_sheet.obj",
             "pin": {"vertices": [0, squares]}},
            {"name": box, "kind": "solid", "mesh": "mesh_of_box.msh", "velocity": [1, 0, 2]},
        ],
    }
    if floor:
        with open(os.path.join(folder, "mesh_of_floor.obj"), "w") as out:
            out.write("v -9 -9 -2\nv 9 -9 -2\nv 9 9 -2\nv -9 9 -2\nf 1 2 3 4\n")
        scene["objects"].append({"name": "floor", "kind": "collider", "mesh": "mesh_of_floor.obj"})
        scene["objects"][1]["velocity"] = [1, 0, 0]
    scene.update(changes)
    path = os.path.join(folder, "scene.json")
    with open(path, "w") as out:
        json.dump(scene, out)
    return path


def write_fall(folder):
    """A small upright sheet that falls through a lying one by 0.1 m a frame, without gravity: the
    method forwarding does not let them see each other. The path of the scene file."""
    os.makedirs(folder, exist_ok=True)
    for name, place in (("sheet", lambda u, v: (u, v, 0)),
                        ("blade", lambda u, v: (0.23 + 0.5 * u, 0.47, 0.15 + 0.5 * v))):
        with open(os.path.join(folder, f"{name}.obj"), "w") as out:
            for k in range(49):
                out.write("v %g %g %g\n" % place(k % 7 / 6, k // 7 / 6))
            for k in range(36):
                a = 7 * (k // 6) + k % 6 + 1
                out.write(f"f {a} {a + 1} {a + 8}\nf {a} {a + 8} {a + 7}\n")
    cloth = [{"name": name, "kind": "cloth", "mesh": f"{name}.obj", "elastic": {"warp_axis": [1, 0, 0]}}
             for name in ("sheet", "blade")]
    cloth[1]["velocity"] = [0, 0, -1]
    path = os.path.join(folder, "scene.json")
    with open(path, "w") as out:
        json.dump({"tribo": 1, "gravity": [0, 0, 0], "objects": cloth,
                   "time": {"start": 1, "end": 6, "fps": 10, "substeps": 1}}, out)
    return path


def run(*words, **more):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=250,
                          **more)


def bake_words(scene, out, *words):
    return ["bake", scene, "--out", out, "--threads", "1", "--progress", "none", *words]


def bake(scene, out, *words, **more):
    return run(*bake_words(scene, out, *words), **more)


def kill_at(number, scene, out, *words):
    """The exit code of a bake that is killed before its system call `number`."""
    done = subprocess.run([KILL_AT, str(number), PROGRAM, *bake_words(scene, out, *words)],
                          capture_output=True, text=True, timeout=250)
    if done.returncode == CANNOT_TRACE:
        raise unittest.SkipTest("processes cannot be traced here")
    return done.returncode


def content(path):
    with open(path, "rb") as file:
        return file.read()


def files(folder):
    """Names of all files of a bake, those in states/ with their folder."""
    names = os.listdir(folder)
    if "states" in names:
        names.remove("states")
        names += ["states/" + name for name in os.listdir(os.path.join(folder, "states"))]
    return sorted(names)


def motion(folder):
    """What must be equal to the last byte: everything but clocks and the number of threads."""
    return {name: content(os.path.join(folder, name)) for name in files(folder)
            if name.endswith((".pc2", ".ckpt", ".obj", ".msh")) or name == "contacts.jsonl"}


def manifest(folder):
    with open(os.path.join(folder, "bake.json")) as file:
        return json.load(file)


def stats(folder):
    with open(os.path.join(folder, "stats.jsonl")) as file:
        return [json.loads(line) for line in file]


def frames_written(folder):
    """How many lines stats.jsonl has; also while the bake runs."""
    path = os.path.join(folder, "stats.jsonl")
    return content(path).count(b"\n") if os.path.exists(path) else 0


class Case(unittest.TestCase):
    """A folder for every test, gone afterwards, and the claims that most tests end with."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="tribo_")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def claim_code(self, done, code):
        self.assertEqual(done.returncode, code, f"{done.args}\n{done.stdout}\n{done.stderr}")

    def claim_error(self, done, code, words):
        """One line on stderr that begins with the program's name and holds these words."""
        self.claim_code(done, code)
        self.assertTrue(done.stderr.startswith("tribo: "), done.stderr)
        self.assertIn(words, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def claim_equal(self, folder, wanted, tidy=True):
        """The bake in `folder` is done, and equal to the motion of another, file by file."""
        got = motion(folder)
        self.assertEqual(sorted(got), sorted(wanted))
        for name in wanted:
            self.assertEqual(got[name], wanted[name], f"{name} differs")
        self.assertEqual(manifest(folder)["status"], "done")
        frames = [line["frame"] for line in stats(folder)]
        self.assertEqual(frames, list(range(1, len(frames) + 1)))
        if tidy:
            self.assertEqual([n for n in files(folder) if n.endswith((".tmp", ".lock"))], [])

    def baked(self, scene, *words):
        """The motion of a bake that nothing disturbs."""
        out = self.path("reference")
        self.claim_code(bake(scene, out, *words), 0)
        return motion(out)

    def claim_contacts(self, folder):
        """A line a frame, and contacts in all but the first, which is the scene as given."""
        with open(os.path.join(folder, "contacts.jsonl")) as file:
            lines = [json.loads(line) for line in file]
        self.assertEqual([line["frame"] for line in lines], list(range(1, len(lines) + 1)))
        self.assertEqual(lines[0]["contacts"], [])
        for line in lines[1:]:
            self.assertGreater(len(line["contacts"]), 0)
