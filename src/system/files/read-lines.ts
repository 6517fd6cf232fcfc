// Reads the lines of a growing file from where the last reading ended.
import { closeSync, readSync } from "node:fs";
import { openRegular } from "./read.ts";

export interface LinesRead {
  lines: string[];
  /** In bytes: behind the last whole line that was read, or inside a line that is being skipped. */
  offset: number;
  hasMore: boolean;
  /** The reading began inside a line. */
  beganInLine?: true;
}

const newline = 0x0a;
/** One reading skips no more of a long line, so that the caller can do something else in between. */
const maxSkippedBytes = 64 * 1024 * 1024;

/**
 * Returns about `chunkBytes` of whole lines, or one longer line of at most `maxLineBytes` without its newline. A longer
 * line is skipped, and so is the rest of a line that begins before `offset`.
 */
export function readLinesFrom(
  path: string,
  offset: number,
  { chunkBytes, maxLineBytes }: { chunkBytes: number; maxLineBytes: number },
): LinesRead | undefined {
  const open = openRegular(path, { grows: true });
  if (open === undefined) return undefined;
  const { descriptor, size: bytes } = open;
  try {
    const left = bytes - offset;
    if (left <= 0) return { lines: [], offset, hasMore: false };
    const isInLine = offset > 0 && readAt(descriptor, offset - 1, 1)[0] !== newline;
    if (isInLine) return { ...skipLine(descriptor, offset, chunkBytes), beganInLine: true };
    // The longest line that is read needs one more byte, for its newline.
    const mostBytes = Math.max(chunkBytes, maxLineBytes + 1);
    for (let size = chunkBytes; ; size = Math.min(size * 4, mostBytes)) {
      const buffer = readAt(descriptor, offset, Math.min(size, left));
      const end = buffer.lastIndexOf(newline) + 1;
      if (end > 0) {
        const lines = buffer.toString("utf8", 0, end).split("\n");
        return { lines: lines.filter((line) => line.trim() !== ""), offset: offset + end, hasMore: end < left };
      }
      if (buffer.length >= left) return { lines: [], offset, hasMore: false };
      if (size === mostBytes) return skipLine(descriptor, offset + buffer.length, chunkBytes);
    }
  } finally {
    closeSync(descriptor);
  }
}

function skipLine(descriptor: number, offset: number, chunkBytes: number): LinesRead {
  for (let at = offset; ; at += chunkBytes) {
    if (at - offset >= maxSkippedBytes) return { lines: [], offset: at, hasMore: true };
    const buffer = readAt(descriptor, at, chunkBytes);
    const end = buffer.indexOf(newline);
    if (end !== -1) return { lines: [], offset: at + end + 1, hasMore: true };
    if (buffer.length < chunkBytes) return { lines: [], offset: at + buffer.length, hasMore: false };
  }
}

function readAt(descriptor: number, offset: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let bytes = 0;
  while (bytes < length) {
    const count = readSync(descriptor, buffer, bytes, length - bytes, offset + bytes);
    if (count === 0) break;
    bytes += count;
  }
  return buffer.subarray(0, bytes);
}
