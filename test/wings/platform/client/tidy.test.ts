// The service's known flaws: one MCP server under two spellings, and tool names that are debris.
import { describe, expect, it } from "vitest";
import { isToolName, tidyTools, tidyToolsByName } from "../../../../src/wings/platform/client/tidy.ts";
import { exampleMeta, exampleToolsRow } from "../../../support/usage/examples.ts";

describe("MCP servers", () => {
  const merged = (...days: [server: string, invocations: number][][]): unknown[][] =>
    tidyTools({
      data: days.map((servers, index) => ({
        ...exampleToolsRow,
        date: `2026-03-0${index + 1}`,
        mcp_by_server: servers.map(([server, invocations]) => ({ server, invocations })),
      })),
      meta: exampleMeta,
    }).data.map(({ mcp_by_server }) => mcp_by_server.map(({ server, invocations }) => [server, invocations]));

  it("are merged under the spelling that is used most", () => {
    const day: [string, number][] = [
      ["GitHub", 5],
      ["linear", 6],
      ["github", 7],
      ["GITHUB", 1],
    ];
    expect(merged(day, [])).toEqual([
      [
        ["github", 13],
        ["linear", 6],
      ],
      [],
    ]);
  });

  it("have one spelling over all days, also on a day that used another one more", () => {
    expect(merged([["GitHub", 3]], [["github", 2]], [["github", 2]])).toEqual([
      [["github", 3]],
      [["github", 2]],
      [["github", 2]],
    ]);
  });
});

describe("a tool's name", () => {
  it.each([
    ["Bash", "mcp__github__create_issue", "str_replace_based_edit_tool", "web-search", "ns:tool", "工具"],
    ["21st-magic___create", "@scope/x___y", "mcp__@scope/x__y", "1mcp__list"],
  ])("may be %s", (...names) => {
    expect(names.filter((name) => !isToolName(name))).toEqual([]);
  });
  it.each([
    ["", '{"name": "Ba', "Bash\n", "Read file", "<tool>", "a".repeat(129), "1st", "Bash\u0000"],
    ["@", "@scope/x", "12", "1___", "21st magic___create", `2${"a".repeat(126)}__b`],
  ])("is not %j", (...names) => {
    expect(names.filter((name) => isToolName(name))).toEqual([]);
  });
});

describe("tidy figures", () => {
  const broken = { tool: "{broken", invocations: 1 };
  it("list what is no name apart, and lose no call", () => {
    const row = { ...exampleToolsRow, by_tool: [...exampleToolsRow.by_tool, broken] };
    const tidy = tidyTools({ data: [row], meta: exampleMeta });
    expect(tidy.data[0]?.by_tool).toEqual(exampleToolsRow.by_tool);
    expect(tidy.data[0]?.mcp_by_server).toEqual([{ server: "github", invocations: 12 }]);
    expect(tidy.data[0]?.tool_calls).toBe(row.tool_calls);
    expect(tidy.artifacts).toEqual([{ date: row.date, ...broken }]);
    expect(tidy.meta).toEqual(exampleMeta);
  });

  it("do the same where each tool has a row", () => {
    const good = { date: "2026-03-01", group_key: "Bash", tool_calls: 3 };
    const bad = { date: "2026-03-01", group_key: "{broken", tool_calls: 1 };
    const tidy = tidyToolsByName({ data: [good, bad], meta: exampleMeta });
    expect(tidy.data).toEqual([good]);
    expect(tidy.artifacts).toEqual([{ date: "2026-03-01", ...broken }]);
  });
});
