// A sandbox without network: its hook appends each event to one file, which a project on this machine reads.
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { quietRules, recorded } from "../faults/remote-storm.ts";
import { addRemote, end, type Ended, type Project, temporaryProject } from "./running-project.ts";

export interface Box {
  folder: string;
  spool: string;
  hook(input: string, argv?: readonly [string, ...string[]], env?: NodeJS.ProcessEnv): Promise<Ended>;
}

export async function addBox(project: Project): Promise<Box> {
  const folder = join(project.home, "box");
  mkdirSync(folder);
  const spool = join(folder, "spool");
  const added = await addRemote(project, "box/spool", "--by", "file", "--name", "box");
  expect(added).toMatchObject({ code: 0, stderr: "" });
  const script = join(folder, "hookbell-spool.sh");
  return {
    folder,
    spool,
    hook(input, argv = ["sh"], env = {}) {
      const [program, ...before] = argv;
      const more = [...before, script, "--agent", "claude-code"];
      return end(spawn(program, more, { cwd: folder, env: { PATH: process.env.PATH, ...env } }), input);
    },
  };
}

/** A project that records what it hears of, and tells no one. */
export function recordingProject(): Project {
  const project = temporaryProject();
  project.writeRules(quietRules);
  return project;
}

/** What has come from the sandbox. */
export const gotFromBox = (project: Project): string[] => recorded(project, { name: "box" });
