// The usage limit that an agent's sessions share: what was told of it last, and where channels show it.
import { join } from "node:path";
import * as z from "zod";
import type { AccountLimit } from "../../policies/limit.ts";
import { readJson } from "../../system/files/read.ts";
import { writeWholeSoon } from "../../system/files/write.ts";
import type { Layout } from "../layout.ts";
import { limitOfRc1, removeLimitOfRc1 } from "./rc1.ts";

const toldSchema: z.ZodType<AccountLimit> = z.lazy(() =>
  z.object({
    since: z.number(),
    until: z.number().optional(),
    event: z.string(),
    channels: z.array(z.string()),
  }),
);
const limitsSchema = z.lazy(() =>
  z.record(
    z.string(),
    z.object({
      told: toldSchema.optional(),
      /** What each channel's last delivery asked to remember. */
      references: z.record(z.string(), z.record(z.string(), z.string())),
    }),
  ),
);
export type LimitRecord = z.infer<typeof limitsSchema>[string];

/** Agents may have any name. */
const maxAgents = 100;

const pathOf = (layout: Layout): string => join(layout.root, "limits.json");

/** A file that cannot be read has told of no limit. */
export function readLimit(layout: Layout, agent: string): LimitRecord {
  return readLimits(layout).get(agent) ?? limitOfRc1(layout, agent);
}

/** The key is the agent. */
function readLimits(layout: Layout): Map<string, LimitRecord> {
  return new Map(Object.entries(readJson(pathOf(layout), limitsSchema) ?? {}));
}

export function writeLimit(layout: Layout, agent: string, limit: LimitRecord): void {
  const limits = readLimits(layout);
  // The last one written is last, so that it is kept.
  limits.delete(agent);
  const kept = [...limits.set(agent, limit)].slice(-maxAgents);
  writeWholeSoon(pathOf(layout), JSON.stringify(Object.fromEntries(kept)));
  removeLimitOfRc1(layout, agent);
}
