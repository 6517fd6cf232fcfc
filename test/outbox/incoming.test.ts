import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listIncoming, listShellPayloads, readIncoming, takeUpShellPayload } from "../../src/outbox/incoming.ts";
import { writeIncoming } from "../../src/outbox/write-incoming.ts";
import type { Layout } from "../../src/outbox/layout.ts";
import { touch } from "../../src/system/files/write.ts";
import { temporaryState } from "../support/project/temporary-state.ts";

function put(layout: Layout, name: string, mtimeMs: number, text = "{}"): void {
  writeFileSync(join(layout.incoming, name), text);
  touch(join(layout.incoming, name), mtimeMs);
}

describe("incoming payloads", () => {
  it("are listed as they came, no matter who named them, without what is being written", () => {
    const layout = temporaryState();
    put(layout, "sh-9-1-0.droid.-.json", 1_700_000_000_001);
    put(layout, "1700000000002-aaa-1.droid.-.json", 1_600_000_000_000);
    put(layout, "sh-10-1-0.droid.-.json", 1_700_000_000_003);
    put(layout, "1700000000000-bbb-1.droid.-.json", 1_800_000_000_000);
    put(layout, ".tmp-sh-11-1-0.droid.-.json", 1_700_000_000_000);
    put(layout, "notes.txt", 1_700_000_000_000);
    expect(listIncoming(layout).map((name) => name.split(".")[0])).toEqual([
      "1700000000000-bbb-1",
      "sh-9-1-0",
      "1700000000002-aaa-1",
      "sh-10-1-0",
    ]);
  });

  it("of one tick of the file system's clock are in the order of their pids by number, and so are their positions", () => {
    const layout = temporaryState();
    const names = ["sh-9-77-0", "sh-10-77-0", "sh-99999-77-0", "sh-99999-77-9", "sh-99999-77-10", "sh-100000-77-66-0"];
    for (const name of names.toReversed()) put(layout, `${name}.droid.-.json`, 1_700_000_000_000);
    const listed = listIncoming(layout);
    expect(listed.map((name) => name.split(".")[0])).toEqual(names);
    const positions = listed.map((name) => readIncoming(layout, name, Infinity)?.position ?? "");
    expect(positions.toSorted()).toEqual(positions);
    expect(new Set(positions).size).toBe(names.length);
  });

  it("carry their hints and their size, and at most as many bytes as are wanted", () => {
    const layout = temporaryState();
    put(layout, "sh-9-1-0.droid.-.json", 1_700_000_000_500, "x".repeat(100_000));
    expect(readIncoming(layout, "sh-9-1-0.droid.-.json", 70_000)).toMatchObject({
      agentId: "droid",
      eventName: undefined,
      size: 100_000,
      receivedAt: 1_700_000_000_500,
      position: "1700000000500-sh-0000000009-0000000001-0000000000",
      bytes: Buffer.alloc(70_000, "x"),
    });
    expect(readIncoming(layout, "gone.json", Infinity)).toBeUndefined();
  });

  it.each([
    ["sh-9-7-0.codex.-.json", { callerPids: [7], setupName: undefined }],
    ["sh-9-7-0.codex.Stop.-.plugin.json", { callerPids: [7], setupName: "plugin", eventName: "Stop" }],
    ["sh-9-7-0.codex.-.p66.json", { callerPids: [7], namedPid: 66, setupName: undefined }],
    ["sh-9-7-0.codex.-.p66-egrok.json", { callerPids: [7], namedPid: 66, hookOf: "grok", setupName: undefined }],
    [
      "sh-9-7-0.codex.-.-edevin.plugin.json",
      { callerPids: [7], namedPid: undefined, hookOf: "devin", setupName: "plugin" },
    ],
    ["sh-9-7-0.codex.-.p66.plugin.json", { callerPids: [7], namedPid: 66, setupName: "plugin" }],
    ["1700000000000-a-1.codex.-.7-6-p66.json", { callerPids: [7, 6], namedPid: 66 }],
    ["sh-1234-5678-91-23.codex.-.json", { callerPids: [5678, 91] }],
    ["1700000000000-sh-9-7-0.codex.-.5.json", { callerPids: [5] }],
    ["sh-9-7-0-x.codex.-.5.json", { callerPids: [5] }],
    ["1700000000000-a-1.codex.-.p66-7.json", { callerPids: [7], namedPid: undefined }],
    ["1700000000000-a-1.codex.-.json", { callerPids: [], setupName: undefined, eventName: undefined }],
    ["1700000000000-a-1.codex.-.7-6.json", { callerPids: [7, 6], setupName: undefined }],
    ["1700000000000-a-1.codex.-.7-6.my%20way.json", { callerPids: [7, 6], setupName: "my way" }],
  ])("say in %s who called the hook, and by which hook setup", (name, hints) => {
    const layout = temporaryState();
    put(layout, name, 1_700_000_000_000);
    expect(readIncoming(layout, name, Infinity)).toMatchObject({ agentId: "codex", ...hints });
  });

  it.each([
    [undefined, undefined],
    [[7, 6], undefined],
    [undefined, "plugin"],
    [[7], "a.b/c -"],
    [[], "-"],
    [[7], "plugin", "66"],
    [[], undefined, "66"],
  ])("keep that of callers %j by %j, and of the named process %s", (callerPids, setupName, namedPid?: string) => {
    const layout = temporaryState();
    const file = writeIncoming(layout, "{}", {
      agentId: "codex",
      nowMs: 1,
      ...(callerPids && { callerPids }),
      setupName,
      namedPid,
    });
    expect(readIncoming(layout, file, Infinity)).toMatchObject({
      agentId: "codex",
      callerPids: callerPids ?? [],
      setupName,
      namedPid: namedPid && Number(namedPid),
    });
  });

  it("are made of what a killed hook has left, unless that is nothing", () => {
    const layout = temporaryState();
    put(layout, ".tmp-sh-1-1-0.droid.Stop.json", 1);
    put(layout, ".tmp-sh-2-1-0.droid.-.json", 1, "");
    put(layout, ".tmp-1700000000000-x-1", 1);
    const names = listShellPayloads(layout);
    expect(names.length).toBe(2);
    for (const name of names) takeUpShellPayload(layout, name);
    expect(listShellPayloads(layout)).toEqual([]);
    expect(listIncoming(layout)).toEqual(["sh-1-1-0.droid.Stop.json"]);
  });
});

it("a payload whose name says nothing but the time is of an agent and a machine that are not named", () => {
  const layout = temporaryState();
  put(layout, "1700000000000-aaa-1.json", 1_700_000_000_000);
  expect(readIncoming(layout, "1700000000000-aaa-1.json", Infinity)).toMatchObject({
    agentId: undefined,
    eventName: undefined,
    setupName: undefined,
    remoteHost: undefined,
    namedPid: undefined,
    callerPids: [],
  });
  put(layout, "1700000000001-aaa-1.droid.json.-.json", 1_700_000_000_000);
  expect(readIncoming(layout, "1700000000001-aaa-1.droid.json.-.json", Infinity)).toMatchObject({ eventName: "json" });
});
