# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs inside Blender: switches the add-on on and runs one scenario (see run.py)."""

import importlib.util
import os
import sys
import traceback

import addon_utils
import bpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


def load(path):
    spec = importlib.util.spec_from_file_location("scenario", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def passed():
    with open(os.path.join(os.environ["TRIBO_WORK"], "passed"), "w", encoding="utf-8") as file:
        file.write("ok")


def leave():
    bpy.ops.wm.quit_blender()


def in_window(scenario):
    """One step of the generator a timer tick, so that Blender can draw and handle events between."""
    steps = scenario.run()

    def tick():
        try:
            wait = next(steps)
        except StopIteration:
            passed()
            leave()
            return None
        except BaseException:
            traceback.print_exc()
            leave()
            return None
        return wait or 0.01

    bpy.app.timers.register(tick, first_interval=0.5, persistent=True)


def main():
    bpy.context.preferences.view.show_splash = False
    if addon_utils.enable(os.environ["TRIBO_PACKAGE"], default_set=True) is None:
        raise RuntimeError("the add-on cannot be enabled")
    scenario = load(sys.argv[sys.argv.index("--") + 1])
    if getattr(scenario, "WINDOW", False):
        in_window(scenario)
    else:
        scenario.run()
        passed()


main()
