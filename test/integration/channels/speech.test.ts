import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { speech } from "../../../src/channels/local/speech/speech.ts";
import type { Message } from "../../../src/model/message.ts";
import type { Outcome } from "../../../src/model/outcome.ts";
import { buildChannelProgram } from "../../support/channels/channel-process.ts";
import { localRequest, localTools } from "../../support/channels/channel-request.ts";
import { describeWithParts, findPart } from "../../support/parts.ts";
import {
  listenTo,
  soundServerParts,
  startSoundServer,
  type Heard,
  type SoundServer,
} from "../../support/desktop/sound-server.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hookbell-speech-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A PATH with these programs and no others. */
function onlyPath(...programs: string[]): string {
  const bin = join(dir, "bin");
  mkdirSync(bin, { recursive: true });
  for (const program of programs) symlinkSync(findPart(program) ?? "", join(bin, program));
  return bin;
}

/** A program by this name that writes down how it was called. */
function pretend(name: string, then = "exit 0"): { env: { PATH: string }; calls(): string[]; heard(): string } {
  const bin = onlyPath();
  const script = `#!/bin/sh\nfor word in "$@"; do echo "$word" >>'${dir}/${name}.args'; done\n/bin/cat >'${dir}/${name}.in'\n${then}\n`;
  writeFileSync(join(bin, name), script, { mode: 0o755 });
  const read = (ending: string): string =>
    existsSync(join(dir, name + ending)) ? readFileSync(join(dir, name + ending), "utf8") : "";
  return { env: { PATH: bin }, calls: () => read(".args").trim().split("\n"), heard: () => read(".in") };
}

function speak(own: object, env: Record<string, string>, message: Partial<Message> = {}, more = {}): Promise<Outcome> {
  return speech.send(localRequest(message, speech.settings.parse(own)), localTools(env, dir, more));
}

describeWithParts("speech with a real sound server", [...soundServerParts, "espeak-ng", "paplay"], () => {
  let server: SoundServer;
  beforeAll(async () => {
    server = await startSoundServer();
  });
  afterAll(() => server.stop());
  const espeak = (): Record<string, string> => ({ ...server.env, PATH: onlyPath("espeak-ng") });

  /** How long this is when espeak-ng writes it into a file. */
  function secondsOf(text: string, ...flags: string[]): number {
    const file = join(dir, "written.wav");
    execFileSync(findPart("espeak-ng") ?? "", [...flags, "-w", file, text]);
    return listenTo(file).seconds;
  }

  async function listen(own: object, message: Partial<Message> = {}): Promise<Heard> {
    const stop = await server.record();
    const env = { ...server.env, PATH: join(dir, "bin") };
    expect(await speak(own, env, message)).toEqual({ status: "delivered", detail: "read by espeak-ng" });
    return stop();
  }

  // On a busy machine, espeak-ng itself says parts of a text more than once; it is asked again then.
  async function expectHeard(seconds: number, own: object, message: Partial<Message> = {}): Promise<void> {
    await expect.poll(async () => Math.abs((await listen(own, message)).seconds / seconds - 1)).toBeLessThan(0.25);
  }

  it("says all of the text", async () => {
    onlyPath("espeak-ng");
    for (const body of ["Yes.", "All two hundred and fourteen tests of the shop pass at last."])
      await expectHeard(secondsOf(`shop: done. ${body}`), {}, { body });
  });

  it("is quieter and faster as the person wants it", async () => {
    onlyPath("espeak-ng");
    const usual = await listen({});
    const quieter = await listen({ volume: 0.25 });
    expect(quieter.peak).toBeLessThan(usual.peak / 2);
    expect(quieter.peak).toBeGreaterThan(0);
    const text = "shop: done. All tests pass.";
    const faster = secondsOf(text, "-s", "350");
    expect(faster).toBeLessThan(secondsOf(text) * 0.8);
    await expectHeard(faster, { rate: 350 });
  });

  it("says what would be options, commands and files as words", async () => {
    const body = "-w /tmp/hookbell-pwned.wav --help $(touch pwned) [[h@l'oU]] <break time='60s'/>";
    const stop = await server.record();
    expect(await speak({}, espeak(), { title: "--version", body })).toMatchObject({ status: "delivered" });
    expect((await stop()).seconds).toBeGreaterThan(1);
    for (const path of ["/tmp/hookbell-pwned.wav", "pwned"]) expect(existsSync(path)).toBe(false);
  });

  it("is silent at volume 0", async () => {
    const stop = await server.record();
    expect(await speak({ volume: 0 }, espeak())).toEqual({
      status: "delivered",
      detail: "not spoken: the volume is 0",
    });
    expect((await stop()).seconds).toBe(0);
  });

  it("takes turns with sounds", async () => {
    const [voice, chime] = await Promise.all([buildChannelProgram("speech"), buildChannelProgram("sound")]);
    const where = { env: server.env, stateDir: dir };
    const settings = { programs: ["espeak-ng"], rate: 300 };
    const message = { title: "Done", body: "" };
    const stop = await server.countPlayers();
    const runs = await Promise.all([voice.send({ ...where, settings, message }), chime.send(where)]);
    const players = await stop();
    for (const program of [voice, chime]) program.remove();
    expect(runs.map(({ outcome }) => (outcome as { detail: string }).detail)).toEqual([
      "read by espeak-ng",
      "played by paplay",
    ]);
    expect(players.atOnce).toBe(1);
    expect(existsSync(join(dir, "sound.lock"))).toBe(false);
  });
});

describeWithParts("speech by a real Speech Dispatcher", [...soundServerParts, "spd-say", "speech-dispatcher"], () => {
  it("is heard, and said by no one as a command", async () => {
    const server = await startSoundServer();
    onTestFinished(async () => {
      // It is started by its first client, and stays for the next.
      const pid = readFileSync(
        join(server.env.XDG_RUNTIME_DIR ?? "", "speech-dispatcher/pid/speech-dispatcher.pid"),
        "utf8",
      );
      process.kill(Number(pid), "SIGTERM");
      await server.stop();
    });
    const stop = await server.record();
    const body = "%s%n%s !-!SET self VOLUME -100";
    expect(await speak({ programs: ["spd-say"] }, server.env, { body })).toEqual({
      status: "delivered",
      detail: "read by spd-say",
    });
    const heard = await stop();
    expect(heard.seconds).toBeGreaterThan(1);
    expect(heard.peak).toBeGreaterThan(0.1);
  });
});

describeWithParts("speech without a sound server", ["espeak-ng"], () => {
  it("is unavailable, although espeak-ng ends as if all were well", async () => {
    const env = { PATH: onlyPath("espeak-ng"), HOME: dir, XDG_RUNTIME_DIR: dir, PULSE_SERVER: `unix:${dir}/nothing` };
    expect(await speak({}, env)).toMatchObject({
      reason: "unavailable",
      detail: expect.stringMatching(/espeak-ng: error/),
    });
  });
});

describe("speech", () => {
  it.each<[string, object, NodeJS.Platform, string[], string]>([
    ["espeak-ng", {}, "linux", ["--stdin"], "shop: done. All tests pass."],
    [
      "espeak-ng",
      { voice: "en-us+f3", language: "de", rate: 200, volume: 0.5 },
      "linux",
      ["-v", "en-us+f3", "-s", "200", "-a", "50", "--stdin"],
      "shop: done. All tests pass.",
    ],
    ["espeak-ng", { language: "pt-BR" }, "linux", ["-v", "pt-br", "--stdin"], "shop: done. All tests pass."],
    [
      "spd-say",
      { voice: "Anna", language: "de", rate: 450, volume: 0.5 },
      "linux",
      "--pipe-mode --wait --priority important --application-name hookbell --synthesis-voice Anna --language de --rate 100 --volume 0".split(
        " ",
      ),
      "shop: done. All tests pass.\n",
    ],
    [
      "say",
      { voice: "Anna (Premium)", rate: 200, volume: 0.5 },
      "darwin",
      ["-v", "Anna (Premium)", "-r", "200", "-f", "-"],
      "[[volm 0.5]] shop: done. All tests pass.",
    ],
  ])("calls %s with %j (posix)", async (name, own, platform, args, text) => {
    const { env, calls, heard } = pretend(name);
    expect(await speak(own, env, {}, { platform })).toEqual({ status: "delivered", detail: `read by ${name}` });
    expect(calls()).toEqual(args);
    expect(heard()).toBe(text);
  });

  it("goes on to the next program when one fails, in the person's order (posix)", async () => {
    const { env } = pretend("spd-say", "echo 'Failed to connect to Speech Dispatcher:' >&2; exit 1");
    pretend("espeak-ng");
    expect(await speak({}, env)).toEqual({ status: "delivered", detail: "read by espeak-ng" });
    expect(await speak({ programs: ["spd-say"] }, env)).toEqual({
      status: "failed",
      reason: "unavailable",
      detail: "no sound server or device? spd-say: Failed to connect to Speech Dispatcher:",
    });
    expect(await speak({ programs: ["espeak-ng", "spd-say"] }, env)).toMatchObject({ detail: "read by espeak-ng" });
  });

  it("is unavailable without a program, and says what to install", async () => {
    const env = { PATH: onlyPath() };
    expect(await speak({}, env)).toMatchObject({ reason: "unavailable", detail: expect.stringContaining("espeak-ng") });
    const probed = await speech.probe?.(speech.settings.parse({}) as never, localTools(env, dir));
    expect(probed).toMatchObject({ status: "broken", fix: expect.stringContaining("Debian: speech-dispatcher") });
  });

  it("is broken where no sound can be played, although the voice's program ends well there (posix)", async () => {
    const { env } = pretend("espeak-ng");
    const probed = () => speech.probe?.(speech.settings.parse({}) as never, localTools(env, dir));
    expect(await probed()).toMatchObject({ status: "ok" });
    pretend("paplay", "echo 'Connection refused' >&2; exit 1");
    expect(await probed()).toMatchObject({ status: "broken", detail: expect.stringContaining("Connection refused") });
  });

  it("ends a program that does not, with all that it has started, and does not begin again (posix)", async () => {
    const { env } = pretend("espeak-ng", "/bin/sleep 60 & wait");
    const deadline = new AbortController();
    const speaking = speak({}, env, {}, { signal: deadline.signal });
    await expect.poll(() => existsSync(join(dir, "espeak-ng.in"))).toBe(true);
    deadline.abort();
    expect(await speaking).toMatchObject({ status: "failed", reason: "timeout" });
    expect(existsSync(join(dir, "sound.lock"))).toBe(false);
    expect(await speak({}, env, {}, { signal: deadline.signal })).toMatchObject({ reason: "timeout" });
  });
});
