// `hookbell explain`: shows which rules match a payload, and which channels get which text.
import { typedWord } from "../../model/places/user-shell.ts";
import type { PayloadProblem } from "../../agents/dialect/problem.ts";
import { createWords } from "../../model/privacy/scrub-event.ts";
import { describePayloadProblem, maxPayloadBytes, readPayload } from "../../agents/read-payload.ts";
import type { CurrentRules } from "../../pipeline/current-rules.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { whyHookIsNotOurs } from "../../answers/own-hook.ts";
import { cardInstead } from "../../pipeline/answers/ask.ts";
import { planQuestion } from "../../pipeline/answers/plan-question.ts";
import { decidePayload } from "../../pipeline/pipeline.ts";
import type { Delivery } from "../../model/delivery.ts";
import type { Message } from "../../model/message.ts";
import { formatDuration } from "../../model/figures/duration.ts";
import { describeWriteError, exitCodes, UserError, type ExitCode, usageError } from "../../model/errors.ts";
import type { AgentEvent } from "../../model/event.ts";
import { withPublicWords } from "../../sessions/public-words.ts";
import { maskText } from "../../model/privacy/originals.ts";
import type { ProjectFileReading } from "../../rules/project-file.ts";
import { readStartIfThere } from "../../system/files/read.ts";
import { statIfThere, uniqueName } from "../../system/files/files.ts";
import { agentNameHint } from "./agent-name-hint.ts";
import { decideAgain, type EventDecision, messagesOf } from "../pipeline/decide-again.ts";
import { parseArguments } from "../../console/arguments.ts";
import { inspectCommands } from "../help/inspect.ts";
import { loadPlainOf } from "../../console/output/show-entry.ts";
import { jsonLine, paint, wrapping } from "../../console/output/text.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { usableRules } from "../pipeline/load-rules.ts";
import { entriesOf, lastEvent } from "../queue/why.ts";
import { showExplanation } from "./show.ts";
import { readSupposed, type Supposed } from "../pipeline/supposed.ts";
import { viewDispatcher } from "../../daemon/open-dispatcher.ts";

export async function explain(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, inspectCommands.explain.flags, 1);
  const [first] = positionals;
  const supposed = readSupposed(values, io.clock.now());
  const atThatTime = { ...io, clock: { ...io.clock, now: () => supposed.at } };
  const dispatcher = await viewDispatcher(atThatTime, values.config);
  // The id of an event or a message, or how it begins.
  const isRecordedId = first !== undefined && /^(?:(?:evt|msg)_\w*|[\da-f]{4,})$/.test(first);
  if (isRecordedId && statIfThere(first) === undefined)
    return await explainRecorded(first, dispatcher, io, supposed, values);
  const file = first === "-" ? undefined : first;
  if (file === undefined && io.isStdinTerminal) {
    const last = first === undefined ? lastEvent(dispatcher.layout) : undefined;
    if (last !== undefined) return await explainRecorded(last, dispatcher, io, supposed, values);
    throw usageError(
      "explain",
      "no event has arrived yet that it could explain",
      "hookbell explain FILE, or pipe a JSON object into it",
    );
  }
  const text = file === undefined ? await io.readStdin(maxPayloadBytes) : readPayloadFile(file);
  if (file === undefined && text.trim() === "") {
    const last = first === undefined ? lastEvent(dispatcher.layout) : undefined;
    if (last !== undefined) return await explainRecorded(last, dispatcher, io, supposed, values);
  }
  if (Buffer.byteLength(text) > maxPayloadBytes) {
    throw refused([{ field: "", expected: `at most ${maxPayloadBytes} bytes`, got: "more" }], undefined);
  }
  const hint = agentNameHint(values.agent);
  if (hint !== undefined) io.stderr(`hookbell: ${hint}\n`);
  const reading = readPayload(text, { agentId: values.agent, eventName: values.event, env: io.env });
  if (reading.status === "invalid") {
    throw refused(reading.problems, reading.eventName);
  }
  const current = usableRules(dispatcher, values.config, io);
  const observe = () => Promise.resolve(supposed.presence ?? {});
  const { event, planned, selection, projectFile } = await decidePayload(
    { ...dispatcher, observePresence: observe },
    {
      reading,
      origin: {
        eventId: "evt_explained",
        receivedAt: supposed.at,
        position: uniqueName(supposed.at),
        callerPids: [],
        turnStartedAt: supposed.turnStartedAt,
      },
    },
  );
  const isUnknown = values.agent === undefined && reading.agent.id === "generic";
  const notes = isUnknown ? ["no agent recognised; if one sent this, name it with --agent ID"] : [];
  const hook = { ...atThatTime, places: { ...io.places, rulesFile: dispatcher.rulesFile } };
  const planning = await planQuestion("explained", reading, current.rules, dispatcher.layout, hook, observe);
  const notOurs = "question" in planning && whyHookIsNotOurs(dispatcher.layout, planning.question, io.clock.now());
  const opened = notOurs ? { why: notOurs, asked: planning.asked } : planning;
  const { answers } = current.rules;
  if (opened.asked !== undefined && answers !== undefined) {
    const longest = formatDuration(answers.holdForMs);
    notes.push(
      "why" in opened
        ? `the hook does not wait for an answer: ${opened.why}`
        : `the hook waits for an answer, up to ${longest} once the question is shown`,
    );
  }
  const deliveries = planned.map(({ delivery, channel, scrubbed }) => {
    const asked = "question" in opened ? cardInstead(opened.question, delivery, channel) : undefined;
    if (asked === undefined || "why" in asked) return { delivery, scrubbed };
    const shown = { ...delivery, message: withFieldsBelow(asked.card) };
    return { delivery: shown, scrubbed };
  });
  return await show(io, { event, deliveries, selection, notes, projectFile }, current, values.json);
}

/** A card is one text with its fields. */
function withFieldsBelow({ fields, ...card }: Message): Message {
  const lines = fields.map(({ label, value }) => `${label}: ${value}`);
  return { ...card, body: [card.body, ...lines].join("\n"), fields: [] };
}

/** Applies the current rules to an event from the journal. */
async function explainRecorded(
  id: string,
  dispatcher: Dispatcher,
  io: CommandIo,
  supposed: Supposed,
  { config, json }: { config?: string; json?: boolean },
): Promise<ExitCode> {
  const { layout } = dispatcher;
  const entry = entriesOf(layout, id).find(({ kind }) => kind === "event");
  if (entry === undefined) {
    throw new UserError("event.unknown", `the journal no longer has the event of ${id}`, {
      hint: "hookbell log shows the ids of events",
      exitCode: exitCodes.badInput,
    });
  }
  const current = usableRules(dispatcher, config, io);
  const decision = decideAgain(dispatcher, entry.event as AgentEvent, supposed);
  return await show(io, { ...decision, notes: [] }, current, json);
}

async function show(
  io: CommandIo,
  decision: EventDecision & { notes: readonly string[] },
  current: CurrentRules,
  isJson = false,
): Promise<ExitCode> {
  const { event, selection, projectFile } = decision;
  const { origin, problems } = current;
  const notes = [...decision.notes, ...noteOfProject(projectFile)];
  const { rules, silent } = selection;
  const deliveries = messagesOf(decision);
  if (isJson) {
    const path = projectFile?.status === "good" ? projectFile.file.path : projectFile && maskText(projectFile.path);
    io.stdout(
      jsonLine({
        event: withPublicWords(createWords(event, undefined)(true).event),
        rules,
        deliveries,
        silent,
        projectFile: path,
      }),
    );
    return exitCodes.done;
  }
  if (origin === "builtIn" && problems.length === 0)
    io.stdout(paint(io, "dim", `no rules file (${io.places.rulesFile}): the built-in rules apply\n`));
  const texts = await Promise.all(decision.deliveries.map(({ delivery }) => asShown(delivery)));
  const shown = deliveries.map((each, index) => ({ ...each, ...texts[index] }));
  wrapping(io).stdout(showExplanation({ event, deliveries: shown, rules, silent, notes }, io));
  return exitCodes.done;
}

/** The body is shown without Markdown. */
async function asShown({ message }: Delivery): Promise<Pick<Message, "title" | "body">> {
  const { title, body } = message;
  return { title, body: message.isMarkdown === true ? (await loadPlainOf())(body) : body };
}

function noteOfProject(projectFile: ProjectFileReading | undefined): string[] {
  if (projectFile === undefined) return [];
  if (projectFile.status === "good") return [`the repository's own file: ${projectFile.file.path}`];
  const path = maskText(projectFile.path);
  return [`${path} is broken and ignored: hookbell check ${typedWord(path)}`];
}

function refused(problems: readonly PayloadProblem[], eventName: string | undefined): UserError {
  const lines = problems.map((problem) => describePayloadProblem(problem, eventName));
  return new UserError("payload.invalid", `the hook would reject this payload\n  ${lines.join("\n  ")}`, {
    exitCode: exitCodes.badInput,
    details: { problems },
  });
}

function readPayloadFile(file: string): string {
  let text: string | undefined;
  try {
    text = readStartIfThere(file, maxPayloadBytes + 1)?.toString("utf8");
  } catch (error) {
    throw new UserError("payload.unreadable", `cannot read ${file}: ${describeWriteError(error)}`, {
      exitCode: exitCodes.badInput,
    });
  }
  if (text === undefined)
    throw new UserError("payload.missing", `there is no file ${file}`, { exitCode: exitCodes.badInput });
  return text;
}
