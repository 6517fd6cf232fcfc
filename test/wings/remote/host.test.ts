import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect, type Host } from "../../../src/wings/remote/host.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

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

describe("a hostile machine (posix)", () => {
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
])("%j is %s (posix)", async (said, code) => {
  await expect(connectTo(`echo '${said}' >&2; exit 255`)).rejects.toMatchObject({ code });
});

describe("a batch that is too large (posix)", () => {
  const fileBytes = 4 * 1024 * 1024;
  /** Says what a script of 1.0.0-rc.1 says, which sends up to 64 files whatever their size. */
  const send = (first: number, last: number, bytes = fileBytes): string =>
    `for i in $(seq ${first} ${last}); do echo "event $i.json ${bytes}"; head -c ${bytes} /dev/zero; done; echo end`;

  it("is taken up to its bound, and the next question gets the next answer", async () => {
    const host = await connectTo(`${hello}\n${send(10, 25)}\n${send(12, 15)}\nexec sleep 60`);
    const [first, second] = [await host.next(() => {}), await host.next(() => {})];
    expect([first, second].map((events) => events.map(({ name }) => name))).toEqual([
      ["10.json", "11.json"],
      ["12.json", "13.json"],
    ]);
    expect(first.map(({ bytes }) => bytes.length)).toEqual([fileBytes, fileBytes]);
  });

  it("still has at most 64 files", async () => {
    await expect(next(send(10, 74, 256 * 1024))).rejects.toMatchObject({ code: "remote.strange" });
  });
});

it("the script hands over the oldest events up to the bound, and the others once those are gone (posix)", async () => {
  const host = await connectTo('for last; do :; done; exec sh -c "$last"');
  const state = join(host.home, ".local/state/hookbell");
  mkdirSync(join(state, "incoming"), { recursive: true });
  writeFileSync(join(state, "owner"), "me\n");
  const names = ["a", "b", "c", "d", "e"].map((letter) => `${letter}.json`);
  for (const name of names) writeFileSync(join(state, "incoming", name), Buffer.alloc(3 * 1024 * 1024, name));
  expect(await host.follow("me")).toEqual({ what: "done" });
  const batches: string[][] = [];
  for (let left = names.length; left > 0;) {
    const batch = (await host.next(() => {})).map(({ name }) => name);
    host.forget(batch);
    batches.push(batch);
    left -= batch.length;
  }
  expect(batches).toEqual([names.slice(0, 3), names.slice(3)]);
});
