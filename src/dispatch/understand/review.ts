// Whether an agent's own reviewer decides about a question before the person is asked.
import { answerSigns } from "../../agents/signs-of-agents.ts";
import { statIfThere } from "../../system/files/files.ts";
import { readLinesFrom } from "../../system/files/read-lines.ts";
import type { PayloadReading } from "../../agents/read-payload.ts";
import { textOf } from "../../model/json.ts";

/** The line stands at the beginning of the turn. */
const tailBytes = 4 * 1024 * 1024;

/** The last line of the transcript that says so decides; false where none does. */
export function isReviewed({ agentId, eventName, payload }: PayloadReading & { status: "valid" }): boolean {
  const signs = Object.hasOwn(answerSigns, agentId) ? answerSigns[agentId] : undefined;
  const transcript = textOf(payload.transcript_path);
  if (eventName !== "PermissionRequest" || signs?.isReviewed === undefined || transcript === undefined) return false;
  let last = false;
  try {
    let offset = Math.max(0, (statIfThere(transcript)?.bytes ?? 0) - tailBytes);
    for (let hasMore = true; hasMore;) {
      const read = readLinesFrom(transcript, offset, { chunkBytes: tailBytes, maxLineBytes: tailBytes });
      if (read === undefined) break;
      for (const line of read.lines) last = signs.isReviewed(line) ?? last;
      ({ offset, hasMore } = read);
    }
  } catch {
    // The agent named the path: it may lead to what is no file, or to one that only others may read.
  }
  return last;
}
