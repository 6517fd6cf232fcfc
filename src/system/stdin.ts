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

/** Reads standard input to its end, for at most `deadlineMs` in all and `silenceMs` between two chunks. */
export function readStdin(options: { silenceMs: number; deadlineMs: number; maxBytes: number }): Promise<StdinReading> {
  const { stdin } = process;
  if (stdin.isTTY) return Promise.resolve({ status: "terminal", bytes: Buffer.alloc(0) });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (status: StdinReading["status"]): void => {
      clearTimeout(deadline);
      clearTimeout(silence);
      stdin.removeAllListeners();
      // A pipe that stays open must not keep us alive.
      stdin.on("error", () => {});
      stdin.destroy();
      resolve({ status, bytes: Buffer.concat(chunks) });
    };
    const deadline = setTimeout(() => finish("silent"), options.deadlineMs);
    const silence = setTimeout(() => finish("silent"), options.silenceMs);
    stdin.on("data", (chunk: Buffer) => {
      silence.refresh();
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > options.maxBytes) finish("tooLarge");
    });
    stdin.on("end", () => finish("ended"));
    // A closed descriptor is no input; the reader says so.
    stdin.on("error", () => finish("ended"));
  });
}
