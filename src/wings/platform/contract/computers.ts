// The resource and the error body of the one operation on remote computers.
import * as z from "zod";

/** The document names no value but `Running`, so any string is accepted. */
const provisioningStepSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  error: z.string().optional(),
  startedAt: z.number().optional(),
  completedAt: z.number().optional(),
  installSessionId: z.string().optional(),
});

const computerSourceSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("template"), templateId: z.string().min(1) }),
  z.strictObject({ kind: z.literal("computer"), computerId: z.string().min(1) }),
]);

export const computerSchema = z.strictObject({
  id: z.string(),
  hostId: z.guid().optional(),
  name: z.string(),
  hostname: z.string().optional(),
  providerType: z.enum(["byom", "e2b"]),
  status: z.enum(["provisioning", "active", "error"]).optional(),
  /** The document gives no unit. */
  createdAt: z.number(),
  provisioningSteps: z.array(provisioningStepSchema).optional(),
  relayClientUrl: z.url().optional(),
  relayAgentUrl: z.url().optional(),
  remoteUser: z.string().optional(),
  ownerPrincipalKind: z.string().optional(),
  ownerId: z.string().optional(),
  computerSource: computerSourceSchema.optional(),
});
export type Computer = z.infer<typeof computerSchema>;

export const computerErrorSchema = z.strictObject({
  detail: z.string(),
  /** The HTTP status code. */
  status: z.number(),
  /** The HTTP status text. */
  title: z.string(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});
