import * as z from "zod";
import { formatDuration } from "../../../model/duration.ts";
import { delivered, failed, type Failed, type Outcome } from "../../../model/outcome.ts";
import { cut, printableLine } from "../../../model/text.ts";
import { findProgram } from "../../../system/process/find-program.ts";
import { runProcess, type ProcessResult } from "../../../system/process/run.ts";
import { defineChannel, lifetimeMs, type ChannelTools } from "../../channel-type.ts";
import { oneSoundAtATime } from "../speaker-turn.ts";
import { speechProgramNames, speechPrograms, speechProgramsFor, type SpeechProgramName } from "./programs.ts";
import { maxSpoken, maxSpokenTitle, toSpokenText } from "./message.ts";

/** Where a program is ended: slow voices need twice the usual time. */
const maxSpeechMs = 40_000;
/** How long speech waits for a sound or another speech to end; words are worth more patience than a chime. */
const maxWaitMs = 20_000;
/** Code points of what each program said; all of them together must stay readable. */
const maxSaid = 70;

const settings = z.strictObject({
  programs: z
    .array(z.enum(speechProgramNames))
    .min(1)
    .optional()
    .describe(
      "which programs to try, in this order; unless said otherwise say on macOS, spd-say and then espeak-ng on Linux",
    ),
  voice: z
    .string()
    .regex(/^[^-?\s][^\n\r\u0000]{0,99}$/, { error: "expected a voice's name, as the program lists them" })
    .optional()
    .describe("a voice's name, as the program lists them: say -v '?', spd-say -L, espeak-ng --voices"),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$/, { error: "expected a language such as en, de or pt-BR" })
    .optional()
    .describe("the language of the words, such as en, de or pt-BR; say has voices instead"),
  rate: z
    .int()
    .min(80)
    .max(450)
    .optional()
    .describe("words a minute; the program's own (about 175) unless said otherwise"),
  volume: z.number().min(0).max(1).default(1).describe("from 0 to 1"),
});
type Settings = z.infer<typeof settings>;

interface Installed {
  name: SpeechProgramName;
  path: string;
}

/**
 * A message read out on this computer's speakers, title and the start of the body. One at a time together with the
 * channels of type `sound`.
 */
export const speech = defineChannel<Settings>({
  docs: "https://github.com/espeak-ng/espeak-ng/blob/master/docs/guide.md",
  settings,
  limits: [
    { what: "title", most: maxSpokenTitle, unit: "codePoints", source: "ours" },
    { what: "what is said", most: maxSpoken, unit: "codePoints", source: "ours" },
    { what: "length of a speech", most: maxSpeechMs, unit: "milliseconds", source: "ours" },
  ],
  expiresAfterMs: lifetimeMs.speakers,
  timeoutMs: maxSpeechMs + maxWaitMs + 5000,
  isRepeatHarmless: true,
  content: "full",
  passesPayload: false,
  async send({ settings: own, message, event }, tools) {
    if (own.volume === 0) return delivered({ detail: "not spoken: the volume is 0" });
    const programs = findPrograms(own, tools);
    if ("status" in programs) return programs;
    const text = toSpokenText(message, event.name);
    return oneSoundAtATime(tools, maxWaitMs, () => speakFirst(programs, text, own, tools));
  },
  noticing: {
    how: "hear",
    otherwise: [
      "turn the volume up, and unmute; the setting `volume` makes it quieter still",
      "look at which output is chosen: headphones, a screen without speakers",
      "over SSH or in a container the voice speaks on the other machine, if anywhere",
    ],
  },
  probe(own, tools) {
    const programs = findPrograms(own, tools);
    if ("status" in programs) {
      return Promise.resolve({ status: "broken", detail: programs.detail, fix: toInstall(tools.platform) });
    }
    const names = programs.map(({ name }) => name).join(", else ");
    return Promise.resolve({
      status: "ok",
      detail: `read by ${names}; only \`hookbell test\` shows whether it is heard`,
    });
  },
});

function findPrograms(own: Settings, { env, platform }: Pick<ChannelTools, "env" | "platform">): Installed[] | Failed {
  const wanted = speechProgramsFor(platform, own.programs);
  const installed = wanted.flatMap((name) => {
    const path = findProgram(name, env, platform);
    return path === undefined ? [] : [{ name, path }];
  });
  if (installed.length > 0) return installed;
  return failed("unavailable", `no program that reads out: ${toInstall(platform)}`);
}

function toInstall(platform: NodeJS.Platform): string {
  if (platform === "darwin") return "say is part of macOS; is /usr/bin on PATH?";
  const programs = speechProgramsFor(platform).join(" or ");
  return platform === "win32" ? `install ${programs}` : `install ${programs} (Debian: speech-dispatcher, espeak-ng)`;
}

/** The first program that can; one whose server or sound device is missing leaves it to the next. */
async function speakFirst(
  programs: readonly Installed[],
  text: string,
  own: Settings,
  tools: ChannelTools,
): Promise<Outcome> {
  const refusals: string[] = [];
  for (const { name, path } of programs) {
    const program = speechPrograms[name];
    const result = await runProcess({
      argv: [path, ...program.args(own)],
      stdin: program.input(text, own),
      env: tools.env,
      timeoutMs: maxSpeechMs,
      signal: tools.signal,
    });
    if (result.status === "timedOut") {
      if (tools.signal.aborted) return failed("timeout", `${name} did not end in time`);
      // Not tried again, by another program or later: it may have been heard, over and over.
      return failed("unavailable", `${name} did not end within ${formatDuration(maxSpeechMs)}: no sound device?`);
    }
    const problem = problemOf(result, program);
    if (problem === undefined) return delivered({ detail: `read by ${name}` });
    refusals.push(`${name}: ${cut(printableLine(problem), maxSaid)}`);
  }
  return failed("unavailable", `no sound server or device? ${refusals.join("; ")}`);
}

function problemOf(
  result: Exclude<ProcessResult, { status: "timedOut" }>,
  program: (typeof speechPrograms)[SpeechProgramName],
): string | undefined {
  switch (result.status) {
    case "exited": {
      if (result.code === 0) return program.findError?.(result);
      const said = result.stderr.trim().split("\n").at(-1) ?? "";
      return said === "" ? `exit code ${result.code}` : said;
    }
    case "killed":
      return `ended by ${result.signal}`;
    case "notStarted":
      return result.code;
  }
}
