#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes dropped into a bin, with Tribo and with Blender's rigid bodies (Bullet), in one run.

    tests/bench/boxes_in_bin.py PROGRAM [--counts 125 500 1000] [--frames 48] [--threads 1] [--blender blender]

PROGRAM is `tribo`. The same boxes, bin, frames and steps a frame for both. Prints for every count
milliseconds of the processor a step, how they grow with the count, and from the last frame how fast the
fastest box still is and how many boxes are not in the bin; of Tribo besides how many frames are rough.
Without Blender its columns stay empty.
"""

import argparse
import json
import math
import os
import random
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

HALF, PITCH, FPS, SUBSTEPS = 0.05, 0.19, 24, 4
HERE = os.path.dirname(os.path.abspath(__file__))


def write_obj(path, points, faces):
    with open(path, "w", encoding="utf-8") as out:
        out.writelines("v %r %r %r\n" % point for point in points)
        out.writelines("f " + " ".join(str(i + 1) for i in face) + "\n" for face in faces)


def box_mesh(h):
    points = [(x, y, z) for z in (-h, h) for y in (-h, h) for x in (-h, h)]
    return points, [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]


def bin_mesh(inside, height, wall):
    """Closed: walls with a thickness, an open pocket from above. Its floor inside is at z = 0."""
    o, w, h = inside + wall, inside, height
    points = [(-o, -o, -wall), (o, -o, -wall), (o, o, -wall), (-o, o, -wall),
              (-o, -o, h), (o, -o, h), (o, o, h), (-o, o, h),
              (-w, -w, 0.0), (w, -w, 0.0), (w, w, 0.0), (-w, w, 0.0), (-w, -w, h), (w, -w, h), (w, w, h), (-w, w, h)]
    faces = [(0, 3, 2, 1), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7), (4, 5, 13, 12), (5, 6, 14, 13),
             (6, 7, 15, 14), (7, 4, 12, 15), (8, 9, 10, 11), (8, 12, 13, 9), (9, 13, 14, 10), (10, 14, 15, 11),
             (11, 15, 12, 8)]
    return points, faces


def turned(rng):
    """A random rotation, as rows."""
    q = [rng.gauss(0, 1) for _ in range(4)]
    w, x, y, z = (c / math.sqrt(sum(c * c for c in q)) for c in q)
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def write_scene(folder, count, frames):
    """Boxes in layers above the bin, none touching another at the start. Returns half of its width."""
    rng, side = random.Random(7), max(2, round(count ** (1 / 3)))
    inside = side * PITCH / 2 + 0.02
    write_obj(os.path.join(folder, "box.obj"), *box_mesh(HALF))
    write_obj(os.path.join(folder, "bin.obj"), *bin_mesh(inside, 1.2 * side * PITCH, 0.1))
    objects = [{"name": "bin", "kind": "collider", "mesh": "bin.obj"}]
    for k in range(count):
        place = [(c + 0.5) * PITCH - side * PITCH / 2 for c in (k % side, k // side % side)]
        place.append(0.1 + k // side ** 2 * PITCH)
        rows = [number for row, at in zip(turned(rng), place) for number in (*row, at)]
        objects.append({"name": f"box{k:04d}", "kind": "rigid", "mesh": "box.obj", "rigid": {"density": 500},
                        "transform": rows + [0, 0, 0, 1]})
    scene = {"tribo": 1, "time": {"start": 1, "end": frames, "fps": FPS, "substeps": SUBSTEPS},
             "friction": {"default": {"mu": 0.5}}, "objects": objects}
    with open(os.path.join(folder, "scene.json"), "w", encoding="utf-8") as out:
        json.dump(scene, out)
    return inside


def processor_seconds(words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done


def last_two(path):
    """The middles of a box in the last two frames of a .pc2 file."""
    with open(path, "rb") as file:
        data = file.read()
    vertices, _, _, samples = struct.unpack("<iffi", data[16:32])
    floats = [struct.unpack_from(f"<{3 * vertices}f", data, 32 + 12 * vertices * s) for s in (samples - 2, samples - 1)]
    return [[sum(frame[c::3]) / vertices for c in range(3)] for frame in floats]


def judge(pairs, inside):
    """How fast the fastest is, m/s, and how many are not in the bin."""
    fastest = max(math.dist(before, after) for before, after in pairs) * FPS
    gone = sum(after[2] < 0 or max(abs(after[0]), abs(after[1])) > inside for _, after in pairs)
    return fastest, gone


def tribo(args, folder, count, inside):
    out = os.path.join(folder, "bake")
    seconds, done = processor_seconds([args.program, "bake", os.path.join(folder, "scene.json"), "--out", out,
                                       "--threads", str(args.threads), "--progress", "none"])
    if done.returncode not in (0, 3):
        sys.exit(done.stderr)
    with open(os.path.join(out, "verdict.jsonl"), encoding="utf-8") as file:
        rough = sum(bool(json.loads(line).get("rough")) for line in file)
    pairs = [last_two(os.path.join(out, f"box{k:04d}.pc2")) for k in range(count)]
    return seconds, *judge(pairs, inside), rough


def bullet(args, folder, inside):
    script = os.path.join(HERE, "blender_boxes.py")
    seconds, done = processor_seconds([args.blender, "-b", "--factory-startup", "--python-exit-code", "1", "-P", script,
                                       "--", folder])
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    with open(os.path.join(folder, "bullet.json"), encoding="utf-8") as file:
        told = json.load(file)
    return told["seconds"], *judge(told["last_two"], inside)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--counts", type=int, nargs="+", default=[125, 500, 1000])
    parser.add_argument("--frames", type=int, default=48)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--blender", default="blender")
    args = parser.parse_args()
    has_blender, steps, last = shutil.which(args.blender), (args.frames - 1) * SUBSTEPS, None
    print("| boxes | Tribo, ms a step | grows as | fastest, m/s | out | rough frames | Bullet, ms a step | fastest, m/s | out |")
    print("|---|---|---|---|---|---|---|---|---|")
    for count in args.counts:
        with tempfile.TemporaryDirectory() as folder:
            inside = write_scene(folder, count, args.frames)
            ours, fast, out, rough = tribo(args, folder, count, inside)
            power = f"n^{math.log(ours / last[1]) / math.log(count / last[0]):.2f}" if last else ""
            row = [count, f"{1e3 * ours / steps:.1f}", power, f"{fast:.1e}", out, rough]
            if has_blender:
                theirs, fast, out = bullet(args, folder, inside)
                row += [f"{1e3 * theirs / steps:.2f}", f"{fast:.1e}", out]
            print("| " + " | ".join(map(str, row + [""] * (9 - len(row)))) + " |", flush=True)
            last = count, ours


if __name__ == "__main__":
    main()
