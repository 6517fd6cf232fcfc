// A full disk is told once, by a message that needs no disk.
import { mkdirSync } from "node:fs";
import { expect, it } from "vitest";
import { createDiskWatch } from "../../../src/daemon/leased/disk-watch.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { describeWithParts } from "../../support/parts.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";
import { mountParts, mountSmallDisk } from "../../support/project/small-disk.ts";

describeWithParts("a disk that is full", mountParts, () => {
  it("is told once, with the cause and the fix, and again after an hour", async () => {
    const { dispatcher, clock, writeRules } = prepareDispatcher({ XDG_RUNTIME_DIR: temporaryFolder() });
    const { layout, tools } = dispatcher;
    writeRules({
      channels: {
        phone: { type: "gotify", server: "https://g.example.org", token: "A1234567890abcd", content: "full" },
      },
      rules: [{ notify: ["phone"] }],
    });
    await dispatcher.rereadRules();
    const sent: string[] = [];
    tools.http = async ({ body }) => {
      sent.push(body ?? "");
      return { status: 200, headers: {}, body: '{ "id": 1 }' };
    };
    mkdirSync(layout.root, { recursive: true });
    const disk = mountSmallDisk(layout.root);
    ensureLayout(layout);
    const watch = createDiskWatch(dispatcher);
    const look = async (): Promise<number> => {
      await watch.poll(clock.now());
      await watch.stop?.("ended");
      return sent.length;
    };
    expect(await look()).toBe(0);
    disk.fill();
    expect(await look()).toBe(1);
    expect(sent[0]).toContain("hookbell: events are being lost");
    expect(sent[0]).toMatch(/the disk is full \(ENOSPC\).*Free some space.*df -h/);
    expect(await look()).toBe(1);
    // A disk at its limit is full again and again.
    disk.makeRoom();
    expect(await look()).toBe(1);
    disk.fill();
    expect(await look()).toBe(1);
    disk.makeRoom();
    await look();
    clock.turn(60 * 60_000);
    disk.fill();
    expect(await look()).toBe(2);
  });
});
