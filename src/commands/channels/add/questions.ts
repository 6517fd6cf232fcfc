import { channelTypes } from "../../../channels/all.ts";
import { alternativesOf, settingsOf, type SettingInfo } from "../../../rules/setting-info.ts";
import type { AskMore } from "../../console/ask.ts";
import { allowHttp, askSetting, choicesOf } from "./ask-setting.ts";
import { problemsOfDraft, withSetting, type ChannelDraft } from "./draft.ts";

/** Which type; undefined when the person walked away, here and in every question below. */
export function askType(ask: AskMore): Promise<string | undefined> {
  const options = channelTypes.map(({ type, summary }) => ({ value: type, label: `${type}: ${summary}` }));
  return ask.pick("What shall the channel be?", options);
}

export async function askName(ask: AskMore, draft: ChannelDraft, taken: readonly string[]) {
  const name = await ask.text("What shall it be called, in rules and on the command line?", {
    usual: draft.name,
    problemOf(text) {
      if (taken.includes(text)) return `there is a channel "${text}" already`;
      return problemsOfDraft({ ...draft, name: text }).find(({ isNameWrong }) => isNameWrong)?.message;
    },
  });
  return name === undefined ? undefined : { ...draft, name };
}

/** Everything that the type needs and the draft has not, then what the person wants to say beyond that. */
export async function askSettings(ask: AskMore, draft: ChannelDraft): Promise<ChannelDraft | undefined> {
  const own = settingsOf(draft.channelType).filter(({ isCommon }) => !isCommon);
  let result: ChannelDraft | undefined = draft;
  for (const setting of own) {
    if (!setting.isRequired || Object.hasOwn(draft.settings, setting.key)) continue;
    result = await askSetting(ask, result, setting);
    if (result === undefined) return undefined;
  }
  result = await fixSettings(ask, result, own);
  if (result === undefined) return undefined;
  const { settings } = result;
  const complete = result;
  // Whether http:// may be used is asked where an address wants it.
  const others = own
    .filter(({ key }) => !Object.hasOwn(settings, key) && key !== allowHttp)
    .filter((setting) => !isOfOtherWay(complete, setting));
  const filled = others.length === 0 ? result : await askOthers(ask, result, others, "Any other setting?");
  return filled && (await fixSettings(ask, filled, own));
}

/** Asks again for what is wrong, until nothing is. */
async function fixSettings(
  ask: AskMore,
  draft: ChannelDraft,
  own: readonly SettingInfo[],
): Promise<ChannelDraft | undefined> {
  const problem = problemsOfDraft(draft).find(({ isNameWrong }) => !isNameWrong);
  if (problem === undefined) return draft;
  const setting = own.find(({ key }) => key === problem.key);
  const ways = setting === undefined ? alternativesOf(draft.channelType) : [];
  const fixed =
    ways.length > 1
      ? await askAlternative(ask, draft, own, ways, capital(`${problem.message}. Which do you have?`))
      : setting === undefined
        ? await askOthers(ask, draft, own, capital(`${problem.message}. Which of these do you have?`))
        : await askSetting(ask, draft, setting, problem.message);
  return fixed && (await fixSettings(ask, fixed, own));
}

/** One of several ways to be complete, such as a webhook or a bot; then everything that this way takes. */
async function askAlternative(
  ask: AskMore,
  draft: ChannelDraft,
  own: readonly SettingInfo[],
  ways: readonly string[][],
  question: string,
): Promise<ChannelDraft | undefined> {
  const options = ways.map((keys) => ({
    value: keys.join(),
    label: own.find(({ key }) => key === keys[0])?.meaning.replace(/^Instead of [^:]*: /, "") ?? "",
    hint: keys.join(", "),
  }));
  const started = ways.find((keys) => keys.some((key) => Object.hasOwn(draft.settings, key)));
  const picked = started?.join() ?? (await ask.pick(question, options));
  let result: ChannelDraft | undefined = picked === undefined ? undefined : draft;
  for (const key of picked?.split(",") ?? []) {
    const setting = own.find((each) => each.key === key);
    if (result === undefined || setting === undefined) return undefined;
    if (!Object.hasOwn(result.settings, key)) result = await askSetting(ask, result, setting);
  }
  return result;
}

/** Of a setting that goes with another way than the one chosen, there is nothing to ask. */
function isOfOtherWay(draft: ChannelDraft, setting: SettingInfo): boolean {
  const ways = alternativesOf(draft.channelType);
  const chosen = ways.find((keys) => keys.every((key) => Object.hasOwn(draft.settings, key)));
  if (chosen === undefined) return false;
  const { key } = setting;
  if (ways.some((keys) => keys.includes(key)) && !chosen.includes(key)) return true;
  // An address that every setting of an address takes; of words, the last is not the usual one.
  const trial = choicesOf(setting).at(-1) ?? "https://example.org/";
  const problems = problemsOfDraft(withSetting(draft, [key], trial));
  return problems.some((problem) => problem.key === key && problem.message.startsWith("goes with"));
}

async function askOthers(
  ask: AskMore,
  draft: ChannelDraft,
  settings: readonly SettingInfo[],
  question: string,
): Promise<ChannelDraft | undefined> {
  const options = settings.map(({ key, meaning }) => ({ value: key, label: key, hint: meaning }));
  const chosen = await ask.chooseAny(question, options, []);
  let result: ChannelDraft | undefined = chosen === undefined ? undefined : draft;
  for (const setting of settings) {
    if (result === undefined) return undefined;
    if (chosen?.includes(setting.key)) result = await askSetting(ask, result, setting);
  }
  return result;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
