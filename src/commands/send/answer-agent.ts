// `hook --answer`: stores the payload, waits for the user's answer while they are away, and prints it for the agent.
import { decisionFor } from "../../answers/decision.ts";
import { whyNoPlace, writeQuestion } from "../../answers/questions.ts";
import { waitForAnswer } from "../../answers/wait-for-answer.ts";
import { hookCaller } from "../../agents/read-payload.ts";
import { planQuestion, type PlannedQuestion } from "../../pipeline/answers/plan-question.ts";
import { openRules } from "../../pipeline/current-rules.ts";
import type { HookOptions } from "../../intake/hook-arguments.ts";
import { readHookInput, type HookInput } from "../../intake/read-hook-input.ts";
import { describeWriteError, exitCodes, messageOf, type ExitCode } from "../../model/errors.ts";
import { isVerification } from "../../model/own-events.ts";
import type { AgentTerminal } from "../../model/places/agent-terminal.ts";
import { eventIdOf } from "../../outbox/incoming.ts";
import { writeJournal } from "../../outbox/journal.ts";
import { layoutOf, withLayout, type Layout } from "../../outbox/layout.ts";
import { maskText } from "../../model/privacy/originals.ts";
import { stageIncoming } from "../../outbox/write-incoming.ts";
import { probePresence } from "../../system/presence/probe.ts";
import { callerPids } from "../../system/process/identity.ts";
import { findTerminal } from "../../system/terminal/find-terminal.ts";
import { uniqueName } from "../../system/files/files.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { jsonLine } from "../../console/output/text.ts";
import { wake } from "../../daemon/open-dispatcher.ts";
import { textOf } from "../../model/json.ts";

type Reading = (HookInput & { status: "valid" })["reading"];

/** On a busy machine, the usual limit would end before the answer, and a person who is away would not be asked. */
const probeLimitMs = 1000;

/** Exit code 0 and no output mean "no decision": the agent asks in its terminal. */
export async function answerAgent(options: HookOptions, io: CommandIo): Promise<ExitCode> {
  const layout = layoutOf(io.places.stateDir);
  // Listen first, because an early signal would end the process.
  const stop = io.untilStopped();
  const input = await readHookInput(options, io.env, layout, io.readPayload);
  if (input.status === "refused") return complain(io, input.lines);
  const id = uniqueName(io.clock.now());
  let eventId: string;
  let opened: Awaited<ReturnType<typeof openQuestion>>;
  try {
    const agentId = options.agentId ?? input.reading.agentId;
    const { eventName, setupName } = options;
    const namedPid = io.env[input.reading.agent.variables.ofProcess ?? ""];
    const origin = { callerPids: callerPids(), namedPid, hookOf: hookCaller(io.env) };
    const hints = { agentId, eventName, ...origin, setupName };
    // Store the payload first, but let no dispatcher read it before its question is there.
    const stored = { ...hints, unique: id, nowMs: io.clock.now() };
    const staged = withLayout(layout, () => stageIncoming(layout, input.bytes, stored));
    eventId = eventIdOf(staged.file, staged.receivedAt);
    opened = await openQuestion(id, input.reading, io, layout).catch((error: unknown) => ({ why: messageOf(error) }));
    staged.putInPlace();
  } catch (error) {
    return complain(io, [`payload: cannot keep it in ${layout.incoming}: ${describeWriteError(error)}`]);
  }
  const wakeUp = (): void => {
    try {
      wake(io);
    } catch {
      // The payload is stored; the next hook starts the dispatcher.
    }
  };
  // `log --why` shows the note. There is none for a user who has not switched answers on.
  if ("why" in opened && opened.asked !== undefined) {
    const { asked, why } = opened;
    const about = { event: eventId, agent: input.reading.agentId, tool: maskText(asked.subject) };
    writeJournal(layout, io.clock.now(), { kind: "answer", what: "not asked elsewhere", ...about, why });
  }
  wakeUp();
  if ("why" in opened) return exitCodes.done;
  const { question } = opened;
  const answer = await waitForAnswer(layout, question, { clock: io.clock, stop, wake: wakeUp });
  const decision = answer === undefined ? undefined : decisionFor(question, answer, input.reading.usual);
  if (decision !== undefined) io.stdout(jsonLine(decision));
  // The dispatcher shows everywhere how the question ended.
  wakeUp();
  return exitCodes.done;
}

/** Agents treat other exit codes as failures, some as decisions. */
function complain(io: CommandIo, lines: readonly string[]): ExitCode {
  io.stderr(lines.map((line) => `hookbell: ${line}\n`).join(""));
  return exitCodes.done;
}

async function openQuestion(id: string, reading: Reading, io: CommandIo, layout: Layout): Promise<PlannedQuestion> {
  const { rules } = (await openRules(io.places.rulesFile, layout)).rules();
  const terminal = (): AgentTerminal | undefined =>
    callerPids()
      .map((pid) => findTerminal(pid, 0))
      .find(Boolean);
  const observe = () =>
    probePresence({
      terminal: terminal(),
      env: io.env,
      platform: io.platform,
      nowMs: io.clock.now(),
      limitMs: probeLimitMs,
    });
  if (isVerification(textOf(reading.usual.session_id) ?? "")) return { why: "a verification" };
  const planned = await planQuestion(id, reading, rules, layout, io, observe);
  if ("why" in planned) return planned;
  const { question, asked } = planned;
  const why = whyNoPlace(layout, question);
  if (why !== undefined) return { why, asked };
  writeQuestion(layout, question);
  return planned;
}
