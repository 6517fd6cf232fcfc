// The user's mutes, the buckets of throttles, and what has just rung.
import { join } from "node:path";
import * as z from "zod";
import { isSameMute, muteScopes, type Mute } from "../policies/mute.ts";
import { type Ringing, severalKinds } from "../policies/together.ts";
import type { Buckets } from "../policies/throttle.ts";
import { removeIfThere } from "../system/files/files.ts";
import { readJson } from "../system/files/read.ts";
import { writeWhole, writeWholeSoon } from "../system/files/write.ts";
import { listDeliveries, readDelivery, writeDelivery } from "./deliveries/deliveries.ts";
import { writeJournal } from "./journal.ts";
import type { Layout } from "./layout.ts";
import { maskText } from "../model/privacy/originals.ts";

const mutesSchema = z.lazy(() =>
  z.array(
    z.object({
      scope: z.enum(muteScopes),
      name: z.string(),
      until: z.number().optional(),
      by: z.string().optional(),
    }),
  ),
);
const bucketsSchema = z.lazy(() => z.record(z.string(), z.number()));

const ringingSchema = z.lazy(() =>
  z.array(
    z.object({
      channel: z.string(),
      kind: z.enum(severalKinds),
      agent: z.string(),
      session: z.string(),
      until: z.number(),
      waits: z.literal(true).optional(),
    }),
  ),
);

const mutesPath = (layout: Layout): string => join(layout.root, "mutes.json");
const bucketsPath = (layout: Layout): string => join(layout.root, "throttles.json");
const ringingPath = (layout: Layout): string => join(layout.root, "ringing.json");

/** The mutes that are not over. A file that cannot be read mutes nothing. */
export function readMutes(layout: Layout, nowMs: number): Mute[] {
  const mutes = readJson(mutesPath(layout), mutesSchema) ?? [];
  return mutes.filter(({ until = Infinity }) => until > nowMs).map(masked);
}

/** Events and sessions have names without credentials, too. */
function masked<Named extends Pick<Mute, "name">>(mute: Named): Named {
  return { ...mute, name: maskText(mute.name) };
}

export function writeMutes(layout: Layout, mutes: readonly Mute[]): void {
  if (mutes.length === 0) removeIfThere(mutesPath(layout));
  else writeWhole(mutesPath(layout), JSON.stringify(mutes));
}

/** The mute replaces one of the same scope and name. */
export function addMute(layout: Layout, mute: Mute, nowMs: number): void {
  const added = masked(mute);
  writeMutes(layout, [...readMutes(layout, nowMs).filter((each) => !isSameMute(each, added)), added]);
  writeJournal(layout, nowMs, { kind: "muted", ...added });
}

/** Returns the files of the messages that waited for a mute and are due now; another mute may hold them again. */
export function endMutes(layout: Layout, over: readonly Pick<Mute, "scope" | "name">[], nowMs: number): string[] {
  const ended = over.map(masked);
  const isEnded = (mute: Mute): boolean => ended.some((each) => isSameMute(each, mute));
  writeMutes(
    layout,
    readMutes(layout, nowMs).filter((each) => !isEnded(each)),
  );
  for (const { scope, name } of ended) writeJournal(layout, nowMs, { kind: "unmuted", scope, name });
  return listDeliveries(layout, "outbox").filter((file) => {
    const reading = readDelivery(layout, "outbox", file);
    if (reading.status !== "read" || reading.delivery.hold?.by !== "mute") return false;
    writeDelivery(layout, "outbox", file, { ...reading.delivery, notBefore: nowMs });
    return true;
  });
}

/** A file that cannot be read has throttled nothing. */
export function readBuckets(layout: Layout): Buckets {
  return readJson(bucketsPath(layout), bucketsSchema) ?? {};
}

export function writeBuckets(layout: Layout, buckets: Buckets): void {
  writeWholeSoon(bucketsPath(layout), JSON.stringify(buckets));
}

/** After a crash, a few seconds at most are forgotten: then one more message rings. */
export function readRinging(layout: Layout): Ringing[] {
  return readJson(ringingPath(layout), ringingSchema) ?? [];
}

export function writeRinging(layout: Layout, ringing: readonly Ringing[]): void {
  writeWholeSoon(ringingPath(layout), JSON.stringify(ringing));
}
