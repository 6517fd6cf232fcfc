// What Droid's tools would do, in one line.
import { textOf } from "../../dialect/values.ts";
import {
  edits,
  fetches,
  patches,
  reads,
  runs,
  searches,
  startsHelper,
  startsPlan,
  withChoices,
  writes,
  type ToolReader,
} from "../../dialect/tool-line.ts";

/** A questionnaire is a text: `1. [question] Which one?`, `[topic] Pick`, `[option] A`. */
const asksQuestionnaire: ToolReader = ({ input }) => {
  const questions: { text: string; choices: string[] }[] = [];
  for (const [, kind, text = ""] of (textOf(input.questionnaire) ?? "").matchAll(/\[(question|option)\]\s*(.+)/g)) {
    if (kind === "question") questions.push({ text: text.trim(), choices: [] });
    else questions.at(-1)?.choices.push(text.trim());
  }
  const lines = questions.map(({ text, choices }) => withChoices(text, choices));
  return lines.length === 0 ? undefined : lines.join("\n");
};

export const droidTools: Readonly<Record<string, ToolReader>> = {
  Execute: runs,
  Script: runs,
  Edit: edits,
  MultiEdit: edits,
  ApplyPatch: patches,
  Create: writes,
  Read: reads,
  FetchUrl: fetches,
  WebSearch: searches,
  Task: startsHelper,
  AskUser: asksQuestionnaire,
  ExitSpecMode: startsPlan,
  ProposeMission: startsPlan,
};
