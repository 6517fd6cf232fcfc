// Payloads as they came, in incoming/, where the hooks write them.
import { join } from "node:path";
import {
  asidePrefix,
  listAside,
  listNames,
  removeIfThere,
  renameIfThere,
  statIfThere,
  timeInName,
} from "../system/files/files.ts";
import { readStartIfThere } from "../system/files/read.ts";
import { writeWhole } from "../system/files/write.ts";
import { type Layout, withLayout } from "./layout.ts";
import { readSession } from "./sessions.ts";
import { sha256 } from "../system/crypto.ts";
import { percentDecoded } from "../model/text.ts";

const pidDigits = 10;

/**
 * `<unique>.<agent>.<event>[.<callers>[.<setup>[.<host>]]].json`, `-` for none; a script's `<unique>` is `sh-<pid>-<callers>-<n>`.
 * After a `p`, the callers have the process that an agent names as its own, and after an `e` the agent in whose hook it was, as
 * the environment says.
 */
export interface IncomingPayload {
  file: string;
  /** The whole file, or the beginning of a larger one. */
  bytes: Buffer;
  size: number;
  agentId: string | undefined;
  eventName: string | undefined;
  /** The value of `--by`. */
  setupName: string | undefined;
  /** The other machine that it comes from. */
  remoteHost: string | undefined;
  /** Milliseconds since the epoch. */
  receivedAt: number;
  /** The hook's parent and grandparent. */
  callerPids: number[];
  /** What the agent's environment names as its process; the agent may have inherited it. */
  namedPid: number | undefined;
  /** The agent in whose hook it was, where that one runs other agents' hooks; it may have been inherited. */
  hookOf?: string | undefined;
  /** The same at every reading. */
  eventId: string;
  /** Begins the names of its deliveries, and sorts by time. */
  position: string;
}

/** Oldest first. */
export function listIncoming(layout: Layout): string[] {
  const names = listNames(layout.incoming).filter((name) => name.endsWith(".json"));
  const positions = new Map(
    names.map((name) => {
      const cameAt = beginsWithTime(name) ? 0 : (statIfThere(join(layout.incoming, name))?.mtimeMs ?? 0);
      return [name, positionOf(name, cameAt)];
    }),
  );
  return names.sort((a, b) => ((positions.get(a) ?? a) < (positions.get(b) ?? b) ? -1 : 1));
}

/** The positions of all payloads that wait. */
export function listPositions(layout: Layout): Set<string> {
  return new Set(
    listNames(layout.incoming).map((name) => {
      const [unique = ""] = name.split(".", 1);
      const cameAt = beginsWithTime(name) ? 0 : (statIfThere(join(layout.incoming, name))?.mtimeMs ?? 0);
      return positionOf(unique, Math.trunc(cameAt));
    }),
  );
}

export function readIncoming(layout: Layout, file: string, maxBytes: number): IncomingPayload | undefined {
  const path = join(layout.incoming, file);
  const bytes = readStartIfThere(path, maxBytes);
  const stats = statIfThere(path);
  if (bytes === undefined || stats === undefined) return undefined;
  const [unique = "", agent = "-", event = "-", caller = "", hookSetup = "-", host = "-"] = file
    .replace(/\.json$/, "")
    .split(".");
  const receivedAt = Math.trunc(stats.mtimeMs);
  return {
    file,
    bytes,
    size: stats.bytes,
    agentId: namePartOf(agent),
    eventName: namePartOf(event),
    setupName: namePartOf(hookSetup),
    remoteHost: namePartOf(host),
    receivedAt,
    namedPid: pidsOf(/(?:^|-)p(\d+)(?:-e[a-z]+)?$/.exec(caller)?.[1] ?? "")[0],
    hookOf: /(?:^|-)e([a-z]+)$/.exec(caller)?.[1],
    callerPids: pidsOf(/^sh-\d+-(\d+(?:-\d+)?)-\d+$/.exec(unique)?.[1] ?? caller),
    eventId: eventIdOf(file, receivedAt),
    position: positionOf(unique, receivedAt),
  };
}

/**
 * The id of the event that a payload's file becomes; `receivedAt` is the file's whole milliseconds since the epoch. An event
 * of the fleet keeps the id that its own machine gave it.
 */
export function eventIdOf(file: string, receivedAt: number): string {
  const published = publishedIdIn(file);
  if (published !== undefined) return published;
  return `evt_${sha256(`${file}\n${receivedAt}`).slice(0, 24)}`;
}

/** The id in the name of an event, or a delivery, that came from another machine of the fleet: `<time>-f<id>`. */
export function publishedIdIn(file: string): string | undefined {
  const [, id] = /^\d{13}-f([0-9a-f]{24})(?=[.-]|$)/.exec(file) ?? [];
  return id === undefined ? undefined : `evt_${id}`;
}

export function removeIncoming(layout: Layout, file: string): void {
  removeIfThere(join(layout.incoming, file));
}

function namePartOf(part: string): string | undefined {
  return part === "-" ? undefined : percentDecoded(part);
}

function pidsOf(text: string): number[] {
  return text
    .split("-")
    .filter((word) => /^[1-9]\d{0,9}$/.test(word))
    .map(Number);
}

function beginsWithTime(name: string): boolean {
  return /^\d{13}-/.test(name);
}

/** In one tick of the file system's clock, the pids decide. */
function positionOf(name: string, cameAt: number): string {
  if (beginsWithTime(name)) return name;
  const sorted = name.replace(/^sh(?:-\d+)+/, (numbers) =>
    numbers.replace(/\d+/g, (number) => number.padStart(pidDigits, "0")),
  );
  return `${timeInName(cameAt)}-${sorted}`;
}

/** `hooks/hookbell-hook.sh` reads into such a file. */
const shellPrefix = `${asidePrefix}sh-`;

export function isShellPayload(name: string): boolean {
  return name.startsWith(shellPrefix);
}

/** What shell hooks are reading, or were reading when they were killed. */
export function listShellPayloads(layout: Layout): string[] {
  return listAside(layout.incoming).filter(isShellPayload);
}

/** The process id of the hook's shell, which names its file by it. */
export function shellOf(name: string): number | undefined {
  const [, pid] = /^sh-(\d+)-/.exec(name.slice(asidePrefix.length)) ?? [];
  return pid === undefined ? undefined : Number(pid);
}

export function takeUpShellPayload(layout: Layout, name: string): void {
  const aside = join(layout.incoming, name);
  if (statIfThere(aside)?.bytes === 0) removeIfThere(aside);
  else renameIfThere(aside, join(layout.incoming, name.slice(asidePrefix.length)));
}

/** An event that no hook sends, and that its source may find again after a crash. */
export interface SourceEvent {
  agentId: string;
  name: string;
  /** The key, which is also the payload's session. */
  key: string;
  payload: Readonly<Record<string, unknown>>;
}

/** False when it waits already or has been taken in. */
export function queueOnce(layout: Layout, { agentId, name, key, payload }: SourceEvent, nowMs: number): boolean {
  const digest = sha256(`${agentId}\n${key}`).slice(0, 24);
  // The order matters: a payload leaves incoming/ after its session's record is written.
  if (listIncoming(layout).some((file) => file.includes(`-${digest}.`))) return false;
  if (readSession(layout, agentId, key).lastSeenAt > 0) return false;
  const file = `${timeInName(nowMs)}-${digest}.${agentId}.${name}.json`;
  withLayout(layout, () => writeWhole(join(layout.incoming, file), JSON.stringify({ ...payload, session_id: key })));
  return true;
}
