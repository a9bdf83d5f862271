# SPDX-License-Identifier: GPL-3.0-or-later
"""Between Blender's data and the core's: what is read, when, and how it gets back.

    subjects   which objects take part
    stack      the place of Tribo in a modifier stack
    shapes     a mesh as arrays
    tracks     the motion of one object over the samples
    sampler    walks through the frames and fills the tracks
    build      makes the core's scene from them
    movers     what moves or shapes an object
    animation  F-curves, in every version of Blender
    refusals   what cannot be baked, and says so
    inputs     the fingerprint of everything that a bake reads
    frames     time and gravity
    caches     where a scene's cache is
    playback   points the modifiers at it
"""
