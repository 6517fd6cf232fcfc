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
  /** Where the sender stays to hear of it. */
  click?: ClickWatch | undefined;
  /** The message asks a question that can be answered here; remembered is then where it is shown. */
  question?: AskedQuestion | undefined;
}

/** How a channel type whose messages can be clicked says that one was. */
export interface ClickWatch {
  /** The terminal of the session that asked, as it is when the click comes, and where the session works. */
  place(): { terminal: AgentTerminal | undefined; folder: string | undefined };
  /** `clicked` resolves to what the click did, in words; to undefined when `shown` went away without one. */
  wait(shown: string, clicked: Promise<string | undefined>): void;
  /** Aborted when no click counts any more. */
  over: AbortSignal;
}

/** `reply`: an answer in words, or an option of a question, whose label is in words, too. */
export const choices = ["allow", "allowForSession", "deny", "reply"] as const;
export type Choice = (typeof choices)[number];

/** What a person decided. `none`: no decision, so the agent asks in its terminal. */
export interface Answer {
  choice: Choice | "none";
  /** Told to the agent with a "no"; with a reply, what it says. */
  message?: string | undefined;
  /** Who, in words for people. */
  by: string;
  /** The channel's name; undefined where no channel carried it. */
  channel?: string | undefined;
  /** Milliseconds since the epoch. */
  at: number;
}

/** A button of a question. The nonce is its only proof: it counts once, for this choice on this channel. */
export interface Button {
  choice: Choice;
  label: string;
  nonce: string;
}

/** What a channel remembered of a message, such as where it is shown. */
type Place = Readonly<Record<string, string>>;

/** What a service said that a person did. All of it is untrusted. */
export interface Heard {
  /** The service's own id of the person, never the chat's; undefined where the service knows no persons. */
  sender?: { id: string; name: string } | undefined;
  /** Of the button that was pressed. */
  nonce?: string | undefined;
  /** Where a press carries no nonce: which button, and what the channel remembered of the message that showed it. */
  pressed?: { choice: Choice; to: Place } | undefined;
  /** Instead of a button: a text, and what the channel remembered of the message that it answers. */
  reply?: { text: string; to: Place } | undefined;
}

/** A question as one channel shows it. */
export interface AskedQuestion {
  /** None where only a reply is an answer. */
  buttons: readonly Button[];
  /** For a channel type that hears of the button on the connection that showed it; resolves to what to tell the person. */
  hear(heard: Heard): string;
  /** Aborted when the question is over. */
  over: AbortSignal;
}

export type ListenFailure = string | { final: string };

/** How a person answers through a channel type. What it cannot show whole cannot be allowed there. */
export interface AnswerTransport<Settings = unknown> {
  /** Of the question's text, in UTF-16 units. */
  maxText: number;
  /** Of one question; its options are numbered in the text where they are more. Default: 3. */
  maxButtons?: number | undefined;
  /** `Heard.reply` can come from there: it takes answers in words. */
  takesReplies?: true | undefined;
  /** Whether the service names the person, who must be paired then. */
  namesSender: boolean;
  /** Why these settings cannot carry answers; their secrets are not resolved yet. */
  problemOf?: ((settings: Settings) => string | undefined) | undefined;
  /** For `channels pair`: how to write to it; without it, the channel gets a message with a button. */
  pairing?: string | undefined;
  /** Channels with the same credential share one listener, on this machine and in this service. */
  credentialOf?: ((settings: Resolved<Settings>) => string) | undefined;
  /**
   * Listens until it is aborted or fails; resolves to why it failed, `final` where another try would fail as well. What
   * `hear` returns is told to the person.
   */
  listen?:
    | ((
        settings: Resolved<Settings>,
        hear: (heard: Heard) => string | undefined,
        tools: ChannelTools,
      ) => Promise<ListenFailure>)
    | undefined;
  /** Shows how the question ended, without buttons; throws where it cannot. */
  close?(settings: Resolved<Settings>, place: Place, message: Message, tools: ChannelTools): Promise<void>;
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
  /** A click on its messages raises the agent's terminal. */
  raisesTerminal?: boolean | undefined;
  /** It shows messages in the agent's own terminal. */
  isShownInTerminal?: boolean | undefined;
  send(request: SendRequest<Settings>, tools: ChannelTools): Promise<Outcome>;
  /** A session's message edits its earlier one. */
  editsEarlier?: ((settings: Settings) => boolean) | undefined;
  /**
   * Takes back what the session's last delivery showed, given what that delivery asked to remember; what cannot be taken
   * back is changed to say `why`, such as "answered at the terminal after 41s".
   */
  withdraw?(settings: Resolved<Settings>, remembered: Place, tools: ChannelTools, why: string): Promise<void>;
  /**
   * For messages that ring until a person acknowledges them, or `withdraw`: how they did, such as "acknowledged on iphone".
   * Asked at most every five seconds, while an escalation waits.
   */
  acknowledged?(settings: Resolved<Settings>, remembered: Place, tools: ChannelTools): Promise<string | undefined>;
  /** Absent where no answer can come back. */
  answers?: AnswerTransport<Settings> | undefined;
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
