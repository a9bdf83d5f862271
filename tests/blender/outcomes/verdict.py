# SPDX-License-Identifier: GPL-3.0-or-later
"""What has to hold of every shot, with one measure for all. From the judge's numbers and the few words that a
scene adds (scenes.py) to a list of faults, empty where it came out right."""

import math

GRAVITY = 9.81  # m/s^2
BELOW = -0.002  # metres: what stands on the floor is not below it
SPEED_SLACK = 1.3  # of the speed after a fall from the highest point of the start
GAIN = 0.3  # J/kg that nobody put in: as if thrown 3 cm up
MOST_STRETCH = 0.10  # of one edge in a hundred of a cloth


def speed_limit(start_high, driven):
    return SPEED_SLACK * (math.sqrt(2 * GRAVITY * max(start_high, 0.1)) + driven)


def crossed(judged):
    """(edges through triangles at the end, between which two)."""
    pairs = sorted(judged["crossings"], key=lambda pair: -pair["count"])
    return sum(pair["count"] for pair in pairs), pairs


def faults(shot, judged):
    out = []
    if not shot["done"]:
        out.append("does not end: " + (shot["said"] or [""])[0])
    wanted, things = shot["wanted"], judged["things"]
    for pair in crossed(judged)[1]:
        other = "itself" if pair["a"] == pair["b"] else pair["b"]
        out.append(f"{pair['a']} crosses {other} {pair['count']} times")
    for one in judged["inside"]:
        out.append(f"{one['count']} points of {one['what']} in {one['of']}, {1000 * one['deepest']:.1f} mm deep")
    moving = {name: one for name, one in things.items() if one["role"] != "collider"}
    highest = max(one["start_high"] for one in moving.values())
    driven = wanted.get("driven", 0.0)
    for name, one in moving.items():
        if not one["finite"]:
            out.append(f"{name} is no longer a number")
        if one["end_low"] < BELOW:
            out.append(f"{name} is {-1000 * one['end_low']:.0f} mm below the floor")
        if one["fastest"] > speed_limit(highest, driven):
            out.append(f"{name} is thrown at {one['fastest']:.3g} m/s")
        if one["gain"] > GAIN and one["role"] in ("cloth", "soft") and not driven:
            out.append(f"{name} gains {one['gain']:.3g} J/kg")
        if one["role"] == "cloth" and one["stretch_99"] > MOST_STRETCH:
            out.append(f"{name} is stretched by {100 * one['stretch_99']:.0f}%")
        if shot["size"] == "long" and wanted["rest"] is not None and one["motion"] > wanted["rest"]:
            out.append(f"{name} moves {1000 * one['motion']:.1f} mm a frame at the end")
    for name, (low, high) in wanted["stands"].items():
        if not low <= things[name]["end_high"] <= high:
            out.append(f"{name} is at {things[name]['end_high']:.3f} m, not at {low} to {high}")
    for name, (x, y, reach) in wanted.get("near", {}).items():
        away = math.dist(things[name]["middle"][:2], (x, y))
        if away > reach:
            out.append(f"{name} is {away:.2f} m from where it should be")
    return out
