// A rules file with the part of a wing, on a hookbell that has the wing or not: scripts/checks/wings.mjs runs this without each.
import { expect, it } from "vitest";
import { loadRules } from "../../../src/rules/load.ts";
import { wings } from "../../../src/wings/index.ts";

const parts = {
  fleet: { servers: ["nats://127.0.0.1:4222"], org: "acme", person: "ada" },
  platform: { baseUrl: "https://api.example.com" },
};

it.each(Object.entries(parts))("says of %s whether this hookbell has it, and reads the rest", async (name, part) => {
  const channels = { desktop: { type: "desktop" } };
  const rules = [{ notify: ["desktop"] }];
  const loaded = await loadRules(JSON.stringify({ channels, rules, [name]: part }));
  expect(loaded).toMatchObject({ status: "good", rules: { rules: [{ notify: ["desktop"] }] } });
  const said = loaded.warnings.map(({ path, message }) => `${path}: ${message}`);
  const isHere = wings.some((wing) => wing.name === name);
  expect(said).toEqual(isHere ? [] : [`${name}: this hookbell has no ${name}, so this does nothing`]);
});
