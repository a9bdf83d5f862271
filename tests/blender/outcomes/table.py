# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/outcomes.md: puts what was measured between two marks in it, and draws the pictures."""

import json
import subprocess
from pathlib import Path

import verdict

HERE = Path(__file__).resolve().parent
DOCS = HERE.parents[2] / "docs"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
LARGEST = 60_000  # bytes of a picture


def read(args, name, who, size):
    folder = args.work / f"{name}.{who}.{size}" / "one"
    file = folder / "verdict.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


def speed(found):
    return f"{found['seconds'] / found['frames']:.2f}"


def numbers(found):
    """Crossings, stretch in percent, motion at the end in mm a frame; dashes without a judgement."""
    if not found or not found["judged"]:
        return ["-", "-", "-"]
    moving = [one for one in found["judged"]["things"].values() if one["role"] != "collider"]
    cloth = [one["stretch_99"] for one in moving if one["role"] == "cloth"]
    return [str(verdict.crossed(found["judged"])[0]), f"{100 * max(cloth):.1f}" if cloth else "",
            f"{1000 * max(one['motion'] for one in moving):.1f}"]


def row(name, ours, peer):
    points = 0
    if ours["judged"]:
        points = sum(one["points"] for one in ours["judged"]["things"].values() if one["role"] != "collider")
    word = "right" if not ours["faults"] else "; ".join(ours["faults"])
    cells = [name.replace("_", " "), f"{points:,}", word, *numbers(ours), speed(ours), *numbers(peer),
             speed(peer) if peer else "not ended"]
    return "| " + " | ".join(cells) + " |"


def lines(shots):
    out = ["| scene | vertices | with Tribo | crossings | stretch % | mm a frame | s a frame | Blender: crossings "
           "| stretch % | mm a frame | s a frame |", "|---|---|---|---|---|---|---|---|---|---|---|"]
    out += [row(name, ours, peer) for name, ours, peer in shots]
    right = sum(not ours["faults"] for _, ours, _ in shots)
    fair = sum(bool(peer) and not peer["faults"] for _, _, peer in shots)
    out += ["", f"Right by the same judgement: Tribo {right} of {len(shots)}, Blender {fair} of {len(shots)}."]
    out += ["", "What Tribo said of these bakes:", ""]
    for name, ours, _ in shots:
        said = [line.replace("|", "/") for line in ours["said"]] or ["nothing"]
        out.append(f"- {name.replace('_', ' ')}: " + "; ".join(said))
    out += ["", "What was wrong with Blender's, by the same limits:", ""]
    out += [f"- {name.replace('_', ' ')}: " + "; ".join(peer["faults"]) for name, _, peer in shots
            if peer and peer["faults"]]
    return out


def draw(args, shots, size):
    """Of each scene Tribo halfway and at the end, and Blender at the end."""
    images = DOCS / "images/outcomes"
    images.mkdir(exist_ok=True)
    wanted = []
    for name, ours, peer in shots:
        files = {who: str(args.work / f"{name}.{who}.{size}" / "one" / "shot.rec") for who in ("tribo", "blender")}
        if not ours["judged"] or not peer or not peer["judged"]:
            continue
        middle = ours["judged"]["frames"] // 3
        wanted.append({"out": str(images / f"{name}.jpg"),
                       "shots": [[files["tribo"], middle], [files["tribo"], -1], [files["blender"], -1]]})
    order = args.work / "pictures.json"
    order.write_text(json.dumps(wanted), encoding="utf-8")
    subprocess.run([args.blender, "-b", "--factory-startup", "--python-exit-code", "1", "-P", HERE / "picture.py",
                    "--", order], check=True, stdout=subprocess.DEVNULL)
    out = []
    for one in wanted:
        file = Path(one["out"])
        if file.stat().st_size > LARGEST:
            raise SystemExit(f"run: {file} has {file.stat().st_size} bytes")
        out += [f"{file.stem.replace('_', ' ')}", "", f"![{file.stem.replace('_', ' ')}](images/outcomes/{file.name})", ""]
    return out


def make(args, names, size):
    shots = [(name, read(args, name, "tribo", size), read(args, name, "blender", size)) for name in names]
    document = DOCS / "outcomes.md"
    text = document.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    tail = rest.split(END)[1]
    said = ["", *lines(shots), "", "From left to right: Tribo after a third of the frames, Tribo at the end, Blender "
            "at the end.", "", *draw(args, shots, size)]
    document.write_text(head + BEGIN + "\n".join(said) + END + tail, encoding="utf-8")
