# SPDX-License-Identifier: GPL-3.0-or-later
"""What happens when Blender loads, saves, undoes, renders or changes the frame."""

import os
import shutil
import sys

import bpy
from bpy.app.handlers import persistent

from . import doubts, jobs, live, stale
from .bridge import caches, missing, playback
from .props import changes, quality


@persistent
def load_pre(*_):
    """Nothing of the old file goes on."""
    jobs.stop_all()
    live.forget()
    stale.forget()
    doubts.forget()
    caches.forget()


@persistent
def load_post(*_):
    missing.bring_back()
    for scene in bpy.data.scenes:
        quality.keep(scene)
        playback.show_nothing_live(scene)
        folder = caches.playing(scene)
        if folder and not scene.tribo.cache_at:
            caches.remember(scene, folder)
        _show_what_is_there(scene)
        stale.soon(scene)
        doubts.soon(scene)


def _show_what_is_there(scene):
    """What plays is decided by what is on disk and in memory, not by what a file or undo says."""
    run = live.running.get(scene.name)
    if run:
        run.show(scene)
    elif caches.playing(scene):
        playback.show_cache(scene)
    else:
        playback.show_nothing_missing(scene)


_played = {}  # scene name: the cache that it plays, while the file is saved


@persistent
def save_pre(*_):
    for job in jobs.running.values():
        job.rest()
    for scene in bpy.data.scenes:
        quality.begin_scene(scene)
        playback.show_nothing_live(scene)
        _played[scene.name] = caches.playing(scene)


@persistent
def save_post(*_):
    moved = False
    for scene in bpy.data.scenes:
        before = _played.pop(scene.name, "")
        if before and caches.playing(scene) != before:  # Save As: what lies beside is another's now
            caches.remember(scene, before)
            moved = True
        if scene.name not in jobs.running:
            moved = _settle(scene) or moved
        run = live.running.get(scene.name)
        if run:
            run.show(scene)
    if moved:
        _save_again()


def _settle(scene):
    try:
        moved = caches.settle(scene)
    except OSError as failure:
        jobs.last[scene.name] = f"Tribo: the cache stays in the temporary folder: {failure}"
        return False
    if moved:
        jobs.last.pop(scene.name, None)  # it may have said that the cache could not be moved
        playback.show_cache(scene)
    return moved


def _save_again():
    """The file on disk still points at the temporary folder."""
    if save_post in bpy.app.handlers.save_post:
        bpy.app.handlers.save_post.remove(save_post)
    try:
        bpy.ops.wm.save_mainfile()
    finally:
        bpy.app.handlers.save_post.append(save_post)


@persistent
def undo_post(*_):
    for scene in bpy.data.scenes:
        _show_what_is_there(scene)
        inputs_changed(scene)


def inputs_changed(scene):
    stale.soon(scene)
    doubts.soon(scene)
    live.changed(scene)


@persistent
def depsgraph_update_post(scene, *_):
    inputs_changed(scene)


@persistent
def frame_change_pre(scene, *_):
    playback.follow_time(scene)


@persistent
def frame_change_post(scene, *_):
    layer = bpy.context.view_layer if bpy.context.scene == scene else scene.view_layers[0]
    live.follow(scene, layer)


@persistent
def render_init(scene, *_):
    jobs.rendering = True
    playback.follow_time(scene)
    if bpy.app.background:
        _refuse_to_render(scene)


MISSING = 5  # the exit code of a render without a window whose cache is not there (docs/farm.md)


def _refuse_to_render(scene):
    """A farm has nobody who would notice that a cloth stands as it was modelled."""
    lines, told = missing.of_render(scene)
    for line in told + lines:
        print("tribo: " + line, file=sys.stderr)
    sys.stderr.flush()
    if lines and scene.tribo.missing == "STOP":
        print(f"tribo: nothing is rendered (exit code {MISSING}); bake again, bring the cache back, or choose "
              "Advanced > Scene > Missing Cache: Render as Modelled", file=sys.stderr)
        jobs.stop_all()
        sys.stdout.flush()
        sys.stderr.flush()
        shutil.rmtree(bpy.app.tempdir, ignore_errors=True)
        os._exit(MISSING)  # Blender takes no answer from a handler


@persistent
def render_end(*_):
    jobs.rendering = False


LISTS = {
    "load_pre": load_pre, "load_post": load_post, "save_pre": save_pre, "save_post": save_post,
    "undo_post": undo_post, "redo_post": undo_post, "depsgraph_update_post": depsgraph_update_post,
    "frame_change_pre": frame_change_pre, "frame_change_post": frame_change_post, "render_init": render_init,
    "render_complete": render_end, "render_cancel": render_end,
}


def register():
    for name, function in LISTS.items():
        getattr(bpy.app.handlers, name).append(function)
    changes.listeners.append(inputs_changed)
    for scene in getattr(bpy.data, "scenes", ()):  # while Blender starts there are none to be had
        quality.keep(scene)


def unregister():
    for name, function in LISTS.items():
        handlers = getattr(bpy.app.handlers, name)
        if function in handlers:
            handlers.remove(function)
    changes.listeners.clear()
    jobs.stop_all()
    live.forget()
