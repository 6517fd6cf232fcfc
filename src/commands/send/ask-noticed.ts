import type { Noticing } from "../../channels/channel-type.ts";
import type { Channel } from "../../rules/rules.ts";
import type { Ask } from "../console/ask.ts";
import type { CommandIo } from "../console/command-io.ts";
import { wrap } from "../console/text.ts";

const verbs = { see: "seen", hear: "heard" } as const;

/** What to say behind a delivery that only the person can confirm, where nobody can be asked. */
export function onlyYouCanTell(channel: Channel): string {
  const { noticing } = channel.channelType;
  return noticing === undefined ? "" : `; whether it was ${verbs[noticing.how]}, only you can tell`;
}

/** Asks whether the sample was seen or heard; after a no, what to look at. Undefined: the person walked away. */
export async function askNoticed(
  io: CommandIo,
  ask: Pick<Ask, "confirm">,
  channel: Channel,
): Promise<boolean | undefined> {
  const { noticing } = channel.channelType;
  if (noticing === undefined) return true;
  const isNoticed = await ask.confirm(`Did you ${noticing.how} it?`, true);
  if (isNoticed === false) io.stdout(adviceFor(noticing, io.columns));
  return isNoticed;
}

function adviceFor({ otherwise }: Noticing, columns: number): string {
  const lead = "  - ";
  const lines = otherwise.map((each) => `${lead}${wrap(each, columns - lead.length, "    ")}\n`);
  return `What to look at:\n${lines.join("")}`;
}
