// Finds the agents of this machine and their settings folders.
import { isAbsolute, join } from "node:path";
import { agents } from "../../agents/index.ts";
import type { FolderPlace } from "../../agents/dialect/agent.ts";
import { placeFolder, type HookSetup } from "../../agents/hook-setup.ts";
import { findHookSetup } from "../../agents/hook-setups.ts";
import type { Environment } from "../../system/environment.ts";
import { statIfThere } from "../../system/files/files.ts";
import { readIfThere } from "../../system/files/read.ts";
import { findProgram } from "../../system/process/find-program.ts";
import { isMarkedOwn } from "../command/owner.ts";

export interface AgentTarget {
  id: string;
  name: string;
  hookSetup: HookSetup;
  /** An absolute path; it may not exist. */
  folder: string;
  placeOf(place: FolderPlace): string;
  /** These places may not exist. */
  managedPlaces: readonly string[];
  /** The path that shows that the agent is in use here. */
  sign: string | undefined;
  /** The agent's program, if it is on PATH. */
  program: string | undefined;
  /** A variable that should move the folder, and names none: such as `~/x`, which no shell has expanded. */
  strayVariable?: { name: string; value: string } | undefined;
}

/** The agents that hookbell can set up. */
export const agentsToSetUp = agents.flatMap(({ id, name }) => {
  const hookSetup = findHookSetup(id);
  return hookSetup === undefined ? [] : [{ id, name, hookSetup }];
});

/** Lists agents whether they are in use here or not. */
export function listTargets(env: Environment, home: string, platform: NodeJS.Platform): AgentTarget[] {
  return agentsToSetUp.map(({ id, name, hookSetup }) => {
    const placeOf = (place: FolderPlace): string => placeFolder(place, env, home);
    const program = hookSetup.programs.flatMap((name) => findProgram(name, env, platform) ?? [])[0];
    const signs = [
      ...hookSetup.folders.map((folder) => folder.sign ?? folder),
      ...hookSetup.files.flatMap(({ place }) => place ?? []),
    ].map(placeOf);
    const sign = signs.find((folder) => statIfThere(folder) !== undefined) ?? program;
    const folder = chooseFolder(hookSetup, placeOf, platform);
    const { managed } = hookSetup;
    const named = managed?.moved === undefined ? undefined : env[managed.moved];
    const managedPlaces = named ? [named] : (managed?.files[platform] ?? []);
    const strayVariable = findStray(hookSetup, env);
    return { id, name, hookSetup, folder, placeOf, managedPlaces, sign, program, strayVariable };
  });
}

/** The agents that are in use here. Those that no one has tried count only if they are `named`. */
export function agentsInUse(targets: readonly AgentTarget[], named: readonly string[] = []): AgentTarget[] {
  return targets.filter(
    ({ id, sign, hookSetup }) => sign !== undefined && (hookSetup.isUntried !== true || named.includes(id)),
  );
}

function findStray({ folders }: HookSetup, env: Environment): AgentTarget["strayVariable"] {
  for (const { moved } of folders) {
    const value = moved === undefined ? undefined : env[moved.env];
    if (moved !== undefined && value && !isAbsolute(value)) return { name: moved.env, value };
  }
  return undefined;
}

/** Prefers the folder with files of hookbell's, then the first that exists. */
function chooseFolder(
  hookSetup: HookSetup,
  placeOf: (place: FolderPlace) => string,
  platform: NodeJS.Platform,
): string {
  const [first, ...others] = hookSetup.folders;
  const holdsOurs = (folder: FolderPlace): boolean =>
    (hookSetup.ownFiles ?? []).some((file) => isOwnThere(join(placeOf(folder), file.name(platform))));
  const chosen =
    others.length === 0
      ? first
      : (hookSetup.folders.find(holdsOurs) ??
        hookSetup.folders.find((folder) => statIfThere(placeOf(folder.sign ?? folder)) !== undefined) ??
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
