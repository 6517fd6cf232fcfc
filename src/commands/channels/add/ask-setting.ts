// Asks for one setting: a text, a choice, a secret, or a mail server part by part.
import { holdsSecret } from "../../../rules/literal-secrets.ts";
import { type SettingInfo, settingsOf } from "../../../rules/setting-info.ts";
import { randomId } from "../../../system/crypto.ts";
import type { AskMore } from "../../../console/ask.ts";
import { glimpse } from "../show-channel.ts";
import { type ChannelDraft, problemsOfDraft, withSetting } from "./draft.ts";
import { fitting, wordsProblem } from "./set-flags.ts";

export const allowHttp = "allowHttp";

const sources = [
  { value: "typed", label: "Type or paste it here", hint: "hidden while you type; stored in a file of its own" },
  { value: "env", label: "From an environment variable", hint: "of the program that starts the agent" },
  { value: "file", label: "From a file", hint: "its content is the value" },
  {
    value: "command",
    label: "From a password manager",
    hint: "what a program prints, such as: pass show hookbell/team",
  },
];
const sourceQuestions: Record<string, string> = {
  env: "Name of the variable:",
  file: "Path of the file:",
  command: "The program and its arguments, separated by single spaces:",
};

/** `why` says what was wrong before. Undefined means that the user cancelled, here and below. */
export async function askSetting(
  ask: AskMore,
  draft: ChannelDraft,
  setting: SettingInfo,
  why?: string,
): Promise<ChannelDraft | undefined> {
  const { key, meaning, choices, isSecret } = setting;
  const question = `${key}: ${meaning}${why === undefined ? "" : ` (${why})`}`;
  const proposed = draft.channelType.setUp?.propose?.[key];
  const offered = proposed === undefined ? sources : [{ value: "random", label: `Create a random ${key}` }, ...sources];
  const source = isSecret ? await ask.pick(question, offered) : "typed";
  if (source === undefined) return undefined;
  if (source === "random" && proposed !== undefined) {
    const made = proposed(randomId());
    await ask.note(`${key}: ${made}`);
    return withSetting(draft, [key], made);
  }
  if (source !== "typed") return await askSource(ask, draft, key, source);
  if (draft.channelType.setUp?.smtpUrl === key) return await askSmtp(ask, draft, key);
  if (choices.length > 1) {
    const options = choices.map((value) => ({ value: String(value), label: String(value) }));
    const picked = await ask.pick(question, options);
    return picked === undefined ? undefined : withSetting(draft, [key], fitting(draft, [key], picked));
  }
  const typed = await ask.text(isSecret ? `${key}:` : question, {
    isSecret,
    problemOf: (text) => problemOfText(draft, key, text),
  });
  if (typed === undefined) return undefined;
  if (isSecret) await ask.note(`${key}: ${describeTyped(typed)}`);
  const allowed = allowing(draft, typed);
  return await askPlainHttp(ask, withSetting(draft, [key], fitting(allowed, [key], typed)), setting);
}

/** Confirms a hidden secret by its host and length. */
function describeTyped(secret: string): string {
  const shown = [glimpse(secret), `${secret.length} characters`].filter((part) => part !== "…").join(", ");
  return holdsSecret(secret) ? shown : `${secret} contains no secret, so it stays in the rules file`;
}

async function askSource(ask: AskMore, draft: ChannelDraft, key: string, source: string) {
  const sourced = (text: string): ChannelDraft =>
    withSetting(draft, [key], { [source]: source === "command" ? text.split(" ") : text });
  const typed = await ask.text(sourceQuestions[source] ?? source, {
    problemOf: (text) => emptyProblem(text) ?? problemWith(sourced(text), key),
  });
  return typed === undefined ? undefined : sourced(typed);
}

function problemOfText(draft: ChannelDraft, key: string, text: string): string | undefined {
  const words = wordsProblem(draft, key, text);
  if (words !== undefined) return `${words.message}: ${words.array}`;
  const allowed = allowing(draft, text);
  return emptyProblem(text) ?? problemWith(withSetting(allowed, [key], fitting(allowed, [key], text)), key);
}

function emptyProblem(text: string): string | undefined {
  return text === "" ? "it cannot be empty" : undefined;
}

function problemWith(draft: ChannelDraft, key: string): string | undefined {
  const problem = problemsOfDraft(draft).find((each) => each.key === key);
  return problem === undefined ? undefined : [problem.message, problem.hint].filter(Boolean).join("; ");
}

/** Asks about http:// only if the address is otherwise valid. */
function allowing(draft: ChannelDraft, text: string): ChannelDraft {
  return mayAllowHttp(draft) && /^http:/i.test(text) ? withSetting(draft, [allowHttp], true) : draft;
}

function mayAllowHttp({ channelType }: ChannelDraft): boolean {
  return settingsOf(channelType).some(({ key }) => key === allowHttp);
}

async function askPlainHttp(ask: AskMore, draft: ChannelDraft, setting: SettingInfo) {
  if (!mayAllowHttp(draft) || problemWith(draft, setting.key) === undefined) return draft;
  const isAllowed = await ask.confirm(
    "This is http:// to another machine: anyone on the way can read and change the messages. Use it anyway?",
    false,
  );
  if (isAllowed === undefined) return undefined;
  if (isAllowed) return withSetting(draft, [allowHttp], true);
  const { [setting.key]: _, ...settings } = draft.settings;
  return await askSetting(ask, { ...draft, settings }, setting);
}

const usualPorts = { smtps: "465", smtp: "587" } as const;
const hostName = /^[\w.-]+$|^\[[\da-f:.]+\]$/i;

/** Asks for host, port, user and password separately, so that nothing has to be encoded. Also takes a pasted URL. */
async function askSmtp(ask: AskMore, draft: ChannelDraft, key: string): Promise<ChannelDraft | undefined> {
  const host = await ask.text("Host of the mail server, such as smtp.example.org (or paste an smtp:// URL):", {
    problemOf(text) {
      if (/^smtps?:/i.test(text)) return problemOfText(draft, key, text);
      return emptyProblem(text) ?? (hostName.test(text) ? undefined : "expected a host name");
    },
  });
  if (host === undefined) return undefined;
  if (/^smtps?:/i.test(host)) return withSetting(draft, [key], host);
  const scheme = await ask.pick("How is the connection encrypted?", [
    { value: "smtps", label: "TLS from the start", hint: `port ${usualPorts.smtps}` },
    { value: "smtp", label: "STARTTLS", hint: `port ${usualPorts.smtp}` },
  ]);
  if (scheme !== "smtps" && scheme !== "smtp") return undefined;
  const port = await ask.text("Port:", {
    usual: usualPorts[scheme],
    problemOf: (text) =>
      /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536 ? undefined : "expected a number up to 65535",
  });
  if (port === undefined) return undefined;
  const user = await ask.text("User, often the whole address (empty for no login):", { problemOf: () => undefined });
  if (user === undefined) return undefined;
  const password = user === "" ? "" : await ask.text("Password:", { isSecret: true, problemOf: emptyProblem });
  if (password === undefined) return undefined;
  const login = user === "" ? "" : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  return withSetting(draft, [key], `${scheme}://${login}${host}:${port}`);
}
