// What Codex's tools would do, in one line.
import { fetches, patches, runs, searches, startsHelper, type ToolReader } from "../../dialect/tool-line.ts";

export const codexTools: Readonly<Record<string, ToolReader>> = {
  Bash: runs,
  shell: runs,
  exec_command: (call) => runs({ ...call, input: { command: call.input.cmd ?? call.input.command } }),
  apply_patch: patches,
  web_fetch: fetches,
  web_search: searches,
  spawn_agent: startsHelper,
};
