# SPDX-License-Identifier: GPL-3.0-or-later
"""What the add-on decides without Blender: nothing here imports bpy, so all of it is tested with
plain Python (tests/blender/test_logic.py)."""
