import type * as z from "zod";
import type { AgentTerminal } from "../model/agent-terminal.ts";
import type { Content } from "../model/content.ts";
import type { AgentEvent } from "../model/event.ts";
import type { Message } from "../model/message.ts";
import type { Outcome } from "../model/outcome.ts";
import type { Resolved } from "../model/privacy/secret.ts";
import type { Clock, Random } from "../system/clock.ts";
import type { Environment } from "../system/environment.ts";
import type { SendHttp } from "../system/network/http.ts";

/** What a channel may touch; handed in, so that tests can turn the clock and look at the wire. */
export interface ChannelTools {
  clock: Clock;
  random: Random;
  env: Environment;
  http: SendHttp;
  home: string;
  /** A folder of ours for locks and the like; private, made already. */
  stateDir: string;
  platform: NodeJS.Platform;
  /** Aborted at the channel type's deadline. */
  signal: AbortSignal;
  /** Where the agent itself shows an escape sequence in its terminal: it waits for our answer, and takes one in it. */
  replyTerminal?: ((sequence: string) => void) | undefined;
}

/** One attempt to send one message. */
export interface SendRequest<Settings> {
  settings: Resolved<Settings>;
  message: Message;
  event: AgentEvent;
  /** The agent's payload, where the channel type's `passesPayload` is true. */
  payload?: Record<string, unknown> | undefined;
  /** Stable over retries: the idempotency key. Contains no dot. */
  deliveryId: string;
  /** 1 for the first attempt. */
  attempt: number;
  /** What this channel's last delivery of this session asked to remember. */
  remembered?: Readonly<Record<string, string>> | undefined;
  /** Where the session's agent runs, for channel types that `isShownInTerminal`; absent where it has no terminal. */
  terminal?: AgentTerminal | undefined;
}

/** What `doctor` learns without sending anything. */
export type ProbeResult =
  | { status: "ok"; detail: string }
  /** It works, and less comes of it than was asked for. */
  | { status: "warning"; detail: string; fix: string }
  /** `isElsewhere`: the machine may well be one that nobody sits at, where another channel is the better fix. */
  | { status: "broken"; detail: string; fix: string; isElsewhere?: boolean };

/** A vendor's or our own bound, measured after escaping, in the unit that the vendor counts. */
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

/** For a type whose `delivered` does not say that a person saw or heard anything: only they can tell. */
export interface Noticing {
  how: "see" | "hear";
  /** What to look at when they did not, the likeliest first; each a sentence without a full stop. */
  otherwise: readonly string[];
}

/** A channel type: the plug-in behind a channel of the rules file. */
export interface ChannelType<Settings = unknown> {
  type: string;
  /** One line for the README table and `--help`. */
  summary: string;
  /** The vendor's page. */
  docs: string;
  /** Own settings, without `type` and the settings that every channel has. The only description there is of them. */
  settings: z.ZodType<Settings>;
  limits: readonly Limit[];
  /** A message older than this is not worth delivering any more. */
  expiresAfterMs: number;
  /** The longest one attempt may take. */
  timeoutMs: number;
  /** How much of the agent's words it passes on unless the person says otherwise; `full` for what stays on the machine. */
  content: Content;
  /** The same where it depends on where the settings lead; secrets in them are not resolved yet. */
  contentFor?: ((settings: Settings) => Content) | undefined;
  /** So many old messages waiting together are better told as one; undefined where programs want each. */
  summaryFrom?: number | undefined;
  /** The vendor's known limit: so many messages in so many milliseconds, the first ones at once. */
  rate?: Rate | undefined;
  /** Whether to send again when nobody knows if the first try arrived. */
  isRepeatHarmless: boolean;
  /** Whether the agent's own payload goes out with the event. */
  passesPayload: boolean;
  /**
   * Whether hookbell's own notices must not go there: it has no words, or its receiver is a program or an alarm, which
   * acts on what the rules send it.
   */
  isUnfitForNotices?: boolean | undefined;
  /** Whether it shows its messages in the agent's own terminal, which has to be looked for when an event comes in. */
  isShownInTerminal?: boolean | undefined;
  send(request: SendRequest<Settings>, tools: ChannelTools): Promise<Outcome>;
  /** Takes back what the session's last delivery showed, given what it asked to remember. */
  withdraw?:
    | ((
        settings: Resolved<Settings>,
        remembered: Readonly<Record<string, string>>,
        tools: ChannelTools,
      ) => Promise<void>)
    | undefined;
  /** What `hookbell test` asks behind a delivery; undefined where the receiver's yes is as good as the person's. */
  noticing?: Noticing | undefined;
  probe?: ((settings: Resolved<Settings>, tools: ChannelTools) => Promise<ProbeResult>) | undefined;
}

/** Ties the settings' schema to the sender's argument; the registry forgets the exact type. */
export function defineChannel<Settings>(channel: ChannelType<Settings>): ChannelType {
  return channel as unknown as ChannelType;
}
