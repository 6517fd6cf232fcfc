// The service's known flaws: one MCP server under two spellings, and tool names that are debris.
import { describe, expect, it } from "vitest";
import { isToolName, mergeMcpServers, tidyTools, tidyToolsByName } from "../../../src/usage/client/tidy.ts";
import { exampleMeta, exampleToolsRow } from "../../support/usage/examples.ts";

describe("MCP servers", () => {
  it("are merged under the spelling that is used most", () => {
    const servers = [
      { server: "GitHub", invocations: 5 },
      { server: "linear", invocations: 6 },
      { server: "github", invocations: 7 },
      { server: "GITHUB", invocations: 1 },
    ];
    expect(mergeMcpServers(servers)).toEqual([
      { server: "github", invocations: 13 },
      { server: "linear", invocations: 6 },
    ]);
    expect(mergeMcpServers([])).toEqual([]);
  });
});

describe("a tool's name", () => {
  it.each(["Bash", "mcp__github__create_issue", "str_replace_based_edit_tool", "web-search", "ns:tool", "工具"])(
    "may be %s",
    (name) => {
      expect(isToolName(name)).toBe(true);
    },
  );
  it.each(["", '{"name": "Ba', "Bash\n", "Read file", "<tool>", "a".repeat(129), "1st", "Bash\u0000"])(
    "is not %j",
    (name) => {
      expect(isToolName(name)).toBe(false);
    },
  );
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
