# SPDX-License-Identifier: GPL-3.0-or-later
"""A hand on mouse and keyboard, for scenarios in a window (run.py starts Blender with
--enable-event-simulate for them). Every function is a generator, for `yield from`: events are handled
and the window is drawn while it waits.

Python cannot ask where a button is. But Ctrl C over a button of an operator copies the operator's call,
and Ctrl Alt Shift C over a property copies its path: so the mouse goes down a region, and Blender itself
says what is below it.
"""

import bpy
import lab
import screen

TICK = 0.02  # one turn of Blender's loop: handle, then draw
STEP = 9  # pixels; a row has 20


def window():
    return bpy.context.window_manager.windows[0]


def area(kind):
    """The largest area of a kind of editor."""
    found = [a for a in window().screen.areas if a.type == kind]
    assert found, f"no editor {kind}"
    return max(found, key=lambda a: a.width * a.height)


def region(kind, name="WINDOW"):
    return next(r for r in area(kind).regions if r.type == name)


def middle(of):
    return of.x + of.width // 2, of.y + of.height // 2


def say(*words):
    """What is done, for the log of a scenario that fails."""
    print("hand:", *words, flush=True)


def event(type, value="PRESS", at=None, **keys):
    x, y = at or event.at
    event.at = int(x), int(y)
    window().event_simulate(type=type, value=value, x=event.at[0], y=event.at[1], **keys)


event.at = (0, 0)


def move(at):
    event("MOUSEMOVE", "NOTHING", at)
    yield TICK


def key(type, at=None, **keys):
    """Presses a key; with at, over that place."""
    if at:
        yield from move(at)
    event(type, "PRESS", **keys)
    event(type, "RELEASE", **keys)
    yield TICK


def click(at, **keys):
    yield from key("LEFTMOUSE", at, **keys)


def drag(places, **keys):
    """Draws through places with the left button."""
    yield from move(places[0])
    event("LEFTMOUSE", "PRESS", **keys)
    yield TICK
    for place in places[1:]:
        event("MOUSEMOVE", "NOTHING", place, **keys)
        yield TICK
    event("LEFTMOUSE", "RELEASE", **keys)
    yield TICK


def looked(places, wanted, first):
    """Goes through places and asks at each what is below the mouse: the call of an operator when one is
    wanted, which has a dot, else a property's path. Returns the places with what is wanted. A button is
    known one turn of the loop after the mouse came; so the mouse goes on in the turn that asks."""
    manager = bpy.context.window_manager
    keys = {"ctrl": True} if "." in wanted else {"ctrl": True, "alt": True, "shift": True}
    places = list(places)
    yield from move(places[0])
    answers = []
    for k, place in enumerate(places):
        manager.clipboard = ""
        event("C", "PRESS", place, **keys)
        event("C", "RELEASE", place, **keys)
        event("MOUSEMOVE", "NOTHING", places[min(k + 1, len(places) - 1)])
        yield TICK
        answers.append(wanted in manager.clipboard)
        if any(answers) and (first or not answers[-1]):
            break
    return [place for place, met in zip(places, answers) if met]


def seek(wanted, places, first=False):
    """The middle of the button whose call or path holds `wanted`, of those below some places; the mouse
    is left there. first: its first place, for menus, where an item stays alight after the mouse left."""
    met = yield from looked(places, wanted, first)
    if not met:
        return None
    place = tuple((a + b) // 2 for a, b in zip(met[0], met[-1]))
    yield from move(place)
    return place


def find(wanted, kind="PROPERTIES", name="WINDOW", share=0.6):
    """Where a button is in an editor; scrolls down to it."""
    part = region(kind, name)
    x = part.x + int(share * part.width)
    if kind == "PROPERTIES":
        yield from key("HOME", middle(part))  # all the way up
    for _ in range(8):
        top = part.y + part.height - 4
        place = yield from seek(wanted, [(x, y) for y in range(top, part.y + 4, -STEP)])
        if place:
            return place
        yield from move(middle(part))
        for _ in range(4):
            yield from key("WHEELDOWNMOUSE")
    raise AssertionError(f"no button '{wanted}' in {kind}")


def find_in_header(wanted, kind):
    """Where a button is in the header of an editor; in its middle, because numbers end in arrows."""
    part = region(kind, "HEADER")
    y = part.y + part.height // 2
    place = yield from seek(wanted, [(x, y) for x in range(part.x + part.width - 10, part.x, -20)])
    assert place, f"no button '{wanted}' in the header of {kind}"
    return place


def press(wanted, kind="PROPERTIES", name="WINDOW", share=0.6):
    place = yield from find(wanted, kind, name, share)
    say("press", wanted, place)
    yield from click(place)


def choose(button, item):
    """Opens the menu behind a button and takes one of its items. Menus open to below where there is
    room, and else to above."""
    for way in (-1, 1):
        yield from click(button)
        yield 0.2
        rows = range(button[1], button[1] + way * 260, way * STEP)
        if (yield from seek(item, [(button[0], y) for y in rows], first=True)):
            say("choose", item, event.at)
            yield from key("LEFTMOUSE")
            return
        yield from key("ESC")
    raise AssertionError(f"no item '{item}' in the menu")


def add_tribo(kind):
    """Physics tab, Tribo, a kind. The menu's button has no call of its own; it is the one below
    Blender's last."""
    x, y = yield from find("rigidbody.constraint_add(")
    yield from choose((x, y - 26), f"tribo.add(kind='{kind}')")


def tab(context, usual=336):
    """Clicks a tab of the Properties editor, and where that is another, those around it. usual: pixels
    from the top, of the Physics tab of a mesh."""
    bar = region("PROPERTIES", "NAVIGATION_BAR")
    top = bar.y + bar.height
    for down in sorted(range(10, bar.height, STEP), key=lambda d: abs(d - usual)):
        yield from click((bar.x + bar.width // 2, top - down))
        if area("PROPERTIES").spaces.active.context == context:
            say("tab", context, down)
            return
    raise AssertionError(f"no tab {context}")


def type_text(text):
    names = {".": "PERIOD", "-": "MINUS", **dict(zip("0123456789", (
        "ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE")))}
    for letter in text:
        name = names.get(letter, letter.upper())
        event(name, "PRESS", unicode=letter)
        event(name, "RELEASE")
        yield TICK


def put_number(place, text):
    """Over a number: Enter, type, Enter."""
    yield from key("RET", place)
    yield from type_text(text)
    yield from key("RET")


def wait_for(what, seconds=200):
    return lab.wait_for(what, seconds)


def picture(name):
    """The whole window, into the folder of the scenario."""
    yield TICK
    screen.save(lab.path(name + ".png"))
    yield TICK
