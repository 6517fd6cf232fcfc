// Records a run: the payloads that the agent's hooks write, the growth of the files that observers read, the ends of
// processes, the model's commands, and what the script says is true.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import type { Payload } from "../../../src/agents/dialect/agent.ts";
import { objectOf } from "../../../src/model/json.ts";
import { maxPayloadBytes } from "../../../src/agents/read-payload.ts";
import { answerSigns } from "../../../src/agents/signs-of-agents.ts";
import { placeFolder } from "../../../src/agents/hook-setup.ts";
import { listIncoming, readIncoming, removeIncoming } from "../../../src/outbox/incoming.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { takeLease } from "../../../src/outbox/lease/lease.ts";
import { defaultRulesText } from "../../../src/rules/default-rules.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { environmentOf } from "../../../src/system/environment.ts";
import { processLook } from "../../../src/system/process/facts.ts";
import { nameOwnProcess } from "../../../src/system/process/identity.ts";
import { createStartedList } from "../../../src/system/process/started.ts";
import { findTerminal } from "../../../src/system/terminal/find-terminal.ts";
import type { AgentSession } from "../../support/agents/agent-session.ts";
import type { InTerminal } from "../../support/agents/in-terminal.ts";
import { pathOfRun, recordedHome, textOfRun, type RunEntry, type RunHeader } from "../recording.ts";
import { play, type Script, type Witness } from "./script.ts";

interface Recorder extends Witness {
  /** Writes the recording. */
  write(): void;
  stop(): void;
}

/** Lines that a file gets within one look have the same time: that of its last change. */
const lookEveryMs = 5;
/** What an observer reads is kept but for its longest texts; of other lines, the beginnings are. */
const read = { text: 300, list: 40, depth: 12 };
const unread = { text: 60, list: 3, depth: 3 };
type Limits = typeof read;

export async function record(agent: InTerminal, script: Script): Promise<void> {
  let recorder: Recorder | undefined;
  try {
    await play(agent, script, async (session, facts) => {
      // The recording has the hooks of a stuck turn as well; a replay may leave them out.
      session.project.writeRules(defaultRulesText.replace('"defaults":', '"stuckAfter": "20m",\n  "defaults":'));
      await session.install("init");
      return (recorder = startRecorder(session, facts));
    });
    recorder?.write();
  } finally {
    recorder?.stop();
  }
}

function startRecorder(session: AgentSession, facts: Omit<RunHeader, "startedAt">): Recorder {
  const { project, env } = session;
  const { layout, home } = project;
  const { agent } = facts;
  const signs = answerSigns[agent];
  const startedAt = Date.now();
  const entries: RunEntry[] = [];
  const add = (entry: DistributiveOmit<RunEntry, "ms">, at = Date.now()): void => {
    entries.push({ ms: Math.round(at - startedAt), ...entry } as RunEntry);
  };
  const lineOf = (text: string): unknown => {
    const line = parsed(text);
    if (typeof line !== "object" || line === null) return line;
    const { begun = [], ended = [], isInterrupted = false, failure } = signs?.callsIn?.(line as Payload) ?? {};
    const isRead = begun.length > 0 || ended.length > 0 || isInterrupted || failure !== undefined;
    return shortened(line, isRead ? read : unread);
  };
  const claims: { seat: string; mark: string }[] = [];
  const seats = new Map<string, string>();
  const files = new Map<string, { size: number; rest: string }>();
  const processes = new Map<string, { number: number; pid: number; start: string }>();
  const commands = new Map<number, number>();
  let [lastProcess, lastCommand] = [0, 0];
  let lastSession: string | undefined;
  const listStarted = createStartedList();

  // A dispatcher seems to be at work, so that no hook starts one.
  nameOwnProcess();
  ensureLayout(layout);
  const lease = takeLease(layout, systemClock);
  const renewing = setInterval(() => lease?.renew(), 3000);

  const numberOf = (pids: readonly number[], receivedAt: number): number | undefined => {
    for (const pid of pids) {
      const found = findTerminal(pid, Date.now() - receivedAt);
      if (found === undefined) continue;
      const key = `${found.pid} ${found.start}`;
      const known = processes.get(key) ?? { number: (lastProcess += 1), pid: found.pid, start: found.start };
      processes.set(key, known);
      return known.number;
    }
    return undefined;
  };
  const takeHooks = (): void => {
    for (const file of listIncoming(layout)) {
      const incoming = readIncoming(layout, file, maxPayloadBytes);
      removeIncoming(layout, file);
      if (incoming === undefined) continue;
      const payload = JSON.parse(incoming.bytes.toString("utf8")) as Record<string, unknown>;
      const process = numberOf(incoming.callerPids, incoming.receivedAt);
      const own = ownSessionOf(payload);
      const text = JSON.stringify(payload);
      const seat = claims.find(({ mark }) => text.includes(mark))?.seat;
      lastSession = own ?? lastSession;
      if (own !== undefined && seat !== undefined) seats.set(own, seat);
      follow(payload);
      const { agentId, eventName, receivedAt } = incoming;
      add({ kind: "hook", seat: own ?? "", agent: agentId ?? agent, event: eventName, process, payload }, receivedAt);
    }
  };
  const follow = (payload: Record<string, unknown>): void => {
    const own = ownSessionOf(payload);
    const paths = [payload.transcript_path, payload.agent_transcript_path].filter((path) => typeof path === "string");
    if (signs?.transcriptOf !== undefined && own !== undefined) {
      const path = signs.transcriptOf.path(own);
      if (path !== undefined) paths.push(join(placeFolder(signs.transcriptOf.place, env, home), path));
    }
    for (const path of paths) if (!files.has(path)) files.set(path, { size: 0, rest: "" });
  };
  const takeFiles = (): void => {
    for (const [path, known] of signs?.callsIn === undefined ? [] : files) {
      const stats = statOf(path);
      // Some only touch the file when they resume the session.
      if (stats === undefined || stats.size === known.size) continue;
      const isWritten = stats.size < known.size;
      const text = readFileSync(path)
        .subarray(isWritten ? 0 : known.size, stats.size)
        .toString("utf8");
      known.size = stats.size;
      if (isWritten) {
        add({ kind: "file", file: path, content: text.split("\n").map(lineOf) }, stats.mtimeMs);
        continue;
      }
      const lines = `${known.rest}${text}`.split("\n");
      known.rest = lines.pop() ?? "";
      if (lines.length > 0) add({ kind: "lines", file: path, lines: lines.map(lineOf) }, stats.mtimeMs);
    }
  };
  const statuses = new Map<string, string>();
  const takeStatuses = (): void => {
    const folders = new Set([...files.keys()].flatMap((path) => signs?.status?.folderOf(path) ?? []));
    const paths = [...folders].flatMap((folder) => namesIn(folder).map((name) => join(folder, name)));
    for (const path of statuses.keys()) {
      if (paths.includes(path)) continue;
      statuses.delete(path);
      add({ kind: "file", file: path });
    }
    for (const path of paths) {
      const text = textOf(path);
      if (text === undefined || text === "" || statuses.get(path) === text) continue;
      if (signs?.status?.read(objectOf(parsed(text)), 0) === undefined) continue;
      statuses.set(path, text);
      add({ kind: "file", file: path, content: shortened(parsed(text), read) });
    }
  };
  const takeProcesses = (): void => {
    const look = processLook();
    for (const [key, { number, pid, start }] of processes) {
      if (look(pid)?.start === start) continue;
      processes.delete(key);
      add({ kind: "ended", process: number });
    }
    if (signs?.commands === undefined) return;
    const { variables } = signs.commands;
    for (const pid of commands.keys()) {
      if (look(pid) !== undefined) continue;
      add({ kind: "commandEnded", id: commands.get(pid) ?? 0 });
      commands.delete(pid);
    }
    for (const { pid, parentPid, startedAt: at, argv } of listStarted(startedAt, Date.now())) {
      const own = environmentOf(pid, [...variables, "HOME"]) ?? {};
      const { HOME, ...read } = own;
      const isCommand = HOME === home && signs.commands.of(argv, read) !== undefined;
      if (!isCommand) continue;
      const parent = [...processes.values()].find((each) => each.pid === parentPid)?.number;
      const id = (lastCommand += 1);
      commands.set(pid, id);
      add({ kind: "command", id, argv: argv.slice(0, 5), env: read, process: parent }, at);
    }
  };
  let lastProcessLook = 0;
  const look = (): void => {
    takeHooks();
    takeFiles();
    takeStatuses();
    if (Date.now() - lastProcessLook < 200) return;
    lastProcessLook = Date.now();
    takeProcesses();
  };
  const looking = setInterval(look, lookEveryMs);

  return {
    truth: (seat, is, why, at) => add({ kind: "truth", seat, is, why }, at),
    rest: (forMs) => add({ kind: "rest", forMs }),
    claim: (seat, mark) => claims.push({ seat, mark }),
    lastSession: () => lastSession,
    stop() {
      clearInterval(looking);
      clearInterval(renewing);
      lease?.release();
    },
    write() {
      look();
      const first = claims[0]?.seat ?? "a";
      const placed = entries
        .map((entry) => (entry.kind === "hook" ? { ...entry, seat: seats.get(entry.seat) ?? first } : entry))
        .toSorted((a, b) => a.ms - b.ms);
      const path = pathOfRun(facts);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, anonymous(textOfRun({ header: { ...facts, startedAt }, entries: placed }), home));
    },
  };
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

function ownSessionOf({
  session_id,
  sessionId,
  sessionID,
  conversation_id,
  sessionContext,
  properties,
}: Record<string, unknown>): string | undefined {
  const { rootSessionId } = (sessionContext ?? {}) as { rootSessionId?: unknown };
  const inner = (properties ?? {}) as { sessionID?: unknown; info?: { id?: unknown } };
  const found = [
    session_id,
    sessionId,
    sessionID,
    conversation_id,
    rootSessionId,
    inner.sessionID,
    inner.info?.id,
  ].find((each) => typeof each === "string");
  return found as string | undefined;
}

/** The JSON of a text; the text itself if it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function shortened(value: unknown, limits: Limits): unknown {
  const { text, list, depth } = limits;
  if (typeof value === "string") return value.length > text ? `${value.slice(0, text)}…` : value;
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return "…";
  const inner = { ...limits, depth: depth - 1 };
  if (Array.isArray(value)) return value.slice(0, list).map((each) => shortened(each, inner));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortened(each, inner)]));
}

/** Without what belongs to this machine: the home folder, the host's name, ports. */
function anonymous(text: string, home: string): string {
  const slug = (path: string): string => path.replace(/[^A-Za-z0-9]/g, "-");
  return text
    .replaceAll(home, recordedHome)
    .replaceAll(slug(home), slug(recordedHome))
    .replaceAll(/(127\.0\.0\.1|localhost):\d+/g, "$1:8101")
    .replaceAll(hostname(), "ada-desk");
}

function statOf(path: string): { size: number; mtimeMs: number } | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
