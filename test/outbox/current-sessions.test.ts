// What is shown of the sessions while no dispatcher runs: a process that has ended neither works nor waits.
import { expect, it } from "vitest";
import {
  createProcessCheck,
  currentLine,
  currentSessions,
  processesOf,
  processOf,
} from "../../src/outbox/current-sessions.ts";
import { writeHeard } from "../../src/outbox/last-contact.ts";
import { writeSession, type SessionRecord } from "../../src/outbox/sessions.ts";
import { ownPid, startOf } from "../../src/system/process/identity.ts";
import { deadPid } from "../support/project/forged-lease.ts";
import { recordOf } from "../support/project/session-record.ts";
import { temporaryState } from "../support/project/temporary-state.ts";

const now = Date.UTC(2026, 10, 28, 12);
const minute = 60_000;
const own = { pid: ownPid, start: startOf(ownPid) ?? "" };
const dead = { pid: deadPid, start: "1" };
const works = { kind: "working", since: now, reason: "", source: "hook", turn: { helpers: 0 } } as const;

function session(name: string, more: Partial<SessionRecord> = {}): SessionRecord {
  return recordOf({ agent: "claude-code", session: name, lastSeenAt: now - minute, state: works, ...more });
}

it("a session whose process has ended is gone, and none other", () => {
  const layout = temporaryState();
  const given = [
    session("works", { process: own }),
    session("ended", { process: dead }),
    session("other-start", { process: { pid: ownPid, start: "1" } }),
    session("unknown-process"),
  ];
  const shown = currentSessions(layout, now, given);
  expect(shown.map(({ state }) => state.kind)).toEqual(["working", "gone", "gone", "working"]);
  expect(shown[1]?.state.since).toBeLessThanOrEqual(now);
  expect(shown.map(({ lastSeenAt }) => lastSeenAt)).toEqual(given.map(({ lastSeenAt }) => lastSeenAt));
});

it("a session of a machine that is silent is unknown", () => {
  const layout = temporaryState();
  writeHeard(layout, { box: now - 10 * minute });
  const [shown] = currentSessions(layout, now, [session("there", { host: "box", isOfFleet: true, process: dead })]);
  expect(shown?.state.kind).toBe("unknown");
});

it("the agent's own process counts before that of its terminal, and all that it had are known", () => {
  const terminal = { device: "/dev/pts/3", pid: 12, start: "7" } as SessionRecord["terminal"];
  expect(processOf(session("a"))).toBeUndefined();
  expect(processOf(session("a", { terminal }))).toEqual(terminal);
  expect(processOf(session("a", { terminal, process: own }))).toEqual(own);
  expect(processesOf(session("a", { terminal, process: own, earlierProcesses: [dead] }))).toEqual([
    dead,
    own,
    terminal,
  ]);
  expect(processesOf(session("a"))).toEqual([]);
});

it("what was seen to be there is looked at again after a minute, and what has ended at once", () => {
  const check = createProcessCheck(temporaryState());
  expect(check(session("a", { process: own }), now)).toBeUndefined();
  expect(check(session("a", { process: own }), now + 2 * minute)).toBeUndefined();
  expect(check(session("a", { process: dead }), now)).toEqual({ kind: "processGone", source: "process", at: now });
  const gone = { kind: "gone", since: now, reason: "", source: "process" } as const;
  expect(check(session("a", { process: dead, state: gone }), now)).toBeUndefined();
});

it("the status line is of the sessions that live, and says that the rules file is broken", () => {
  const layout = temporaryState();
  expect(currentLine(layout, now, true)).toBe("rules broken");
  expect(currentLine(layout, now, false)).toBe("");
  writeSession(layout, session("a", { process: own }));
  writeSession(layout, session("old", { lastSeenAt: now - 24 * 60 * minute }));
  const line = currentLine(layout, now + minute, false);
  expect(line).not.toBe("");
  expect(currentLine(layout, now + minute, true)).toBe(`${line}, rules broken`);
});
