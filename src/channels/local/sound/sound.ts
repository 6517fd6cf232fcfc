import { extname, join } from "node:path";
import * as z from "zod";
import { formatDuration } from "../../../model/duration.ts";
import { delivered, failed, type Failed, type Outcome } from "../../../model/outcome.ts";
import { cut, printableLine } from "../../../model/text.ts";
import { statIfThere } from "../../../system/files/files.ts";
import { findProgram } from "../../../system/process/find-program.ts";
import { ownPackageFolder } from "../../../system/package.ts";
import { expandHome } from "../../../system/paths.ts";
import { playFile } from "../../../system/desktop/sound-player.ts";
import { defineChannel, lifetimeMs, type ChannelTools } from "../../channel-type.ts";
import { levelLooks } from "../../levels.ts";
import { oneSoundAtATime } from "../speaker-turn.ts";
import { playersFor, playerToInstall, type SoundPlayer } from "./players.ts";

/** The sounds in the package's own `sounds/`. */
export const soundNames = ["complete", "attention", "error"] as const;

/** Where a player is ended: some never end by themselves when there is no sound device. */
const maxSoundMs = 10_000;
/** How long a sound waits for another one; one that would come later than this is about what was just heard. */
const maxWaitMs = 3000;
/** Code points of what each player said; all of them together must stay readable. */
const maxSaid = 70;

const expectedSound = `expected ${soundNames.map((name) => `"${name}"`).join(", ")}, or a file as /path or ~/path`;

const settings = z.strictObject({
  sound: z
    .union(
      [
        z.enum(soundNames).describe("one of hookbell's own"),
        z
          .string()
          .regex(/^(~[/\\]|\/|[A-Za-z]:[/\\])/, { error: expectedSound })
          .describe("a file, as an absolute path or one that starts with ~/"),
      ],
      { error: expectedSound },
    )
    .describe(`what to play, at most ${formatDuration(maxSoundMs)} of it; without it, the level decides`)
    .optional(),
  volume: z.number().min(0).max(1).default(1).describe("from 0 to 1, where the player can do it"),
});
type Settings = z.infer<typeof settings>;

/** The file's absolute path, or why there is none. */
function findFile(sound: string, tools: ChannelTools): string | Failed {
  const isOwn = soundNames.some((name) => name === sound);
  if (!isOwn) {
    const file = expandHome(sound, tools.home);
    return statIfThere(file) === undefined ? failed("unavailable", `there is no sound file ${sound}`) : file;
  }
  const file = join(ownPackageFolder(), "sounds", `${sound}.wav`);
  if (statIfThere(file) !== undefined) return file;
  return failed("unavailable", `hookbell's own sound ${sound} is missing: install hookbell again`);
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
  return failed("unavailable", `no player for ${type || "such"} files: ${playerToInstall(tools.platform, type)}`);
}

/** The first player that can; a sound server that is down makes one fail that another does not need. */
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
      // Not tried again, by another player or later: it may have been heard, over and over.
      const why = "no sound device, or a longer sound than that";
      return failed("unavailable", `${player.program} did not end within ${formatDuration(maxSoundMs)}: ${why}`);
    }
    refusals.push(`${player.program}: ${cut(printableLine(result.said), maxSaid)}`);
  }
  return failed("unavailable", `no sound server or device? ${refusals.join("; ")}`);
}

/**
 * Whether those players find anything to play on, which only they can tell: of the sockets and devices that there are,
 * some take nothing. Undefined where none of them could play it, and on systems where nobody has tried.
 */
async function playSilence(
  players: readonly Installed[],
  own: Settings,
  tools: ChannelTools,
): Promise<Outcome | undefined> {
  const file = join(ownPackageFolder(), "sounds", "silence.wav");
  const able = playersFor(tools.platform, extname(file), own.volume);
  const heard = players.filter(({ player }) => able.includes(player));
  if (tools.platform !== "linux" || heard.length === 0) return undefined;
  return await playFirst(heard, file, own, tools);
}

/**
 * A sound on this computer's speakers. One at a time, across all sessions: a sound waits for the one that is playing,
 * and when that takes too long it is left out as delivered, since the person has just been called. macOS and Windows
 * players are called as their documentation says and have not been tried there.
 */
export const sound = defineChannel<Settings>({
  docs: "https://github.com/shime/play-sound",
  settings,
  limits: [{ what: "length of a sound", most: maxSoundMs, unit: "milliseconds", source: "ours" }],
  expiresAfterMs: lifetimeMs.speakers,
  timeoutMs: 20_000,
  isRepeatHarmless: true,
  content: "none",
  passesPayload: false,
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
      "turn the volume up, and unmute; the setting `volume` makes it quieter still",
      "look at which output is chosen: headphones, a screen without speakers",
      "over SSH or in a container the sound plays on the other machine, if anywhere",
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
