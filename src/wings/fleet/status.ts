// How the connection to the fleet's broker is, for `doctor` and `status`.
import { join } from "node:path";
import * as z from "zod";
import type { Layout } from "../../outbox/layout.ts";
import { readJson } from "../../system/files/read.ts";
import { writeWholeSoon } from "../../system/files/write.ts";
import { fleetFolder } from "./stream/unpublished.ts";

const statusSchema = z.object({
  what: z.enum(["connected", "waiting"]),
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** What the broker, or the connection to it, said last. */
  why: z.string().optional(),
  /** How far this machine's clock is ahead of the broker's. */
  clockAheadMs: z.number(),
  unpublished: z.number(),
});
export type FleetStatus = z.infer<typeof statusSchema>;

const pathOf = (layout: Pick<Layout, "root">): string => join(fleetFolder(layout), "status.json");

/** Undefined where no dispatcher has tried yet. */
export function readFleetStatus(layout: Pick<Layout, "root">): FleetStatus | undefined {
  return readJson(pathOf(layout), statusSchema);
}

export function writeFleetStatus(layout: Pick<Layout, "root">, status: FleetStatus): void {
  try {
    writeWholeSoon(pathOf(layout), JSON.stringify(status));
  } catch {
    // If the disk is full, an old status stays.
  }
}
