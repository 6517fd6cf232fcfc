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

/** What a channel may touch; handed in, so that tests control the clock and see the requests. */
export interface ChannelTools {
  clock: Clock;
  random: Random;
  env: Environment;
  http: SendHttp;
  home: string;
  /** A private folder for locks and the like; it exists. */
  stateDir: string;
  platform: NodeJS.Platform;
  /** Aborted at the channel type's deadline. */
  signal: AbortSignal;
  /** Set where the agent waits for an answer and shows an escape sequence in it. */
  replyTerminal?: ((sequence: string) => void) | undefined;
}

/** A message whose body is read already, if it is Markdown; without `blocks`, the body is plain text. */
export interface RichMessage extends Message {
  blocks?: readonly Block[] | undefined;
}

/** One attempt to send one message. */
export interface SendRequest<Settings> {
  settings: Resolved<Settings>;
  message: RichMessage;
  event: AgentEvent;
  /** The agent's payload, where the channel type's `passesPayload` is true. */
  payload?: Record<string, unknown> | undefined;
  /** Stable over retries: the idempotency key. Contains no dot. */
  deliveryId: string;
  /** 1 for the first attempt. */
  attempt: number;
  /** What this channel's last delivery of this session asked to remember. */
  remembered?: Readonly<Record<string, string>> | undefined;
  /** The terminal of the session's agent, for types that are shown in it; absent where it has none. */
  terminal?: AgentTerminal | undefined;
}

/** What `doctor` learns without sending anything. */
export type ProbeResult =
  | { status: "ok"; detail: string }
  /** It works, but not as well as its settings ask for. */
  | { status: "warning"; detail: string; fix: string }
  /** `isElsewhere`: the machine may have no screen or speakers, so another channel is the better fix. */
  | { status: "broken"; detail: string; fix: string; isElsewhere?: boolean };

/** A limit of the vendor's or of hookbell's, measured after escaping, in the unit that the vendor counts. */
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

/** For a type whose `delivered` does not prove that a person saw or heard anything. */
export interface Noticing {
  how: "see" | "hear";
  /** What to check when they did not, the likeliest first; each a sentence without a full stop. */
  otherwise: readonly string[];
}

/** How `channels add` helps with settings that are more than a text to type. */
export interface SetUpHelp<Settings = unknown> {
  /** Proposes a setting that the person may choose, made from a random id. */
  propose?: Readonly<Record<string, (id: string) => string>>;
  /** The setting that is an SMTP URL: its host, port, user and password are asked for one by one. */
  smtpUrl?: string;
  /** The page where the person receives the messages: shown as a link and a QR code before the test. */
  subscribe?(settings: Resolved<Settings>): { link: string; advice: string };
}

/** How long a message is worth delivering, by where people see or hear it. */
export const lifetimeMs = {
  speakers: 2 * 60_000,
  screen: 10 * 60_000,
  chat: 4 * 60 * 60_000,
  day: 24 * 60 * 60_000,
} as const;

/** What a channel type's own file says about it. The registry adds its name and its summary. */
export interface ChannelDefinition<Settings = unknown> {
  /** The vendor's page. */
  docs: string;
  /** The type's own settings, without `type` and the settings of every channel: their only description. */
  settings: z.ZodType<Settings>;
  limits: readonly Limit[];
  /** A message older than this is not sent. */
  expiresAfterMs: number;
  /** The longest time one attempt may take. */
  timeoutMs: number;
  /** How much of the agent's words it passes on by default; `full` for what stays on the machine. */
  content: Content;
  /** The same where it depends on the settings; their secrets are not resolved yet. */
  contentFor?: ((settings: Settings) => Content) | undefined;
  /** When this many old messages wait together, they are sent as one; undefined: never. */
  summaryFrom?: number | undefined;
  /** The vendor's limit: this many messages in this many milliseconds, the first ones at once. */
  rate?: Rate | undefined;
  /** Whether to send again when the first attempt may have arrived. */
  isRepeatHarmless: boolean;
  /** Whether the agent's own payload is sent with the event. */
  passesPayload: boolean;
  /** Whether hookbell's own notices must not go there: it has no words, or a program or an alarm acts on them. */
  isUnfitForNotices?: boolean | undefined;
  /** Whether a program acts on its messages, at any hour and on every one, unless the rules say otherwise. */
  isForPrograms?: boolean | undefined;
  /** Whether it shows all sessions that wait in one message, which later ones replace. */
  showsAllSessions?: boolean | undefined;
  /** Whether it shows messages in the agent's own terminal, which is looked for when an event comes in. */
  isShownInTerminal?: boolean | undefined;
  send(request: SendRequest<Settings>, tools: ChannelTools): Promise<Outcome>;
  /** Whether a session's message edits its earlier one, which therefore can be changed when it is out of date. */
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
  /** What `hookbell test` asks after a delivery; undefined where the receiver's answer is proof enough. */
  noticing?: Noticing | undefined;
  probe?: ((settings: Resolved<Settings>, tools: ChannelTools) => Promise<ProbeResult>) | undefined;
}

/** A channel type: the plug-in behind a channel of the rules file. */
export interface ChannelType extends ChannelDefinition {
  type: string;
  /** One line for lists, docs/CHANNELS.md and `--help`. */
  summary: string;
}

/** Ties the settings' schema to the sender's argument; the registry forgets the exact type. */
export function defineChannel<Settings>(channel: ChannelDefinition<Settings>): ChannelDefinition {
  return channel as unknown as ChannelDefinition;
}
