// Runs the install command of a computer, one session at a time.
import { describeWriteError } from "../../../model/errors.ts";
import type { Computer } from "../contract/computers.ts";
import type { Clock } from "../../../system/clock.ts";
import type { Environment } from "../../../system/environment.ts";
import { scrub } from "../../../model/privacy/scrub.ts";
import { cut, printableLine } from "../../../model/text.ts";
import { tryToStat } from "../../../system/files/files.ts";
import { markOf } from "../../../system/process/identity.ts";
import { endMarked } from "../../../system/process/marked.ts";
import { runProcess, type ProcessResult } from "../../../system/process/run.ts";
import type { RegisteredComputer } from "./computers.ts";
import {
  installLimitMs,
  installMarker,
  isLeftRunning,
  type LeftInstall,
  stopped,
  tookTooLong,
  untilLeftEnds,
} from "./left-install.ts";
import type { Database } from "./store/database.ts";

/** Before the first session, and after one. The document names no state but `Running`. */
const stepStatuses = { pending: "Pending", running: "Running", done: "Completed", failed: "Error" } as const;

const maxErrorLength = 300;

export interface InstallParts {
  database: Database;
  computers: () => RegisteredComputer[];
  clock: Clock;
  env: Environment;
  randomId: () => string;
  /** Ends what is running. */
  signal: AbortSignal;
  /** Hears of each session that has begun, and when it is done of its end; neither throws. */
  onStarted?: ((computer: Computer) => Promise<void>) | undefined;
  onEnded: (computer: Computer) => Promise<void>;
  onNote: (text: string) => void;
}

export interface Installs {
  /** False when a session of this computer is running. The session goes on after the answer. */
  start(computer: RegisteredComputer): boolean;
  describe(computer: RegisteredComputer): Computer;
  /** The last line that the command has printed, while it runs, without credentials. */
  lastLine(computer: RegisteredComputer): string | undefined;
  /** Calls whenever a session begins, prints or ends, until the returned function is called. */
  watch(onChange: () => void): () => void;
  /** Resolves when every session has ended. */
  settled(): Promise<void>;
}

/**
 * What a killed server has left running counts as running until it ends, so no second session starts beside it. What is left of
 * one that has ended is over before the first session can start.
 */
export async function createInstalls(parts: InstallParts): Promise<Installs> {
  const { database, clock, randomId, onEnded, onNote } = parts;
  const busy = new Set<string>();
  const unsettled = new Set<Promise<void>>();
  const printing = new Map<string, LineKeeper>();
  const watchers = new Set<() => void>();
  const tell = (): void => {
    for (const watcher of watchers) watcher();
  };
  const follow = (work: Promise<void>): void => {
    const followed = work
      .catch((error: unknown) => onNote(`cannot store the end of an install session: ${describeWriteError(error)}`))
      .finally(() => unsettled.delete(followed));
    unsettled.add(followed);
  };
  const runSession = async (computer: RegisteredComputer, id: string): Promise<void> => {
    const printed = keepLastLine();
    printing.set(computer.id, printed);
    const onOutput = (chunk: Buffer): void => {
      printed.add(chunk);
      tell();
    };
    const told = parts.onStarted?.(describeComputer(database, computer));
    const error = await run(parts, computer, id, onOutput);
    printing.delete(computer.id);
    await settle(computer.id, id, error, told);
  };
  const settle = async (computer: string, id: string, error?: string, told?: Promise<void>): Promise<void> => {
    busy.delete(computer);
    database.run(
      "UPDATE install_sessions SET status = ?, error = ?, completed_at = ? WHERE computer = ? AND id = ?",
      error === undefined ? stepStatuses.done : stepStatuses.failed,
      error ?? null,
      clock.now(),
      computer,
      id,
    );
    tell();
    const registered = parts.computers().find((each) => each.id === computer);
    const described = registered && describeComputer(database, registered);
    // Another session may begin meanwhile, but not before this one is told of.
    await told;
    if (described !== undefined) await onEnded(described);
  };
  for (const { computer, left } of leftInstalls(database)) {
    busy.add(computer);
    const ending = untilLeftEnds(left, clock, parts.signal);
    if (!isLeftRunning(left)) await ending;
    follow(ending.then(async (error) => await settle(computer, left.id, error)));
  }
  return {
    start(computer) {
      if (busy.has(computer.id) || parts.signal.aborted) return false;
      const id = `ins_${randomId()}`;
      database.run(
        "INSERT OR REPLACE INTO install_sessions (computer, id, status, started_at) VALUES (?, ?, ?, ?)",
        computer.id,
        id,
        stepStatuses.running,
        clock.now(),
      );
      busy.add(computer.id);
      follow(runSession(computer, id));
      tell();
      return true;
    },
    describe: (computer) => describeComputer(database, computer),
    lastLine: (computer) => printing.get(computer.id)?.line(),
    watch(onChange) {
      watchers.add(onChange);
      return () => watchers.delete(onChange);
    },
    settled: async () => {
      await Promise.all(unsettled);
    },
  };
}

/** The sessions of a server that was killed. */
function leftInstalls(database: Database): { computer: string; left: LeftInstall }[] {
  const rows = database.all(
    "SELECT computer, id, pid, pid_start, started_at FROM install_sessions WHERE status = ?",
    stepStatuses.running,
  );
  return rows.map(({ computer, id, pid, pid_start: mark, started_at: startedAt }) => {
    const leader = typeof pid === "number" && typeof mark === "string" ? { pid, mark } : undefined;
    return { computer: String(computer), left: { id: String(id), leader, startedAt: Number(startedAt) } };
  });
}

async function run(
  { database, env, signal }: InstallParts,
  { id, argv, cwd }: RegisteredComputer,
  session: string,
  onOutput: (chunk: Buffer) => void,
): Promise<string | undefined> {
  const onStarted = (pid: number): void => {
    try {
      database.run(
        "UPDATE install_sessions SET pid = ?, pid_start = ? WHERE computer = ?",
        pid,
        markOf(pid) ?? null,
        id,
      );
    } catch {
      // The disk is full. The command goes on, and after a kill the marker finds it.
    }
  };
  const result = await runProcess({
    argv,
    cwd,
    env: { ...env, [installMarker]: session },
    timeoutMs: installLimitMs,
    signal,
    onStarted,
    onOutput,
  });
  // The deadline and a stop end the process group, which a build daemon has left.
  if (result.status === "timedOut") await endMarked(installMarker, session);
  if (signal.aborted) return stopped;
  return problemOf(result, argv[0], cwd);
}

interface LineKeeper {
  add(chunk: Buffer): void;
  line(): string | undefined;
}

/** A line of an installer is short; a longer one is left out. */
const maxLineBytes = 4096;

/** Only whole lines are kept: what ends or begins in the middle of one may be half a credential. */
function keepLastLine(): LineKeeper {
  let unended = "";
  let last: string | undefined;
  return {
    add(chunk) {
      const lines = (unended + chunk.toString("utf8")).split(/[\r\n]+/);
      const rest = lines.pop() ?? "";
      unended = rest.length > maxLineBytes ? rest.slice(0, maxLineBytes + 1) : rest;
      last = lines.findLast((line) => line.trim() !== "" && line.length <= maxLineBytes) ?? last;
    },
    line: () => (last === undefined ? undefined : cut(printableLine(scrub(last).text), maxErrorLength)),
  };
}

function problemOf(result: ProcessResult, program: string, cwd: string): string | undefined {
  if (result.status === "notStarted") return whyNotStarted(result.code, program, cwd);
  if (result.status === "timedOut") return tookTooLong;
  if (result.status === "killed") return `the command was ended by ${result.signal}`;
  if (result.code === 0) return undefined;
  // Guests read the text, and installers print the credentials of their registries.
  const last = printableLine(scrub(result.stderr.trimEnd().split("\n").at(-1) ?? "").text);
  return cut(`exit code ${result.code}${last === "" ? "" : `: ${last}`}`, maxErrorLength);
}

/** A folder that is missing has the same code as a program that is. */
function whyNotStarted(code: string, program: string, cwd: string): string {
  if (tryToStat(cwd)?.isFolder !== true) return `there is no folder ${cwd}, in which the command runs`;
  if (code === "ENOENT") return `there is no program ${program}`;
  if (code === "EACCES") return `the program ${program} is not executable`;
  return `the program ${program} cannot be started (${code})`;
}

function describeComputer(database: Database, computer: RegisteredComputer): Computer {
  const { id, name, hostname, createdAt } = computer;
  const session = database.get("SELECT * FROM install_sessions WHERE computer = ?", id);
  const step: NonNullable<Computer["provisioningSteps"]>[number] = {
    id: "install-deps",
    name: "Install dependencies",
    status: String(session?.status ?? stepStatuses.pending),
  };
  if (typeof session?.error === "string") step.error = session.error;
  if (session !== undefined) {
    step.startedAt = Number(session.started_at);
    if (session.completed_at !== null) step.completedAt = Number(session.completed_at);
    step.installSessionId = String(session.id);
  }
  const statuses = { [stepStatuses.running]: "provisioning", [stepStatuses.failed]: "error" } as const;
  const status = statuses[step.status as keyof typeof statuses] ?? "active";
  return { id, name, hostname, providerType: "byom", status, createdAt, provisioningSteps: [step] };
}
