import { randomUUID } from "node:crypto";
import { listOf, sendEvents, sendJson, textOf, type Json, type Protocol, type Schema, type Turn } from "./protocol.ts";

/** https://docs.anthropic.com/en/api/messages-streaming */
export const anthropic: Protocol = {
  matches: (path) => path.endsWith("/messages"),
  read: (body) => ({
    turns: listOf(body.messages).flatMap(turnsOf),
    tools: listOf(body.tools).map(({ name, input_schema: schema }) => ({
      name: String(name),
      schema: (schema ?? {}) as Schema,
    })),
    answerSchema: undefined,
    isStream: body.stream === true,
    model: String(body.model),
  }),
  answer({ model, isStream }, { say, calls }, response) {
    const stopReason = calls === undefined ? "end_turn" : "tool_use";
    // Claude Code takes messages of one id for parts of one.
    const id = randomUUID();
    const message = { id: `msg_${id}`, type: "message", role: "assistant", model, stop_sequence: null };
    const usage = { input_tokens: 1, output_tokens: 1 };
    const blocks = calls?.map(({ tool, input }, index) => ({
      whole: { type: "tool_use", id: `toolu_${index}_${id}`, name: tool.name, input },
      empty: { input: {} },
      delta: { type: "input_json_delta", partial_json: JSON.stringify(input) },
    })) ?? [{ whole: { type: "text", text: say }, empty: { text: "" }, delta: { type: "text_delta", text: say } }];
    if (!isStream) {
      const content = blocks.map(({ whole }) => whole);
      sendJson(response, 200, { ...message, content, stop_reason: stopReason, usage });
      return;
    }
    const events = [
      { type: "message_start", message: { ...message, content: [], stop_reason: null, usage } },
      ...blocks.flatMap(({ whole, empty, delta }, index) => [
        { type: "content_block_start", index, content_block: { ...whole, ...empty } },
        { type: "content_block_delta", index, delta },
        { type: "content_block_stop", index },
      ]),
      { type: "message_delta", delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: 1 } },
      { type: "message_stop" },
    ];
    sendEvents(
      response,
      events.map((data) => ({ name: data.type, data })),
    );
  },
};

function turnsOf({ role, content }: Json): Turn[] {
  const results = listOf(content).filter(({ type }) => type === "tool_result");
  const text = textOf(content);
  return [
    ...results.map((): Turn => ({ role: "tool", text: "" })),
    ...(text === "" ? [] : [{ role: role === "assistant" ? "assistant" : "user", text } satisfies Turn]),
  ];
}
