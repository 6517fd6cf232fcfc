// The hook of Auggie is run as Auggie runs it: a program and its arguments, without a shell.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { temporaryProject, type Project } from "../../support/project/running-project.ts";

const settings =
  '{\n  // Mine.\n  "model": "x",\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "/mine" }] }]\n  }\n}\n';
const plain = settings.replace("  // Mine.\n", "");
const payloads = new URL("../../agents/known/auggie/payloads/", import.meta.url);

let project: Project;
let path = "";
beforeEach(() => {
  project = temporaryProject();
  path = join(project.home, ".augment/settings.json");
  mkdirSync(join(project.home, ".augment"));
  writeFileSync(path, plain);
});

interface Settings {
  hooks: Record<string, { hooks: { command: string; args?: string[]; timeout?: number }[] }[]>;
}

it("passes each payload on, and is taken away to the byte (posix)", async () => {
  expect(await project.run(["init", "--agent", "auggie", "--yes", "--all-events"])).toMatchObject({ code: 0 });
  const { hooks } = JSON.parse(readFileSync(path, "utf8")) as Settings;
  expect(Object.keys(hooks)).toEqual(expect.arrayContaining(["PromptSubmit", "SessionEnd", "SessionStart", "Stop"]));
  const [mine, ours] = (hooks.Stop ?? []).flatMap((group) => group.hooks);
  expect(mine).toEqual({ type: "command", command: "/mine" });
  expect(ours).toMatchObject({ args: ["--agent", "auggie"], timeout: 10_000 });

  for (const name of ["PromptSubmit", "Stop"]) {
    const input = readFileSync(new URL(`${name}.json`, payloads), "utf8");
    // A token of the person's is in the environment of Auggie's hooks.
    const env = { ...project.env, AUGMENT_HOOK_EVENT: name, AUGMENT_SESSION_AUTH: "a-token-of-augment" };
    const ended = spawnSync(ours?.command ?? "", ours?.args ?? [], { input, env, encoding: "utf8" });
    expect(ended).toMatchObject({ status: 0, stdout: "", stderr: "" });
  }
  const events = (): unknown[] => project.journal().filter(({ kind }) => kind === "event");
  await project.until("both events", () => events().length === 2);
  expect(JSON.stringify(events())).toContain("The shop sells.");
  expect(JSON.stringify(project.journal())).not.toContain("a-token-of-augment");

  expect(await project.run(["uninstall", "--agent", "auggie", "--yes"])).toMatchObject({ code: 0 });
  expect(readFileSync(path, "utf8")).toBe(plain);
});

it("leaves a file with comments alone, since it is not known whether Auggie takes them", async () => {
  writeFileSync(path, settings);
  expect((await project.run(["init", "--agent", "auggie", "--yes"])).code).not.toBe(0);
  expect(readFileSync(path, "utf8")).toBe(settings);
});
