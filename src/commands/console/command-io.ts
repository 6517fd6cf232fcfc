// What a command may use: streams, environment, clock, paths. Tests create their own.
import type { Clock, Random } from "../../system/clock.ts";
import type { Environment } from "../../system/environment.ts";
import type { Places } from "../../system/paths.ts";

export interface CommandIo {
  stdout(text: string): void;
  stderr(text: string): void;
  /** Whether standard input and output are both terminals. */
  isTerminal: boolean;
  isStdinTerminal: boolean;
  /** Whether standard error is a terminal that can show progress. */
  isStderrTerminal: boolean;
  isColor: boolean;
  /** The terminal's width; 80 if there is none. */
  columns: number;
  env: Environment;
  clock: Clock;
  random: Random;
  places: Places;
  platform: NodeJS.Platform;
  cwd: string;
  /** Aborted by Ctrl-C, by a signal, or when standard output closes. */
  untilStopped(): AbortSignal;
  /** Standard input as text, up to slightly more than `maxBytes`; empty if it is a terminal. */
  readStdin(maxBytes: number): Promise<string>;
}
