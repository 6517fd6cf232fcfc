// Whether an agent's own reviewer decides about a question before the person is asked.
import { answerSigns } from "../../agents/signs-of-agents.ts";
import { textOf } from "../../model/json.ts";
import type { PayloadReading } from "../../agents/read-payload.ts";
import { lastLines } from "./last-lines.ts";

/** The line stands at the beginning of the turn. */
const tailBytes = 4 * 1024 * 1024;

/** The last line of the transcript that says so decides; false where none does. */
export function isReviewed({ agentId, eventName, payload }: PayloadReading & { status: "valid" }): boolean {
  const signs = Object.hasOwn(answerSigns, agentId) ? answerSigns[agentId] : undefined;
  const transcript = textOf(payload.transcript_path);
  if (eventName !== "PermissionRequest" || signs?.isReviewed === undefined || transcript === undefined) return false;
  let last = false;
  for (const line of lastLines(transcript, tailBytes)) last = signs.isReviewed(line) ?? last;
  return last;
}
