import { settingsOf } from "../../../rules/setting-info.ts";
import type { AskMore } from "../../console/ask.ts";
import { askSetting } from "./ask-setting.ts";
import { askNoticed, onlyYouCanTell } from "../../send/ask-noticed.ts";
import { channelOfDraft, type ChannelDraft } from "./draft.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { openDispatcher } from "../../pipeline/open-dispatcher.ts";
import { sendSample } from "../../send/sample.ts";
import { showOutcome } from "../../send/report.ts";

/** Sends one sample through the channel that the draft would be; whether it arrived. Undefined: the person walked away. */
export async function tryDraft(io: CommandIo, draft: ChannelDraft, ask?: AskMore): Promise<boolean | undefined> {
  const channel = channelOfDraft(draft);
  if (channel === undefined) throw new Error("a draft was tried that is no channel");
  const { outcome, ms } = await sendSample(openDispatcher(io), channel);
  const isDelivered = outcome.status === "delivered";
  const unsure = isDelivered && ask === undefined ? onlyYouCanTell(channel) : "";
  io.stdout(`${draft.name} (${channel.type}): ${showOutcome(io, outcome, ms)}${unsure}\n`);
  return isDelivered && ask !== undefined ? await askNoticed(io, ask, channel) : isDelivered;
}

/** Offers to try the draft, and to change it until it works; undefined when the person walked away. */
export async function offerToTry(ask: AskMore, io: CommandIo, first: ChannelDraft): Promise<ChannelDraft | undefined> {
  const isWanted = await ask.confirm("Send a test message through it now?", true);
  if (isWanted !== true) return isWanted === undefined ? undefined : first;
  let draft = first;
  for (;;) {
    const hasArrived = await tryDraft(io, draft, ask);
    if (hasArrived !== false) return hasArrived === undefined ? undefined : draft;
    const { settings } = draft;
    const own = settingsOf(draft.channelType).filter(({ key }) => Object.hasOwn(settings, key));
    const next = await ask.pick("What now?", [
      { value: "", label: "Try it again" },
      ...own.map(({ key }) => ({ value: key, label: `Change ${key}, then try it again` })),
      { value: " ", label: "Write it all the same" },
      { value: "  ", label: "Give up" },
    ]);
    if (next === undefined || next === "  ") return undefined;
    if (next === " ") return draft;
    const setting = own.find(({ key }) => key === next);
    const changed = setting === undefined ? draft : await askSetting(ask, draft, setting);
    if (changed === undefined) return undefined;
    draft = changed;
  }
}
