// Finds settings that keep the agent from running hooks, or let it notify by itself.
import { objectOf } from "../../model/json.ts";
import { parseDuration } from "../../model/figures/duration.ts";
import { getNodeValue } from "jsonc-parser";
import { join } from "node:path";
import { memberAt } from "../../jsonc/nodes.ts";
import { deepest, parseJsonc } from "../../jsonc/parse.ts";
import { exitCodes } from "../../model/errors.ts";
import { listNames } from "../../system/files/files.ts";
import { readStartIfThere } from "../../system/files/read.ts";
import type { InstallProblem } from "../problem.ts";
import { parseToml } from "../settings/toml.ts";
import type { AgentTarget } from "./agent-target.ts";
import { maxSettingsBytes } from "./read-settings.ts";
import { getStaticTOMLValue } from "toml-eslint-parser";

export function managedProblems({
  hookSetup: { managed },
  managedPlaces: places,
}: Pick<AgentTarget, "hookSetup" | "managedPlaces">): InstallProblem[] {
  if (managed === undefined) return [];
  return places.flatMap(filesAt).flatMap((path) => {
    const { settings, unread } = readAnySettings(path);
    if (unread !== undefined) {
      const hint = "ask the administrator whether hooks are allowed";
      return [
        { path, message: `your administrator's settings cannot be read: ${unread}`, hint, exitCode: exitCodes.failed },
      ];
    }
    const found = managed.switches.filter(({ member, value }) => memberAt(settings, member) === value);
    return found.map(({ member, value }) => ({
      path,
      message: `your administrator set "${member.join(".")}" to ${value}: the agent does not run your hooks`,
      hint: "ask the administrator to allow hooks, then run this again",
      exitCode: exitCodes.failed,
    }));
  });
}

export function switchWarnings({ hookSetup, folder }: Pick<AgentTarget, "hookSetup" | "folder">): string[] {
  return (hookSetup.switches ?? []).flatMap(({ file, member, value }) => {
    const path = join(folder, file);
    const { settings, unread } = readAnySettings(path);
    if (unread !== undefined)
      return [`${path}: cannot be read, so hookbell does not know whether the agent runs hooks: ${unread}`];
    return memberAt(settings, member) === value
      ? [`${path}: "${member.join(".")}" is ${value}: the agent runs no hooks until you remove it`]
      : [];
  });
}

function filesAt(place: string): string[] {
  if (!/[\\/]$/.test(place)) return [place];
  try {
    return listNames(place)
      .filter((name) => name.endsWith(".json"))
      .map((name) => join(place, name));
  } catch {
    return [];
  }
}

/** JSON with comments or TOML. `unread` says which bound of hookbell's keeps it from reading a file that the agent may read. */
function readAnySettings(path: string): { settings?: unknown; unread?: string } {
  let bytes: Buffer | undefined;
  try {
    bytes = readStartIfThere(path, maxSettingsBytes + 1);
  } catch {
    // A file that cannot be read forbids nothing.
  }
  if (bytes === undefined) return {};
  if (bytes.length > maxSettingsBytes) return { unread: `it has more than ${maxSettingsBytes} bytes` };
  const text = bytes.toString("utf8");
  if (path.endsWith(".toml")) {
    const parsed = parseToml(text);
    if ("program" in parsed) return { settings: getStaticTOMLValue(parsed.program) };
    // The agent cannot read what is not TOML, either.
    return parsed.problem.index === undefined ? { unread: parsed.problem.message } : {};
  }
  const { root, tooDeepAt } = parseJsonc(text);
  if (tooDeepAt !== undefined) return { unread: `it is nested more than ${deepest} levels deep` };
  return root === undefined ? {} : { settings: getNodeValue(root) };
}

export function findOwnNotifications({ hookSetup, folder }: Pick<AgentTarget, "hookSetup" | "folder">): string[] {
  return (hookSetup.ownNotifications ?? []).flatMap(({ file, olderFiles = [], member, isOnByDefault, quiet, text }) => {
    const values = [file, ...olderFiles].map((name) => memberAt(readAnySettings(join(folder, name)).settings, member));
    const value = values.find((each) => each !== undefined);
    const isOn = value === undefined ? isOnByDefault : !quiet.includes(value);
    return isOn ? [text] : [];
  });
}

/** The records of the hooks that the user has approved, by their keys. Undefined where the agent asks for no approval. */
export function readApprovals({
  hookSetup: { approvals },
  folder,
}: Pick<AgentTarget, "hookSetup" | "folder">): Record<string, unknown> | undefined {
  if (approvals === undefined) return undefined;
  return objectOf(memberAt(readAnySettings(join(folder, approvals.file)).settings, approvals.member));
}

/** When the agent ends a question that no one answers, in milliseconds, and by which setting. */
export function findQuestionTimeout({
  hookSetup,
  folder,
}: Pick<AgentTarget, "hookSetup" | "folder">): { ms: number; setting: string; path: string } | undefined {
  if (hookSetup.questionTimeout === undefined) return undefined;
  const { file, member } = hookSetup.questionTimeout;
  const path = join(folder, file);
  const value = memberAt(readAnySettings(path).settings, member);
  const ms = typeof value === "string" ? parseDuration(value) : undefined;
  return ms === undefined ? undefined : { ms, setting: member.join("."), path };
}
