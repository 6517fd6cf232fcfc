// What is known of each channel's receiver, outliving every process.
import { join } from "node:path";
import * as z from "zod";
import { failureReasons } from "../model/outcome.ts";
import { listNames, readIfThere, removeIfThere, writeWholeSoon } from "../system/files/files.ts";
import type { Layout } from "./layout.ts";
import { sha256 } from "../system/crypto.ts";

const endpointSchema = z.object({
  channel: z.string(),
  /** Milliseconds since the epoch before which the receiver wants no request, by its own word. */
  notBefore: z.number().optional(),
  /** When the times in here were written: those of a clock that was set back since move back with it. */
  writtenAt: z.number().optional(),
  /** Set after several failures in a row: nothing goes out before `probeAt`, and then one delivery to see. */
  breaker: z.object({ failures: z.number(), probeAt: z.number() }).optional(),
  /** How many requests the receiver's rate allowed at `at`, by a token bucket. */
  bucket: z.object({ tokens: z.number(), at: z.number() }).optional(),
  /** Set while deliveries wait for a secret of the channel. */
  missingSecret: z.object({ detail: z.string(), at: z.number() }).optional(),
  /** Set when the receiver refused us for good; holds until the channel's settings or secrets change. */
  switchedOff: z
    .object({
      reason: z.enum(failureReasons),
      detail: z.string(),
      at: z.number(),
      /** Of the settings as the rules file has them. */
      fingerprint: z.string(),
      /** Of the secrets that they led to; a fixed file or variable changes it. */
      secretsDigest: z.string(),
    })
    .optional(),
});
export type Endpoint = z.infer<typeof endpointSchema>;

function pathOf(layout: Layout, channel: string): string {
  return join(layout.endpoints, `${sha256(channel).slice(0, 32)}.json`);
}

/** A file that cannot be read must not silence the channel. */
function readAt(path: string): Endpoint | undefined {
  try {
    return endpointSchema.safeParse(JSON.parse(readIfThere(path) ?? "null")).data;
  } catch {
    return undefined;
  }
}

export function readEndpoint(layout: Layout, channel: string): Endpoint {
  return readAt(pathOf(layout, channel)) ?? { channel };
}

/** An endpoint of which nothing is known needs no file. */
export function writeEndpoint(layout: Layout, endpoint: Endpoint): void {
  const path = pathOf(layout, endpoint.channel);
  const { channel: _, writtenAt: __, ...known } = endpoint;
  if (Object.values(known).every((value) => value === undefined)) removeIfThere(path);
  else writeWholeSoon(path, JSON.stringify(endpoint));
}

export function listEndpoints(layout: Layout): Endpoint[] {
  return listNames(layout.endpoints).flatMap((name) => readAt(join(layout.endpoints, name)) ?? []);
}
