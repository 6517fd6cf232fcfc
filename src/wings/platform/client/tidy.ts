// Fixes two known flaws of tool figures: servers spelled two ways, and broken tool names.
import type { Envelope, ToolsByNameRow, ToolsRow } from "../contract/analytics.ts";

/** A tool's name that looks like an error in reading it. */
export interface Artifact {
  date: string;
  tool: string;
  invocations: number;
}

type McpServers = ToolsRow["mcp_by_server"];

/** The most used spelling of each name over all rows, by the name in lower case. */
function usualSpellings(rows: readonly ToolsRow[]): Map<string, string> {
  const used = new Map<string, number>();
  for (const { server, invocations } of rows.flatMap(({ mcp_by_server }) => mcp_by_server)) {
    used.set(server, (used.get(server) ?? 0) + invocations);
  }
  const rarestFirst = [...used].toSorted(([, a], [, b]) => a - b);
  return new Map(rarestFirst.map(([spelling]) => [spelling.toLowerCase(), spelling]));
}

/** Names of a day that differ only by letter case become one. */
function mergeMcpServers(servers: McpServers, spellings: ReadonlyMap<string, string>): McpServers {
  const merged = new Map<string, McpServers[number]>();
  for (const each of servers) {
    const server = spellings.get(each.server.toLowerCase()) ?? each.server;
    const known = merged.get(server);
    merged.set(server, { ...each, ...known, server, invocations: each.invocations + (known?.invocations ?? 0) });
  }
  return [...merged.values()].sort((a, b) => b.invocations - a.invocations);
}

/** Debris has blanks, brackets or quotes, or is long. A tool of an MCP server may begin with a digit or an `@`, as its server does. */
export function isToolName(name: string): boolean {
  return /^(?:[\p{L}_]|[\p{N}@](?=.*[^_]__+[^_]))[\p{L}\p{N}_.:/@-]{0,127}$/u.test(name);
}

export function tidyTools(envelope: Envelope<ToolsRow>): Envelope<ToolsRow> & { artifacts: Artifact[] } {
  const spellings = usualSpellings(envelope.data);
  const data = envelope.data.map((row) => ({
    ...row,
    by_tool: row.by_tool.filter(({ tool }) => isToolName(tool)),
    mcp_by_server: mergeMcpServers(row.mcp_by_server, spellings),
  }));
  const artifacts = envelope.data.flatMap(({ date, by_tool }) =>
    by_tool.filter(({ tool }) => !isToolName(tool)).map(({ tool, invocations }) => ({ date, tool, invocations })),
  );
  return { ...envelope, data, artifacts };
}

export function tidyToolsByName(
  envelope: Envelope<ToolsByNameRow>,
): Envelope<ToolsByNameRow> & { artifacts: Artifact[] } {
  const artifacts = envelope.data
    .filter(({ group_key }) => !isToolName(group_key))
    .map(({ date, group_key, tool_calls }) => ({ date, tool: group_key, invocations: tool_calls }));
  return { ...envelope, data: envelope.data.filter(({ group_key }) => isToolName(group_key)), artifacts };
}
