// Runs a program on this process's own streams, and keeps the end of its output.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { codeOf, describeWriteError } from "../../model/errors.ts";
import type { Environment } from "../environment.ts";
import { programStart } from "./start/program-start.ts";

export type AttachedResult =
  /** 128 and the signal's number where a signal ended it. */
  | { status: "ended"; code: number; signal: NodeJS.Signals | undefined; tail: string }
  | { status: "notStarted"; code: string; why: string };

const forwarded = ["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP"] as const;

/** Without it, the program gets the streams themselves and sees a terminal. */
export function runAttached(
  argv: readonly [string, ...string[]],
  { env, maxTailBytes }: { env: Environment; maxTailBytes: number | undefined },
): Promise<AttachedResult> {
  const stdio = maxTailBytes === undefined ? "inherit" : (["inherit", "pipe", "pipe"] as const);
  // Ctrl-C reaches every process of a terminal.
  const isAtTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  return new Promise((resolve) => {
    let child: ReturnType<typeof spawn> | undefined;
    // Listen before the program starts: a signal that comes right after must not end this process alone.
    const listeners = forwarded.map((signal) => {
      const isTyped = isAtTerminal && (signal === "SIGINT" || signal === "SIGQUIT");
      const forward = (): void => void (isTyped || child?.kill(signal));
      process.on(signal, forward);
      return () => process.off(signal, forward);
    });
    const end = (result: AttachedResult): void => {
      for (const remove of listeners) remove();
      resolve(result);
    };
    const start = programStart(argv, { env });
    if ("code" in start) return end({ status: "notStarted", code: start.code, why: start.detail });
    const fail = (error: unknown): void =>
      end({ status: "notStarted", code: codeOf(error) ?? "ERROR", why: describeWriteError(error) });
    try {
      const { program, args, ...options } = start;
      child = spawn(program, args, { ...options, stdio: stdio as "inherit" });
    } catch (error) {
      return fail(error);
    }
    let tail = Buffer.alloc(0);
    const keep = (chunk: Buffer): void => {
      tail = Buffer.concat([tail, chunk]);
      if (tail.length > 2 * (maxTailBytes ?? 0)) tail = tail.subarray(-(maxTailBytes ?? 0));
    };
    passOn(child.stdout, process.stdout, keep);
    passOn(child.stderr, process.stderr, keep);
    child.on("error", fail);
    child.on("close", (code, signal) => {
      end({
        status: "ended",
        code: signal === null ? (code ?? 1) : 128 + constants.signals[signal],
        signal: signal ?? undefined,
        tail: tail.toString("utf8"),
      });
    });
  });
}

function passOn(from: Readable | null, to: NodeJS.WriteStream, keep: (chunk: Buffer) => void): void {
  from?.on("data", keep);
  from?.pipe(to, { end: false });
  // The program gets SIGPIPE, as it would without us.
  to.on("error", () => from?.destroy());
}

/** A shell then sees the signal itself. */
export function endBySignal(signal: NodeJS.Signals): void {
  process.kill(process.pid, signal);
}
