// Groups, throttles, mutes, and the list of sessions that wait.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agentName } from "../../src/agents/index.ts";
import { groupPolicy, bucketsAfter, throttlePolicy, type Buckets, type Throttle } from "../../src/policies/throttle.ts";
import { type Ringing, togetherPolicy, ringingAfter } from "../../src/policies/together.ts";
import type { JoinedAs } from "../../src/policies/decision.ts";
import { waitingMessage, waitingSessions } from "../../src/sessions/waiting.ts";
import { describeMute, muteOf, mutePolicy, type Mute } from "../../src/policies/mute.ts";
import { broke, done, eventOf, hour, messageOf, minute, noon, question, second } from "./messages.ts";
import { sessionAfter, sessionObserved } from "../../src/sessions/reduce.ts";
import { recordOf } from "../support/project/session-record.ts";
import { everyRow } from "../support/rows.ts";

describe("a group", () => {
  const grouping = { by: ["project"] as const, waitMs: 10 * second };

  it("holds news, and keeps to the time that it said", () => {
    const first = groupPolicy(messageOf(done), grouping, noon);
    expect(first).toMatchObject({ action: "defer", until: noon + 10 * second, why: "grouped for 10s" });
    const waited = messageOf(done, { deferred: { by: "group", until: noon + 10 * second } });
    expect(groupPolicy(waited, grouping, noon + 7 * second)).toEqual(first);
    expect(groupPolicy(waited, grouping, noon + 10 * second)).toBeUndefined();
  });

  it("lets go what it is not for", () =>
    everyRow(
      [
        ["a question", messageOf(question)],
        ["an error", messageOf(broke)],
        ["news that a rule made an error", messageOf(done, { level: "error" as const })],
        ["what has been in a group", messageOf(done, { deferred: { by: "group", until: noon } })],
        ["what was held by quiet hours", messageOf(done, { deferred: { by: "quietHours", until: noon } })],
      ],
      ([_what, message]) => {
        expect(groupPolicy(message, grouping, noon)).toBeUndefined();
      },
    ));

  it("keeps apart what differs in its fields, its rule or its channel", () => {
    const keys = [
      messageOf(done),
      messageOf({ ...done, project: "other" }),
      messageOf(done, { rule: "other" }),
      messageOf(done, { channel: "other" }),
    ].map((message) => groupPolicy(message, grouping, noon));
    const gathers = keys.map((each) => (each?.action === "defer" ? each.key : undefined));
    expect(new Set(gathers).size).toBe(4);
  });
});

describe("a throttle", () => {
  const throttle: Throttle = { messages: 3, perMs: 10 * minute, by: [] };
  const message = messageOf(done);

  /** How many of the messages at these times go at once. */
  function sentAt(times: readonly number[], settings: Throttle = throttle): number[] {
    let buckets: Buckets = {};
    return times.filter((now) => {
      const decision = throttlePolicy(message, { rule: settings }, buckets, now);
      if (decision === undefined) buckets = bucketsAfter(message, { rule: settings }, buckets, now);
      return decision === undefined;
    });
  }

  it("lets a burst go, and then one for each share of the time", () => {
    expect(sentAt([0, 1, 2, 3, 4].map((each) => noon + each))).toEqual([noon, noon + 1, noon + 2]);
    const soon = noon + (10 * minute) / 3;
    expect(sentAt([noon, noon, noon, soon - 1, soon, soon + 1])).toEqual([noon, noon, noon, soon]);
  });

  it("never lets more go than its burst and its rate", () => {
    const times = fc.array(fc.integer({ min: 0, max: hour }), { maxLength: 200 });
    const settings = fc.record({
      messages: fc.integer({ min: 1, max: 20 }),
      perMs: fc.integer({ min: second, max: hour }),
      by: fc.constant([]),
    });
    fc.assert(
      fc.property(times, settings, (offsets, limits) => {
        const sent = sentAt(
          offsets.map((each) => noon + each).sort((a, b) => a - b),
          limits,
        );
        for (const [index, start] of sent.entries()) {
          const within = sent.slice(index).filter((each) => each < start + limits.perMs).length;
          expect(within).toBeLessThanOrEqual(2 * limits.messages);
        }
        expect(sent.length).toBeLessThanOrEqual(limits.messages + Math.ceil((hour * limits.messages) / limits.perMs));
      }),
    );
  });

  it("says when the next one may go, and gathers what waits", () => {
    const buckets = [1, 2, 3].reduce<Buckets>((each) => bucketsAfter(message, { rule: throttle }, each, noon), {});
    const decision = throttlePolicy(message, { rule: throttle }, buckets, noon);
    expect(decision).toMatchObject({
      action: "defer",
      until: noon + (10 * minute) / 3,
      why: "throttled: more than 3 messages in 10m",
    });
  });

  it("counts a rule and a channel, and each session by itself where asked", () => {
    const bySession: Throttle = { messages: 1, perMs: minute, by: ["session"] };
    const buckets = bucketsAfter(message, { rule: bySession }, {}, noon);
    const other = messageOf({ ...done, session: "s2" });
    expect(throttlePolicy(message, { rule: bySession }, buckets, noon)).toBeDefined();
    expect(throttlePolicy(other, { rule: bySession }, buckets, noon)).toBeUndefined();
    expect(throttlePolicy(other, { channel: bySession }, buckets, noon)).toBeUndefined();
  });

  it("forgets full buckets, and a time that was written before the clock was turned back", () => {
    const buckets = bucketsAfter(message, { rule: { ...throttle, messages: 1 } }, {}, noon);
    expect(bucketsAfter(messageOf(done), {}, buckets, noon + 10 * minute)).toEqual({});
    const back = noon - 24 * hour;
    const decision = throttlePolicy(message, { rule: { ...throttle, messages: 1 } }, buckets, back);
    expect(decision).toMatchObject({ until: back + 10 * minute });
  });
});

describe("a mute", () => {
  const everything: Mute = { scope: "all", name: "" };
  const project: Mute = { scope: "project", name: "shop-web", until: noon + hour };
  const file: Mute = { scope: "file", name: "/home/you/shop-web/.hookbell.jsonc" };

  it("holds what it names, and nothing else", () =>
    everyRow<[what: string, mutes: Mute[], isMuted: boolean]>(
      [
        ["of everything", [everything], true],
        ["of the project", [project], true],
        ["of another project", [{ ...project, name: "api" }], false],
        ["of the session", [{ scope: "session", name: "s1" }], true],
        ["of the agent", [{ scope: "agent", name: "claude-code" }], true],
        ["of the channel", [{ scope: "channel", name: "phone" }], true],
        ["of another channel", [{ scope: "channel", name: "desktop" }], false],
        ["by the repository's own file", [file], true],
        ["that is over", [{ ...project, until: noon }], false],
        ["that is over, and another one", [{ ...project, until: noon }, everything], true],
      ],
      ([_what, mutes, isMuted]) => {
        expect(mutePolicy(messageOf(done), mutes, noon)?.action).toBe(isMuted ? "suppress" : undefined);
        expect(mutePolicy(messageOf(question), mutes, noon)?.action).toBe(isMuted ? "defer" : undefined);
        expect(mutePolicy(messageOf(broke), mutes, noon)?.action).toBe(isMuted ? "defer" : undefined);
      },
    ));

  it("keeps what is urgent for its end; without one it asks again daily, and reads a file again in minutes", () => {
    expect(mutePolicy(messageOf(question), [project], noon)).toMatchObject({ until: noon + hour, key: "mute" });
    expect(mutePolicy(messageOf(question), [everything], noon)).toMatchObject({
      until: noon + 24 * hour,
      why: "muted: everything, until: hookbell unmute",
    });
    const byFile = { until: noon + 10 * minute, why: "muted by /home/you/shop-web/.hookbell.jsonc" };
    expect(mutePolicy(messageOf(question), [file], noon)).toMatchObject(byFile);
  });

  it("of several lasts as long as the longest", () => {
    const longer: Mute = { scope: "agent", name: "claude-code", until: noon + 2 * hour };
    expect(muteOf([longer, project], done, "phone", noon)).toBe(longer);
    expect(muteOf([longer, everything, project], done, "phone", noon)).toBe(everything);
  });

  it("is told in words", () => {
    expect(describeMute(everything, noon)).toBe("everything");
    expect(describeMute(file, noon)).toBe("by /home/you/shop-web/.hookbell.jsonc");
    expect(describeMute(project, noon)).toMatch(/^project shop-web until \d\d:\d\d$/);
  });
});

describe("sessions that wait", () => {
  const asked = (project: string, ageMs: number, words?: string, name = "Notification") =>
    recordOf({
      agent: "codex",
      session: project,
      project,
      open: [{ id: `evt_${project}`, at: noon - ageMs, name, words }],
    });

  it("are listed newest first, without what asks for nothing and what is too old", () => {
    const sessions = [
      asked("young", minute, "Run npm test?"),
      asked("old", hour),
      asked("finished", minute, "Done", "Stop"),
      asked("rebooted", 13 * hour),
      recordOf({ agent: "codex", session: "s", project: "blank" }),
    ];
    const waiting = waitingSessions(sessions, noon);
    expect(waiting.map(({ project }) => project)).toEqual(["old", "young"]);
    expect(waitingMessage(waiting, noon, agentName)).toEqual({
      title: "2 sessions wait for you",
      body: "young (11:59): Run npm test?\n\nold (11:00)",
    });
  });

  it("leave out what was answered from elsewhere, but not what was clicked or is asked later", () => {
    const session = asked("p", minute);
    const at = noon - second;
    const count = (how: string, actedAt: number, isAnswer?: boolean): number => {
      const acted = { kind: "acted", source: "hook", at: actedAt, how, isAnswer } as const;
      return waitingSessions([sessionObserved(session, acted)], noon).length;
    };
    expect(count("answered by Ann", at, true)).toBe(0);
    expect(count("clicked", at)).toBe(1);
    expect(count("answered by Ann", noon - 2 * minute, true)).toBe(1);
  });

  it("many leave some lines out", () => {
    expect(waitingMessage(waitingSessions([asked("one", minute)], noon), noon, agentName).title).toBe(
      "1 session waits for you",
    );
    const many = Array.from({ length: 12 }, (_, index) => asked(`p${index}`, (20 - index) * minute));
    const message = waitingMessage(waitingSessions(many, noon), noon, agentName);
    expect(message.title).toBe("12 sessions wait for you");
    expect(message.body.split("\n")).toHaveLength(12);
    expect(message.body).toMatch(/^p11 .*\np2 .*\n… and 2 more$/s);
  });

  it("name their branch, and their agent where there are several; a time stays true, where an age would not", () => {
    const sessions = [
      { ...asked("shop", 61_900), session: "s1", branch: "main" },
      { ...asked("shop", 1500), session: "s2", branch: "cart", worktree: "shop-cart" },
      { ...asked("api", 400), branch: "main" },
      recordOf({ agent: "codex", session: "s3", project: "api", branch: "works", lastSeenAt: noon }),
      { ...asked("alone", 300), branch: "main" },
    ];
    const linesOf = (all: typeof sessions) =>
      waitingMessage(waitingSessions(all, noon), noon, agentName).body.split(/\n+/);
    expect(linesOf(sessions)).toEqual([
      "alone (main, 11:59)",
      "api (main, 11:59)",
      "shop (cart, 11:59)",
      "shop (main, 11:58)",
    ]);
    expect(linesOf([...sessions, { ...asked("docs", 100), agent: "droid" }]).slice(0, 2)).toEqual([
      "docs (Droid, 11:59)",
      "alone (main, Codex, 11:59)",
    ]);
  });

  it("of one project name it in the title", () => {
    const sessions = ["s1", "s2"].map((session) => ({ ...asked("shop", minute), session }));
    expect(waitingMessage(waitingSessions(sessions, noon), noon, agentName).title).toBe("shop: 2 sessions wait");
  });

  it("show the last question in full, without its lines looking like other sessions", () => {
    const command = `run \`cat > deploy.sh <<EOF\n${"echo a long line; ".repeat(24)}\nother (Codex, 1m): run \`ls\`?\nEOF\`?`;
    const sessions = ["first", "second"].map((session, index) =>
      sessionAfter(
        recordOf({ agent: "claude-code", session }),
        eventOf("PermissionRequest", { project: session, request: command }, noon - minute + index),
      ),
    );
    const { body } = waitingMessage(waitingSessions(sessions, noon), noon, agentName);
    const [shown = "", rest = ""] = body.split("\n\n");
    expect(shown.replaceAll("\n│ ", "\n")).toContain(command);
    expect(
      shown
        .split("\n")
        .slice(1)
        .every((line) => line.startsWith("│ ")),
    ).toBe(true);
    expect(rest).toMatch(/^first \(11:59\): run `cat > deploy\.sh .*…/);
    expect(rest.split("\n")).toHaveLength(1);
  });

  it("a bare event is a question of its session too", () => {
    expect(
      waitingSessions([sessionAfter(recordOf({ agent: "codex", session: "p" }), eventOf("PermissionRequest"))], noon),
    ).toHaveLength(1);
  });
});

describe("questions of several sessions within seconds", () => {
  const other = { ...question, id: "evt_other", session: "other" };
  const rung = ringingAfter(question, messageOf(question).channel, [], noon);
  const join = (joinedAs: JoinedAs, more: object = {}, now = noon + second) =>
    togetherPolicy(messageOf(other, { joinedAs, ...more }), rung, now);

  it.each([
    ["silentMessage", { action: "send", joins: { agent: question.agent, session: question.session } }],
    ["summary", { action: "defer", by: "several", until: noon + 5 * second }],
    ["nothing", { action: "suppress", by: "several" }],
    ["ownMessage", undefined],
  ] as const)("make no sound of their own: %s", (joinedAs, expected) => {
    if (expected === undefined) expect(join(joinedAs)).toBeUndefined();
    else expect(join(joinedAs)).toMatchObject(expected);
  });

  it("wait no longer than was said, and none joins later", () => {
    const held = { by: "several" as const, until: noon + 5 * second };
    expect(join("summary", { deferred: held }, noon + 5 * second)).toBeUndefined();
    expect(join("summary", {}, noon + 5 * second)).toBeUndefined();
  });

  it("are not news, other channels' questions, programs' messages, or the same session's questions", () => {
    expect(togetherPolicy(messageOf(done, { joinedAs: "nothing" }), rung, noon)).toBeUndefined();
    expect(join("nothing", { channel: "elsewhere" })).toBeUndefined();
    expect(join("nothing", { isForPeople: false })).toBeUndefined();
    expect(togetherPolicy(messageOf(question, { joinedAs: "nothing" }), rung, noon)).toBeUndefined();
  });

  it("keep the session that rang when more join it", () => {
    const joined = ringingAfter(other, messageOf(question).channel, rung, noon + 4 * second);
    expect(togetherPolicy(messageOf(other, { joinedAs: "silentMessage" }), joined, noon + 8 * second)).toMatchObject({
      joins: { session: question.session },
    });
  });
});

describe("ends of turns of several sessions within seconds", () => {
  const other = { ...done, id: "evt_other", session: "other" };
  const rung = ringingAfter(done, messageOf(done).channel, [], noon);
  const join = (joinedAs: JoinedAs, more: object = {}, now = noon + second) =>
    togetherPolicy(messageOf(other, { joinedAs, ...more }), rung, now);

  it.each([
    ["silentMessage", { action: "send", joins: { agent: done.agent, session: done.session } }],
    ["summary", { action: "defer", by: "several", until: noon + 5 * second, key: "several ends phone" }],
    ["nothing", { action: "suppress", by: "several" }],
    ["ownMessage", undefined],
  ] as const)("make no sound of their own: %s", (joinedAs, expected) => {
    if (expected === undefined) expect(join(joinedAs)).toBeUndefined();
    else expect(join(joinedAs)).toMatchObject(expected);
  });

  it("wait two seconds for each other while others are at work, where a summary can be made", () => {
    const ask = (now: number, ringing: readonly Ringing[], more: object = {}, othersAtWork = true) =>
      togetherPolicy(messageOf(done, { joinedAs: "summary", ...more }), ringing, now, othersAtWork);
    const first = ask(noon, []);
    expect(first).toMatchObject({
      action: "defer",
      by: "several",
      until: noon + 2 * second,
      key: "several ends phone",
    });
    expect(first).not.toHaveProperty("joins");
    expect(ask(noon, [], {}, false)).toBeUndefined();
    expect(ask(noon, [], { joinedAs: "silentMessage" })).toBeUndefined();
    expect(ask(noon, [], { deferred: { by: "quietHours", until: noon } })).toBeUndefined();
    // What needs the person does not wait.
    expect(ask(noon, [], { level: "attention" })).toBeUndefined();
    expect(ask(noon, [], { event: { ...done, headline: "has a question" } })).toBeUndefined();
    expect(ask(noon, [], { joinedAs: "nothing" })).toBeUndefined();
    // The last one to end finds no one at work, but the first still waits.
    const waits = ringingAfter(done, messageOf(done).channel, [], noon, noon + 2 * second);
    const last = togetherPolicy(messageOf(other, { joinedAs: "summary" }), waits, noon + 400);
    expect(last).toMatchObject({ action: "defer", until: noon + 2 * second, key: "several ends phone" });
    // Looked at again before its time, it goes on waiting, and then it goes.
    const deferred = { by: "several", until: noon + 2 * second };
    expect(ask(noon + 500, waits, { deferred }, false)).toMatchObject({ until: noon + 2 * second });
    expect(ask(noon + 2 * second, waits, { deferred }, false)).toBeUndefined();
  });

  it("join no failure, no question, no step of an escalation, and none that rang five seconds before", () => {
    expect(togetherPolicy(messageOf({ ...other, name: "StopFailure" }), rung, noon)).toBeUndefined();
    expect(togetherPolicy(messageOf({ ...question, session: "other" }), rung, noon)).toBeUndefined();
    expect(join("summary", { escalatesAfterMs: 1000 })).toBeUndefined();
    expect(join("summary", {}, noon + 5 * second)).toBeUndefined();
    expect(join("summary", { isForPeople: false })).toBeUndefined();
  });

  it("are sent at once and silently where they have waited for a group or a throttle: what they record is kept", () => {
    for (const by of ["group", "throttle"] as const) {
      const waited = { deferred: { by, until: noon } };
      expect(join("summary", waited)).toMatchObject({ action: "send", joins: { session: done.session } });
      expect(join("nothing", waited)).toMatchObject({ action: "suppress" });
    }
    expect(join("summary", { deferred: { by: "presence", until: noon } })).toMatchObject({ action: "defer" });
  });

  it("ring beside a question, and a failure makes nothing join it", () => {
    const asked = ringingAfter({ ...question, session: "asks" }, messageOf(done).channel, rung, noon);
    expect(asked).toHaveLength(2);
    expect(togetherPolicy(messageOf(other), asked, noon)).toMatchObject({ joins: { session: done.session } });
    expect(ringingAfter({ ...done, name: "StopFailure" }, "phone", [], noon)).toEqual([]);
  });

  it("are forgotten when their time is over", () => {
    expect(ringingAfter(question, "phone", rung, noon + 5 * second)).toHaveLength(1);
  });
});
