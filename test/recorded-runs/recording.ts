// The recording of a run: what a real agent did while a script pressed the keys, and what was true meanwhile. JSON lines,
// the first of which says what was run.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ownPackageFolder } from "../../src/system/package.ts";
import type { StateKind } from "../../src/sessions/state.ts";

export interface RunHeader {
  agent: string;
  version: string;
  /** The script's name. */
  run: string;
  /** What the script does, as a sentence. */
  does: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
}

/** `ms` counts from the beginning of the run. `seat` is the terminal: "a", or "b" where the run has two. */
export type RunEntry = { ms: number } & (
  | {
      kind: "hook";
      seat: string;
      agent: string;
      event?: string | undefined;
      /** The number of the process that the dispatcher would take for the agent's. */
      process?: number | undefined;
      payload: Record<string, unknown>;
    }
  /** Lines that were added to a file. */
  | { kind: "lines"; file: string; lines: unknown[] }
  /** A file that was written anew; without its content, it was removed. */
  | { kind: "file"; file: string; content?: unknown }
  | { kind: "ended"; process: number }
  /** A command of the model began or ended. `argv` and `env` hold what the agent's signs read. */
  | { kind: "command"; id: number; argv: string[]; env: Record<string, string>; process?: number | undefined }
  | { kind: "commandEnded"; id: number }
  /** From now on, the session does one of these. */
  | { kind: "truth"; seat: string; is: StateKind[]; why: string }
  /** Nothing happens for so long. A replay lets that time pass; the recording did not. */
  | { kind: "rest"; forMs: number }
);

export interface Run {
  header: RunHeader;
  entries: RunEntry[];
}

/** What stands for the agent's home folder in recordings. */
export const recordedHome = "/home/ada";

function folder(): string {
  return join(ownPackageFolder(), "test", "recorded-runs", "runs");
}

export function pathOfRun({ agent, run }: Pick<RunHeader, "agent" | "run">): string {
  return join(folder(), agent, `${run}.jsonl`);
}

export function textOfRun({ header, entries }: Run): string {
  return [header, ...entries].map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** By agent, then by name. */
export function recordedRuns(): Run[] {
  return readdirSync(folder(), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((name) => {
      const [header = "", ...entries] = readFileSync(join(folder(), name), "utf8").trimEnd().split("\n");
      return { header: JSON.parse(header) as RunHeader, entries: entries.map((line) => JSON.parse(line) as RunEntry) };
    });
}
