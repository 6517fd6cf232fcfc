// The folders in which agents have worked here, as the agents themselves list them.
import { join } from "node:path";
import { placeFolder } from "../../../agents/hook-setup.ts";
import { findHookSetup } from "../../../agents/hook-setups.ts";
import { maxSettingsBytes } from "../../../install/target/read-settings.ts";
import { parseToml } from "../../../install/settings/toml.ts";
import { objectOf, parseJson } from "../../../model/json.ts";
import type { SessionRecord } from "../../../outbox/sessions.ts";
import { tryToStat } from "../../../system/files/files.ts";
import { readStartIfThere } from "../../../system/files/read.ts";
import type { Machine } from "./find.ts";
import { getStaticTOMLValue } from "toml-eslint-parser";

/** Sessions of longer ago have no hooks to run. */
const recentMs = 12 * 3_600_000;

/** The folders of this machine's sessions that may go on. */
export function recentProjects(sessions: readonly SessionRecord[], now: number): string[] {
  const recent = sessions.filter(({ host, lastSeenAt }) => host === undefined && now - lastSeenAt < recentMs);
  return [...new Set(recent.flatMap(({ folder }) => (folder === undefined || folder === "" ? [] : [folder])))];
}

const maxProjects = 300;

/** Those that Claude Code and Codex list, as long as they are there. */
export function listedProjects({ env, home }: Machine): string[] {
  const folderOf = (agent: string): string => {
    const folder = findHookSetup(agent)?.folders[0];
    return folder === undefined ? home : placeFolder(folder, env, home);
  };
  const claude = [join(home, ".claude.json"), join(folderOf("claude-code"), ".claude.json")];
  const listed = [
    ...claude.flatMap((path) => Object.keys(objectOf(objectOf(parseJson(textOf(path))).projects))),
    ...Object.keys(objectOf(tomlOf(textOf(join(folderOf("codex"), "config.toml"))).projects)),
  ];
  return [...new Set(listed)].filter((folder) => tryToStat(folder)?.isFolder === true).slice(0, maxProjects);
}

function textOf(path: string): string {
  try {
    return readStartIfThere(path, maxSettingsBytes)?.toString("utf8") ?? "";
  } catch {
    return "";
  }
}

function tomlOf(text: string): Record<string, unknown> {
  const parsed = parseToml(text);
  return "program" in parsed ? objectOf(getStaticTOMLValue(parsed.program)) : {};
}
