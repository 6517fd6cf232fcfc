// Sounds on this computer's speakers.
import { extname, join } from "node:path";
import * as z from "zod";
import { formatDuration } from "../../../model/figures/duration.ts";
import { delivered, failed, type Failed, type Outcome } from "../../../model/outcome.ts";
import { cut, printableLine } from "../../../model/text.ts";
import type { Environment } from "../../../system/environment.ts";
import { inTemporaryFolder, statIfThere } from "../../../system/files/files.ts";
import { findProgram } from "../../../system/process/find-program.ts";
import { ownPackageFolder } from "../../../system/package.ts";
import { expandHome } from "../../../system/paths.ts";
import { playFile } from "../../../system/desktop/sound-player.ts";
import { defineChannel, lifetimeMs, type ChannelTools } from "../../channel-type.ts";
import { levelLooks } from "../../rendering/levels.ts";
import { oneSoundAtATime } from "../speaker-turn.ts";
import { playersFor, playerToInstall, type SoundPlayer } from "./players.ts";

/** The sounds in the package's own `sounds/`. */
export const soundNames = ["complete", "attention", "error"] as const;

/** Some players never end when there is no sound device. */
const maxSoundMs = 10_000;
/** How long a sound waits for another one to end. */
const maxWaitMs = 3000;
/** Code points of each player's words, so that all of them together stay readable. */
const maxSaid = 70;

const expectedSound = `expected ${soundNames.map((name) => `"${name}"`).join(", ")}, or a file as /path or ~/path`;

const settings = z.strictObject({
  sound: z
    .union(
      [
        z.enum(soundNames).describe("one of hookbell's sounds"),
        z
          .string()
          .regex(/^(~[/\\]|\/|[A-Za-z]:[/\\])/, { error: expectedSound })
          .describe("a file, as an absolute path or one that starts with ~/"),
      ],
      { error: expectedSound },
    )
    .describe(`What to play, at most ${formatDuration(maxSoundMs)} of it; default: the sound of the level`)
    .optional(),
  volume: z.number().min(0).max(1).default(1).describe("From 0 to 1, if the player has a volume"),
});
type Settings = z.infer<typeof settings>;

function findFile(sound: string, tools: ChannelTools): string | Failed {
  const isOwn = soundNames.some((name) => name === sound);
  if (!isOwn) {
    const file = expandHome(sound, tools.home);
    return statIfThere(file) === undefined ? failed("unavailable", `the sound file ${sound} does not exist`) : file;
  }
  const file = join(ownPackageFolder(), "sounds", `${sound}.wav`);
  if (statIfThere(file) !== undefined) return file;
  return failed("unavailable", `hookbell's own sound ${sound} is missing; install hookbell again`);
}

interface Installed {
  player: SoundPlayer;
  path: string;
}

function findPlayers(file: string, volume: number, tools: ChannelTools): Installed[] | Failed {
  const type = extname(file).toLowerCase();
  const installed = playersFor(tools.platform, type, volume).flatMap((player) => {
    const path = findProgram(player.program, tools.env, tools.platform);
    return path === undefined ? [] : [{ player, path }];
  });
  if (installed.length > 0) return installed;
  return failed("unavailable", `no program plays ${type || "such"} files; ${playerToInstall(tools.platform, type)}`);
}

/** Plays with the first player that works: some need a sound server that may be down. */
async function playFirst(
  players: readonly Installed[],
  file: string,
  own: Settings,
  tools: ChannelTools,
): Promise<Outcome> {
  const refusals: string[] = [];
  for (const { player, path } of players) {
    const result = await playFile({
      program: path,
      args: player.args(file, own.volume),
      env: { ...tools.env, ...player.env?.(file) },
      timeoutMs: maxSoundMs,
      signal: tools.signal,
    });
    if (result.status === "played") return delivered({ detail: `played by ${player.program}` });
    if (result.status === "timedOut") {
      if (tools.signal.aborted) return failed("timeout", `${player.program} did not end in time`);
      // No second attempt: the sound may have played.
      const why = "no sound device, or the sound is longer than that";
      return failed("unavailable", `${player.program} did not end within ${formatDuration(maxSoundMs)}: ${why}`);
    }
    refusals.push(`${player.program}: ${cut(printableLine(result.said), maxSaid)}`);
  }
  return failed("unavailable", `no sound server or device? ${refusals.join("; ")}`);
}

/** Whether the players find a sound device, which only they can tell. Undefined where that is not known to work. */
async function playSilence(
  players: readonly Installed[],
  own: Settings,
  tools: ChannelTools,
): Promise<Outcome | undefined> {
  const file = join(ownPackageFolder(), "sounds", "silence.wav");
  const able = playersFor(tools.platform, extname(file), own.volume);
  const heard = players.filter(({ player }) => able.includes(player));
  if (tools.platform !== "linux" || heard.length === 0) return undefined;
  return await inTemporaryFolder((folder) =>
    playFirst(heard, file, own, { ...tools, env: withoutTraces(tools, folder) }),
  );
}

/**
 * PulseAudio's client creates its folder and its cookie in the home folder; a probe must not. A user who has that folder may
 * have a server whose socket is in it. https://www.freedesktop.org/wiki/Software/PulseAudio/FAQ/#environmentvariables
 */
function withoutTraces({ env, home }: ChannelTools, folder: string): Environment {
  const isThere = [join(env.XDG_CONFIG_HOME || join(home, ".config"), "pulse"), join(home, ".pulse")].some(
    (path) => statIfThere(path) !== undefined,
  );
  if (isThere) return env;
  const runtime = env.XDG_RUNTIME_DIR ? {} : { PULSE_RUNTIME_PATH: folder };
  return { PULSE_COOKIE: join(folder, "cookie"), ...runtime, ...env };
}

/** The players of macOS and Windows are implemented from their documentation, and not tested there. */
export const sound = defineChannel<Settings>({
  docs: "https://github.com/shime/play-sound",
  settings,
  limits: [{ what: "length of a sound", most: maxSoundMs, unit: "milliseconds", source: "ours" }],
  expiresAfterMs: lifetimeMs.speakers,
  timeoutMs: 20_000,
  isRepeatHarmless: true,
  content: "none",
  isUnfitForNotices: true,
  async send({ settings: own, message }, tools) {
    if (own.volume === 0) return delivered({ detail: "not played: the volume is 0" });
    const file = findFile(own.sound ?? levelLooks[message.level].sound, tools);
    if (typeof file !== "string") return file;
    const players = findPlayers(file, own.volume, tools);
    if ("status" in players) return players;
    return oneSoundAtATime(tools, maxWaitMs, () => playFirst(players, file, own, tools));
  },
  noticing: {
    how: "hear",
    otherwise: [
      "turn the volume up, and unmute; the setting `volume` lowers it further",
      "check which output is selected: headphones, a screen without speakers",
      "over SSH or in a container, the sound plays on the other machine, if at all",
    ],
  },
  async probe(own, tools) {
    const file = findFile(own.sound ?? levelLooks.success.sound, tools);
    if (typeof file !== "string") return { status: "broken", detail: file.detail, fix: "correct the setting `sound`" };
    const players = findPlayers(file, own.volume, tools);
    if ("status" in players) {
      return { status: "broken", detail: players.detail, fix: playerToInstall(tools.platform, extname(file)) };
    }
    const outcome = await playSilence(players, own, tools);
    if (outcome?.status === "failed") {
      return { status: "broken", detail: outcome.detail, fix: "start PipeWire or PulseAudio", isElsewhere: true };
    }
    const programs = players.map(({ player }) => player.program).join(", else ");
    return { status: "ok", detail: `played by ${programs}; only \`hookbell test\` shows whether it is heard` };
  },
});
