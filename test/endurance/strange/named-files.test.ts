// Every command that reads a file which a person or another program names, each in a process, meets every kind of file. As root,
// another user meets files without permission.
import { execFileSync, spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import {
  deniedKinds,
  faultsIn,
  namedFiles,
  otherKinds,
  placeNamedFile,
  quickKinds,
} from "../../support/faults/named-files.ts";
import { cliPath, temporaryProject } from "../../support/project/running-project.ts";

/** The user "nobody" of most systems. */
const otherUser = 65_534;
/** The longest of these commands takes a second on a busy machine. */
const hangMs = 60_000;
const isRoot = process.getuid?.() === 0;

async function run(named: (typeof namedFiles)[number], make: (path: string) => void, isDenied: boolean) {
  // A dispatcher that a command starts ends with the project.
  const { home } = temporaryProject();
  const { args, input, env } = placeNamedFile(home, named, make);
  if (isDenied && isRoot) execFileSync("chown", ["-RPh", `${otherUser}:${otherUser}`, home]);
  const child = spawn(process.execPath, [cliPath, ...args], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, ...env },
    detached: true,
    ...(isDenied && isRoot ? { uid: otherUser, gid: otherUser } : {}),
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const end = (): void => {
    try {
      // What it has started, too.
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // Nothing is left of it.
    }
  };
  const timer = setTimeout(end, hangMs);
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  clearTimeout(timer);
  end();
  if (isDenied) execFileSync("chmod", ["-R", "u+rwx", home]);
  return { code, text };
}

const kinds = [
  ...Object.entries({ ...quickKinds, ...otherKinds }).map(([name, make]) => ({ name, make, isDenied: false })),
  ...Object.entries(deniedKinds).map(([name, make]) => ({ name, make, isDenied: true })),
];

/** Each kind lies at half of the places, and each place has half of the kinds: all together take more than five minutes. */
const share = 2;

describe.each(namedFiles.map((named, place) => ({ ...named, place })))("$name", ({ place, ...named }) => {
  it("ends with a message, whatever lies there", { timeout: kinds.length * hangMs }, async () => {
    const faults: unknown[] = [];
    for (const { name, make, isDenied } of kinds.filter((_, kind) => (kind + place) % share === 0)) {
      const { code, text } = await run(named, make, isDenied);
      const found = faultsIn(text);
      if (code === null) found.push("it did not end");
      if (code === 70) found.push("exit code 70");
      if (code !== 0 && text.trim() === "") found.push("no message");
      if (found.length > 0) faults.push([name, ...found, text.slice(0, 300)]);
    }
    expect(faults).toEqual([]);
  });
});
