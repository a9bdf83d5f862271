# SPDX-License-Identifier: GPL-3.0-or-later
"""The core's messages in the words of the panels.

The core names its remedies as the program `tribo` takes them; an artist has buttons in their place.
tests/blender/test_logic.py reads every message of the core and fails when one has an option that is not
here.
"""

# The longer phrases first: each replaces what it finds before the shorter ones look.
PHRASES = (
    ("give --resume or --overwrite, not both", "Resume and Bake cannot be had together"),
    ("give --from-frame without --resume and --overwrite", "Bake from This Frame goes alone"),
    ("give --resume to go on with it or --overwrite to replace it",
     "press Resume to go on with it, or Bake to replace it"),
    ("begun without --contacts; go on without, or bake anew with --overwrite",
     "begun without Keep Contacts: switch it off (Advanced > Scene) to go on, or press Bake to make it "
     "anew"),
    ("begun without --keep-states; go on without, or bake anew with --overwrite",
     "begun without Allow Bake From Any Frame: switch it off (Advanced > Scene) to go on, or press Bake "
     "to make it anew"),
    ("; bake with --keep-states", ": switch on Allow Bake From Any Frame (Advanced > Scene) and press Bake"),
    ("; bake with --contacts", ": switch on Keep Contacts (Advanced > Scene) and press Bake"),
    ("or go on from one of its frames with --from-frame",
     "or go to one of its frames and press Bake from This Frame"),
    ("go on with it in the program that began it, or bake anew with --overwrite",
     "go on with it in the program that began it, or press Bake to make it anew"),
    ("bake anew with --overwrite", "press Bake to make it anew"),
    ("--resume goes on", "Resume goes on"),
    (": run scripts/setup --with-mkl", ", which this machine lacks: choose another solver (Advanced > Scene)"),
    ("; run scripts/setup --with-mkl, or choose MUMPS", "; choose MUMPS"),
)


def artist(text):
    """A message of the core, or any other, for someone in front of Blender."""
    for theirs, ours in PHRASES:
        text = text.replace(theirs, ours)
    return text
