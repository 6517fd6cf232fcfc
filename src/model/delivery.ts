// A delivery: one message for one channel, as the outbox stores it.
import * as z from "zod";
import { agentEventSchema } from "./event.ts";
import { messageSchema } from "./message.ts";
import { failureReasons } from "./outcome.ts";

export const deliveryFormatVersion = 1;

/** Times are milliseconds since the epoch. */
export const deliverySchema = z.object({
  version: z.literal(deliveryFormatVersion),
  /** The idempotency key: stable over retries. */
  id: z.string().regex(/^msg_[0-9a-z]+$/),
  /** A channel's name in the rules file. */
  channel: z.string(),
  rule: z.string(),
  event: agentEventSchema,
  message: messageSchema,
  /** The agent's payload, kept only for channel types that pass it on. */
  payload: z.record(z.string(), z.unknown()).optional(),
  /** Set on a summary: the deliveries it replaces, newest first. */
  summarises: z.array(z.object({ file: z.string(), at: z.string(), line: z.string() })).optional(),
  /** Channels to try in this order when this one cannot show anything on this machine. */
  fallback: z.array(z.object({ channel: z.string(), event: agentEventSchema, message: messageSchema })),
  createdAt: z.number(),
  notBefore: z.number(),
  expiresAt: z.number(),
  /** Until then a foreground command is sending it, so the dispatcher leaves it alone. */
  claimedUntil: z.number().optional(),
  attempts: z.number(),
  lastFailure: z
    .object({ reason: z.enum(failureReasons), detail: z.string(), at: z.number() })
    .optional()
    .catch(undefined),
});
export type Delivery = z.infer<typeof deliverySchema>;
