# SPDX-License-Identifier: GPL-3.0-or-later
"""What a cache was made from, in a few bytes, and what changed since.

A fingerprint is {"scene": {aspect: digest}, "objects": {name: {aspect: digest}}}. Aspects are words
for people ("material", "animation"), because the differences are read by people.
"""

import hashlib
import json


def digest(*parts):
    """Of bytes-like things, numbers, text, and lists and dicts of them."""
    state = hashlib.blake2b(digest_size=8)
    for part in parts:
        if isinstance(part, (bytes, bytearray, memoryview)):
            state.update(part)
        elif hasattr(part, "tobytes"):
            state.update(part.tobytes())
        else:
            state.update(json.dumps(part, sort_keys=True, default=repr).encode("utf-8"))
        state.update(b"\0")
    return state.hexdigest()


def changes(before, after):
    """What differs, a line each: 'ramp: its animation changed'. Empty: nothing."""
    lines = [
        f"The scene's {aspect} changed"
        for aspect in _differing(before.get("scene", {}), after.get("scene", {}))
    ]
    old, new = before.get("objects", {}), after.get("objects", {})
    gone = [name for name in old if name not in new]
    come = [name for name in new if name not in old]
    for name in list(gone):
        twin = next((other for other in come if new[other] == old[name]), None)
        if twin:
            lines.append(f"{name} is called {twin} now")
            gone.remove(name)
            come.remove(twin)
    lines += [f"{name} was removed" for name in gone]
    lines += [f"{name} was added" for name in come]
    for name in new:
        if name in old:
            aspects = _differing(old[name], new[name])
            if aspects:
                lines.append(f"{name}: its {' and '.join(aspects)} changed")
    return lines


def _differing(old, new):
    return [aspect for aspect in {**old, **new} if old.get(aspect) != new.get(aspect)]
