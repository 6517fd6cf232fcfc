// Puts a payload into incoming/.
import { join } from "node:path";
import { writeWhole } from "../system/files/write.ts";
import { uniqueName } from "../system/files/files.ts";
import type { Layout } from "./layout.ts";

/** More would not fit into a file's name. */
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

/** Durable when it returns. */
export function writeIncoming(
  layout: Layout,
  bytes: Uint8Array | string,
  hints: {
    agentId?: string | undefined;
    eventName?: string | undefined;
    callerPids?: readonly number[];
    wiredBy?: string | undefined;
    /** Instead of a new name, which `uniqueName` made. */
    unique?: string | undefined;
    nowMs: number;
  },
): string {
  const { agentId, eventName, callerPids = [], wiredBy, nowMs, unique = uniqueName(nowMs) } = hints;
  const parts = [unique, namePart(agentId), namePart(eventName)];
  if (callerPids.length > 0 || wiredBy !== undefined) parts.push(callerPids.join("-") || "-");
  if (wiredBy !== undefined) parts.push(namePart(wiredBy));
  const file = `${parts.join(".")}.json`;
  writeWhole(join(layout.incoming, file), bytes);
  return file;
}
