// Events that wait to be published, on the disk, so that neither a crash nor a broker that is away loses one. Those that were taken in
// together share a file, and it goes with the last of them: removing a file takes longer than publishing an event.
import { basename, join } from "node:path";
import type { Layout } from "../../../outbox/layout.ts";
import { randomId } from "../../../system/crypto.ts";
import { ensurePrivateDir, listNames, removeSoon } from "../../../system/files/files.ts";
import { readIfThere } from "../../../system/files/read.ts";
import { appendLine, syncFiles } from "../../../system/files/write.ts";
import { limits } from "../names.ts";

export function fleetFolder({ root }: Pick<Layout, "root">): string {
  return join(root, "fleet");
}

export interface UnpublishedEvent {
  eventId: string;
  body: string;
  /** This machine has told the person already, because the broker was away. */
  isTold: boolean;
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

export class Unpublished {
  private readonly folder: string;
  /** The file of each event that waits, oldest first. */
  private readonly batches = new Map<string, Batch>();
  private readonly toldIds = new Set<string>();
  /** What `sync` has not written yet. */
  private readonly added = new Map<string, { position: string; body: string }>();
  /** Gets what is written next. */
  private current: Batch | undefined;
  /** How many bodies are in memory. */
  private kept = 0;
  /** These have lost events that are not noted in them. */
  private readonly partly = new Set<Batch>();
  /** The paths of files to remove. */
  private readonly emptied: string[] = [];
  private removing: Promise<void> | undefined;

  constructor(layout: Pick<Layout, "root">) {
    this.folder = join(fleetFolder(layout), "unpublished");
    ensurePrivateDir(this.folder);
    for (const name of listNames(this.folder)) this.readBack(join(this.folder, name));
  }

  /** False when as many wait as may. The event waits once `sync` has written it. `position` decides the order. */
  add(position: string, eventId: string, body: string): boolean {
    if (this.batches.has(eventId) || this.added.has(eventId)) return true;
    if (this.batches.size + this.added.size >= limits.maxUnpublished) return false;
    this.added.set(eventId, { position, body });
    return true;
  }

  /** Resolves when all that was added is durable. Rejects with the system's error; the next call tries it again. */
  async sync(): Promise<void> {
    const events = [...this.added];
    const [first] = events;
    if (first === undefined) return;
    const batch = this.batchFor(first[1].position);
    // Nothing may remove the file from here on, so it must not look empty.
    for (const [eventId] of events) batch.left.add(eventId);
    batch.size += events.length;
    appendLine(batch.path, ["", ...events.map(([eventId, { body }]) => lineOf(eventId, body))].join("\n"));
    await syncFiles(this.folder, [basename(batch.path)]);
    for (const [eventId, { body }] of events) {
      this.added.delete(eventId);
      this.batches.set(eventId, batch);
      if (this.kept < maxKept) this.keep(batch, eventId, body);
    }
  }

  /** The ids, oldest first. */
  list(): readonly string[] {
    return [...this.batches.keys()];
  }

  count(): number {
    return this.batches.size;
  }

  /** Undefined for one that is gone. */
  read(eventId: string): UnpublishedEvent | undefined {
    const batch = this.batches.get(eventId);
    if (batch === undefined) return undefined;
    if (!batch.bodies.has(eventId)) this.keepAll(batch);
    const body = batch.bodies.get(eventId);
    if (body === undefined) this.drop(eventId);
    return body === undefined ? undefined : { eventId, body, isTold: this.toldIds.has(eventId) };
  }

  noteTold(eventId: string): void {
    const batch = this.batches.get(eventId);
    if (batch === undefined || this.toldIds.has(eventId)) return;
    this.toldIds.add(eventId);
    note(batch, [eventId], told);
  }

  /** After a crash, one that was removed may wait again until `settle` has been called. */
  remove(eventId: string): void {
    const batch = this.drop(eventId);
    if (batch === undefined) return;
    if (batch.left.size > 0) {
      batch.unnoted.push(eventId);
      this.partly.add(batch);
      return;
    }
    this.partly.delete(batch);
    this.emptied.push(batch.path);
    this.removing ??= this.removeFiles();
  }

  settle(): void {
    for (const batch of this.partly) note(batch, batch.unnoted.splice(0), gone);
    this.partly.clear();
  }

  /** Resolves when the files of what was removed are gone. */
  async finish(): Promise<void> {
    await this.removing;
  }

  private readBack(path: string): void {
    const left = new Set<string>();
    for (const [eventId, what] of linesOf(path)) {
      if (what === told) this.toldIds.add(eventId);
      else if (what === gone) left.delete(eventId);
      else if (!this.batches.has(eventId)) left.add(eventId);
    }
    const batch: Batch = { path, left, size: left.size, bodies: new Map(), unnoted: [] };
    if (left.size === 0) void removeSoon(path);
    for (const eventId of left) this.batches.set(eventId, batch);
  }

  private batchFor(position: string): Batch {
    const { current } = this;
    if (current !== undefined && current.left.size > 0 && current.size < maxTogether) return current;
    const path = join(this.folder, `${position}.${randomId()}`);
    return (this.current = { path, left: new Set(), size: 0, bodies: new Map(), unnoted: [] });
  }

  private keep(batch: Batch, eventId: string, body: string): void {
    batch.bodies.set(eventId, body);
    this.kept += 1;
  }

  private keepAll(batch: Batch): void {
    for (const [eventId, body] of linesOf(batch.path)) {
      if (batch.left.has(eventId) && !batch.bodies.has(eventId) && body !== told && body !== gone)
        this.keep(batch, eventId, body);
    }
  }

  private drop(eventId: string): Batch | undefined {
    const batch = this.batches.get(eventId);
    if (batch === undefined) return undefined;
    this.batches.delete(eventId);
    this.toldIds.delete(eventId);
    batch.left.delete(eventId);
    if (batch.bodies.delete(eventId)) this.kept -= 1;
    return batch;
  }

  private async removeFiles(): Promise<void> {
    // Remove one file after the other, since the threads that remove files also sync others, and a file that stays is
    // published again.
    for (let path = this.emptied.shift(); path !== undefined; path = this.emptied.shift()) await removeSoon(path);
    this.removing = undefined;
  }
}

function note({ path }: Batch, eventIds: readonly string[], what: string): void {
  try {
    // The empty line ends a line that a crash has torn.
    appendLine(path, ["", ...eventIds.map((eventId) => lineOf(eventId, what))].join("\n"));
  } catch {
    // If the disk is full, only this process knows of the removal.
  }
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
