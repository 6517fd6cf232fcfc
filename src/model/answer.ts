// Questions that are answered away from the agent's terminal.

/** `reply`: free text, or the label of an option. */
export const choices = ["allow", "allowForSession", "deny", "reply"] as const;
export type Choice = (typeof choices)[number];

/** What a choice did, in the past tense. */
export const verbs = {
  allow: "allowed",
  allowForSession: "allowed for this session",
  deny: "denied",
  reply: "answered",
} as const satisfies Record<Choice, string>;

/** `none`: no decision, so the agent asks in its terminal. */
export interface Answer {
  choice: Choice | "none";
  /** The reason for "deny", or the text of "reply". */
  message?: string | undefined;
  by: string;
  /** No one answered in time, so the agent still asks in its terminal. */
  isUnanswered?: boolean | undefined;
  /** The name of the channel that carried it. */
  channel?: string | undefined;
  /** Milliseconds since the epoch. */
  at: number;
}

/** A button's nonce counts once, for this choice on this channel. */
export interface Button {
  choice: Choice;
  label: string;
  nonce: string;
}

/** A button that mutes the question's project for an hour. Its nonce counts once, and is no answer. */
export interface SnoozeButton {
  label: string;
  nonce: string;
}

/** What a channel remembers about a message, such as its id. */
export type MessageReference = Readonly<Record<string, string>>;

/** What a service says someone did. Untrusted. */
export interface ReceivedReply {
  /** By user id, never the chat's; undefined if the service names no one. */
  sender?: { id: string; name: string } | undefined;
  nonce?: string | undefined;
  /** Set instead of a nonce if buttons carry none. */
  pressed?: { choice: Choice; to: MessageReference } | undefined;
  reply?: { text: string; to: MessageReference } | undefined;
}

/** What a channel type calls when someone does something there. Returns what to tell that person; undefined: nothing. */
export type OnReply = (received: ReceivedReply) => string | undefined;

/** A question as one channel shows it. */
export interface ShownQuestion {
  /** Empty if only a reply is an answer. */
  buttons: readonly Button[];
  /** Stands after all buttons; undefined where they need its place, or where no one is paired. */
  snooze?: SnoozeButton | undefined;
  /** Types call it when the connection that showed the question reports a press. */
  onReply(received: ReceivedReply): void;
  /** Aborted when the question is over. */
  over: AbortSignal;
}

/** An event of another machine, whose hook waits for an answer from here. */
export interface AskedElsewhere {
  /** The question's id, and the beginning of the payload's name in incoming/. */
  id: string;
  eventId: string;
  agentId?: string | undefined;
  eventName?: string | undefined;
  /** The payload as JSON. */
  text: string;
}

/** A question as one channel writes it. */
export interface WrittenCard {
  /** Body and fields, escaped. */
  text: string;
  /** Nothing of the body and the fields is left out, and the screen shows all of it. */
  isWhole: boolean;
}

/** Begins each line of the agent's own, so that none looks like one of the card. */
export const quoteMark = "│ ";
