// The questions of `channels add`: type, name, settings.
import { loadChannelTypes } from "../../../channels/index.ts";
import { probe } from "../../../pipeline/channel/call-channel.ts";
import { type Alternative, alternativesOf, type SettingInfo, settingsOf } from "../../../rules/setting-info.ts";
import type { AskMore, Option } from "../../../console/ask.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { viewDispatcher } from "../../../daemon/open-dispatcher.ts";
import { findOrAsk } from "./find-setting.ts";
import { nameProblem } from "../names.ts";
import { allowHttp, askSetting } from "./ask-setting.ts";
import { channelOfDraft, type ChannelDraft, problemsOfDraft } from "./draft.ts";

/** Types that cannot work on this machine come last. Undefined means that the user cancelled, here and below. */
export async function askType(ask: AskMore, io: CommandIo): Promise<string | undefined> {
  const dispatcher = await viewDispatcher(io);
  const channelTypes = await loadChannelTypes();
  const options = await Promise.all(
    channelTypes.map(async (channelType) => {
      const { type, summary } = channelType;
      const option = { value: type, label: `${type}: ${summary}` };
      // A type that is complete without settings reaches this machine only.
      const channel = channelOfDraft({ channelType, name: type, settings: {} });
      const result = channel && (await probe(dispatcher, channel));
      return result?.status === "broken" ? { ...option, hint: `not on this machine: ${result.detail}` } : option;
    }),
  );
  const isBroken = (option: Option): boolean => option.hint !== undefined;
  return await ask.pick("What kind of channel?", [
    ...options.filter((each) => !isBroken(each)),
    ...options.filter(isBroken),
  ]);
}

export async function askName(ask: AskMore, draft: ChannelDraft, taken: readonly string[]) {
  const name = await ask.text("What should it be called in rules and on the command line?", {
    usual: draft.name,
    problemOf: (text) => nameProblem(text, draft.channelType.type, taken),
  });
  return name === undefined ? undefined : { ...draft, name };
}

/** Asks for required settings, then for optional ones that the user picks. */
export async function askSettings(ask: AskMore, io: CommandIo, draft: ChannelDraft): Promise<ChannelDraft | undefined> {
  const all = settingsOf(draft.channelType).filter(({ isCommon }) => !isCommon);
  const ways = alternativesOf(draft.channelType);
  const way = await chooseWay(ask, draft, ways);
  if (way === undefined) return undefined;
  const isNeeded = ({ key, isRequired }: SettingInfo): boolean => isRequired || way.required.includes(key);
  let result: ChannelDraft | undefined = await askEach(ask, io, draft, all.filter(isNeeded));
  result = result && (await askForFixes(ask, result, all));
  if (result === undefined) return undefined;
  const isOfOtherWay = (key: string): boolean => !way.own.includes(key) && ways.some(({ own }) => own.includes(key));
  // http:// is asked about together with the address.
  const { settings } = result;
  const others = all.filter(({ key }) => !Object.hasOwn(settings, key) && key !== allowHttp && !isOfOtherWay(key));
  if (others.length === 0) return result;
  const options = others.map(({ key, meaning }) => ({ value: key, label: key, hint: meaning }));
  const chosen = await ask.chooseAny("Any other setting?", options, []);
  result =
    chosen &&
    (await askEach(
      ask,
      io,
      result,
      others.filter(({ key }) => chosen.includes(key)),
    ));
  return result && (await askForFixes(ask, result, all));
}

/** One of several ways to configure the type, such as a webhook or a bot; the one already started, if any. */
async function chooseWay(
  ask: AskMore,
  { settings, channelType }: ChannelDraft,
  ways: readonly Alternative[],
): Promise<Pick<Alternative, "required" | "own"> | undefined> {
  const started = ways.find(({ own }) => own.some((key) => Object.hasOwn(settings, key)));
  if (ways.length === 0 || started !== undefined) return started ?? { required: [], own: [] };
  const options = ways.map(({ title, required }) => ({ value: title, label: title, hint: required.join(", ") }));
  const picked = await ask.pick(`How should it reach ${channelType.type}?`, options);
  return ways.find(({ title }) => title === picked);
}

async function askEach(ask: AskMore, io: CommandIo, draft: ChannelDraft, settings: readonly SettingInfo[]) {
  let result: ChannelDraft | undefined = draft;
  for (const setting of settings) {
    if (result === undefined) return undefined;
    if (!Object.hasOwn(result.settings, setting.key)) result = await findOrAsk(ask, io, result, setting);
  }
  return result;
}

/** Asks again until everything is valid. */
async function askForFixes(
  ask: AskMore,
  draft: ChannelDraft,
  all: readonly SettingInfo[],
): Promise<ChannelDraft | undefined> {
  const problem = problemsOfDraft(draft).find(({ key }) => all.some((each) => each.key === key));
  const setting = all.find(({ key }) => key === problem?.key);
  if (setting === undefined) return draft;
  const fixed = await askSetting(ask, draft, setting, problem?.message);
  return fixed && (await askForFixes(ask, fixed, all));
}
