# A Tribo wedge as work items of TOPs. Written by `tribo farm tops`; it is the Generate callback of a Python
# Processor. Every item bakes one scene, carries its values as attributes, and its caches as expected results.
import json
import os
import shlex

TRIBO, FOLDER, BLENDER = @TRIBO_JSON@, @FOLDER_JSON@, @BLENDER_JSON@
TASKS, THREADS, PICTURES = "@TASKS@", @THREADS@, "@PICTURES_SH@".split()


def numbers(tasks):
    for part in tasks.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


with open(os.path.join(FOLDER, "wedge.json"), encoding="utf-8") as file:
    ITEMS = json.load(file)["items"]
for number in numbers(TASKS):
    scene = ITEMS[number]
    item = item_holder.addWorkItem(index=number)
    words = [TRIBO, "wedge", "bake", FOLDER, "--task", str(number), "--threads", str(THREADS),
             "--blender", BLENDER, *PICTURES, "--progress", "lines"]
    item.setCommand(" ".join(shlex.quote(word) for word in words))
    for key, value in scene["values"].items():
        name = "".join(c if c.isalnum() else "_" for c in key)
        if isinstance(value, float) or isinstance(value, int) and not isinstance(value, bool):
            item.setFloatAttrib(name, float(value))
        else:
            item.setStringAttrib(name, value if isinstance(value, str) else json.dumps(value))
    item.addExpectedResultFile(os.path.join(FOLDER, "bakes", scene["hash"], "bake.json"), "file/json")
