// Journals of a quarter of a million entries, and of 50 MB.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listJournal, writeJournal } from "../../../src/outbox/journal.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { temporaryProject } from "../../support/project/running-project.ts";
import { allOf, partOf } from "../../support/usage/page-journal.ts";
import { startPage } from "../../support/usage/page-server.ts";

it("the page reads a journal of 50 MB in parts, each once, and finds a word at its beginning", async () => {
  const server = await startPage();
  const device = await server.pair();
  const line = (day: number, index: number): string =>
    JSON.stringify({
      at: new Date(Date.UTC(2026, 9, day, 1, 0, 0, index)).toISOString(),
      kind: "notice",
      title: day === 1 && index === 0 ? "needle" : `notice ${day} ${index}`,
      body: "x".repeat(900),
    });
  const [days, linesOfDay] = [7, 7400];
  for (let day = 1; day <= days; day += 1) {
    const text = Array.from({ length: linesOfDay }, (_, index) => line(day, index)).join("\n");
    appendFileSync(join(server.layout.journal, `2026-10-0${day}.jsonl`), `${text}\n`);
  }
  const [newest] = (await partOf(server, device)).rows;
  expect(newest?.text).toMatch(`notice ${days} ${linesOfDay - 1}`);
  expect(await allOf(server, device, { words: "needle" })).toMatchObject([{ text: expect.stringContaining("needle") }]);
  const someOf = await allOf(server, device, { words: "7399" });
  expect(someOf.map(({ at: when }) => when)).toEqual(someOf.map(({ at: when }) => when).toSorted((a, b) => b - a));
  expect(someOf).toHaveLength(days);
});

it("log reads a journal of a quarter of a million entries", async () => {
  const project = temporaryProject();
  ensureLayout(project.layout);
  writeJournal(project.layout, Date.now(), { kind: "removed", what: "entry 1", why: "a test" });
  const [file = ""] = listJournal(project.layout);
  const path = join(project.layout.journal, file);
  writeFileSync(path, readFileSync(path, "utf8").repeat(250_000));
  const result = await project.command(["log", "--all", "--json"]);
  expect(result).toMatchObject({ code: 0, stderr: "" });
  expect(result.stdout.trimEnd().split("\n")).toHaveLength(250_000);
  expect((await project.command(["log", "--all"])).stdout).toMatch(/entry 1 · a test; 250000 times since \S+ \S+\n$/);
});
