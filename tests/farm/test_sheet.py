# SPDX-License-Identifier: GPL-3.0-or-later
"""The contact sheet in a real browser, and its pictures from a real Blender."""

import html
import json
import os
import re
import shutil
import struct
import subprocess
import unittest
import zlib

import farm
from farm import report, tribo

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
BLENDER = shutil.which("blender")
MU, BEND = "friction.default.mu", "objects[sheet].elastic.bend"

# Does what a hand would do, and writes down what is to be seen.
HAND = """
<script>
"use strict";
const seen = [];
const cardsNow = () => [...document.querySelectorAll(".item")];
const numbers = () => cardsNow().map((c) => Number(c.dataset.number));
const set = (id, value, kind) => {
  const e = document.getElementById(id);
  e.value = value;
  e.dispatchEvent(new Event(kind));
};
const shot = () => cardsNow()[0].querySelector("img").getAttribute("src");
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
addEventListener("load", async () => {
  seen.push(["first", numbers()]);
  set("sort", "BEND", "change");
  seen.push(["by bend", numbers()]);
  document.getElementById("turn").click();
  seen.push(["downward", numbers()]);
  document.getElementById("turn").click();
  set("sort", "time", "change");
  seen.push(["by time", numbers()]);
  set("sort", "number", "change");
  set("state", "failed", "change");
  seen.push(["failed", numbers(), cardsNow()[0].textContent]);
  set("state", "all", "change");
  set("find", "mu < 0.2", "input");
  seen.push(["mu below", numbers()]);
  set("find", "bend (sheet) 0.001", "input");
  seen.push(["words", numbers()]);
  set("find", "", "input");
  const img = cardsNow()[0].querySelector("img");
  img.loading = "eager";
  try { await img.decode(); } catch (e) { seen.push(["fault", String(e)]); }
  seen.push(["picture", img.naturalWidth, shot()]);
  const frames = new Set();
  img.parentElement.click();
  for (let i = 0; i < 20; i++) { await pause(60); frames.add(shot()); }
  img.parentElement.click();
  const stopped = shot();
  await pause(400);
  seen.push(["played", [...frames].sort(), stopped === shot()]);
  seen.push(["tags", document.querySelectorAll("b.bad").length]);
  const out = document.createElement("pre");
  out.id = "seen";
  out.textContent = JSON.stringify(seen);
  document.body.append(out);
});
</script>
"""


def png(path, grey):
    """A picture of 4 x 3 points."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes([grey] * 4) for _ in range(3))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 3, 8, 0, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


@unittest.skipUnless(BROWSER, "there is no Chromium: scripts/setup --with-farm installs it")
class Browser(farm.Case):
    def setUp(self):
        super().setUp()
        scene = farm.make_scene(self.path("scene"), resolution=4, end=4)
        self.wedge = self.make("--vary", f"{MU}=0.1,0.3", "--vary", f"{BEND}=1e-3,1e-4,1e-2", scene=scene)
        bad = report(self.wedge)[4]
        with open(os.path.join(self.wedge, bad["scene"]), "w", encoding="utf-8") as file:
            file.write('{"tribo": 1, "</script><b class=bad>": 1}')
        tribo("wedge", "run", self.wedge, check=False)
        for item in report(self.wedge):
            folder = os.path.join(self.wedge, "pictures", item["hash"])
            os.makedirs(folder)
            for frame in (1, 3, 10):
                png(os.path.join(folder, f"{frame}.jpg"), 20 * frame)
        tribo("wedge", "sheet", self.wedge)

    def seen(self):
        with open(os.path.join(self.wedge, "sheet.html"), encoding="utf-8") as file:
            page = file.read()
        path = os.path.join(self.wedge, "by_hand.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write(page.replace("</body>", HAND.replace("BEND", BEND) + "</body>"))
        done = subprocess.run(
            [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             f"--user-data-dir={self.path('browser')}", "--virtual-time-budget=20000", "--dump-dom", "file://" + path],
            capture_output=True, text=True, timeout=120)
        found = re.search(r'<pre id="seen">(.*?)</pre>', done.stdout, re.S)
        self.assertTrue(found, done.stderr[-2000:] + done.stdout[-2000:])
        return {name: rest for name, *rest in json.loads(html.unescape(found[1]))}

    def test_the_page_sorts_filters_and_plays(self):
        seen = self.seen()
        items = report(self.wedge)
        self.assertEqual(seen["first"][0], [0, 1, 2, 3, 4, 5])
        self.assertEqual(seen["by bend"][0], [1, 4, 0, 3, 2, 5])
        self.assertEqual(seen["downward"][0], [2, 5, 0, 3, 1, 4])
        self.assertEqual(seen["by time"][0], sorted(range(6), key=lambda n: (items[n]["seconds"], n)))
        self.assertEqual(seen["failed"][0], [4])
        self.assertIn("unknown key", seen["failed"][1])
        self.assertEqual(seen["mu below"][0], [0, 1, 2])
        self.assertEqual(seen["words"][0], [0, 3])
        self.assertNotIn("fault", seen)
        self.assertEqual(seen["picture"][0], 4)
        self.assertTrue(seen["picture"][1].endswith("/10.jpg"))
        self.assertEqual([os.path.basename(p) for p in seen["played"][0]], ["1.jpg", "10.jpg", "3.jpg"])
        self.assertTrue(seen["played"][1])
        self.assertEqual(seen["tags"][0], 0)


@unittest.skipUnless(BLENDER, "there is no Blender: scripts/setup installs it")
class Pictures(farm.Case):
    def test_thumbnails_and_one_picture_of_all(self):
        scene = farm.make_scene(self.path("scene"), "demo", resolution=6, end=3)
        wedge = self.make("--vary", "friction.default.mu=0.1", scene=scene)
        tribo("wedge", "bake", wedge, "--task", 0, "--pictures", "--frames", "1,3")
        item = report(wedge)[0]
        self.assertEqual(item["pictures"], [1, 3])
        path = os.path.join(wedge, "pictures", item["hash"], "3.jpg")
        with open(path, "rb") as file:
            self.assertEqual(file.read(3), b"\xff\xd8\xff")
        self.assertGreater(os.path.getsize(path), 4000)  # an empty picture has 2 kB
        tribo("wedge", "sheet", wedge, "--png", self.path("all.png"))
        with open(self.path("all.png"), "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

    def test_without_blender_there_is_a_word_and_the_bake(self):
        wedge = self.make("--vary", f"{BEND}=1e-4")
        done = tribo("wedge", "bake", wedge, "--task", 0, "--pictures", "--blender", self.path("nowhere"))
        self.assertIn("there is no Blender", done.stderr)
        self.assertEqual(report(wedge)[0]["state"], "done")
