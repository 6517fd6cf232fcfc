// Puts a payload into incoming/.
import { join } from "node:path";
import { writeWhole } from "../system/files/write.ts";
import { asidePrefix, renameIfThere, statIfThere, uniqueName } from "../system/files/files.ts";
import { ownPid } from "../system/process/identity.ts";
import type { Layout } from "./layout.ts";

/** A longer part would not fit into a file's name. */
const maxNamePartLength = 90;

/** All but letters, digits, `_` and `-` become `%XX`; so does a lone `-`. */
function namePart(value: string | undefined): string {
  if (value === undefined) return "-";
  const encoded = encodeURIComponent(value.toWellFormed()).replace(
    /[.!~*'()]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  const name = encoded === "-" ? "%2d" : encoded;
  return name.length > maxNamePartLength ? "-" : name;
}

interface Hints {
  agentId?: string | undefined;
  eventName?: string | undefined;
  callerPids?: readonly number[];
  /** The process that the agent names as its own. */
  namedPid?: string | undefined;
  /** The agent in whose hook it was, where that one runs other agents' hooks. */
  hookOf?: string | undefined;
  setupName?: string | undefined;
  /** The other machine that it comes from. */
  host?: string | undefined;
  /** A name that `uniqueName` made, in place of a new one. */
  unique?: string | undefined;
  nowMs: number;
}

/** The payload is durable when it returns. */
export function writeIncoming(layout: Layout, bytes: Uint8Array | string, hints: Hints): string {
  const file = incomingFileName(hints);
  writeWhole(join(layout.incoming, file), bytes);
  return file;
}

/**
 * Durable when it returns, but not taken in until it is put into place. If this process is killed
 * before that, a dispatcher takes it up after some seconds, as it does with what a killed shell hook leaves.
 */
export function stageIncoming(layout: Layout, bytes: Uint8Array, hints: Hints): Staged {
  const { callerPids = [] } = hints;
  const asShell = [`sh-${ownPid}-${callerPids.join("-") || "0"}-0`, ...namedParts({ ...hints, callerPids: [] })].join(
    ".",
  );
  const aside = join(layout.incoming, `${asidePrefix}${asShell}.json`);
  writeWhole(aside, bytes);
  const file = incomingFileName(hints);
  const { mtimeMs = hints.nowMs } = statIfThere(aside) ?? {};
  return {
    file,
    receivedAt: Math.trunc(mtimeMs),
    putInPlace() {
      renameIfThere(aside, join(layout.incoming, file));
    },
  };
}

export interface Staged {
  /** The name that it gets, and its time in milliseconds since the epoch: the event's id is made of both. */
  file: string;
  receivedAt: number;
  putInPlace(): void;
}

export function incomingFileName(hints: Hints): string {
  const { nowMs, unique = uniqueName(nowMs) } = hints;
  return `${[unique, ...namedParts(hints)].join(".")}.json`;
}

function namedParts({ agentId, eventName, callerPids = [], namedPid = "", hookOf, setupName, host }: Hints): string[] {
  const pid = /^[1-9]\d{0,9}$/.test(namedPid) ? [`p${namedPid}`] : [];
  const callers = [...callerPids, ...pid, ...(hookOf === undefined ? [] : [`e${hookOf}`])].join("-");
  const parts = [namePart(agentId), namePart(eventName)];
  if (callers !== "" || setupName !== undefined || host !== undefined) parts.push(callers || "-");
  if (setupName !== undefined || host !== undefined) parts.push(namePart(setupName));
  return host === undefined ? parts : [...parts, namePart(host)];
}
