import { describe, expect, it } from "vitest";
import { playersFor, playerToInstall, soundPlayers } from "../../../../src/channels/local/sound/players.ts";
import { everyRow } from "../../../support/rows.ts";

const names = (platform: NodeJS.Platform, type: string, volume = 1): string[] =>
  playersFor(platform, type, volume).map(({ program }) => program);

describe("playersFor", () => {
  it("are those of the platform that can play it", () =>
    everyRow(
      [
        ["linux", ".wav", 1, ["pw-play", "paplay", "ffplay", "play", "aplay"]],
        ["linux", ".WAV", 1, ["pw-play", "paplay", "ffplay", "play", "aplay"]],
        ["linux", ".mp3", 1, ["pw-play", "paplay", "ffplay", "play", "mpg123"]],
        ["linux", ".oga", 1, ["pw-play", "paplay", "ffplay", "play"]],
        ["linux", ".xyz", 1, ["ffplay"]],
        ["linux", "", 1, ["ffplay"]],
        ["freebsd", ".wav", 1, ["pw-play", "paplay", "ffplay", "play"]],
        ["darwin", ".wav", 1, ["afplay", "ffplay", "play"]],
        ["darwin", ".ogg", 1, ["ffplay", "play"]],
        ["win32", ".wav", 1, ["ffplay", "powershell"]],
        ["win32", ".mp3", 1, ["ffplay"]],
        ["aix", ".wav", 1, []],
      ] as const,
      ([platform, type, volume, expected]) => {
        expect(names(platform, type, volume)).toEqual(expected);
      },
      (row) => JSON.stringify(row),
    ));

  it("puts players without a volume last when one is wanted", () => {
    const [, ...rest] = playersFor("linux", ".wav", 0.5).map(({ hasVolume }) => Number(hasVolume));
    expect(rest).toEqual(rest.toSorted((a, b) => b - a));
  });
});

describe("a player's arguments", () => {
  const file = "/srv/-v $(id).wav";
  it("say half the volume in its own way", () =>
    everyRow(
      [
        ["pw-play", ["--media-role", "Notification", "--volume", "0.5", file]],
        ["paplay", ["--volume=52016", "--client-name=hookbell", file]],
        ["afplay", ["-v", "0.5", file]],
        ["ffplay", ["-nodisp", "-autoexit", "-loglevel", "error", "-volume", "50", file]],
        ["play", ["-q", "-v", "0.5", file]],
        ["mpg123", ["-q", "-f", "16384", file]],
        ["aplay", ["-q", file]],
      ],
      ([program, args]) => {
        expect(soundPlayers.find((player) => player.program === program)?.args(file, 0.5)).toEqual(args);
      },
      (row) => JSON.stringify(row),
    ));

  it("hands PowerShell the path by the environment, never in its program", () => {
    const powershell = soundPlayers.find(({ program }) => program === "powershell");
    expect(powershell?.args(file, 1).join(" ")).not.toContain("id");
    expect(powershell?.env?.(file)).toEqual({ HOOKBELL_SOUND_FILE: file });
  });
});

it.each([
  ["linux", ".mp3", "mpg123"],
  ["darwin", ".ogg", "ffmpeg"],
  ["darwin", ".wav", "(afplay) is not on PATH"],
  ["win32", ".mp3", "cannot read .mp3 files; install ffmpeg"],
  ["win32", ".wav", "(powershell) is not on PATH"],
] as const)("playerToInstall on %s for %s names %s", (platform, type, program) => {
  expect(playerToInstall(platform, type)).toContain(program);
});
