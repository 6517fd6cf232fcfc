// Reads the file to which hooks in a sandbox append, as it grows, and keeps each event exactly once: also when this process is
// killed, and when the file is replaced, cut or begun anew. Everything in the file is untrusted, and so is what lies in its place.
import { join } from "node:path";
import * as z from "zod";
import { codeOf, describeWriteError, UserError } from "../../model/errors.ts";
import type { Layout } from "../../outbox/layout.ts";
import { type Clock, sleep } from "../../system/clock.ts";
import { sha256 } from "../../system/crypto.ts";
import { statIfThere } from "../../system/files/files.ts";
import { notRegular, readJson, readPartWithoutLinks } from "../../system/files/read.ts";
import { writeWhole } from "../../system/files/write.ts";
import type { RemoteEvent } from "./host.ts";
import { createReceiver, hookName } from "./receive.ts";
import { readStatus, remoteFolder, type RemoteStatus, type SpoolRemote, writeStatus } from "./remotes.ts";

/** Folders that are mounted from elsewhere tell of no changes, so the reader looks. */
const lookMs = 1000;
const maxLineBytes = 8 * 1024 * 1024;
/** Most steps need no more; a longer line is read once more as a whole. */
const usualBytes = 1024 * 1024;
const maxEvents = 64;
/** A file that is begun anew may repeat so many events. */
const maxSeen = 20_000;
const keyLength = 12;
/** The reader remembers the end of a line that is too long. */
const endBytes = 4096;

/** Offsets are in bytes. */
const readingSchema = z.object({
  /** The next line begins here. */
  offset: z.number(),
  /** The last line that was read begins here. The file is still the same one if `digest` is that of the bytes up to `offset`. */
  from: z.number(),
  digest: z.string(),
  /** The line at `offset` is too long, and its beginning was skipped. */
  isSkipping: z.boolean(),
  /** Lines of this file that are no events, or too long. */
  unreadable: z.number(),
  /** Keys of the names that were taken, the oldest first. */
  seen: z.string(),
});
type Reading = Omit<z.infer<typeof readingSchema>, "seen">;

const start: Reading = { offset: 0, from: 0, digest: sha256(""), isSkipping: false, unreadable: 0 };

const pathOf = (layout: Pick<Layout, "root">, name: string): string => join(remoteFolder(layout, name), "read.json");

/** How many lines of the file cannot be read. */
export function countUnreadable(layout: Pick<Layout, "root">, name: string): number {
  return readJson(pathOf(layout, name), readingSchema)?.unreadable ?? 0;
}

const keyOf = (name: string): string => sha256(name).slice(0, keyLength);

/** hooks/hookbell-spool.sh lets the file grow no larger. */
const maxSpoolBytes = 64 * 1024 * 1024;

/** What a person should know of the file; `why` it cannot be read. */
export function lookAtSpool(path: string): { isFull: boolean; dropped: number; why?: string } {
  try {
    const part = readPartWithoutLinks(path, 0, 1);
    const { size: dropped } = readPartWithoutLinks(`${path}.dropped`, 0, 1) ?? { size: 0 };
    const isFull = (part?.size ?? 0) >= maxSpoolBytes;
    return { isFull, dropped, ...(part === undefined ? { why: noFile } : {}) };
  } catch (error) {
    return { isFull: false, dropped: 0, why: describeSpoolError(error) };
  }
}

const noFile = "no such file yet";

export interface SpoolReader {
  /** Takes some events in. Returns how many, and whether the file has more; throws if it cannot be read. */
  step(nowMs: number): Promise<{ count: number; isMore: boolean }>;
}

/** `isOurs` says whether this process still is the one that reads. */
export function openSpool(layout: Layout, { name, target }: SpoolRemote, isOurs: () => boolean): SpoolReader {
  const receiver = createReceiver(layout, name, isOurs);
  const { seen: keys, ...kept } = readJson(pathOf(layout, name), readingSchema) ?? { ...start, seen: "" };
  let reading: Reading = kept;
  const seen = new Set(keys.match(/.{12}/g));
  const note = (next: Reading, names: readonly string[]): void => {
    for (const each of names) seen.add(keyOf(each));
    for (const key of seen) {
      if (seen.size <= maxSeen) break;
      seen.delete(key);
    }
    writeWhole(pathOf(layout, name), JSON.stringify({ ...next, seen: [...seen].join("") }));
    reading = next;
  };
  // An earlier step may have been cut off anywhere, by a full disk or the end of its process.
  let isCutOff = true;
  return {
    async step(nowMs) {
      if (isCutOff) {
        // These events were taken in, and perhaps not noted. The next batch would make the receiver forget them.
        const taken = receiver.resume();
        if (taken.length > 0) note(reading, taken);
        isCutOff = false;
      }
      const read = readOn(target, reading);
      if (read === undefined) throw new UserError("remote.noFile", noFile);
      const { next } = read;
      if (next.offset === reading.offset && next.from === reading.from) return { count: 0, isMore: false };
      const news = new Map(read.events.filter((each) => !seen.has(keyOf(each.name))).map((each) => [each.name, each]));
      const names = [...news.keys()];
      isCutOff = true;
      if (names.length > 0) await receiver.store([...news.values()], 0, nowMs, () => Promise.resolve());
      if (!isOurs()) throw new Error("another dispatcher has taken over");
      note(next, names);
      isCutOff = false;
      return { count: names.length, isMore: true };
    },
  };
}

/** Undefined if there is no such file. */
function readOn(path: string, reading: Reading): { events: RemoteEvent[]; next: Reading } | undefined {
  const { offset, from } = reading;
  const knownBytes = offset - from;
  const part = readPartWithoutLinks(path, from, knownBytes + usualBytes);
  if (part === undefined) return undefined;
  const known = part.bytes.subarray(0, knownBytes);
  if (known.length < knownBytes || sha256(known) !== reading.digest) return readOn(path, start);
  let bytes = part.bytes.subarray(knownBytes);
  if (bytes.length === usualBytes && !bytes.includes("\n")) {
    bytes = readPartWithoutLinks(path, offset, maxLineBytes + 1)?.bytes ?? bytes;
  }

  const events: RemoteEvent[] = [];
  let { isSkipping, unreadable } = reading;
  let lastLine = from;
  let read = 0;
  while (events.length < maxEvents) {
    const end = bytes.indexOf("\n", read);
    if (end === -1) break;
    if (end > read) {
      const event = isSkipping ? undefined : eventOf(bytes.subarray(read, end));
      if (event !== undefined) events.push(event);
      else if (!isSkipping) unreadable += 1;
      lastLine = offset + read;
    }
    isSkipping = false;
    read = end + 1;
  }
  if (read === 0 && (isSkipping || bytes.length > maxLineBytes)) {
    if (!isSkipping) unreadable += 1;
    isSkipping = true;
    read = bytes.length;
    lastLine = offset + read - endBytes;
  }
  if (read === 0) return { events, next: reading };
  // Any number of empty lines may follow a line.
  const next = Math.max(lastLine, offset + read - maxLineBytes, 0);
  const last = readPartWithoutLinks(path, next, offset + read - next)?.bytes ?? Buffer.alloc(0);
  return { events, next: { offset: offset + read, from: next, digest: sha256(last), isSkipping, unreadable } };
}

const maxNameBytes = 300;
const brace = "}".charCodeAt(0);

/** `NAME {...}`, as hooks/hookbell-spool.sh writes it. A hook that was killed may have left the beginning of one. */
function eventOf(line: Buffer): RemoteEvent | undefined {
  let end = line.length;
  while (end > 0 && (line[end - 1] ?? 0) <= 0x20) end -= 1;
  const space = line.subarray(0, maxNameBytes).indexOf(" ");
  const name = line.toString("latin1", 0, Math.max(0, space));
  if (!hookName.test(name) || line[end - 1] !== brace) return undefined;
  // Sandboxes that share a file may count the same process ids.
  const digits = Number.parseInt(sha256(line.subarray(0, end)).slice(0, 8), 16) % 1_000_000;
  const unique = name.replace(/^(\d+-\d+-\d+)-\d+/, (_, first: string) => `${first}-${digits}`);
  return { name: unique, bytes: Buffer.from(line.subarray(space + 1, end)), isAsking: false };
}

/** Never rejects. */
export async function followSpool(
  layout: Layout,
  remote: SpoolRemote,
  { clock }: { clock: Clock },
  { hasLease }: { hasLease(): boolean },
  signal: AbortSignal,
): Promise<void> {
  const { name, target } = remote;
  let lastAt = readStatus(layout, name)?.lastAt;
  let noted: string | undefined;
  const note = (status: Pick<RemoteStatus, "what" | "why" | "code">): void => {
    const text = JSON.stringify([status, lastAt]);
    if (signal.aborted || text === noted) return;
    try {
      writeStatus(layout, name, { ...status, at: clock.now(), ...(lastAt === undefined ? {} : { lastAt }) });
      noted = text;
    } catch {
      // If the disk is full, an old status stays.
    }
  };
  const spool = openSpool(layout, remote, () => !signal.aborted && hasLease());
  let looked: string | undefined;
  while (!signal.aborted) {
    let waitMs = lookMs;
    try {
      const stats = statIfThere(target);
      const look = stats === undefined ? undefined : `${stats.mtimeMs} ${stats.bytes}`;
      if (look === undefined || look !== looked) {
        looked = undefined;
        const { count, isMore } = await spool.step(clock.now());
        if (count > 0) lastAt = clock.now();
        if (isMore) waitMs = 0;
        // The next look shows what is appended during the step.
        else looked = look;
        note({ what: "connected" });
      }
    } catch (error) {
      note({ what: "waiting", code: "remote.file", why: describeSpoolError(error) });
    }
    await sleep(clock, waitMs, signal);
  }
}

function describeSpoolError(error: unknown): string {
  if (error instanceof UserError) return error.message;
  const code = codeOf(error);
  if (code === notRegular || code === "ELOOP") return "the file is a link, a folder or a device, and is not read";
  if (code === "EACCES" || code === "EPERM") return "the file may not be read";
  return describeWriteError(error);
}
