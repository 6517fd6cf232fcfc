import { expect, it } from "vitest";
import { loadRules } from "../../../src/rules/load.ts";

const warnedOf = async (more: object): Promise<string[]> => {
  const rules = [{ when: { event: "Stop" }, notify: ["desktop"] }];
  const loaded = await loadRules(JSON.stringify({ channels: { desktop: { type: "desktop" } }, rules, ...more }));
  return [...(loaded.status === "broken" ? loaded.problems : []), ...loaded.warnings].map(({ message }) => message);
};

it("warns of answers that only the page can give", async () => {
  const page = 'no channel has "answers": true, so questions wait only for the page of hookbell serve';
  expect(await warnedOf({ answers: {} })).toEqual([page]);
});
