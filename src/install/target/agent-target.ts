// Finds the agents of this machine and their settings folders.
import { join } from "node:path";
import { agents } from "../../agents/index.ts";
import type { FolderPlace } from "../../agents/dialect/agent.ts";
import { placeFolder, type Wiring } from "../../agents/wiring.ts";
import { findWiring } from "../../agents/wirings.ts";
import type { Environment } from "../../system/environment.ts";
import { statIfThere } from "../../system/files/files.ts";
import { readIfThere } from "../../system/files/read.ts";
import { findProgram } from "../../system/process/find-program.ts";
import { isMarkedOwn } from "../command/owner.ts";

export interface AgentTarget {
  id: string;
  name: string;
  wiring: Wiring;
  /** An absolute path; it may not exist. */
  folder: string;
  placeOf(place: FolderPlace): string;
  /** These places may not exist. */
  managedPlaces: readonly string[];
  /** The path that shows that the agent is in use here. */
  sign: string | undefined;
  /** The agent's program, if it is on PATH. */
  program: string | undefined;
}

/** The agents that hookbell knows how to wire. */
export const wirableAgents = agents.flatMap(({ id, name }) => {
  const wiring = findWiring(id);
  return wiring === undefined ? [] : [{ id, name, wiring }];
});

/** Lists agents whether they are in use here or not. */
export function listTargets(env: Environment, home: string, platform: NodeJS.Platform): AgentTarget[] {
  return wirableAgents.map(({ id, name, wiring }) => {
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
    return { id, name, wiring, folder, placeOf, managedPlaces, sign, program };
  });
}

/** Prefers the folder with files of hookbell's, then the first that exists. */
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
