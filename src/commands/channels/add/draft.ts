import { channelTypes } from "../../../channels/all.ts";
import type { ChannelType } from "../../../channels/channel-type.ts";
import type { Problem } from "../../../model/problem.ts";
import { literalSecretsIn } from "../../../rules/literal-secrets.ts";
import { loadRules } from "../../../rules/load.ts";
import type { Channel } from "../../../rules/rules.ts";

/** A channel on its way into the rules file; the settings are as a person would write them there. */
export interface ChannelDraft {
  channelType: ChannelType;
  name: string;
  settings: Record<string, unknown>;
}

/** A draft's problem, and the setting it is about; none for what several settings have to do with each other. */
export interface DraftProblem {
  key: string | undefined;
  message: string;
  hint?: string;
  isNameWrong: boolean;
}

/** Everything that is wrong with the draft, as `check` would say it. Nothing of a value is ever in it. */
export function problemsOfDraft(draft: ChannelDraft): DraftProblem[] {
  const loaded = load(draft);
  return loaded.status === "good" ? [] : loaded.problems.map((problem) => toDraftProblem(problem, draft.name));
}

/** The channel that the draft is, as the dispatcher would have it; undefined while something is wrong with it. */
export function channelOfDraft(draft: ChannelDraft): Channel | undefined {
  const loaded = load(draft);
  return loaded.status === "good" ? loaded.rules.channels[draft.name] : undefined;
}

/** Where the draft holds secrets themselves, each with its text. */
export function secretsOfDraft(draft: ChannelDraft): { path: string[]; value: string }[] {
  return literalSecretsIn(channelOfDraft(draft)?.settings).map((path) => ({
    path,
    value: String(path.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], draft.settings)),
  }));
}

/** The same draft with another value at a place of its settings. */
export function withSetting(
  draft: ChannelDraft,
  [key = "", ...inner]: readonly string[],
  value: unknown,
): ChannelDraft {
  return { ...draft, settings: { ...draft.settings, [key]: replaced(draft.settings[key], inner, value) } };
}

function replaced(before: unknown, [key, ...inner]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const members = typeof before === "object" && before !== null ? (before as Record<string, unknown>) : {};
  return { ...members, [key]: replaced(members[key], inner, value) };
}

function load({ channelType, name, settings }: ChannelDraft) {
  const channel = { type: channelType.type, ...settings };
  return loadRules(JSON.stringify({ channels: { [name]: channel }, rules: [] }), channelTypes);
}

function toDraftProblem({ path, message, hint }: Problem, name: string): DraftProblem {
  const lead = `channels.${name}`;
  const [key] = path.startsWith(`${lead}.`) ? path.slice(lead.length + 1).split(".") : [];
  return { key, message, ...(hint === undefined ? {} : { hint }), isNameWrong: path === "channels" };
}
