// The hook for POSIX shells, installed for a project and run as agents run it.
import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { scriptText } from "../../../src/install/hook-script.ts";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { unusedOrigin } from "../receivers/http-receiver.ts";
import { rulesTo } from "./running-dispatcher.ts";
import { end, hookPath, temporaryProject, type Ended, type Project } from "./running-project.ts";

/** Shells that are somewhere /bin/sh, by the program that a machine must have. */
const shells: [program: string, argv: readonly [string, ...string[]]][] = [
  ["sh", ["sh"]],
  ["dash", ["dash"]],
  ["bash", ["bash", "--posix"]],
  ["busybox", ["busybox", "sh"]],
  ["zsh", ["zsh", "--emulate", "sh"]],
];

/** The machine's own shell; in test/endurance/, all others. */
export function shellsHere(): typeof shells {
  const isOthers = expect.getState().testPath?.includes("/endurance/") === true;
  return shells.filter(([program]) => (program === "sh") !== isOthers);
}

/** What the hook says when all is well. */
export const silent = { code: 0, signal: null, stdout: "", stderr: "" };

/** A project whose rules tell no one. */
export function quietProject(): Project {
  const project = temporaryProject();
  project.writeRules({ channels: {}, rules: [] });
  return project;
}

/** A project whose dispatcher stays from the first event on, since no one listens at its only channel; others end after ten idle seconds. */
export function stayingProject(): Project {
  const project = temporaryProject();
  project.writeRules(rulesTo(unusedOrigin));
  return project;
}

export function bytesWaiting({ layout }: Project): Buffer[] {
  return listIncoming(layout).map((file) => readFileSync(join(layout.incoming, file)));
}

/** Resolves when so many events are on record. */
export async function untilEvents(project: Project, count: number): Promise<void> {
  await project.until(
    `${count} events`,
    () => project.journal().filter(({ kind }) => kind === "event").length >= count,
  );
}

/** How many dispatchers have taken the lease. */
export function countStarts(project: Project): number {
  return project.journal().filter(({ kind, what }) => kind === "dispatcher" && what === "started").length;
}

/** Writes the script with these paths in it; a hook that is not there keeps every dispatcher away. */
export function putScript(
  path: string,
  { nodePath = process.execPath, hook = hookPath }: { nodePath?: string; hook?: string } = {},
): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, scriptText({ nodePath, hookPath: hook }), { mode: 0o700 });
  return path;
}

/** A script that no dispatcher takes anything away from. */
export function putLonelyScript(project: Project): string {
  return putScript(join(project.home, "lonely.sh"), { hook: "/nowhere/dist/hook.cjs" });
}

export function startScript(
  { env, home }: Project,
  argv: readonly string[],
  more: { env?: NodeJS.ProcessEnv; options?: SpawnOptions } = {},
): ChildProcess {
  const [program = "", ...args] = argv;
  return spawn(program, args, { cwd: home, ...more.options, env: { ...env, ...more.env } });
}

/** Runs it to its end, when every pipe of it is closed; `input` undefined leaves standard input open. */
export function runScript(
  project: Project,
  argv: readonly string[],
  input: string | Buffer | undefined,
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  return end(startScript(project, argv, { env }), input);
}
