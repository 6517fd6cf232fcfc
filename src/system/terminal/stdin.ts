import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** What came on standard input, or why nothing usable did. */
export interface StdinReading {
  /**
   * `ended`: all of it came. `terminal`: a person's keyboard. `silent`: it was left open, as some agents do, and
   * nothing came for too long. `tooLarge`: more came than may.
   */
  status: "ended" | "terminal" | "silent" | "tooLarge";
  /** What came, at most one chunk more than `maxBytes`. */
  bytes: Buffer;
}

interface StdinLimits {
  /** Between two chunks. */
  silenceMs: number;
  /** In all. */
  deadlineMs: number;
  maxBytes: number;
}

/** Reads standard input to its end, within these limits; by a stream, which takes its time to load, only where it must. */
export async function readStdin(limits: StdinLimits): Promise<StdinReading> {
  const { chunks, isWhole } = readWaitingInput(limits.maxBytes);
  if (!isWhole) return await readStream(chunks, limits);
  const bytes = Buffer.concat(chunks);
  return { status: bytes.length > limits.maxBytes ? "tooLarge" : "ended", bytes };
}

/** Reads what comes after these chunks. */
function readStream(chunks: Buffer[], { silenceMs, deadlineMs, maxBytes }: StdinLimits): Promise<StdinReading> {
  const { stdin } = process;
  if (stdin.isTTY) return Promise.resolve({ status: "terminal", bytes: Buffer.alloc(0) });
  return new Promise((resolve) => {
    let bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const finish = (status: StdinReading["status"]): void => {
      clearTimeout(deadline);
      clearTimeout(silence);
      stdin.removeAllListeners();
      // A pipe that stays open must not keep us alive.
      stdin.on("error", () => {});
      stdin.destroy();
      resolve({ status, bytes: Buffer.concat(chunks) });
    };
    const deadline = setTimeout(() => finish("silent"), deadlineMs);
    const silence = setTimeout(() => finish("silent"), silenceMs);
    stdin.on("data", (chunk: Buffer) => {
      silence.refresh();
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) finish("tooLarge");
    });
    stdin.on("end", () => finish("ended"));
    // A closed descriptor is no input; the reader says so.
    stdin.on("error", () => finish("ended"));
  });
}

/** What lay there; `isWhole` when that was all, or more than may be. */
export interface WaitingInput {
  chunks: Buffer[];
  isWhole: boolean;
}

/**
 * Reads of standard input what can be had without waiting: of a file everything, and on Linux what lies in a pipe, which
 * is nearly always all, since the agent has written it while Node was starting. At most one chunk more than `maxBytes`.
 */
function readWaitingInput(maxBytes: number): WaitingInput {
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

/** Whether somebody writes to our standard input, or a file stands behind it; `/dev/null` and a closed one are nothing. */
export function hasPipedInput(): boolean {
  try {
    const stats = fstatSync(0);
    return stats.isFIFO() || stats.isSocket() || stats.isFile();
  } catch {
    return false;
  }
}
