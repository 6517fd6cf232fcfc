// Plays a recorded run through the real dispatcher on a clock that does not wait: what would `hookbell sessions` have
// shown at each moment?
import { wings } from "../../../src/wings/index.ts";
import { appendFileSync, existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readPayload } from "../../../src/agents/read-payload.ts";
import { runDispatcher } from "../../../src/daemon/daemon.ts";
import { currentSessions } from "../../../src/outbox/current-sessions.ts";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { listJournal, readJournal } from "../../../src/outbox/journal.ts";
import { listSessions } from "../../../src/outbox/sessions.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { defaultRulesText } from "../../../src/rules/default-rules.ts";
import type { StateKind } from "../../../src/sessions/state.ts";
import { watchFolder } from "../../../src/system/files/watch.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { virtualDispatcher } from "../../support/project/virtual-dispatcher.ts";
import { recordedHome, type Run, type RunEntry } from "../recording.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

/** From `at` on, in milliseconds since the run's beginning, with its rests. */
export interface Shown {
  at: number;
  kind: StateKind;
  reason: string;
}

export interface TrueState {
  at: number;
  is: StateKind[];
  why: string;
}

export interface Replayed {
  seats: Map<string, { shown: Shown[]; truth: TrueState[] }>;
  /** Rests of hours, which count by their ends alone. */
  nights: { from: number; to: number }[];
  endsAt: number;
  /** When the agent gave a sign: a hook, a line, a file, the end of a process, a command. */
  signs: number[];
  /** Messages that said that the session is stuck. */
  stuck: number;
}

const hour = 3_600_000;
/** How often the shown state is read: often while something happens, seldom at night. */
const steps = [
  { forMs: 5000, stepMs: 250 },
  { forMs: 120_000, stepMs: 2000 },
  { forMs: Infinity, stepMs: 600_000 },
];

/** Whose hooks have no terminal, as those that a daemon runs; and the parent of commands that name their session. */
const [noTerminal, anyAgent] = [0, -1];

/** Events that are set up for a stuck turn alone. */
const extraHooks = /^(?:PostToolUse|PostToolUseFailure|AfterTool)$/;

/** `folder` is empty. With `isWatchingStuck`, the rules name stuck turns, and more hooks are set up. */
export async function replayRun(run: Run, folder: string, { isWatchingStuck = false } = {}): Promise<Replayed> {
  const { header } = run;
  const entries = run.entries.filter((entry) => isWatchingStuck || !isExtra(entry));
  const time = timeOf(entries, header.startedAt);
  const clock = createFakeClock(header.startedAt);
  const { dispatcher, requestsUnderWay } = await virtualDispatcher(folder, clock, rulesText(isWatchingStuck));
  const { layout } = dispatcher;
  const { home } = dispatcher.tools;
  const stop = new AbortController();
  const running = runDispatcher(dispatcher, {
    idleMs: undefined,
    isLeavingRetries: false,
    wings,
    isPatient: true,
    stop: stop.signal,
  });

  const seats: Replayed["seats"] = new Map();
  const sessions = new Map<string, string>();
  const heard = new Set<string>();
  const standIns = new Map<number, StandIn>();
  const commandsOf = new Map<number, StandIn>();
  const folders = new Map<string, { changes: number; unwatch(): void }>();
  const seatOf = (name: string): { shown: Shown[]; truth: TrueState[] } => {
    const seat = seats.get(name) ?? { shown: [], truth: [] };
    seats.set(name, seat);
    return seat;
  };
  const quiet = async (): Promise<void> => {
    for (let turns = 0; turns < 4;) {
      await new Promise(setImmediate);
      turns = requestsUnderWay() === 0 && listIncoming(layout).length === 0 ? turns + 1 : 0;
    }
  };
  const note = (): void => {
    const records = currentSessions(layout, clock.now(), listSessions(layout, clock.now()));
    for (const [seat, session] of sessions) {
      const { shown } = seatOf(seat);
      const state = records.find((each) => each.session === session)?.state;
      if (state === undefined) continue;
      const last = shown.at(-1);
      if (last?.kind === state.kind && last.reason === state.reason) continue;
      shown.push({ at: clock.now() - header.startedAt, kind: state.kind, reason: state.reason });
    }
  };
  const passUntil = async (until: number): Promise<void> => {
    const from = clock.now();
    while (clock.now() < until) {
      const { forMs, stepMs = 0 } = steps.find((each) => clock.now() - from < each.forMs) ?? {};
      const next = forMs === Infinity ? Infinity : (clock.nextAt() ?? Infinity);
      const step = Math.min(next - clock.now(), stepMs, until - clock.now());
      clock.turn(Math.max(0, step));
      await quiet();
      note();
    }
  };
  const standInFor = async (number = noTerminal): Promise<StandIn> => {
    const known = standIns.get(number) ?? (await startStandIn(number !== noTerminal));
    standIns.set(number, known);
    return known;
  };
  /** Whether the folder has changed since. */
  const changeIn = (dir: string): (() => boolean) => {
    const known = folders.get(dir);
    const watched = known ?? { changes: 0, unwatch: watchFolder(dir, () => (watched.changes += 1)) };
    folders.set(dir, watched);
    const before = watched.changes;
    return () => watched.changes !== before;
  };
  /** Resolves when those who watch the folder have been told. */
  const change = async (path: string, write: () => void): Promise<void> => {
    const dir = dirname(path);
    mkdirSync(dir, { recursive: true });
    const isTold = changeIn(dir);
    write();
    if (existsSync(path)) utimesSync(path, clock.now() / 1000, clock.now() / 1000);
    while (!isTold()) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  const asThen = (value: unknown): string =>
    typeof value === "string" ? value : time.shifted(JSON.stringify(value)).replaceAll(recordedHome, home);

  const apply = async (entry: RunEntry): Promise<void> => {
    switch (entry.kind) {
      case "hook": {
        const { seat, agent, event, process: number } = entry;
        const callerPids = [(await standInFor(number)).pid];
        const payload = asThen(entry.payload);
        const reading = readPayload(payload, { agentId: agent, eventName: event, env: {} });
        const file = writeIncoming(layout, payload, {
          agentId: agent,
          eventName: event,
          callerPids,
          nowMs: clock.now(),
        });
        utimesSync(join(layout.incoming, file), clock.now() / 1000, clock.now() / 1000);
        await quiet();
        if (reading.status !== "valid") return;
        const { session } = reading.facts;
        const isHelper = listSessions(layout).some((each) => each.session === session && each.helperOf !== undefined);
        if (!isHelper && (!heard.has(session) || reading.eventName === "UserPromptSubmit")) sessions.set(seat, session);
        heard.add(session);
        return;
      }
      case "lines": {
        const path = entry.file.replace(recordedHome, home);
        const text = entry.lines.map((line) => `${asThen(line)}\n`).join("");
        return await change(path, () => appendFileSync(path, text));
      }
      case "file": {
        const path = entry.file.replace(recordedHome, home);
        const { content } = entry;
        return await change(path, () => {
          if (content === undefined) rmSync(path, { force: true });
          else writeFileSync(path, [content].flat().map(asThen).join("\n"));
        });
      }
      case "ended":
        return await standIns.get(entry.process)?.end();
      case "command": {
        const { id, argv, env, process: number } = entry;
        const parent = await standInFor(number ?? anyAgent);
        commandsOf.set(id, parent);
        return await parent.startCommand(id, argv, env);
      }
      case "commandEnded":
        return await commandsOf.get(entry.id)?.endCommand(entry.id);
      case "truth":
        seatOf(entry.seat).truth.push({ at: time.of(entry.ms) - header.startedAt, is: entry.is, why: entry.why });
        return;
      case "rest":
    }
  };

  try {
    for (const entry of entries) {
      await passUntil(time.of(entry.ms));
      await apply(entry);
      await quiet();
      note();
    }
    await passUntil(time.endsAt);
  } finally {
    stop.abort();
    await running;
    for (const { unwatch } of folders.values()) unwatch();
    await Promise.all([...standIns.values()].map((each) => each.end()));
  }
  const stuck = listJournal(layout)
    .flatMap((file) => readJournal(layout, file))
    .filter(({ kind, rule, outcome }) => kind === "attempt" && rule === "stuck" && outcome === "delivered").length;
  const signs = entries
    .filter(({ kind }) => kind !== "truth" && kind !== "rest")
    .map(({ ms }) => time.of(ms) - header.startedAt);
  return { seats, signs, nights: time.nights, endsAt: time.endsAt - header.startedAt, stuck };
}

function isExtra(entry: RunEntry): boolean {
  if (entry.kind !== "hook") return false;
  return extraHooks.test(entry.event ?? String(entry.payload.hook_event_name ?? entry.payload.hookName));
}

function rulesText(isWatchingStuck: boolean): string {
  const phone = (topic: string): string => `{ "type": "ntfy", "server": "https://phone.example", "topic": "${topic}" }`;
  const text = defaultRulesText
    .replace('{ "type": "desktop" }', phone("desktop"))
    .replace('{ "type": "sound" }', phone("sound"));
  if (!isWatchingStuck) return text;
  return text
    .replace('"defaults":', '"stuckAfter": "20m",\n  "defaults":')
    .replace('"rules": [', '"rules": [\n    { "name": "stuck", "when": { "event": "Stuck" }, "notify": ["desktop"] },');
}

/** The time of a replay: the recorded one, with the rests in it. */
function timeOf(
  entries: readonly RunEntry[],
  startedAt: number,
): { of(ms: number): number; shifted(text: string): string; nights: Replayed["nights"]; endsAt: number } {
  const rests = entries.filter((entry) => entry.kind === "rest");
  const lastMs = entries.at(-1)?.ms ?? 0;
  const restBefore = (ms: number): number =>
    rests.filter((rest) => rest.ms < ms).reduce((sum, { forMs }) => sum + forMs, 0);
  const of = (ms: number): number => startedAt + ms + restBefore(ms);
  const shift = (atMs: number): number | undefined => {
    const ms = atMs - startedAt;
    return ms > -hour && ms < lastMs + hour ? atMs + restBefore(ms) : undefined;
  };
  return {
    of,
    shifted: (text) =>
      text
        .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (iso) => {
          const at = shift(Date.parse(iso));
          return at === undefined ? iso : new Date(at).toISOString();
        })
        .replaceAll(/(?<![\w.-])1\d{12}(?![\w.-])/g, (digits) => String(shift(Number(digits)) ?? digits)),
    nights: rests
      .filter(({ forMs }) => forMs > hour)
      .map(({ ms, forMs }) => ({ from: of(ms) - startedAt, to: of(ms) - startedAt + forMs })),
    endsAt: startedAt + lastMs + restBefore(Infinity),
  };
}
