// Answers of a rules file whose machine takes part in a fleet.
import { expect, it } from "vitest";
import { loadRules } from "../../../src/rules/load.ts";

it("may come from another machine, so no channel here has to take them", async () => {
  const fleet = { servers: ["nats://127.0.0.1:4222"], org: "acme", person: "ada" };
  const channels = { desktop: { type: "desktop" } };
  const rules = [{ when: { event: "Stop" }, notify: ["desktop"] }];
  const loaded = await loadRules(JSON.stringify({ channels, rules, answers: {}, fleet }));
  expect(loaded).toMatchObject({ status: "good", warnings: [] });
});
