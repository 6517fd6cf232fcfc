// What can be seen at once of a dispatcher that hangs: it lives, and its lease has run out or it has been at one thing for seconds.
import { isSameProcess, isVisible, leaseMs, readLease } from "../lease/lease.ts";
import type { Layout } from "../layout.ts";
import { type Note, readNote } from "./note.ts";

export interface Hung extends Pick<Note, "work" | "file"> {
  pid: number;
  host: string;
  /** How long it has given no sign of life. */
  silentMs: number;
}

/** Looking for the person takes up to a second, and a note may then stand for as long. */
const longNoteMs = 3000;

/** Undefined also for a dispatcher of another host, and where no one can tell. */
export function findHung(layout: Layout, nowMs: number): Hung | undefined {
  const lease = readLease(layout);
  if (lease === undefined) return undefined;
  const { pid, host } = lease.holder;
  if (!isVisible(lease.holder) || !isSameProcess(lease.holder)) return undefined;
  const { work, file, at } = readNote(layout, pid) ?? {};
  const isAtOneThing = (work ?? file) !== undefined && at !== undefined && nowMs - at > longNoteMs;
  if (!isAtOneThing && lease.until > nowMs) return undefined;
  const silentMs = Math.max(nowMs - (lease.until - leaseMs), isAtOneThing ? nowMs - at : 0);
  return { pid, host, silentMs, work, file };
}

/** Such as ` at incoming/x, in the file /repo/.hookbell.jsonc`; empty if nothing is known. */
export function describeWork({ work, file }: Pick<Note, "work" | "file">): string {
  const parts = [work && `at ${work}`, file && `in the file ${file}`].filter(Boolean);
  return parts.length === 0 ? "" : ` ${parts.join(", ")}`;
}
