// The shapes of an event and of a delivery, one message for one channel, on the disk. What only prints the journal loads neither these nor zod.
import * as z from "zod";
import { levels } from "./level.ts";
import { messageSchema } from "./message.ts";
import { failureReasons } from "./outcome.ts";
import { usageSchema } from "./usage.ts";

export const figuresSchema = z.lazy(() =>
  z.object({
    /** A row's first text names it. */
    table: z.object({ columns: z.array(z.string()), rows: z.array(z.array(z.string())) }).optional(),
    /** One value for each label. */
    chart: z.object({ title: z.string(), labels: z.array(z.string()), values: z.array(z.number()) }).optional(),
  }),
);

export const agentEventSchema = z.lazy(() =>
  z.object({
    /** The id comes from the payload's file name, so it is the same when the file is read again. */
    id: z.string(),
    name: z.string(),
    /** The agent's name for it. */
    agentEvent: z.string().optional(),
    agent: z.string(),
    session: z.string(),
    cwd: z.string(),
    /** The repository's name, else the folder's. */
    project: z.string(),
    /** The label in the repository's own file. */
    label: z.string().optional(),
    branch: z.string().optional(),
    /** A linked work tree of git. */
    worktree: z.string().optional(),
    sessionName: z.string().optional(),
    /** Someone's own words; preferred to `sessionName`. */
    sessionWords: z.string().optional(),
    host: z.string(),
    /** The time at which the hook received it, in ISO 8601. */
    at: z.string(),
    level: z.enum(levels).catch("attention"),
    message: z.string().optional(),
    title: z.string().optional(),
    /** The question, with the command to run. */
    request: z.string().optional(),
    reason: z.string().optional(),
    notificationType: z.string().optional(),
    subagent: z.string().optional(),
    /** Milliseconds since the turn started; of a finished tool call, how long it took. */
    durationMs: z.number().optional(),
    /** How hard the model was told to think, such as "medium". */
    effort: z.string().optional(),
    /** An https page that opens the session elsewhere. hookbell has checked its address. */
    link: z.string().optional(),
    turn: z.string().optional(),
    /** The session that started this one, or "unknown". */
    helperOf: z.string().optional(),
    /** Subagents that still run after the turn. */
    runningHelpers: z.number().optional(),
    /** The session's question has been answered. */
    isAnswer: z.boolean().optional(),
    /** What it says of the session's turn, where its name says something else or nothing. */
    means: z.enum(["interrupted", "resumed", "compacted"]).optional(),
    /** The agent's own reviewer decides about the question before the person is asked. */
    isReviewed: z.boolean().optional(),
    figures: figuresSchema.optional(),
    usage: usageSchema.optional(),
  }),
);

export const deliveryFormatVersion = 1;

/** Times are milliseconds since the epoch. Lazy: most commands read no deliveries. */
export const deliverySchema = z.lazy(() =>
  z.object({
    version: z.literal(deliveryFormatVersion),
    /** The same for every retry. */
    id: z.string().regex(/^msg_[0-9a-z]+$/),
    channel: z.string(),
    rule: z.string(),
    event: agentEventSchema,
    message: messageSchema,
    payload: z.record(z.string(), z.unknown()).optional(),
    /** The open question that it shows with buttons. */
    question: z.string().optional(),
    /** Why the delivery takes back what its session shows. Such a delivery sends nothing. */
    takesBack: z.string().optional(),
    /** The deliveries that this summary replaces, newest first. */
    summarises: z.array(z.object({ file: z.string(), at: z.string(), line: z.string() })).optional(),
    /** These channels are tried when this machine cannot show the message. */
    fallback: z.array(z.object({ channel: z.string(), event: agentEventSchema, message: messageSchema })),
    /** Why it waits until `notBefore`. Those with the same `gather` leave as one message. */
    hold: z.object({ by: z.string(), why: z.string(), gather: z.string().optional() }).optional(),
    /** The session whose question has just rung on this channel: this one makes no sound. */
    joins: z.object({ agent: z.string(), session: z.string() }).optional(),
    escalatesAfterMs: z.number().optional(),
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
  }),
);
export type Delivery = z.infer<typeof deliverySchema>;
