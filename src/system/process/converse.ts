// A program that is talked to over its standard streams for as long as it runs.
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { codeOf, messageOf } from "../../model/errors.ts";
import type { Clock } from "../clock.ts";
import type { Environment } from "../environment.ts";
import { isGroupLeader, killGroup } from "./run.ts";
import { programStart } from "./start/program-start.ts";

export interface Conversation {
  write(text: string): void;
  /** The line comes without its end. It rejects with a `ConversationEnd` at the end, after too long a silence, and for a line over `maxLineBytes`. */
  readLine(): Promise<string>;
  /** Exactly so many. Rejects as `readLine` does. */
  readBytes(count: number): Promise<Buffer>;
  /** Reads so many and keeps none. Rejects as `readLine` does. */
  skipBytes(count: number): Promise<void>;
  /** Ends the program and what it has started. */
  end(): void;
}

/** Why nothing more comes: what the program said on standard error, and how it ended. */
export class ConversationEnd extends Error {
  readonly stderr: string;

  constructor(message: string, stderr: string) {
    super(message);
    this.name = "ConversationEnd";
    this.stderr = stderr;
  }
}

export interface ConversationRequest {
  argv: readonly [string, ...string[]];
  env: Environment;
  clock: Pick<Clock, "after">;
  /** A program that says nothing for so long while it is read is ended. */
  silenceMs: number;
  signal: AbortSignal;
}

const maxLineBytes = 8192;
const maxStderrBytes = 8192;
const newline = 0x0a;

/** Never throws; what goes wrong, the first reading says. */
export function converse({ argv, env, clock, silenceMs, signal }: ConversationRequest): Conversation {
  const [program] = argv;
  let stderr = "";
  let how = "";
  let child: ChildProcessWithoutNullStreams | undefined;
  let chunks: AsyncIterator<Buffer> | undefined;
  let held: Buffer = Buffer.alloc(0);

  const end = (): void => {
    signal.removeEventListener("abort", end);
    if (child === undefined) return;
    killGroup(child);
    child.stdin.destroy();
    child.stdout.destroy();
  };
  let closed: Promise<void> = Promise.resolve();
  try {
    const start = programStart(argv, { env });
    if ("code" in start) throw new Error(start.detail);
    child = process.getBuiltinModule("node:child_process").spawn(start.program, start.args, {
      windowsVerbatimArguments: start.windowsVerbatimArguments,
      stdio: "pipe",
      shell: false,
      windowsHide: true,
      detached: isGroupLeader,
      env: start.env,
    });
    const started = child;
    closed = new Promise((resolve) => {
      started.on("error", (error) => {
        how = codeOf(error) === "ENOENT" ? `there is no program ${program}` : messageOf(error);
        resolve();
      });
      started.on("close", (code, name) => {
        if (how === "") how = name === null ? `it ended with exit code ${code}` : `${name} ended it`;
        resolve();
      });
    });
    started.stderr.on("data", (chunk: Buffer) => (stderr = (stderr + chunk.toString("utf8")).slice(-maxStderrBytes)));
    started.stdin.on("error", () => {});
    started.stdout.on("error", () => {});
    chunks = started.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    if (signal.aborted) end();
    else signal.addEventListener("abort", end);
  } catch (error) {
    how = messageOf(error);
  }

  /** Adds to what is held. The stream is read only as fast as this is called, so no program fills the memory. */
  const more = async (): Promise<void> => {
    let isSilent = false;
    const cancel = clock.after(silenceMs, () => {
      isSilent = true;
      end();
    });
    try {
      const next = await chunks?.next().catch(() => undefined);
      if (next !== undefined && next.done !== true) {
        held = held.length === 0 ? next.value : Buffer.concat([held, next.value]);
        return;
      }
    } finally {
      cancel();
    }
    await closed;
    throw new ConversationEnd(isSilent ? `it sent nothing for ${silenceMs / 1000} s` : how, stderr.trim());
  };
  const take = (count: number): Buffer => {
    const taken = held.subarray(0, count);
    held = held.subarray(count);
    return taken;
  };
  return {
    write: (text) => void child?.stdin.write(text),
    async readLine() {
      for (;;) {
        const length = held.indexOf(newline);
        if (length !== -1 && length <= maxLineBytes)
          return take(length + 1)
            .toString("utf8")
            .slice(0, -1);
        if (held.length > maxLineBytes) throw new ConversationEnd("it sent a line that is too long", stderr.trim());
        await more();
      }
    },
    async readBytes(count) {
      const parts: Buffer[] = [];
      for (let left = count; left > 0;) {
        if (held.length === 0) await more();
        const part = take(left);
        parts.push(part);
        left -= part.length;
      }
      return Buffer.concat(parts);
    },
    async skipBytes(count) {
      for (let left = count; left > 0; left -= take(left).length) if (held.length === 0) await more();
    },
    end,
  };
}
