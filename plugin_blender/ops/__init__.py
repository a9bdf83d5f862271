# SPDX-License-Identifier: GPL-3.0-or-later
"""What an artist or a script can do. Every operator works from Python: bpy.ops.tribo.bake()."""
