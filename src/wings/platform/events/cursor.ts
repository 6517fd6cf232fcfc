// Which of the platform's events have been sent, so that a restart sends nothing twice.
import { join } from "node:path";
import * as z from "zod";
import { statIfThere } from "../../../system/files/files.ts";
import { readJson } from "../../../system/files/read.ts";
import { writeWhole } from "../../../system/files/write.ts";

const cursorSchema = z.object({
  /** Keys of events, oldest first. */
  sent: z.array(z.string()),
  /** Milliseconds since the epoch; reports up to then are no news. Absent before the first look. */
  readinessSince: z.number().optional(),
});
export type Cursor = z.infer<typeof cursorSchema>;

const maxSent = 2000;

function pathOf(stateDir: string): string {
  return join(stateDir, "platform.json");
}

/** When anything was last asked for, in milliseconds since the epoch; undefined: never. */
export function lastPolledAt(stateDir: string): number | undefined {
  return statIfThere(pathOf(stateDir))?.mtimeMs;
}

/** A torn or missing cursor begins anew. */
export function readCursor(stateDir: string): Cursor {
  return readJson(pathOf(stateDir), cursorSchema) ?? { sent: [] };
}

export function writeCursor(stateDir: string, { sent, readinessSince }: Cursor): void {
  writeWhole(pathOf(stateDir), JSON.stringify({ sent: sent.slice(-maxSent), readinessSince }));
}
