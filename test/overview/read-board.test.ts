// What a board shows of the state folder: groups in order, questions with what may be answered, and who was told.
import { beforeEach, describe, expect, it } from "vitest";
import { createAnswer } from "../../src/answers/questions.ts";
import { describeRow, groupTitles, type BoardRow } from "../../src/overview/board.ts";
import { createBoardReader } from "../../src/overview/read-board.ts";
import { rowAsJson } from "../../src/overview/row-json.ts";
import {
  describeNotifications,
  describeChannelStatus,
  headlineOf,
  notificationsIn,
} from "../../src/overview/notifications.ts";
import { writeMutes } from "../../src/outbox/attention.ts";
import { writeJournal } from "../../src/outbox/journal.ts";
import type { Layout } from "../../src/outbox/layout.ts";
import { writeSession, type SessionRecord } from "../../src/outbox/sessions.ts";
import type { OpenEvent, State } from "../../src/sessions/state.ts";
import { openQuestion } from "../answers/sample.ts";
import { hour, minute, noon, second } from "../policies/messages.ts";
import { recordOf } from "../support/project/session-record.ts";
import { temporaryState } from "../support/project/temporary-state.ts";

let layout: Layout;
let read: (nowMs: number) => BoardRow[];

beforeEach(() => {
  layout = temporaryState();
  read = createBoardReader(layout);
});

const facts = { reason: "A reason.", source: "hook" } as const;

function session(id: string, state: State | undefined, more: Partial<SessionRecord> = {}): void {
  const known = { agent: "claude-code", session: id, project: "shop", lastSeenAt: noon };
  writeSession(layout, recordOf({ ...known, ...(state && { state }), ...more }));
}

const asking = (more: Partial<OpenEvent> = {}): Pick<SessionRecord, "open"> => ({
  open: [{ id: "evt_q", at: noon - minute, name: "PermissionRequest", words: "run `npm test`?", ...more }],
});

const groupsOf = (rows: readonly BoardRow[]): string[] => rows.map(({ record, group }) => `${record.session} ${group}`);

describe("rows", () => {
  it("come in groups, those that need the person first, the longest wait first, the newest end first", () => {
    const since = noon - hour;
    session("gone", { kind: "gone", ...facts, since });
    session("gone long ago", { kind: "gone", ...facts, since: noon - 3 * hour });
    session("seen", { kind: "done", ...facts, since, isSeen: true });
    session("stopped", { kind: "interrupted", ...facts, since: noon - minute });
    session("done", { kind: "done", ...facts, since, isSeen: false });
    session("done now", { kind: "done", ...facts, since: noon - second, isSeen: false });
    session("helpers", { kind: "waitsForHelpers", ...facts, since: noon, helpers: 2 });
    session("works", { kind: "working", ...facts, since, turn: { helpers: 0 } });
    session("limit", { kind: "waitsForLimit", ...facts, since, until: noon + hour });
    session("broken", { kind: "failed", ...facts, since });
    session("asks now", undefined, asking());
    session("asks", undefined, asking({ at: noon - hour }));
    session("helper", { kind: "working", ...facts, since, turn: { helpers: 0 } }, { helperOf: "works" });
    const rows = read(noon);
    expect(groupsOf(rows)).toEqual([
      "asks needsYou",
      "asks now needsYou",
      "broken failed",
      "limit waitsForLimit",
      "works working",
      "helpers waitsForSubagents",
      "done now unread",
      "done unread",
      "stopped quiet",
      "seen quiet",
      "gone ended",
    ]);
    expect(new Set(rows.map(({ group }) => group))).toEqual(new Set(Object.keys(groupTitles)));
  });

  it("name a session as titles do, and say that it is muted", () => {
    session("a", { kind: "idle", ...facts, since: noon }, { branch: "main" });
    session("b", { kind: "idle", ...facts, since: noon }, { branch: "cart" });
    writeMutes(layout, [{ scope: "session", name: "b" }]);
    const [a, b] = read(noon)
      .toSorted((one, other) => one.place.localeCompare(other.place, "en"))
      .toReversed();
    expect(a).toMatchObject({ place: "shop (main)", name: "main", mute: undefined, agentName: "Claude Code" });
    expect(b).toMatchObject({ place: "shop (cart)", name: "cart", mute: { scope: "session" } });
  });
});

describe("questions", () => {
  const firstOf = (): BoardRow["questions"][number] | undefined => read(noon)[0]?.questions[0];

  it("are whole; only the agent's terminal takes an answer where no hook waits", () => {
    const words = "run it?\n".repeat(400);
    session("s1", undefined, asking({ words }));
    expect(firstOf()).toMatchObject({ words, at: noon - minute });
    expect(firstOf()?.open).toBeUndefined();
  });

  it("have what must be read before they are allowed, what may be chosen, and how they were answered", () => {
    const question = openQuestion(layout, { askedAt: noon - minute, expiresAt: noon + minute, branch: "main" });
    session("s1", undefined, asking({ position: question.id }));
    const { choices, card, note, shortId } = firstOf()?.open ?? {};
    expect({ choices, note }).toEqual({ choices: ["allow", "deny"], note: undefined });
    expect(card?.body).toBe("│ npm test");
    expect(card?.fields.map(({ label }) => label)).toEqual(["tool", "branch", "host", "folder"]);
    expect(rowAsJson(read(noon)[0] as BoardRow)).toMatchObject({
      group: "needsYou",
      questions: [{ id: shortId, choices: ["allow", "deny"], body: "│ npm test" }],
    });
    session("s2", undefined, asking({ at: noon }));
    createAnswer(layout, question.id, { choice: "allow", by: "Ann", channel: "phone", at: noon });
    expect(read(noon).map(({ record }) => record.session)).toEqual(["s2", "s1"]);
    const answered = read(noon)[1]?.questions[0];
    expect(answered).toMatchObject({ ended: "allowed by Ann in phone after 1m" });
    expect(answered?.open).toBeUndefined();
  });

  it("that can be answered here come first, and others say why they cannot", () => {
    session("there", undefined, asking({ at: noon - hour }));
    const question = openQuestion(layout, { askedAt: noon, expiresAt: noon + minute });
    session("here", undefined, asking({ at: noon, position: question.id }));
    expect(read(noon).map(({ record }) => record.session)).toEqual(["here", "there"]);
    const whyClosed = (takesAnswers?: boolean): string | undefined =>
      createBoardReader(layout)(noon, { takesAnswers })[1]?.questions[0]?.whyClosed;
    expect(whyClosed()).toBeUndefined();
    expect(whyClosed(false)).toMatch(/^Answers are off; .* run hookbell init/);
    expect(whyClosed(true)).toContain("hookbell why evt_q");
  });

  it("can only be denied where the list does not have them", () => {
    const question = openQuestion(layout, { askedAt: noon, expiresAt: noon + minute, isAllowable: false });
    session("s1", undefined, asking({ position: question.id }));
    expect(firstOf()?.open).toMatchObject({
      choices: ["deny"],
      note: '"answers.allow" does not list it, so it can only be denied',
    });
  });

  it("of a session that is done are for its next prompt", () => {
    const kind = "prompt";
    const question = openQuestion(layout, { kind, askedAt: noon, expiresAt: noon + minute });
    const open = [{ id: "evt_s", at: noon, name: "Stop", position: question.id }];
    session("s1", { kind: "done", ...facts, since: noon, isSeen: false }, { open });
    expect(firstOf()?.open?.choices).toEqual(["reply"]);
  });
});

it("a process that has ended was last known to live at its session's last sign", () => {
  const gone = { pid: 2 ** 22 + 1, start: "1" };
  session("s1", { kind: "done", ...facts, since: noon - hour, isSeen: false }, { process: gone });
  const since = (nowMs: number): unknown => createBoardReader(layout)(nowMs)[0]?.record.state.since;
  expect([since(noon), since(noon + minute)]).toEqual([noon, noon]);
});

it("a row says what runs and for how long", () => {
  const turn = { helpers: 0, tool: { since: noon - 15 * second, words: "run `npm test`" } };
  session("s1", { kind: "working", ...facts, since: noon - hour, turn }, { lastPrompt: "fix it" });
  const [row] = read(noon);
  expect(row && describeRow(row, noon)).toBe("run `npm test`, 15s");
  expect(row && rowAsJson(row)).toMatchObject({
    words: "run `npm test`",
    toolStarted: new Date(noon - 15 * second).toISOString(),
    lastPrompt: "fix it",
  });
});

describe("who was told", () => {
  const toldOf = (): string[] =>
    read(noon)[0]?.questions[0]?.telling?.channels.map((told) => describeChannelStatus(told, noon)) ?? [];
  const decide = (more: Record<string, unknown>): void =>
    writeJournal(layout, noon - minute, { kind: "decision", event: "evt_q", rules: [], ...more });

  it("comes first, and each channel that was not has a short line of its own", () => {
    const output =
      "Connection failure: refused\nALSA lib pcm.c:2721: Unknown PCM default\naplay: main:852: audio open error";
    const sound = { channel: "sound", how: "failed", at: noon, why: `paplay: ${output}` } as const;
    const held = { channel: "phone", how: "deferred", at: noon, why: "muted" } as const;
    const told = { channel: "desktop", how: "notified", at: noon - minute } as const;
    expect(describeNotifications({ channels: [sound, held, told] }, noon)).toEqual([
      "notified: desktop 1m ago",
      "sound failed: paplay: Connection failure: refused",
      "phone held: muted",
    ]);
    expect(describeNotifications({ channels: [sound] }, noon, true)).toEqual([
      "no one was notified",
      `sound failed: paplay: ${output.replaceAll("\n", " ")}`,
    ]);
    const again = { channel: "ops", how: "retrying", at: noon, until: noon } as const;
    expect(describeNotifications({ channels: [again] }, noon)[1]).toBe("ops failed, next attempt soon");
    expect(describeNotifications({ channels: [held] }, noon)).toEqual(["no one was notified yet", "phone held: muted"]);
    expect(describeNotifications({ channels: [], why: "no rule" }, noon)).toEqual(["no one was notified: no rule"]);
  });

  it("is one line, with the setting that kept an event silent", () => {
    const told = { channel: "ops", how: "notified", at: noon } as const;
    const sound = { channel: "sound", how: "failed", at: noon, why: "no device" } as const;
    expect(headlineOf({ channels: [told, sound] }, noon)).toMatch(
      /^Notified: ops \d\d:\d\d:\d\d; sound failed: no device$/,
    );
    expect(headlineOf({ channels: [sound] }, noon)).toBe("Not notified: sound failed: no device");
    const held = { channel: "phone", how: "deferred", at: noon, why: "muted" } as const;
    expect(headlineOf({ channels: [held] }, noon)).toBe("Not notified yet: phone held: muted");
    const entry = { kind: "decision" as const, at: new Date(noon).toISOString(), event: "evt_q" };
    const endless = { id: "msg_1", channel: "phone", by: "mute", held: "muted: everything, until: hookbell unmute" };
    const muted = { ...entry, deliveries: [{ ...endless, until: new Date(noon + 24 * hour).toISOString() }] };
    expect(headlineOf(notificationsIn([muted]), noon)).toBe(`Not notified yet: phone held: ${endless.held}`);
    const why = "the turn took 2s, less than 20s";
    const silent = ["desktop", "sound"].map((channel) => ({ channel, rule: "done", why, by: "longerThan" }));
    const headline = (more: object): string => headlineOf(notificationsIn([{ ...entry, ...more }]), noon);
    expect(headline({ rules: [], silent })).toBe(`Not notified: ${why} (longerThan)`);
    expect(headline({ rules: [], silent: [{ rule: "done", why: "it matches" }] })).toBe(
      'Not notified: rule "done" notifies no channel',
    );
    expect(headline({ rules: [], silent: [{ channel: "ops", why: "no rule names it" }] })).toBe(
      "Not notified: no rule matches",
    );
    expect(headline({ why: "told by laptop" })).toBe("Not notified: told by laptop");
  });

  it("follows the journal: chosen, held, sent, retried, given up, clicked", () => {
    session("s1", undefined, asking());
    expect(toldOf()).toEqual([]);
    const until = new Date(noon + hour).toISOString();
    decide({
      deliveries: [
        { id: "msg_1", channel: "desktop", rule: "asks" },
        { id: "msg_2", channel: "phone", rule: "asks", by: "quietHours", held: "quiet hours", until },
        { id: "msg_3", channel: "ops", rule: "asks" },
      ],
      silent: [
        { channel: "sound", by: "focused", why: "you look at its terminal" },
        { channel: "slack", why: "no rule" },
      ],
    });
    expect(toldOf()).toEqual([
      "desktop is being notified",
      expect.stringMatching(/^phone held until .*: quiet hours$/),
      "ops is being notified",
      "sound not notified: you look at its terminal",
    ]);
    const attempt = (channel: string, more: Record<string, unknown>): void =>
      writeJournal(layout, noon - 41 * second, { kind: "attempt", event: "evt_q", channel, ...more });
    attempt("desktop", { outcome: "delivered", next: "done" });
    attempt("ops", {
      outcome: "failed",
      reason: "unreachable",
      detail: "connection refused",
      next: "retry",
      notBefore: until,
    });
    expect(toldOf()).toEqual([
      "desktop 41s ago",
      expect.stringMatching(/^phone held/),
      expect.stringMatching(/^ops failed, next attempt at .*: connection refused$/),
      "sound not notified: you look at its terminal",
    ]);
    attempt("ops", { outcome: "failed", reason: "rejected", next: "dead" });
    const judged = { kind: "attention", event: "evt_q" } as const;
    writeJournal(layout, noon, { ...judged, channel: "desktop", verdict: "clicked", why: "raised its window" });
    writeJournal(layout, noon, {
      ...judged,
      channel: "phone",
      verdict: "drop",
      by: "answered",
      why: "answered after 41s",
    });
    expect(toldOf()).toEqual([
      "desktop 41s ago, clicked",
      "phone not notified: answered after 41s",
      "ops failed: rejected",
      "sound not notified: you look at its terminal",
    ]);
  });

  it("says why no channel was", () => {
    session("s1", undefined, asking());
    decide({ deliveries: [], silent: [], why: "the same as another" });
    expect(read(noon)[0]?.questions[0]?.telling).toEqual({ channels: [], why: "the same as another" });
  });

  it("is read from the end of a long journal", () => {
    const words = "x".repeat(4096);
    for (let count = 0; count < 1200; count += 1)
      writeJournal(layout, noon, { kind: "notice", title: words, body: "" });
    decide({ deliveries: [{ id: "msg_1", channel: "desktop" }] });
    session("s1", undefined, asking());
    read = createBoardReader(layout);
    expect(toldOf()).toEqual(["desktop is being notified"]);
  });
});
