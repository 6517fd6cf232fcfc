// What the quick commands load: each file and each library costs its start milliseconds.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { describe, expect, it } from "vitest";
import { cliPath, payloadOf, type Project, temporaryProject } from "../../support/project/running-project.ts";
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

/** The files of hookbell's own and Node's modules, and what the former are called in the build. */
function loadedBy(project: Project, args: readonly string[]): { own: string[]; names: string[]; builtIn: string[] } {
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
  const names = own.map((path) => basename(path).replace(/-[\w-]{8}\.js$/, ""));
  return { own, names: names.filter((name) => name !== "rolldown-runtime").toSorted(), builtIn };
}

const help = ["cli.js", "start"];
/** What a wing adds to it, where that is here. */
const ofWings = existsSync(new URL("../../../src/wings/guard", import.meta.url)) ? ["unseen"] : [];
const status = [...help, "base", "channels", "rules", "status", ...ofWings];

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
    [["status"], [...status, "webhook"]],
    // It writes a delivery, which the dispatcher sends.
    [
      ["send", "--channel", "ops", "All tests pass."],
      [...help, "base", "channels", "compose", "rules", "send", "webhook"],
    ],
  ])("%j loads %j", async (args, expected) => {
    const project = await webhookProject();
    const { own, names, builtIn } = loadedBy(project, args);
    expect(own.filter((path) => path.includes(`${sep}node_modules${sep}`))).toEqual([]);
    expect(names).toEqual(expected.toSorted());
    // A new delivery has an id that no one can guess.
    const expectedBuiltIn = args[0] === "send" ? ["crypto"] : [];
    expect(builtIn.filter((name) => ["http", "https", "crypto"].includes(name))).toEqual(expectedBuiltIn);
    const holders = own.filter((path) => readFileSync(path, "utf8").includes("ZodError"));
    expect(holders.length, "chunks that hold zod").toBe(expected.includes("rules") ? 1 : 0);
  });
});

it("of a hookbell without a rules file, status loads the channels of the built-in rules, and nothing that sends", () => {
  const project = temporaryProject();
  const { names } = loadedBy(project, ["status"]);
  expect(names).toEqual([...status, "desktop"].toSorted());
});

it("the hook in Node holds no library: zod alone would be twice its size", () => {
  const hook = readFileSync(join(cliPath, "..", "hook.cjs"), "utf8");
  expect(hook).not.toMatch(/ZodError/);
  expect(hook.length).toBeLessThan(80_000);
});
