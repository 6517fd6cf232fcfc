import type { CommandIo } from "../../../src/commands/console/command-io.ts";
import { systemClock, systemRandom } from "../../../src/system/clock.ts";
import { findPlaces } from "../../../src/system/paths.ts";

/** What a command is handed when it runs within the test: no one's terminal, on Linux, in this home. */
export function commandIo(home: string, given: Partial<CommandIo> = {}): CommandIo {
  const { env = { HOME: home, PATH: "" } } = given;
  return {
    stdout: () => {},
    stderr: () => {},
    isTerminal: false,
    isStdinTerminal: false,
    isStderrTerminal: false,
    isColor: false,
    columns: 80,
    env,
    clock: systemClock,
    random: systemRandom,
    places: findPlaces(env, "linux"),
    platform: "linux",
    cwd: home,
    untilStopped: () => new AbortController().signal,
    readStdin: () => Promise.resolve(""),
    ...given,
  };
}
