// Programs that read a text out, and how to call them.
import type { ProcessResult } from "../../../system/process/run.ts";

export const speechProgramNames = ["say", "spd-say", "espeak-ng"] as const;
export type SpeechProgramName = (typeof speechProgramNames)[number];

/** The program decides whatever is absent. */
export interface Voice {
  voice?: string | undefined;
  language?: string | undefined;
  /** Words a minute. */
  rate?: number | undefined;
  /** 0 to 1. */
  volume: number;
}

/** The text comes on standard input, so that it is never read as an option. */
interface SpeechProgram {
  platforms: readonly NodeJS.Platform[];
  args(voice: Voice): string[];
  input(text: string, voice: Voice): string;
  /** What went wrong although its exit code is 0. */
  findError?(result: ProcessResult & { status: "exited" }): string | undefined;
}

const unix: readonly NodeJS.Platform[] = ["linux", "freebsd", "openbsd", "netbsd"];

/** espeak's default amplitude; the maximum is twice that. */
const espeakUsualAmplitude = 100;
/** Speech Dispatcher counts from -100 to 100; with espeak-ng, these are its ends and its middle in words a minute. */
const dispatcherRates = { slowest: 80, middle: 175, fastest: 450 };

export const speechPrograms: Readonly<Record<SpeechProgramName, SpeechProgram>> = {
  // Implemented from its manual page, not tested.
  say: {
    platforms: ["darwin"],
    args: ({ voice, rate }) => [...option("-v", voice), ...option("-r", rate), "-f", "-"],
    // https://developer.apple.com/library/archive/documentation/UserExperience/Conceptual/SpeechSynthesisProgrammingGuide/FineTuning/FineTuning.html
    input: (text, { volume }) => (volume === 1 ? text : `[[volm ${volume}]] ${text}`),
  },
  // spd-say reads its argument as a printf format, but not a piped text.
  "spd-say": {
    platforms: unix,
    args: ({ voice, language, rate, volume }) => [
      "--pipe-mode",
      "--wait",
      ...option("--priority", "important"),
      ...option("--application-name", "hookbell"),
      ...option("--synthesis-voice", voice),
      ...option("--language", language),
      ...option("--rate", rate === undefined ? undefined : dispatcherRate(rate)),
      ...option("--volume", volume === 1 ? undefined : Math.round(volume * 200 - 100)),
    ],
    input: (text) => `${text}\n`,
  },
  "espeak-ng": {
    platforms: [...unix, "darwin", "win32"],
    args: ({ voice, language, rate, volume }) => [
      ...option("-v", voice ?? language?.toLowerCase()),
      ...option("-s", rate),
      ...option("-a", volume === 1 ? undefined : Math.round(volume * espeakUsualAmplitude)),
      "--stdin",
    ],
    input: (text) => text,
    // Without a sound device, espeak says so and exits with 0.
    findError: ({ stderr }) => /^error: .*$/im.exec(stderr)?.[0],
  },
};

function option(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [name, String(value)];
}

function dispatcherRate(wordsPerMinute: number): number {
  const { slowest, middle, fastest } = dispatcherRates;
  const reach = wordsPerMinute < middle ? middle - slowest : fastest - middle;
  return Math.max(-100, Math.min(100, Math.round(((wordsPerMinute - middle) / reach) * 100)));
}

/** The programs of a platform, best first, or in the order of the settings. */
export function speechProgramsFor(
  platform: NodeJS.Platform,
  order: readonly SpeechProgramName[] = speechProgramNames,
): SpeechProgramName[] {
  return order.filter((name) => speechPrograms[name].platforms.includes(platform));
}
