import { join } from "node:path";
import { delivered, failed, type Outcome } from "../../model/outcome.ts";
import { takeTurn } from "../../system/files/lock.ts";
import type { ChannelTools } from "../channel-type.ts";

/** Whoever has had the speakers for longer than any sound or speech may last has lost them. */
const staleMs = 90_000;

/**
 * Plays when the speakers are free, across all channels and sessions. What would have to wait for longer than `waitMs`
 * is left out as delivered, since the person has just been called.
 */
export async function oneSoundAtATime(
  tools: Pick<ChannelTools, "clock" | "signal" | "stateDir">,
  waitMs: number,
  play: () => Promise<Outcome>,
): Promise<Outcome> {
  const { clock, signal, stateDir } = tools;
  const turn = takeTurn(join(stateDir, "sound.lock"), { clock, waitMs, staleMs, signal });
  // Where no lock can be written, two sounds at once are better than none.
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
