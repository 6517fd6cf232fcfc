// One sound at a time on the speakers, across all channels and sessions.
import { join } from "node:path";
import { delivered, failed, type Outcome } from "../../model/outcome.ts";
import { takeLock } from "../../system/process/lock.ts";
import type { ChannelTools } from "../channel-type.ts";

/** A lock older than any sound or speech is stale. */
const staleMs = 90_000;

/** Plays when the speakers are free. After `waitMs` it plays nothing and counts as delivered: the user has just heard one. */
export async function oneSoundAtATime(
  tools: Pick<ChannelTools, "clock" | "signal" | "stateDir">,
  waitMs: number,
  play: () => Promise<Outcome>,
): Promise<Outcome> {
  const { clock, signal, stateDir } = tools;
  const turn = takeLock(join(stateDir, "sound.lock"), { clock, waitMs, staleMs, signal });
  // If the lock cannot be written, two sounds at once are better than none.
  const giveBack = await turn.catch(() => () => {});
  if (signal.aborted) {
    giveBack?.();
    return failed("timeout", "another sound was playing");
  }
  if (giveBack === undefined) return delivered({ detail: "left out: another sound was playing" });
  try {
    return await play();
  } finally {
    giveBack();
  }
}
