import { holdsSecret } from "../../../rules/literal-secrets.ts";
import { type SettingInfo, settingsOf } from "../../../rules/setting-info.ts";
import { randomId } from "../../../system/random-id.ts";
import type { AskMore } from "../../console/ask.ts";
import { glimpse } from "../show-channel.ts";
import { type ChannelDraft, problemsOfDraft, withSetting } from "./draft.ts";
import { fitting, wordsProblem } from "./set-flags.ts";

export const allowHttp = "allowHttp";

const ways = [
  {
    value: "typed",
    label: "I type it or paste it here",
    hint: "not shown meanwhile; a secret is kept in a file of its own",
  },
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
  const usual = usualOf(draft, key);
  const isRandom = usual === undefined ? "" : " (Enter alone: a random one)";
  const typed = await ask.text(setting.isSecret ? `${key}${isRandom}:` : question, {
    ...(usual === undefined ? {} : { usual }),
    isSecret: setting.isSecret,
    problemOf: (text) =>
      text === "" ? "it cannot be empty" : (wordsMend(key, text) ?? problemOf(allowing(draft, text), key, text)),
  });
  if (typed === undefined) return undefined;
  if (typed === usual)
    await ask.note(`${key}: ${typed}; whoever subscribes to it reads along, so do that and tell nobody`);
  else if (setting.isSecret) await ask.note(`${key}: ${describeTyped(typed)}`);
  const result = withSetting(draft, [key], fitting(allowing(draft, typed), [key], typed));
  return await askPlainHttp(ask, result, setting);
}

/** For a secret that is the person's to choose, one that nobody guesses. */
function usualOf({ channelType }: ChannelDraft, key: string): string | undefined {
  return channelType.type === "ntfy" && key === "topic" ? `hookbell-${randomId()}` : undefined;
}

/** What was typed unseen, to be told from what was meant: where it leads, how long it is, never the secret in it. */
function describeTyped(secret: string): string {
  const shown = [glimpse(secret), `${secret.length} characters`].filter((part) => part !== "…").join(", ");
  return holdsSecret(secret) ? shown : `${secret}; there is no secret in it, so it stays in the rules file`;
}

/** The texts of `"new" or "replace"`. */
export function choicesOf({ form }: SettingInfo): string[] {
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

const usualPorts = { smtps: "465", smtp: "587" } as const;

/** The parts of a mail server's URL one by one, so that nobody has to encode a password; undefined: walked away. */
async function askSmtp(ask: AskMore, draft: ChannelDraft): Promise<ChannelDraft | undefined> {
  const needed = (text: string): string | undefined => (text === "" ? "it cannot be empty" : undefined);
  const host = await ask.text("The mail server's host:", {
    problemOf: (text) =>
      needed(text) ?? (/^[\w.-]+$|^\[[\da-f:.]+\]$/i.test(text) ? undefined : "expected a host's name"),
  });
  if (host === undefined) return undefined;
  const scheme = await ask.pick("How is the connection encrypted?", [
    { value: "smtps", label: "TLS from the start", hint: `port ${usualPorts.smtps}` },
    { value: "smtp", label: "STARTTLS", hint: `port ${usualPorts.smtp}` },
  ]);
  if (scheme !== "smtps" && scheme !== "smtp") return undefined;
  const port = await ask.text("The port:", {
    usual: usualPorts[scheme],
    problemOf: (text) =>
      /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536
        ? undefined
        : "expected a number from 1 to 65535",
  });
  if (port === undefined) return undefined;
  const user = await ask.text("The user, often the whole address (empty: no login):", { problemOf: () => undefined });
  if (user === undefined) return undefined;
  const password = user === "" ? "" : await ask.text("The password:", { isSecret: true, problemOf: needed });
  if (password === undefined) return undefined;
  const login = user === "" ? "" : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  return withSetting(draft, ["smtp"], `${scheme}://${login}${host}:${port}`);
}

/** Whether the draft's type has a mail server whose parts can be asked for. */
function isSmtpUrl({ channelType }: ChannelDraft, key: string): boolean {
  return channelType.type === "email" && key === "smtp";
}
