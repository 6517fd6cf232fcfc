// What the page of `hookbell serve` asks for and is told, for the server and for web/. Times are milliseconds since the epoch.
import type { PairAgain, Right } from "../../answers/browsers/devices.ts";
import type { RulesProblem } from "../../http-server/served.ts";
import type { Day } from "../../overview/day.ts";
import type { EventNotifications } from "../../overview/notifications.ts";
import type { Choice } from "../../model/answer.ts";
import type { Reasons } from "../../console/output/show-entry.ts";

/** What is said of a browser that must be paired again. */
export const whyPairAgain: Readonly<Record<PairAgain, string>> = {
  noTicket: "another program ran as the page in the browser, and used its key",
  otherServer: "the browser opened the page of another server at this address",
  foreignWorker: "another program left a service worker in the browser at this address",
};

/** Everything of the tab "Now", besides what other tabs add to it; the stream sends it as a whole whenever something changes. */
export interface Now {
  /** The server's time. */
  at: number;
  /** A new value means that the page itself has changed. */
  build: string;
  /** `pairAgain`: why it may only read until it is paired again. */
  device: { name: string; rights: readonly Right[]; pairAgain?: PairAgain | undefined };
  host: string;
  groups: readonly SessionGroup[];
  /** Undefined while the rules file is good. */
  brokenRules?: BrokenRules | undefined;
  /** Channels that reach no one now. */
  brokenChannels: readonly BrokenChannel[];
  /** Changes whenever something is written into the journal. */
  journal: string;
  day: Day;
  /** The tabs that wings of this hookbell bring. A server of 1.0.0-rc.1 has all, and does not say so. */
  tabs?: readonly string[] | undefined;
}

export interface BrokenRules {
  file: string;
  /** Which rules apply instead, such as "the last good rules apply". */
  applies: string;
  /** The first problems of the file. */
  problems: readonly RulesProblem[];
  problemCount: number;
}

export interface BrokenChannel {
  channel: string;
  /** Perhaps in a receiver's words: untrusted. */
  why: string;
  /** When its last message failed. */
  at?: number | undefined;
  /** When something is sent again. */
  nextAt?: number | undefined;
}

export interface SessionGroup {
  group: string;
  title: string;
  sessions: readonly SessionOnPage[];
}

export interface SessionOnPage {
  /** The id that tells it from all other sessions. */
  id: string;
  agent: string;
  place: string;
  branch?: string | undefined;
  folder?: string | undefined;
  state: string;
  since: number;
  reason: string;
  words?: string | undefined;
  /** When the tool call began that `words` names. */
  toolSince?: number | undefined;
  /** How many run. */
  subagents: number;
  until?: number | undefined;
  questions: readonly QuestionOnPage[];
  /** Who was notified of the end of its turn. */
  notified?: EventNotifications | undefined;
}

export interface QuestionOnPage {
  /** The event's id. */
  event: string;
  at: number;
  words?: string | undefined;
  notified?: EventNotifications | undefined;
  /** How it was answered; the agent has not gone on yet. */
  ended?: string | undefined;
  /** Why it cannot be answered here, where that is known. */
  whyClosed?: string | undefined;
  /** While a hook waits for the answer. */
  open?: OpenOnPage | undefined;
}

export interface OpenOnPage {
  id: string;
  /** What kind of question it is, such as `Permission: Bash`. */
  title: string;
  /** The whole call or text, without the options that have buttons here. */
  body: string;
  /** What the session's line does not say. */
  fields: readonly { label: string; value: string }[];
  /** Why it cannot be allowed, or how to write a reply. */
  note?: string | undefined;
  expiresAt: number;
  /** Empty for a device that may not answer. */
  buttons: readonly PageButton[];
}

export interface PageButton {
  choice: Choice;
  label: string;
  /** What the agent says of this option. */
  description?: string | undefined;
  nonce: string;
  /** Undefined if the answer takes no words. */
  takes?: "reason" | "words" | undefined;
}

/** The body of `POST /page/answers`. */
export interface GivenAnswer {
  question: string;
  nonce: string;
  words?: string | undefined;
}

/** Which entries of the journal are asked for. */
export type Only = "all" | "notified" | "suppressed" | "answers";

/** The answer to `GET /page/journal?only=...&words=...&session=...&before=...`, the newest first. */
export interface JournalPart {
  rows: readonly JournalRow[];
  /** Where the next part begins; undefined at the journal's beginning. */
  next?: string | undefined;
}

/** One event with what became of it, or what the journal has besides events. */
export interface JournalRow {
  at: number;
  /** The event's name, or the kind of entry. */
  kind: string;
  /** Empty if it is about none. */
  place: string;
  /** What the agent said, or what the entry says. */
  text: string;
  /** The journal's file. */
  file: string;
  /** The event's id; undefined for what can not be opened. */
  event?: string | undefined;
  /** Undefined for what no one is notified of by itself, such as an answer. */
  notified?: EventNotifications | undefined;
  isBad?: boolean | undefined;
}

export interface JournalLine {
  at: number;
  kind: string;
  text: string;
  /** The journal's file. */
  file: string;
  /** The id of the event that it is about. */
  event?: string | undefined;
  isBad?: boolean | undefined;
  /** Only details have reasons. */
  reasons?: Reasons | undefined;
}

/** The answer to `GET /page/journal/FILE/EVENT`, the oldest first. */
export interface JournalDetail {
  /** Who was notified, or why not; undefined if no rule was asked. */
  notified?: EventNotifications | undefined;
  lines: readonly JournalLine[];
}

/** The answer to `GET /page/deliveries`. */
export interface Deliveries {
  channels: readonly {
    name: string;
    type?: string | undefined;
    /** Undefined for a channel without trouble. */
    trouble?: Omit<BrokenChannel, "channel"> | undefined;
    /** How many messages wait, perhaps until a time, and why. */
    waiting?: { count: number; until?: number | undefined; why?: string | undefined } | undefined;
    /** How many messages it was given up for and are still kept. */
    failed: number;
  }[];
  /** The newest first. */
  dead: readonly DeadLetter[];
  deadCount: number;
}

export interface DeadLetter {
  id: string;
  channel: string;
  title: string;
  at: number;
  attempts: number;
  why?: string | undefined;
}

/** The body of `POST /page/retry` and `POST /page/discard`. */
export interface ChosenLetters {
  ids: readonly string[];
}

/** The answer to `GET /page/push`. The body of `POST /page/push` is a browser's `PushSubscription` as JSON. */
export interface PushState {
  /** The server's key, which the browser's subscription is bound to, in base64url. */
  publicKey: string;
  /** Where the browser's push service takes messages for the device; undefined if it is not notified. */
  endpoint?: string | undefined;
}

/** The answer to `GET /page/explain/FILE/EVENT?time=...&state=...`: what the rules of now would do then. */
export interface Explained {
  messages: readonly ExplainedMessage[];
  reasons: Reasons;
}

export interface ExplainedMessage {
  channel: string;
  rule: string;
  title: string;
  body: string;
  /** Why it would wait, and until when. */
  held?: string | undefined;
  at?: number | undefined;
}
