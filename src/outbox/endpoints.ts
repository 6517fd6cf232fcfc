import { createHash } from "node:crypto";
import { join } from "node:path";
import * as z from "zod";
import { failureReasons } from "../model/outcome.ts";
import { listNames, readIfThere, removeIfThere, writeWhole } from "../system/files.ts";
import type { Layout } from "./layout.ts";

const endpointSchema = z.object({
  channel: z.string(),
  /** Milliseconds since the epoch before which the receiver wants no request. */
  notBefore: z.number().optional(),
  /** Set when the receiver said that it is gone for good; holds until the channel's settings change. */
  switchedOff: z
    .object({ reason: z.enum(failureReasons), detail: z.string(), at: z.number(), fingerprint: z.string() })
    .optional(),
});
/** What is known of a destination, outliving every process. */
export type Endpoint = z.infer<typeof endpointSchema>;

function pathOf(layout: Layout, channel: string): string {
  return join(layout.endpoints, `${createHash("sha256").update(channel).digest("hex").slice(0, 32)}.json`);
}

function parseEndpoint(text: string | undefined): Endpoint | undefined {
  if (text === undefined) return undefined;
  try {
    return endpointSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export function readEndpoint(layout: Layout, channel: string): Endpoint {
  return parseEndpoint(readIfThere(pathOf(layout, channel))) ?? { channel };
}

/** An endpoint of which nothing is known needs no file. */
export function writeEndpoint(layout: Layout, endpoint: Endpoint): void {
  const path = pathOf(layout, endpoint.channel);
  if (endpoint.notBefore === undefined && endpoint.switchedOff === undefined) removeIfThere(path);
  else writeWhole(path, JSON.stringify(endpoint));
}

export function listEndpoints(layout: Layout): Endpoint[] {
  return listNames(layout.endpoints).flatMap((name) => parseEndpoint(readIfThere(join(layout.endpoints, name))) ?? []);
}
