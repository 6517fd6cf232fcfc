// The channels of a rules file, without their receivers: nothing is sent, and no secret is read.
import type { ChannelType } from "../../channels/channel-type.ts";
import { delivered } from "../../model/outcome.ts";
import { isSecretSource, Secret } from "../../model/privacy/secret.ts";
import type { Channel, Rules } from "../../rules/rules.ts";

/** The same rules; each receiver takes every message at once. */
export function withDryChannels(rules: Rules): Rules {
  const channels = Object.assign(Object.create(null) as Rules["channels"], rules.channels);
  for (const [name, channel] of Object.entries(rules.channels)) channels[name] = dry(channel);
  return { ...rules, channels, builtInDesktop: rules.builtInDesktop && dry(rules.builtInDesktop) };
}

function dry(channel: Channel): Channel {
  const { channelType, settings } = channel;
  return { ...channel, channelType: dryType(channelType), settings: withoutSources(settings) as Channel["settings"] };
}

/** What it takes part in stays: lists, edits, withdrawals. */
function dryType(type: ChannelType): ChannelType {
  const { withdraw, editsEarlier, showsList } = type;
  const isRemembered = withdraw !== undefined || editsEarlier !== undefined || showsList !== undefined;
  return {
    ...type,
    send: () => Promise.resolve(delivered(isRemembered ? { remember: { place: "dry" } } : {})),
    ...(withdraw && { withdraw: () => Promise.resolve() }),
    acknowledged: undefined,
    raisesTerminal: undefined,
    setUp: undefined,
    probe: undefined,
  } as ChannelType;
}

/** No one reads it. */
const noSecret = new Secret("");

function withoutSources(settings: unknown): unknown {
  if (typeof settings !== "object" || settings === null || settings instanceof Secret) return settings;
  if (isSecretSource(settings)) return noSecret;
  if (Array.isArray(settings)) return settings.map(withoutSources);
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, withoutSources(value)]));
}
