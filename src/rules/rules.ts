// The types of a loaded rules file.
import type { QuietHours } from "../attention/quiet-hours.ts";
import type { Throttle } from "../attention/throttle.ts";
import type { AttentionSettings } from "../attention/weigh.ts";
import type { ChannelType } from "../channels/channel-type.ts";
import type { Content } from "../model/privacy/content.ts";
import type { Level } from "../model/level.ts";
import type { PlatformSettings } from "../platform/settings.ts";
import type { Condition } from "./schema/condition.ts";
import type { Template } from "./schema/template.ts";

/** A good rules file. */
export interface Rules {
  /** By name, in the order of the file; without a prototype, so any name is safe to look up. */
  channels: Record<string, Channel>;
  /** In the order of the file. */
  rules: Rule[];
  /** The platform whose events are a source beside the agents; its secret is not resolved yet. */
  platform?: PlatformSettings | undefined;
  /** For hookbell's own notices, where `channels` has no "desktop". */
  builtInDesktop?: Channel | undefined;
  quietHours?: QuietHours | undefined;
  /** A turn without a sign of work for so many milliseconds is stuck. */
  stuckAfterMs?: number | undefined;
}

/** A named, configured destination. */
export interface Channel {
  name: string;
  type: string;
  channelType: ChannelType;
  /** As the channel type's schema returns them; secrets are not resolved yet. */
  settings: unknown;
  /** An older message is not sent. */
  expiresAfterMs: number;
  content: Content;
  /** Whether credentials are removed from messages. */
  scrub: boolean;
  /** When this many old messages wait, they are sent as one; undefined: never. */
  summaryFrom: number | undefined;
  throttle?: Throttle | undefined;
  /** SHA-256 of the channel's settings as written, in hex. */
  fingerprint: string;
}

export interface Rule {
  name: string;
  /** All must match; an empty list matches every event. */
  when: Condition[];
  /** Names of channels. */
  notify: string[];
  /** Replaces the event's own. */
  level?: Level | undefined;
  title?: Template | undefined;
  body?: Template | undefined;
  /** Whether later rules are skipped when this one matches. */
  final: boolean;
  /** Names of channels that get the message when one of `notify` is unavailable on this machine. */
  fallback: string[];
  /** With what the file says for all its rules. */
  attention: AttentionSettings;
}
