// What Qwen Code's tools would do, in one line.
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

export const qwenTools: Readonly<Record<string, ToolReader>> = {
  run_shell_command: runs,
  edit: edits,
  replace: edits,
  write_file: writes,
  read_file: reads,
  web_fetch: fetches,
  web_search: searches,
  agent: startsHelper,
  task: startsHelper,
  ask_user_question: asksQuestions,
  exit_plan_mode: startsPlan,
};
