import { createHash } from "node:crypto";
import { join } from "node:path";
import { listNames, readBytesIfThere, removeIfThere, statIfThere } from "../system/files.ts";
import type { Layout } from "./layout.ts";

/**
 * A payload as it came. What the hook knows beside it stands in the file's name, so that a shell script can write one
 * too: `<unique>.<agent>.<event>.json`, where agent and event may be `-`.
 */
export interface IncomingPayload {
  file: string;
  text: string;
  agentId: string | undefined;
  eventName: string | undefined;
  /** Milliseconds since the epoch: the file's modification time. */
  receivedAt: number;
  /** The same at every reading of the same file. */
  eventId: string;
  /** Sorts among all events by the time it came; begins the names of its deliveries. */
  position: string;
}

/** Names of the payloads that wait, oldest first. */
export function listIncoming(layout: Layout): string[] {
  return listNames(layout.incoming).filter((name) => name.endsWith(".json"));
}

/** One waiting payload, or undefined when it is gone. */
export function readIncoming(layout: Layout, file: string): IncomingPayload | undefined {
  const path = join(layout.incoming, file);
  const bytes = readBytesIfThere(path);
  const stats = statIfThere(path);
  if (bytes === undefined || stats === undefined) return undefined;
  const [unique = "", agent = "-", event = "-"] = file.split(".");
  const receivedAt = Math.trunc(stats.mtimeMs);
  const digest = createHash("sha256").update(`${file}\n${receivedAt}`).digest("hex");
  return {
    file,
    text: bytes.toString("utf8"),
    agentId: agent === "-" ? undefined : agent,
    eventName: event === "-" ? undefined : event,
    receivedAt,
    eventId: `evt_${digest.slice(0, 24)}`,
    // Names made by others than us may not begin with the time.
    position: /^\d{13}-/.test(unique) ? unique : `${String(receivedAt).padStart(13, "0")}-${unique}`,
  };
}

export function removeIncoming(layout: Layout, file: string): void {
  removeIfThere(join(layout.incoming, file));
}
