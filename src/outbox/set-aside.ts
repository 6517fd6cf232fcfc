import { join } from "node:path";
import { readBytesIfThere, removeIfThere } from "../system/files.ts";
import type { DeliveryFolder } from "./deliveries.ts";
import { writeJournal } from "./journal.ts";
import type { Layout } from "./layout.ts";
import { keepRejected } from "./rejected.ts";

/** A delivery file that cannot be read never stops the others: it goes to rejected/ with the reason. */
export function setAsideBroken(
  layout: Layout,
  folder: DeliveryFolder,
  file: string,
  problem: string,
  nowMs: number,
): void {
  const path = join(layout[folder], file);
  keepRejected(layout, readBytesIfThere(path) ?? Buffer.alloc(0), [`${folder}/${file}: ${problem}`], nowMs);
  removeIfThere(path);
  writeJournal(layout, nowMs, { kind: "rejected", file: `${folder}/${file}`, reasons: [problem] });
}
