// The types of a loaded rules file.
import type { DigestSchedule } from "../sessions/digest.ts";
import type { QuietHours } from "../policies/quiet-hours.ts";
import type { Throttle } from "../policies/throttle.ts";
import type { PolicySettings } from "../policies/policies.ts";
import type { ChannelType } from "../channels/channel-type.ts";
import type { Content } from "../model/privacy/content.ts";
import type { PartsOfRules } from "./schema/wing-parts.ts";
import type { AnswerSettings } from "./schema/answers.ts";
import type { Condition } from "./schema/condition.ts";
import type { Template } from "./schema/template.ts";
import type { Level } from "../model/level.ts";

/** The secrets of the wings' parts are not resolved yet. */
export interface Rules extends PartsOfRules {
  /** The channels are in the order of the file; without a prototype, so that any name can be looked up. */
  channels: Record<string, Channel>;
  rules: Rule[];
  /** How questions are answered; undefined: not at all. */
  answers?: AnswerSettings | undefined;
  /** As without a rules file: for hookbell's own notices where no channel is the desktop, and where the rules are what it tells of. */
  builtInDesktop?: Channel | undefined;
  quietHours?: QuietHours | undefined;
  digest?: DigestSchedule | undefined;
  /** A turn without a sign of work for so many milliseconds is stuck. */
  stuckAfterMs?: number | undefined;
  /** Unless false, the start of a prompt may tell sessions of one project apart. */
  promptInTitle?: boolean | undefined;
  /** "remind": an agent's reminder that it waits is told although the end of its turn was. */
  idle?: "once" | "remind" | undefined;
  /** The path of a file that exists while the user is at the computer. */
  presenceFile?: string | undefined;
  /** The channels that a repository's own file may choose besides those of the rules; false: it is not read. */
  projectFiles?: readonly string[] | false | undefined;
}

export interface Channel {
  name: string;
  type: string;
  channelType: ChannelType;
  /** Secrets are not resolved yet. */
  settings: unknown;
  expiresAfterMs: number;
  content: Content;
  /** Whether questions can be answered here. */
  answers: boolean;
  scrub: boolean;
  /** The number of old messages that are sent as one; undefined: never. */
  summaryFrom: number | undefined;
  throttle?: Throttle | undefined;
  /** SHA-256 of the settings as written. */
  fingerprint: string;
}

export interface Rule {
  name: string;
  /** All conditions must match. */
  when: Condition[];
  notify: string[];
  /** This level replaces the event's own. */
  level?: Level | undefined;
  title?: Template | undefined;
  body?: Template | undefined;
  /** Whether later rules are skipped. */
  final: boolean;
  /** Channels that stand in for one that this machine cannot use. */
  fallback: string[];
  /** What the file says for all its rules is included. */
  policies: PolicySettings;
}
