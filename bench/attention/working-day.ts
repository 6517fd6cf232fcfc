// Eight hours of one person with sixteen agents, made up from payloads that real agents sent; the same in every run.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ownPackageFolder } from "../../src/system/package.ts";

export const agentCount = 16;
export const hours = 8;
export const secondSetupMs = 50;
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const seed = 12;

export interface Call {
  /** Milliseconds after the day's beginning. */
  at: number;
  session: number;
  agent: string;
  /** Of two hooks that report the same event. */
  setupName?: string;
  payload: string;
}

export interface WorkingDay {
  calls: Call[];
  /** Which terminal has the focus, which is where the person typed last, and how long ago that was. */
  personAt(ms: number): { session: number | undefined; idleMs: number };
}

/** Where a plug-in and the settings both call hookbell, each event comes twice. */
const isSetUpTwice = (session: number): boolean => session % 8 === 3;

/** Without the person until the end of the break. */
const lunch = { from: 4 * hour, to: 4.75 * hour };
/** The events of a turn, by the names of captured payloads. */
const kinds = {
  "claude-code": {
    asks: ["PermissionRequest-Bash", "Notification-permission-prompt"],
    broke: "StopFailure-server-error-529",
  },
  codex: { asks: ["PermissionRequest-Bash"], broke: "Stop" },
  droid: { asks: ["Notification-permission-prompt"], broke: "Stop" },
} as const;
type Agent = keyof typeof kinds;
const agents: readonly Agent[] = ["claude-code", "codex", "droid", "claude-code"];

/** https://en.wikipedia.org/wiki/Linear_congruential_generator */
function createChance(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export function workingDay(): WorkingDay {
  const calls: Call[] = [];
  const acts: { at: number; session: number }[] = [];
  for (let session = 0; session < agentCount; session += 1) addSession(session, calls, acts);
  acts.sort((a, b) => a.at - b.at);
  return {
    calls: calls.filter(({ at }) => at < hours * hour).toSorted((a, b) => a.at - b.at),
    personAt(ms) {
      const last = acts.findLast(({ at }) => at <= ms);
      return last === undefined
        ? { session: undefined, idleMs: Infinity }
        : { session: last.session, idleMs: ms - last.at };
    },
  };
}

function addSession(session: number, calls: Call[], acts: { at: number; session: number }[]): void {
  const agent = agents[session % agents.length] ?? "claude-code";
  const { asks, broke } = kinds[agent];
  const chance = createChance(seed * 1000 + session);
  const between = (from: number, to: number): number => Math.floor(from + chance() * (to - from));
  let turn = 0;
  const call = (at: number, name: string, more: Facts = {}): void => {
    const payload = payloadOf(agent, name, { ...factsOf(session, turn, calls.length), ...more });
    calls.push({ at, session, agent, payload });
    if (isSetUpTwice(session))
      calls.push({ at: at + secondSetupMs, session, agent, setupName: "plugin:hookbell", payload });
  };
  /** Not before the person is back. */
  const act = (at: number): number => {
    const then = at >= lunch.from && at < lunch.to ? lunch.to + between(0, 5 * minute) : at;
    acts.push({ at: then, session });
    return then;
  };
  for (let at = between(0, 10 * minute); at < hours * hour;) {
    turn += 1;
    at = act(at);
    call(at, "UserPromptSubmit");
    const size = chance();
    const workMs =
      size < 0.3 ? between(3, 18) * second : size < 0.8 ? between(20, 300) * second : between(5, 30) * minute;
    const questions = chance() < 0.35 ? 1 + Math.floor(chance() * 2) : 0;
    for (let left = questions; left > 0; left -= 1) {
      at += Math.floor(workMs / (questions + 1));
      const [first, then] = asks;
      const answeredAt = act(at + (chance() < 0.5 ? between(2, 15) * second : between(30, 600) * second));
      call(at, first);
      // Claude Code repeats its question as a notification.
      if (then !== undefined && answeredAt - at > 6 * second) call(at + 6 * second, then);
      at = answeredAt;
    }
    at += Math.floor(workMs / (questions + 1));
    const subagents = chance() < 0.2 ? 1 + Math.floor(chance() * 3) : 0;
    if (subagents > 0) at = addSubagents(agent, subagents, at, call, () => between(10, 90) * second);
    call(at, chance() < 0.08 ? broke : "Stop");
    const pauseMs = chance() < 0.4 ? between(5, 40) * second : between(1, 25) * minute;
    if (agent === "claude-code" && pauseMs > minute) call(at + minute, "Notification-idle-prompt");
    at += pauseMs;
  }
}

/** In the order in which the agents reported subagents in the background; returns when the last one has ended. */
function addSubagents(
  agent: Agent,
  count: number,
  from: number,
  call: (at: number, name: string, more?: Facts) => void,
  workMs: () => number,
): number {
  if (agent !== "codex") call(from, "Stop", agent === "droid" ? {} : { background_tasks: tasks(count) });
  let at = from;
  for (let left = count - 1; left >= 0; left -= 1) {
    const subagent = `subagent-${left}-${from}`;
    if (agent === "droid") {
      call(at + second, "SessionStart-in-helper", { session_id: subagent });
      call(at + 2 * second, "UserPromptSubmit-in-helper", { session_id: subagent });
    }
    at += workMs();
    if (agent === "droid") call(at, "Stop-in-helper", { session_id: subagent });
    call(at + 100, "SubagentStop", { agent_id: subagent, background_tasks: tasks(left) });
    if (agent === "droid") call(at + 200, "SessionEnd-in-helper", { session_id: subagent });
    if (agent !== "claude-code") continue;
    call(at + 300, "UserPromptSubmit-task-notification");
    // The last one is the end of the turn.
    if (left > 0) call(at + 2 * second, "Stop", { background_tasks: tasks(left) });
  }
  return at + 3 * second;
}

function tasks(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({ id: `task-${index}`, type: "subagent", status: "running" }));
}

type Facts = Readonly<Record<string, unknown>>;

/** What differs between sessions, turns and calls. */
function factsOf(session: number, turn: number, call: number): Facts {
  const id = `00000000-0000-4000-8000-0000000000${String(session).padStart(2, "0")}`;
  return {
    session_id: id,
    calling_session_id: id,
    cwd: `/srv/project-${session}`,
    prompt_id: `prompt-${turn}`,
    turn_id: `turn-${turn}`,
    message_id: `message-${call}`,
  };
}

const known = new Map<string, Record<string, unknown>>();

/** As it was captured, but with these facts where it has such. */
function payloadOf(agent: string, name: string, facts: Facts): string {
  const path = join(ownPackageFolder(), "test", "agents", "known", agent, "payloads", `${name}.json`);
  const captured = known.get(path) ?? (JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>);
  known.set(path, captured);
  const changed = Object.keys(captured).filter((key) => key in facts);
  return JSON.stringify({ ...captured, ...Object.fromEntries(changed.map((key) => [key, facts[key]])) });
}
