// How much attention saves over a working day with sixteen agents, and what a decision costs with 200 sessions.
import { wings } from "../../src/wings/index.ts";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { readPayload } from "../../src/agents/read-payload.ts";
import { isQuestion, type AgentEvent } from "../../src/model/event.ts";
import type { Dispatcher } from "../../src/pipeline/dispatcher.ts";
import { decide, trackPayload } from "../../src/pipeline/pipeline.ts";
import { runDispatcher } from "../../src/daemon/daemon.ts";
import { listDeliveries } from "../../src/outbox/deliveries/deliveries.ts";
import { listIncoming } from "../../src/outbox/incoming.ts";
import { listJournal, readJournal, type JournalEntry } from "../../src/outbox/journal.ts";
import { readSession, writeSession } from "../../src/outbox/sessions.ts";
import { writeIncoming } from "../../src/outbox/write-incoming.ts";
import { selectDeliveries } from "../../src/rules/apply/select.ts";
import { defaultRulesText } from "../../src/rules/default-rules.ts";
import { startOf } from "../../src/system/process/identity.ts";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { type VirtualDispatcher, virtualDispatcher } from "../../test/support/project/virtual-dispatcher.ts";
import { stopping } from "../stopping.ts";
import { countRow, type Row, timeRow } from "../table.ts";
import { agentCount, hours, secondSetupMs, workingDay, type Call, type WorkingDay } from "./working-day.ts";

/** Monday, 23 November 2026, 09:00 UTC. */
const dayStart = Date.UTC(2026, 10, 23, 9);
const lateMs = 2000;
const sessionsInMemory = 200;
const decisionsMeasured = 1000;

export interface Bench extends VirtualDispatcher {
  clock: ReturnType<typeof createFakeClock>;
}

/** The built-in rules, whose desktop is a phone that answers at once: a notification daemon has no place in a bench. */
const phone = (topic: string) => `{ "type": "ntfy", "server": "https://phone.example", "topic": "${topic}" }`;
export const phoneRules = defaultRulesText
  .replace('{ "type": "desktop" }', phone("desktop"))
  .replace('{ "type": "sound" }', phone("sound"));

/** `startMs`: when its clock begins. */
export async function openBench(
  folder: string,
  { personAt }: Pick<WorkingDay, "personAt">,
  { startMs = dayStart, rules = phoneRules } = {},
): Promise<Bench> {
  const clock = createFakeClock(startMs);
  const { dispatcher, requestsUnderWay } = await virtualDispatcher(folder, clock, rules);
  dispatcher.observePresence = async (terminal) => {
    const { session, idleMs } = personAt(clock.now() - startMs);
    return { idleMs, isFocused: session !== undefined && terminal?.device === deviceOf(session) };
  };
  return { dispatcher, requestsUnderWay, clock };
}

/** A process that lives as long as the bench: of one that has ended, the turn would be over. Windows tells of none. */
const start = startOf(process.pid);
const living = start === undefined ? undefined : { pid: process.pid, start };
const deviceOf = (session: number): string => `/dev/pts/${session}`;

export async function reportAttention(folder: string): Promise<Row[]> {
  const day = workingDay();
  const bench = await openBench(join(folder, "attention"), day);
  const { messages, without, twice, questions, late, lost } = await countDay(day, bench);
  const { understoodMs, decidedMs } = await measureCost(bench, day.calls);
  const what = `${agentCount} agents, ${hours} hours`;
  return [
    countRow(`${what}, ${day.calls.length} events: notifications without attention`, without),
    countRow(`${what}: notifications with the built-in rules`, messages, { name: "without", value: without }, 0.5),
    countRow(`the same without the events that two hook setups report`, messages, {
      name: "without",
      value: without - twice,
    }),
    countRow(`of ${questions} questions: later than ${lateMs / 1000} s`, late, undefined, 0),
    countRow(`of ${questions} questions: lost`, lost, undefined, 0),
    timeRow(`a decision of attention, with ${sessionsInMemory} sessions`, decidedMs, { name: "1 ms", value: 1 }, 1),
    timeRow(`before it: reading the records of ${sessionsInMemory} sessions`, understoodMs, { name: "1 ms", value: 1 }),
  ];
}

/** Each call is one turn of the clock; between them, all that falls due is done. */
export async function liveThrough(
  { calls }: Pick<WorkingDay, "calls">,
  { dispatcher, clock, requestsUnderWay }: Bench,
  startMs = dayStart,
): Promise<void> {
  const { layout } = dispatcher;
  const stop = new AbortController();
  const run = runDispatcher(dispatcher, {
    idleMs: undefined,
    isLeavingRetries: false,
    wings,
    isPatient: true,
    stop: stop.signal,
  });
  const quiet = async (): Promise<void> => {
    for (let turns = 0; turns < 4;) {
      stopping.throwIfAborted();
      await new Promise(setImmediate);
      turns = requestsUnderWay() === 0 && listIncoming(layout).length === 0 ? turns + 1 : 0;
    }
  };
  try {
    for (const { at, session, agent, setupName, payload } of calls) {
      // While nothing waits, time passes at once.
      while (listDeliveries(layout, "outbox").length > 0 && (clock.nextAt() ?? Infinity) < startMs + at) {
        clock.turn((clock.nextAt() ?? 0) - clock.now());
        await quiet();
      }
      clock.turn(startMs + at - clock.now());
      const { session_id: id } = JSON.parse(payload) as { session_id: string };
      const before = readSession(layout, agent, id);
      if (before.terminal === undefined && living !== undefined) {
        writeSession(layout, { ...before, terminal: { ...living, device: deviceOf(session) } });
      }
      const file = writeIncoming(layout, payload, { agentId: agent, setupName, nowMs: clock.now() });
      utimesSync(join(layout.incoming, file), clock.now() / 1000, clock.now() / 1000);
      await quiet();
    }
  } finally {
    stop.abort();
    await run;
  }
}

/** Lives through the day, and counts what was sent to the desktop. */
export async function countDay(day: WorkingDay, bench: Bench): Promise<Counted> {
  await liveThrough(day, bench);
  const { layout } = bench.dispatcher;
  const journal = listJournal(layout).flatMap((file) => readJournal(layout, file));
  return countJournal(journal, bench.dispatcher);
}

interface Counted {
  messages: number;
  without: number;
  /** Of them, reported by a second hookSetup. */
  twice: number;
  questions: number;
  late: number;
  lost: number;
}

/** Without attention, every event that a rule names is a message. */
function countJournal(journal: readonly JournalEntry[], dispatcher: Dispatcher): Counted {
  const { rules } = dispatcher.rules();
  const decisions = new Map(journal.filter(({ kind }) => kind === "decision").map((entry) => [entry.event, entry]));
  const sentAt = new Map(
    journal
      .filter(({ kind, channel, outcome }) => kind === "attempt" && channel === "desktop" && outcome === "delivered")
      .map(({ event, at }) => [event, Date.parse(at)]),
  );
  const counted = { messages: sentAt.size, without: 0, twice: 0, questions: 0, late: 0, lost: 0 };
  const reportedAt = new Map<string, number>();
  for (const { kind, event: recorded, ignored, duplicateOf } of journal) {
    if (kind !== "event") continue;
    const event = recorded as AgentEvent;
    const isOwnTrouble = ignored !== undefined && duplicateOf === undefined;
    const { chosen } = selectDeliveries(rules, event);
    if (isOwnTrouble || !chosen.some(({ channel }) => channel.name === "desktop")) continue;
    counted.without += 1;
    const what = `${event.session} ${event.name} ${event.notificationType ?? ""}`;
    if (Date.parse(event.at) - (reportedAt.get(what) ?? 0) <= secondSetupMs) counted.twice += 1;
    reportedAt.set(what, Date.parse(event.at));
    if (!isQuestion(event) || duplicateOf !== undefined) continue;
    counted.questions += 1;
    const tookMs = (sentAt.get(event.id) ?? Infinity) - Date.parse(event.at);
    if (tookMs <= lateMs || wasSeen(decisions.get(event.id))) continue;
    if (tookMs === Infinity) counted.lost += 1;
    else counted.late += 1;
  }
  return counted;
}

/** The person looked at the terminal that asked. */
function wasSeen(decision: JournalEntry | undefined): boolean {
  const weighed = [decision?.deliveries, decision?.silent].flat() as ({ channel?: string; by?: string } | undefined)[];
  return weighed.some((each) => each?.channel === "desktop" && each.by === "presence");
}

async function measureCost(
  { dispatcher, clock }: Bench,
  calls: readonly Call[],
): Promise<{ understoodMs: number[]; decidedMs: number[] }> {
  const { layout } = dispatcher;
  for (let index = 0; index < sessionsInMemory; index += 1) {
    const session = readSession(layout, "claude-code", `s${index}`);
    const open = [{ id: `evt_${index}`, at: clock.now(), name: "Notification", words: "May I?" }];
    writeSession(layout, { ...session, project: `p${index}`, lastSeenAt: clock.now(), open });
  }
  const costs = { understoodMs: [] as number[], decidedMs: [] as number[] };
  for (const [index, { agent, payload }] of calls.slice(0, decisionsMeasured).entries()) {
    const reading = readPayload(payload, { agentId: agent, env: {} });
    if (reading.status === "invalid") continue;
    const origin = { eventId: `evt_cost_${index}`, receivedAt: clock.now(), position: `${index}`, callerPids: [] };
    const startedAt = performance.now();
    const tracked = await trackPayload(dispatcher, { reading, origin });
    const understoodAt = performance.now();
    decide(dispatcher, tracked);
    costs.understoodMs.push(understoodAt - startedAt);
    costs.decidedMs.push(performance.now() - understoodAt);
  }
  return costs;
}
