// Programs that play sound files, and how to call them without a shell.
export interface SoundPlayer {
  program: string;
  platforms: readonly NodeJS.Platform[];
  /** Endings of files it can read; `any` where that cannot be listed. */
  types: readonly string[] | "any";
  hasVolume: boolean;
  /** `file` is an absolute path; `volume` is from 0 to 1, as a share of the amplitude. */
  args(file: string, volume: number): [...string[], string];
  /** The variables are added to its environment. */
  env?(file: string): Record<string, string>;
}

const unix: readonly NodeJS.Platform[] = ["linux", "freebsd", "openbsd", "netbsd"];
const everywhereElse: readonly NodeJS.Platform[] = [...unix, "darwin"];
/** What libsndfile reads; MP3 since version 1.1. */
const sndfileTypes = [".wav", ".flac", ".ogg", ".oga", ".aiff", ".aif", ".au", ".mp3"];

/** PulseAudio's 100 % and mpg123's, which count differently. */
const pulseFull = 65_536;
const mpg123Full = 32_768;

/** The path comes from the environment: in the script, PowerShell would evaluate it. */
const powershellScript = "(New-Object System.Media.SoundPlayer $env:HOOKBELL_SOUND_FILE).PlaySync()";

/** The first players use the desktop's sound server and have a volume, so they are preferred. */
export const soundPlayers: readonly SoundPlayer[] = [
  {
    program: "pw-play",
    platforms: unix,
    types: sndfileTypes,
    hasVolume: true,
    args: (file, volume) => ["--media-role", "Notification", "--volume", String(volume), file],
  },
  {
    program: "paplay",
    platforms: unix,
    types: sndfileTypes,
    hasVolume: true,
    // paplay's scale is the cube root of the amplitude's.
    args: (file, volume) => [`--volume=${Math.round(Math.cbrt(volume) * pulseFull)}`, "--client-name=hookbell", file],
  },
  {
    program: "afplay",
    platforms: ["darwin"],
    types: [".wav", ".aiff", ".aif", ".caf", ".mp3", ".m4a", ".aac", ".flac"],
    hasVolume: true,
    args: (file, volume) => ["-v", String(volume), file],
  },
  {
    program: "ffplay",
    platforms: [...everywhereElse, "win32"],
    types: "any",
    hasVolume: true,
    args: (file, volume) => {
      const percent = String(Math.round(volume * 100));
      return ["-nodisp", "-autoexit", "-loglevel", "error", "-volume", percent, file];
    },
  },
  {
    program: "play",
    platforms: everywhereElse,
    types: sndfileTypes,
    hasVolume: true,
    args: (file, volume) => ["-q", "-v", String(volume), file],
  },
  {
    program: "mpg123",
    platforms: everywhereElse,
    types: [".mp3"],
    hasVolume: true,
    args: (file, volume) => ["-q", "-f", String(Math.round(volume * mpg123Full)), file],
  },
  { program: "aplay", platforms: ["linux"], types: [".wav", ".au"], hasVolume: false, args: (file) => ["-q", file] },
  {
    program: "powershell",
    platforms: ["win32"],
    types: [".wav"],
    hasVolume: false,
    args: () => ["-NoProfile", "-NonInteractive", "-Command", powershellScript],
    env: (file) => ({ HOOKBELL_SOUND_FILE: file }),
  },
];

/** The players that can play this type of file (`.wav`), best first. With a volume, players without one come last. */
export function playersFor(platform: NodeJS.Platform, type: string, volume: number): SoundPlayer[] {
  const able = soundPlayers.filter(
    (player) =>
      player.platforms.includes(platform) && (player.types === "any" || player.types.includes(type.toLowerCase())),
  );
  if (volume === 1) return able;
  return [...able.filter(({ hasVolume }) => hasVolume), ...able.filter(({ hasVolume }) => !hasVolume)];
}

export function playerToInstall(platform: NodeJS.Platform, type: string): string {
  const programs = playersFor(platform, type, 1).map(({ program }) => program);
  if (platform === "darwin" || platform === "win32") {
    const own = platform === "darwin" ? "afplay" : "powershell";
    const why = programs.includes(own) ? `(${own}) is not on PATH` : `cannot read ${type} files`;
    return `the system's own player ${why}; install ffmpeg`;
  }
  return `install one of ${programs.join(", ")} (Debian: pulseaudio-utils, pipewire-bin, sox or ffmpeg)`;
}
