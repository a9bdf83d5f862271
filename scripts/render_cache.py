# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows a Tribo cache in Blender: builds its meshes, plays the motion through Mesh Cache modifiers
named "Tribo", sets light and camera, and renders.

    blender -b --factory-startup --python-exit-code 1 -P scripts/render_cache.py -- CACHE [options]

    --scene BUNDLE     the scene that was baked (its folder, or its scene.json): its colliders stand
                       still or move beside the objects of the cache, which holds none of them; a
                       structure map on one that stands still is shown as matchsticks
    --out FILE.png     render one frame into this picture
    --frame N          which frame; the last one without this
    --strip A,B,C      several frames side by side instead of one
    --size WxH         of the picture (1200x675); in a strip, of the whole
    --samples N        rays a pixel (64)
    --from X,Y,Z       the direction in which the camera looks (0.25,1,-0.12)
    --whole            have all of the colliders in the picture too
    --floor Z          the height of the studio's floor; without this just below the objects
    --contacts A,B     arrows for the friction that B does to A, in a bake with --contacts, and the
                       camera on them: green where it sticks, orange where it slips. The longest in
                       the frames shown has a tenth of A's size; what it stands for is printed
    --hide A,B         leave these objects out: what would be in front of the arrows
    --look plain|wind  wind adds the props of the scene of that name: a flag pole and a post
    --save FILE.blend  keep the scene, to open it in Blender and press play
    --check            compare what Blender shows with the cache, vertex by vertex, and colliders
                       with their motion

CACHE may also be a bundle itself: then all objects are shown as they start, and colliders move.
"""

import argparse
import os
import sys
import tempfile

import bpy
from mathutils import Vector

# Blender runs this file from anywhere, and its modules stand beside it.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

from render.arrows import add_arrows
from render.check import check, check_colliders
from render.look import dress, dress_colliders
from render.objects import crop_plane, empty_scene, load, load_colliders, load_start
from render.read import Still, read_bundle
from render.stage import add_backdrop, aim, frame_points, light, prepare_render, render
from render.stage import render_strip
from render.wind import add_wind_props


def numbers(text, separator):
    return [int(word) for word in text.split(separator)]


def read_arguments():
    words = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    parser = argparse.ArgumentParser(prog="render_cache.py")
    parser.add_argument("cache")
    parser.add_argument("--scene")
    parser.add_argument("--out")
    parser.add_argument("--frame", type=int)
    parser.add_argument("--strip", type=lambda text: numbers(text, ","))
    parser.add_argument("--size", type=lambda text: numbers(text, "x"), default=[1200, 675])
    parser.add_argument("--samples", type=int, default=64)
    parser.add_argument(
        "--from", dest="toward", type=lambda text: [float(word) for word in text.split(",")],
        default=[0.25, 1, -0.12],
    )
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--floor", type=float)
    parser.add_argument("--contacts", type=lambda text: text.split(","))
    parser.add_argument("--hide", type=lambda text: text.split(","), default=[])
    parser.add_argument("--look", choices=["plain", "wind"], default="plain")
    parser.add_argument("--save")
    parser.add_argument("--check", action="store_true")
    return parser.parse_args(words)


def dress_scene(wanted, shown, colliders, points):
    """Materials, floor, backdrop and light, fitted to the points that are to be seen."""
    low = Vector([min(p[k] for p in points) for k in range(3)])
    high = Vector([max(p[k] for p in points) for k in range(3)])
    centre, reach = 0.5 * (low + high), 0.5 * (high - low).length + 0.5
    floor = 0.0 if wanted.look == "wind" else low.z - 0.05 * reach
    if wanted.floor is not None:
        floor = wanted.floor
    if wanted.look == "wind":
        add_wind_props(shown, floor)
    dress(shown)
    for thing, _, _ in colliders:
        crop_plane(thing, low - Vector((reach,) * 3), high + Vector((reach,) * 3))
    dress_colliders(colliders)
    add_backdrop(floor, centre, reach)
    light(centre, reach)


def main():
    wanted = read_arguments()
    folder = os.path.abspath(wanted.cache)
    empty_scene()
    bundle = wanted.scene
    if os.path.exists(os.path.join(folder, "bake.json")) or not os.path.exists(
        os.path.join(folder, "scene.json")
    ):
        shown = load(folder)
    else:
        bundle = bundle or folder
        shown = load_start(*read_bundle(folder))
    moved_to = os.path.dirname(os.path.abspath(wanted.save)) if wanted.save else tempfile.mkdtemp()
    colliders = load_colliders(bundle, moved_to) if bundle else []
    if wanted.check:
        if not isinstance(shown[0][1], Still):
            check(shown)
        check_colliders(colliders)
    if not wanted.out and not wanted.save:
        return

    scene = bpy.context.scene
    frame = wanted.frame
    if frame is None:
        frame = scene.frame_start if isinstance(shown[0][1], Still) else scene.frame_end
    frames = wanted.strip or [frame]
    things = [thing for thing, _ in shown] + [thing for thing, _, _ in colliders]
    for name in [*wanted.hide, *(wanted.contacts or [])]:
        if name not in [thing.name for thing in things]:
            raise SystemExit(f"render_cache: there is no object '{name}'")
    for thing in things:
        thing.hide_render = thing.name in wanted.hide
    points = frame_points([pair for pair in shown if not pair[0].hide_render], frames)
    if wanted.whole:
        points += [
            Vector(p) for thing, _, places in colliders if not thing.hide_render for p in places
        ]
    dress_scene(wanted, shown, colliders, points)
    width, height = wanted.size
    part = width // len(frames)
    if wanted.contacts:
        rubbed, by = wanted.contacts
        thing, cache = next(pair for pair in shown if pair[0].name == rubbed)
        points = add_arrows(folder, thing, by, cache, frames)
    aim(points, Vector(wanted.toward), part / height, 0.85)
    prepare_render((part, height), wanted.samples)

    if wanted.save:
        scene.frame_set(scene.frame_start)
        bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(wanted.save), relative_remap=True)
    if wanted.out and wanted.strip:
        render_strip(os.path.abspath(wanted.out), wanted.strip, wanted.size)
    elif wanted.out:
        render(os.path.abspath(wanted.out), frame)


main()
