// The JSON Schema that editors use is made from the schemas that the program uses, and says the same.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { channelTypes } from "../support/channels/all-types.ts";
import { rulesJsonSchema, rulesJsonSchemaText } from "../../src/rules/json-schema.ts";
import { loadRules } from "../../src/rules/load.ts";
import { everyRow } from "../support/rows.ts";

const config = fileURLToPath(new URL("../../config/", import.meta.url));
const schema = rulesJsonSchema(channelTypes);
/** Read back by someone else's code, as an editor would. */
const judge = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
const read = (text: string): unknown => parse(text, [], { allowTrailingComma: true });

describe("config/rules.schema.json", () => {
  it("is up to date", async () => {
    expect(readFileSync(join(config, "rules.schema.json"), "utf8"), "run: npm run generate").toBe(
      await rulesJsonSchemaText(),
    );
  });

  it("is draft 7, which editors know best, and allows what the file may have", () => {
    expect(schema).toMatchObject({
      $schema: "http://json-schema.org/draft-07/schema#",
      allowComments: true,
      allowTrailingCommas: true,
    });
  });

  it("describes every channel type and each of its settings", () =>
    everyRow(
      channelTypes.map((channelType) => [channelType.type, channelType] as const),
      ([type, { summary, docs }]) => {
        const { definitions } = schema as {
          definitions: Record<string, { properties: Record<string, { description?: string }>; required: string[] }>;
        };
        const definition = definitions[`${type}Channel`];
        expect(definition).toMatchObject({
          description: `${summary}: ${docs}`,
          properties: { type: { const: type }, expireAfter: { type: "string" } },
          additionalProperties: false,
        });
        expect(definition?.required[0]).toBe("type");
        const silent = Object.entries(definition?.properties ?? {}).filter(
          ([, { description }]) => description === undefined,
        );
        expect(silent.map(([name]) => name)).toEqual([]);
      },
    ));

  const examples = readdirSync(join(config, "examples")).map((name) => join("examples", name));
  it.each(["rules.default.jsonc", ...examples])("holds for %s", (name) => {
    expect(judge.safeParse(read(readFileSync(join(config, name), "utf8"))).error).toBeUndefined();
  });

  const file = (channel: unknown, rule: object): string =>
    JSON.stringify({ channels: { a: channel }, rules: [{ notify: ["a"], ...rule }] });
  const desktop = { type: "desktop" };
  it.each([
    [file(desktop, {}), true],
    [file({ ...desktop, expireAfter: "10m" }, {}), true],
    [file({ ...desktop, expireAfter: "ten minutes" }, {}), false],
    [file({ ...desktop, color: "red" }, {}), false],
    [file({ type: "carrier pigeon" }, {}), false],
    [file({}, {}), false],
    [file({ type: "slack", url: { env: "URL" } }, {}), true],
    [file({ type: "slack", url: { environment: "URL" } }, {}), false],
    [file({ type: "slack" }, {}), false],
    [file(desktop, { level: "error", final: true, title: "{project}" }), true],
    [file(desktop, { level: "loud" }), false],
    [file(desktop, { when: { event: ["Stop", { matches: "x" }, { not: ["y", { matches: "z" }] }] } }), true],
    [file(desktop, { when: { event: { not: { not: "x" } } } }), false],
    [file(desktop, { when: { event: [] } }), false],
    [file(desktop, { when: { branch: "main" } }), false],
    [file(desktop, { notify: "a" }), false],
    ["{}", false],
  ])("agrees with hookbell about %s", async (text, isGood) => {
    expect(judge.safeParse(read(text)).success).toBe(isGood);
    expect((await loadRules(text)).status).toBe(isGood ? "good" : "broken");
  });
});
