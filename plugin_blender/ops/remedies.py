# SPDX-License-Identifier: GPL-3.0-or-later
"""What puts a finding right, at the press of a button, and can be undone."""

import bmesh
import bpy

from .. import doubts
from ..bridge import findings, stack
from ..logic import findings as words

NEAR = 1e-4  # of the mean edge: what the core takes for one place (geom/faults.c)


class Remedy:
    """On an object by its name; without one, on the active object."""

    bl_options = {"REGISTER", "UNDO"}

    object: bpy.props.StringProperty(name="Object", options={"SKIP_SAVE"})

    def execute(self, context):
        ob = context.scene.objects.get(self.object) if self.object else context.object
        why_not = self.refusal(ob)
        if why_not:
            self.report({"ERROR"}, why_not)
            return {"CANCELLED"}
        self.report({"INFO"}, self.mend(ob))
        doubts.soon(context.scene)
        return {"FINISHED"}

    def refusal(self, ob):
        if ob is None:
            return f"There is no object {self.object}"
        if ob.library is not None:
            return f"{ob.name} is linked: change it in {ob.library.filepath}"
        return ""


class MeshRemedy(Remedy):
    """On the mesh that is edited, with its shape keys, groups and UVs."""

    def refusal(self, ob):
        found = super().refusal(ob)
        if not found and ob.type != "MESH":
            found = f"{ob.name} is no mesh: convert it first (Object > Convert > Mesh)"
        if not found and ob.data.library is not None:
            found = f"The mesh of {ob.name} is linked: change it in {ob.data.library.filepath}"
        if not found and ob.mode == "EDIT":
            found = f"{ob.name} is being edited: leave Edit Mode first (Tab)"
        return found

    def mend(self, ob):
        mesh = bmesh.new()
        try:
            mesh.from_mesh(ob.data)
            said = self.change(ob, mesh)
            mesh.to_mesh(ob.data)
        finally:
            mesh.free()
        ob.data.update()
        return said


class TRIBO_OT_weld(MeshRemedy, bpy.types.Operator):
    """Join the vertices of a mesh that lie in one place, so that its pieces hold together"""

    bl_idname = "tribo.weld"
    bl_label = "Weld"

    distance: bpy.props.FloatProperty(
        name="Distance", description="Vertices closer than this become one; 0: a ten-thousandth of the mean edge",
        default=0.0, min=0.0, subtype="DISTANCE", unit="LENGTH", options={"SKIP_SAVE"})

    def change(self, ob, mesh):
        mean = sum(edge.calc_length() for edge in mesh.edges) / max(1, len(mesh.edges))
        before = len(mesh.verts)
        bmesh.ops.remove_doubles(mesh, verts=mesh.verts, dist=self.distance or NEAR * mean)
        return f"{ob.name}: {before - len(mesh.verts)} vertices joined with others"


class TRIBO_OT_recalculate_normals(MeshRemedy, bpy.types.Operator):
    """Turn the faces of a mesh so that their fronts agree and point outside"""

    bl_idname = "tribo.recalculate_normals"
    bl_label = "Recalculate Normals"

    def change(self, ob, mesh):
        mesh.normal_update()
        before = [face.normal.copy() for face in mesh.faces]
        bmesh.ops.recalc_face_normals(mesh, faces=mesh.faces)
        mesh.normal_update()
        turned = sum(face.normal.dot(old) < 0 for face, old in zip(mesh.faces, before))
        return f"{ob.name}: {turned} faces turned"


class TRIBO_OT_move_above(Remedy, bpy.types.Operator):
    """Move a modifier above Tribo, where it shapes what is simulated"""

    bl_idname = "tribo.move_above"
    bl_label = "Move Above Tribo"

    modifier: bpy.props.StringProperty(name="Modifier", options={"SKIP_SAVE"})

    def refusal(self, ob):
        found = super().refusal(ob)
        if not found and (self.modifier not in ob.modifiers or not stack.find(ob)):
            found = f"{ob.name} has no modifier {self.modifier} and Tribo"
        return found

    def mend(self, ob):
        stack.move_above(ob, self.modifier)
        return f"{self.modifier} stands above Tribo now: bake again"


class TRIBO_OT_switch_on_modifier(Remedy, bpy.types.Operator):
    """Switch the Tribo modifier on, in the viewport and in renders"""

    bl_idname = "tribo.switch_on_modifier"
    bl_label = "Switch On"

    def refusal(self, ob):
        return super().refusal(ob) or ("" if stack.find(ob) else f"{ob.name} has no modifier Tribo")

    def mend(self, ob):
        modifier = stack.find(ob)
        modifier.show_viewport = modifier.show_render = True
        return f"{modifier.name} is on"


class TRIBO_OT_make_collider(Remedy, bpy.types.Operator):
    """Make an object a Tribo collider"""

    bl_idname = "tribo.make_collider"
    bl_label = "Make Collider"

    def mend(self, ob):
        ob.tribo.kind, ob.tribo.preset = "COLLIDER", "wood"
        return f"{ob.name} is a collider now"


class TRIBO_OT_dismiss(bpy.types.Operator):
    """Say no more about this, in this scene"""

    bl_idname = "tribo.dismiss"
    bl_label = "Dismiss"
    bl_options = {"REGISTER", "UNDO"}

    message: bpy.props.StringProperty(options={"SKIP_SAVE"})

    def execute(self, context):
        marks = set(findings.dismissed(context.scene)) | {words.mark(self.message)}
        context.scene.tribo.dismissed = " ".join(sorted(marks))
        if context.scene.name in doubts.found:
            doubts.look(context.scene)
        return {"FINISHED"}


CLASSES = (TRIBO_OT_weld, TRIBO_OT_recalculate_normals, TRIBO_OT_move_above, TRIBO_OT_switch_on_modifier,
           TRIBO_OT_make_collider, TRIBO_OT_dismiss)

register, unregister = bpy.utils.register_classes_factory(CLASSES)
