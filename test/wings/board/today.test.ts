// `board --today`: each project's day as characters, the worst of each hour, within the terminal.
import { expect, it } from "vitest";
import { dayOf } from "../../../src/overview/day.ts";
import { printDay } from "../../../src/wings/board/today.ts";
import { widthOf } from "../../../src/console/output/text.ts";
import { eventOf } from "../../policies/messages.ts";
import { temporaryProject } from "../../support/project/running-project.ts";

const at = (hours: number, minutes = 0): number => new Date(2026, 10, 23, hours, minutes).getTime();

const happens = (atMs: number, name: string, project = "shop") => ({
  at: atMs,
  event: eventOf(name, { project }, atMs),
});

const day = dayOf(
  [
    happens(at(0), "Stop"),
    happens(at(9, 10), "Stop"),
    happens(at(9, 40), "PermissionRequest"),
    happens(at(23, 59), "StopFailure"),
    happens(at(12), "Stop", "a-project-with-quite-a-long-name-\u001B[31m"),
  ],
  at(23, 59),
);

it("has one character for an hour, or for half an hour where there is room", () => {
  const [head, shop] = printDay(day, { columns: 80, isColor: false }).split("\n");
  expect(head).toMatch(/^Today +0 {5}6 {5}12 {4}18/);
  expect(shop).toMatch(/^shop +-········\?·{13}x +3 turns, 1 question, 1 failure$/);
  const [hours, wide] = printDay(day, { columns: 120, isColor: false }).split("\n");
  expect(hours).toMatch(/^Today +0 {5}3 {5}6 {5}9 {5}12 {4}15 {4}18 {4}21/);
  expect(wide).toMatch(/^shop +-·{17}-\?·{27}x /);
  expect(printDay(dayOf([], at(1)), { columns: 80, isColor: false })).toBe("nothing has happened today\n");
});

it.each([60, 80, 120, 200])("stays within %i columns, and controls nothing", (columns) => {
  const shown = printDay(day, { columns, isColor: false });
  expect(shown.split("\n").filter((row) => widthOf(row) > columns)).toEqual([]);
  expect(shown).not.toContain("\u001B");
});

it("is a command, with JSON for programs, also of the demo", async () => {
  const project = temporaryProject();
  expect(await project.run(["board", "--today"])).toMatchObject({ code: 0, stdout: "nothing has happened today\n" });
  const { stdout } = await project.run(["board", "--today", "--json", "--demo"]);
  expect((JSON.parse(stdout) as { projects: unknown[] }).projects.length).toBeGreaterThan(0);
  expect(await project.run(["board", "--today", "--once"])).toMatchObject({ code: 64 });
});
