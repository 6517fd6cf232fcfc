import { readWaitingInput } from "./waiting-input.ts";

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
