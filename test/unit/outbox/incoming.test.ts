import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listIncoming, readIncoming } from "../../../src/outbox/incoming.ts";
import { listShellAside, takeUpShellAside } from "../../../src/outbox/shell-aside.ts";
import type { Layout } from "../../../src/outbox/layout.ts";
import { touch } from "../../../src/system/files.ts";
import { temporaryState } from "../../support/temporary-state.ts";

function put(layout: Layout, name: string, mtimeMs: number, text = "{}"): void {
  writeFileSync(join(layout.incoming, name), text);
  touch(join(layout.incoming, name), mtimeMs);
}

describe("incoming payloads", () => {
  it("are listed as they came, whoever named them, without what is being written", () => {
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

  it("carry their hints and their size, and at most as many bytes as are wanted", () => {
    const layout = temporaryState();
    put(layout, "sh-9-1-0.droid.-.json", 1_700_000_000_500, "x".repeat(100_000));
    expect(readIncoming(layout, "sh-9-1-0.droid.-.json", 70_000)).toMatchObject({
      agentId: "droid",
      eventName: undefined,
      size: 100_000,
      receivedAt: 1_700_000_000_500,
      position: "1700000000500-sh-9-1-0",
      bytes: Buffer.alloc(70_000, "x"),
    });
    expect(readIncoming(layout, "gone.json")).toBeUndefined();
  });

  it("are made of what a killed hook has left, unless that is nothing", () => {
    const layout = temporaryState();
    put(layout, ".tmp-sh-1-1-0.droid.Stop.json", 1);
    put(layout, ".tmp-sh-2-1-0.droid.-.json", 1, "");
    put(layout, ".tmp-1700000000000-x-1", 1);
    const names = listShellAside(layout);
    expect(names.length).toBe(2);
    for (const name of names) takeUpShellAside(layout, name);
    expect(listShellAside(layout)).toEqual([]);
    expect(listIncoming(layout)).toEqual(["sh-1-1-0.droid.Stop.json"]);
  });
});
