# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws what bench_convergence prints as two figures, in SVG:

    build/release/tests/bench/bench_convergence >out/convergence.txt
    python3 scripts/plot_convergence.py out/convergence.txt docs/images

projective_error.svg: the error of contacts against the iterations of a step, at several times.
projective_forwarding.svg: the distance from the result of the method forwarding against them.
Needs nothing but Python.
"""

import math
import os
import sys

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 20, 50
COLOURS = ["#c0392b", "#e08e0b", "#1f6f8b", "#5b2c83"]


def read_lines(path):
    """Curves by name: of errors, one a time; of distances, their mean and the largest."""
    errors, distances = {}, {"in the mean": [], "at most": []}
    with open(path, encoding="utf-8") as file:
        for line in file:
            word, *numbers = line.split()
            if word == "error":
                seconds, iterations, value = numbers
                curve = errors.setdefault(f"at {float(seconds):g} s", [])
                curve.append((int(iterations), float(value)))
            elif word == "apart":
                iterations, mean, most = numbers
                distances["in the mean"].append((int(iterations), float(mean)))
                distances["at most"].append((int(iterations), float(most)))
            else:
                raise SystemExit(f"plot_convergence: '{word}' is not what bench_convergence prints")
    return errors, distances


class Axes:
    """Two logarithmic axes: from numbers to places in the picture."""

    def __init__(self, points):
        across, up = [x for x, _ in points], [y for _, y in points]
        self.first, self.last = math.log10(min(across)), math.log10(max(across))
        self.low, self.high = math.floor(math.log10(min(up))), math.ceil(math.log10(max(up)))

    def x(self, value):
        share = (math.log10(value) - self.first) / (self.last - self.first)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def text(x, y, words, anchor="middle", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{words}</text>'


def line(x1, y1, x2, y2, colour):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def draw_grid(axes, counts, label):
    parts = []
    for power in range(axes.low, axes.high + 1):
        y = axes.y(10.0**power)
        parts.append(line(LEFT, y, WIDTH - RIGHT, y, "#dddddd"))
        raised = f'10<tspan dy="-5" font-size="9">{power}</tspan>'
        parts.append(text(LEFT - 8, y + 4, raised, "end"))
    for count in counts:
        x = axes.x(count)
        parts.append(line(x, TOP, x, HEIGHT - BOTTOM, "#eeeeee"))
        parts.append(text(x, HEIGHT - BOTTOM + 18, count))
    parts.append(text(0.5 * (LEFT + WIDTH - RIGHT), HEIGHT - 10, "iterations a step"))
    middle = 0.5 * (TOP + HEIGHT - BOTTOM)
    parts.append(text(16, middle, label, more=f'transform="rotate(-90 16 {middle:.1f})"'))
    return parts


def draw_curve(axes, points, colour):
    places = [(axes.x(x), axes.y(y)) for x, y in points]
    way = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    parts = [f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="2"/>']
    parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]
    return parts


def draw_names(names):
    parts = []
    for row, (name, colour) in enumerate(zip(names, COLOURS)):
        y = TOP + 18 + 18 * row
        parts.append(line(WIDTH - 140, y, WIDTH - 115, y, colour))
        parts.append(text(WIDTH - 108, y + 4, name, "start"))
    return parts


def plot(path, curves, label):
    points = [point for curve in curves.values() for point in curve]
    axes = Axes(points)
    parts = draw_grid(axes, sorted({x for x, _ in points}), label)
    for curve, colour in zip(curves.values(), COLOURS):
        parts += draw_curve(axes, curve, colour)
    parts += draw_names(curves)
    with open(path, "w", encoding="utf-8") as file:
        file.write(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12">\n'
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>\n'
        )
        file.write("\n".join(parts) + "\n</svg>\n")


def main(words):
    if len(words) != 2:
        raise SystemExit(__doc__)
    errors, distances = read_lines(words[0])
    plot(os.path.join(words[1], "projective_error.svg"), errors, "mean Alart-Curnier error")
    plot(
        os.path.join(words[1], "projective_forwarding.svg"),
        distances,
        "distance from forwarding, m",
    )


if __name__ == "__main__":
    main(sys.argv[1:])
