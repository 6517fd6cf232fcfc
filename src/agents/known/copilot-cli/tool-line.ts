// What Copilot CLI's tools would do, in one line.
import {
  asksQuestions,
  edits,
  fetches,
  reads,
  runs,
  searches,
  startsHelper,
  writes,
  type ToolReader,
} from "../../dialect/tool-line.ts";

/** By both of its names: lower case under camelCase keys, Claude Code's under PascalCase keys. */
export const copilotTools: Readonly<Record<string, ToolReader>> = {
  bash: runs,
  Bash: runs,
  powershell: runs,
  edit: edits,
  Edit: edits,
  str_replace_editor: edits,
  create: writes,
  Write: writes,
  view: reads,
  Read: reads,
  web_fetch: fetches,
  WebFetch: fetches,
  web_search: searches,
  task: startsHelper,
  Agent: startsHelper,
  ask_user: asksQuestions,
};
