// What the quick commands load: each file and each library costs its start milliseconds.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { describe, expect, it } from "vitest";
import { cliPath, payloadOf } from "../../support/project/running-project.ts";
import { webhookProject } from "./webhook-project.ts";

/** Notes the files that Node loads, and the chunks that hookbell's own loader reads. */
const preload = `const fs = require("node:fs");
const { readFileSync } = fs;
const read = [];
fs.readFileSync = (path, ...options) => {
  if (/chunks[\\\\/][^\\\\/]+$/.test(path)) read.push(path);
  return readFileSync(path, ...options);
};
process.on("exit", () => {
  const builtIn = process.moduleLoadList.map((entry) => entry.replace(/^NativeModule /, ""));
  const files = [...new Set([...Object.keys(require.cache), ...read])];
  fs.writeFileSync(process.env.LOADED_FILE, JSON.stringify({ files, builtIn }));
});`;

const help = ["cli.js", "start"];
const status = [...help, "base", "channels", "rules", "status", "webhook"];

describe("of dist/,", () => {
  it.each([
    [["--version"], ["cli.js"]],
    [
      ["hook", "--agent", "droid"],
      ["cli.js", "hook.cjs"],
    ],
    [["--help"], help],
    [["log"], [...help, "base", "log"]],
    // A rule notifies a webhook: of the channel types, only that one is loaded.
    [["status"], status],
  ])("%j loads %j", async (args, expected) => {
    const project = await webhookProject();
    const preloadFile = join(project.home, "preload.cjs");
    const loadedFile = join(project.home, "loaded.json");
    writeFileSync(preloadFile, preload);
    const env = { ...project.env, LOADED_FILE: loadedFile, NODE_OPTIONS: undefined };
    const ended = spawnSync(process.execPath, ["--require", preloadFile, cliPath, ...args], {
      env,
      input: payloadOf("Stop"),
      encoding: "utf8",
    });
    expect(ended).toMatchObject({ status: 0, stderr: "" });
    const { files, builtIn } = JSON.parse(readFileSync(loadedFile, "utf8")) as { files: string[]; builtIn: string[] };
    const own = files.filter((path) => path !== preloadFile);
    expect(own.filter((path) => path.includes(`${sep}node_modules${sep}`))).toEqual([]);
    const names = own.map((path) => basename(path).replace(/-[\w-]{8}\.js$/, ""));
    expect(names.filter((name) => name !== "rolldown-runtime").toSorted()).toEqual(expected.toSorted());
    expect(builtIn.filter((name) => ["http", "https", "crypto"].includes(name))).toEqual([]);
    const holders = own.filter((path) => readFileSync(path, "utf8").includes("ZodError"));
    expect(holders.length, "chunks that hold zod").toBe(expected.includes("rules") ? 1 : 0);
  });
});

it("the hook in Node holds no library: zod alone would be twice its size", () => {
  const hook = readFileSync(join(cliPath, "..", "hook.cjs"), "utf8");
  expect(hook).not.toMatch(/ZodError/);
  expect(hook.length).toBeLessThan(80_000);
});
