import { isAbsolute, join } from "node:path";
import type { Agent } from "../agents/define-agent.ts";
import type { Wiring } from "../agents/define-wiring.ts";
import { agents } from "../agents/index.ts";
import type { Environment } from "../system/environment.ts";
import { statIfThere } from "../system/files.ts";
import { findProgram } from "../system/find-program.ts";

/** An agent that hookbell can wire, and where its settings lie on this machine. */
export interface AgentTarget {
  id: string;
  name: string;
  wiring: Wiring;
  /** Absolute; it may not exist. */
  folder: string;
  /** Why we think that the agent is used here; undefined when nothing says so. */
  sign: string | undefined;
}

/** Every agent that can be wired, found here or not. */
export function listTargets(env: Environment, home: string, platform: NodeJS.Platform): AgentTarget[] {
  return agents.flatMap(({ id, name, wiring }: Agent) => {
    if (wiring === undefined) return [];
    const folder = agentFolder(wiring, env, home);
    const program = findProgram(wiring.program, env, platform);
    const sign = statIfThere(folder) !== undefined ? folder : program;
    return [{ id, name, wiring, folder, sign }];
  });
}

/** The agent's settings folder, moved by the same variables that the agent obeys. */
export function agentFolder({ folder }: Pick<Wiring, "folder">, env: Environment, home: string): string {
  const moved = folder.env === undefined ? undefined : env[folder.env];
  if (moved !== undefined && isAbsolute(moved)) return moved;
  const otherHome = folder.homeEnv === undefined ? undefined : env[folder.homeEnv];
  return join(otherHome !== undefined && isAbsolute(otherHome) ? otherHome : home, folder.path);
}
