# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be done with a cache on disk."""

import bpy

from .. import jobs, live, stale
from ..bridge import caches, findings, playback
from ..bridge.errors import Refusal
from ..library import tribo
from ..logic import folders, wording


class CacheOperator:
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context):
        return context.scene.name not in jobs.running


class TRIBO_OT_free(CacheOperator, bpy.types.Operator):
    """Delete the cache: the files that Tribo wrote, and no others"""

    bl_idname = "tribo.free"
    bl_label = "Free"

    def execute(self, context):
        scene = context.scene
        folder = caches.playing(scene)
        mine = not folder or caches.is_at_home(scene) or caches.is_temporary(folder)
        if folder and mine:
            try:
                caches.check_idle(folder)
            except Refusal as refusal:
                self.report({"ERROR"}, str(refusal))
                return {"CANCELLED"}
        playback.show_nothing(scene)
        live.forget(scene.name)
        if folder and mine:
            try:
                count = folders.remove(folder)
            except OSError as failure:
                self.report({"ERROR"}, f"The cache cannot be removed: {failure}")
                return {"CANCELLED"}
            self.report({"INFO"}, f"Removed {count} files from {folder}")
        elif folder:
            self.report({"INFO"}, f"'{folder}' belongs to another file and stays; it plays no more")
        caches.remember(scene, "")
        jobs.last.pop(scene.name, None)
        stale.forget(scene.name)
        return {"FINISHED"}


class TRIBO_OT_cache_here(CacheOperator, bpy.types.Operator):
    """Bring the cache that plays to where this file keeps its own"""

    bl_idname = "tribo.cache_here"
    bl_label = "Bring Cache Here"

    mode: bpy.props.EnumProperty(items=[
        ("COPY", "Copy", "The other file keeps its cache"),
        ("MOVE", "Move", "The other file loses its cache"),
    ])

    def execute(self, context):
        scene = context.scene
        folder = caches.playing(scene)
        if not folder:
            self.report({"ERROR"}, "There is no cache to bring")
            return {"CANCELLED"}
        target = caches.home(scene)
        try:
            caches.check_idle(folder)
            folders.transfer(folder, target, move=self.mode == "MOVE")
        except (Refusal, OSError) as failure:
            self.report({"ERROR"}, wording.artist(str(failure)))
            return {"CANCELLED"}
        caches.remember(scene, target)
        playback.show_cache(scene)
        return {"FINISHED"}


class TRIBO_OT_check(CacheOperator, bpy.types.Operator):
    """Tell whether the cache fits the scene as it is, and what changed since"""

    bl_idname = "tribo.check"
    bl_label = "Check Cache"

    def execute(self, context):
        lines = stale.look(context.scene)
        for line in lines:
            self.report({"WARNING"}, line)
        if not lines:
            self.report({"INFO"}, "The cache fits the scene" if caches.playing(context.scene)
                        else "There is no cache")
        return {"FINISHED"}


class TRIBO_OT_export_farm(CacheOperator, bpy.types.Operator):
    """Write the scene as a bundle that `tribo bake` takes, with the same result to the bit"""

    bl_idname = "tribo.export_farm"
    bl_label = "Export for Farm"

    directory: bpy.props.StringProperty(subtype="DIR_PATH", description="Folder for the bundle")

    def invoke(self, context, _event):
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context):
        if not self.directory:
            self.report({"ERROR"}, "Choose a folder for the bundle: directory is empty")
            return {"CANCELLED"}
        folder = bpy.path.abspath(self.directory)
        try:
            jobs.read_scene(context.scene, context.view_layer).write(folder)
        except (Refusal, tribo.Error, OSError) as failure:
            self.report({"ERROR"}, wording.artist(str(failure)))
            return {"CANCELLED"}
        for warning in findings.warnings(context.scene, context.view_layer):
            self.report({"WARNING"}, warning)
        self.report({"INFO"}, f"Wrote {folder}; bake it with: tribo bake {folder}/scene.json --out DIR")
        return {"FINISHED"}


CLASSES = (TRIBO_OT_free, TRIBO_OT_cache_here, TRIBO_OT_check, TRIBO_OT_export_farm)

register, unregister = bpy.utils.register_classes_factory(CLASSES)
