# SPDX-License-Identifier: GPL-3.0-or-later
"""While a bake runs, the status bar and the panel say so; Esc stops it at once; what is there can be
resumed; Ctrl Z after a bake neither loses the bake nor breaks the panel."""

import time

import bpy
import hand
import lab
import screen

WINDOW = True
SECONDS = 280


def status_bar():
    """The lowest 20 rows of the window as pixels."""
    screen.save(lab.path("bar.png"))
    image = bpy.data.images.load(lab.path("bar.png"))
    pixels = image.pixels[:4 * image.size[0] * 20]
    bpy.data.images.remove(image)
    return pixels


def measure_cancel(jobs):
    """A list that gets the seconds of every cancel."""
    took, cancel = [], jobs.Job.cancel

    def timed(job):
        began = time.monotonic()
        cancel(job)
        took.append(time.monotonic() - began)

    jobs.Job.cancel = timed
    return took


def run():
    scene = lab.empty_scene(1, 1500)
    lab.make(lab.box("Block", (1, 1, 0.4)), "COLLIDER")
    cloth = lab.make(lab.grid(cells=40, size=0.8, location=(0, 0, 0.3)), "CLOTH")
    lab.save()
    bpy.ops.ed.undo_push(message="made")
    yield from hand.tab("PHYSICS")
    quiet = status_bar()
    yield from hand.press("bpy.ops.tribo.bake()")
    jobs = lab.addon("jobs")
    assert jobs.running, jobs.last
    yield from hand.wait_for(lambda: (jobs.running["Scene"].poll or {}).get("frame", 0) > 3)
    assert "frame" in jobs.running["Scene"].line() and "left" in jobs.running["Scene"].line()
    assert status_bar() != quiet, "the status bar says nothing"
    # At once: the turn of Blender's loop that handles the key ends the bake, in less than a second. How
    # long a turn takes is the window's drawing.
    took = measure_cancel(jobs)
    yield from hand.move(hand.middle(hand.region("VIEW_3D")))
    yield from hand.key("ESC")
    assert not jobs.running and len(took) == 1 and took[0] < 1.0, took
    yield 0.2
    assert status_bar()[:400] == quiet[:400], "the status bar still speaks of the bake"
    folder = lab.cache_folder()
    assert lab.bake_json(folder)["status"] == "cancelled"
    kept = len(lab.cached(folder, "Cloth"))
    assert kept > 3
    # Undo of what came before the bake: the frames on disk stay, and so does the object.
    cloth.location.x = 0.5
    bpy.ops.ed.undo_push(message="moved")
    yield from hand.key("Z", hand.middle(hand.region("VIEW_3D")), ctrl=True)
    cloth = bpy.data.objects["Cloth"]
    assert cloth.location.x == 0.0 and cloth.tribo.kind == "CLOTH"
    assert lab.cache_folder() == folder and len(lab.cached(folder, "Cloth")) == kept
    assert bpy.ops.tribo.resume("INVOKE_DEFAULT") == {"RUNNING_MODAL"}, jobs.last
    yield from hand.wait_for(lambda: len(lab.cached(folder, "Cloth")) > kept)
    bpy.ops.tribo.stop()
    yield from hand.wait_for(lambda: not jobs.running, 10)
