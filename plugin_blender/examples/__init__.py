# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes to learn from. Each module has make(scene), which fills an empty scene, and runs as a script:

    blender -b --factory-startup --addons tribo -P examples/drape.py -- drape.blend
"""
