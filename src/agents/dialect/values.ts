import type { Payload } from "./agent.ts";

/** The value, when it is a string with something in it. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The value, when it is an object; else an empty one, so that what it would hold is looked up all the same. */
export function objectOf(value: unknown): Payload {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Payload) : {};
}

/** The first text of an array. */
export function firstText(value: unknown): string | undefined {
  return Array.isArray(value) ? value.map(textOf).find((text) => text !== undefined) : undefined;
}

/** A length of time in milliseconds; 0 is what agents send that did not measure. */
export function millisecondsOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : undefined;
}

/** Whether it is a time as `Date.prototype.toISOString` writes it. */
export function isIsoTime(value: unknown): boolean {
  return typeof value === "string" && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/.test(value);
}

/** Whether a tool, a prompt or a stop is that of a helper that the agent has started. */
export function isOfHelper(payload: Payload): boolean {
  return textOf(payload.agent_id) !== undefined || textOf(payload.parent_agent_id) !== undefined;
}

/**
 * A stand-in for the session's id, the same for every event from one folder: some agents have no such id. It is not
 * cryptographic (FNV-1a), because the hook would have to load a library for that.
 */
export function sessionOfFolder(cwd: unknown): string | undefined {
  const folder = textOf(cwd);
  if (folder === undefined) return undefined;
  let hash = 0x811c9dc5;
  for (let index = 0; index < folder.length; index += 1) {
    hash = Math.imul(hash ^ folder.charCodeAt(index), 0x01000193);
  }
  return `cwd-${(hash >>> 0).toString(16).padStart(8, "0")}`;
}

/** Whether the agent itself has named the session, so that no other one has the same id. */
export function isNamedSession(session: string): boolean {
  return session !== "unknown" && !/^cwd-[0-9a-f]{8}$/.test(session);
}
