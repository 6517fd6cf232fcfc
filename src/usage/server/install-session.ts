// Runs the install command of a computer, one session at a time.
import type { Computer } from "../contract/computers.ts";
import type { Clock } from "../../system/clock.ts";
import type { Environment } from "../../system/environment.ts";
import { scrub } from "../../model/privacy/scrub.ts";
import { cut, printableLine } from "../../model/text.ts";
import { processLook } from "../../system/process/facts.ts";
import { endGroup, runProcess, type ProcessResult } from "../../system/process/run.ts";
import type { RegisteredComputer } from "./computers.ts";
import type { Database } from "./store/database.ts";

/** Before the first session, and after one. The document names no state but `Running`. */
const stepStatuses = { pending: "Pending", running: "Running", done: "Completed", failed: "Error" } as const;

/** An installation that hangs must not keep the computer from being tried again. */
const timeoutMs = 60 * 60 * 1000;
const maxErrorLength = 300;

export interface InstallParts {
  database: Database;
  computers: () => RegisteredComputer[];
  clock: Clock;
  env: Environment;
  randomId: () => string;
  /** Ends what is running. */
  signal: AbortSignal;
  /** Hears of each session that has ended; it does not throw. */
  onEnded: (computer: Computer) => Promise<void>;
}

export interface Installs {
  /** False when a session of this computer is running. The session goes on after the answer. */
  start(computer: RegisteredComputer): boolean;
  describe(computer: RegisteredComputer): Computer;
  /** Resolves when every session has ended. */
  settled(): Promise<void>;
}

export function createInstalls(parts: InstallParts): Installs {
  const { database, clock, randomId, onEnded } = parts;
  const running = new Set<Promise<void>>();
  const follow = (work: Promise<void>): void => {
    const followed = work.finally(() => running.delete(followed));
    running.add(followed);
  };
  for (const computer of endInterrupted(parts)) follow(onEnded(computer));
  return {
    start(computer) {
      const known = database.get("SELECT status FROM install_sessions WHERE computer = ?", computer.id);
      if (known?.status === stepStatuses.running || parts.signal.aborted) return false;
      const id = `ins_${randomId()}`;
      database.run(
        "INSERT OR REPLACE INTO install_sessions (computer, id, status, started_at) VALUES (?, ?, ?, ?)",
        computer.id,
        id,
        stepStatuses.running,
        clock.now(),
      );
      const session = run(parts, computer).then(async (error) => {
        database.run(
          "UPDATE install_sessions SET status = ?, error = ?, completed_at = ? WHERE computer = ? AND id = ?",
          error === undefined ? stepStatuses.done : stepStatuses.failed,
          error ?? null,
          clock.now(),
          computer.id,
          id,
        );
        await onEnded(describeComputer(database, computer));
      });
      follow(session);
      return true;
    },
    describe: (computer) => describeComputer(database, computer),
    settled: async () => {
      await Promise.all(running);
    },
  };
}

/**
 * Ends the sessions of a server that was killed, and returns their computers. Their commands outlived the server: they
 * are ended as well, since the next session would otherwise run beside them. Windows names no start time, so there they
 * go on.
 */
function endInterrupted({ database, clock, computers }: InstallParts): Computer[] {
  const rows = database.all(
    "SELECT computer, pid, pid_start FROM install_sessions WHERE status = ?",
    stepStatuses.running,
  );
  const look = processLook();
  for (const { pid, pid_start: start } of rows) {
    // A process with another start time has only got the same number.
    if (typeof pid === "number" && typeof start === "string" && look(pid)?.start === start) endGroup(pid);
  }
  database.run(
    "UPDATE install_sessions SET status = ?, error = ?, completed_at = ? WHERE status = ?",
    stepStatuses.failed,
    "the server stopped before the command ended",
    clock.now(),
    stepStatuses.running,
  );
  const ids = new Set(rows.map(({ computer }) => computer));
  return computers().flatMap((computer) => (ids.has(computer.id) ? [describeComputer(database, computer)] : []));
}

async function run(
  { database, env, signal }: InstallParts,
  { id, argv, cwd }: RegisteredComputer,
): Promise<string | undefined> {
  const onStarted = (pid: number): void => {
    const start = processLook()(pid)?.start ?? null;
    database.run("UPDATE install_sessions SET pid = ?, pid_start = ? WHERE computer = ?", pid, start, id);
  };
  const result = await runProcess({ argv, cwd, env, timeoutMs, signal, onStarted });
  if (signal.aborted) return "the server was stopped";
  return problemOf(result);
}

function problemOf(result: ProcessResult): string | undefined {
  if (result.status === "notStarted") return `the program cannot be started (${result.code})`;
  if (result.status === "timedOut") return "the command took longer than an hour";
  if (result.status === "killed") return `the command was ended by ${result.signal}`;
  if (result.code === 0) return undefined;
  // Guests read it, and installers print the credentials of their registries.
  const last = printableLine(scrub(result.stderr.trimEnd().split("\n").at(-1) ?? "").text);
  return cut(`exit code ${result.code}${last === "" ? "" : `: ${last}`}`, maxErrorLength);
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
