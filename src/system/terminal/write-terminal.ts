import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import { codeOf } from "../../model/errors.ts";
import type { Clock } from "../clock.ts";

export type TerminalWrite =
  | { status: "written" }
  /** Nobody sees what is written there, or it is none of ours. */
  | { status: "gone"; why: string }
  /** It takes nothing at the moment: Ctrl-S, or whoever shows it does not read. Nothing of the text has gone out. */
  | { status: "stopped" }
  /** It stopped in the middle. */
  | { status: "torn" };

const pollMs = 50;

/**
 * Writes all of a text to a terminal's device, in one piece, so that nothing of the agent's comes in between. Never
 * waits for a terminal that has stopped, and never makes it ours.
 */
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
      // Half a sequence would swallow what the agent shows next, so the rest must follow.
      if (signal.aborted) return { status: "torn" };
      await new Promise<void>((resolve) => clock.after(pollMs, resolve));
    }
  } catch (error) {
    return { status: "gone", why: `${device} cannot be written (${codeOf(error) ?? "unknown"})` };
  } finally {
    closeSync(descriptor);
  }
}

/** How many bytes it took; none while it is stopped. */
function writeSome(descriptor: number, bytes: Buffer): number {
  try {
    return writeSync(descriptor, bytes);
  } catch (error) {
    if (codeOf(error) === "EAGAIN") return 0;
    throw error;
  }
}
