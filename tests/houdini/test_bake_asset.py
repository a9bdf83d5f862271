#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The asset Tribo Bake with a small stand-in for hou, and the real programs.

    test_bake_asset.py ROOT TRIBO TRIBO_HOUDINI SOP_PROGRAM SCRATCH

SOP_PROGRAM lets the SOP write a bundle of a drape; the asset is given the same geometry.
"""

import json
import os
import random
import shutil
import struct
import subprocess
import sys
from array import array
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import fake_hou

sys.modules["hou"] = fake_hou
ROOT, TRIBO, PROGRAM, SOP_PROGRAM, SCRATCH = map(Path, sys.argv[1:])
SOP = SCRATCH / "sop"
ASSET = ROOT / "plugin_houdini_hdk/otls/tribo_bake.hda/tribo_8_8Sop_1bake"
LAST = 8


def geometry(path):
    """The triangles of a file of the core as Houdini has them: y up, and wound the other way."""
    points, prims = array("f"), []
    for line in path.read_text().splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            x, y, z = map(float, words[1:4])
            points.extend((x, z, 0.0 - y))
        elif words[:1] == ["f"]:
            a, b, c = (int(w.split("/")[0]) - 1 for w in words[1:])
            prims.append(fake_hou.Prim([a, c, b]))
    return lambda: fake_hou.Geometry(points, prims)


def node(name):
    made = fake_hou.Node(ASSET)
    for parm, value in {"bundle": SCRATCH / name, "cache": SCRATCH / f"{name}.cache", "programs": SCRATCH / "bin"}.items():
        made.parm(parm).values = [str(value)]
    made.parm("endframe").values = [LAST]
    cloth, ball = geometry(SOP / "cloth.obj"), geometry(SOP / "collider.obj")
    made.inputs = {0: fake_hou.Source(lambda _: cloth()), 2: fake_hou.Source(lambda _: ball())}
    return made


def pressed(made, button):
    fake_hou.shown.clear()
    made.press(button)
    return list(fake_hou.shown)


def the_bundle_is_that_of_the_sop():
    made = node("same")
    assert not [one for one in pressed(made, "writebundle") if one[0] == "error"], fake_hou.shown
    ours, theirs = (json.loads((folder / "scene.json").read_text()) for folder in (SCRATCH / "same", SOP))
    theirs["time"]["end"] = LAST
    assert ours == theirs, "scene.json differs"
    for name in ("cloth.obj", "collider.obj", "houdini.points"):
        assert (SCRATCH / "same" / name).read_bytes() == (SOP / name).read_bytes(), name
    size = 32 + 12 * 266 * LAST  # the ball stands still: fewer samples are the beginning of more
    ours, theirs = ((folder / "collider.motion.pc2").read_bytes()[32:size] for folder in (SCRATCH / "same", SOP))
    assert ours == theirs, "collider.motion.pc2"


def a_bake_plays_its_frames():
    made = node("played")
    said = pressed(made, "bake")
    assert not [one for one in said if one[0] == "error"], said
    pc2 = (SCRATCH / "played.cache/cloth.pc2").read_bytes()
    count = struct.unpack_from("<i", pc2, 16)[0]
    for frame in range(1, LAST + 1):
        fake_hou.now = float(frame)
        made.cook()
        z_up = struct.unpack_from(f"<{3 * count}f", pc2, 32 + 12 * count * (frame - 1))
        for i in range(count):
            x, y, z = z_up[3 * i:3 * i + 3]
            assert made.geo.P[3 * i:3 * i + 3] == array("f", (x, z, 0.0 - y)), (frame, i)
    assert made.geo.P[1] < 0.999, "it fell"
    assert made.geo.attributes["point", "v"].values[1] < -0.1, "with a velocity"
    fake_hou.now = 3.5
    made.cook()
    assert made.geo.P[1] < 1.0
    fake_hou.now = 0.0
    made.cook()
    assert made.geo.P[1] == 1.0, "before the start the input is shown"


def a_changed_scene_is_baked_anew_and_a_stopped_one_goes_on():
    made = node("played")
    made.parm("world_gravity").values = [0.0, -1.0, 0.0]
    fake_hou.interrupt_after = LAST + 4  # behind the reading, within the bake
    said = pressed(made, "bake")
    assert said == [("message", "Stopped. Press Bake again to go on.")], said
    said = pressed(made, "bake")
    assert not [one for one in said if one[0] == "error"], said
    fake_hou.now = float(LAST)
    made.cook()
    assert made.geo.P[1] > 0.95, "it falls slowly now"


def what_is_wrong_is_told():
    made = node("wrong")
    made.parm("programs").values = [str(SCRATCH / "nowhere")]
    assert "set Programs" in pressed(made, "bake")[0][1]
    made = node("wrong")
    made.parm("endframe").values = [0]
    assert "before Start Frame" in pressed(made, "bake")[0][1]
    made = node("wrong")
    made.inputs[2] = fake_hou.Source(lambda at: None if at > 2 else geometry(SOP / "collider.obj")())
    assert "input 3, frame 3" in pressed(made, "writebundle")[0][1] or \
        "input 3 has an error at frame 3" in fake_hou.shown[0][1]
    made = node("wrong")
    small = fake_hou.Geometry([0.0] * 9, [fake_hou.Prim([0, 1, 2])])
    made.inputs[2] = fake_hou.Source(lambda at: small if at > 4 else geometry(SOP / "collider.obj")())
    assert "input 3, frame 5: its topology changed" in pressed(made, "writebundle")[0][1]
    made = node("wrong")
    bad = geometry(SOP / "cloth.obj")()
    bad.add("detail", "tribo_kind", "string", 1, ["water"])
    made.inputs[0] = fake_hou.Source(lambda _: bad)
    assert "tribo_kind is 'water'" in pressed(made, "writebundle")[0][1]
    made = node("played")
    (SCRATCH / "played.cache/cloth.pc2").write_bytes(b"POINTCACHE2\0" + bytes(20))
    fake_hou.now = 4.0
    try:
        made.cook()
        raise AssertionError("an emptied cache is played")
    except fake_hou.NodeError as why:
        assert "bake again" in str(why)


def attributes_go_along():
    made = node("painted")
    cloth = geometry(SOP / "cloth.obj")()
    count = len(cloth.P) // 3
    cloth.add("point", "friction", "int", 1, array("i", [2] * count))
    cloth.add("point", "pintoanimation", "float", 1, array("f", [1.0] + [0.0] * (count - 1)))
    cloth.add("vertex", "uv", "float", 2, array("f", [0.25, 0.5] * (3 * len(cloth._prims))))
    cloth.add("prim", "name", "string", 1, ["shirt"] * len(cloth._prims))
    cloth.add("detail", "tribo_object_velocity", "float", 3, [0.0, 2.0, 0.0])
    cloth.groups["corner"] = [count - 1]
    made.parm("pingroup").values = ["corner"]
    made.inputs[0] = fake_hou.Source(lambda _: cloth)
    assert not [one for one in pressed(made, "writebundle") if one[0] == "error"], fake_hou.shown
    shirt = json.loads((SCRATCH / "painted/scene.json").read_text())["objects"][0]
    assert shirt["name"] == "shirt" and shirt["velocity"] == [0, 0, 2]
    assert shirt["pin"][0]["vertices"] == [0, count - 1] and len(shirt["vertex_friction"]) == count
    assert "0.25 0.5" in (SCRATCH / "painted/shirt.obj").read_text()


def damage_is_found():
    module = node("damaged").module
    path = str(SCRATCH / "capture")
    made = node("damaged")
    module.write_capture(made, path)
    whole = Path(path).read_bytes()
    dice = random.Random(7)
    for turn in range(60):
        broken = bytearray(whole)
        for _ in range(1 + turn % 3):
            broken[dice.randrange(min(len(broken), 4000 if turn % 2 else len(broken)))] = dice.randrange(256)
        broken = broken[:dice.randrange(len(broken))] if turn % 4 == 0 else broken
        Path(path).write_bytes(broken)
        done = subprocess.run([PROGRAM, "bundle", path, str(SCRATCH / "damaged")], capture_output=True, timeout=120)
        assert done.returncode in (0, 3, 4), (turn, done.returncode, done.stderr)
        assert done.returncode == 0 or done.stderr.startswith((b"error: ", b"note: ", b"warning: ")), done.stderr


def main():
    shutil.rmtree(SCRATCH, ignore_errors=True)
    (SCRATCH / "bin").mkdir(parents=True)
    for name, path in (("tribo", TRIBO), ("tribo-houdini", PROGRAM)):
        (SCRATCH / "bin" / name).symlink_to(path)
    subprocess.run([SOP_PROGRAM, str(SOP), "10"], check=True)
    for claim in (the_bundle_is_that_of_the_sop, a_bake_plays_its_frames,
                  a_changed_scene_is_baked_anew_and_a_stopped_one_goes_on, attributes_go_along, what_is_wrong_is_told,
                  damage_is_found):
        claim()
        print(claim.__name__)


if __name__ == "__main__":
    main()
