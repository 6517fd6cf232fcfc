// What a command may use: streams, environment, clock, paths. `cli.ts` makes it; tests make their own.
import type { Clock, Random } from "../../system/clock.ts";
import type { Environment } from "../../system/environment.ts";
import type { Places } from "../../system/paths.ts";

export interface CommandIo {
  stdout(text: string): void;
  stderr(text: string): void;
  /** Whether standard input and output are both a terminal. */
  isTerminal: boolean;
  isStdinTerminal: boolean;
  /** Whether standard error is a screen, where progress may be shown. */
  isStderrTerminal: boolean;
  isColor: boolean;
  /** Width of the terminal; 80 without one. */
  columns: number;
  env: Environment;
  clock: Clock;
  random: Random;
  places: Places;
  platform: NodeJS.Platform;
  cwd: string;
  /** Aborted by Ctrl-C, by a signal, or when standard output is closed. */
  untilStopped(): AbortSignal;
  /** Standard input as text, cut after slightly more than `maxBytes`; a terminal gives an empty text. */
  readStdin(maxBytes: number): Promise<string>;
}
