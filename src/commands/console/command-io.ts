import type { Clock, Random } from "../../system/clock.ts";
import type { Environment } from "../../system/environment.ts";
import type { Places } from "../../system/paths.ts";

/** Everything a command may use to talk and to look around; `cli.ts` makes it, tests make their own. */
export interface CommandIo {
  stdout(text: string): void;
  stderr(text: string): void;
  /** Whether a person is at the other end of both standard input and output. */
  isTerminal: boolean;
  /** Whether standard input is a keyboard. */
  isStdinTerminal: boolean;
  /** Whether standard error is a screen, where progress may be shown. */
  isStderrTerminal: boolean;
  /** Whether colour may be used; `NO_COLOR` says no. */
  isColor: boolean;
  /** Width of the terminal in characters; 80 when there is none. */
  columns: number;
  env: Environment;
  clock: Clock;
  random: Random;
  places: Places;
  platform: NodeJS.Platform;
  /** The folder the person is in. */
  cwd: string;
  /** For commands that run until they are stopped: aborted by Ctrl-C, by a signal, or when nobody reads any more. */
  untilStopped(): AbortSignal;
  /** Standard input to its end as text, or more than so many bytes of it; a terminal gives an empty string. */
  readStdin(maxBytes: number): Promise<string>;
}
