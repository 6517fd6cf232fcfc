// What cannot be understood is kept aside with the reasons, and tells payloads from damaged files of hookbell's own.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listJournal, readJournal } from "../../src/outbox/journal.ts";
import { countDamaged, countRejected, keepRejected, quarantine } from "../../src/outbox/rejected.ts";
import { ensureLayout, layoutOf } from "../../src/outbox/layout.ts";
import { describeWithParts } from "../support/parts.ts";
import { mountParts, mountSmallDisk } from "../support/project/small-disk.ts";
import { temporaryFolder, temporaryState } from "../support/project/temporary-state.ts";

const now = Date.UTC(2026, 10, 28, 12);

it("a payload is kept with a line for each reason, and no more of it than a megabyte", () => {
  const layout = temporaryState();
  const kept = keepRejected(layout, Buffer.alloc(1024 * 1024 + 1, "x"), ["no session", "no folder"], now);
  expect(readFileSync(join(layout.rejected, kept))).toHaveLength(1024 * 1024);
  const reasons = readFileSync(join(layout.rejected, kept.replace(".payload", ".reasons.txt")), "utf8");
  expect(reasons).toBe("no session\nno folder\n");
  expect([countRejected(layout), countDamaged(layout)]).toEqual([1, 0]);
});

it("a damaged file of hookbell's own is moved aside and counted as such, and the journal has both names", () => {
  const layout = temporaryState();
  for (const folder of ["incoming", "outbox", "dead", "journal", "endpoints"] as const) {
    writeFileSync(join(layout[folder], "x.json"), "torn");
    quarantine(layout, folder, "x.json", "it is not JSON", now);
    expect(readdirSync(layout[folder])).not.toContain("x.json");
  }
  expect([countRejected(layout), countDamaged(layout)]).toEqual([5, 4]);
  const [entry] = listJournal(layout).flatMap((file) => readJournal(layout, file));
  expect(entry).toMatchObject({ kind: "rejected", cameAs: "incoming/x.json", reasons: ["it is not JSON"] });
  expect(readFileSync(join(layout.rejected, String(entry?.file)), "utf8")).toBe("torn");
});

it("a damaged file that is gone meanwhile is named in the journal as it was", () => {
  const layout = temporaryState();
  quarantine(layout, "outbox", "gone.json", "it is not JSON", now);
  expect(countRejected(layout)).toBe(0);
  const entries = listJournal(layout).flatMap((file) => readJournal(layout, file));
  expect(entries).toMatchObject([{ kind: "rejected", file: "outbox/gone.json", cameAs: "outbox/gone.json" }]);
});

describeWithParts("on a disk that is nearly full", mountParts, () => {
  it("a payload that does not fit leaves no reasons behind", () => {
    const layout = layoutOf(join(temporaryFolder(), "state"));
    mkdirSync(layout.root);
    const disk = mountSmallDisk(layout.root);
    ensureLayout(layout);
    const roomBytes = 50_000;
    disk.fill();
    disk.makeRoom(roomBytes);
    expect(() => keepRejected(layout, Buffer.alloc(2 * roomBytes, "x"), ["no session"], now)).toThrow(/ENOSPC/);
    expect(readdirSync(layout.rejected)).toEqual([]);
  });
});
