import { callId, listOf, sendLines, textOf, type Json, type Protocol, type Schema, type Turn } from "./protocol.ts";

/** Not documented: what Auggie 0.36.0 asks of Augment's servers and takes for an answer. */
export const augment: Protocol = {
  matches: (path) => path === "/chat-stream",
  read: (body) => ({
    turns: [
      ...listOf(body.chat_history).flatMap(
        ({ request_message: message, request_nodes: nodes, response_text: said }) => [
          ...turnsOf(message, nodes),
          ...spoken("assistant", said),
        ],
      ),
      ...turnsOf(body.message, body.nodes),
    ],
    tools: listOf(body.tool_definitions).map(({ name, input_schema_json: schema }) => ({
      name: String(name),
      schema: JSON.parse(String(schema)) as Schema,
    })),
    answerSchema: undefined,
    isStream: true,
    model: "pretended",
  }),
  answer(_asked, { say, calls }, response) {
    const nodes = calls?.map(({ tool, input }, index) => ({
      id: index + 1,
      type: nodeTypes.toolUse,
      content: "",
      tool_use: { tool_use_id: callId(index), tool_name: tool.name, input_json: JSON.stringify(input) },
    })) ?? [{ id: 1, type: nodeTypes.text, content: say }];
    const isEnd = calls === undefined;
    sendLines(response, [
      { text: isEnd ? say : "", nodes, stop_reason: isEnd ? stopReasons.endTurn : stopReasons.toolUse },
    ]);
  },
  aside: {
    // The flag is Augment's for an account: without it, Auggie runs no hooks.
    "/get-models": {
      default_model: "pretended",
      models: [{ name: "pretended", suggested_prefix_char_count: 1, suggested_suffix_char_count: 1 }],
      languages: [],
      feature_flags: { enable_hooks: true },
    },
    "/settings/get-mcp-tenant-configs": { mcp_configs: [] },
    "/settings/get-mcp-user-configs": { mcp_configs: [] },
    "/agents/list-remote-tools": { tools: [] },
    "/find-missing": { unknown_memory_names: [], nonindexed_blob_names: [] },
  },
};

/** The same numbers mean something else in a request: there, 1 is the result of a tool. */
const nodeTypes = { text: 0, toolUse: 5 };
const toolResult = 1;
const stopReasons = { endTurn: 1, toolUse: 3 };

function turnsOf(message: unknown, nodes: unknown): Turn[] {
  return [
    ...spoken("user", message),
    ...listOf(nodes).flatMap(({ type, text_node: node }): Turn[] =>
      type === toolResult ? [{ role: "tool", text: "" }] : spoken("user", (node as Json | undefined)?.content),
    ),
  ];
}

function spoken(role: Turn["role"], said: unknown): Turn[] {
  const text = textOf(said);
  return text === "" ? [] : [{ role, text }];
}
