// Reads and validates the payload on standard input. On the hot path: import nothing heavy.
import { describePayloadProblem, maxPayloadBytes, readPayload, type PayloadReading } from "../agents/read-payload.ts";
import { describeWriteError } from "../model/errors.ts";
import { withLayout, type Layout } from "../outbox/layout.ts";
import { writeJournal } from "../outbox/journal.ts";
import { keepRejected } from "../outbox/rejected.ts";
import { systemClock } from "../system/clock.ts";
import type { Environment } from "../system/environment.ts";
import { readStdin, type StdinReading } from "../system/terminal/stdin.ts";

export type ReadPayload = typeof readStdin;

/** Some agents leave standard input open: a payload that is complete by then counts. */
export const stdinSilenceMs = 2000;
const stdinDeadlineMs = 10_000;

export type HookInput =
  | { status: "valid"; bytes: Buffer; reading: PayloadReading & { status: "valid" } }
  /** The payload is in rejected/ already. */
  | { status: "refused"; lines: string[] };

export async function readHookInput(
  options: { agentId?: string | undefined; eventName?: string | undefined },
  env: Environment,
  layout: Layout,
  read = readStdin,
): Promise<HookInput> {
  const input = await read({ silenceMs: stdinSilenceMs, deadlineMs: stdinDeadlineMs, maxBytes: maxPayloadBytes });
  if (input.status === "terminal") {
    const line = "payload: expected one JSON object on standard input, got a terminal (to try it: hookbell test)";
    return { status: "refused", lines: [line] };
  }
  if (input.status === "failed") {
    return refuse(layout, input, [`payload: cannot read standard input: ${describeWriteError(input.error)}`]);
  }
  if (input.status === "tooLarge") {
    return refuse(layout, input, [`payload: expected at most ${maxPayloadBytes} bytes, got more`]);
  }
  const reading = readPayload(input.bytes.toString("utf8"), { ...options, env });
  if (reading.status === "valid") return { status: "valid", bytes: input.bytes, reading };
  if (input.status === "silent") {
    const what = `${input.bytes.length} bytes on a standard input left open`;
    return refuse(layout, input, [`payload: expected one JSON object, got ${what}`]);
  }
  return refuse(
    layout,
    input,
    reading.problems.map((problem) => describePayloadProblem(problem, reading.eventName)),
  );
}

function refuse(layout: Layout, input: StdinReading, lines: string[]): HookInput {
  if (input.bytes.length === 0) return { status: "refused", lines };
  try {
    const nowMs = systemClock.now();
    const file = withLayout(layout, () => keepRejected(layout, input.bytes, lines, nowMs));
    writeJournal(layout, nowMs, { kind: "rejected", file, reasons: lines });
    return { status: "refused", lines };
  } catch (error) {
    return {
      status: "refused",
      lines: [...lines, `payload: cannot keep it in ${layout.rejected}: ${describeWriteError(error)}`],
    };
  }
}
