# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts of rigid bodies have the same bits whatever processor BLAS takes this one for."""
import json
import os
import unittest

from program import Case, bake, motion

KINDS = ("Prescott", "Haswell", "SkylakeX")


def write_pile(folder, boxes=6, end=5):
    """Boxes that fall on one another and a floor, each turned a little more; the scene's path."""
    os.makedirs(folder)
    corners = [(x, y, z) for z in (-.1, .1) for y in (-.1, .1) for x in (-.1, .1)]
    with open(os.path.join(folder, "box.obj"), "w") as out:
        out.writelines("v %g %g %g\n" % corner for corner in corners)
        out.writelines("f %d %d %d %d\n" % face for face in (
            (1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3), (2, 4, 8, 6)))
    with open(os.path.join(folder, "floor.obj"), "w") as out:
        out.write("v -9 -9 0\nv 9 -9 0\nv 9 9 0\nv -9 9 0\nf 1 2 3 4\n")
    objects = [{"name": "floor", "kind": "collider", "mesh": "floor.obj"}]
    for k in range(boxes):
        c, s = 0.96, 0.28  # about x and y by turns
        turned = [1, 0, 0, 0, c, -s, 0, s, c] if k % 2 else [c, 0, s, 0, 1, 0, -s, 0, c]
        place = (0.03 * k, 0.02 * (k % 3), 0.14 + 0.27 * k)
        rows = [number for i in range(3) for number in (*turned[3 * i:3 * i + 3], place[i])]
        objects.append({"name": f"box{k}", "kind": "rigid", "mesh": "box.obj",
                        "velocity": [0, 0, -2], "transform": rows + [0, 0, 0, 1]})
    path = os.path.join(folder, "scene.json")
    with open(path, "w") as out:
        json.dump({"tribo": 1, "time": {"start": 1, "end": end, "fps": 24, "substeps": 2},
                   "objects": objects}, out)
    return path


class Processor(Case):
    def test_a_pile_is_the_same_for_three_kinds(self):
        scene = write_pile(self.path("scene"))
        for kind in KINDS:
            environment = {**os.environ, "OPENBLAS_CORETYPE": kind}
            self.claim_code(bake(scene, self.path(kind), "--contacts", env=environment), 0)
        wanted = motion(self.path(KINDS[0]))
        with open(self.path(KINDS[0], "contacts.jsonl")) as file:
            self.assertTrue(any(json.loads(line)["contacts"] for line in file))
        for kind in KINDS[1:]:
            self.claim_equal(self.path(kind), wanted)


if __name__ == "__main__":
    unittest.main()
