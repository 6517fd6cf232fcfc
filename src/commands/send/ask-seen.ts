// Asks whether the user noticed a sample, if no receiver can confirm it.
import type { Channel } from "../../rules/rules.ts";
import type { Ask } from "../../console/ask.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { wrap } from "../../console/output/text.ts";

const participles = { see: "seen", hear: "heard" } as const;

/** The hint after an unconfirmed delivery if the user cannot be asked. */
export function onlyYouCanTell(channel: Channel): string {
  const { noticing } = channel.channelType;
  return noticing === undefined ? "" : `; only you can tell whether it was ${participles[noticing.how]}`;
}

/** Prints what to check after a "no". Undefined if the user cancelled. */
export async function askSeen(
  io: CommandIo,
  ask: Pick<Ask, "confirm">,
  channel: Channel,
): Promise<boolean | undefined> {
  const { noticing } = channel.channelType;
  if (noticing === undefined) return true;
  const isSeen = await ask.confirm(`Did you ${noticing.how} it?`, true);
  if (isSeen === false) {
    const lead = "  - ";
    const lines = noticing.otherwise.map((each) => `${lead}${wrap(each, io.columns - lead.length, "    ")}\n`);
    io.stdout(`What to check:\n${lines.join("")}`);
  }
  return isSeen;
}
