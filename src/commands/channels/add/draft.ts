// The channel being added: its settings as in the rules file, and what is wrong with them.
import type { ChannelType } from "../../../channels/channel-type.ts";
import { Secret } from "../../../model/privacy/secret.ts";
import { literalSecretsIn } from "../../../rules/literal-secrets.ts";
import { parseRules } from "../../../rules/load.ts";
import type { Channel, Rules } from "../../../rules/rules.ts";
import { resolveSecrets } from "../../../system/secrets.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { objectOf } from "../../../model/json.ts";

export interface ChannelDraft {
  channelType: ChannelType;
  name: string;
  settings: Record<string, unknown>;
}

export interface DraftProblem {
  /** The setting; undefined if several conflict or the name is wrong. */
  key: string | undefined;
  message: string;
  hint?: string | undefined;
}

/** Everything wrong, in the words of `check`. Never contains a value. */
export function problemsOfDraft(draft: ChannelDraft): DraftProblem[] {
  const loaded = load(draft);
  if (loaded.status === "good") return [];
  const lead = `channels.${draft.name}.`;
  return loaded.problems.map(({ path, message, hint }) => ({
    key: path.startsWith(lead) ? path.slice(lead.length).split(".")[0] : undefined,
    message,
    hint,
  }));
}

/** The channel as the dispatcher would have it; undefined while something is wrong. */
export function channelOfDraft(draft: ChannelDraft): Channel | undefined {
  const loaded = load(draft);
  return loaded.status === "good" ? loaded.rules.channels[draft.name] : undefined;
}

function load({ channelType, name, settings }: ChannelDraft) {
  const channels = { [name]: { type: channelType.type, ...settings } };
  return parseRules(JSON.stringify({ channels, rules: [] }), [channelType]);
}

/** Every secret in the draft, with its path. */
export function secretsOfDraft(draft: ChannelDraft): { path: string[]; value: string }[] {
  return literalSecretsIn(channelOfDraft(draft)?.settings).map((path) => ({
    path,
    value: String(path.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], draft.settings)),
  }));
}

export function withSetting(draft: ChannelDraft, path: readonly string[], value: unknown): ChannelDraft {
  return { ...draft, settings: replaced(draft.settings, path, value) as Record<string, unknown> };
}

function replaced(before: unknown, [key, ...inner]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const members = objectOf(before);
  return { ...members, [key]: replaced(members[key], inner, value) };
}

/** A channel with the same settings. Programs are not run for this, so their secrets never compare equal. */
export async function findDuplicate(
  draft: ChannelDraft,
  { channels }: Rules,
  io: Pick<CommandIo, "env" | "places">,
): Promise<string | undefined> {
  const wanted = await plainSettings(channelOfDraft(draft), io);
  for (const other of Object.values(channels)) {
    const isSame = other.type === draft.channelType.type && (await plainSettings(other, io)) === wanted;
    if (isSame && wanted !== undefined) return other.name;
  }
  return undefined;
}

async function plainSettings(channel: Channel | undefined, { env, places }: Pick<CommandIo, "env" | "places">) {
  if (channel === undefined || JSON.stringify(channel.settings).includes('"from":"command"')) return undefined;
  const resolved = await resolveSecrets(channel.settings, env, places.home).catch(() => undefined);
  return resolved === undefined ? undefined : JSON.stringify(inOrder(resolved));
}

function inOrder(value: unknown): unknown {
  if (value instanceof Secret) return value.reveal();
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, inOrder(inner)]);
}
