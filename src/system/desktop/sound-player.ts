// Plays a sound file with an external player and a deadline.
import type { ChildProcess } from "node:child_process";
import { codeOf, messageOf } from "../../model/errors.ts";
import type { Environment } from "../environment.ts";
import { isGroupLeader, killGroup } from "../process/run.ts";

export type PlayResult = { status: "played" } | { status: "failed"; said: string } | { status: "timedOut" };

export interface PlayRequest {
  /** The player's absolute path. */
  program: string;
  /** The last one is the file: absolute, so that it is no option. */
  args: readonly [...string[], string];
  env: Environment;
  timeoutMs: number;
  signal: AbortSignal;
}

const maxSaidChars = 2000;

/** play-sound (https://github.com/shime/play-sound) has no deadline. mpg123 without a sound card ignores SIGTERM. */
export async function playFile(request: PlayRequest): Promise<PlayResult> {
  if (request.signal.aborted) return { status: "timedOut" };
  const { default: playSound } = await import("play-sound");
  return new Promise((resolve) => {
    let child: ChildProcess | null = null;
    let said = "";
    const finish = (result: PlayResult): void => {
      clearTimeout(timer);
      request.signal.removeEventListener("abort", stop);
      child?.stderr?.destroy();
      resolve(result);
    };
    const fail = (why: string): void => finish({ status: "failed", said: said.trim() || why });
    const stop = (): void => {
      if (child !== null) killGroup(child);
      finish({ status: "timedOut" });
    };
    const timer = setTimeout(stop, request.timeoutMs);
    request.signal.addEventListener("abort", stop, { once: true });
    try {
      // play-sound's search runs a shell for each candidate.
      child = playSound({ player: request.program }).play(request.args.at(-1) ?? "", spawnOptions(request), (error) => {
        if (error === null) finish({ status: "played" });
        else fail(typeof error === "number" ? `exit code ${error}` : messageOf(error));
      });
    } catch (error) {
      fail(codeOf(error) ?? messageOf(error));
      return;
    }
    child?.on("error", (error) => fail(codeOf(error) ?? error.message));
    // play-sound reads the null exit code of a killed player as success.
    child?.on("exit", (_code, signal) => {
      if (signal !== null) fail(`ended by ${signal}`);
    });
    child?.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(0, maxSaidChars);
    });
  });
}

function spawnOptions(request: PlayRequest): Record<string, unknown> {
  const options = {
    [request.program]: request.args.slice(0, -1),
    env: request.env,
    windowsHide: true,
    detached: isGroupLeader,
  };
  // play-sound assigns "ignore"; a read-only property keeps stderr readable.
  return Object.defineProperty(options, "stdio", { value: ["ignore", "ignore", "pipe"], enumerable: true });
}
