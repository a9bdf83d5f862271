# SPDX-License-Identifier: GPL-3.0-or-later
"""How a bake speaks about itself."""


def duration(seconds):
    """For people: '8 s', '3 min 20 s', '2 h 5 min'."""
    seconds = max(0, int(seconds + 0.5))
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min {seconds % 60} s"
    return f"{seconds // 3600} h {seconds % 3600 // 60} min"


def length(metres):
    """For people: '1.2 mm', '3 um', '0'. Below a nanometre there is nothing to see but rounding."""
    if not metres > 1e-9:
        return "0"
    for unit, size in (("m", 1.0), ("cm", 1e-2), ("mm", 1e-3), ("um", 1e-6)):
        if metres >= 0.9995 * size:
            return f"{metres / size:.3g} {unit}"
    return f"{metres / 1e-9:.3g} nm"


def fraction(poll):
    """Of the frames that are done, 0 to 1."""
    if poll["frame"] is None:
        return 0.0
    steps = poll["end"] - poll["start"]
    return min(1.0, max(0.0, (poll["frame"] - poll["start"]) / steps)) if steps > 0 else 1.0


def line(poll):
    """One line: where a bake is, how long it will take, how well it does."""
    if poll["frame"] is None:
        return f"starts at frame {poll['start']} of {poll['end']}"
    parts = [f"frame {poll['frame']} of {poll['end']}"]
    if (poll.get("seconds_left") or 0) > 0 and poll["frame"] > poll["start"]:
        parts.append(duration(poll["seconds_left"]) + " left")
    parts.append(f"{poll.get('contacts', 0)} contacts")
    parts.append("deepest " + length(poll.get("max_penetration", 0.0)))
    if (poll.get("crossings") or 0) > 0:
        parts.append(f"{poll['crossings']} crossings")
    why = [ROUGH.get(reason, reason) for reason in poll.get("rough", ())]
    if "rough" not in poll and not poll.get("converged", True):
        why = [ROUGH["steps"]]
    parts += why
    return ", ".join(parts)


# Why a frame is rough, in a word or two.
ROUGH = {"energy": "gained energy", "crossings": "went through", "deep": "too deep", "tangled": "tangled",
         "steps": "did not converge"}


def verdict(found):
    """What is to be said of a bake, of Cache.verdict(); "" where all is well, or nothing is known."""
    return found["text"] if found and found["rough"] else ""


def rough(frames):
    """'3 frames rough: 17 to 19; went through', of {frame: why}, as a live simulation has them; "" for none."""
    if not frames:
        return ""
    ranges = []
    for frame in sorted(frames):
        if ranges and ranges[-1][1] == frame - 1:
            ranges[-1][1] = frame
        else:
            ranges.append([frame, frame])
    named = [text for text, _ in spans(ranges, 4)] + ["..."] * (len(ranges) > 4)
    why = sorted({ROUGH.get(reason, reason) for reasons in frames.values() for reason in reasons})
    return f"{len(frames)} frame{'s' * (len(frames) > 1)} rough: {', '.join(named)}; {', '.join(why)}"


def spans(ranges, most):
    """["17 to 60", "80"] of ranges of frames, with their first frame: as many as there is room for."""
    named = [(f"{first} to {last}" if last > first else f"{first}", first) for first, last in ranges]
    return named[:most]


def crossing(found):
    """'Cloth through Ball: 12 edges, 30 mm', of one of Cache.crossings()."""
    who = f"{found['object']} through " + ("itself" if found["other"] == found["object"] else found["other"])
    edges = "edge" if found["count"] == 1 else "edges"
    start = f" ({found['at_start']} at the start)" if found["at_start"] else ""
    return f"{who}: {found['count']} {edges}{start}, {length(found['depth'])}"
