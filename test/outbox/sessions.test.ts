import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listSessions, maskId, readSession, writeSession } from "../../src/outbox/sessions.ts";
import type { Layout } from "../../src/outbox/layout.ts";
import { temporaryState } from "../support/project/temporary-state.ts";
import { madeUpSecrets } from "../support/channels/made-up-secrets.ts";
import { recordOf } from "../support/project/session-record.ts";

const session = recordOf({ agent: "droid", session: "s1", lastSeenAt: 1 });

function times(layout: Layout): number[] {
  return listSessions(layout).map(({ lastSeenAt }) => lastSeenAt);
}

describe("a session's record", () => {
  it("of the version before has an unknown state, and keeps what its channels show", () => {
    const layout = temporaryState();
    writeSession(layout, session);
    const [name = ""] = readdirSync(layout.sessions);
    const open = [{ id: "evt_1", at: 1, name: "Stop" }];
    const before = {
      agent: "droid",
      session: "s1",
      lastSeenAt: 7,
      turnStartedAt: 5,
      toolStartedAt: 6,
      isOver: false,
      open,
    };
    const shown = { phone: { id: "7" } };
    writeFileSync(join(layout.sessions, name), JSON.stringify({ ...before, remembered: shown }));
    const read = { lastSeenAt: 7, remembered: shown, open, state: { kind: "unknown" } };
    expect(readSession(layout, "droid", "s1")).toMatchObject(read);
    expect(listSessions(layout)).toMatchObject([read]);
  });
});

describe("the list of sessions", () => {
  it("has each write of this process, even many of one size in a moment", () => {
    const layout = temporaryState();
    for (let lastSeenAt = 1; lastSeenAt < 10; lastSeenAt += 1) {
      writeSession(layout, { ...session, lastSeenAt });
      expect(times(layout)).toEqual([lastSeenAt]);
    }
  });

  it("looks at the files again after a second, and has this process's own writes at once", () => {
    const layout = temporaryState();
    const at = (nowMs: number): number[] => listSessions(layout, nowMs).map(({ lastSeenAt }) => lastSeenAt);
    writeSession(layout, session);
    expect(at(5000)).toEqual([1]);
    const [name = ""] = readdirSync(layout.sessions);
    writeFileSync(join(layout.sessions, "other.json"), readFileSync(join(layout.sessions, name)));
    expect(at(5900)).toEqual([1]);
    writeSession(layout, { ...session, session: "s2", lastSeenAt: 2 });
    expect(at(5950)).toEqual([1, 2]);
    expect(at(6000)).toHaveLength(3);
  });

  it("is looked at less often where there are many", () => {
    const layout = temporaryState();
    for (let count = 0; count < 300; count += 1) writeSession(layout, { ...session, session: `s${count}` });
    expect(listSessions(layout, 5000)).toHaveLength(300);
    const [name = ""] = readdirSync(layout.sessions);
    writeFileSync(join(layout.sessions, "other.json"), readFileSync(join(layout.sessions, name)));
    expect(listSessions(layout, 6499)).toHaveLength(300);
    expect(listSessions(layout, 6500)).toHaveLength(301);
  });

  it("has what another process has written, and lacks what it has removed or broken", () => {
    const layout = temporaryState();
    writeSession(layout, session);
    expect(times(layout)).toEqual([1]);
    const [name = ""] = readdirSync(layout.sessions);
    const path = join(layout.sessions, name);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace('"lastSeenAt":1', '"lastSeenAt":123'));
    expect(times(layout)).toEqual([123]);
    writeFileSync(path, "{");
    expect(times(layout)).toEqual([]);
    rmSync(path);
    writeFileSync(join(layout.sessions, "other.json"), text);
    expect(times(layout)).toEqual([1]);
  });
});

it("an id that looks like a credential is kept as another one, which is the same each time", () => {
  const token = madeUpSecrets.find(({ kind }) => kind === "GitHub token")?.text ?? "";
  const [one, other] = [maskId(`s ${token}`), maskId(`t ${token}`)];
  expect(one).toMatch(/^[0-9a-f]{32}$/);
  expect([maskId(`s ${token}`), other === one, maskId("s1")]).toEqual([one, false, "s1"]);
});
