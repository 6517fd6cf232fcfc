// Settings that two machines share, such as by a folder of dotfiles: the hooks that init writes on one hold on the other.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { payloadOf, temporaryProject, type Project } from "../../support/project/running-project.ts";

const shared = ["claude-code", ".claude/settings.json"] as const;

/** A machine with the state in its usual place. */
function machine(): Project {
  const project = temporaryProject();
  delete project.env.HOOKBELL_STATE_DIR;
  return project;
}

const put = ({ home }: Project, path: string, text: string): void => {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
};
const read = ({ home }: Project, path: string): string => readFileSync(join(home, path), "utf8");
const init = async (project: Project, agent: string): Promise<void> => {
  const { code, stderr } = await project.run(["init", "--yes", "--agent", agent]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
};
const commandsIn = (text: string): string[] =>
  [...text.matchAll(/"command": "((?:[^"\\]|\\.)*)"/g)].map(([, command = ""]) => JSON.parse(`"${command}"`) as string);

it("have one text for both, which each machine runs as its own (posix)", async () => {
  const [agent, path] = shared;
  const [one, other] = [machine(), machine()];
  for (const each of [one, other]) put(each, path, "{}");
  await init(one, agent);
  const text = read(one, path);
  const commands = new Set(commandsIn(text));
  expect(commands).toEqual(new Set(['"$HOME"/.local/state/hookbell/hookbell-hook.sh --agent claude-code']));
  put(other, path, text);
  await init(other, agent);
  expect(read(other, path)).toBe(text);
  for (const { home, env } of [one, other]) {
    const [command = ""] = commands;
    const output = execFileSync("sh", ["-c", command], { cwd: home, env, input: payloadOf("Stop"), encoding: "utf8" });
    expect(output).toBe("");
  }
  for (const each of [one, other])
    expect((await each.run(["doctor"])).stdout).toContain("its hooks call this hookbell");
  expect((await one.run(["uninstall", "--yes"])).code).toBe(0);
  expect(read(one, path)).toBe("{}");
});

it("of another machine's absolute path hold on both after init; a path of this machine's own stays as it is (posix)", async () => {
  const [agent, path] = shared;
  const here = machine();
  const entry = (home: string): string => `${home}/.local/state/hookbell/hookbell-hook.sh --agent claude-code`;
  const settings = (home: string): string =>
    JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command: entry(home), timeout: 10 }] }] } }, null, 2);
  put(here, path, settings("/Users/ann"));
  await init(here, agent);
  expect(commandsIn(read(here, path))).not.toContain(entry("/Users/ann"));
  expect(commandsIn(read(here, path))[0]).toMatch(/^"\$HOME"/);
  put(here, path, settings(here.home));
  await init(here, agent);
  expect(commandsIn(read(here, path))[0]).toBe(entry(here.home));
});

it.each([
  ["codex", ".codex/hooks.json"],
  ["gemini-cli", ".gemini/settings.json"],
  ["droid", ".factory/hooks.json"],
])("are those of %s, too, and a working entry is not rewritten (posix)", async (agent, path) => {
  const here = machine();
  put(here, path, "{}");
  await init(here, agent);
  const text = read(here, path);
  expect(commandsIn(text).every((command) => command.startsWith('"$HOME"/.local/state/'))).toBe(true);
  const absolute = text.replaceAll('\\"$HOME\\"', here.home);
  put(here, path, absolute);
  await init(here, agent);
  expect(read(here, path)).toBe(absolute);
});
