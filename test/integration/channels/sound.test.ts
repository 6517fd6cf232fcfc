import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sound, soundNames } from "../../../src/channels/local/sound/sound.ts";
import type { Outcome } from "../../../src/model/outcome.ts";
import { playFile } from "../../../src/system/desktop/sound-player.ts";
import { takeLock } from "../../../src/system/process/lock.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { buildChannelProgram } from "../../support/channels/channel-process.ts";
import { localRequest, localTools } from "../../support/channels/channel-request.ts";
import { processesWithArgument } from "../../support/project/processes.ts";
import { describeWithParts, findPart } from "../../support/parts.ts";
import { listenTo, soundServerParts, startSoundServer, type SoundServer } from "../../support/desktop/sound-server.ts";
import type { Level } from "../../../src/model/level.ts";

const soundsDir = resolve(import.meta.dirname, "../../../sounds");
const ownFile = (name: string): string => join(soundsDir, `${name}.wav`);
/** Playing may lose or add a little at the edges; another sound would be far off. */
const near = (value: number): { least: number; most: number } => ({ least: value * 0.85, most: value * 1.15 });

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hookbell-players-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A PATH with these programs and no others. */
function onlyPath(...programs: string[]): string {
  const bin = join(dir, "bin");
  mkdirSync(bin, { recursive: true });
  for (const program of programs) symlinkSync(findPart(program) ?? "", join(bin, program));
  return bin;
}

function play(own: object, env: Record<string, string>, level: Level = "success", more = {}): Promise<Outcome> {
  return sound.send(localRequest({ level }, sound.settings.parse(own)), localTools(env, dir, more));
}

function expectNear(value: number, expected: number): void {
  expect(value).toBeGreaterThan(near(expected).least);
  expect(value).toBeLessThan(near(expected).most);
}

describeWithParts("sound with a real sound server", [...soundServerParts, "paplay", "play", "aplay", "mpg123"], () => {
  let server: SoundServer;
  beforeAll(async () => {
    server = await startSoundServer();
  });
  afterAll(() => server.stop());

  it.each([
    ["success", "complete"],
    ["attention", "attention"],
    ["error", "error"],
  ] as const)("a message of level %s is heard as %s", async (level, name) => {
    const stop = await server.record();
    expect(await play({}, server.env, level)).toEqual({ status: "delivered", detail: "played by paplay" });
    const heard = await stop();
    const itself = listenTo(ownFile(name));
    expectNear(heard.seconds, itself.seconds);
    expectNear(heard.rms, itself.rms);
    expectNear(heard.roughFrequency, itself.roughFrequency);
  });

  it("is looked at without a sound", async () => {
    const stop = await server.record();
    expect(await sound.probe?.(sound.settings.parse({}), localTools(server.env, dir))).toMatchObject({ status: "ok" });
    expect(await stop()).toMatchObject({ peak: 0 });
  });

  it.each(["paplay", "play"])("at half the volume, %s plays half the amplitude", async (program) => {
    const env = { ...server.env, PATH: onlyPath(program) };
    const stop = await server.record();
    expect(await play({ volume: 0.5 }, env)).toEqual({ status: "delivered", detail: `played by ${program}` });
    const itself = listenTo(ownFile("complete"));
    const heard = await stop();
    expectNear(heard.peak, itself.peak / 2);
  });

  it("plays a WAV with aplay where nothing else is there, though mpg123 is", async () => {
    const stop = await server.record();
    const outcome = await play({}, { ...server.env, PATH: onlyPath("mpg123", "aplay") });
    expect(outcome).toEqual({ status: "delivered", detail: "played by aplay" });
    expectNear((await stop()).roughFrequency, listenTo(ownFile("complete")).roughFrequency);
  });

  it("is silent at volume 0", async () => {
    const stop = await server.record();
    expect(await play({ volume: 0 }, server.env)).toMatchObject({ status: "delivered" });
    expect((await stop()).seconds).toBe(0);
  });

  it.each(["-v.wav", "a b;touch pwned.wav", "$(touch pwned).wav", "ünï ✓.WAV"])(
    "plays the person's own file %j as a file",
    async (name) => {
      copyFileSync(ownFile("error"), join(dir, name));
      const stop = await server.record();
      const outcome = await play({ sound: `~/${name}` }, { ...server.env }, "success", { home: dir });
      expect(outcome).toMatchObject({ status: "delivered" });
      expectNear((await stop()).roughFrequency, listenTo(ownFile("error")).roughFrequency);
      expect(existsSync("pwned")).toBe(false);
    },
  );

  it("goes on to the next player when one fails", async () => {
    const bin = onlyPath("aplay");
    writeFileSync(join(bin, "paplay"), "#!/bin/sh\necho no server >&2\nexit 1\n", { mode: 0o755 });
    expect(await play({}, { ...server.env, PATH: bin })).toEqual({ status: "delivered", detail: "played by aplay" });
  });

  it("plays one at a time when two processes finish together", async () => {
    const program = await buildChannelProgram("sound");
    const stop = await server.countPlayers();
    const runs = await Promise.all([1, 2].map(() => program.send({ env: server.env, stateDir: dir })));
    const players = await stop();
    program.remove();
    // On a slow machine, the second one waits for three seconds and is left out.
    const detail = expect.stringMatching(/^(?:played by paplay|left out: another sound was playing)$/);
    const played = { exitCode: 0, stderr: "", outcome: { status: "delivered", detail: "played by paplay" } };
    expect(runs).toContainEqual(played);
    expect(runs).toEqual([1, 2].map(() => ({ ...played, outcome: { status: "delivered", detail } })));
    expect(players.atOnce).toBe(1);
    expect(existsSync(join(dir, "sound.lock"))).toBe(false);
  });
});

describeWithParts("sound without a sound server", ["paplay", "aplay", "play", "mpg123"], () => {
  const silent = (...programs: string[]): Record<string, string> => ({
    PATH: onlyPath(...programs),
    HOME: dir,
    XDG_RUNTIME_DIR: dir,
    PULSE_SERVER: `unix:${join(dir, "no-such-socket")}`,
  });

  it("is unavailable, and says what each player said", async () => {
    const outcome = await play({}, silent("paplay", "play", "aplay"));
    expect(outcome).toMatchObject({ status: "failed", reason: "unavailable" });
    for (const said of [/paplay: Connection failure/, /play: \S/, /aplay: \S/]) {
      expect(outcome).toMatchObject({ detail: expect.stringMatching(said) });
    }
  });

  it.each([[["paplay"]], [["play"]], [["aplay"]], [["paplay", "play", "aplay"]]])(
    "is found to be so by doctor as well: %j",
    async (programs) => {
      const env = silent(...programs);
      const probed = await sound.probe?.(sound.settings.parse({}), localTools(env, dir));
      expect(probed).toMatchObject({ status: "broken", isElsewhere: true });
      const sent = await play({}, env);
      expect(sent).toMatchObject({ status: "failed", detail: probed?.detail });
    },
  );

  it("kills mpg123, which never ends without a device", async () => {
    const file = join(dir, "silence.mp3");
    writeFileSync(file, silentMp3(100));
    const controller = new AbortController();
    const sending = play({ sound: file }, silent("mpg123"), "success", { signal: controller.signal });
    await expect.poll(() => processesWithArgument(file)).toHaveLength(1);
    const [pid = 0] = processesWithArgument(file);
    process.kill(pid, "SIGTERM");
    controller.abort();
    expect(await sending).toMatchObject({ status: "failed" });
    await expect.poll(() => processesWithArgument(file)).toEqual([]);
  });

  it("gives up on it by itself, for good", async () => {
    const file = join(dir, "silence.mp3");
    writeFileSync(file, silentMp3(100));
    const outcome = await play({ sound: file }, silent("mpg123"));
    expect(outcome).toMatchObject({
      status: "failed",
      reason: "unavailable",
      detail: expect.stringContaining("mpg123 did not end within 10s"),
    });
    await expect.poll(() => processesWithArgument(file)).toEqual([]);
  });
});

describe("sound", () => {
  it("is unavailable without a player, and says what to install", async () => {
    const env = { PATH: onlyPath() };
    expect(await play({}, env)).toEqual({
      status: "failed",
      reason: "unavailable",
      detail: expect.stringContaining("install one of pw-play, paplay"),
    });
    const probed = await sound.probe?.(sound.settings.parse({}), localTools(env, dir));
    expect(probed).toMatchObject({ status: "broken", fix: expect.stringContaining("paplay") });
  });

  it("is unavailable when the file is not there", async () => {
    const outcome = await play({ sound: "~/nothing.wav" }, { PATH: onlyPath() });
    expect(outcome).toMatchObject({ reason: "unavailable", detail: "the sound file ~/nothing.wav does not exist" });
  });

  it("is left out, politely, when another goes on playing (posix)", async () => {
    const signal = new AbortController().signal;
    const options = { clock: systemClock, waitMs: 0, staleMs: 60_000, signal };
    const giveBack = await takeLock(join(dir, "sound.lock"), options);
    let now = Date.now();
    const clock = {
      now: () => now,
      after: (delayMs: number, callback: () => void) => {
        now += delayMs;
        setImmediate(callback);
        return () => {};
      },
    };
    const bin = onlyPath();
    writeFileSync(join(bin, "aplay"), '#!/bin/sh\necho x >> "$0.ran"\n', { mode: 0o755 });
    expect(await play({}, { PATH: bin }, "success", { clock })).toEqual({
      status: "delivered",
      detail: "left out: another sound was playing",
    });
    expect(existsSync(join(bin, "aplay.ran"))).toBe(false);
    giveBack?.();
    expect(await play({}, { PATH: bin }, "success", { clock })).toMatchObject({ detail: "played by aplay" });
  });

  it("plays where no lock is writable (posix)", async () => {
    const bin = onlyPath();
    writeFileSync(join(bin, "aplay"), "#!/bin/sh\n", { mode: 0o755 });
    const outcome = await play({}, { PATH: bin }, "success", { stateDir: join(dir, "nowhere") });
    expect(outcome).toMatchObject({ detail: "played by aplay" });
  });

  it("does not begin when it was told to stop (posix)", async () => {
    const bin = onlyPath();
    writeFileSync(join(bin, "aplay"), "#!/bin/sh\n", { mode: 0o755 });
    const outcome = await play({}, { PATH: bin }, "success", { signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ status: "failed", reason: "timeout" });
  });
});

describe("playFile", () => {
  const request = (program: string): Parameters<typeof playFile>[0] => ({
    program,
    args: [ownFile("complete")],
    env: {},
    timeoutMs: 30_000,
    signal: new AbortController().signal,
  });

  it.each([
    ["a player that is not there", () => join(dir, "nothing"), "ENOENT"],
    ["a player that may not be run", () => script("exit 0", 0o644), "EACCES"],
    ["an exit code", () => script("exit 3"), "exit code 3"],
    ["what it says", () => script("echo no server >&2; exit 3"), "no server"],
    ["a player that is killed", () => script("kill -9 $$"), "ended by SIGKILL"],
  ])("survives %s (posix)", async (_what, program, said) => {
    expect(await playFile(request(program()))).toEqual({ status: "failed", said });
  });

  it("survives a file name with NUL", async () => {
    const program = script("exit 0");
    expect(await playFile({ ...request(program), args: ["a\0b"] })).toMatchObject({ status: "failed" });
  });

  it("kills what the player started as well (posix)", async () => {
    const program = script(
      `trap '' TERM\nsh -c 'trap "" TERM; while :; do sleep 1; done' "${join(dir, "grandchild")}" &\nwait`,
    );
    const controller = new AbortController();
    const playing = playFile({ ...request(program), signal: controller.signal });
    await expect.poll(() => processesWithArgument(join(dir, "grandchild"))).not.toEqual([]);
    controller.abort();
    expect(await playing).toEqual({ status: "timedOut" });
    await expect.poll(() => processesWithArgument(join(dir, "grandchild"))).toEqual([]);
  });

  function script(body: string, mode = 0o755): string {
    const path = join(dir, "player");
    writeFileSync(path, `#!/bin/sh\n${body}\n`, { mode });
    return path;
  }
});

describe("the sounds of the package", () => {
  it("are what scripts/make/sounds.mjs makes, byte for byte", () => {
    const script = resolve(soundsDir, "../scripts/make/sounds.mjs");
    const made = spawnSync(process.execPath, [script, dir], { encoding: "utf8" });
    expect(made).toMatchObject({ status: 0, stderr: "" });
    for (const name of [...soundNames, "silence"]) {
      const bytes = readFileSync(ownFile(name));
      expect(bytes.equals(readFileSync(join(dir, `${name}.wav`))), name).toBe(true);
      // Less than a second of 16-bit mono at 22.05 kHz.
      expect(bytes.length).toBeLessThan(44 + 44_100);
    }
  });
});

/** MPEG 1 Layer III frames, 128 kbit/s at 44.1 kHz, of nothing but zeros. */
function silentMp3(frames: number): Buffer {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0x64]);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}
