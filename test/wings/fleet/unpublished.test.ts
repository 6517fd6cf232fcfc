import { appendFileSync, readdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { limits } from "../../../src/wings/fleet/names.ts";
import { Unpublished } from "../../../src/wings/fleet/stream/unpublished.ts";
import { temporaryState } from "../../support/project/temporary-state.ts";

const id = (index: number): string => `evt_${String(index).padStart(24, "0")}`;
const position = (index: number): string => `${String(index).padStart(13, "0")}-x`;
const bodyOf = (index: number): string => JSON.stringify({ text: `line ${index}\nnext` });

function opened(count: number, startAt = 0) {
  const layout = temporaryState();
  const folder = join(layout.root, "fleet/unpublished");
  const unpublished = new Unpublished(layout);
  for (let index = startAt; index < startAt + count; index += 1)
    unpublished.add(position(index), id(index), bodyOf(index));
  return { layout, folder, unpublished, files: () => readdirSync(folder) };
}

it("keeps events that are written together in one file, which goes with the last of them", async () => {
  const { unpublished, files } = opened(40);
  expect([unpublished.count(), files()]).toEqual([0, []]);
  await unpublished.sync();
  expect([unpublished.count(), files().length]).toEqual([40, 1]);
  for (const eventId of unpublished.list().slice(1)) unpublished.remove(eventId);
  await unpublished.finish();
  expect(files()).toHaveLength(1);
  expect(unpublished.read(id(0))).toEqual({ eventId: id(0), body: bodyOf(0), isTold: false });
  unpublished.remove(id(0));
  await unpublished.finish();
  expect(files()).toEqual([]);
});

it("adds what comes later to the same file, up to a number", async () => {
  const { unpublished, files } = opened(0);
  for (let index = 0; index < 130; index += 1) {
    unpublished.add(position(index), id(index), bodyOf(index));
    await unpublished.sync();
  }
  expect(files()).toHaveLength(3);
  expect(unpublished.list()).toEqual(Array.from({ length: 130 }, (_, index) => id(index)));
});

it("has after a crash all that was written, in its order, and knows what was told and what was settled", async () => {
  const { layout, folder, unpublished, files } = opened(3);
  await unpublished.sync();
  unpublished.noteTold(id(1));
  unpublished.remove(id(0));
  unpublished.settle();
  // The crash cuts the last line off, whose payload still is in incoming/.
  appendFileSync(join(folder, files()[0] ?? ""), `\n${id(3)} {"text":"}`);
  const next = new Unpublished(layout);
  expect(next.list().map((eventId) => next.read(eventId))).toEqual([
    { eventId: id(1), body: bodyOf(1), isTold: true },
    { eventId: id(2), body: bodyOf(2), isTold: false },
  ]);
  next.noteTold(id(2));
  expect(new Unpublished(layout).read(id(2))?.isTold).toBe(true);
});

it("publishes again, after a crash, what was removed and not settled", async () => {
  const { layout, unpublished } = opened(2);
  await unpublished.sync();
  unpublished.remove(id(0));
  expect(new Unpublished(layout).list()).toEqual([id(0), id(1)]);
});

it("takes each event once, and again when it was removed", async () => {
  const { layout, unpublished } = opened(2);
  expect(unpublished.add(position(0), id(0), bodyOf(0))).toBe(true);
  await unpublished.sync();
  unpublished.add(position(0), id(0), bodyOf(0));
  await unpublished.sync();
  expect(unpublished.count()).toBe(2);
  unpublished.remove(id(0));
  unpublished.settle();
  unpublished.add(position(0), id(0), bodyOf(0));
  await unpublished.sync();
  expect(new Unpublished(layout).list().toSorted()).toEqual([id(0), id(1)]);
});

it("has no more than the bound, whether they are written or not", async () => {
  const { unpublished } = opened(limits.maxUnpublished - 1);
  await unpublished.sync();
  expect(unpublished.add(position(limits.maxUnpublished), id(limits.maxUnpublished), "{}")).toBe(true);
  expect(unpublished.add(position(limits.maxUnpublished + 1), id(limits.maxUnpublished + 1), "{}")).toBe(false);
});

it("writes with the next try what the disk has refused", async () => {
  const { folder, unpublished, layout } = opened(2);
  const path = `${folder}.away`;
  renameSync(folder, path);
  await expect(unpublished.sync()).rejects.toThrow("ENOENT");
  expect(unpublished.count()).toBe(0);
  renameSync(path, folder);
  await unpublished.sync();
  expect(new Unpublished(layout).list()).toEqual([id(0), id(1)]);
});

it("is readable by its user alone (posix)", async () => {
  const { folder, unpublished, files } = opened(1);
  await unpublished.sync();
  expect(statSync(join(folder, files()[0] ?? "")).mode & 0o777).toBe(0o600);
});
