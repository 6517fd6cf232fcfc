import { join } from "node:path";
import { writeJournal } from "./journal.ts";
import type { Layout } from "./layout.ts";
import { moveToRejected } from "./rejected.ts";

/** A file that cannot be understood never stops the others: it goes to rejected/ with the reason. */
export function setAsideBroken(
  layout: Layout,
  folder: "incoming" | "outbox" | "dead" | "journal" | "endpoints",
  file: string,
  problem: string,
  nowMs: number,
): void {
  const cameAs = `${folder}/${file}`;
  const kept = moveToRejected(layout, join(layout[folder], file), [`${cameAs}: ${problem}`], nowMs);
  writeJournal(layout, nowMs, { kind: "rejected", file: kept ?? cameAs, cameAs, reasons: [problem] });
}
