// SPDX-License-Identifier: GPL-3.0-or-later
// What Flamenco's Manager gives to the script of a job type, in small: flamenco.mjs SCRIPT JOB prints the tasks as JSON.
// Settings are held against the script's own table, commands and dependencies against what workers take.
import fs from "node:fs";
import path from "node:path";
import vm from "node:vm";

const [script, jobFile] = process.argv.slice(2);
const job = JSON.parse(fs.readFileSync(jobFile, "utf8"));
const fail = (text) => { throw new Error(text); };

function explode(range) {
  const frames = new Set();
  for (const part of range.split(",")) {
    const ends = part.split("-").map((word) => (/^\s*\d+\s*$/.test(word) ? Number(word) : fail("invalid range " + range)));
    if (ends.length > 2) fail("invalid range " + range);
    for (let i = ends[0]; i <= ends[ends.length - 1]; i++) frames.add(i);
  }
  return [...frames].sort((a, b) => a - b);
}

const sandbox = {
  frameChunker: (range, size) => (size === 1 ? explode(range).map(String) : fail("only chunks of one are asked for")),
  print() {},
  path: { basename: path.posix.basename, dirname: path.posix.dirname, join: path.posix.join },
  author: {
    Task: (name, type) => ({
      name: name || fail("a task without a name"), type: type || fail("a task without a type"), commands: [],
      dependencies: [],
      addCommand(c) { this.commands.push(c); },
      addDependency(t) { this.dependencies.push(t); },
    }),
    Command: (name, parameters) => ({ name, parameters }),
  },
};
vm.createContext(sandbox);
new vm.Script('"use strict";\n' + fs.readFileSync(script, "utf8") + "\n;globalThis.type = JOB_TYPE; globalThis.compile = compileJob;",
              { filename: script }).runInContext(sandbox);

const types = { string: "string", int32: "number", bool: "boolean", float: "number" };
const known = new Set(["key", "type", "subtype", "choices", "propargs", "description", "label", "default", "eval", "evalInfo",
                       "visible", "required", "editable"]);
const settings = {};
for (const row of sandbox.type.settings) {
  for (const key of Object.keys(row)) known.has(key) || fail("unknown " + key + " in setting " + row.key);
  row.type in types || fail("type of " + row.key);
  settings[row.key] = job.settings[row.key] ?? row.default;
  if (row.required && settings[row.key] === undefined) fail("missing " + row.key);
  if (settings[row.key] !== undefined && typeof settings[row.key] !== types[row.type]) fail("value of " + row.key);
}
for (const key of Object.keys(job.settings)) key in settings || fail("the job type has no setting " + key);
const kebab = path.basename(script, ".js").replaceAll("_", "-");
job.type === kebab || fail(`the job asks for ${job.type}, the script is ${kebab}`);

const tasks = [];
sandbox.compile({ settings, name: job.name, created: new Date(0), addTask(t) { tasks.push(t); } });
for (const task of tasks) {
  if (!["blender", "ffmpeg", "file-management", "misc"].includes(task.type)) fail("no worker takes " + task.type);
  for (const other of task.dependencies) tasks.includes(other) || fail("a dependency that was not added: " + other.name);
  for (const { name, parameters } of task.commands) {
    name === "exec" || fail("unknown command " + name);
    typeof parameters.exe === "string" || fail("exe");
    parameters.args.every((word) => typeof word === "string") || fail("args of " + task.name);
  }
}
console.log(JSON.stringify(tasks.map((t) => ({
  name: t.name, after: t.dependencies.map((d) => d.name), commands: t.commands.map((c) => [c.parameters.exe, ...c.parameters.args]),
}))));
