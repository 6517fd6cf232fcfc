// Reads standard input with a size limit and a deadline.
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";

export interface StdinReading {
  /** `silent`: left open without data, as some agents do. */
  status: "ended" | "terminal" | "silent" | "tooLarge" | "failed";
  /** The system's error, if it failed. */
  error?: unknown;
  /** The input, with at most one chunk beyond `maxBytes`. */
  bytes: Buffer;
}

interface StdinLimits {
  /** The longest silence between two chunks. */
  silenceMs: number;
  /** The limit for the whole input. */
  deadlineMs: number;
  maxBytes: number;
}

/** A stream is slow to load. */
export async function readStdin(limits: StdinLimits): Promise<StdinReading> {
  const { chunks, isWhole } = readWaitingInput(limits.maxBytes);
  if (!isWhole) return await readStream(chunks, limits);
  const bytes = Buffer.concat(chunks);
  return { status: bytes.length > limits.maxBytes ? "tooLarge" : "ended", bytes };
}

function readStream(chunks: Buffer[], { silenceMs, deadlineMs, maxBytes }: StdinLimits): Promise<StdinReading> {
  const { stdin } = process;
  if (stdin.isTTY) return Promise.resolve({ status: "terminal", bytes: Buffer.alloc(0) });
  return new Promise((resolve) => {
    let bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const finish = (status: StdinReading["status"], error?: unknown): void => {
      clearTimeout(deadline);
      clearTimeout(silence);
      resolve({ status, bytes: Buffer.concat(chunks), error });
    };
    const giveUp = (status: "silent" | "tooLarge"): void => {
      stdin.removeAllListeners();
      stdin.on("error", () => {});
      stdin.destroy();
      finish(status);
    };
    const deadline = setTimeout(() => giveUp("silent"), deadlineMs);
    const silence = setTimeout(() => giveUp("silent"), silenceMs);
    stdin.on("data", (chunk: Buffer) => {
      silence.refresh();
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) giveUp("tooLarge");
    });
    stdin.on("end", () => finish("ended"));
    stdin.on("error", (error) => finish("failed", error));
  });
}

export interface WaitingInput {
  chunks: Buffer[];
  /** True if nothing follows, or it is too large already. */
  isWhole: boolean;
}

/** All of a file, and on Linux a pipe's contents: nearly always everything. */
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
    // The rest has not arrived yet.
    return { chunks, isWhole: false };
  } finally {
    if (descriptor !== undefined && descriptor !== 0) closeSync(descriptor);
  }
}

const chunkBytes = 64 * 1024;

/** Undefined if there is none. */
function openWithoutWaiting(): number | undefined {
  const stats = fstatSync(0);
  if (stats.isFile()) return 0;
  // The agent may share the open pipe with us. Linux only.
  if (!isPipe(stats) || process.platform !== "linux") return undefined;
  return openSync("/proc/self/fd/0", constants.O_RDONLY | constants.O_NONBLOCK);
}

/** `/dev/null` and a closed one are not. */
export function hasPipedInput(): boolean {
  try {
    const stats = fstatSync(0);
    return isPipe(stats) || stats.isSocket() || stats.isFile();
  } catch {
    return false;
  }
}

const typeBits = 0o170000;
const pipeType = 0o010000;

/** On Windows, `isFIFO()` is false whatever the type says. */
function isPipe({ mode }: Pick<Stats, "mode">): boolean {
  return (mode & typeBits) === pipeType;
}
