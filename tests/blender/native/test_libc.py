# SPDX-License-Identifier: GPL-3.0-or-later
"""The oldest C library that the module and what goes with it load with."""

import re
import shutil
import subprocess
import unittest

from support import MODULE

NEWEST = (2, 34)  # of Rocky Linux 9 and its relatives; Debian 12 has 2.36
VERSION = re.compile(r"\(GLIBC_(\d+)\.(\d+)(?:\.\d+)?\)")


def needed(text):
    """(version, symbol) of what `objdump -T` lists as taken from the C library."""
    for line in text.splitlines():
        found = VERSION.search(line)
        if found and "*UND*" in line:
            yield (int(found[1]), int(found[2])), line.split()[-1]


@unittest.skipUnless(shutil.which("objdump"), "binutils are missing")
class Libc(unittest.TestCase):
    def test_nothing_newer_than_2_34_is_needed(self):
        files = [MODULE, *sorted((MODULE.parent / "lib").glob("*.so*"))]
        for file in files:
            with self.subTest(file=file.name):
                listed = subprocess.run(["objdump", "-T", str(file)], capture_output=True, text=True,
                                        check=True).stdout
                taken = list(needed(listed))
                self.assertGreater(len(taken), 3)
                self.assertEqual([item for item in taken if item[0] > NEWEST], [])

    def test_a_symbol_that_is_too_new_would_be_seen(self):
        line = "0000000000000000      DF *UND*\t0000000000000000 (GLIBC_2.35) hypot\n"
        self.assertEqual(list(needed(line)), [((2, 35), "hypot")])


if __name__ == "__main__":
    unittest.main()
