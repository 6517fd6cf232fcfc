import {
  callId,
  listOf,
  sendEvents,
  sendJson,
  textOf,
  type Json,
  type Protocol,
  type Schema,
  type Tool,
  type Turn,
} from "./protocol.ts";

/** https://platform.openai.com/docs/api-reference/responses-streaming */
export const responses: Protocol = {
  matches: (path) => path.endsWith("/responses"),
  read: (body) => ({
    turns: listOf(typeof body.input === "string" ? [{ role: "user", content: body.input }] : body.input).flatMap(
      ({ type, role, content }): Turn[] => {
        if (typeof type === "string" && type.endsWith("_output")) return [{ role: "tool", text: "" }];
        if (typeof role !== "string") return [];
        return [{ role: role === "assistant" ? "assistant" : "user", text: textOf(content) }];
      },
    ),
    tools: listOf(body.tools).flatMap(toolsIn),
    answerSchema: ((body.text as Json | undefined)?.format as Json | undefined)?.schema as Schema | undefined,
    isStream: body.stream === true,
    model: String(body.model),
  }),
  answer({ model, isStream }, { say, calls }, response) {
    const items = calls?.map(({ tool, input }, index) => ({
      item: {
        type: "function_call",
        id: index === 0 ? "fc_pretended" : `fc_pretended_${index}`,
        call_id: callId(index),
        name: tool.name,
        namespace: tool.namespace,
        arguments: JSON.stringify(input),
        status: "completed",
      },
      told: { type: "response.function_call_arguments.done", arguments: JSON.stringify(input) },
    })) ?? [
      {
        item: {
          type: "message",
          id: "msg_pretended",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: say, annotations: [] }],
        },
        told: { type: "response.output_text.delta", content_index: 0, delta: say },
      },
    ];
    const usage = {
      input_tokens: 1,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 2,
    };
    const output = items.map(({ item }) => item);
    const whole = { id: "resp_pretended", object: "response", created_at: 1, model, output, usage };
    if (!isStream) {
      sendJson(response, 200, { ...whole, status: "completed" });
      return;
    }
    const events: ({ type: string } & Json)[] = [
      { type: "response.created", response: { ...whole, status: "in_progress", output: [] } },
      ...items.flatMap(({ item, told }, index) => {
        const place = { output_index: index, item_id: item.id };
        return [
          { type: "response.output_item.added", ...place, item: { ...item, status: "in_progress" } },
          { ...told, ...place },
          { type: "response.output_item.done", ...place, item },
        ];
      }),
      { type: "response.completed", response: { ...whole, status: "completed" } },
    ];
    sendEvents(
      response,
      events.map((data, index) => ({ name: data.type, data: { ...data, sequence_number: index } })),
    );
  },
};

/** A tool, or those of a group. */
function toolsIn(tool: Json): Tool[] {
  if (tool.type === "namespace") {
    return listOf(tool.tools)
      .flatMap(toolsIn)
      .map((inner) => ({ ...inner, namespace: String(tool.name) }));
  }
  return typeof tool.name === "string" && tool.type === "function"
    ? [{ name: tool.name, schema: (tool.parameters ?? {}) as Schema }]
    : [];
}
