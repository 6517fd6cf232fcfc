import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { complaintOf, measureHooks } from "../../../src/wings/guard/cost.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

const now = Date.parse("2026-11-29T12:00:00Z");

/** The lines that Claude Code 2.1.332 writes: at the end of a turn, and of a hook that said something. */
function transcript(name: string, lines: readonly object[]): string {
  const home = temporaryFolder();
  const folder = join(home, ".claude/projects/-home-ann-shop");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return home;
}

const atEnd = (at: string, ...hooks: [command: string, durationMs: number][]): object => ({
  type: "system",
  subtype: "stop_hook_summary",
  hookInfos: hooks.map(([command, durationMs]) => ({ command, durationMs })),
  timestamp: at,
});

const attached = (at: string, command: string, durationMs: number): object => ({
  type: "attachment",
  attachment: { type: "hook_success", hookEvent: "PreToolUse", hookName: "PreToolUse:Bash", command, durationMs },
  timestamp: at,
});

it("is counted for each hook and event, by median, 95 % and sum", () => {
  const at = "2026-11-29T10:00:00Z";
  const slow = Array.from({ length: 10 }, (_, index) => attached(at, "check.sh", 800 + index * 10));
  const home = transcript("s.jsonl", [
    ...slow,
    atEnd(at, ["hook.sh", 20], ["format.sh", 300]),
    atEnd(at, ["hook.sh", 40]),
  ]);
  const costs = measureHooks({ env: {}, home, platform: "linux" }, now);
  expect(
    costs.map(({ command, event, calls, medianMs, p95Ms, totalMs }) => [
      command,
      event,
      calls,
      medianMs,
      p95Ms,
      totalMs,
    ]),
  ).toEqual([
    ["check.sh", "PreToolUse", 10, 850, 890, 8450],
    ["format.sh", "Stop", 1, 300, 300, 300],
    ["hook.sh", "Stop", 2, 40, 40, 60],
  ]);
  expect(costs.map((cost) => complaintOf(cost))).toEqual(["holds each tool call for 850 ms", undefined, undefined]);
});

it("leaves out what is older than the period, torn, or of another form, and masks credentials", () => {
  const at = "2026-11-29T10:00:00Z";
  const lines = [
    atEnd("2026-11-01T10:00:00Z", ["old.sh", 5]),
    atEnd(at, ["curl -H 'Authorization: Bearer sk-ant-api03-abcdefghijklmnopqrstuvwx' x", 5]),
    { type: "system", subtype: "stop_hook_summary", hookInfos: [{ command: 7, durationMs: "x" }, null], timestamp: at },
    { type: "attachment", attachment: { type: "file", durationMs: 5, command: "no hook" }, timestamp: at },
  ];
  const home = transcript("s.jsonl", lines);
  const [only, ...others] = measureHooks({ env: {}, home, platform: "linux" }, now);
  expect(others).toEqual([]);
  expect(only?.command).not.toContain("sk-ant");
  expect(measureHooks({ env: {}, home: temporaryFolder(), platform: "linux" }, now)).toEqual([]);
});
