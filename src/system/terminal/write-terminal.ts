// Writes to another process's terminal without blocking.
import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import { codeOf } from "../../model/errors.ts";
import { type Clock, sleep } from "../clock.ts";

export type TerminalWrite =
  | { status: "written" }
  /** The terminal is gone, or another user's. */
  | { status: "gone"; why: string }
  /** The terminal is stopped, as after Ctrl-S. Nothing was written. */
  | { status: "stopped" }
  /** The terminal stopped in the middle of the text. */
  | { status: "torn" };

const pollMs = 50;

/** In one piece, so that no output of the agent comes in between. */
export async function writeTerminal(
  device: string,
  text: string,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<TerminalWrite> {
  let descriptor: number;
  try {
    descriptor = openSync(device, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (error) {
    return { status: "gone", why: `${device} cannot be opened (${codeOf(error) ?? "unknown"})` };
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isCharacterDevice() || !isatty(descriptor)) return { status: "gone", why: `${device} is no terminal` };
    if (stats.uid !== process.getuid?.()) return { status: "gone", why: `${device} is another user's` };
    let left = Buffer.from(text, "utf8");
    let isBegun = false;
    for (;;) {
      const count = writeSome(descriptor, left);
      if (count > 0) isBegun = true;
      left = left.subarray(count);
      if (left.length === 0) return { status: "written" };
      if (!isBegun) return { status: "stopped" };
      if (signal.aborted) return { status: "torn" };
      await sleep(clock, pollMs);
    }
  } catch (error) {
    return { status: "gone", why: `${device} cannot be written (${codeOf(error) ?? "unknown"})` };
  } finally {
    closeSync(descriptor);
  }
}

/** 0 while the terminal is stopped. */
function writeSome(descriptor: number, bytes: Buffer): number {
  try {
    return writeSync(descriptor, bytes);
  } catch (error) {
    if (codeOf(error) === "EAGAIN") return 0;
    throw error;
  }
}
