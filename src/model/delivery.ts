import * as z from "zod";
import { agentEventSchema } from "./event.ts";
import { messageSchema } from "./message.ts";
import { failureReasons } from "./outcome.ts";

export const deliveryFormatVersion = 1;

/** One message for one channel, as the outbox stores it. Times are milliseconds since the epoch. */
export const deliverySchema = z.object({
  version: z.literal(deliveryFormatVersion),
  /** Stable over retries, without dots; goes out as the idempotency key. Starts with `msg_`. */
  id: z.string().regex(/^msg_[0-9a-z]+$/),
  /** A channel's name in the rules file. */
  channel: z.string(),
  rule: z.string(),
  event: agentEventSchema,
  message: messageSchema,
  /** The agent's payload as it came, kept only for channel types that pass it on. */
  payload: z.record(z.string(), z.unknown()).optional(),
  /** Set on a summary: the deliveries it stands for, newest first; their files are gone, or are to go. */
  summarises: z.array(z.object({ file: z.string(), at: z.string(), line: z.string() })).optional(),
  /** Who gets it, in which words, when this channel cannot show it on this machine; the first of them that can. */
  fallback: z.array(z.object({ channel: z.string(), event: agentEventSchema, message: messageSchema })),
  createdAt: z.number(),
  notBefore: z.number(),
  expiresAt: z.number(),
  /** Until then a command in the foreground is sending it, and a dispatcher leaves it alone. */
  claimedUntil: z.number().optional(),
  attempts: z.number(),
  lastFailure: z.object({ reason: z.enum(failureReasons), detail: z.string(), at: z.number() }).optional(),
});
export type Delivery = z.infer<typeof deliverySchema>;
