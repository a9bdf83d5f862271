# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bake is thought to need, against what it takes: within 30%, on scenes that were not fitted to."""

import os
import unittest

import farm
from farm import report, tribo

SCENES = (
    ("block_slide", {"cells": 9}, "forwarding"), ("flag", {"resolution": 70}, "projective"),
    ("hanging_cloth", {"resolution": 90}, "projective"), ("demo", {"resolution": 30}, "forwarding"),
    ("garment", {"cloth_size": 0.02, "body_size": 0.05}, "projective"),
    ("hanging_cloth", {"resolution": 90}, "forwarding"), ("flag", {"resolution": 70}, "forwarding"),
    ("cloth_slide", {"cells": 70}, "projective"), ("cloth_cylinder", {"cells": 45}, "forwarding"),
    ("dress", {"size": 0.04, "body_size": 0.06}, "projective"),
)
ALL = os.environ.get("TRIBO_ALL_SCENES") == "1"


class Memory(farm.Case):
    def test_the_estimate_is_within_a_third_of_the_peak(self):
        for name, options, method in SCENES if ALL else SCENES[:2]:
            folder = self.path(name, method)
            scene = farm.make_scene(os.path.join(folder, "scene"), name, end=4, **options)
            wedge = os.path.join(folder, "wedge")
            tribo("wedge", scene, "--out", wedge, "--vary", f"method={method}", "--vary", "solver.on_failure=continue")
            tribo("wedge", "bake", wedge, "--task", 0, "--progress", "none")
            item = report(wedge)[0]
            ratio = item["memory"] / item["peak_memory"]
            line = (f"{name} {method}: {item['memory'] / 1e6:.0f} of {item['peak_memory'] / 1e6:.0f} MB, {ratio:.2f}")
            print(line, flush=True)
            with self.subTest(line):
                self.assertGreater(ratio, 0.7)
                self.assertLess(ratio, 1.3)


if __name__ == "__main__":
    unittest.main()
