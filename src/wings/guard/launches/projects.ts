// The folders in which agents have worked here, as the agents themselves list them.
import { join } from "node:path";
import { placeFolder } from "../../../agents/hook-setup.ts";
import { findHookSetup } from "../../../agents/hook-setups.ts";
import { parseToml } from "../../../install/settings/toml.ts";
import { objectOf, parseJson, textOf } from "../../../model/json.ts";
import type { SessionRecord } from "../../../outbox/sessions.ts";
import { tryToStat } from "../../../system/files/files.ts";
import { isAlive } from "../../../system/process/identity.ts";
import { folderOfProcess } from "../../../system/process/facts.ts";
import { namesIn } from "./file-names.ts";
import { type Machine, startOf } from "./find.ts";
import { getStaticTOMLValue } from "toml-eslint-parser";

/** Sessions of longer ago have no hooks to run. */
const recentMs = 12 * 3_600_000;

/** The folders of this machine's sessions that may go on. */
export function recentProjects(sessions: readonly SessionRecord[], now: number): string[] {
  const recent = sessions.filter(({ host, lastSeenAt }) => host === undefined && now - lastSeenAt < recentMs);
  return [...new Set(recent.flatMap(({ folder }) => (folder === undefined || folder === "" ? [] : [folder])))];
}

const maxProcesses = 200;

/**
 * The folders in which Claude Code is open, before its first event: it writes a file for each of its processes, `PID.json` with the
 * folder. While it still asks whether you trust the folder, there is only `PID.….key`. Measured with 2.1.332.
 */
export class OpenFolders {
  readonly folder: string;
  /** Keys are the names of the files. */
  #known: ReadonlyMap<string, string | undefined> = new Map();

  constructor(machine: Machine) {
    this.folder = join(ownFolder("claude-code", machine), "sessions");
  }

  look(): string[] {
    const names = (namesIn(this.folder) ?? []).slice(0, maxProcesses);
    this.#known = new Map(names.map((name) => [name, this.#known.get(name) ?? this.#read(name)]));
    return [...new Set([...this.#known.values()].filter((folder) => folder !== undefined))];
  }

  /** Whether one of the processes of the last look is there: a killed one leaves its file. */
  isAny(): boolean {
    return [...this.#known.keys()].some((name) => /^\d{1,10}\./.test(name) && isAlive(Number.parseInt(name, 10)));
  }

  #read(name: string): string | undefined {
    const [, pid, kind] = /^(\d{1,10})\.(?:[^.]+\.)?(json|key)$/.exec(name) ?? [];
    if (kind === "key") return folderOfProcess(Number(pid));
    return kind === "json" ? textOf(objectOf(parseJson(startOf(join(this.folder, name)))).cwd) : undefined;
  }
}

const maxProjects = 300;

/** Those that Claude Code and Codex list, as long as they are there. */
export function listedProjects(machine: Machine): string[] {
  const claude = [machine.home, ownFolder("claude-code", machine)].map((folder) => join(folder, ".claude.json"));
  const listed = [
    ...claude.flatMap((path) => Object.keys(objectOf(objectOf(parseJson(startOf(path))).projects))),
    ...Object.keys(objectOf(tomlOf(startOf(join(ownFolder("codex", machine), "config.toml"))).projects)),
  ];
  return [...new Set(listed)].filter((folder) => tryToStat(folder)?.isFolder === true).slice(0, maxProjects);
}

function ownFolder(agent: string, { env, home }: Machine): string {
  const folder = findHookSetup(agent)?.folders[0];
  return folder === undefined ? home : placeFolder(folder, env, home);
}

function tomlOf(text: string): Record<string, unknown> {
  const parsed = parseToml(text);
  return "program" in parsed ? objectOf(getStaticTOMLValue(parsed.program)) : {};
}
