// A note of what the dispatcher is at, in a file that outlives it: a payload or a delivery, and the last file of others that it has
// opened for it. It is cleared in the next turn of the event loop, so what stands in it for seconds is what the dispatcher hangs in.
import { join, sep } from "node:path";
import { objectIn, textOf } from "../../model/json.ts";
import { renameIfThere, removeIfThere } from "../../system/files/files.ts";
import { openOverwrittenLine, type OverwrittenLine } from "../../system/files/overwritten-line.ts";
import { readIfThere, watchReading } from "../../system/files/read.ts";
import { ownPid } from "../../system/process/identity.ts";
import type { Layout } from "../layout.ts";

export interface Note {
  pid: number;
  /** Milliseconds since the epoch. */
  at: number;
  /** Such as `incoming/<file>` or `outbox/<file>`. */
  work?: string | undefined;
  file?: string | undefined;
  /** Other programs append to the file. */
  grows?: true | undefined;
}

type Told = Pick<Note, "work" | "file" | "grows">;

const nothing: Told = {};

/** One for the whole process, as the processor is. What lasts outlives a turn of the event loop; the last one has the say. */
const lasting: Told[] = [];
let current = nothing;
let note: { line: OverwrittenLine; now: () => number; said: Told } | undefined;
let isClearing = false;

function pathOf({ lease }: Layout): string {
  return `${lease}.at`;
}

/** Where a note is put aside whose dispatcher is ended. */
function stuckPath({ lease }: Layout): string {
  return `${lease}.stuck`;
}

/** From now on, this process notes what it is at. */
export function openNote(layout: Layout, now: () => number): void {
  const line = openOverwrittenLine(pathOf(layout));
  if (line === undefined) return;
  note = { line, now, said: current };
  write();
  line.rest();
  const own = join(layout.root, sep);
  watchReading({
    onOpened(path, grows) {
      if (path.startsWith(own) || path.startsWith("/proc/")) return;
      say({ work: current.work, file: path, ...(grows && { grows }) });
    },
  });
}

export function closeNote(layout: Layout): void {
  if (note === undefined) return;
  watchReading({ onOpened: () => {} });
  note.line.rest();
  note = undefined;
  // Another dispatcher may have the lease by now.
  if (readNote(layout, ownPid) !== undefined) removeIfThere(pathOf(layout));
}

/** Notes what this process begins with. The returned function ends it, and goes back to what it was at before. */
export function beginWork(told: Pick<Note, "work" | "file">): () => void {
  lasting.push(told);
  say(told);
  return () => {
    lasting.splice(lasting.indexOf(told), 1);
    current = lasting.at(-1) ?? nothing;
    clearSoon();
  };
}

/** The same for as long as `what` runs without a pause; what it waits for afterwards does not count. */
export function duringWork<T>(work: string, what: () => T): T {
  const end = beginWork({ work });
  try {
    return what();
  } finally {
    end();
  }
}

function say(told: Told): void {
  current = told;
  if (note === undefined) return;
  write();
  clearSoon();
}

function write(): void {
  if (note === undefined) return;
  note.said = current;
  note.line.write(JSON.stringify({ pid: ownPid, at: note.now(), ...current }));
}

/** A turn of the event loop that ends does not hang. */
function clearSoon(): void {
  if (isClearing || note === undefined) return;
  isClearing = true;
  setImmediate(() => {
    isClearing = false;
    current = lasting.at(-1) ?? nothing;
    if (note === undefined) return;
    if (note.said !== current) write();
    if (current === nothing) note.line.rest();
  });
}

/** What the process notes that it is at; undefined if it says nothing. */
export function readNote(layout: Layout, pid: number): Note | undefined {
  const found = tryToRead(pathOf(layout));
  return found?.pid === pid ? found : undefined;
}

function tryToRead(path: string): Note | undefined {
  try {
    const { pid, at, work, file, grows } = objectIn(readIfThere(path) ?? "");
    if (typeof pid !== "number" || typeof at !== "number") return undefined;
    return { pid, at, work: textOf(work), file: textOf(file), ...(grows === true && { grows }) };
  } catch {
    return undefined;
  }
}

/** The process that takes the lease next finds it, also if this one ends before. */
export function putNoteAside(layout: Layout): void {
  renameIfThere(pathOf(layout), stuckPath(layout));
}

/** Undefined: no dispatcher was ended. Empty: it was, and what it was at is not known. */
export function readNoteAside(layout: Layout): Note | undefined {
  return tryToRead(stuckPath(layout));
}

export function removeNoteAside(layout: Layout): void {
  removeIfThere(stuckPath(layout));
}
