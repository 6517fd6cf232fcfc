// How agents' transcripts are read, by the agents' ids. Made from the folders of known/ by `npm run generate`.
import type { TranscriptFormat } from "./dialect/transcript.ts";
import { claudeCodeTranscript } from "./known/claude-code/transcript.ts";
import { codexTranscript } from "./known/codex/transcript.ts";
import { droidTranscript } from "./known/droid/transcript.ts";
import { geminiCliTranscript } from "./known/gemini-cli/transcript.ts";
import { opencodeTranscript } from "./known/opencode/transcript.ts";
import { qwenCodeTranscript } from "./known/qwen-code/transcript.ts";

export const transcripts: Readonly<Record<string, TranscriptFormat>> = {
  "claude-code": claudeCodeTranscript,
  codex: codexTranscript,
  droid: droidTranscript,
  "gemini-cli": geminiCliTranscript,
  opencode: opencodeTranscript,
  "qwen-code": qwenCodeTranscript,
};
