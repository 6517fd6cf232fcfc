// Events that wait to be published, on the disk, so that neither a crash nor a broker that is away loses one. Those that were taken in
// together share a file, and it goes with the last of them: removing a file takes longer than publishing an event.
import { basename, join } from "node:path";
import type { Layout } from "../outbox/layout.ts";
import { randomId } from "../system/crypto.ts";
import { ensurePrivateDir, listNames, removeSoon } from "../system/files/files.ts";
import { readIfThere } from "../system/files/read.ts";
import { appendLine, syncFiles } from "../system/files/write.ts";
import { limits } from "./names.ts";

export function fleetFolder({ root }: Pick<Layout, "root">): string {
  return join(root, "fleet");
}

export interface Waiting {
  eventId: string;
  body: string;
  /** This machine has told the person already, because the broker was away. */
  isTold: boolean;
}

export interface Unpublished {
  /** False when as many wait as may. The event waits once `sync` has written it. `position` decides the order. */
  add(position: string, eventId: string, body: string): boolean;
  /** Resolves when all that was added is durable. Rejects with the system's error; the next call tries it again. */
  sync(): Promise<void>;
  /** The ids, oldest first. */
  list(): readonly string[];
  count(): number;
  /** Undefined for one that is gone. */
  read(eventId: string): Waiting | undefined;
  noteTold(eventId: string): void;
  /** After a crash, one that was removed may wait again until `settle` has been called. */
  remove(eventId: string): void;
  settle(): void;
  /** Resolves when the files of what was removed are gone. */
  finish(): Promise<void>;
}

/** One file: lines of an event's id and its body, or of an id and what has become of it. */
interface Batch {
  path: string;
  left: Set<string>;
  /** How many events were ever written to it. */
  size: number;
  /** Absent if the bodies would have to be read back. */
  bodies: Map<string, string>;
  /** What was removed, and not noted in the file. */
  unnoted: string[];
}

/** Bodies that are published soon are not read back. */
const maxKept = 1000;
/** A larger file would keep what is published for longer. */
const maxTogether = 64;
const told = "told";
const gone = "gone";

export function openUnpublished(layout: Pick<Layout, "root">): Unpublished {
  const folder = join(fleetFolder(layout), "unpublished");
  ensurePrivateDir(folder);
  const batches = new Map<string, Batch>();
  const toldIds = new Set<string>();
  const added = new Map<string, { position: string; body: string }>();
  let kept = 0;
  let current: Batch | undefined;
  for (const name of listNames(folder)) {
    const path = join(folder, name);
    const left = new Set<string>();
    for (const [eventId, what] of linesOf(path)) {
      if (what === told) toldIds.add(eventId);
      else if (what === gone) left.delete(eventId);
      else if (!batches.has(eventId)) left.add(eventId);
    }
    const batch: Batch = { path, left, size: left.size, bodies: new Map(), unnoted: [] };
    if (left.size === 0) void removeSoon(path);
    for (const eventId of left) batches.set(eventId, batch);
  }
  const note = ({ path }: Batch, eventIds: readonly string[], what: string): void => {
    try {
      // The empty line ends a line that a crash has torn.
      appendLine(path, ["", ...eventIds.map((eventId) => lineOf(eventId, what))].join("\n"));
    } catch {
      // If the disk is full, only this process knows of the removal.
    }
  };
  const drop = (eventId: string): Batch | undefined => {
    const batch = batches.get(eventId);
    if (batch === undefined) return undefined;
    batches.delete(eventId);
    toldIds.delete(eventId);
    batch.left.delete(eventId);
    if (batch.bodies.delete(eventId)) kept -= 1;
    return batch;
  };
  const partly = new Set<Batch>();
  let emptied: string[] = [];
  let removing: Promise<void> | undefined;
  const removeFiles = async (): Promise<void> => {
    // Remove one file after the other, since the threads that remove files also sync others, and a file that stays is
    // published again.
    for (let path = emptied.shift(); path !== undefined; path = emptied.shift()) await removeSoon(path);
    removing = undefined;
  };
  return {
    add(position, eventId, body) {
      if (batches.has(eventId) || added.has(eventId)) return true;
      if (batches.size + added.size >= limits.maxUnpublished) return false;
      added.set(eventId, { position, body });
      return true;
    },
    async sync() {
      const events = [...added];
      const [first] = events;
      if (first === undefined) return;
      if (current === undefined || current.left.size === 0 || current.size >= maxTogether) {
        const path = join(folder, `${first[1].position}.${randomId()}`);
        current = { path, left: new Set(), size: 0, bodies: new Map(), unnoted: [] };
      }
      const batch = current;
      // Nothing may remove the file from here on, so it must not look empty.
      for (const [eventId] of events) batch.left.add(eventId);
      batch.size += events.length;
      appendLine(batch.path, ["", ...events.map(([eventId, { body }]) => lineOf(eventId, body))].join("\n"));
      await syncFiles(folder, [basename(batch.path)]);
      for (const [eventId, { body }] of events) {
        added.delete(eventId);
        batches.set(eventId, batch);
        if (kept >= maxKept) continue;
        batch.bodies.set(eventId, body);
        kept += 1;
      }
    },
    list: () => [...batches.keys()],
    count: () => batches.size,
    read(eventId) {
      const batch = batches.get(eventId);
      if (batch === undefined) return undefined;
      if (!batch.bodies.has(eventId)) {
        for (const [id, body] of linesOf(batch.path)) {
          if (!batch.left.has(id) || batch.bodies.has(id) || body === told || body === gone) continue;
          batch.bodies.set(id, body);
          kept += 1;
        }
      }
      const body = batch.bodies.get(eventId);
      if (body === undefined) drop(eventId);
      return body === undefined ? undefined : { eventId, body, isTold: toldIds.has(eventId) };
    },
    noteTold(eventId) {
      const batch = batches.get(eventId);
      if (batch === undefined || toldIds.has(eventId)) return;
      toldIds.add(eventId);
      note(batch, [eventId], told);
    },
    remove(eventId) {
      const batch = drop(eventId);
      if (batch === undefined) return;
      if (batch.left.size > 0) {
        batch.unnoted.push(eventId);
        partly.add(batch);
        return;
      }
      partly.delete(batch);
      emptied.push(batch.path);
      removing ??= removeFiles();
    },
    settle() {
      for (const batch of partly) note(batch, batch.unnoted.splice(0), gone);
      partly.clear();
    },
    finish: async () => await removing,
  };
}

/** JSON has no tab in it, so a line that a crash has torn does not end with one. */
function lineOf(eventId: string, what: string): string {
  return `${eventId} ${what}\t`;
}

/** Nothing for a file that is gone. */
function* linesOf(path: string): Generator<[eventId: string, what: string]> {
  for (const line of (readIfThere(path) ?? "").split("\n")) {
    const [, eventId, what] = /^(evt_[0-9a-z]+) (.+)\t$/.exec(line) ?? [];
    if (eventId !== undefined && what !== undefined) yield [eventId, what];
  }
}
