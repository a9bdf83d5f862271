#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs scenarios of the add-on in real Blender, each in a process, a home and a folder of its own.

    run.py --source ROOT --module _tribo.abi3.so --tribo TRIBO --work DIR [--blender BLENDER]
           [--zip FILE [--extension]] [NAME...]

A scenario is a file in scenarios/ with a function run(). Headless, unless it says WINDOW = True: then
Blender has a window under Xvfb, and run() is a generator that yields the seconds to wait before it
goes on. It may say SECONDS = 120 to have more than 60 (a window 180), and SINCE = (4, 2) when older
Blenders cannot do it. A scenario fails when it raises, when anything prints a traceback, when Blender
complains about memory, crashes or takes too long.

Exit code 77: there is no Blender, or an older one, or no Xvfb for a window.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
SKIPPED = 77
FAULTS = ("Traceback (most recent call last)", "BKE_modifier_set_error", "Not freed memory", "Error: Python script failed",
          "EXCEPTION_ACCESS", "Segmentation fault", "ResourceWarning", "Missing icons")
WINDOWED = r"^WINDOW = True"
LEFT_OUT = shutil.ignore_patterns("native", "*.pyi", "__pycache__", "README.md")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", type=Path, default=HERE.parents[1])
    parser.add_argument("--module", type=Path, help="needed without --zip")
    parser.add_argument("--tribo", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--blender", default="blender")
    parser.add_argument("--zip", type=Path, help="install this zip (scripts/package-addon) in place of "
                        "the sources")
    parser.add_argument("--extension", action="store_true", help="the zip as an extension of Blender 4.2 or "
                        "later, not among the legacy add-ons")
    parser.add_argument("--verbose", action="store_true", help="show the output of what passes too")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    if not (args.zip or args.module) or args.extension and not args.zip:
        parser.error("--module or --zip is needed, and --zip for --extension")
    return args


def install(args, user):
    """The add-on as the zip would install it, or from it. From the sources the module and the shaders
    are linked."""
    source, module = args.source, args.module
    if args.zip:
        place = "extensions/user_default" if args.extension else "scripts/addons"
        shutil.unpack_archive(args.zip, user / place)
        return
    target = user / "scripts" / "addons" / "tribo"
    shutil.copytree(source / "plugin_blender", target, ignore=LEFT_OUT)
    (target / module.name).symlink_to(module.resolve())
    if (module.resolve().parent / "lib").is_dir():  # what it brings along
        (target / "lib").symlink_to(module.resolve().parent / "lib")
    if (source / "shaders").is_dir():
        (target / "shaders").symlink_to((source / "shaders").resolve())


def environment(args, work):
    """Blender's user folders are below the scenario's."""
    user = work / "user"
    env = dict(os.environ)
    env.update(
        HOME=str(user), BLENDER_USER_RESOURCES=str(user), BLENDER_USER_CONFIG=str(user / "config"),
        BLENDER_USER_SCRIPTS=str(user / "scripts"), BLENDER_USER_EXTENSIONS=str(user / "extensions"),
        TMPDIR=str(work / "tmp"), TEMP=str(work / "tmp"),
        PYTHONDONTWRITEBYTECODE="1", PYTHONPATH=str(HERE), XDG_RUNTIME_DIR=str(work / "tmp"),
        TRIBO_PACKAGE="bl_ext.user_default.tribo" if args.extension else "tribo",
        TRIBO_BLENDER=args.blender, TRIBO_CLI=str(args.tribo.resolve()), TRIBO_WORK=str(work),
        TRIBO_SOURCE=str(args.source.resolve()), LIBGL_ALWAYS_SOFTWARE="1")
    return env


def too_old(args, text):
    """Why this Blender cannot run a scenario, if it cannot."""
    since = re.search(r"^SINCE = \((\d+), (\d+)\)", text, re.M)
    if not since:
        return None
    said = subprocess.run([args.blender, "--version"], capture_output=True, text=True).stdout
    version = re.search(r"Blender (\d+)\.(\d+)", said)
    if version and tuple(map(int, version.groups())) >= tuple(map(int, since.groups())):
        return None
    return "it needs Blender {}.{} or later".format(*since.groups())


def command(args, scenario, text):
    start = ["--factory-startup", "--python-exit-code", "1", "-P", str(HERE / "start.py"), "--",
             str(scenario)]
    if not re.search(WINDOWED, text, re.M):
        return [args.blender, "-b", *start]
    if not shutil.which("xvfb-run"):
        return None
    screen = "-screen 0 1400x900x24"
    # With simulated events Blender takes none of the mouse; only what uses hand.py wants that.
    simulate = ["--enable-event-simulate"] if re.search(r"^import hand", text, re.M) else []
    return ["xvfb-run", "-a", "-s", screen, args.blender, "-p", "0", "0", "1400", "900", *simulate, *start]


def seconds_allowed(text):
    """Software draws a window slowly, more so on a busy machine."""
    found = re.search(r"^SECONDS = (\d+)", text, re.M)
    return int(found.group(1)) if found else 180 if re.search(WINDOWED, text, re.M) else 60


def run_one(args, scenario):
    """(passed or None for skipped, seconds, output)."""
    text = scenario.read_text(encoding="utf-8")
    reason = too_old(args, text)
    if reason:
        return None, 0.0, reason
    work = (args.work / scenario.stem).resolve()
    shutil.rmtree(work, ignore_errors=True)
    (work / "tmp").mkdir(parents=True)
    (work / "user" / "config").mkdir(parents=True)
    install(args, work / "user")
    line = command(args, scenario, text)
    if line is None:
        return None, 0.0, "there is no xvfb-run for a window"
    begin = time.monotonic()
    process = subprocess.Popen(line, cwd=work, env=environment(args, work), stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, errors="replace",
                               start_new_session=True)
    try:
        output, _ = process.communicate(timeout=seconds_allowed(text))
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        output += "\nrun.py: took too long, killed"
    except BaseException:  # stopped ourselves: leave no Blender behind
        os.killpg(process.pid, signal.SIGKILL)
        raise
    faults = [fault for fault in FAULTS if fault in output]
    ended = (work / "passed").exists()
    if not ended:
        faults.append("run() did not come to its end")
    # A window that once saw Esc makes Blender leave with 1 (wm_init_exit.c: exit(G.is_break)).
    if process.returncode not in ((0, 1) if ended and line[0] == "xvfb-run" else (0,)):
        faults.append(f"Blender's exit code is {process.returncode}")
    output += "".join(f"\nrun.py: {fault}" for fault in faults)
    if args.zip and not faults:  # unpacked, it is 25 MB for each scenario
        shutil.rmtree(work / "user")
    return not faults, time.monotonic() - begin, output


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("run.py: stopped"))
    args = arguments()
    found = sorted((HERE / "scenarios").glob("*.py"))
    if args.names:
        found = [path for path in found if path.stem in args.names]
        unknown = set(args.names) - {path.stem for path in found}
        if unknown:
            sys.exit(f"run.py: no such scenario: {', '.join(sorted(unknown))}")
    if not shutil.which(args.blender):
        print("run.py: skipped: there is no Blender")
        return SKIPPED
    failed, skipped = [], []
    for path in found:
        passed, seconds, output = run_one(args, path)
        word = {True: "passed", False: "FAILED", None: "skipped"}[passed]
        print(f"{word}  {path.stem}  {seconds:.1f} s", flush=True)
        if passed is None:
            skipped.append(path.stem)
        if not passed or args.verbose:
            print(output)
        if passed is False:
            failed.append(path.stem)
    print(f"{len(found)} scenarios, {len(failed)} failed, {len(skipped)} skipped"
          + (": " + ", ".join(failed) if failed else ""))
    if failed:
        return 1
    return SKIPPED if skipped and len(skipped) == len(found) else 0


if __name__ == "__main__":
    sys.exit(main())
