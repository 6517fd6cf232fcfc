// What Claude Code's tools would do, in one line.
import {
  asksQuestions,
  edits,
  fetches,
  reads,
  runs,
  searches,
  startsHelper,
  startsPlan,
  writes,
  type ToolReader,
} from "../../dialect/tool-line.ts";

export const claudeTools: Readonly<Record<string, ToolReader>> = {
  Bash: runs,
  PowerShell: runs,
  Monitor: runs,
  Edit: edits,
  MultiEdit: edits,
  NotebookEdit: edits,
  Write: writes,
  Read: reads,
  WebFetch: fetches,
  WebSearch: searches,
  Agent: startsHelper,
  Task: startsHelper,
  AskUserQuestion: asksQuestions,
  ExitPlanMode: startsPlan,
};
