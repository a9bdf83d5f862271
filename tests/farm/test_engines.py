# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of engines: each held to its engine's own rules, and what they tell to run, run."""

import json
import os
import re
import shlex
import shutil
import subprocess
import types
import unittest
import xml.etree.ElementTree as ElementTree

import farm
from farm import report, tribo

BEND = "objects[sheet].elastic.bend"
NODE = shutil.which("node") or shutil.which("nodejs")
try:
    import yaml
except ImportError:
    yaml = None


class Written(farm.Case):
    """A folder with a name that every language has to quote."""

    NAME = "it's a <wedge> & \"more\""

    def written(self, engine, *words):
        scene = farm.make_scene(self.path("scene"), resolution=4, end=3)
        wedge = self.make("--vary", f"{BEND}=1e-4,1e-3,1e-4,1e-2", scene=scene, out=self.NAME)
        tribo("farm", engine, wedge, *words)
        return wedge

    def assert_done(self, wedge):
        self.assertEqual([i["state"] for i in report(wedge)], ["done"] * 4)
        self.assertTrue(os.path.exists(os.path.join(wedge, "sheet.html")))


class Engines(Written):
    def test_slurm_scripts_are_sound(self):
        wedge = self.written("slurm", "--write-only", "--threads", 3, "--hours", 2, "--pictures")
        for name in ("slurm.sh", "slurm_sheet.sh", "slurm_submit.sh"):
            subprocess.run(["bash", "-n", os.path.join(wedge, "farm", name)], check=True)
            self.assertTrue(os.access(os.path.join(wedge, "farm", name), os.X_OK))
        with open(os.path.join(wedge, "farm", "slurm.sh"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn("--array=0-1,3\n", text)  # 2 is the same as 0
        self.assertIn("--cpus-per-task=3", text)
        self.assertIn("--time=2:00:00", text)
        self.assertIn("--pictures", text)
        self.assertNotRegex(text, "@[A-Z]+@")

    @unittest.skipUnless(NODE, "there is no Node: scripts/setup --with-farm installs it")
    def test_flamenco_runs_the_job_type(self):
        wedge = self.written("flamenco")
        folder = os.path.join(wedge, "farm", "flamenco")
        done = subprocess.run([NODE, os.path.join(os.path.dirname(os.path.abspath(__file__)), "flamenco.mjs"),
                               os.path.join(folder, "tribo_wedge.js"), os.path.join(folder, "job.json")],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        tasks = json.loads(done.stdout)
        self.assertEqual([t["name"] for t in tasks], ["bake-0", "bake-1", "bake-3", "sheet"])
        self.assertEqual(tasks[-1]["after"], ["bake-0", "bake-1", "bake-3"])
        for task in tasks:
            for exe, *words in task["commands"]:
                self.assertEqual(exe, "{tribo}")
                tribo(*words)
        self.assert_done(wedge)

    # The order of elements in a job and a layer, as OpenCue's cjsl-1.15.dtd has it, of those that are used.
    CUE = {"spec": "facility show shot user uid job", "job": "paused maxretries autoeat env layers", "layers": "layer layer",
           "layer": "cmd range chunk( cores threadable memory)? env services", "services": "service"}

    def test_opencue_takes_the_job(self):
        wedge = self.written("opencue")
        path = os.path.join(wedge, "farm", "opencue.xml")
        spec = ElementTree.parse(path).getroot()
        for element in spec.iter():
            wanted = self.CUE.get(element.tag, "")
            self.assertRegex(" ".join(child.tag for child in element), f"^{wanted}$")
        dtd = os.environ.get("TRIBO_OPENCUE_DTD")
        if dtd:
            subprocess.run(["xmllint", "--noout", "--dtdvalid", dtd, path], check=True)
        bake, sheet = spec.iter("layer")
        self.assertEqual(bake.find("range").text, "0-1,3")
        for number in ("0", "1", "3"):
            subprocess.run(bake.find("cmd").text.replace("#IFRAME#", number), shell=True, check=True, capture_output=True)
        subprocess.run(sheet.find("cmd").text, shell=True, check=True, capture_output=True)
        self.assert_done(wedge)

    def test_tops_make_an_item_of_each_scene(self):
        wedge = self.written("tops")
        items = []

        class Item(types.SimpleNamespace):
            def setCommand(self, words):
                self.command = words

            def setFloatAttrib(self, name, value):
                self.values[name] = value

            def setStringAttrib(self, name, value):
                self.values[name] = value

            def addExpectedResultFile(self, path, tag):
                self.result = path

        class Holder:
            def addWorkItem(self, index):
                items.append(Item(index=index, values={}))
                return items[-1]

        with open(os.path.join(wedge, "farm", "tops.py"), encoding="utf-8") as file:
            exec(compile(file.read(), "tops.py", "exec"), {"item_holder": Holder()})
        self.assertEqual([i.index for i in items], [0, 1, 3])
        self.assertEqual([list(i.values.values()) for i in items], [[1e-4], [1e-3], [1e-2]])
        for item in items:
            subprocess.run(shlex.split(item.command), check=True, capture_output=True)
            self.assertTrue(os.path.exists(item.result))


@unittest.skipUnless(yaml, "there is no PyYAML: scripts/setup --with-farm installs it")
class OpenJD(Written):
    """Against the rules of jobtemplate-2023-09, as its specification publishes them, in the words of this test."""

    IDENTIFIER = re.compile(r"^[A-Za-z_][A-Za-z0-9_]{0,63}$")
    PARAMETER = {"STRING": {"default", "description", "userInterface", "allowedValues"},
                 "INT": {"default", "description", "minValue", "maxValue", "userInterface"},
                 "PATH": {"default", "description", "objectType", "dataFlow", "userInterface"}}

    def keys(self, value, required, optional=()):
        self.assertLessEqual(set(required), set(value))
        self.assertLessEqual(set(value), set(required) | set(optional))

    def references(self, value, known):
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, list):
            for item in value:
                self.references(item, known)
        for name in re.findall(r"\{\{\s*(.*?)\s*\}\}", value) if isinstance(value, str) else ():
            self.assertIn(name, known)

    def check_step(self, step, earlier, known):
        self.keys(step, {"name", "script"}, {"parameterSpace", "hostRequirements", "dependencies"})
        known = set(known)
        for parameter in step.get("parameterSpace", {}).get("taskParameterDefinitions", []):
            self.keys(parameter, {"name", "type", "range"})
            self.assertRegex(parameter["name"], self.IDENTIFIER)
            self.assertRegex(parameter["range"], r"^-?\d+(--?\d+)?(,-?\d+(--?\d+)?)*$")
            known |= {"Task.Param." + parameter["name"], "Task.RawParam." + parameter["name"]}
        for amount in step.get("hostRequirements", {}).get("amounts", []):
            self.assertRegex(amount["name"], r"^amount\.worker\.(vcpu|memory)$")
            self.assertGreater(amount["min"], 0)
        for dependency in step.get("dependencies", []):
            self.assertIn(dependency["dependsOn"], earlier)
        run = step["script"]["actions"]["onRun"]
        self.keys(run, {"command", "args"}, {"timeout", "cancelation"})
        self.assertTrue(all(isinstance(word, str) for word in run["args"]), run["args"])
        if "cancelation" in run:
            self.assertEqual(run["cancelation"]["mode"], "NOTIFY_THEN_TERMINATE")
            self.assertLessEqual(run["cancelation"]["notifyPeriodInSeconds"], 600)
        self.references(step["script"], known)

    def load(self, wedge, name):
        with open(os.path.join(wedge, "farm", "openjd", name), encoding="utf-8") as file:
            return yaml.safe_load(file)

    def test_the_template_is_as_published(self):
        template = self.load(self.written("openjd", "--pictures"), "template.yaml")
        self.keys(template, {"specificationVersion", "name", "parameterDefinitions", "steps"})
        self.assertEqual(template["specificationVersion"], "jobtemplate-2023-09")
        known, earlier = set(), set()
        for parameter in template["parameterDefinitions"]:
            self.keys(parameter, {"name", "type"}, self.PARAMETER[parameter["type"]])
            self.assertRegex(parameter["name"], self.IDENTIFIER)
            known |= {"Param." + parameter["name"], "RawParam." + parameter["name"]}
        self.references(template["name"], known)
        for step in template["steps"]:
            self.check_step(step, earlier, known)
            earlier.add(step["name"])

    def test_its_tasks_run(self):
        wedge = self.written("openjd")
        template, given = self.load(wedge, "template.yaml"), self.load(wedge, "parameter_values.yaml")
        values = {p["name"]: str(p.get("default")) for p in template["parameterDefinitions"]}
        values.update({p["name"]: p["value"] for p in given["parameterValues"]})
        self.assertEqual(os.path.realpath(values["Folder"]), os.path.realpath(wedge))

        def run(action, scene=""):
            words = [action["command"], *action["args"]]
            for name, value in values.items():
                words = [word.replace("{{Param.%s}}" % name, value) for word in words]
            words = [word.replace("{{Task.Param.Scene}}", scene) for word in words]
            return subprocess.run(words, check=True, capture_output=True, text=True).stdout

        bake, sheet = (step["script"]["actions"]["onRun"] for step in template["steps"])
        for scene in ("0", "1", "3"):
            self.assertIn("openjd_progress: 100.0", run(bake, scene))
        run(sheet)
        self.assert_done(wedge)


