// Which window shows a terminal, read from trees of processes; and what the programs of other systems print.
import { describe, expect, it } from "vitest";
import { isInFocus } from "../../../src/system/presence/focus.ts";
import { merge } from "../../../src/system/presence/observed.ts";
import { readMac, readWindows } from "../../../src/system/presence/other-systems.ts";
import { readTmuxView } from "../../../src/system/presence/tmux.ts";
import { everyRow } from "../../support/rows.ts";

type Row = [pid: number, parentPid: number, device?: string];
const processes = (...rows: Row[]) =>
  new Map(rows.map(([pid, parentPid, device]) => [pid, { parentPid, device: device && `/dev/pts/${device}` }]));

describe("isInFocus", () => {
  const desktop: Row[] = [
    [1, 0],
    [10, 1],
  ];
  /** xterm, its shell, the agent, and a program that the agent runs in a terminal of its own. */
  const xterm: Row[] = [
    [20, 10],
    [21, 20, "1"],
    [22, 21, "1"],
    [23, 22, "9"],
  ];
  /** One process with two tabs. */
  const tabs: Row[] = [
    [30, 10],
    [31, 30, "2"],
    [32, 31, "2"],
    [33, 30, "3"],
  ];
  const all = processes(...desktop, ...xterm, ...tabs);
  const none = (): undefined => undefined;

  it("knows whether a terminal is looked at", () =>
    everyRow(
      [
        ["the only terminal of the process", 22, { pid: 20 }, none, true],
        ["the terminal in a terminal", 23, { pid: 20 }, none, true],
        ["another process", 22, { pid: 30 }, none, false],
        ["one of two tabs", 32, { pid: 30 }, none, undefined],
        [
          "one of two windows, by its number",
          32,
          { pid: 30, windowId: 7 },
          (pid: number) => (pid === 31 ? 7 : 8),
          true,
        ],
        ["the other of two windows", 32, { pid: 30, windowId: 8 }, (pid: number) => (pid === 31 ? 7 : 8), false],
        ["one of two tabs in the window", 32, { pid: 30, windowId: 7 }, () => 7, undefined],
        [
          "beside a tab that does not say",
          32,
          { pid: 30, windowId: 7 },
          (pid: number) => (pid === 31 ? 7 : undefined),
          undefined,
        ],
        ["a process that is gone", 99, { pid: 20 }, none, false],
        ["a terminal that was started in a terminal", 41, { pid: 40 }, none, true],
      ],
      ([_what, pid, focus, windowIdOf, expected]) => {
        const started = processes([40, 31, "2"], [41, 40, "5"], [42, 41, "5"]);
        expect(isInFocus(pid, focus, new Map([...all, ...started]), windowIdOf)).toBe(expected);
      },
    ));

  it("ends with a circle of parents", () => {
    expect(isInFocus(2, { pid: 5 }, processes([2, 3], [3, 2]), none)).toBe(false);
  });
});

describe("readTmuxView", () => {
  const text = [
    "pane /dev/pts/5 1 1 $0 off",
    "pane /dev/pts/6 0 1 $0 off",
    "pane /dev/pts/7 1 0 $1 on",
    "pane /dev/pts/8 1 1 $2 on",
    "client /dev/pts/1 100 1790000000 attached,focused,UTF-8 $0",
    "client /dev/pts/2 200 1790000009 attached,UTF-8 $2",
    "",
  ].join("\n");

  it.each([
    ["the active pane of the active window", "/dev/pts/5", [100], undefined],
    ["another pane of the window", "/dev/pts/6", [], undefined],
    ["the active pane of another window", "/dev/pts/7", [], undefined],
    ["a client that reports its focus", "/dev/pts/8", [200], false],
  ])("knows which windows show a pane: %s", (_what, device, pids, isFocused) => {
    const view = readTmuxView(text, device);
    expect(view?.showing.map(({ pid }) => pid)).toEqual(pids);
    expect(view?.showing[0]?.isFocused).toBe(isFocused);
    expect(view?.all.map(({ activeAt }) => activeAt)).toEqual([1_790_000_000, 1_790_000_009]);
  });

  it("is no pane of this server", () => {
    expect(readTmuxView(text, "/dev/pts/9")).toBeUndefined();
  });
});

describe("other systems", () => {
  it.each([
    [
      "macOS",
      '  "HIDIdleTime" = 61500000000',
      '"IOConsoleUsers" = ({"kCGSSessionOnConsoleKey"=Yes})',
      '"pid"=417',
      { idleMs: 61_500, isLocked: false, focus: { pid: 417 } },
    ],
    ["macOS, locked", "", '"IOConsoleUsers" = ({"CGSSessionScreenIsLocked"=Yes})', "", { isLocked: true }],
    ["macOS that does not answer", "", "", "", {}],
  ])("on %s say where the person is", (_what, input, root, front, expected) => {
    expect(readMac(input, root, front)).toEqual(expected);
  });

  const header = " USERNAME   SESSIONNAME   ID  STATE   IDLE TIME  LOGON TIME";
  it("Windows says how long it was idle", () =>
    everyRow(
      [
        ["busy", ">you   console   1  Active      none   11/22/2026 8:00 AM", 0],
        ["five minutes", ">you   console   1  Active         5   11/22/2026 8:00 AM", 5 * 60_000],
        ["an hour and two minutes", ">you   console   1  Active      1:02   11/22/2026 8:00 AM", 62 * 60_000],
        ["days", ">you   console   1  Active   2+03:04   11/22/2026 8:00 AM", ((2 * 24 + 3) * 60 + 4) * 60_000],
        ["another's session", " me    console   1  Active         5   11/22/2026 8:00 AM", undefined],
      ],
      ([_what, line, idleMs]) => {
        expect(readWindows(`${header}\r\n${line}\r\n`, "")).toEqual({ idleMs, isLocked: undefined });
      },
    ));

  it.each([
    ['"LogonUI.exe","812","Console","1","60 K"', true],
    ["INFO: No tasks are running which match the specified criteria.", false],
    ["", undefined],
  ])("Windows, locked: %j", (logon, isLocked) => {
    expect(readWindows("", logon).isLocked).toBe(isLocked);
  });
});

describe("merge", () => {
  it("takes the last input, any lock and the first focus", () => {
    const seen = [
      { idleMs: 9000 },
      { idleMs: -5, isLocked: false },
      { isLocked: true, focus: { pid: 1 } },
      { focus: { pid: 2 } },
    ];
    expect(merge(seen)).toEqual({ idleMs: 0, isLocked: true, focus: { pid: 1 } });
    expect(merge([])).toEqual({ idleMs: undefined, isLocked: undefined, focus: undefined });
  });
});
