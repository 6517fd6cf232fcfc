// What a channel type is: its settings, its limits, and how it sends a message.
import type * as z from "zod";
import type { AgentTerminal } from "../model/agent-terminal.ts";
import type { Content } from "../model/privacy/content.ts";
import type { AgentEvent } from "../model/event.ts";
import type { Message } from "../model/message.ts";
import type { Outcome } from "../model/outcome.ts";
import type { Resolved } from "../model/privacy/secret.ts";
import type { Block } from "../model/rich-text/rich-text.ts";
import type { Clock, Random } from "../system/clock.ts";
import type { Environment } from "../system/environment.ts";
import type { SendHttp } from "../system/network/http.ts";

/** Handed in, so that tests control them. */
export interface ChannelTools {
  clock: Clock;
  random: Random;
  env: Environment;
  http: SendHttp;
  home: string;
  /** A private folder for locks and the like; it exists. */
  stateDir: string;
  platform: NodeJS.Platform;
  signal: AbortSignal;
  /** Set where the agent waits for an answer. */
  replyTerminal?: ((sequence: string) => void) | undefined;
}

/** Without `blocks`, the body is plain text. */
export interface RichMessage extends Message {
  blocks?: readonly Block[] | undefined;
}

export interface SendRequest<Settings> {
  settings: Resolved<Settings>;
  message: RichMessage;
  event: AgentEvent;
  /** Where `passesPayload` is true. */
  payload?: Record<string, unknown> | undefined;
  /** The idempotency key. Contains no dot. */
  deliveryId: string;
  attempt: number;
  /** What the last delivery of this session asked to remember. */
  remembered?: Readonly<Record<string, string>> | undefined;
  /** The agent's terminal, for types that are shown in it. */
  terminal?: AgentTerminal | undefined;
}

export type ProbeResult =
  | { status: "ok"; detail: string }
  | { status: "warning"; detail: string; fix: string }
  /** `isElsewhere`: perhaps a machine without screen or speakers. */
  | { status: "broken"; detail: string; fix: string; isElsewhere?: boolean };

/** Measured after escaping, in the vendor's unit. */
export interface Limit {
  what: string;
  most: number;
  unit: "utf16" | "codePoints" | "bytes" | "items" | "milliseconds";
  /** The vendor's page, or `ours`. */
  source: string;
}

export interface Rate {
  messages: number;
  perMs: number;
}

/** `delivered` does not prove that a person noticed it. */
export interface Noticing {
  how: "see" | "hear";
  /** What to check when they did not, the likeliest first; each a sentence without a full stop. */
  otherwise: readonly string[];
}

export interface SetUpHelp<Settings = unknown> {
  propose?: Readonly<Record<string, (id: string) => string>>;
  /** An SMTP URL, asked for part by part. */
  smtpUrl?: string;
  /** Shown as a link and a QR code before the test. */
  subscribe?(settings: Resolved<Settings>): { link: string; advice: string };
}

export const lifetimeMs = {
  speakers: 2 * 60_000,
  screen: 10 * 60_000,
  chat: 4 * 60 * 60_000,
  day: 24 * 60 * 60_000,
} as const;

/** The registry adds name and summary. */
export interface ChannelDefinition<Settings = unknown> {
  docs: string;
  /** Without those of every channel. */
  settings: z.ZodType<Settings>;
  limits: readonly Limit[];
  expiresAfterMs: number;
  timeoutMs: number;
  /** How much of the agent's words it passes on by default. */
  content: Content;
  /** The same by its settings, whose secrets are not resolved yet. */
  contentFor?: ((settings: Settings) => Content) | undefined;
  /** So many old messages are sent as one; undefined: never. */
  summaryFrom?: number | undefined;
  /** The vendor's limit; the first messages go at once. */
  rate?: Rate | undefined;
  isRepeatHarmless: boolean;
  passesPayload: boolean;
  /** hookbell's own notices must not go there: it has no words, or a program acts on them. */
  isUnfitForNotices?: boolean | undefined;
  /** A program acts on its messages, at any hour and on every one. */
  isForPrograms?: boolean | undefined;
  /** It shows all waiting sessions in one message. */
  showsAllSessions?: boolean | undefined;
  /** It shows messages in the agent's own terminal. */
  isShownInTerminal?: boolean | undefined;
  send(request: SendRequest<Settings>, tools: ChannelTools): Promise<Outcome>;
  /** A session's message edits its earlier one. */
  editsEarlier?: ((settings: Settings) => boolean) | undefined;
  /**
   * Takes back what the session's last delivery showed, given what that delivery asked to remember; what cannot be taken
   * back is changed to say `why`, such as "answered at the terminal after 41s".
   */
  withdraw?:
    | ((
        settings: Resolved<Settings>,
        remembered: Readonly<Record<string, string>>,
        tools: ChannelTools,
        why: string,
      ) => Promise<void>)
    | undefined;
  setUp?: SetUpHelp<Settings> | undefined;
  /** What `test` asks after a delivery. */
  noticing?: Noticing | undefined;
  probe?: ((settings: Resolved<Settings>, tools: ChannelTools) => Promise<ProbeResult>) | undefined;
}

export interface ChannelType extends ChannelDefinition {
  type: string;
  summary: string;
}

/** The registry forgets the settings' type. */
export function defineChannel<Settings>(channel: ChannelDefinition<Settings>): ChannelDefinition {
  return channel as unknown as ChannelDefinition;
}
