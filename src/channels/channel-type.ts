// The interface of a channel type: its settings, its limits, and how it sends a message.
import type { Rate } from "../model/figures/token-bucket.ts";
import type * as z from "zod";
import type { AgentTerminal } from "../model/places/agent-terminal.ts";
import type { ShownQuestion, OnReply, MessageReference, WrittenCard } from "../model/answer.ts";
import type { Content } from "../model/privacy/content.ts";
import type { AgentEvent } from "../model/event.ts";
import type { Message } from "../model/message.ts";
import type { Outcome } from "../model/outcome.ts";
import type { Resolved } from "../model/privacy/secret.ts";
import type { Block } from "../model/rich-text/rich-text.ts";
import type { Clock, Random } from "../system/clock.ts";
import type { Environment } from "../system/environment.ts";
import type { SendHttp } from "../system/network/http.ts";

/** Passed in, so that tests control them. */
export interface ChannelTools {
  clock: Clock;
  random: Random;
  env: Environment;
  http: SendHttp;
  home: string;
  /** An existing private folder for locks and the like. */
  stateDir: string;
  platform: NodeJS.Platform;
  signal: AbortSignal;
  /** Set if the agent itself shows what this writes, and waits for it. */
  replyTerminal?: ((sequence: string) => void) | undefined;
}

/** Without `blocks`, the body is plain text. */
export interface RichMessage extends Message {
  blocks?: readonly Block[] | undefined;
  /** An https page that opens the session elsewhere: what a click on the message leads to. */
  link?: string | undefined;
}

export interface SendRequest<Settings> {
  settings: Resolved<Settings>;
  message: RichMessage;
  event: AgentEvent;
  /** Present only if `passesPayload` is true. */
  payload?: Record<string, unknown> | undefined;
  /** The idempotency key. Contains no dot. */
  deliveryId: string;
  attempt: number;
  /** Set if the message lists all sessions that wait: it takes the place of an earlier list. */
  isList?: boolean | undefined;
  /** Set if the message only changes what is remembered, since its question is answered. */
  isEdit?: boolean | undefined;
  /** The values that the last delivery of the session, or of the list, asked to remember. */
  remembered?: Readonly<Record<string, string>> | undefined;
  /** The agent's terminal, for types that show messages there. */
  terminal?: AgentTerminal | undefined;
  /** Set if the message joins one that has just made its sound. */
  isSilent?: boolean | undefined;
  /** Set if this process stays long enough to hear of clicks. */
  click?: ClickWatch | undefined;
  /** Set if the message asks a question that can be answered here. What the channel remembers is then its place. */
  question?: ShownQuestion | undefined;
}

/** Through this, a channel type reports that its message was clicked. */
export interface ClickWatch {
  /** The session's terminal at the time of the click, and its folder. */
  place(): { terminal: AgentTerminal | undefined; folder: string | undefined };
  /** `clicked` resolves to a description of what the click did, or to undefined if `shown` disappeared without a click. */
  wait(shown: string, clicked: Promise<string | undefined>): void;
  /** Aborted when clicks no longer count. */
  over: AbortSignal;
}

/** Why listening ended. `final`: trying again would fail too. */
export type ListenFailure = string | { final: string };

/** How the user answers through a channel type. A question that it cannot show completely cannot be allowed there. */
export interface AnswerTransport<Settings = unknown> {
  /**
   * The question as this type writes it; pure. Sending writes it by the same function. The person can allow it only where
   * `isWhole` is true.
   */
  render(card: Message): WrittenCard;
  /** Buttons per question; with more options, the text numbers them. Default: 3. */
  maxButtons?: number | undefined;
  /** Whether `listen` reports `ReceivedReply.reply`. */
  takesReplies?: true | undefined;
  /** Whether the service names the sender, who must then be paired. */
  namesSender: boolean;
  /**
   * Whether a question may have a button that mutes its project: for services that name the sender, and on which the
   * question keeps its buttons after this one is pressed.
   */
  showsSnooze?: true | undefined;
  /**
   * What of the environment decides whom this type reaches. Without it: proxies, certificates and what resolves names. A
   * question can be answered only through a dispatcher that reaches whom the asking hook would reach.
   */
  routeIn?: ((env: Environment) => readonly string[]) | undefined;
  /** Why these settings cannot carry answers. Secrets are not resolved yet. */
  problemOf?: ((settings: Settings) => string | undefined) | undefined;
  /** Tells `channels pair` how a person sends it a message. If absent, pairing shows a button. */
  pairing?: string | undefined;
  /** Channels with the same credential share one listener. */
  credentialOf?: ((settings: Resolved<Settings>) => string) | undefined;
  /** Listens until aborted or until it fails. */
  listen?:
    | ((settings: Resolved<Settings>, onReply: OnReply, tools: ChannelTools) => Promise<ListenFailure>)
    | undefined;
  /** Replaces the question with how it ended, without buttons. Throws if it cannot. */
  close?(settings: Resolved<Settings>, place: MessageReference, message: Message, tools: ChannelTools): Promise<void>;
}

export type ProbeResult =
  | { status: "ok"; detail: string }
  | { status: "warning"; detail: string; fix: string }
  /** `isElsewhere`: this machine may have no screen or speakers. */
  | { status: "broken"; detail: string; fix: string; isElsewhere?: boolean };

/** Measured after escaping, in the vendor's unit. */
export interface Limit {
  what: string;
  most: number;
  unit: "utf16" | "codePoints" | "bytes" | "items" | "milliseconds";
  /** The vendor's page, or `ours`. */
  source: string;
}

/** How the user notices a message; `delivered` does not prove it. */
export interface Noticing {
  how: "see" | "hear";
  /** What to check if they did not, likeliest first. Sentences without a full stop. */
  otherwise: readonly string[];
}

export interface Finder<Settings = unknown> {
  /** What you do first, as a command: "write any message to the bot". */
  how: string;
  /** The setting itself may be made up. Names are a stranger's words. */
  find(settings: Resolved<Settings>, tools: ChannelTools): Promise<readonly { value: string; name: string }[]>;
}

export interface SetUpHelp<Settings = unknown> {
  propose?: Readonly<Record<string, (id: string) => string>>;
  /** Values of a setting that the service itself can name. */
  find?: Readonly<Record<string, Finder<Settings>>>;
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
  /** The settings that every channel has are not in it. */
  settings: z.ZodType<Settings>;
  limits: readonly Limit[];
  expiresAfterMs: number;
  timeoutMs: number;
  /** How much of the agent's words it passes on by default. */
  content: Content;
  /** The same by its settings, whose secrets are not resolved yet. */
  contentFor?: ((settings: Settings) => Content) | undefined;
  /** Its screen cuts long messages at their end, so of an event with short words of its own it shows those. */
  isShort?: true | undefined;
  /** The number of old messages that are sent as one; undefined: never. */
  summaryFrom?: number | undefined;
  /** The vendor's limit; the first messages go at once. */
  rate?: Rate | undefined;
  isRepeatHarmless: boolean;
  passesPayload?: true | undefined;
  /** hookbell's own notices must not go there: it has no words, or a program acts on them. */
  isUnfitForNotices?: boolean | undefined;
  /** A program acts on its messages, at any hour and on every one. */
  isForPrograms?: boolean | undefined;
  /** The type's messages ring a phone wherever the user is, so `channels add` asks when it should ring. */
  ringsPhone?: boolean | undefined;
  /** People other than you may read it, such as a team's chat: nothing is sent there unless you or a rule name the channel. */
  isShared?: true | ((settings: Settings) => boolean) | undefined;
  /**
   * This type can show all sessions that wait in one message, in place of earlier ones: for every question, or for
   * those that join another within seconds.
   */
  showsList?: ((settings: Settings) => "always" | "joined" | undefined) | undefined;
  /** A click on its messages raises the agent's terminal. */
  raisesTerminal?: boolean | undefined;
  /** This type shows messages in the agent's own terminal. */
  isShownInTerminal?: boolean | undefined;
  send(request: SendRequest<Settings>, tools: ChannelTools): Promise<Outcome>;
  /** A session's message edits its earlier one. */
  editsEarlier?: ((settings: Settings) => boolean) | undefined;
  /** An edit makes no sound and no push, so an answered question says so in its place whatever the settings are. */
  editsSilently?: true | undefined;
  /**
   * Takes back what the session's last delivery showed, given what that delivery asked to remember; what cannot be taken
   * back is changed to say `why`, such as "answered at the terminal after 41s".
   */
  retract?(settings: Resolved<Settings>, remembered: MessageReference, tools: ChannelTools, why: string): Promise<void>;
  /**
   * For messages that ring until a person acknowledges them, or `retract`: how they did, such as "acknowledged on iphone".
   * Asked at most every five seconds, while an escalation waits.
   */
  acknowledged?(
    settings: Resolved<Settings>,
    remembered: MessageReference,
    tools: ChannelTools,
  ): Promise<string | undefined>;
  /** Absent where no answer can come back. */
  answers?: AnswerTransport<Settings> | undefined;
  setUp?: SetUpHelp<Settings> | undefined;
  /** What `test` asks the user after a delivery. */
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
