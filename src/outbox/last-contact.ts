// When each machine of the fleet was last heard from. A session of one that is silent may do anything.
import { join } from "node:path";
import * as z from "zod";
import { formatTime } from "../model/figures/wall-clock.ts";
import type { State } from "../sessions/state.ts";
import { readJson } from "../system/files/read.ts";
import { writeWholeSoon } from "../system/files/write.ts";
import type { Layout } from "./layout.ts";
import type { SessionRecord } from "./sessions.ts";

/** The times are milliseconds since the epoch, by this machine's clock; the keys are the machines' names. */
const heardSchema = z.record(z.string(), z.number());
type Heard = z.infer<typeof heardSchema>;

/** The dispatcher writes every half minute what each machine says every half minute. */
const silentAfterMs = 2 * 60_000;

const pathOf = ({ root }: Pick<Layout, "root">): string => join(root, "heard.json");

export function writeHeard(layout: Pick<Layout, "root">, heard: Heard): void {
  try {
    writeWholeSoon(pathOf(layout), JSON.stringify(heard));
  } catch {
    // If the disk is full, the machines soon count as silent.
  }
}

/** The state to show instead, for a session of which only its own machine knows how it goes on. */
export function createHeardCheck(
  layout: Pick<Layout, "root">,
): (session: SessionRecord, nowMs: number) => State | undefined {
  let heard: Heard | undefined;
  return ({ state, host = "", isOfFleet }, nowMs) => {
    if (isOfFleet !== true || !/^(?:working|needsYou|waitsForHelpers)$/.test(state.kind)) return undefined;
    heard ??= readJson(pathOf(layout), heardSchema) ?? {};
    const [machine = ""] = host.split("/");
    const heardAt = Object.hasOwn(heard, machine) ? heard[machine] : undefined;
    if (heardAt === undefined || nowMs - heardAt < silentAfterMs) return undefined;
    const reason = `${machine} has not been heard from since ${formatTime(heardAt, nowMs, undefined)}.`;
    return { kind: "unknown", since: heardAt, reason, source: "hook" };
  };
}
