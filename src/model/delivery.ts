// A delivery: one message for one channel, as the outbox stores it.
import * as z from "zod";
import { agentEventSchema } from "./event.ts";
import { messageSchema } from "./message.ts";
import { failureReasons } from "./outcome.ts";

export const deliveryFormatVersion = 1;

/** Times are milliseconds since the epoch. Lazy, like the other schemas of records: most commands read none. */
export const deliverySchema = z.lazy(() =>
  z.object({
    version: z.literal(deliveryFormatVersion),
    /** The idempotency key: stable over retries. */
    id: z.string().regex(/^msg_[0-9a-z]+$/),
    channel: z.string(),
    rule: z.string(),
    event: agentEventSchema,
    message: messageSchema,
    /** Only for channel types that pass it on. */
    payload: z.record(z.string(), z.unknown()).optional(),
    /** The open question that it shows, with buttons. */
    question: z.string().optional(),
    /** On a summary: the deliveries it replaces, newest first. */
    summarises: z.array(z.object({ file: z.string(), at: z.string(), line: z.string() })).optional(),
    /** Tried in this order when this machine cannot show the message. */
    fallback: z.array(z.object({ channel: z.string(), event: agentEventSchema, message: messageSchema })),
    /** Why attention holds it back until `notBefore`. Those for one channel with the same `gather` leave as one. */
    hold: z.object({ by: z.string(), why: z.string(), gather: z.string().optional() }).optional(),
    /** Set on a step of an escalation: how many milliseconds after its event it is due. */
    escalatesAfterMs: z.number().optional(),
    createdAt: z.number(),
    notBefore: z.number(),
    expiresAt: z.number(),
    /** Until then a foreground command is sending it. */
    claimedUntil: z.number().optional(),
    attempts: z.number(),
    lastFailure: z
      .object({ reason: z.enum(failureReasons), detail: z.string(), at: z.number() })
      .optional()
      .catch(undefined),
  }),
);
export type Delivery = z.infer<typeof deliverySchema>;
