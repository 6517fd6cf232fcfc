import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect, type Host } from "../../src/remote/host.ts";
import { systemClock } from "../../src/system/clock.ts";
import { temporaryFolder } from "../support/project/temporary-state.ts";

/** Connects to a machine that says this, by a program in the place of ssh. */
async function connectTo(script: string): Promise<Host> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "ssh"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, "ssh"), 0o755);
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const env = { PATH: `${folder}:${process.env.PATH}`, HOME: folder };
  return await connect(
    { name: "web1", transport: "ssh", target: "web1" },
    { clock: systemClock, env, signal: stop.signal },
  );
}

const hello = "echo hookbell 1 1800000000 Linux /home/u";
/** What comes for `next`. */
const next = async (said: string) => {
  const host = await connectTo(`${hello}\n${said}\nexec sleep 60`);
  return await host.next(() => {});
};

describe("a hostile machine", () => {
  it.each([
    ["a name with a slash", "echo 'event ../../evil.json 2'"],
    ["a name that is no JSON file", "echo 'event evil.sh 2'"],
    ["a file that is too large", "echo 'event a.json 99999999'"],
    ["a size that is no number", "echo 'event a.json -1'"],
    ["more events than a batch has", "i=0; while [ $i -lt 65 ]; do echo 'event a.json 0'; i=$((i+1)); done"],
    ["an end without events", "echo end"],
    ["a line without an end", "while :; do printf xxxxxxxxxxxxxxxx; done"],
    ["something else", "echo; echo"],
  ])("is refused: %s", async (_, said) => {
    await expect(next(said)).rejects.toMatchObject({ code: expect.stringMatching(/^remote\./) as unknown });
  });

  it.each([
    ["no hello", "echo welcome"],
    ["a home folder that is no path", "echo hookbell 1 1800000000 Linux home"],
    ["a home folder with control characters", "printf 'hookbell 1 1800000000 Linux /home/\\033[2J\\n'"],
    ["the root as home", "echo hookbell 1 1800000000 Linux /"],
  ])("is refused at once: %s", async (_, said) => {
    await expect(connectTo(`${said}; exec sleep 60`)).rejects.toMatchObject({ name: "UserError" });
  });

  it("has its words printed without control characters", async () => {
    const error = await connectTo("printf 'Permission denied \\033]0;owned\\007 (publickey)\\n' >&2; exit 255").catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: "remote.refused" });
    expect(String(error)).not.toMatch(/[\u0000-\u001f]/);
  });
});

it.each([
  ["Permission denied (publickey).", "remote.refused"],
  ["Host key verification failed.", "remote.hostKey"],
  ["@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @", "remote.hostKeyChanged"],
  ["ssh: Could not resolve hostname web1: Name or service not known", "remote.unreachable"],
  ["ssh: connect to host web1 port 22: Connection refused", "remote.unreachable"],
  ["something new", "remote.ended"],
])("%j is %s", async (said, code) => {
  await expect(connectTo(`echo '${said}' >&2; exit 255`)).rejects.toMatchObject({ code });
});
