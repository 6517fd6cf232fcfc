// The table of commands, and what --help makes of it.
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { commandOf, helpFor, overview } from "../../src/cli/help.ts";
import { hookCommands } from "../../src/commands/help/hooks.ts";
import { commandTable } from "../../src/cli/table.ts";
import { commands } from "../../src/cli/commands.ts";
import { idleMs } from "../../src/daemon/daemon.ts";
import { hookFlags } from "../../src/intake/hook-arguments.ts";
import { stdinSilenceMs } from "../../src/intake/read-hook-input.ts";
import { formatDuration } from "../../src/model/figures/duration.ts";
import { everyRow } from "../support/rows.ts";

const plain = { isColor: false, columns: 80 };
const names = Object.keys(commandTable);

describe("the help of every command", () => {
  it("starts with its usage, which names only flags that it explains", async () => {
    await everyRow(names, async (name) => {
      const text = await helpFor(name, { isColor: false, columns: 1000 });
      const [usage = ""] = text.split("\n\n");
      const explained = [...text.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, flag]) => flag);
      expect(usage).toMatch(new RegExp(`^hookbell ${name}( |$)`));
      expect(explained).toEqual(expect.arrayContaining(usage.match(/--[\w-]+/g) ?? []));
      expect(text.endsWith("\n")).toBe(true);
    });
  });

  it("fits into 60, 80 and 200 columns", async () => {
    const sizes = names.flatMap((command) =>
      [60, 80, 200].map((columns) => ({ name: `${command} in ${columns}`, command, columns })),
    );
    await everyRow(sizes, async ({ command, columns }) => {
      const lines = (await helpFor(command, { isColor: false, columns })).split("\n");
      // A URL that is broken into two lines cannot be opened.
      const tooLong = lines.filter((line) => line.length > Math.min(columns, 100) && !/^ *https:\S+$/.test(line));
      expect(tooLong).toEqual([]);
    });
  });

  it("is the same in colour", async () => {
    await everyRow(names, async (name) => {
      const coloured = await helpFor(name, { ...plain, isColor: true });
      expect(stripVTControlCharacters(coloured)).toBe(await helpFor(name, plain));
    });
  });
});

describe("the table", () => {
  it("has every command that can be run, and no other", () => {
    const firstOf = (all: string[]) => new Set(all.map((name) => name.split(" ")[0]));
    expect(firstOf(names)).toEqual(firstOf(Object.keys(commands)));
    for (const name of names.filter((each) => each.includes(" "))) expect(commands).toHaveProperty([name]);
  });

  it("has the flags that the hook reads without it", () => {
    const flags = Object.keys(hookCommands.hook.flags).map((name) => `--${name}`);
    expect(new Set([...flags, "--help", "-h"])).toEqual(new Set(hookFlags));
  });

  it("says how long the hook and the dispatcher wait", async () => {
    expect(await helpFor("hook", plain)).toContain(`silent for ${formatDuration(stdinSilenceMs)} `);
    expect(await helpFor("dispatch", plain)).toContain(`after ${formatDuration(idleMs)} without`);
  });

  it("finds the command of the words", () => {
    const found = ["channels add slack", "channels slack", "log", "toString", ""].map((line) =>
      commandOf(line.split(" ").filter((word) => word !== "")),
    );
    expect(found).toEqual(["channels add", "channels", "log", undefined, undefined]);
  });
});

describe("the overview", () => {
  it("has every command once", () => {
    const lines = overview({ ...plain, columns: 200 }).split("\n");
    const column = lines.find((line) => line.startsWith("  init "))?.search(/\badd hookbell/) ?? 0;
    const others = lines.indexOf("More commands");
    const rows = lines.filter((line) => line.startsWith("  "));
    const daily = rows.filter((row) => lines.indexOf(row) < others).map((row) => row.slice(0, column).trim());
    const rest = rows.filter((row) => lines.indexOf(row) > others).map((row) => row.slice(column).trim());
    const named = [...daily, ...rest.join(", ").replaceAll(",,", ",").split(/, */)];
    expect(named.toSorted()).toEqual([...names].toSorted());
  });

  it("fits on one screen, with the commands of every day first", () => {
    const lines = overview({ isColor: false, columns: 80 }).trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(45);
    expect(lines.slice(2, 6)).toEqual([
      "Every day",
      expect.stringMatching(/^ {2}init /),
      expect.stringMatching(/^ {2}status /),
      expect.stringMatching(/^ {2}why /),
    ]);
  });

  it.each([60, 80])("fits into %i columns", (columns) => {
    const lines = overview({ isColor: false, columns }).split("\n");
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
  });
});
