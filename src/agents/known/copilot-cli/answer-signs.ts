// What Copilot CLI writes when its question is answered at its terminal.
import type { AnswerSigns } from "../../answer-signs.ts";
import { objectOf, textOf } from "../../../model/json.ts";

/** Measured with 1.0.102. Only the hooks at the end of a turn name the file. */
export const copilotCliAnswerSigns: AnswerSigns = {
  transcriptOf: {
    place: { path: ".copilot", moved: { env: "COPILOT_HOME" } },
    path: (session) => (/^[\w-]+$/.test(session) ? `session-state/${session}/events.jsonl` : undefined),
  },
  processIn(file) {
    const [, pid] = /^inuse\.(\d+)\.lock$/.exec(file) ?? [];
    return pid === undefined ? undefined : Number(pid);
  },
  takesTurnsBack: true,
  callsIn({ type, data: given }) {
    const data = objectOf(given);
    if (type === "abort") return { isInterrupted: true };
    const id = textOf(data.toolCallId);
    if (id === undefined) return undefined;
    // A call that is allowed without a question ends, for us, with its result.
    if (type === "permission.completed" || type === "tool.execution_complete") return { ended: [id] };
    if (type !== "tool.execution_start") return undefined;
    return { begun: [{ id, tool: textOf(data.toolName) ?? "", input: data.arguments }] };
  },
};
