// Fixes two known flaws of tool figures: servers spelled two ways, and broken tool names.
import type { Envelope, ToolsByNameRow, ToolsRow } from "../contract/analytics.ts";

/** A tool's name that looks like an error in reading it. */
export interface Artifact {
  date: string;
  tool: string;
  invocations: number;
}

/** Names that differ only by letter case become one, in the most used spelling. */
export function mergeMcpServers(servers: ToolsRow["mcp_by_server"]): ToolsRow["mcp_by_server"] {
  const merged = new Map<string, { spellings: ToolsRow["mcp_by_server"]; invocations: number }>();
  for (const server of servers) {
    const key = server.server.toLowerCase();
    const entry = merged.get(key) ?? { spellings: [], invocations: 0 };
    entry.spellings.push(server);
    entry.invocations += server.invocations;
    merged.set(key, entry);
  }
  return [...merged.values()]
    .map(({ spellings, invocations }) => {
      const [usual] = spellings.toSorted((a, b) => b.invocations - a.invocations);
      return { ...usual, server: usual?.server ?? "", invocations };
    })
    .sort((a, b) => b.invocations - a.invocations);
}

/** Debris has blanks, brackets or quotes, or is long. */
export function isToolName(name: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_.:/-]{0,127}$/u.test(name);
}

export function tidyTools(envelope: Envelope<ToolsRow>): Envelope<ToolsRow> & { artifacts: Artifact[] } {
  const data = envelope.data.map((row) => ({
    ...row,
    by_tool: row.by_tool.filter(({ tool }) => isToolName(tool)),
    mcp_by_server: mergeMcpServers(row.mcp_by_server),
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
