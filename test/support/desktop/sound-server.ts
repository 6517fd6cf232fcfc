// A PulseAudio of its own whose only output goes nowhere but into a recording.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { end, until } from "./desktop-session.ts";
import { findPart } from "../parts.ts";
import { longestWaitMs } from "../longest-wait.ts";

export const soundServerParts = ["pulseaudio", "pactl", "parec", "sox"];

export interface SoundServer {
  /** What a player needs to play here and nowhere else. */
  env: Record<string, string>;
  dir: string;
  /** Records from now on; the returned function ends it and says what was heard. */
  record(): Promise<() => Promise<Heard>>;
  /** Counts the players from now on; the returned function ends it and says how many streams there were, and how many at most at once. */
  countPlayers(): Promise<() => Promise<{ played: number; atOnce: number }>>;
  stop(): Promise<void>;
}

/**
 * What sox says of a sound without the silence around it and in it: where the machine is busy, a player is late with what
 * comes next. All 0 when nothing was heard.
 */
export interface Heard {
  seconds: number;
  peak: number;
  rms: number;
  /** Hertz, of the left side. */
  roughFrequency: number;
}

export async function startSoundServer(): Promise<SoundServer> {
  const dir = mkdtempSync(join(tmpdir(), "hookbell-sound-"));
  const runDir = join(dir, "run");
  mkdirSync(runDir, { mode: 0o700 });
  writeFileSync(join(dir, "client.conf"), "autospawn = no\n");
  // What plays through ALSA ends up here too.
  writeFileSync(join(dir, ".asoundrc"), "pcm.!default { type pulse }\nctl.!default { type pulse }\n");
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: dir,
    XDG_RUNTIME_DIR: runDir,
    PULSE_SERVER: `unix:${runDir}/native`,
    PULSE_CLIENTCONFIG: join(dir, "client.conf"),
  };
  const children: ChildProcess[] = [];
  const start = (program: string, args: string[]): ChildProcess => {
    const log = openSync(join(dir, `${program}.log`), "a");
    const child = spawn(findPart(program) ?? program, args, { env, stdio: ["ignore", log, log] });
    child.on("error", () => {});
    children.push(child);
    return child;
  };
  const isDone = (program: string, args: string[]): boolean =>
    spawnSync(program, args, { env, stdio: "ignore", timeout: 5000, killSignal: "SIGKILL" }).status === 0;
  const stop = async (): Promise<void> => {
    await Promise.all(children.reverse().map(end));
    rmSync(dir, { recursive: true, force: true });
  };
  start("pulseaudio", [
    "-n",
    "--daemonize=no",
    "--exit-idle-time=-1",
    "--use-pid-file=no",
    "-L",
    `module-native-protocol-unix socket=${runDir}/native auth-anonymous=1`,
    "-L",
    "module-null-sink sink_name=test rate=44100 channels=2",
  ]);
  try {
    await until(() => isDone("pactl", ["set-default-sink", "test"]), "PulseAudio");
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    env,
    dir,
    stop,
    async countPlayers() {
      const path = join(dir, "pactl.log");
      rmSync(path, { force: true });
      const watcher = start("pactl", ["subscribe"]);
      const events = (): string[] => readFileSync(path, "utf8").split("\n");
      const isListed = (): boolean => events().some((line) => line.includes("'new' on client"));
      // A client that comes and goes is reported once it really watches.
      await until(() => isDone("pactl", ["info"]) && isListed(), "the watch of the players");
      return async () => {
        const count = events().length;
        await until(() => isDone("pactl", ["info"]) && events().length > count, "the last events");
        await end(watcher);
        let now = 0;
        let played = 0;
        let atOnce = 0;
        for (const line of events()) {
          if (!/on sink-input #/.test(line)) continue;
          if (line.includes("'new'")) {
            now += 1;
            played += 1;
          }
          if (line.includes("'remove'")) now -= 1;
          atOnce = Math.max(atOnce, now);
        }
        return { played, atOnce };
      };
    },
    async record() {
      const path = join(dir, `heard-${children.length}.wav`);
      const recorder = start("parec", ["-d", "test.monitor", "--latency-msec=20", "--file-format=wav", path]);
      const bytes = (): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      // Samples come in once it really listens; silence is recorded too.
      await until(() => bytes() > 10_000, "the recording");
      return async () => {
        // Another second, so that what is on its way arrives.
        const enough = bytes() + 44_100 * 4;
        await until(() => bytes() > enough, "the end of the recording");
        recorder.kill("SIGINT");
        await until(() => recorder.exitCode !== null || recorder.signalCode !== null, "the recorder to end");
        return listenTo(path);
      };
    },
  };
}

/** The same measurements of a sound file. */
export function listenTo(path: string): Heard {
  const dir = mkdtempSync(join(tmpdir(), "hookbell-heard-"));
  const file = join(dir, "trimmed.wav");
  run([path, file, "silence", "1", "0.01", "1%", "-1", "0.01", "1%"]);
  const said = run([file, "-n", "remix", "1", "stat"]);
  rmSync(dir, { recursive: true, force: true });
  const value = (label: string): number => {
    const found = Number(new RegExp(`^${label}:\\s*([\\d.]+)`, "m").exec(said)?.[1] ?? 0);
    return Number.isNaN(found) ? 0 : found;
  };
  return {
    seconds: value("Length \\(seconds\\)"),
    peak: value("Maximum amplitude"),
    rms: value("RMS\\s+amplitude"),
    roughFrequency: value("Rough\\s+frequency"),
  };
}

function run(args: string[]): string {
  return spawnSync("sox", args, { encoding: "utf8", timeout: longestWaitMs, killSignal: "SIGKILL" }).stderr;
}
