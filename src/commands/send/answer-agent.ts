// `hook --answer`: stores the payload, waits for the user's answer while they are away, and prints it for the agent.
import { join } from "node:path";
import { decisionFor } from "../../answers/decision.ts";
import { whyNotToWait } from "../../answers/hold.ts";
import { askerOf } from "../../answers/asker.ts";
import { isOnList, sessionSuggestion } from "../../answers/allow-list.ts";
import { textOfCall, textOfFields } from "../../answers/card.ts";
import { digestOf, sealOf, takesQuestion, writeQuestion, type Question } from "../../answers/questions.ts";
import { waitForAnswer } from "../../answers/wait-for-answer.ts";
import type { Asked } from "../../agents/dialect/agent.ts";
import { textOf } from "../../agents/dialect/values.ts";
import { openRules } from "../../dispatch/current-rules.ts";
import type { HookOptions } from "../../intake/hook-arguments.ts";
import { readHookInput, type HookInput } from "../../intake/read-hook-input.ts";
import { describeWriteError, exitCodes, messageOf, type ExitCode } from "../../model/errors.ts";
import { isVerification } from "../../model/own-events.ts";
import type { AgentTerminal } from "../../model/agent-terminal.ts";
import { eventIdOf } from "../../outbox/incoming.ts";
import { writeJournal } from "../../outbox/journal.ts";
import { layoutOf, withLayout, type Layout } from "../../outbox/layout.ts";
import { readSession } from "../../outbox/sessions.ts";
import { stageIncoming } from "../../outbox/write-incoming.ts";
import type { Rules } from "../../rules/rules.ts";
import { findWorkTree } from "../../system/files/git.ts";
import { probePresence } from "../../system/presence/probe.ts";
import { ownAncestry } from "../../system/process/ancestry.ts";
import { callerPids, hostName, ownPid } from "../../system/process/identity.ts";
import { findTerminal } from "../../system/terminal/find-terminal.ts";
import { statIfThere, uniqueName } from "../../system/files/files.ts";
import type { CommandIo } from "../console/command-io.ts";
import { jsonLine } from "../console/text.ts";
import { wake } from "../pipeline/open-dispatcher.ts";

type Reading = (HookInput & { status: "valid" })["reading"];

/** On a busy machine, the usual limit would end before the answer, and a person who is away would not be asked. */
const probeLimitMs = 1000;

/** Exit code 0 and no output mean "no decision": the agent asks in its terminal. */
export async function answerAgent(options: HookOptions, io: CommandIo): Promise<ExitCode> {
  const layout = layoutOf(io.places.stateDir);
  // First, because an early signal would end the process.
  const stop = io.untilStopped();
  const input = await readHookInput(options, io.env, layout);
  if (input.status === "refused") return complain(io, input.lines);
  const id = uniqueName(io.clock.now());
  let file: string;
  let opened: Awaited<ReturnType<typeof openQuestion>>;
  try {
    const agentId = options.agentId ?? input.reading.agentId;
    const hints = { agentId, eventName: options.eventName, callerPids: callerPids(), wiredBy: options.wiredBy };
    // Store the payload first, but let no dispatcher read it before its question is there.
    const stored = { ...hints, unique: id, nowMs: io.clock.now() };
    const putInPlace = withLayout(layout, () => stageIncoming(layout, input.bytes, stored));
    opened = await openQuestion(id, input.reading, io, layout).catch((error: unknown) => ({ why: messageOf(error) }));
    file = putInPlace();
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
  if ("why" in opened) noteWhyNot(layout, file, input.reading, opened, io);
  wakeUp();
  if ("why" in opened) return exitCodes.done;
  const { question } = opened;
  const answer = await waitForAnswer(layout, question, { clock: io.clock, stop, wake: wakeUp });
  const decision = answer === undefined ? undefined : decisionFor(question, answer, input.reading.usual);
  if (decision !== undefined) io.stdout(jsonLine(decision));
  // A dispatcher shows everywhere how it ended.
  wakeUp();
  return exitCodes.done;
}

/** Agents treat other exit codes as failures, some as decisions. */
function complain(io: CommandIo, lines: readonly string[]): ExitCode {
  io.stderr(lines.map((line) => `hookbell: ${line}\n`).join(""));
  return exitCodes.done;
}

/** `log --why` shows the note. There is none for a user who has not switched answers on. */
function noteWhyNot(
  layout: Layout,
  file: string,
  { agentId }: Reading,
  { why, asked }: { why: string; asked?: Asked | undefined },
  io: CommandIo,
): void {
  if (asked === undefined) return;
  const stats = statIfThere(join(layout.incoming, file));
  const event = stats && eventIdOf(file, Math.trunc(stats.mtimeMs));
  const entry = { what: "not asked elsewhere", event, agent: agentId, tool: asked.subject, why };
  writeJournal(layout, io.clock.now(), { kind: "answer", ...entry });
}

/** The stored question, or why the hook does not wait: without `asked`, no one expects it to. */
async function openQuestion(
  id: string,
  reading: Reading,
  io: CommandIo,
  layout: Layout,
): Promise<{ question: Question } | { why: string; asked?: Asked | undefined }> {
  const { rules } = (await openRules(io.places.rulesFile, layout)).rules();
  const { agent, eventName, usual: payload, isShortened } = reading;
  const settings = rules.answers;
  const hasChannel = Object.values(rules.channels).some(({ answers }) => answers);
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
  if (isVerification(textOf(payload.session_id) ?? "")) return { why: "a verification" };
  const asked = agent.asks?.(eventName, payload, io.env);
  const { stops = 0 } = readSession(layout, reading.agentId, textOf(payload.session_id) ?? "");
  const why = await whyNotToWait({ asked, payload, isShortened, settings, hasChannel, stops }, observe);
  if (settings === undefined || asked === undefined) return { why: why ?? "" };
  if (why !== undefined) return { why, asked };
  if (!takesQuestion(layout)) return { why: "too many questions wait, or others can write their folder", asked };
  const question = questionOf(id, reading, asked, settings, { home: io.places.home, nowMs: io.clock.now() });
  writeQuestion(layout, question);
  return { question };
}

function questionOf(
  id: string,
  { agentId, usual: payload }: Reading,
  { kind, subject, input, text, fields, takesSuggestion }: Asked,
  { allow, holdForMs }: NonNullable<Rules["answers"]>,
  { home, nowMs }: { home: string; nowMs: number },
): Question {
  const bound = {
    tool: subject,
    session: textOf(payload.session_id) ?? "",
    cwd: textOf(payload.cwd) ?? "",
    host: hostName(),
  };
  const question = {
    id,
    agent: agentId,
    kind,
    fields,
    ...bound,
    branch: findWorkTree(bound.cwd, home)?.branch,
    ...(kind === "permission" ? textOfCall(input) : textOfFields(text, fields)),
    isAllowable: kind === "permission" && isOnList(allow, subject, input),
    forSession: takesSuggestion ? sessionSuggestion(allow, payload.permission_suggestions) : undefined,
    digest: digestOf({ ...bound, input: kind === "permission" ? input : { text, fields } }),
    askedAt: nowMs,
    expiresAt: nowMs + holdForMs,
    pid: ownPid,
    asker: askerOf(ownAncestry()),
    nonces: [],
    shown: [],
  };
  // As it is read back, without undefined members.
  const written = JSON.parse(JSON.stringify(question)) as Omit<Question, "seal">;
  return { ...written, seal: sealOf(written) };
}
