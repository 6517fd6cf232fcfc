// The user's mutes, and the buckets of throttles.
import { join } from "node:path";
import * as z from "zod";
import { muteScopes, type Mute } from "../attention/mute.ts";
import type { Buckets } from "../attention/throttle.ts";
import { removeIfThere } from "../system/files/files.ts";
import { readJson } from "../system/files/read.ts";
import { writeWhole, writeWholeSoon } from "../system/files/write.ts";
import type { Layout } from "./layout.ts";

const mutesSchema = z.array(z.object({ scope: z.enum(muteScopes), name: z.string(), until: z.number().optional() }));
const bucketsSchema = z.record(z.string(), z.number());

const mutesPath = (layout: Layout): string => join(layout.root, "mutes.json");
const bucketsPath = (layout: Layout): string => join(layout.root, "throttles.json");

/** Those that are not over. A file that cannot be read mutes nothing. */
export function readMutes(layout: Layout, nowMs: number): Mute[] {
  return (readJson(mutesPath(layout), mutesSchema) ?? []).filter(({ until = Infinity }) => until > nowMs);
}

export function writeMutes(layout: Layout, mutes: readonly Mute[]): void {
  if (mutes.length === 0) removeIfThere(mutesPath(layout));
  else writeWhole(mutesPath(layout), JSON.stringify(mutes));
}

/** A file that cannot be read has throttled nothing. */
export function readBuckets(layout: Layout): Buckets {
  return readJson(bucketsPath(layout), bucketsSchema) ?? {};
}

export function writeBuckets(layout: Layout, buckets: Buckets): void {
  writeWholeSoon(bucketsPath(layout), JSON.stringify(buckets));
}
