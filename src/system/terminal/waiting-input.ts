import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** What lay there; `isWhole` when that was all, or more than may be. */
export interface WaitingInput {
  chunks: Buffer[];
  isWhole: boolean;
}

/**
 * Reads of standard input what can be had without waiting: of a file everything, and on Linux what lies in a pipe, which
 * is nearly always all, since the agent has written it while Node was starting. At most one chunk more than `maxBytes`.
 */
export function readWaitingInput(maxBytes: number): WaitingInput {
  const chunks: Buffer[] = [];
  let descriptor: number | undefined;
  try {
    descriptor = openWithoutWaiting();
    if (descriptor === undefined) return { chunks, isWhole: false };
    for (let bytes = 0; bytes <= maxBytes;) {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const count = readSync(descriptor, chunk);
      if (count === 0) break;
      chunks.push(chunk.subarray(0, count));
      bytes += count;
    }
    return { chunks, isWhole: true };
  } catch {
    // The rest has not come yet, or is not to be had in this way.
    return { chunks, isWhole: false };
  } finally {
    if (descriptor !== undefined && descriptor !== 0) closeSync(descriptor);
  }
}

const chunkBytes = 64 * 1024;

/** A descriptor for standard input whose reading never waits; undefined where there is no such thing. */
function openWithoutWaiting(): number | undefined {
  const stats = fstatSync(0);
  if (stats.isFile()) return 0;
  // Opened anew, since the agent may share the open pipe with us. Elsewhere this opens nothing anew and reading waits.
  if (!stats.isFIFO() || process.platform !== "linux") return undefined;
  return openSync("/proc/self/fd/0", constants.O_RDONLY | constants.O_NONBLOCK);
}
