#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The checks of rooms.py, source.py and scripts/error_codes, tried on small trees with one fault each."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).parent
ROOMS = "| room | rank | what |\n|---|---|---|\n| base | 0 | x |\n| math | 1 | x |\n| io | 1 | x |\n"
TREE = {
    "docs/rooms.md": ROOMS,
    "docs/example.c": "int main(void) { return 0; }\n",
    "docs/library.md": "```c\nint main(void) { return 0; }\n```\n[rooms](rooms.md)\n",
    "core/include/tribo/base.h": "#include <stddef.h>\n",
    "core/include/tribo/scene.h": '#include "tribo/base.h"\n',
    "core/src/base/log.h": '#include "tribo/base.h"\n',
    "core/src/math/mat3.h": '#include "base/log.h"\n',
    "core/src/io/obj.c": '#include "base/log.h"\n',
    "core/cli/main.c": '#include "tribo/scene.h"\n',
}


def run(changes, script, *words):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**TREE, **changes}.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        command = [sys.executable, str(HERE / script), folder, *words]
        done = subprocess.run(command, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


class Rooms(unittest.TestCase):
    def claim_fault(self, changes, words):
        code, said = run(changes, "rooms.py")
        self.assertEqual(code, 1, said)
        self.assertIn(words, said)

    def test_a_tidy_tree_passes(self):
        code, said = run({}, "rooms.py")
        self.assertEqual(code, 0, said)

    def test_a_room_may_not_look_up(self):
        self.claim_fault({"core/src/base/log.h": '#include "math/mat3.h"\n'}, "is not below base")

    def test_a_room_may_not_look_at_its_sibling(self):
        self.claim_fault({"core/src/io/obj.c": '#  include "math/mat3.h"\n'}, "is not below io")

    def test_of_the_blender_module_only_the_comb_sees_rooms(self):
        include = {"plugin_blender/native/py_scene.c": '#include "math/vec3.h"\n'}
        self.claim_fault(include, "py_scene.c:1: the module may not see math/vec3.h")
        include = {"plugin_blender/native/comb.c": '#include "model/paint.h"\n'}
        self.claim_fault(include, "comb.c:1: the module may not see model/paint.h")

    def test_low_rooms_see_only_the_base_of_the_public_headers(self):
        self.claim_fault({"core/src/io/obj.c": '#include "tribo/scene.h"\n'}, "only tribo/base.h")

    def test_a_folder_must_be_a_room(self):
        self.claim_fault({"core/src/attic/old.c": "\n"}, "not in the table")

    def test_a_room_must_be_a_folder(self):
        self.claim_fault({"docs/rooms.md": ROOMS + "| geom | 2 | x |\n"}, "there is no core/src/geom")

    def test_the_program_sees_only_public_headers(self):
        self.claim_fault({"core/cli/main.c": '#include "base/log.h"\n'}, "may not see base/log.h")

    def test_public_headers_include_no_room(self):
        self.claim_fault({"core/include/tribo/base.h": '#include "base/log.h"\n'}, "a public header")

    def test_threads_live_in_base(self):
        self.claim_fault({"core/src/io/obj.c": "#pragma omp parallel\n"}, "OpenMP outside base")


class Source(unittest.TestCase):
    def claim_fault(self, changes, check, words):
        code, said = run(changes, "source.py", check)
        self.assertEqual(code, 1, said)
        self.assertIn(words, said)

    def test_a_tidy_tree_passes(self):
        for check in ("length", "functions", "words", "docs"):
            code, said = run({}, "source.py", check)
            self.assertEqual(code, 0, said)

    def test_long_files_are_found(self):
        self.claim_fault({"core/src/io/obj.c": "\n" * 600}, "length", "600 lines")

    def test_long_functions_are_found(self):
        body = "static int\nlong_one(int x) {\n" + "  x++;\n" * 59 + "}\n"
        self.claim_fault({"core/src/io/obj.c": body}, "functions", "long_one has 61 lines")
        body = "def long_one():\n" + "    pass\n" * 60
        self.claim_fault({"tests/a.py": body}, "functions", "long_one has 61 lines")

    def test_long_tables_are_no_functions(self):
        table = "static const int table[] = {\n" + "  1,\n" * 80 + "};\n"
        code, said = run({"core/src/io/obj.c": table}, "source.py", "functions")
        self.assertEqual(code, 0, said)

    def test_marks_are_found(self):
        self.claim_fault({"core/src/io/obj.c": "/* FIX" "ME later */\n"}, "words", "left undone")

    def test_paths_of_a_machine_are_found(self):
        self.claim_fault({"docs/a.md": "see /ho" "me/ann/tribo\n"}, "words", "a path of a machine")

    def test_dead_links_are_found(self):
        self.claim_fault({"docs/a.md": "[b](b.md)\n"}, "docs", "links to b.md")

    def test_a_stale_example_is_found(self):
        self.claim_fault({"docs/example.c": "int main(void) { return 1; }\n"}, "docs", "not docs/example.c")


class ErrorCodes(unittest.TestCase):
    """A number never means two things, and stays with a message whose words change."""

    FIRST = 'status_fail(err, TRIBO_IO, "cannot read \'%s\': %s", a, b);\n'
    SECOND = 'status_fail(err, TRIBO_BAD_INPUT, "the mesh has no vertices", a);\n'

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.source = Path(self.folder.name, "core/src/io/obj.c")
        for folder in ("core/src/io", "core/src/base", "docs"):
            Path(self.folder.name, folder).mkdir(parents=True)

    def catalogue(self, text):
        self.source.write_text(text, encoding="utf-8")
        command = [sys.executable, str(HERE.parent.parent / "scripts/error_codes"), "--root", self.folder.name]
        subprocess.run(command, check=True, capture_output=True)
        self.assertEqual(subprocess.run([*command, "--check"], capture_output=True).returncode, 0)
        return Path(self.folder.name, "core/src/base/faults.inl").read_text(encoding="utf-8")

    def test_new_messages_get_numbers(self):
        self.assertIn('FAULT(1000, "cannot read \'%s\': %s")', self.catalogue(self.FIRST))

    def test_reworded_messages_keep_theirs(self):
        self.catalogue(self.FIRST + self.SECOND)
        said = self.catalogue(self.SECOND.replace("vertices", "vertex at all") + self.FIRST)
        self.assertIn('FAULT(1001, "the mesh has no vertex at all")', said)

    def test_numbers_of_what_is_gone_are_not_used_again(self):
        self.catalogue(self.FIRST + self.SECOND)
        self.catalogue(self.SECOND)
        said = self.catalogue(self.SECOND + 'status_fail(err, TRIBO_IO, "a quite different fault");')
        self.assertIn("/* 1000 is retired */", said)
        self.assertIn('FAULT(1002, "a quite different fault")', said)

    def test_what_was_not_catalogued_is_found(self):
        self.catalogue(self.FIRST)
        self.source.write_text(self.FIRST + self.SECOND, encoding="utf-8")
        done = subprocess.run([sys.executable, str(HERE.parent.parent / "scripts/error_codes"), "--check",
                               "--root", self.folder.name], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("run scripts/error_codes", done.stderr)


if __name__ == "__main__":
    unittest.main()
