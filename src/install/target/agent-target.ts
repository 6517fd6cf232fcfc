// Finds the agents of this machine and their settings folders.
import { isAbsolute, join } from "node:path";
import { agents } from "../../agents/index.ts";
import type { FolderPlace, Wiring } from "../../agents/wiring.ts";
import { findWiring } from "../../agents/wirings.ts";
import type { Environment } from "../../system/environment.ts";
import { statIfThere } from "../../system/files/files.ts";
import { readIfThere } from "../../system/files/read.ts";
import { findProgram } from "../../system/process/find-program.ts";
import { runProcess } from "../../system/process/run.ts";
import { isMarkedOwn } from "../command/owner.ts";

export interface AgentTarget {
  id: string;
  name: string;
  wiring: Wiring;
  /** Absolute; it may not exist. */
  folder: string;
  placeOf(place: FolderPlace): string;
  /** Existing or not. */
  managedPlaces: readonly string[];
  /** The path that shows that the agent is in use here. */
  sign: string | undefined;
  /** Its program, when it is on PATH. */
  program: string | undefined;
  /** The installed release has no hooks, only the one program that it calls. */
  isOlder: boolean;
}

/** Before the agent sees what was written. */
export function nextStepOf({ wiring, isOlder }: Pick<AgentTarget, "wiring" | "isOlder">): string {
  return isOlder && wiring.notify !== undefined ? wiring.notify.nextStep : wiring.nextStep;
}

/** In use here or not. */
export function listTargets(env: Environment, home: string, platform: NodeJS.Platform): AgentTarget[] {
  return agents.flatMap(({ id, name }) => {
    const wiring = findWiring(id);
    if (wiring === undefined) return [];
    const placeOf = (place: FolderPlace): string => placeFolder(place, env, home);
    const program = wiring.programs.flatMap((name) => findProgram(name, env, platform) ?? [])[0];
    const signs = [
      ...wiring.folders.map((folder) => folder.sign ?? folder),
      ...wiring.files.flatMap(({ place }) => place ?? []),
    ].map(placeOf);
    const sign = signs.find((folder) => statIfThere(folder) !== undefined) ?? program;
    const folder = chooseFolder(wiring, placeOf, platform);
    const { managed } = wiring;
    const named = managed?.moved === undefined ? undefined : env[managed.moved];
    const managedPlaces = named ? [named] : (managed?.files[platform] ?? []);
    return [{ id, name, wiring, folder, placeOf, managedPlaces, sign, program, isOlder: false }];
  });
}

/** Moved by the variables that the agent obeys. */
export function placeFolder({ path, moved }: FolderPlace, env: Environment, home: string): string {
  const root = moved === undefined ? undefined : env[moved.env];
  return root !== undefined && isAbsolute(root) ? join(root, moved?.into ?? "") : join(home, path);
}

/** Of several folders the one with files of hookbell's, else the first that exists. */
function chooseFolder(wiring: Wiring, placeOf: (place: FolderPlace) => string, platform: NodeJS.Platform): string {
  const [first, ...others] = wiring.folders;
  const holdsOurs = (folder: FolderPlace): boolean =>
    (wiring.ownFiles ?? []).some((file) => isOwnThere(join(placeOf(folder), file.name(platform))));
  const chosen =
    others.length === 0
      ? first
      : (wiring.folders.find(holdsOurs) ??
        wiring.folders.find((folder) => statIfThere(placeOf(folder.sign ?? folder)) !== undefined) ??
        first);
  return placeOf(chosen);
}

function isOwnThere(path: string): boolean {
  try {
    return isMarkedOwn(readIfThere(path) ?? "");
  } catch {
    return false;
  }
}

const versionTimeoutMs = 5000;

/** A release that cannot be told has hooks. */
export async function withReleases(targets: readonly AgentTarget[], env: Environment): Promise<AgentTarget[]> {
  return await Promise.all(
    targets.map(async (target) => {
      const { notify } = target.wiring;
      if (notify === undefined || target.program === undefined) return target;
      const result = await runProcess({ argv: [target.program, "--version"], env, timeoutMs: versionTimeoutMs });
      const version = result.status === "exited" ? result.stdout : "";
      return { ...target, isOlder: isOlderThan(version, notify.hooksSince) };
    }),
  );
}

/** False when the text has no version. */
export function isOlderThan(text: string, since: string): boolean {
  const [found, wanted] = [text, since].map((version) => /(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number));
  if (found === undefined || wanted === undefined) return false;
  const differing = found.findIndex((part, index) => part !== wanted[index]);
  return differing !== -1 && (found[differing] ?? 0) < (wanted[differing] ?? 0);
}
