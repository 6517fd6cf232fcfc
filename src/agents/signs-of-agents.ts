// How agents show that they were answered at their terminals, by the agents' ids. Made from the folders of known/ by
// `npm run generate`.
import type { AnswerSigns } from "./answer-signs.ts";
import { claudeCodeAnswerSigns } from "./known/claude-code/answer-signs.ts";
import { clineAnswerSigns } from "./known/cline/answer-signs.ts";
import { codexAnswerSigns } from "./known/codex/answer-signs.ts";
import { copilotCliAnswerSigns } from "./known/copilot-cli/answer-signs.ts";
import { droidAnswerSigns } from "./known/droid/answer-signs.ts";
import { geminiCliAnswerSigns } from "./known/gemini-cli/answer-signs.ts";
import { qwenCodeAnswerSigns } from "./known/qwen-code/answer-signs.ts";

export const answerSigns: Readonly<Record<string, AnswerSigns>> = {
  "claude-code": claudeCodeAnswerSigns,
  cline: clineAnswerSigns,
  codex: codexAnswerSigns,
  "copilot-cli": copilotCliAnswerSigns,
  droid: droidAnswerSigns,
  "gemini-cli": geminiCliAnswerSigns,
  "qwen-code": qwenCodeAnswerSigns,
};
