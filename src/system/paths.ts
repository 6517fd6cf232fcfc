// Finds the folders of configuration and state.
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import type { Environment } from "./environment.ts";

export interface Places {
  home: string;
  /** Holds `rules.jsonc`. */
  configDir: string;
  /** The path of the rules file, which may not exist. */
  rulesFile: string;
  /** The queue and the journal; 0700. */
  stateDir: string;
}

/** The specification ignores relative values: https://specifications.freedesktop.org/basedir-spec/ */
function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

/** HOOKBELL_CONFIG_DIR and HOOKBELL_STATE_DIR override the XDG variables. */
export function findPlaces(env: Environment, platform: NodeJS.Platform = process.platform): Places {
  const isWindows = platform === "win32";
  // Git Bash sets HOME too, and may set it to another folder; agents and Node go by the profile.
  const home = (isWindows ? env.USERPROFILE : env.HOME) ?? env.HOME ?? env.USERPROFILE ?? homedir();
  const configRoot = isWindows
    ? (absolute(env.APPDATA) ?? join(home, "AppData", "Roaming"))
    : (absolute(env.XDG_CONFIG_HOME) ?? join(home, ".config"));
  const stateRoot = isWindows
    ? (absolute(env.LOCALAPPDATA) ?? join(home, "AppData", "Local"))
    : (absolute(env.XDG_STATE_HOME) ?? join(home, ".local", "state"));
  const configDir = resolve(env.HOOKBELL_CONFIG_DIR || join(configRoot, "hookbell"));
  const stateDir = resolve(env.HOOKBELL_STATE_DIR || join(stateRoot, "hookbell"));
  return { home, configDir, stateDir, rulesFile: join(configDir, "rules.jsonc") };
}

export function expandHome(path: string, home: string): string {
  return path === "~" || path.startsWith("~/") || path.startsWith("~\\") ? join(home, path.slice(1)) : path;
}

/** A child process in another folder needs absolute paths. */
export function withPlaces(env: Environment, { configDir, stateDir }: Places): Environment {
  return { ...env, HOOKBELL_CONFIG_DIR: configDir, HOOKBELL_STATE_DIR: stateDir };
}

/** The browsers that were paired with the page of `hookbell serve`, and what belongs to each. */
export function devicesDir(stateDir: string): string {
  return join(stateDir, "devices");
}
