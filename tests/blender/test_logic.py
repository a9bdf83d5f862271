#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of the add-on that needs no Blender. test_logic.py [_tribo.abi3.so]: with the module, also
what depends on the core's table."""

import importlib.util
import json
import math
import os
import re
import sys
import tempfile
import unittest
from array import array
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "plugin_blender"))

from logic import (fingerprint, folders, kinds, matrix, names, pins, presets, progress, table, thickness,  # noqa: E402
                   wording)

MODULE = sys.argv.pop(1) if len(sys.argv) > 1 and sys.argv[1].endswith(".so") else None


def core():
    """The native module."""
    spec = importlib.util.spec_from_file_location("_tribo", MODULE)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def turn_and_scale(angle, scale, shift):
    c, s = math.cos(angle) * scale, math.sin(angle) * scale
    return (c, -s, 0, shift[0], s, c, 0, shift[1], 0, 0, scale, shift[2], 0, 0, 0, 1)


class Matrices(unittest.TestCase):
    def test_inverse_undoes(self):
        m = (1.5, 0.2, -0.3, 4, 0.1, -2, 0.7, 5, 0.3, 0.2, 0.9, -6, 0, 0, 0, 1)
        product = matrix.times(m, matrix.inverse(m))
        self.assertLess(max(abs(a - b) for a, b in zip(product, matrix.IDENTITY)), 1e-14)

    def test_last_row_is_exact(self):
        m = turn_and_scale(0.3, 1.7, (1, 2, 3))
        self.assertEqual(matrix.times(m, matrix.inverse(m))[12:], (0.0, 0.0, 0.0, 1.0))

    def test_squashed_has_no_inverse(self):
        with self.assertRaises(ValueError):
            matrix.inverse((1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1))

    def test_small_is_not_squashed(self):
        self.assertFalse(matrix.is_flat(turn_and_scale(0.1, 1e-4, (0, 0, 0))))

    def test_similarities_keep_shape_others_do_not(self):
        self.assertTrue(matrix.keeps_shape(turn_and_scale(1.1, 0.5, (1, 2, 3))))
        self.assertFalse(matrix.keeps_shape((1, 0, 0, 0, 0, 1.001, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)))
        self.assertFalse(matrix.keeps_shape((1, 0.001, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)))
        self.assertFalse(matrix.keeps_shape((-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)))


class Wording(unittest.TestCase):
    STRING = r'"(?:[^"\\\n]|\\.)*"'
    # These speak to who writes scene files, or calls the library: reference.c and scene_keys.c make
    # docs/scene.md, the others read and write files that Blender has no part in.
    NOT_HEARD = {"key.c", "reference.c", "scene_keys.c", "fclib.c", "geo.c", "contact_file.c", "contact_solver.c",
                 "scene_motion.c", "scene_pin.c", "ipopt_missing.c"}
    # What the add-on gives as a whole, so that nobody sees a message about its parts.
    GIVEN = {"cage_count", "target_count", "target_start", "target_interval", "pin_count", "tribo_sim_create"}
    PLACES = r"(?:time|solver|surface|elastic|tets|maps|pin|rigid|friction|world|objects\[\])"

    @classmethod
    def setUpClass(cls):
        wording.learn(cls.rows())

    @classmethod
    def rows(cls):
        """The core's table, as the module would give it."""
        text = (ROOT / "core/include/tribo/params.inl").read_text(encoding="utf-8").replace("\\\n", "")
        groups = dict(re.findall(r'GROUP\(TRIBO_PARAMS_(\w+), \w+, "([^"]*)"', text))
        for table_name, body in re.findall(r"#define TRIBO_PARAMS_(\w+)\(REAL, INT, VEC3, CHOICE\)(.*)", text):
            for kind, name, words in re.findall(
                    r'\b(REAL|INT|VEC3|CHOICE)\((\w+), (?:\d+, "([\w|]+)")?', body):
                yield {"group": table_name.lower(), "place": groups[table_name], "name": name,
                       "kind": kind.lower(), "choices": tuple(filter(None, words.split("|"))), "unit": ""}

    def strings(self):
        """Every string of the core, pieces joined."""
        for path in sorted((ROOT / "core/src").rglob("*.c")):
            code = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
            code = re.sub(r"^#include.*", "", code, flags=re.M)
            for found in re.findall(rf"{self.STRING}(?:\s*{self.STRING})*", code):
                yield path.name, "".join(piece[1:-1] for piece in re.findall(self.STRING, found))

    def texts(self):
        """Those that name an option."""
        return [(name, text) for name, text in self.strings()
                if re.search(r"--[a-z]", text) and name not in ("reference.c", "engine.c")]

    def sentences(self):
        """Those that someone in front of Blender may read: with blanks, and not of a file that is
        written."""
        for name, text in self.strings():
            if name not in self.NOT_HEARD and len(text.split()) > 3 and '\\"' not in text:
                yield name, text

    def test_no_message_of_the_core_sends_an_artist_to_a_command_line(self):
        found = self.texts()
        self.assertGreater(len(found), 15)
        for name, text in found:
            self.assertNotRegex(wording.artist(text), r"--[a-z]|scripts/", f"{name}: {text}")

    def test_no_message_of_the_core_has_a_key_of_the_scene_file(self):
        found = list(self.sentences())
        self.assertGreater(len(found), 250)
        for name, text in found:
            told = wording.artist(text)
            self.assertNotRegex(told, rf"\b{self.PLACES}\.[a-z_]+|\bmethod '?[a-z]+jective|\bmethod '?forw|\(elastic\)",
                                f"{name}: {text}")
            left = set(re.findall(r"\b[a-z]+_[a-z_]+\b", told)) - self.GIVEN
            self.assertEqual(left, set(), f"{name}: {text}")

    def test_buttons_stand_where_keys_stood(self):
        for theirs, ours in (
                ("raise solver.projective_iterations", "raise Advanced > Scene > Projective Iterations"),
                ("more substeps (time.substeps)", "more substeps (Scene Quality > Substeps)"),
                ("a larger surface.thickness", "a larger Collision > Thickness"),
                ("samples (surface.spacing)", "samples (Advanced > Object > Spacing)"),
                ("set solver.on_failure to 'continue'", "set Advanced > Scene > On Failure to Continue"),
                ("set the method to 'forwarding'", "set the method to Accurate (forwarding)"),
                ("of the method projective", "of the method Fast (projective)"),
                ("mu_drill is 0.1 m", "Friction Pairs > Drilling is 0.1 m"),
                ("has no area; remove it or move a vertex", "has no area; remove it (Edit Mode, Mesh > Clean Up > "
                 "Degenerate Dissolve) or move a vertex"),
                ("belongs to no triangle; remove it or connect it", "belongs to no triangle; remove it (Edit Mode, Mesh > "
                 "Clean Up > Delete Loose) or connect it"),
                ("of the method barrier", "of the method Nothing Passes (barrier)"),
                ("object 'box' is stiff", "object 'box' is stiff")):
            self.assertEqual(wording.artist(theirs), ours)

    def test_seconds_are_frames(self):
        for theirs, ours in (("the step at 0.958333 s did not converge", "the step at frame 24 did not converge"),
                             ("near 1e-02 s cloth", "near frame 1.2 cloth"),
                             ("frame 3: the step at 0.07 s", "frame 3: the step at 0.07 s"),
                             ("the step cut 3 times to 0.001 s; at 3 m/s", "the step cut 3 times to 0.001 s; at 3 m/s")):
            self.assertEqual(wording.artist(theirs, (1, 24.0)), ours)
            self.assertEqual(wording.artist(theirs), theirs)

    def test_every_phrase_is_one_of_the_core(self):
        said = "\n".join(text for _, text in self.strings())
        for theirs, _ in wording.PHRASES:
            self.assertIn(theirs, said)

    def test_other_texts_stay_as_they_are(self):
        self.assertEqual(wording.artist("'Cloth' has 0 triangles"), "'Cloth' has 0 triangles")


class Thickness(unittest.TestCase):
    def test_two_millimetres_and_less_for_fine_meshes(self):
        self.assertEqual(thickness.of_cloth(0.1), 0.002)
        self.assertEqual(thickness.of_cloth(0.0123456), 0.0012)
        self.assertEqual(thickness.of_cloth(0.0), 0.0)

    def test_its_tooltip_says_so(self):
        row = {"group": "surface", "name": "thickness", "help": "Others keep this distance.", "unit": "m"}
        said = table.tooltip(row)
        self.assertTrue(said.startswith("Others keep this distance. New cloth gets 2 mm"), said)
        self.assertTrue(said.endswith(". In m"), said)


class Names(unittest.TestCase):
    def test_no_two_alike_in_any_case(self):
        made = names.unique(["Cube", "cube", "a/b", "a_b", "CUBE"])
        self.assertEqual(len({name.casefold() for name in made}), 5)
        self.assertEqual(made[0], "Cube")

    ODD = ("con", "CON.left", "Aux ", "com1", "lpt\u00b2", "nul .x", "end.", "end ", ". ", " ", "a<b", 'a"b', "a|b", "a?b",
           "de\x7fl", "x" * 179 + " y", "R\u00e9", "Re\u0301", "r\u00c9", "\u03a3", "\u03c3", "\u03c2", "\u0130", "i\u0307",
           "\u1e9b\u0323", "\u1e69", "s", "\u017f", "K", "\u212a", "\u00e5", "\u212b", "con_", "_con")

    @unittest.skipUnless(MODULE, "needs the module")
    def test_core_takes_whatever_an_artist_calls_things(self):
        scene, points, faces = core().Scene(), array("f", (0, 0, 0, 1, 0, 0, 0, 1, 0)), array("i", (0, 1, 2))
        for name in names.unique(self.ODD):
            scene.add(name, "cloth", points, faces)

    def test_core_takes_them(self):
        for name in ("/", "..", ".hidden", "x" * 400, "\u4e16" * 200, "a\nb"):
            made = names.legal(name)
            self.assertTrue(made and "/" not in made and not made.startswith("."))
            self.assertLessEqual(len(made.encode()), 200)


class Pins(unittest.TestCase):
    def test_hard_from_a_half_on(self):
        self.assertEqual(pins.levels([0, 0.49, 0.5, 1], 0.0), [([2, 3], 0.0)])

    def test_soft_in_proportion_to_weight(self):
        self.assertEqual(pins.levels([0, 0.5, 1, 0.01], 80.0), [([2], 80.0), ([1], 40.0)])

    def test_nothing_pinned(self):
        self.assertEqual(pins.levels([0, 0, 0], 0.0), [])

    def test_blend(self):
        self.assertEqual(pins.blend([0, 0.5, 1], 0.5, 2.5), [0.5, 1.5, 2.5])


class Fingerprints(unittest.TestCase):
    BEFORE = {"scene": {"friction": "1"}, "objects": {"A": {"mesh": "1", "material": "2"}, "B": {"mesh": "3"}}}

    def change(self, **objects):
        return fingerprint.changes(self.BEFORE, {"scene": {"friction": "1"}, "objects": objects})

    def test_same_is_silent(self):
        self.assertEqual(fingerprint.changes(self.BEFORE, self.BEFORE), [])

    def test_says_object_and_aspect(self):
        lines = self.change(A={"mesh": "1", "material": "x"}, B={"mesh": "3"})
        self.assertEqual(lines, ["A: its material changed"])

    def test_says_what_came_and_went(self):
        lines = self.change(A={"mesh": "1", "material": "2"}, C={"mesh": "9"})
        self.assertEqual(lines, ["B was removed", "C was added"])

    def test_knows_a_new_name(self):
        lines = self.change(A={"mesh": "1", "material": "2"}, C={"mesh": "3"})
        self.assertEqual(lines, ["B is called C now"])

    def test_scene(self):
        after = {"scene": {"friction": "2"}, "objects": self.BEFORE["objects"]}
        self.assertEqual(fingerprint.changes(self.BEFORE, after), ["The scene's friction changed"])

    def test_digest_tells_parts_apart(self):
        self.assertNotEqual(fingerprint.digest(b"ab", b"c"), fingerprint.digest(b"a", b"bc"))
        self.assertEqual(fingerprint.digest({"a": 1, "b": 2}), fingerprint.digest({"b": 2, "a": 1}))


class Progress(unittest.TestCase):
    def test_for_people(self):
        self.assertEqual([progress.duration(s) for s in (8, 200, 7500)], ["8 s", "3 min 20 s", "2 h 5 min"])
        self.assertEqual([progress.length(x) for x in (0, 2e-3, 5e-7)], ["0", "2 mm", "500 nm"])

    def test_line(self):
        poll = {"frame": 12, "start": 1, "end": 120, "seconds_left": 80.0, "contacts": 5,
                "max_penetration": 2e-5, "converged": True}
        self.assertEqual(progress.line(poll), "frame 12 of 120, 1 min 20 s left, 5 contacts, deepest 20 um")
        self.assertAlmostEqual(progress.fraction(poll), 11 / 119)
        unseen = {**poll, "converged": False, "rough": []}
        self.assertEqual(progress.line(unseen), progress.line(poll))
        self.assertIn("did not converge", progress.line({**unseen, "rough": ["steps"]}))
        self.assertEqual(progress.line({**poll, "frame": None}), "starts at frame 1 of 120")
        self.assertEqual(progress.fraction({**poll, "start": 12, "end": 12}), 1.0)


class Folders(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.cache = os.path.join(self.temporary.name, "tribo_cache_shot", "Scene")
        os.makedirs(os.path.join(self.cache, "states"))
        about = {"tribo_bake": 1, "objects": [{"name": "C", "mesh": "C.obj", "cache": "C.pc2", "playback": "C.local.pc2"}],
                 "states": True, "removing": ["../../precious"]}
        self.put("bake.json", json.dumps(about))
        for name in ("C.obj", "C.pc2", "C.local.pc2", "state.ckpt", "states/000001.ckpt"):
            self.put(name, name)
        folders.write_notes(self.cache, {"start": 1})

    def put(self, name, text):
        with open(os.path.join(self.cache, name), "w", encoding="utf-8") as file:
            file.write(text)

    def test_where(self):
        self.assertEqual(folders.of_blend("/a/shot.blend", "My/Scene", "/t"),
                         "/a/tribo_cache_shot/My_Scene-" + names.distinct("My/Scene")[-6:])
        self.assertEqual(folders.of_blend("/a/shot.blend", "Scene", "/t"), "/a/tribo_cache_shot/Scene")
        self.assertNotEqual(folders.of_blend("/a/shot.blend", "My/Scene", "/t"),
                            folders.of_blend("/a/shot.blend", "My:Scene", "/t"))
        self.assertNotEqual(folders.of_blend("/a/shot.blend1", "S", "/t"),
                            folders.of_blend("/a/shot.blend", "S", "/t"))
        self.assertTrue(folders.of_blend("", "S", "/t").startswith("/t/"))

    def test_free_takes_all_that_is_ours(self):
        self.assertEqual(folders.remove(self.cache), 7)
        self.assertEqual(os.listdir(self.temporary.name), [])

    def test_free_takes_what_a_killed_bake_left_half_written(self):
        self.put("states/000002.ckpt.tmp", "x")
        self.put("state.ckpt.tmp", "x")
        self.assertEqual(folders.remove(self.cache), 9)
        self.assertEqual(os.listdir(self.temporary.name), [])

    def test_free_leaves_what_is_not(self):
        self.put("holiday.pc2", "x")
        self.put("states/notes.txt", "x")
        precious = os.path.join(self.temporary.name, "precious")
        open(precious, "w").close()
        folders.remove(self.cache)
        self.assertEqual(sorted(os.listdir(self.cache)), ["holiday.pc2", "states"])
        self.assertEqual(os.listdir(os.path.join(self.cache, "states")), ["notes.txt"])
        self.assertTrue(os.path.exists(precious))

    def test_free_goes_by_the_notes_where_bake_json_is_damaged(self):
        self.put(folders.BAKE, '{"tribo_bake": 1, "obj')
        self.put("holiday.pc2", "x")
        self.assertEqual(folders.owned(self.cache), [folders.NOTES])  # which say nothing of files yet
        folders.write_notes(self.cache, {"start": 1, "files": {"C": "C.local.pc2", "D": "../../precious", "E": 3}})
        self.assertEqual(folders.remove(self.cache), 7)
        self.assertEqual(os.listdir(self.cache), ["holiday.pc2"])
        self.put(folders.BAKE, '{"bread": 2}')  # somebody else's
        folders.write_notes(self.cache, {"files": {"C": "C.local.pc2"}})
        self.assertEqual(folders.owned(self.cache), [folders.NOTES])

    def test_move_and_copy(self):
        other = os.path.join(self.temporary.name, "tribo_cache_other", "Scene")
        self.assertEqual(folders.transfer(self.cache, other, move=False), 7)
        self.assertEqual(folders.owned(self.cache), folders.owned(other))
        third = os.path.join(self.temporary.name, "tribo_cache_third", "Scene")
        folders.transfer(self.cache, third, move=True)
        self.assertFalse(os.path.exists(os.path.dirname(self.cache)))
        self.assertEqual(folders.owned(third), folders.owned(other))

    def test_a_stranger_in_the_way_is_not_overwritten(self):
        other = os.path.join(self.temporary.name, "mine")
        os.makedirs(other)
        with open(os.path.join(other, "C.pc2"), "w", encoding="utf-8") as file:
            file.write("mine")
        with self.assertRaisesRegex(FileExistsError, "C.pc2"):
            folders.transfer(self.cache, other, move=True)
        with open(os.path.join(other, "C.pc2"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "mine")
        self.assertEqual(len(folders.owned(self.cache)), 7)

    def test_damaged_notes_are_no_notes(self):
        self.put(folders.NOTES, "[1, 2")
        self.assertEqual(folders.notes(self.cache), {})


class Table(unittest.TestCase):
    def test_tidy(self):
        import struct
        for number in (0.177, 9.81, 1e-6, 1e12, 0.1, 1 / 3, 0.0, -1.0):
            single = struct.unpack("f", struct.pack("f", number))[0]
            tidy = table.tidy(single)
            self.assertEqual(struct.pack("f", tidy), struct.pack("f", number))
        self.assertEqual(table.tidy(struct.unpack("f", struct.pack("f", 0.177))[0]), 0.177)

    def test_methods_read_well(self):
        row = {"group": "world", "name": "method", "choices": ("forwarding", "projective", "elastic"), "help": ""}
        labels = [item[1] for item in table.choice_items(row)]
        self.assertEqual(labels[:2], ["Accurate (forwarding)", "Fast (projective)"])


class WithModule(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not MODULE:
            raise unittest.SkipTest("no native module was given")
        cls.tribo = core()
        cls.rows = {(r["group"], r["name"]): r for r in cls.tribo.parameters()}

    def test_presets_are_in_range(self):
        count = 0
        for kind, name, group, parameter, value in presets.all_values():
            row = self.rows[group, parameter]
            self.assertTrue(row["low"] <= value <= row["high"], (kind, name, parameter))
            count += 1
        self.assertGreater(count, 40)

    def test_jelly_is_as_firm_as_its_size_asks_for(self):
        jelly, gel = (presets.PRESETS["SOLID"][name] for name in ("jelly", "gel"))
        for size in (0.05, 0.3, 2.0, 10.0):
            found = presets.values(jelly, presets.size_of((size, size, size)))["solid"]
            weight = found["density"] * 9.81 * size
            # h^3 = 7.84 E a^2 / (12 rho g): as high as a column of such cubes may be, here nearly four
            self.assertGreater((7.84 * found["young"] * size**2 / (12 * weight / size)) ** (1 / 3), 3.9 * size)
            self.assertLess(found["young"], 200 * weight)  # and it is no rock
            self.assertEqual(presets.values(gel, size), gel["values"])
        self.assertEqual(presets.values(jelly, 0.0), jelly["values"])
        self.assertAlmostEqual(presets.size_of((1.0, 2.0, 4.0)), 2.0)
        self.assertEqual(presets.size_of((1.0, 2.0, 0.0)), 2.0)
        self.assertEqual([presets.first("SOLID", on_bones) for on_bones in (False, True)], ["jelly", "flesh"])

    def test_labels_belong_to_parameters(self):
        for key in table.LABELS:
            self.assertIn(key, self.rows)

    def test_kinds_are_known_by_what_the_core_says_of_them(self):
        kinds.learn(self.tribo.kinds())
        self.assertEqual(kinds.names(), ["CLOTH", "SOLID", "RIGID", "COLLIDER", "ROD"])
        facts = {"simulated": kinds.is_simulated, "given": kinds.is_given, "deforms": kinds.deforms,
                 "rigid": kinds.keeps_shape, "sheet": kinds.is_sheet, "filled": kinds.is_filled,
                 "pins": kinds.takes_pins}
        held = {kind: {name for name, fact in facts.items() if fact(kind)} for kind in kinds.names() + ["NONE", ""]}
        self.assertEqual(held["CLOTH"], {"simulated", "deforms", "sheet", "pins"})
        self.assertEqual(held["SOLID"], {"simulated", "deforms", "filled", "pins"})
        self.assertEqual(held["RIGID"], {"simulated", "rigid"})
        self.assertEqual(held["COLLIDER"], {"given"})
        self.assertEqual(held["ROD"], {"simulated", "deforms", "pins"})
        self.assertEqual(held["NONE"] | held[""], set())

    def test_every_kind_has_groups_that_the_table_of_parameters_has(self):
        kinds.learn(self.tribo.kinds())
        groups = {group for group, _ in self.rows}
        for kind in kinds.names():
            self.assertLessEqual(kinds.groups_of(kind), groups, kind)
        self.assertEqual(kinds.groups_of("SOLID"), {"object", "surface", "maps", "solid", "fill"})
        self.assertEqual(kinds.groups_of("COLLIDER"), {"surface", "maps"})

    def test_every_kind_has_its_presets(self):
        self.assertEqual(list(presets.PRESETS["CLOTH"]), ["cotton", "denim", "silk", "leather"])
        self.assertEqual(list(presets.PRESETS["SOLID"]), ["rubber", "flesh", "jelly", "gel"])
        self.assertEqual(list(presets.PRESETS["RIGID"]), ["wood", "glass", "steel"])
        self.assertTrue(all(p["note"] for named in presets.PRESETS.values() for p in named.values()))


if __name__ == "__main__":
    unittest.main()
