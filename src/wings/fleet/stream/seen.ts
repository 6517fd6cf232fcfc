// Remembers which events of other machines were taken in: the broker's own window for duplicates is an hour.
import { join } from "node:path";
import type { Layout } from "../../../outbox/layout.ts";
import { ensurePrivateDir, listNames, removeIfThere } from "../../../system/files/files.ts";
import { readIfThere } from "../../../system/files/read.ts";
import { appendLine, syncFile } from "../../../system/files/write.ts";
import { limits } from "../names.ts";
import { fleetFolder } from "./unpublished.ts";

export interface SeenEvents {
  has(eventId: string): boolean;
  /** The ids are durable when it returns. */
  add(eventIds: readonly string[]): void;
}

/** One file for each day, one id on each line. */
export function openSeen(layout: Pick<Layout, "root">, now: () => number): SeenEvents {
  const folder = join(fleetFolder(layout), "seen");
  ensurePrivateDir(folder);
  const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const days = new Map(
    listNames(folder).map((name) => [name, new Set((readIfThere(join(folder, name)) ?? "").split("\n"))]),
  );
  const forgetOld = (): void => {
    const oldest = dayOf(now() - limits.rememberMs);
    for (const day of days.keys()) {
      if (day >= oldest) continue;
      days.delete(day);
      removeIfThere(join(folder, day));
    }
  };
  return {
    has: (eventId) => [...days.values()].some((ids) => ids.has(eventId)),
    add(eventIds) {
      if (eventIds.length === 0) return;
      const day = dayOf(now());
      if (!days.has(day)) forgetOld();
      const ids = days.get(day) ?? new Set();
      days.set(day, ids);
      // The empty line ends a line that a crash has torn.
      appendLine(join(folder, day), ["", ...eventIds].join("\n"));
      syncFile(join(folder, day));
      for (const id of eventIds) ids.add(id);
    },
  };
}
