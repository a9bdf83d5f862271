# SPDX-License-Identifier: GPL-3.0-or-later
"""Bakes the Tribo simulation of a .blend file, for farms and scripts.

    blender -b shot.blend -P tribo_bake.py -- [--resume] [--scene NAME] [--start N] [--end N]
            [--threads N] [--strict] [--progress lines|json|none] [--export FOLDER]

--resume goes on where a bake stopped, and begins one where there is none. --export writes the bundle
for `tribo bake` and bakes nothing. Exit codes are those of `tribo bake` (docs/farm.md): 0 done, 1 out
of memory, 2 bad input, 3 did not converge, 4 disk, 6 done with rough frames (with --strict), 130 stopped
by a signal, with what is on disk to resume.
"""

import argparse
import importlib
import importlib.util
import json
import os
import signal
import sys

import bpy

BAD_INPUT, ROUGH = 2, 6


def threads(text):
    """Blender would make a number out of range one in range, without a word."""
    if not text.isascii() or not text.isdigit() or int(text) > 1024:
        raise argparse.ArgumentTypeError(f"'{text}': give a whole number from 0 to 1024")
    return int(text)


def arguments():
    own = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    parser = argparse.ArgumentParser(prog="tribo_bake.py", description=__doc__.splitlines()[0])
    parser.add_argument("--resume", action="store_true", help="go on where a bake stopped")
    parser.add_argument("--scene", help="which scene; the active one without this")
    parser.add_argument("--start", type=int, help="first frame")
    parser.add_argument("--end", type=int, help="last frame")
    parser.add_argument("--threads", type=threads, help="0: one for each core")
    parser.add_argument("--strict", action="store_true", help="exit with 6 where a frame is rough")
    parser.add_argument("--progress", choices=("lines", "json", "none"), default="lines")
    parser.add_argument("--export", metavar="FOLDER", help="write the bundle for `tribo bake` instead")
    return parser.parse_args(own)


def package():
    """The add-on this script belongs to, switched on if it is not."""
    folder = os.path.dirname(os.path.abspath(__file__))
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and os.path.realpath(file) == os.path.realpath(os.path.join(folder, "__init__.py")):
            if hasattr(bpy.types.Scene, "tribo"):
                return name
    name = os.path.basename(folder)
    spec = importlib.util.spec_from_file_location(
        name, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder])
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    module.register()
    return name


def say(args, message, **values):
    if args.progress == "json":
        print(json.dumps({"message": message, **values}), flush=True)
    elif args.progress == "lines":
        print("tribo_bake: " + message, flush=True)


def fail(args, code, message):
    print("tribo_bake: " + message, file=sys.stderr, flush=True)
    if args.progress == "json":
        print(json.dumps({"status": "failed", "exit": code, "message": message}), flush=True)
    return code


def choose_scene(args):
    scene = bpy.data.scenes.get(args.scene) if args.scene else bpy.context.scene
    if scene is None:
        known = ", ".join(s.name for s in bpy.data.scenes)
        raise ValueError(f"there is no scene '{args.scene}' in the file (it has: {known})")
    if args.start is not None or args.end is not None:
        settings = scene.tribo
        start, end = scene.frame_start, scene.frame_end
        if not settings.use_scene_range:
            start, end = settings.time.start, settings.time.end
        settings.use_scene_range = False
        settings.time.start = args.start if args.start is not None else start
        settings.time.end = args.end if args.end is not None else end
    if args.threads is not None:
        scene.tribo.threads = args.threads
    return scene


def bake(args, jobs, scene):
    folders, caches = jobs.folders, jobs.caches
    goes_on = args.resume and folders.has_bake(caches.home(scene))
    job = jobs.Job(scene, scene.view_layers[0], resume=goes_on)
    stopped = []
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: stopped.append(True))

    def report(now):
        keys = ("frame", "end", "seconds", "seconds_left", "contacts", "max_penetration")
        say(args, jobs.progress.line(now.poll), **{key: now.poll[key] for key in keys})

    jobs.run(job, report, lambda: bool(stopped))
    for note in job.notes:
        say(args, "info: " + note)
    for warning in job.warnings:
        say(args, "warning: " + warning)
    code = job.exit_code()
    if code:
        return fail(args, code, job.message or job.line())
    if job.verdict:
        say(args, "rough: " + job.verdict, verdict=job.verdict)
    code = ROUGH if args.strict and job.verdict else 0
    say(args, f"done: {job.folder}", status="done", exit=code, rough=job.verdict)
    return code


def main():
    args = arguments()
    name = package()
    library = importlib.import_module(name + ".library")
    if library.tribo is None:
        return fail(args, BAD_INPUT, library.PROBLEM)
    jobs = importlib.import_module(name + ".jobs")
    try:
        scene = choose_scene(args)
        if args.export:
            jobs.read_scene(scene, scene.view_layers[0]).write(os.path.abspath(args.export))
            say(args, f"wrote {args.export}", status="done", exit=0)
            return 0
        return bake(args, jobs, scene)
    except (ValueError, OSError, jobs.Refusal, library.tribo.Error) as failure:
        return fail(args, jobs.EXIT_CODES.get(jobs.status_of(failure), BAD_INPUT), str(failure))


if __name__ == "__main__":
    sys.exit(main())
