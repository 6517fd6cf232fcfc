import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ensureLayout, layoutOf, type Layout } from "../../../src/outbox/layout.ts";
import { remoteFolder, type SpoolRemote, writeRemote } from "../../../src/wings/remote/remotes.ts";
import { countUnreadable, lookAtSpool, openSpool } from "../../../src/wings/remote/spool.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

const nowMs = 1_800_000_000_000;

interface Spool {
  layout: Layout;
  remote: SpoolRemote;
  path: string;
}

function open(): Spool {
  const folder = temporaryFolder();
  const layout = layoutOf(join(folder, "state"));
  ensureLayout(layout);
  const path = join(folder, "spool");
  const remote: SpoolRemote = { name: "box", transport: "file", target: path, owner: "1" };
  writeRemote(layout, remote);
  return { layout, remote, path };
}

const nameOf = (index: number): string => `${1_799_999_000 + index}000-000000000001-7-${index}.claude-code.Stop.-.json`;
const payloadOf = (index: number, length = 0): string => JSON.stringify({ n: index, text: "x".repeat(length) });
const lineOf = (index: number, length = 0): string => `\n${nameOf(index)} ${payloadOf(index, length)}\n`;

async function readAll({ layout, remote }: Spool): Promise<void> {
  const reader = openSpool(layout, remote, () => true);
  while ((await reader.step(nowMs)).isMore);
}

const contents = ({ layout }: Spool): string[] =>
  readdirSync(layout.incoming)
    .sort()
    .map((name) => readFileSync(join(layout.incoming, name), "utf8"));
const numbers = (spool: Spool): number[] => contents(spool).map((text) => (JSON.parse(text) as { n: number }).n);

it("takes whole lines in, in their order, and names agent, event and machine", async () => {
  const spool = open();
  writeFileSync(spool.path, lineOf(0) + lineOf(1).slice(0, -1));
  await readAll(spool);
  expect(contents(spool)).toEqual([payloadOf(0)]);
  appendFileSync(spool.path, "\r\n");
  await readAll(spool);
  expect(contents(spool)).toEqual([payloadOf(0), payloadOf(1)]);
  expect(readdirSync(spool.layout.incoming)[0]).toContain(".claude-code.Stop.");
  expect(readdirSync(spool.layout.incoming)[0]).toContain("box");
});

type Act = "append" | "half" | "read" | "kill" | "grown copy" | "rotate" | "cut";

it("takes each event in once and in order, however the file is cut into appends, replaced, and the reader killed", async () => {
  const acts = fc.array(
    fc.record({
      act: fc.constantFrom<Act>("append", "half", "read", "kill", "grown copy", "rotate", "cut"),
      length: fc.constantFrom(0, 10, 5000),
      part: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    }),
    { maxLength: 25 },
  );
  await fc.assert(
    fc.asyncProperty(acts, async (given) => {
      const spool = open();
      const { layout, remote, path } = spool;
      let text = "";
      let count = 0;
      const add = (length: number): void => void (text += lineOf(count++, length));
      writeFileSync(path, "");
      for (const { act, length, part } of given) {
        if (act === "read") await readAll(spool);
        // One step of a process that is killed: before the events are taken in, or before they are noted.
        else if (act === "kill") {
          let looks = part < 0.5 ? 0 : 1;
          await openSpool(layout, remote, () => looks-- > 0)
            .step(nowMs)
            .catch((error: unknown) => expect(String(error)).toContain("taken over"));
        } else if (act === "append") {
          add(length);
          appendFileSync(path, text.slice(readFileSync(path).length));
        } else if (act === "half") {
          add(length);
          const missing = text.slice(readFileSync(path).length);
          appendFileSync(path, missing.slice(0, Math.floor(missing.length * part)));
        } else if (act === "grown copy") {
          add(length);
          rmSync(path);
          writeFileSync(path, text);
        } else if (act === "rotate") {
          // The new file begins with some of the old lines, at least the last one, which may be unread.
          await readAll(spool);
          const lines = text.split("\n\n");
          const kept = lines.slice(Math.floor(lines.length * part)).join("\n\n");
          text = kept === "" || kept.startsWith("\n") ? kept : `\n${kept}`;
          rmSync(path);
          writeFileSync(path, text);
        } else {
          // A copy that is being written, over the old one.
          truncateSync(path, Math.floor(readFileSync(path).length * part));
          await readAll(spool);
        }
      }
      writeFileSync(path, text);
      await readAll(spool);
      await readAll(spool);
      expect(numbers(spool)).toEqual(Array.from({ length: count }, (_, index) => index));
    }),
    { numRuns: 40 },
  );
});

it("knows what a reader took in that was killed before it noted it, also when another file has the line further behind", async () => {
  const spool = open();
  writeFileSync(spool.path, lineOf(0));
  await openSpool(spool.layout, spool.remote, () => true).step(nowMs);
  rmSync(join(remoteFolder(spool.layout, "box"), "read.json"));
  const others = Array.from({ length: 70 }, (_, index) => index + 1);
  writeFileSync(spool.path, [...others, 0].map((index) => lineOf(index)).join(""));
  await readAll(spool);
  expect(numbers(spool)).toEqual([0, ...others]);
});

it("takes nothing once another dispatcher has taken over", async () => {
  const spool = open();
  writeFileSync(spool.path, lineOf(0));
  await expect(openSpool(spool.layout, spool.remote, () => false).step(nowMs)).rejects.toThrow("taken over");
  expect(contents(spool)).toEqual([]);
  await readAll(spool);
  expect(contents(spool)).toEqual([payloadOf(0)]);
});

it("keeps two events apart whose hooks had one name, and takes one in that comes twice", async () => {
  const spool = open();
  const [first, other] = [payloadOf(1), payloadOf(2)];
  writeFileSync(spool.path, [first, other, first].map((payload) => `${nameOf(0)} ${payload}\n`).join(""));
  await readAll(spool);
  expect(contents(spool)).toEqual([first, other]);
});

it("skips what is no event and lines over 8 MiB, with memory for one line, and counts them", async () => {
  const spool = open();
  const strange = [
    "hello",
    `../../etc/passwd ${payloadOf(1)}`,
    `${nameOf(1).replace("claude-code", "a/b")} {}`,
    // A hook on a full disk has left this.
    `${nameOf(1)} {"n":1,"te`,
  ];
  writeFileSync(spool.path, `${strange.join("\n")}\n${nameOf(2)} {"text":"`);
  for (let part = 0; part < 20; part += 1) appendFileSync(spool.path, "x".repeat(1024 * 1024));
  await readAll(spool);
  appendFileSync(spool.path, `"}\n${lineOf(3, 7 * 1024 * 1024)}${lineOf(4)}`);
  await readAll(spool);
  expect(numbers(spool)).toEqual([3, 4]);
  expect(countUnreadable(spool.layout, "box")).toBe(5);
});

it.each(["link (posix)", "folder", "pipe (posix)"])("reads no %s in the file's place", async (kind) => {
  const spool = open();
  const secret = join(spool.layout.root, "secret");
  writeFileSync(secret, lineOf(0));
  if (kind.startsWith("link")) symlinkSync(secret, spool.path);
  else if (kind === "folder") mkdirSync(spool.path);
  else execFileSync("mkfifo", [spool.path]);
  const reader = openSpool(spool.layout, spool.remote, () => true);
  await expect(reader.step(nowMs)).rejects.toThrow("not a regular file");
  expect(lookAtSpool(spool.path).why).toBe("the file is a link, a folder or a device, and is not read");
  expect(contents(spool)).toEqual([]);
  // The same reader goes on when the file is there.
  rmSync(spool.path, { recursive: true });
  await expect(reader.step(nowMs)).rejects.toThrow("no such file yet");
  linkSync(secret, spool.path);
  expect(await reader.step(nowMs)).toEqual({ count: 1, isMore: true });
});

it("tells what the hook has dropped, and when the file is full", () => {
  const { path } = open();
  expect(lookAtSpool(path)).toEqual({ isFull: false, dropped: 0, why: "no such file yet" });
  writeFileSync(path, "");
  truncateSync(path, 64 * 1024 * 1024);
  writeFileSync(`${path}.dropped`, "...");
  expect(lookAtSpool(path)).toEqual({ isFull: true, dropped: 3 });
});
