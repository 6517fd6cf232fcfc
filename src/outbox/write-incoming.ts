import { join } from "node:path";
import { writeWhole } from "../system/files.ts";
import { uniqueName } from "../system/unique-name.ts";
import type { Layout } from "./layout.ts";

const safeNamePart = /^[A-Za-z0-9_-]{1,64}$/;

function namePart(value: string | undefined): string {
  return value !== undefined && safeNamePart.test(value) ? value : "-";
}

/** Durable when it returns; throws the system's error when the disk is full or the folder is gone. */
export function writeIncoming(
  layout: Layout,
  bytes: Uint8Array | string,
  hints: { agentId?: string | undefined; eventName?: string | undefined; nowMs: number },
): string {
  const file = `${uniqueName(hints.nowMs)}.${namePart(hints.agentId)}.${namePart(hints.eventName)}.json`;
  writeWhole(join(layout.incoming, file), bytes);
  return file;
}
