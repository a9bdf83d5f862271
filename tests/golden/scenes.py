# SPDX-License-Identifier: GPL-3.0-or-later
"""The rows of the golden run: every scene of make_scene, coarse and short, so that all rows together
take a few minutes of one core. tests/golden/test_golden.py fails when a scene has no row.

A row: the scene, its options, how many frames, keys for `tribo bake --set`, and a name where one
scene has several rows. Options keep what is special of a scene (who touches whom, which structure
is painted) and give away resolution and height of fall: contact begins within the first frames."""

METHODS = ("forwarding", "elastic", "projective")
THREADS = (1, 2)


def row(scene, options="", frames=6, settings="", name=None, methods=METHODS):
    return {"name": name or scene, "scene": scene, "options": options.split(), "frames": frames,
            "settings": settings.split(), "methods": methods}


ONE = ("forwarding",)
PLAYED = ("projective", "barrier")

ROWS = (
    row("hanging_cloth", "resolution=12", 8),
    row("cantilever", "resolution=2", 8),
    row("swinging_cube", "resolution=4", 8),
    row("flag", "resolution=12", 8),
    row("wind", "resolution=10", 4),
    row("demo", "resolution=14", 9),
    row("block_slide", "cells=4", 12),
    row("cloth_slide", "cells=14", 12),
    row("block_drag", "cells=6", 8),
    row("cloth_cylinder", "cells=8", 16),
    row("ball_spin", "cells=5 layers=2 height=0.002", 14),
    row("sphere_on_plane", "cells=6", 8),
    row("sphere_on_plane", "soft=1 cells=4 layers=2", 8, name="sphere_on_plane_soft"),
    row("stool_chatter", "cells=16 dt=0.002", 8),
    row("belt_drive", "around=32 belt_cells=70", 10),
    row("glass_pinch", "size=0.008 step=0.01 dt=0.001", 10),
    row("ball_on_trampoline", "cells=4 layers=1 rings=10 height=0.005", 24),
    row("garment", "cloth_size=0.04 body_size=0.06", 5),
    row("garment", "soft=1 cloth_size=0.04 body_size=0.06", 4, name="garment_soft"),
    row("painted_plane", "boxes=3 pixels=64", 6),
    row("painted_exit", "pixels=64", 6),
    row("painted_oblique", "", 6),
    row("stack", "blocks=4 shift=0.03 turn=10", 6),
    row("stack", "blocks=3 box=0", 6, name="stack_meshes"),
    row("tower", "", 6),
    row("arch", "stones=7 pillar=0.5", 5),
    row("rolling", "", 6),
    row("cylinders", "", 5),
    row("log_slide", "logs=4 pixels=32", 6),
    row("hopper", "pills=8", 6),
    row("skid", "start=-0.6", 8),
    row("stroke", "cells=8", 16),
    row("stroke", "cells=6 fingers=2", 20, name="stroke_two"),
    row("ribbon", "cells=200 across=3 dt=0.004", 24, "solver.on_failure=continue"),
    row("squares", "cells=16", 20),
    row("squares", "cells=16 layers=2", 24, name="squares_two"),
    row("dress", "size=0.04 body_size=0.06", 6),
    row("gown", "size=0.05 body_size=0.06", 6),
    # the ordinary scenes
    row("table", "cells=10 triangles=300 seconds=0.3", 6, methods=PLAYED),
    row("head", "cells=10 triangles=300 seconds=0.3", 6, methods=PLAYED),
    row("edge_first", "cells=10 triangles=300 seconds=0.3", 6, methods=PLAYED),
    row("coarse_cube", "cells=10 triangles=300 seconds=0.3", 6, methods=PLAYED),
    row("curtain", "cells=10 triangles=300 seconds=0.3", 6, methods=PLAYED),
    row("skirt", "cells=10 triangles=300 seconds=0.3", 6, methods=PLAYED),
    row("sleeve", "cells=10 triangles=300 seconds=0.3", 6, methods=PLAYED),
    row("two_sheets", "cells=12 triangles=300 seconds=0.3", 6, methods=PLAYED),
    row("squashed_ball", "cells=10 triangles=300 seconds=0.3", 6, methods=PLAYED),
    row("jellies", "cells=10 triangles=300 seconds=0.3", 6, methods=PLAYED),
    row("flag_on_pole", "cells=10 triangles=300 seconds=0.3", 6, methods=PLAYED),
    row("bars", "cells=10 triangles=300 seconds=0.3", 6, methods=PLAYED),
    # other ways through the method forwarding
    row("block_drag", "cells=4", 6, "solver.effective_mass=lumped", "drag_lumped", ONE),
    row("cloth_slide", "cells=8", 6, "solver.transport=parallel", "slide_parallel", ONE),
    row("cloth_slide", "cells=8", 6, "solver.effective_mass=lumped solver.transport=plain",
        "slide_lumped_plain", ONE),
    row("block_drag", "cells=4", 4, "solver.linear=cg", "drag_cg", ONE),
    row("block_drag", "cells=4", 4, "solver.backend=ipopt", "drag_ipopt", ONE),
    row("sphere_on_plane", "cells=6", 4, "solver.backend=ipopt", "sphere_ipopt", ONE),
    row("cloth_slide", "cells=8", 6, "friction.default.mu_dynamic=0.1", "slide_stribeck", ONE),
    row("stack", "blocks=3", 6, "friction.default.mu_drill=0.02", "stack_drill", ONE),
)
