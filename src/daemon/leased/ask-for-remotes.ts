// Asks the person what agents on other machines ask: as their hook would here, by this machine's rules and allow list.
import { readPayload } from "../../agents/read-payload.ts";
import { decisionFor } from "../../answers/decision.ts";
import {
  describeFull,
  fullMachines,
  machineOf,
  readQuestion,
  type Question,
  whyNoPlace,
  writeQuestion,
} from "../../answers/questions.ts";
import { waitForAnswer } from "../../answers/wait-for-answer.ts";
import { planQuestion } from "../../pipeline/answers/plan-question.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { notifyPerson } from "../../pipeline/notices.ts";
import { fromHost } from "../../pipeline/understand/from-host.ts";
import type { ValidReading } from "../../pipeline/understand/reading.ts";
import { withSafeIds } from "../../pipeline/understand/safe-ids.ts";
import type { Answer, AskedElsewhere } from "../../model/answer.ts";
import type { ObservedSession } from "./session-observation.ts";
import { listIncoming } from "../../outbox/incoming.ts";
import { journalBug, writeJournal } from "../../outbox/journal.ts";
import { maskText } from "../../model/privacy/originals.ts";
import { jsonLine } from "../../model/json.ts";

const probeLimitMs = 1000;

/** How hooks of other machines get answers, whichever way their events come. */
export interface Asking {
  /** Asks the user, unless the hook is not to wait. */
  ask(event: AskedElsewhere, host: string): Promise<void>;
  /** Resolves to what the hook prints; empty for no decision. `leave`: another process will wait on. */
  answer(event: AskedElsewhere, host: string, leave: AbortSignal): Promise<string>;
  /** The hook waits no longer, since its agent was answered at the terminal there. */
  answeredThere(event: AskedElsewhere, host: string): void;
  /** Which questions other machines have said to be over, since the last call. */
  seen(): ObservedSession[];
  /** Undefined for no decision. */
  decide(event: Pick<AskedElsewhere, "id">, leave: AbortSignal): Promise<Answer | undefined>;
}

/** `wake` is called when something was seen. */
export function askForRemotes(dispatcher: Dispatcher, wake: () => void): Asking {
  const { layout, rules, rulesFile, tools } = dispatcher;
  const { clock, home, platform, stateDir } = tools;
  const plan = async (reading: ValidReading, { id, eventId }: AskedElsewhere, host: string): Promise<void> => {
    const { probePresence } = await import("../../system/presence/probe.ts");
    const observe = () =>
      probePresence({ terminal: undefined, env: tools.env, platform, nowMs: clock.now(), limitMs: probeLimitMs });
    const here = { env: tools.env, clock, places: { home, stateDir, rulesFile } };
    const planned = await planQuestion(id, reading, rules().rules, layout, here, observe, host);
    const why = "why" in planned ? planned.why : whyNoPlace(layout, planned.question);
    if (why === undefined && "question" in planned) return writeQuestion(layout, planned.question);
    if (planned.asked === undefined) return;
    if ("question" in planned) notifyFull(dispatcher, planned.question);
    const entry = {
      what: "not asked elsewhere",
      event: eventId,
      agent: reading.agentId,
      tool: maskText(planned.asked.subject),
      why,
    };
    writeJournal(layout, clock.now(), { kind: "answer", ...entry });
  };
  const decide = async ({ id }: Pick<AskedElsewhere, "id">, leave: AbortSignal): Promise<Answer | undefined> => {
    const question = readQuestion(layout, id);
    const { signal: stop } = new AbortController();
    return question && (await waitForAnswer(layout, question, { clock, stop, leave, wake: () => {} }));
  };
  let answered: { event: AskedElsewhere; host: string }[] = [];
  return {
    answeredThere(event, host) {
      answered.push({ event, host });
      wake();
    },
    seen() {
      // A question that has not been taken in yet is not open yet.
      const waiting = answered.length === 0 ? [] : listIncoming(layout);
      const isWaiting = ({ event: { id } }: (typeof answered)[0]): boolean =>
        waiting.some((file) => file.startsWith(`${id}.`));
      const over = answered.filter((each) => !isWaiting(each));
      answered = answered.filter(isWaiting);
      const now = tools.clock.now();
      return over.flatMap(({ event, host }) => {
        const reading = readingOf(event, host);
        if (reading === undefined) return [];
        const { agentId: agent, facts } = reading;
        const observation = { kind: "answered", at: now, source: "hook" } as const;
        return [{ session: { agent, session: facts.session }, observation, why: "its hook there waits no longer" }];
      });
    },
    async ask(event, host) {
      const reading = readingOf(event, host);
      if (reading === undefined) return;
      try {
        await plan(reading, event, host);
      } catch (error) {
        // The rules still decide about the event, and its agent asks in its terminal.
        journalBug(layout, clock.now(), error);
      }
    },
    decide,
    async answer(event, host, leave) {
      const reading = readingOf(event, host);
      const question = readQuestion(layout, event.id);
      if (reading === undefined || question === undefined) return "";
      const answer = await decide(event, leave);
      const decision = answer === undefined ? undefined : decisionFor(question, answer, reading.usual);
      return decision === undefined ? "" : jsonLine(decision);
    },
  };
}

const dayMs = 24 * 60 * 60_000;

/** Once a day for each machine whose places are all taken. */
function notifyFull(dispatcher: Dispatcher, question: Question): void {
  const { layout, tools } = dispatcher;
  const machine = machineOf(question);
  if (!fullMachines(layout).includes(machine)) return;
  const title = `hookbell: ${describeFull(machine)}`;
  const body = "Its further questions are asked only in its own terminal. hookbell pending lists those that wait.";
  const plain = { title: "hookbell: many questions wait", body: "hookbell status says of which machine." };
  notifyPerson(dispatcher, `questions ${machine} ${Math.floor(tools.clock.now() / dayMs)}`, { title, body, plain });
}

function readingOf({ text, agentId, eventName }: AskedElsewhere, host: string): ValidReading | undefined {
  const reading = readPayload(text, { agentId, eventName, env: {} });
  return reading.status === "valid" ? withSafeIds(fromHost(reading, host)) : undefined;
}
