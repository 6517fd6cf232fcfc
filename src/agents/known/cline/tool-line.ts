// What Cline's tools would do, in one line.
import { edits, fetches, mcpCall, patches, reads, runs, writes, type ToolReader } from "../../dialect/tool-line.ts";
import { textOf } from "../../dialect/values.ts";

const runsCommands: ToolReader = (call) => {
  const { commands, command } = call.input;
  return runs({ ...call, input: { command: commands ?? command } });
};

export const clineTools: Readonly<Record<string, ToolReader>> = {
  run_commands: runsCommands,
  execute_command: runsCommands,
  write_to_file: writes,
  replace_in_file: edits,
  editor: edits,
  apply_patch: patches,
  read_file: reads,
  read_files: reads,
  fetch_web_content: fetches,
  web_fetch: fetches,
  use_mcp_tool: ({ input }) => {
    const [server, tool] = [textOf(input.server_name), textOf(input.tool_name)];
    return server === undefined || tool === undefined ? undefined : mcpCall(server, tool);
  },
};
