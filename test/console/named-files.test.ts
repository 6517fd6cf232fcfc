// Commands that read a file which a person or another program names. test/endurance/strange/named-files.test.ts tries more, in processes.
import { describe, expect, it } from "vitest";
import { runCommandLine } from "../../src/cli/command-line.ts";
import { findPlaces } from "../../src/system/paths.ts";
import { commandIo } from "../support/project/command-io.ts";
import { everyRow } from "../support/rows.ts";
import { faultsIn, namedFiles, otherKinds, placeNamedFile, quickKinds } from "../support/faults/named-files.ts";
import { temporaryFolder } from "../support/project/temporary-state.ts";

async function run(named: (typeof namedFiles)[number], make: (path: string) => void, suffix = "") {
  const home = temporaryFolder();
  const { args, input, env: more } = placeNamedFile(home, named, make, suffix);
  const env = { HOME: home, PATH: "", ...more };
  let text = "";
  const say = (each: string): void => void (text += each);
  const io = commandIo(home, {
    env,
    places: findPlaces(env, "linux"),
    stdout: say,
    stderr: say,
    readStdin: () => Promise.resolve(input),
    untilStopped: () => AbortSignal.abort(),
  });
  return { code: await runCommandLine(args, io), text };
}

const tried = namedFiles.filter(({ needsProcess }) => needsProcess === undefined);

describe.each(tried)("$name", (named) => {
  it("meets whatever lies there without a report, a trace or a secret", async () => {
    await everyRow(Object.entries(quickKinds), async ([, make]) => {
      const { code, text } = await run(named, make);
      expect([faultsIn(text), code === 70]).toEqual([[], false]);
      if (code !== 0) expect(text).not.toBe("");
    });
  });
});

const suffixes: [name: string, suffix: string][] = [
  ["a slash", "/"],
  ["a line break (posix)", "\n"],
];
describe.each(tried.filter(({ place }) => place === undefined))("$name", (named) => {
  it("takes a path that ends in a slash or a line break", async () => {
    await everyRow(suffixes, async ([, suffix]) => {
      const { code, text } = await run(named, otherKinds["an empty file"] ?? (() => {}), suffix);
      expect([faultsIn(text), code === 70]).toEqual([[], false]);
    });
  });
});
