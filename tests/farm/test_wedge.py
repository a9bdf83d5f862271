# SPDX-License-Identifier: GPL-3.0-or-later
"""Wedges: what they hold, how they are baked here, and what is said of them."""

import json
import os
import random
import resource
import signal
import subprocess
import time

import farm
from farm import report, tribo

MU, BEND = "friction.default.mu", "objects[sheet].elastic.bend"


def values(items, key):
    return [item["values"][key] for item in items]


def scene_of(wedge, item):
    with open(os.path.join(wedge, item["scene"]), encoding="utf-8") as file:
        return json.load(file)


class Making(farm.Case):
    def refused(self, *words):
        scene = farm.make_scene(self.path("scene"), resolution=4)
        done = tribo("wedge", scene, "--out", self.path("refused"), *words, check=False)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertFalse(os.path.exists(self.path("refused", "wedge.json")))
        return done.stderr

    def test_lists_are_crossed_and_the_first_changes_slowest(self):
        items = report(self.make("--vary", f"{MU}=0.1,0.2", "--vary", "time.substeps=2,3,4"))
        self.assertEqual(values(items, MU), [0.1, 0.1, 0.1, 0.2, 0.2, 0.2])
        self.assertEqual(values(items, "time.substeps"), [2, 3, 4, 2, 3, 4])

    def test_with_goes_in_step(self):
        items = report(self.make("--vary", f"{MU}=0.1,0.2", "--with", "time.substeps=2,3",
                                 "--vary", "air_density=1,2"))
        self.assertEqual(values(items, MU), [0.1, 0.1, 0.2, 0.2])
        self.assertEqual(values(items, "time.substeps"), [2, 2, 3, 3])
        self.assertEqual(values(items, "air_density"), [1, 2, 1, 2])

    def test_ranges_meet_their_ends(self):
        items = report(self.make("--vary", f"{MU}=0.1:0.7:7", "--with", f"{BEND}=1e-6:1:7:log"))
        for i, mu in enumerate(values(items, MU)):
            self.assertAlmostEqual(mu, 0.1 + 0.1 * i, 12)
        for i, bend in enumerate(values(items, BEND)):
            self.assertAlmostEqual(bend / 10 ** (i - 6), 1, 9)
        self.assertEqual((items[0]["values"][MU], items[-1]["values"][MU]), (0.1, 0.7))

    def test_random_values_follow_from_the_seed(self):
        first = values(report(self.make("--vary", f"{MU}=0:1:6:random=3", out="a")), MU)
        again = values(report(self.make("--vary", f"{MU}=0:1:6:random=3", out="b")), MU)
        other = values(report(self.make("--vary", f"{MU}=0:1:6:random=4", out="c")), MU)
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)
        self.assertEqual(len(set(first)), 6)
        self.assertTrue(all(0 <= x < 1 for x in first))

    def test_every_way_to_a_value_arrives_there(self):
        scene = farm.make_scene(self.path("scene"), "demo", resolution=6)
        wedge = self.make("--vary", "friction.pairs[ramp,ice].mu=0.25", "--vary", "friction.pairs[ice,wood].mu=0.75",
                          "--vary", "objects[cloth].elastic.stretch=321", "--vary", "quality=preview",
                          "--vary", "gravity=[0,0,-3]", "--vary", "objects[ball].material=steel",
                          "--vary", "objects[wood].surface.mu=0.125", scene=scene)
        made = scene_of(wedge, report(wedge)[0])
        by_name = {o["name"]: o for o in made["objects"]}
        pairs = {(p["a"], p["b"]): p["mu"] for p in made["friction"]["pairs"]}
        self.assertEqual(pairs[("ice", "ramp")], 0.25)
        self.assertEqual(pairs[("ice", "wood")], 0.75)
        self.assertEqual(by_name["cloth"]["elastic"]["stretch"], 321)
        self.assertEqual(made["quality"], "preview")
        self.assertEqual(made["gravity"], [0, 0, -3])
        self.assertEqual(by_name["ball"]["material"], "steel")
        self.assertEqual(by_name["wood"]["surface"]["mu"], 0.125)

    def test_objects_are_moved_turned_and_grown(self):
        scene = farm.make_scene(self.path("scene"), "demo", resolution=6, end=1)
        wedge = self.make("--vary", "objects[ice].move=[0,0,0],[1,2,3]", "--with",
                          "objects[ice].turn=[0,0,0],[0,0,90]", scene=scene)
        tribo("wedge", "run", wedge)
        before, after = (read_points(os.path.join(wedge, i["bake"], "ice.pc2")) for i in report(wedge))
        centre = [sum(p[k] for p in before) / len(before) for k in range(3)]
        there = [sum(p[k] for p in after) / len(after) for k in range(3)]
        for a, b in zip(spread(before, centre), spread(after, there)):  # a quarter turn about z
            self.assertAlmostEqual(a[0], b[1], 5)
            self.assertAlmostEqual(a[1], -b[0], 5)
            self.assertAlmostEqual(a[2], b[2], 5)

    def test_meshes_are_there_once(self):
        wedge = self.make("--vary", f"{MU}=0:1:30")
        meshes = os.listdir(os.path.join(wedge, "shared"))
        self.assertEqual(len(meshes), 1)
        self.assertEqual(len(os.listdir(os.path.join(wedge, "scenes"))), 30)

    def test_scenes_that_move_alike_have_one_bake(self):
        wedge = self.make("--vary", "objects[sheet].elastic.bend=1e-4,1e-3,1e-4")
        tribo("wedge", "run", wedge)
        items = report(wedge)
        self.assertEqual([i["same_as"] for i in items], [0, 1, 0])
        self.assertEqual([i["state"] for i in items], ["done"] * 3)
        self.assertEqual(len(os.listdir(os.path.join(wedge, "bakes"))), 2)

    def test_a_new_wedge_takes_over_what_was_baked(self):
        wedge = self.make("--vary", f"{BEND}=1e-4,1e-3")
        tribo("wedge", "run", wedge)
        self.make("--vary", f"{BEND}=1e-3,1e-2", scene=self.path("scene", "scene.json"))
        self.assertEqual([i["state"] for i in report(wedge)], ["done", "waiting"])

    def test_refusals_name_key_value_and_remedy(self):
        self.assertIn("did you mean 'sheet'", self.refused("--vary", "objects[shet].elastic.bend=1"))
        self.assertIn("did you mean 'bend'", self.refused("--vary", "objects[sheet].elastic.bent=1"))
        self.assertIn("mu", self.refused("--vary", f"{MU}=-1"))
        self.assertIn("3 values", self.refused("--vary", f"{MU}=1,2", "--with", "air_density=1,2,3"))
        self.assertIn("LOW:HIGH:COUNT", self.refused("--vary", f"{MU}=0:1:0"))
        self.assertIn("above 0", self.refused("--vary", f"{MU}=0:1:3:log"))
        self.assertIn("twice", self.refused("--vary", f"{MU}=1", "--vary", f"{MU}=2"))
        self.assertIn("does not change how anything moves", self.refused("--vary", "time.end=3,4"))
        self.assertIn("empty place", self.refused("--vary", "quality=good,,final"))
        self.assertIn("key=values", self.refused("--vary", "quality"))


def read_points(path):
    import struct

    with open(path, "rb") as file:
        data = file.read()
    count = struct.unpack("<i", data[16:20])[0]
    flat = struct.unpack(f"<{3 * count}f", data[32 : 32 + 12 * count])
    return list(zip(flat[0::3], flat[1::3], flat[2::3]))


def spread(points, centre):
    return [tuple(p[k] - centre[k] for k in range(3)) for p in points]


class Running(farm.Case):
    def test_bakes_are_those_of_the_scenes_alone(self):
        wedge = self.make("--vary", f"{BEND}=1e-5:1e-3:3:log", "--vary", "gravity=[0,0,-9.81],[0,1,-5]")
        tribo("wedge", "run", wedge, "--jobs", 2)
        self.assert_as_baked_directly(wedge)

    def test_one_that_fails_says_why_and_the_others_go_on(self):
        wedge = self.make("--vary", f"{BEND}=1e-4,1e-3,1e-2")
        bad = report(wedge)[1]
        with open(os.path.join(wedge, bad["scene"]), "w", encoding="utf-8") as file:
            file.write("{ broken")
        done = tribo("wedge", "run", wedge, check=False)
        self.assertEqual(done.returncode, 2)
        items = report(wedge)
        self.assertEqual([i["state"] for i in items], ["done", "failed", "done"])
        self.assertIn("not JSON", items[1]["why"])
        self.assertIn("not JSON", tribo("wedge", "status", wedge).stdout)

    def test_a_stop_ends_after_whole_frames_and_goes_on(self):
        scene = farm.make_scene(self.path("scene"), resolution=24, end=300)
        wedge = self.make("--vary", f"{BEND}=1e-4,1e-3", scene=scene)
        run = subprocess.Popen([farm.PROGRAM, "wedge", "run", wedge, "--jobs", "2"], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
        while sum(i["frames"] for i in report(wedge)) < 6:
            time.sleep(0.05)
        run.send_signal(signal.SIGTERM)
        _, said = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 130, said)
        self.assertEqual({i["state"] for i in report(wedge)}, {"stopped"})
        self.assertEqual({i["exit"] for i in report(wedge)}, {130})

    def test_the_memory_a_bake_took_is_written_down(self):
        wedge = self.make("--vary", f"{BEND}=1e-4")
        tribo("wedge", "run", wedge)
        peak = report(wedge)[0]["peak_memory"]
        self.assertGreater(peak, 5e6)
        self.assertLess(peak, 200e6)

    def most_at_once(self, wedge, *words):
        """How many of the attempts overlapped."""
        tribo("wedge", "run", wedge, "--jobs", 3, *words)
        spans = []
        for folder, _, files in os.walk(os.path.join(wedge, "runs")):
            for name in filter(lambda name: name.endswith(".json"), files):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    record = json.load(file)
                spans.append((record["began"], record["began"] + record["seconds"]))
        return max(sum(a <= began < b for a, b in spans) for began, _ in spans)

    def test_no_more_at_once_than_there_is_room_for(self):
        scene = farm.make_scene(self.path("scene"), resolution=16, end=12)
        needs = None
        for out, room, most in (("wide", 1000, 3), ("narrow", 2.5, 2), ("single", 0.1, 1)):
            wedge = self.make("--vary", f"{BEND}=1e-5:1e-3:4:log", scene=scene, out=out)
            needs = needs or report(wedge)[0]["memory"] / 1e6
            self.assertEqual(self.most_at_once(wedge, "--memory", max(1, round(room * needs))), most, out)

    def test_progress_in_the_forms_of_engines(self):
        wedge = self.make("--vary", f"{BEND}=1e-4,1e-3,1e-2")
        openjd = tribo("wedge", "bake", wedge, "--task", 0, "--progress", "openjd").stdout.splitlines()
        percents = [float(line.split()[1]) for line in openjd if line.startswith("openjd_progress: ")]
        self.assertEqual(len(percents), 12)
        self.assertEqual(percents, sorted(percents))
        self.assertEqual(percents[-1], 100)
        self.assertTrue(any(line.startswith("openjd_status: frame 12 of 12") for line in openjd))
        for number, style in ((1, "flamenco"), (2, "opencue")):
            lines = tribo("wedge", "bake", wedge, "--task", number, "--progress", style).stdout.splitlines()
            self.assertTrue(lines[-1].startswith("100% frame 12 of 12"), lines[-1])

    def test_openjd_hears_of_a_failure(self):
        wedge = self.make("--vary", f"{BEND}=1e-4")
        os.truncate(os.path.join(wedge, "shared", os.listdir(os.path.join(wedge, "shared"))[0]), 0)
        done = tribo("wedge", "bake", wedge, "--task", 0, "--progress", "openjd", check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("openjd_fail: ", done.stdout)


class Kills(farm.Case):
    """Random kills over a wedge of 20, of the bakes and of those who look after them: 200 in the long tests."""

    KILLS, ITEMS, FRAMES = int(os.environ.get("TRIBO_KILLS", "40")), 20, 12

    def child_of(self, process):
        try:
            with open(f"/proc/{process}/task/{process}/children", encoding="utf-8") as file:
                return [int(word) for word in file.read().split()]
        except OSError:
            return []

    def begin(self, wedge, task):
        words = [farm.PROGRAM, "wedge", "bake", wedge, "--task", str(task), "--progress", "opencue"]
        return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True), time.monotonic()

    def kill_one(self, running):
        process, _ = random.choice(list(running.values()))
        victims = [process.pid, *self.child_of(process.pid)]
        try:
            os.kill(random.choice(victims), signal.SIGKILL)
        except ProcessLookupError:
            return 0
        return 1

    def work_through(self, wedge):
        """Two at a time, until all are done. What the tasks printed, the seconds that they took as seen from
        here, and how many attempts and kills there were."""
        waiting, running, lines, seconds, attempts, kills = list(range(self.ITEMS)), {}, [], 0.0, 0, 0
        while waiting or running:
            while waiting and len(running) < 2:
                task = waiting.pop(random.randrange(len(waiting)))
                running[task] = self.begin(wedge, task)
                attempts += 1
            time.sleep(random.uniform(0.005, 0.03))
            if kills < self.KILLS:
                kills += self.kill_one(running)
            for task, (process, began) in list(running.items()):
                if process.poll() is None:
                    continue
                seconds += time.monotonic() - began
                lines += [(task, line.split()[2]) for line in process.communicate()[0].splitlines() if "% frame " in line]
                del running[task]
                if process.returncode:
                    waiting.append(task)
        return lines, seconds, attempts, kills

    def seconds_of_frames(self, wedge, item):
        with open(os.path.join(wedge, item["bake"], "stats.jsonl"), encoding="utf-8") as file:
            return sum(json.loads(line)["seconds"] for line in file)

    def test_nothing_is_lost_and_nothing_baked_twice(self):
        random.seed(22)
        scene = farm.make_scene(self.path("scene"), resolution=10, end=self.FRAMES)
        wedge = self.make("--vary", f"{BEND}=1e-5:1e-3:{self.ITEMS}:log", scene=scene)
        lines, seconds, attempts, kills = self.work_through(wedge)
        items = report(wedge)
        self.assertEqual(kills, self.KILLS)
        self.assertEqual({i["state"] for i in items}, {"done"})
        self.assertEqual({i["frames"] for i in items}, {self.FRAMES})
        # A frame is told once it is on disk: none may be told again.
        self.assertEqual(len(lines), len(set(lines)))
        self.assert_as_baked_directly(wedge, items[::4])
        # The wedge says no more than was seen from here, and no less than its frames say that they took, but for the
        # ends of attempts that were killed: those write down what they took five times a second.
        said, frames = sum(i["seconds"] for i in items), sum(self.seconds_of_frames(wedge, i) for i in items)
        print(f"{kills} kills, {attempts} attempts: {said:.1f} s said, {seconds:.1f} s seen, {frames:.1f} s of frames")
        self.assertLessEqual(said, seconds)
        self.assertGreater(said, 0.5 * frames)
        self.assertIn("all of", tribo("wedge", "run", wedge).stdout)

    def test_the_runner_of_all_may_be_killed_too(self):
        scene = farm.make_scene(self.path("scene"), resolution=10, end=self.FRAMES)
        wedge = self.make("--vary", f"{BEND}=1e-5:1e-3:4:log", scene=scene)
        for pause in (0.1, 0.3, 0.5):
            run = subprocess.Popen([farm.PROGRAM, "wedge", "run", wedge, "--jobs", "2"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
            time.sleep(pause)
            run.kill()
            run.wait()
        tribo("wedge", "run", wedge)
        self.assertEqual({i["state"] for i in report(wedge)}, {"done"})
        self.assert_as_baked_directly(wedge)


class Many(farm.Case):
    def test_a_thousand_scenes_are_looked_at_within_two_seconds(self):
        scene = farm.make_scene(self.path("scene"), resolution=2, end=2)
        wedge = self.make("--vary", f"{BEND}=1e-6:1e-3:1000:log", scene=scene)
        first = report(wedge)[0]
        tribo("wedge", "bake", wedge, "--task", 0)
        self.assertEqual(report(wedge)[0]["state"], "done")
        for words in (("wedge", "status", wedge), ("wedge", "sheet", wedge)):
            used = self.processor_seconds(words)
            self.assertLess(used, 2, words)
        self.assertEqual(first["state"], "waiting")

    def processor_seconds(self, words):
        """Of the program alone: what a busy machine adds is not its own."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        tribo(*words)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
