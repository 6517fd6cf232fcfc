// A month of made-up transcripts, up to a moment.
import { writeTranscripts } from "./transcript-home.ts";

const dayMs = 86_400_000;
const models = ["claude-opus-4-6", "claude-sonnet-4-6", "claude-haiku-4-5"];
const tools = ["Bash", "Read", "Edit"];

/** One session of Claude Code a day, with more or fewer answers, the last one at `nowMs`. Returns how many answers; each calls a tool. */
export function writeMonth(home: string, nowMs: number, days = 30): number {
  const files = Array.from({ length: days }, (_, ago): [string, object[]] => {
    const answers = 2 + ((days - ago) % 5);
    const lines = Array.from({ length: answers }, (__, index) =>
      answerOf(nowMs - ago * dayMs - index * 60_000, ago, index),
    );
    return [`.claude/projects/shop/s${ago}.jsonl`, lines];
  });
  writeTranscripts(home, Object.fromEntries(files));
  return files.reduce((sum, [, lines]) => sum + lines.length, 0);
}

function answerOf(atMs: number, session: number, index: number): object {
  const model = models[index % models.length];
  const tool = { type: "tool_use", id: `tool_${session}_${index}`, name: tools[index % tools.length], input: {} };
  return {
    type: "assistant",
    sessionId: `s${session}`,
    uuid: `u${session}_${index}`,
    requestId: `req_${session}_${index}`,
    timestamp: new Date(atMs).toISOString(),
    message: {
      id: `msg_${session}_${index}`,
      role: "assistant",
      model,
      content: [tool],
      usage: { input_tokens: 4000 + 700 * index, output_tokens: 900 + 150 * ((session * 7) % 11) },
    },
  };
}
