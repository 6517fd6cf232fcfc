import { join } from "node:path";
import { listNames, writeWhole } from "../system/files.ts";
import { uniqueName } from "../system/unique-name.ts";
import { keepWithin, rejectedBounds } from "./bounds.ts";
import type { Layout } from "./layout.ts";

/** At most this much of a payload that did not validate is kept. */
const maxRejectedPayloadBytes = 1024 * 1024;

const reasonsSuffix = ".reasons.txt";

/** Keeps a payload that did not validate, and beside it the reasons, one a line. Returns the payload's file name. */
export function keepRejected(layout: Layout, bytes: Uint8Array, reasons: readonly string[], nowMs: number): string {
  const name = uniqueName(nowMs);
  writeWhole(join(layout.rejected, `${name}${reasonsSuffix}`), reasons.map((reason) => `${reason}\n`).join(""));
  writeWhole(join(layout.rejected, `${name}.payload`), bytes.subarray(0, maxRejectedPayloadBytes));
  keepWithin(layout.rejected, rejectedBounds);
  return `${name}.payload`;
}

export function countRejected(layout: Layout): number {
  return listNames(layout.rejected).filter((name) => name.endsWith(".payload")).length;
}
