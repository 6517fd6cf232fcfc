// Speech: a voice on this computer's speakers reads the message out.
import * as z from "zod";
import { formatDuration } from "../../../model/figures/duration.ts";
import { delivered, failed, type Failed, type Outcome } from "../../../model/outcome.ts";
import { cut, printableLine } from "../../../model/text.ts";
import { findProgram } from "../../../system/process/find-program.ts";
import { runProcess, type ProcessResult } from "../../../system/process/run.ts";
import { defineChannel, lifetimeMs, type ChannelTools } from "../../channel-type.ts";
import { sound } from "../sound/sound.ts";
import { oneSoundAtATime } from "../speaker-turn.ts";
import { speechProgramNames, speechPrograms, speechProgramsFor, type SpeechProgramName } from "./programs.ts";
import { maxSpoken, maxSpokenTitle, toSpokenText } from "./message.ts";

/** Slow voices need twice the usual time. */
const maxSpeechMs = 40_000;
/** How long speech waits for a sound or another speech to end. */
const maxWaitMs = 20_000;
/** Code points of each program's words, so that all of them together stay readable. */
const maxSaid = 70;

const settings = z.strictObject({
  programs: z
    .array(z.enum(speechProgramNames))
    .min(1)
    .optional()
    .describe("Which programs to try, in this order; default: say on macOS, spd-say and then espeak-ng on Linux"),
  voice: z
    .string()
    .regex(/^[^-?\s][^\n\r\u0000]{0,99}$/, { error: "expected a voice's name, as the program lists them" })
    .optional()
    .describe("A voice's name, as the program lists them: say -v '?', spd-say -L, espeak-ng --voices"),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$/, { error: "expected a language such as en, de or pt-BR" })
    .optional()
    .describe("The language of the text, such as en, de or pt-BR; say has voices instead"),
  rate: z.int().min(80).max(450).optional().describe("Words a minute; default: the program's own, about 175"),
  volume: z.number().min(0).max(1).default(1).describe("From 0 to 1"),
});
type Settings = z.infer<typeof settings>;

interface Installed {
  name: SpeechProgramName;
  path: string;
}

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
      "turn the volume up, and unmute; the setting `volume` lowers it further",
      "check which output is selected: headphones, a screen without speakers",
      "over SSH or in a container, the voice speaks on the other machine, if at all",
    ],
  },
  async probe(own, tools) {
    const programs = findPrograms(own, tools);
    if ("status" in programs) return { status: "broken", detail: programs.detail, fix: toInstall(tools.platform) };
    // A voice needs the same speakers as a sound, which can be tried without a noise.
    const speakers = await sound.probe?.({ volume: 1 }, tools);
    if (speakers?.status === "broken" && speakers.isElsewhere === true) return speakers;
    const names = programs.map(({ name }) => name).join(", else ");
    return { status: "ok", detail: `read by ${names}; only \`hookbell test\` shows whether it is heard` };
  },
});

function findPrograms(own: Settings, { env, platform }: Pick<ChannelTools, "env" | "platform">): Installed[] | Failed {
  const wanted = speechProgramsFor(platform, own.programs);
  const installed = wanted.flatMap((name) => {
    const path = findProgram(name, env, platform);
    return path === undefined ? [] : [{ name, path }];
  });
  if (installed.length > 0) return installed;
  return failed("unavailable", `no program can read the message out; ${toInstall(platform)}`);
}

function toInstall(platform: NodeJS.Platform): string {
  if (platform === "darwin") return "say is part of macOS; is /usr/bin on PATH?";
  const programs = speechProgramsFor(platform).join(" or ");
  return platform === "win32" ? `install ${programs}` : `install ${programs} (Debian: speech-dispatcher, espeak-ng)`;
}

/** Speaks with the first program that works: some need a server or a device that may be missing. */
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
      // No second attempt: the speech may have been heard.
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
