import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { complaintOf, type HookCost, recordedCosts } from "../../../../src/wings/guard/cost/cost.ts";
import { showCost, slowestHook } from "../../../../src/wings/guard/commands/cost.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import { commandIo } from "../../../support/project/command-io.ts";
import { temporaryFolder } from "../../../support/project/temporary-state.ts";

const at = "2026-11-29T10:00:00.000Z";
const atMs = Date.parse(at);
const now = Date.parse("2026-11-29T12:00:00Z");

/** A home with these lines in one file. */
function homeWith(path: string, lines: readonly object[]): string {
  const home = temporaryFolder();
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return home;
}

function costsIn(home: string): HookCost[] {
  return recordedCosts({ env: {}, places: { home, stateDir: join(home, ".local/state/hookbell") } }, now);
}

const figures = (costs: readonly HookCost[]): unknown[] =>
  costs.map(({ event, commands, calls, medianMs, p95Ms, totalMs }) => [
    event,
    commands,
    calls,
    medianMs,
    p95Ms,
    Math.round(totalMs ?? NaN),
  ]);

const claude = ".claude/projects/-home-ann-shop/s.jsonl";

/** The lines that Claude Code 2.1.332 writes: at the end of a turn, and of a hook that said something. */
const atEnd = (time: string, ...hooks: [command: string, durationMs: number][]): object => ({
  type: "system",
  subtype: "stop_hook_summary",
  hookCount: hooks.length,
  hookInfos: hooks.map(([command, durationMs]) => ({ command, durationMs })),
  hookErrors: [],
  preventedContinuation: false,
  timestamp: time,
});

const attached = (hookEvent: string, command: string, durationMs: number): object => ({
  type: "attachment",
  attachment: { type: "hook_success", hookEvent, hookName: `${hookEvent}:Bash`, command, durationMs },
  timestamp: at,
});

/** The line that Droid 0.215.0 and 0.225.2 write of the hooks of an event. */
const together = (hookEventName: string, commands: readonly unknown[], ms: number, endMs = atMs + ms): object => ({
  type: "message",
  id: "de41650a-0515-43a4-8861-e85681160eec",
  timestamp: at,
  message: {
    role: "user",
    content: [],
    visibility: "user_only",
    hookEventName,
    hookMatcher: "Execute",
    hookCommands: commands.map((command) => ({ type: "command", command })),
    hookStatus: "completed",
    hookResults: commands.map(() => ({ exitCode: 0, stdout: "", stderr: "" })),
    hookStartTime: endMs - ms,
    hookEndTime: endMs,
  },
});

/** The lines that Copilot CLI 1.0.102 writes when the hooks of an event begin and end. */
const begins = (id: string, hookType: string, ms = 0): object => ({
  type: "hook.start",
  data: { hookInvocationId: id, hookType, input: { cwd: "/home/ann/shop" } },
  timestamp: new Date(atMs + ms).toISOString(),
});
const ends = (id: string, hookType: string, ms: number): object => ({
  type: "hook.end",
  data: { hookInvocationId: id, hookType, success: true },
  timestamp: new Date(atMs + ms).toISOString(),
});

it("is counted for each hook and event, by median, 95 % and sum", () => {
  const slow = Array.from({ length: 10 }, (_, index) => attached("PreToolUse", "check.sh", 800 + index * 10));
  const home = homeWith(claude, [...slow, atEnd(at, ["hook.sh", 20], ["format.sh", 300]), atEnd(at, ["hook.sh", 40])]);
  const costs = costsIn(home);
  expect(figures(costs)).toEqual([
    ["PreToolUse", ["check.sh"], 10, 850, 890, 8450],
    ["Stop", ["format.sh"], 1, 300, 300, 300],
    ["Stop", ["hook.sh"], 2, 40, 40, 60],
  ]);
  expect(costs.map(complaintOf)).toEqual(["check.sh holds each tool call for 850 ms", undefined, undefined]);
  expect(costs).toMatchObject([{ source: "recorded", isOwn: false }, {}, {}]);
});

it("counts a Stop hook once of which two lines tell, and has no time of one that kept the agent at work", () => {
  // As Claude Code 2.1.332 has written them.
  const single = (toolUseID: string, type: string, command: string, durationMs: number): object => ({
    type: "attachment",
    attachment: { type, hookName: "Stop", toolUseID, hookEvent: "Stop", command, durationMs },
    timestamp: at,
  });
  const summary = (toolUseID: string, ...hookInfos: object[]): object => ({
    type: "system",
    subtype: "stop_hook_summary",
    hookCount: hookInfos.length,
    hookInfos,
    toolUseID,
    timestamp: at,
  });
  const printed = { command: "echo printed", durationMs: 30 };
  const silent = { command: "sleep 0.3", durationMs: 330 };
  const failed = { command: "./fmt.sh", durationMs: 50 };
  const blocked = { command: "echo no >&2; exit 2" };
  const home = homeWith(claude, [
    single("a", "hook_non_blocking_error", "./fmt.sh", 50),
    single("a", "hook_success", "echo printed", 30),
    summary("a", printed, silent, failed),
    single("b", "hook_success", "echo printed", 30),
    summary("b", printed, silent, failed),
    // Two hooks with the same command.
    single("c", "hook_success", "echo printed", 30),
    single("c", "hook_success", "echo printed", 30),
    summary("c", printed, printed),
    ...["d", "e", "f"].map((id) => summary(id, blocked)),
    summary("g", { ...printed, durationMs: null }),
  ]);
  const costs = costsIn(home);
  expect(figures(costs)).toEqual([
    ["Stop", ["sleep 0.3"], 2, 330, 330, 660],
    ["Stop", ["echo printed"], 4, 30, 30, 120],
    ["Stop", ["./fmt.sh"], 2, 50, 50, 100],
    ["Stop", ["echo no >&2; exit 2"], 3, undefined, undefined, NaN],
  ]);
  expect(JSON.stringify(costs.at(-1))).not.toContain("Ms");
});

it("names a command with what is hidden in it as the list does, whatever signs Claude Code has recorded", () => {
  const home = homeWith(claude, [atEnd(at, ["sh -c 'a\\u{202E}b'␤curl x␛]8;;", 20], ["two\nlines", 10])]);
  expect(costsIn(home).map(({ commands }) => commands)).toEqual([
    ["sh -c 'a⟨U+202E⟩b' ⏎ curl x⟨U+001B⟩]8;;"],
    ["two ⏎ lines"],
  ]);
});

it("leaves out what is older than the period, torn, or of another form, and masks credentials", () => {
  const home = homeWith(claude, [
    atEnd("2026-11-01T10:00:00Z", ["old.sh", 5]),
    atEnd(at, ["curl -H 'Authorization: Bearer sk-ant-api03-abcdefghijklmnopqrstuvwx' x", 5]),
    { type: "system", subtype: "stop_hook_summary", hookInfos: [{ command: 7, durationMs: "x" }, null], timestamp: at },
    { type: "attachment", attachment: { type: "file", durationMs: 5, command: "no hook" }, timestamp: at },
    { type: "attachment", attachment: { type: "hook_success", durationMs: -5, command: "x" }, timestamp: at },
  ]);
  const [only, ...others] = costsIn(home);
  expect(others).toEqual([]);
  expect(only?.commands.join("")).not.toContain("sk-ant");
  expect(costsIn(temporaryFolder())).toEqual([]);
});

it("is not the time that hookbell's own hook waited for a person's answer", () => {
  const script = '"$HOME"/.local/state/hookbell/hookbell-hook.sh --agent claude-code';
  const fiveMinutes = 300_000;
  const home = homeWith(claude, [
    ...[1, 2, 3, 4].map(() => attached("PermissionRequest", `${script} --answer`, fiveMinutes)),
    ...[1, 2, 3].map(() => attached("PermissionRequest", "ask-my-phone.sh --answer", 900)),
    atEnd(at, [`${script} --answer`, fiveMinutes], ["format.sh", 30]),
    atEnd(at, [script, 12]),
  ]);
  const costs = costsIn(home);
  expect(figures(costs)).toEqual([
    ["PermissionRequest", ["ask-my-phone.sh --answer"], 3, 900, 900, 2700],
    ["Stop", ["format.sh"], 1, 30, 30, 30],
    ["Stop", [script], 1, 12, 12, 12],
  ]);
  expect(costs.map(({ isOwn }) => isOwn)).toEqual([false, false, true]);
  expect(costs.map(complaintOf)).toEqual([
    "ask-my-phone.sh --answer holds each question for 900 ms",
    undefined,
    undefined,
  ]);
});

it("is of all hooks of an event together where Droid ran several", () => {
  const home = homeWith(".factory/sessions/-home-ann-shop/s.jsonl", [
    together("PreToolUse", ["check.sh", "log.sh"], 381),
    together("PreToolUse", ["check.sh", "log.sh"], 499),
    together("PreToolUse", ["check.sh", "log.sh"], 475),
    together("Stop", ["say done"], 62),
    together("Stop", ["old.sh"], 62, Date.parse("2026-11-01T10:00:00Z")),
    together("Stop", [7], 62),
    together(
      "Stop",
      Array.from({ length: 60 }, () => "a"),
      62,
    ),
    { type: "message", message: { hookEventName: "Stop", hookEndTime: "now", hookCommands: {} } },
  ]);
  const costs = costsIn(home);
  expect(figures(costs)).toEqual([
    ["PreToolUse", ["check.sh", "log.sh"], 3, 475, 499, 1355],
    ["Stop", ["say done"], 1, 62, 62, 62],
  ]);
  expect(costs.map(complaintOf)).toEqual(["check.sh + log.sh together hold each tool call for 475 ms", undefined]);
});

it("is of an event where Copilot CLI does not say of which hooks", () => {
  const home = homeWith(".copilot/session-state/5af40e83-e85c-4a21-86be-059f525d0d69/events.jsonl", [
    begins("a", "sessionStart"),
    begins("b", "userPromptSubmitted", 200),
    ends("a", "sessionStart", 533),
    ends("b", "userPromptSubmitted", 729),
    // One that has not begun here, one that has not ended, and one whose clock was turned back.
    ends("c", "preToolUse", 900),
    begins("d", "preToolUse", 900),
    begins("e", "preToolUse", 900),
    ends("e", "preToolUse", 100),
    ...[0, 1, 2].flatMap((nth) => [
      begins(`f${nth}`, "preToolUse", 1000 * nth),
      ends(`f${nth}`, "preToolUse", 1000 * nth + 450),
    ]),
  ]);
  const costs = costsIn(home);
  expect(figures(costs)).toEqual([
    ["preToolUse", [], 3, 450, 450, 1350],
    ["sessionStart", [], 1, 533, 533, 533],
    ["userPromptSubmitted", [], 1, 529, 529, 529],
  ]);
  expect(costs.map(complaintOf)).toEqual([
    "all hooks of Copilot CLI together hold each tool call for 450 ms",
    undefined,
    undefined,
  ]);
});

it("is shown with who recorded it, and named by the digest where it holds an agent up", async () => {
  const home = homeWith(claude, [
    ...[1, 2, 3].map(() => attached("UserPromptSubmit", "slow.sh", 400)),
    ...[1, 2, 3, 4].map(() => attached("PreToolUse", "slower.sh", 900)),
    ...[1, 2, 3, 4].map(() => atEnd(at, ["slowest.sh", 5000])),
  ]);
  const clock = createFakeClock(now);
  const said: string[] = [];
  const io = commandIo(home, { clock, columns: 120, stdout: (text) => said.push(text) });
  expect(await showCost(io, false)).toBe(0);
  expect(said.join("")).toBe(`\
Hook        Agent        Event             From      Calls  Median ms  95 % ms  s a day
slowest.sh  Claude Code  Stop              recorded      4       5000     5000      2.9
slower.sh   Claude Code  PreToolUse        recorded      4        900      900      0.5
slow.sh     Claude Code  UserPromptSubmit  recorded      3        400      400      0.2
slower.sh holds each tool call for 900 ms
slow.sh holds each prompt for 400 ms
recorded: by Claude Code, Droid and Copilot CLI; no other agent that was tried keeps such times
`);
  const day = { from: now - 86_400_000, to: now };
  expect(slowestHook(io, day)).toEqual(["slower.sh holds each tool call for 900 ms: hookbell hooks --cost"]);
  expect(slowestHook(commandIo(temporaryFolder()), day)).toEqual([]);
});

it("tells names apart on a narrow screen", async () => {
  const folder = "/home/ann/work/shop/.claude/hooks";
  const home = homeWith(claude, [
    ...[1, 2, 3].map(() => atEnd(at, [`${folder}/format.sh --all`, 400], [`${folder}/lint.sh --all`, 300])),
    { ...atEnd(at), hookInfos: [{ command: "no.sh" }] },
    attached("UserPromptSubmit", "short.sh", 100),
  ]);
  const shown = async (columns: number): Promise<string> => {
    const said: string[] = [];
    const io = commandIo(home, {
      clock: createFakeClock(now),
      isTerminal: true,
      columns,
      stdout: (text) => said.push(text),
    });
    expect(await showCost(io, false)).toBe(0);
    return said.join("");
  };
  expect(await shown(60)).toBe(`\
  Event             Calls  Median ms  95 % ms  s a day
/home/ann/work/shop/.claude/hooks/format.sh --all (Claude
Code)
  Stop                  3        400      400      0.2
/home/ann/work/shop/.claude/hooks/lint.sh --all (Claude
Code)
  Stop                  3        300      300      0.1
short.sh (Claude Code)
  UserPromptSubmit      1        100      100      0.0
no.sh (Claude Code)
  Stop                  1          -        -        -
Columns left out: From. To see all, set COLUMNS=64, or
append | cat
recorded: by Claude Code, Droid and Copilot CLI; no other
agent that was tried keeps such times
`);
  expect((await shown(130)).split("\n")[1]).toContain(`${folder}/format.sh --all`);
});
