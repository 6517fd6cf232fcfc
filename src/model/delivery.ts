// The shapes of an event and of a delivery, one message for one channel, on the disk. What only prints the journal loads neither these nor zod.
import * as z from "zod";
import { levels } from "./level.ts";
import { messageSchema } from "./message.ts";
import { failureReasons } from "./outcome.ts";
import { usageSchema } from "./usage.ts";

/** Shared, since a schema takes time to make. */
const text = z.string().optional();

export const figuresSchema = z.lazy(() =>
  z.object({
    /** A row's first text names it. */
    table: z.object({ columns: z.array(z.string()), rows: z.array(z.array(z.string())) }).optional(),
    /** One value for each label. */
    chart: z.object({ title: z.string(), labels: z.array(z.string()), values: z.array(z.number()) }).optional(),
  }),
);

/** What hookbell says of its own event where a channel may not have the whole message: in 300 characters, and with no one else's words. */
const ownWordsSchema = z.lazy(() => z.object({ summary: z.string(), none: z.string() }));

/** A program that is new or has changed: what an agent will run, without credentials. */
export const changedHookSchema = z.lazy(() =>
  z.object({
    /** That of `hookbell hooks ID`. */
    id: z.string(),
    agent: z.string(),
    kind: z.string(),
    scope: z.string(),
    /** Its event, the server's name, the setting. */
    event: text,
    command: text,
    /** What you had accepted in its place. */
    before: text,
    file: text,
    line: z.number().optional(),
  }),
);

export const agentEventSchema = z.lazy(() =>
  z.object({
    /** The id comes from the payload's file name, so it is the same when the file is read again. */
    id: z.string(),
    name: z.string(),
    /** The agent's name for it. */
    agentEvent: text,
    agent: z.string(),
    session: z.string(),
    cwd: z.string(),
    /** The repository's name, else the folder's. */
    project: z.string(),
    /** The label in the repository's own file. */
    label: text,
    branch: text,
    /** A linked work tree of git. */
    worktree: text,
    /** Where another session of the project has the same branch and work tree. */
    sessionName: text,
    /** Someone's own words; preferred to `sessionName`. */
    sessionWords: text,
    host: z.string(),
    /** No other agent, or machine, is known: messages leave its name out. */
    isOnlyAgent: z.boolean().optional(),
    isOnlyHost: z.boolean().optional(),
    /** The time at which the hook received it, in ISO 8601. */
    at: z.string(),
    level: z.enum(levels).catch("attention"),
    message: text,
    title: text,
    /** The question, with the command to run. */
    request: text,
    /** What is asked in a few words of hookbell's, such as "asks to run a command"; none are the agent's. */
    headline: text,
    reason: text,
    notificationType: text,
    subagent: text,
    /** Milliseconds since the turn started; of a finished tool call, how long it took. */
    durationMs: z.number().optional(),
    /** How hard the model was told to think, such as "medium". */
    effort: text,
    /** An https page that opens the session elsewhere. hookbell has checked its address. */
    link: text,
    turn: text,
    /** The session that started this one, or "unknown". */
    helperOf: text,
    /** Subagents that still run after the turn. Files of 1.0.0-rc.1 and webhooks have this name, and that of `helperOf`. */
    runningHelpers: z.number().optional(),
    /** The session's question has been answered. */
    isAnswer: z.boolean().optional(),
    /** What it says of the session's turn, where its name says something else or nothing. */
    means: z.enum(["interrupted", "resumed", "compacted", "elsewhere"]).optional(),
    /** No person is before the session: a script or a program has started it. */
    headless: z.boolean().optional(),
    /** After this end of a turn, the session goes on by itself at a time of its own. */
    wakes: z.boolean().optional(),
    /** The agent's own reviewer decides about the question before the person is asked. */
    isReviewed: z.boolean().optional(),
    figures: figuresSchema.optional(),
    /** Only of `HookChanged`: the first programs that it tells of, and how many there are. */
    hooks: z.array(changedHookSchema).optional(),
    hookCount: z.number().optional(),
    ownWords: ownWordsSchema.optional(),
    usage: usageSchema.optional(),
  }),
);

export const deliveryFormatVersion = 2;

/** What deliveries of all kinds have. Times are milliseconds since the epoch. */
const commonFields = () => ({
  version: z.literal(deliveryFormatVersion),
  /** The same for every retry. */
  id: z.string().regex(/^msg_[0-9a-z]+$/),
  channel: z.string(),
  rule: z.string(),
  event: agentEventSchema,
  message: messageSchema,
  /** These channels are tried when this machine cannot show the message. */
  fallback: z.array(z.object({ channel: z.string(), event: agentEventSchema, message: messageSchema })),
  /** Why it waits until `notBefore`. Those with the same `gather` leave as one message. */
  hold: z.object({ by: z.string(), why: z.string(), gather: text }).optional(),
  /** The session whose question has just rung on this channel: this one makes no sound. */
  joins: z.object({ agent: z.string(), session: z.string() }).optional(),
  /** Only this machine's screen and speakers are told of the event, and this is the first of them. */
  isOnlyHere: z.boolean().optional(),
  createdAt: z.number(),
  notBefore: z.number(),
  expiresAt: z.number(),
  /** A foreground command is sending it. */
  claimedUntil: z.number().optional(),
  attempts: z.number(),
  lastFailure: z
    .object({ reason: z.enum(failureReasons), detail: z.string(), at: z.number() })
    .optional()
    .catch(undefined),
});

/** What a rule tells of an agent's event has these, too. With `escalatesAfterMs`, it is a step of the event's escalation. */
const eventFields = () => ({
  payload: z.record(z.string(), z.unknown()).optional(),
  escalatesAfterMs: z.number().optional(),
});

/** One message for one channel. Lazy: most commands read no deliveries. */
export const deliverySchema = z.lazy(() => {
  // A schema takes time to make: the kinds share those of their common fields.
  const common = commonFields();
  const ofEvent = { ...common, ...eventFields() };
  return z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("event"), ...ofEvent }),
    /** An event whose hook waits for the answer: the channel shows the open question with buttons. */
    z.object({ kind: z.literal("question"), ...ofEvent, question: z.string() }),
    /** The list of the sessions that wait, after one of them was answered. */
    z.object({ kind: z.literal("list"), ...common }),
    /** One message in place of deliveries that have waited, newest first. */
    z.object({
      kind: z.literal("summary"),
      ...common,
      summarises: z.array(z.object({ file: z.string(), at: z.string(), line: z.string() })),
      /** Those whose messages they are. */
      sessions: z.array(z.object({ agent: z.string(), session: z.string() })).optional(),
    }),
    /** Changes what the session has shown, or the list of those that wait, where that cannot be taken back. */
    z.object({ kind: z.literal("edit"), ...common, isOfList: z.boolean().optional() }),
    /** Takes back what the session has shown, and sends nothing. */
    z.object({ kind: z.literal("retraction"), ...common, why: z.string() }),
    /** Something about hookbell itself. */
    z.object({ kind: z.literal("notice"), ...common }),
    /** Is sent only if the turn that began with its event is stuck. */
    z.object({ kind: z.literal("stuck"), ...ofEvent }),
    /** An agent's sessions are at their limit: told once for all of them. */
    z.object({ kind: z.literal("limitReached"), ...ofEvent }),
    /** Waits until an agent's limit resets, and then names the sessions that can go on. */
    z.object({ kind: z.literal("limitReset"), ...ofEvent }),
  ]);
});
export type Delivery = z.infer<typeof deliverySchema>;
export type DeliveryKind = Delivery["kind"];
export type DeliveryOf<Kind extends DeliveryKind> = Extract<Delivery, { kind: Kind }>;

/** Whether it is about the list of all sessions that wait, not about one of them. */
export function isAboutList(delivery: Delivery): boolean {
  return delivery.kind === "list" || (delivery.kind === "edit" && delivery.isOfList === true);
}

/** Those that a rule makes of an event. */
export type EventDelivery = DeliveryOf<"event" | "question" | "stuck" | "limitReached" | "limitReset">;
