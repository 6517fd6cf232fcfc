// A delivery: one message for one channel, as the outbox stores it.
import * as z from "zod";
import { agentEventSchema } from "./event.ts";
import { messageSchema } from "./message.ts";
import { failureReasons } from "./outcome.ts";

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
    /** Why it takes back what its session shows. Such a delivery sends nothing. */
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
