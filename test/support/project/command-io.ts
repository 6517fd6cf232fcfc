import type { CommandIo } from "../../../src/console/command-io.ts";
import { systemClock, systemRandom } from "../../../src/system/clock.ts";
import type { ProcessInChain } from "../../../src/system/process/identity.ts";
import { findPlaces } from "../../../src/system/paths.ts";
import type { StdinReading } from "../../../src/system/terminal/stdin.ts";

/** A shell that leads its terminal's session. */
const personAtTerminal: readonly ProcessInChain[] = [
  {
    pid: 4_194_305,
    parentPid: 1,
    start: "1",
    ageMs: 1000,
    program: "bash",
    device: "/dev/pts/3",
    hasTerminal: true,
    leadsSession: true,
    leadsGroup: true,
  },
];

/** What a command is handed when it runs within the test: no one's terminal, on Linux, in this home. */
export function commandIo(home: string, given: Partial<CommandIo> = {}): CommandIo {
  const { env = { HOME: home, PATH: "" }, readStdin = () => Promise.resolve("") } = given;
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
    ancestry: () => personAtTerminal,
    untilStopped: () => new AbortController().signal,
    readStdin,
    readPayload: async ({ maxBytes }) => payloadIn(await readStdin(maxBytes), maxBytes),
    ...given,
  };
}

/** What a hook has read when this was piped to it. */
export function payloadIn(input: string | Buffer, maxBytes: number): StdinReading {
  const bytes = Buffer.from(input);
  return { status: bytes.length > maxBytes ? "tooLarge" : "ended", bytes };
}
