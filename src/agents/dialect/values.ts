// Reads single values of any type out of a payload.
import type { Payload } from "./agent.ts";
import { textOf } from "../../model/json.ts";

export function firstText(value: unknown): string | undefined {
  return Array.isArray(value) ? value.map(textOf).find((text) => text !== undefined) : undefined;
}

/** 0 means that the agent did not measure it. */
export function millisecondsOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : undefined;
}

/** True for a time as `toISOString` writes it. */
export function isIsoTime(value: unknown): boolean {
  return typeof value === "string" && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/.test(value);
}

export function isOfSubagent(payload: Payload): boolean {
  return textOf(payload.agent_id) !== undefined || textOf(payload.parent_agent_id) !== undefined;
}

/** An id for agents that name no session. FNV-1a needs no library. */
export function sessionOfFolder(cwd: unknown): string | undefined {
  const folder = textOf(cwd);
  if (folder === undefined) return undefined;
  let hash = 0x811c9dc5;
  for (let index = 0; index < folder.length; index += 1) {
    hash = Math.imul(hash ^ folder.charCodeAt(index), 0x01000193);
  }
  return `cwd-${(hash >>> 0).toString(16).padStart(8, "0")}`;
}

/** By the agent, so that no other session has the name. Sessions of another machine have its name in front. */
export function isNamedSession(session: string): boolean {
  return !/(?:^|:)(?:unknown|cwd-[0-9a-f]{8})$/.test(session);
}

/** The same for every way to write a name of several words. */
export function bareName(name: string): string {
  return name.replace(/[\s._-]/g, "").toLowerCase();
}
