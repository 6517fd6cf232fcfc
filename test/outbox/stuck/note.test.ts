// The note of what a dispatcher is at says it for as long as that lasts, and nothing of another process.
import { existsSync, mkdirSync, rmSync, rmdirSync, writeFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import {
  beginWork,
  closeNote,
  duringWork,
  openNote,
  putNoteAside,
  readNote,
  readNoteAside,
  removeNoteAside,
} from "../../../src/outbox/stuck/note.ts";
import { ownPid } from "../../../src/system/process/identity.ts";
import { temporaryState } from "../../support/project/temporary-state.ts";

function opened(at = 5) {
  const layout = temporaryState();
  openNote(layout, () => at);
  onTestFinished(() => closeNote(layout));
  return layout;
}
const turn = () => new Promise(setImmediate);

it("what lasts stands in the note until it ends, and then what lasted before", async () => {
  const layout = opened();
  const end = beginWork({ work: "incoming/a" });
  await turn();
  expect(readNote(layout, ownPid)).toEqual({ pid: ownPid, at: 5, work: "incoming/a" });
  const endInner = beginWork({ work: "outbox/b", file: "/repo/x" });
  expect(readNote(layout, ownPid)).toMatchObject({ work: "outbox/b", file: "/repo/x" });
  endInner();
  await turn();
  expect(readNote(layout, ownPid)).toMatchObject({ work: "incoming/a", file: undefined });
  end();
  await turn();
  expect(readNote(layout, ownPid)).toEqual({ pid: ownPid, at: 5, work: undefined, file: undefined });
});

it("what takes one turn of the event loop is noted while it runs, also where it fails", async () => {
  const layout = opened();
  const noted = duringWork("outbox/b", () => readNote(layout, ownPid)?.work);
  await turn();
  expect([noted, readNote(layout, ownPid)?.work]).toEqual(["outbox/b", undefined]);
  const failing = (): void => {
    throw new Error("a bug");
  };
  expect(() => duringWork("outbox/c", failing)).toThrow("a bug");
  await turn();
  expect(readNote(layout, ownPid)?.work).toBeUndefined();
});

it("a note counts for the process that wrote it, and a torn one for none", () => {
  const layout = opened();
  expect(readNote(layout, ownPid + 1)).toBeUndefined();
  for (const text of ["", "torn", '{"pid":"1","at":1}', `{"pid":${ownPid}}`]) {
    writeFileSync(`${layout.lease}.at`, text);
    expect(readNote(layout, ownPid)).toBeUndefined();
  }
  rmSync(`${layout.lease}.at`);
  mkdirSync(`${layout.lease}.at`);
  expect(readNote(layout, ownPid)).toBeUndefined();
  rmdirSync(`${layout.lease}.at`);
  writeFileSync(`${layout.lease}.at`, JSON.stringify({ pid: ownPid, at: 1, file: "/t", grows: true }));
  expect(readNote(layout, ownPid)).toEqual({ pid: ownPid, at: 1, work: undefined, file: "/t", grows: true });
});

it("a dispatcher that ends takes its own note with it, and leaves another's", () => {
  const layout = opened();
  closeNote(layout);
  expect(existsSync(`${layout.lease}.at`)).toBe(false);
  openNote(layout, () => 5);
  const other = JSON.stringify({ pid: ownPid + 1, at: 9, work: "incoming/a" });
  writeFileSync(`${layout.lease}.at`, other);
  closeNote(layout);
  expect(readNote(layout, ownPid + 1)).toMatchObject({ at: 9 });
  beginWork({ work: "incoming/c" })();
  expect(readNote(layout, ownPid + 1)?.work).toBe("incoming/a");
});

it("the note of a dispatcher that is ended is found by the next one, once", () => {
  const layout = temporaryState();
  expect(readNoteAside(layout)).toBeUndefined();
  writeFileSync(`${layout.lease}.at`, JSON.stringify({ pid: 7, at: 9, work: "incoming/a" }));
  putNoteAside(layout);
  expect(readNote(layout, 7)).toBeUndefined();
  expect(readNoteAside(layout)).toEqual({ pid: 7, at: 9, work: "incoming/a", file: undefined });
  removeNoteAside(layout);
  expect(readNoteAside(layout)).toBeUndefined();
});
