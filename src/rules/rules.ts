import type { ChannelType } from "../channels/channel-type.ts";
import type { Content } from "../model/content.ts";
import type { Level } from "../model/level.ts";
import type { PlatformSettings } from "../platform/settings.ts";
import type { Condition } from "./schema/condition.ts";
import type { Template } from "./schema/template.ts";

/** A rules file, read and found good. */
export interface Rules {
  /** By name, in the order of the file; no prototype, so that every name is safe to look up. */
  channels: Record<string, Channel>;
  /** In the order of the file. */
  rules: Rule[];
  /** The platform whose events are a source beside the agents; its secret is not resolved yet. */
  platform?: PlatformSettings | undefined;
  /** For hookbell's own notices, where `channels` has no "desktop". */
  builtInDesktop?: Channel | undefined;
}

/** A named, configured destination. */
export interface Channel {
  name: string;
  type: string;
  channelType: ChannelType;
  /** As the channel type's schema gives them; secrets are not resolved yet. */
  settings: unknown;
  /** A message older than this many milliseconds is not sent any more. */
  expiresAfterMs: number;
  /** How much of the agent's words it passes on. */
  content: Content;
  /** Whether what looks like a credential is taken out of what it passes on. */
  scrub: boolean;
  /** So many old messages waiting together become one; undefined: never. */
  summaryFrom: number | undefined;
  /** SHA-256 in hex of what the file says about the channel: changes when its settings change. */
  fingerprint: string;
}

export interface Rule {
  name: string;
  /** All must hold; none at all holds for every event. */
  when: Condition[];
  /** Names of channels. */
  notify: string[];
  /** Instead of the event's own. */
  level?: Level | undefined;
  title?: Template | undefined;
  body?: Template | undefined;
  /** Whether the reading ends here when this rule holds. */
  final: boolean;
  /** Names of the channels that get the message when one of `notify` is unavailable on this machine. */
  fallback: string[];
}
