import { callId, listOf, sendEvents, sendJson, textOf, type Json, type Protocol, type Schema } from "./protocol.ts";

/** https://platform.openai.com/docs/api-reference/chat-streaming */
export const chatCompletions: Protocol = {
  matches: (path) => path.endsWith("/chat/completions"),
  read: (body) => ({
    turns: listOf(body.messages).map(({ role, content }) => ({
      role: role === "tool" || role === "assistant" ? role : "user",
      text: textOf(content),
    })),
    tools: listOf(body.tools).map((tool) => {
      const { name, parameters } = (tool.function ?? tool) as Json;
      return { name: String(name), schema: (parameters ?? {}) as Schema };
    }),
    answerSchema: undefined,
    isStream: body.stream === true,
    model: String(body.model),
  }),
  answer({ model, isStream }, { say, calls }, response) {
    const finishReason = calls === undefined ? "stop" : "tool_calls";
    const toolCalls = calls?.map(({ tool, input }, index) => ({
      index,
      id: callId(index),
      type: "function",
      function: { name: tool.name, arguments: JSON.stringify(input) },
    }));
    const message = { role: "assistant", content: calls === undefined ? say : null, tool_calls: toolCalls };
    const completion = { id: "chatcmpl-pretended", created: 1, model };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    if (!isStream) {
      const choices = [{ index: 0, message, finish_reason: finishReason }];
      sendJson(response, 200, { ...completion, object: "chat.completion", choices, usage });
      return;
    }
    const chunk = (delta: object, reason: string | null): object => ({
      ...completion,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: reason }],
      ...(reason === null ? {} : { usage }),
    });
    sendEvents(response, [{ data: chunk(message, null) }, { data: chunk({}, finishReason) }, { data: "[DONE]" }]);
  },
};
