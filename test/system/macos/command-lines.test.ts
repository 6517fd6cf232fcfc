// Each command line that hookbell runs on macOS, held against the manual of its program, and each answer as the program writes it.
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { soundPlayers } from "../../../src/channels/local/sound/players.ts";
import { speechPrograms } from "../../../src/channels/local/speech/programs.ts";
import { macQuestions, readFront, readMac } from "../../../src/system/presence/other-systems.ts";
import { lsofCommand, readLsof } from "../../../src/system/process/end-writers.ts";
import { psArguments, readPs } from "../../../src/system/process/facts.ts";
import { readPsUse } from "../../../src/system/process/use.ts";
import { linkOpeners } from "../../../src/system/terminal/open-link.ts";
import { everyRow } from "../../support/rows.ts";
import { manuals, misunderstood, psColumns } from "./manuals.ts";

const afplay = soundPlayers.find(({ program }) => program === "afplay");
const serial = "ASN:0x0-0x1f01f:";
const { say } = speechPrograms;

/** The program, or the program and its command, as `manuals` has it. */
const commandLines: readonly (readonly [keyof typeof manuals, readonly string[]])[] = [
  ["ps", ["ps", ...psArguments.all()]],
  ["ps", ["ps", ...psArguments.wordsOf(1)]],
  ["ps", ["ps", ...psArguments.useOf(1)]],
  ["lsof", lsofCommand("/private/tmp/-a b/incoming/.tmp-x.json")],
  ["lsof", lsofCommand("-F")],
  ["ioreg", macQuestions.input],
  ["ioreg", macQuestions.root],
  ["lsappinfo front", macQuestions.front],
  ["lsappinfo info", macQuestions.pidOf(serial)],
  ["afplay", ["afplay", ...(afplay?.args("/Users/ann/a b.wav", 0.5) ?? [])]],
  ["say", ["say", ...say.args({ volume: 1 })]],
  ["say", ["say", ...say.args({ voice: "Anna (Premium)", language: "de", rate: 200, volume: 0.5 })]],
  ["open", [linkOpeners.darwin ?? "", "https://example.org/?a=$(b)"]],
];

describe("a command line for macOS", () => {
  it("is one that its manual has", () =>
    everyRow(
      commandLines,
      ([name, [program = "", ...args]]) => {
        const [called, ...command] = name.split(" ");
        expect(basename(program)).toBe(called);
        expect(args.slice(0, command.length)).toEqual(command);
        expect(misunderstood(manuals[name], args.slice(command.length)), args.join(" ")).toEqual([]);
      },
      ([, words]) => words.join(" "),
    ));

  it("is refused here if its manual has it not", () => {
    expect(misunderstood(manuals.ioreg, ["-rz", "IOHIDSystem"])).toEqual(["-z is no option", "1 words are no options"]);
    expect(misunderstood(manuals.say, ["-f"])).toEqual(["-f lacks its value"]);
    expect(misunderstood(manuals.ps, ["-pA", "1"])).toEqual(["-p takes a value", "1 words are no options"]);
    expect(misunderstood(manuals.afplay, ["--volume=1", "a"])).toEqual(["--volume=1 is no option"]);
  });

  it("asks ps for columns that it has, without a header", () => {
    const asked = Object.values(psArguments).flatMap((words) => words(1));
    const columns = asked.filter((_, index) => asked[index - 1] === "-o");
    expect(columns.filter((column) => !psColumns.has(column.replace(/=$/, "")))).toEqual([]);
    expect(columns.every((column) => column.endsWith("="))).toBe(true);
  });

  it("is absolute where it asks for the person, so that no other program of that name answers", () =>
    everyRow([macQuestions.input, macQuestions.root, macQuestions.front, macQuestions.pidOf(serial)], ([program]) =>
      expect(program).toMatch(/^\/usr\/s?bin\//),
    ));

  it("has no text of an event in it, which comes on standard input", () => {
    expect(say.args({ volume: 1 })).toEqual(["-f", "-"]);
    expect(say.input("-v x; $(touch pwned)", { volume: 1 })).toBe("-v x; $(touch pwned)");
  });
});

describe("what a program of macOS answers", () => {
  // print.c of Apple's ps: lstart is `%c` in 28 columns, times are minutes, two hyphens or question marks are no terminal.
  it("is read as ps writes it", () => {
    const now = Date.parse("Fri Nov  6 18:16:16 2026");
    const read = readPs(
      [
        "    1     0     1 Ss   ??       Fri Nov  6 08:01:02 2026     /sbin/launchd",
        "  501   500   501 S+   ttys003  Fri Nov  6 18:15:16 2026     -zsh",
        "  777   501   501 Ts   ttys003  Fri Nov  6 18:15:16 2026     /Applications/My Term.app/Contents/MacOS/My Term",
        "",
      ].join("\n"),
      now,
    );
    expect(read.get(1)).toMatchObject({
      program: "launchd",
      hasTerminal: false,
      device: undefined,
      leadsSession: true,
    });
    expect(read.get(501)).toMatchObject({
      parentPid: 500,
      program: "zsh",
      device: "/dev/ttys003",
      leadsGroup: true,
      ageMs: 60_000,
    });
    expect(read.get(777)).toMatchObject({ program: "My Term", leadsGroup: false });
    expect(readPsUse("Ts   754:34.56 Fri Nov  6 18:15:16 2026    \n")).toEqual({
      bornAt: Date.parse("Fri Nov  6 18:15:16 2026"),
      isSuspended: true,
      cpuMs: 45_274_560,
    });
    expect(readPsUse("Z      0:00.00 Fri Nov  6 18:15:16 2026    \n")).toBeUndefined();
  });

  it("is read as lsof writes it, which adds the descriptor to what is asked for", () =>
    expect(readLsof("p12\nR10\nf1\np13\nR12\nf1\n")).toEqual([
      { pid: 12, parentPid: 10 },
      { pid: 13, parentPid: 12 },
    ]));

  // ioreg.c: `"key" = value` for a property, `"key"=Yes` inside of a dictionary.
  const input = `+-o IOHIDSystem  <class IOHIDSystem, id 0x100000514>
    {
      "HIDIdleTime" = 83000000000
      "HIDKeyboardKeyMapping" = ()
    }`;
  const root = (locked: string): string =>
    `+-o Root  <class IORegistryEntry, id 0x100000100>
    {
      "IOConsoleUsers" = ({"kCGSSessionOnConsoleKey"=Yes,"kSCSecuritySessionID"=100019${locked},"kCGSSessionUserNameKey"="ann"})
    }`;

  it("says where the person is", () =>
    everyRow<[input: string, root: string, front: string, found: ReturnType<typeof readMac>]>(
      [
        [input, root(""), '"pid"=35938\n', { idleMs: 83_000, isLocked: false, focus: { pid: 35_938 } }],
        [input, root(',"CGSSessionScreenIsLocked"=Yes'), "", { idleMs: 83_000, isLocked: true, focus: undefined }],
        ["", "", "", { idleMs: undefined, isLocked: undefined, focus: undefined }],
        // Over SSH: no one is at the console.
        ["", '  "IOConsoleUsers" = ()', "", { idleMs: undefined, isLocked: false, focus: undefined }],
      ],
      ([given, ofRoot, front, found]) => expect(readMac(given, ofRoot, front)).toEqual(found),
    ));

  it("names the application in front, if there is one", () => {
    expect(readFront(`${serial}\n`)).toBe(serial);
    expect(readFront("[ NULL ] \n")).toBeUndefined();
    expect(readFront("")).toBeUndefined();
  });
});
