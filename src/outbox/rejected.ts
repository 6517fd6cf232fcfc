// What could not be understood, in rejected/, with the reasons beside it.
import { join } from "node:path";
import { listNames, renameIfThere, tryToRemove, uniqueName } from "../system/files/files.ts";
import { readStartIfThere } from "../system/files/read.ts";
import { writeWhole } from "../system/files/write.ts";
import { keepWithin, rejectedBounds, tooMany } from "./bounds.ts";
import { writeJournal } from "./journal.ts";
import type { Layout } from "./layout.ts";

const maxRejectedPayloadBytes = 1024 * 1024;

const payloadSuffix = ".payload";
const reasonsSuffix = ".reasons.txt";

export function keepRejected(layout: Layout, bytes: Uint8Array, reasons: readonly string[], nowMs: number): string {
  const name = uniqueName(nowMs);
  const reasonsPath = join(layout.rejected, `${name}${reasonsSuffix}`);
  writeWhole(reasonsPath, linesOf(reasons));
  try {
    writeWhole(join(layout.rejected, `${name}${payloadSuffix}`), bytes.subarray(0, maxRejectedPayloadBytes));
  } catch (error) {
    tryToRemove(reasonsPath);
    throw error;
  }
  boundRejected(layout, nowMs);
  return `${name}${payloadSuffix}`;
}

/** Moving it needs no room on the disk. */
function moveToRejected(layout: Layout, path: string, reasons: readonly string[], nowMs: number): string | undefined {
  const name = uniqueName(nowMs);
  if (!renameIfThere(path, join(layout.rejected, `${name}${payloadSuffix}`))) return undefined;
  try {
    writeWhole(join(layout.rejected, `${name}${reasonsSuffix}`), linesOf(reasons));
  } catch {
    // The journal may still have the reasons.
  }
  boundRejected(layout, nowMs);
  return `${name}${payloadSuffix}`;
}

function boundRejected(layout: Layout, nowMs: number): void {
  const removed = keepWithin(layout.rejected, rejectedBounds);
  if (removed.length > 0)
    writeJournal(layout, nowMs, { kind: "removed", what: `${removed.length} rejected files`, why: tooMany });
}

function linesOf(reasons: readonly string[]): string {
  return reasons.map((reason) => `${reason}\n`).join("");
}

export function countRejected(layout: Layout): number {
  return listNames(layout.rejected).filter((name) => name.endsWith(payloadSuffix)).length;
}

const maxReasonsBytes = 200;

/** Files of hookbell's own that were damaged; the others are payloads. */
export function countDamaged(layout: Layout): number {
  return listNames(layout.rejected).filter((name) => {
    if (!name.endsWith(reasonsSuffix)) return false;
    const reasons = readStartIfThere(join(layout.rejected, name), maxReasonsBytes)?.toString("utf8") ?? "";
    return /^(?:outbox|dead|journal|endpoints)\//.test(reasons);
  }).length;
}

/** What cannot be understood must not stop the rest. */
export function quarantine(
  layout: Layout,
  folder: "incoming" | "outbox" | "dead" | "journal" | "endpoints",
  file: string,
  problem: string,
  nowMs: number,
): void {
  const cameAs = `${folder}/${file}`;
  const kept = moveToRejected(layout, join(layout[folder], file), [`${cameAs}: ${problem}`], nowMs);
  writeJournal(layout, nowMs, { kind: "rejected", file: kept ?? cameAs, cameAs, reasons: [problem] });
}
