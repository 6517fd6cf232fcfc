import { channelTypes } from "../channels/index.ts";
import { alternativesOf, settingsOf, type SettingInfo } from "../rules/setting-info.ts";
import type { AskMore } from "./ask.ts";
import { askSmtp, isSmtpUrl } from "./ask-smtp.ts";
import { problemsOfDraft, withSetting, type ChannelDraft } from "./channel-draft.ts";
import { fitting, wordsProblem } from "./set-flags.ts";

/** Which type; undefined when the person walked away, here and in every question below. */
export function askType(ask: AskMore): Promise<string | undefined> {
  const options = channelTypes.map(({ type, summary }) => ({ value: type, label: `${type}: ${summary}` }));
  return ask.pick("What shall the channel be?", options);
}

export async function askName(ask: AskMore, draft: ChannelDraft, taken: readonly string[]) {
  const name = await ask.text("What shall it be called, in rules and on the command line?", {
    initial: draft.name,
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
  result = await mendSettings(ask, result, own);
  if (result === undefined) return undefined;
  const { settings } = result;
  const complete = result;
  // Whether http:// may be used is asked where an address wants it.
  const others = own
    .filter(({ key }) => !Object.hasOwn(settings, key) && key !== allowHttp)
    .filter((setting) => !isOfOtherWay(complete, setting));
  const filled = others.length === 0 ? result : await askOthers(ask, result, others, "Any other setting?");
  return filled && (await mendSettings(ask, filled, own));
}

const allowHttp = "allowHttp";

/** Asks again for what is wrong, until nothing is. */
async function mendSettings(
  ask: AskMore,
  draft: ChannelDraft,
  own: readonly SettingInfo[],
): Promise<ChannelDraft | undefined> {
  const problem = problemsOfDraft(draft).find(({ isNameWrong }) => !isNameWrong);
  if (problem === undefined) return draft;
  const setting = own.find(({ key }) => key === problem.key);
  const ways = setting === undefined ? alternativesOf(draft.channelType) : [];
  const mended =
    ways.length > 1
      ? await askAlternative(ask, draft, own, ways, capital(`${problem.message}. Which do you have?`))
      : setting === undefined
        ? await askOthers(ask, draft, own, capital(`${problem.message}. Which of these do you have?`))
        : await askSetting(ask, draft, setting, problem.message);
  return mended && (await mendSettings(ask, mended, own));
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

const ways = [
  { value: "typed", label: "I type it or paste it here", hint: "kept in a file of its own that only you can read" },
  { value: "env", label: "from an environment variable", hint: "of the program that starts the agent" },
  { value: "file", label: "from a file", hint: "its content is the value" },
  { value: "command", label: "from a password store", hint: "what a program prints, such as: pass show hookbell/team" },
];

/** One setting; a secret may come from elsewhere. `why` says what was wrong with it before. */
export async function askSetting(
  ask: AskMore,
  draft: ChannelDraft,
  setting: SettingInfo,
  why?: string,
): Promise<ChannelDraft | undefined> {
  const { key, meaning } = setting;
  const question = `${key}: ${meaning}${why === undefined ? "" : ` (${why})`}`;
  const way = setting.isSecret ? await ask.pick(question, ways) : "typed";
  if (way === undefined) return undefined;
  if (way !== "typed") return await askSource(ask, draft, key, way);
  if (isSmtpUrl(draft, key)) return await askSmtp(ask, draft);
  const [yes, no, ...more] = setting.form === "true or false" ? ["true", "false"] : choicesOf(setting);
  if (yes !== undefined && no !== undefined) {
    const options = [yes, no, ...more].map((value) => ({ value, label: value }));
    const picked = await ask.pick(question, options);
    return picked === undefined ? undefined : withSetting(draft, [key], fitting(draft, [key], picked));
  }
  const typed = await ask.text(setting.isSecret ? `${key}:` : question, {
    isSecret: setting.isSecret,
    problemOf: (text) =>
      text === "" ? "it cannot be empty" : (wordsMend(key, text) ?? problemOf(allowing(draft, text), key, text)),
  });
  if (typed === undefined) return undefined;
  const result = withSetting(draft, [key], fitting(allowing(draft, typed), [key], typed));
  return await askPlainHttp(ask, result, setting);
}

/** The texts of `"new" or "replace"`. */
function choicesOf({ form }: SettingInfo): string[] {
  return /^"[^"]*"(, "[^"]*")* or "[^"]*"$/.test(form)
    ? [...form.matchAll(/"([^"]*)"/g)].map(([, text = ""]) => text)
    : [];
}

const sourceQuestions: Record<string, string> = {
  env: "The variable's name:",
  file: "The file's path:",
  command: "The program and its arguments, parted by single spaces:",
};

async function askSource(
  ask: AskMore,
  draft: ChannelDraft,
  key: string,
  way: string,
): Promise<ChannelDraft | undefined> {
  const sourced = (text: string): ChannelDraft =>
    withSetting(draft, [key], { [way]: way === "command" ? text.split(" ") : text });
  const typed = await ask.text(sourceQuestions[way] ?? way, {
    problemOf: (text) => (text === "" ? "it cannot be empty" : problemWith(sourced(text), key)),
  });
  return typed === undefined ? undefined : sourced(typed);
}

function wordsMend(key: string, text: string): string | undefined {
  const problem = wordsProblem(key, text);
  return problem && `${problem}: ${JSON.stringify(text.split(/\s+/))}`;
}

function problemOf(draft: ChannelDraft, key: string, text: string): string | undefined {
  const value = fitting(draft, [key], text);
  return problemWith(withSetting(draft, [key], value), key);
}

function problemWith(draft: ChannelDraft, key: string): string | undefined {
  const problem = problemsOfDraft(draft).find((each) => each.key === key);
  return problem === undefined ? undefined : [problem.message, problem.hint].filter(Boolean).join("; ");
}

/** Whether `http://` may leave this machine is asked once the address is known to be good otherwise. */
function allowing(draft: ChannelDraft, text: string): ChannelDraft {
  return mayAllowHttp(draft) && /^http:/i.test(text) ? withSetting(draft, [allowHttp], true) : draft;
}

async function askPlainHttp(
  ask: AskMore,
  draft: ChannelDraft,
  setting: SettingInfo,
): Promise<ChannelDraft | undefined> {
  const isWrong = problemsOfDraft(draft).some(({ key }) => key === setting.key);
  if (!isWrong || !mayAllowHttp(draft)) return draft;
  const isAllowed = await ask.confirm(
    "That is http:// to another machine: everybody on the way can read and change the messages. Use it all the same?",
    false,
  );
  if (isAllowed === undefined) return undefined;
  if (isAllowed) return withSetting(draft, [allowHttp], true);
  const { [setting.key]: _, ...settings } = draft.settings;
  return await askSetting(ask, { ...draft, settings }, setting);
}

function mayAllowHttp({ channelType }: ChannelDraft): boolean {
  return settingsOf(channelType).some(({ key }) => key === allowHttp);
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
