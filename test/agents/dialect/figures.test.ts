// The table and the chart of a payload are taken over whole, or left out.
import { describe, expect, it } from "vitest";
import { readFigures } from "../../../src/agents/dialect/generic.ts";
import { readPayload } from "../../../src/agents/read-payload.ts";

const table = { columns: ["", "Today"], rows: [["Credits", "7"]] };
const chart = { title: "Credits", labels: ["Mon", "Tue"], values: [1, 2] };

describe("figures", () => {
  it.each<[string, unknown, unknown]>([
    ["both", { table, chart }, { table, chart }],
    ["a table", { table }, { table }],
    ["a chart", { chart }, { chart }],
    ["further fields", { table: { ...table, more: 1 }, more: 1 }, { table }],
    ["an odd table beside a chart", { table: 1, chart }, { chart }],
    ["nothing", undefined, undefined],
    ["a text", "figures", undefined],
    ["a row that is too short", { table: { ...table, rows: [["a"]] } }, undefined],
    ["a number in a row", { table: { ...table, rows: [["a", 1]] } }, undefined],
    ["too many rows", { table: { columns: ["a"], rows: Array.from({ length: 51 }, () => ["a"]) } }, undefined],
    ["too many columns", { table: { columns: Array.from({ length: 9 }, () => "a"), rows: [] } }, undefined],
    ["a long text", { table: { columns: ["a".repeat(201)], rows: [] } }, undefined],
    ["a chart without values", { chart: { ...chart, labels: [], values: [] } }, undefined],
    ["a chart with a value too few", { chart: { ...chart, values: [1] } }, undefined],
    ["a chart with a text as a value", { chart: { ...chart, values: [1, "2"] } }, undefined],
    [
      "too many points",
      {
        chart: {
          title: "t",
          labels: Array.from({ length: 101 }, () => "a"),
          values: Array.from({ length: 101 }, () => 1),
        },
      },
      undefined,
    ],
  ])("are read from %s", (_, value, expected) => {
    expect(readFigures(value)).toEqual(expected);
  });

  it("are part of what any agent may report in the common dialect", () => {
    const payload = { hook_event_name: "UsageDigest", session_id: "s", cwd: "usage", figures: { table } };
    const reading = readPayload(JSON.stringify(payload), { agentId: "platform", env: {} });
    expect(reading).toMatchObject({ status: "valid", agentId: "platform", facts: { figures: { table } } });
  });
});
