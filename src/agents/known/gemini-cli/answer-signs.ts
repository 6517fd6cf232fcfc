// What Gemini CLI writes when its question is answered at its terminal, and how it ends a turn.
import type { AnswerSigns } from "../../answer-signs.ts";
import { errorReason } from "../../dialect/error-reason.ts";
import { timeOf } from "../../dialect/transcript.ts";
import { objectsOf, textOf } from "../../../model/json.ts";

/** The transcript names calls only when all calls of an answer have ended, so its newest answer stands for them. */
const newest = "newest answer";

/** Measured with 0.61.0. */
export const geminiCliAnswerSigns: AnswerSigns = {
  callsIn(line) {
    const text = textOf(line.content) ?? "";
    if (line.type === "info") return text === "Request cancelled." ? { isInterrupted: true } : undefined;
    // Gemini CLI's own commands write such lines, too.
    if (line.type === "error") return { failure: errorIn(text), failureMessage: text, isOnlyForStop: true };
    if (line.type !== "gemini") return undefined;
    const calls = objectsOf(line.toolCalls);
    if (calls.length === 0) return { begun: [{ id: newest, tool: "", input: {} }] };
    // The line repeats the time of the answer.
    return { ended: [newest], at: Math.max(...calls.map(({ timestamp }) => timeOf(timestamp) ?? 0)) || undefined };
  },
  explainsStop: true,
  commands: {
    variables: [],
    of: ([, flag, script = ""]) =>
      flag === "-c" && /^shopt [^\n]*; _bgpids_file=/.test(script) ? { call: newest } : undefined,
  },
};

/** The statuses of Google's APIs: https://google.aip.dev/193 */
const reasons: Readonly<Partial<Record<string, string>>> = {
  UNAUTHENTICATED: "authentication_failed",
  PERMISSION_DENIED: "authentication_failed",
  RESOURCE_EXHAUSTED: "rate_limit",
  UNAVAILABLE: "overloaded",
  INTERNAL: "server_error",
  INVALID_ARGUMENT: "invalid_request",
};

/** `[API Error: … (Status: RESOURCE_EXHAUSTED)]`, or the JSON that another server answered with. */
function errorIn(text: string): string | undefined {
  const status = /\(Status: (\w+)\)/.exec(text)?.[1];
  return (status && reasons[status]) ?? errorReason(/"type":"(\w+_error)"/.exec(text)?.[1] ?? "error");
}
