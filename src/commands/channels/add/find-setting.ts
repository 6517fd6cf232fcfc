// Asks the service for a setting that it can name, such as the chat of a bot, and lets the user choose.
import { callChannel } from "../../../pipeline/channel/call-channel.ts";
import type { SettingInfo } from "../../../rules/setting-info.ts";
import type { AskMore } from "../../../console/ask.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { openDispatcher } from "../../pipeline/open-dispatcher.ts";
import { askSetting } from "./ask-setting.ts";
import { channelOfDraft, type ChannelDraft, withSetting } from "./draft.ts";
import { fitting } from "./set-flags.ts";

const findMs = 15_000;

/** Asks for the setting, by its finder if it has one. Undefined means that the user cancelled. */
export async function findOrAsk(
  ask: AskMore,
  io: CommandIo,
  draft: ChannelDraft,
  setting: SettingInfo,
): Promise<ChannelDraft | undefined> {
  const { key } = setting;
  const finder = draft.channelType.setUp?.find?.[key];
  if (finder === undefined) return await askSetting(ask, draft, setting);
  const typed = { value: "type", label: `Type the ${key}` };
  const withValue = (value: string): ChannelDraft => withSetting(draft, [key], fitting(draft, [key], value));
  for (let isFirst = true; ; isFirst = false) {
    const found = isFirst ? [] : await findValues(ask, io, withValue("1"), key);
    const looks = {
      value: "look",
      label: found.length === 0 ? `Look for it, once I did this: ${finder.how}` : "Look again",
    };
    const options = found.map(({ value, name }) => ({ value: `=${value}`, label: name, hint: value }));
    const picked = await ask.pick(`${key}: ${setting.meaning}`, [...options, looks, typed]);
    if (picked === undefined) return undefined;
    if (picked === "type") return await askSetting(ask, draft, setting);
    if (picked.startsWith("=")) return withValue(picked.slice(1));
  }
}

/** Says why it finds none. `draft` has any value for the setting. */
async function findValues(ask: AskMore, io: CommandIo, draft: ChannelDraft, key: string) {
  const channel = channelOfDraft(draft);
  const finder = draft.channelType.setUp?.find?.[key];
  if (channel === undefined || finder === undefined) return [];
  const called = await callChannel(await openDispatcher(io), channel, { timeoutMs: findMs }, (settings, tools) =>
    finder.find(settings, tools),
  );
  if ("failure" in called) await ask.note(`not found: ${called.detail}`);
  else if (called.value.length === 0) await ask.note("nothing was written yet");
  return "failure" in called ? [] : called.value;
}
