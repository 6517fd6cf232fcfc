// What Gemini CLI writes when its question is answered at its terminal.
import type { AnswerSigns } from "../../answer-signs.ts";
import { objectsOf, timeOf } from "../../dialect/transcript.ts";
import { textOf } from "../../../model/json.ts";

/** Its file names calls only when all calls of an answer have ended, so its newest answer stands for them. */
const newest = "newest answer";

/** Measured with 0.61.0. */
export const geminiCliAnswerSigns: AnswerSigns = {
  callsIn(line) {
    if (line.type === "info") return { isInterrupted: textOf(line.content) === "Request cancelled." };
    if (line.type !== "gemini") return undefined;
    const calls = objectsOf(line.toolCalls);
    if (calls.length === 0) return { begun: [{ id: newest, tool: "", input: {} }] };
    // The line repeats the time of the answer.
    return { ended: [newest], at: Math.max(...calls.map(({ timestamp }) => timeOf(timestamp) ?? 0)) || undefined };
  },
  commands: {
    variables: [],
    of: ([, flag, script = ""]) =>
      flag === "-c" && /^shopt [^\n]*; _bgpids_file=/.test(script) ? { call: newest } : undefined,
  },
};
