// What is known of each channel's receiver, outliving every process.
import { join } from "node:path";
import * as z from "zod";
import { failureReasons } from "../model/outcome.ts";
import { listNames, removeIfThere } from "../system/files/files.ts";
import { readJson } from "../system/files/read.ts";
import { writeWholeSoon } from "../system/files/write.ts";
import type { Layout } from "./layout.ts";
import { sha256 } from "../system/crypto.ts";

/** Times are milliseconds since the epoch. */
const endpointSchema = z.lazy(() =>
  z.object({
    channel: z.string(),
    notBefore: z.number().optional(),
    /** If the clock is set back, the endpoint's times move back by this. */
    writtenAt: z.number().optional(),
    /** Messages wait until `probeAt`; one delivery then shows whether it works again. */
    breaker: z.object({ failures: z.number(), probeAt: z.number() }).optional(),
    bucket: z.object({ tokens: z.number(), at: z.number() }).optional(),
    missingSecret: z.object({ detail: z.string(), at: z.number() }).optional(),
    /** The channel stays off until its settings or secrets change. */
    switchedOff: z
      .object({
        reason: z.enum(failureReasons),
        detail: z.string(),
        at: z.number(),
        fingerprint: z.string(),
        secretsDigest: z.string(),
      })
      .optional(),
  }),
);
export type Endpoint = z.infer<typeof endpointSchema>;

function pathOf(layout: Layout, channel: string): string {
  return join(layout.endpoints, `${sha256(channel).slice(0, 32)}.json`);
}

/** A file that cannot be read must not silence the channel. */
export function readEndpoint(layout: Layout, channel: string): Endpoint {
  return readJson(pathOf(layout, channel), endpointSchema) ?? { channel };
}

/** An endpoint of which nothing is known needs no file. */
export function writeEndpoint(layout: Layout, endpoint: Endpoint): void {
  const path = pathOf(layout, endpoint.channel);
  const { channel: _, writtenAt: __, ...known } = endpoint;
  if (Object.values(known).every((value) => value === undefined)) removeIfThere(path);
  else writeWholeSoon(path, JSON.stringify(endpoint));
}

export function listEndpoints(layout: Layout): Endpoint[] {
  return listNames(layout.endpoints).flatMap((name) => readJson(join(layout.endpoints, name), endpointSchema) ?? []);
}
