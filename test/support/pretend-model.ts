// A language model on loopback that does what the prompt says: enough of Anthropic's and OpenAI's protocols for real
// agents to believe in it.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** What the model is to do; goes into the prompt, so that the model needs no state. Flat, one line of JSON. */
export interface Act {
  /** Its final text. */
  say?: string;
  /** Answer with this HTTP status instead. */
  failWith?: number;
  /** First have the agent run this in its shell. */
  run?: string;
}

export interface ModelRequest {
  path: string;
  body: string;
}

export interface PretendModel {
  /** `http://127.0.0.1:PORT`; Anthropic's protocol below it, OpenAI's below `/v1` too. */
  origin: string;
  requests: ModelRequest[];
  close(): Promise<void>;
}

/** A prompt that has the pretend model act. */
export function promptFor(act: Act): string {
  return `${mark}${JSON.stringify(act)}`;
}

const mark = "Please act: ";
const plainAnswer = "There is nothing to do.";

export async function startPretendModel(): Promise<PretendModel> {
  const requests: ModelRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("error", () => {});
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const path = (incoming.url ?? "").split("?")[0] ?? "";
      const body = Buffer.concat(chunks).toString("utf8");
      requests.push({ path, body });
      answer(path, body, response);
    });
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(path: string, body: string, response: ServerResponse): void {
  const asked =
    path.endsWith("/messages") || path.endsWith("/chat/completions") ? (JSON.parse(body) as Asked) : undefined;
  if (asked === undefined) {
    const isCounting = path.endsWith("/count_tokens");
    sendJson(
      response,
      isCounting ? 200 : 404,
      isCounting ? { input_tokens: 1 } : { error: { message: "no such thing" } },
    );
    return;
  }
  const step = nextStep(asked);
  if (step.failWith !== undefined) {
    const error = { type: "api_error", message: `pretended failure ${step.failWith}` };
    // What both vendors' clients understand as: do not try again.
    sendJson(response, step.failWith, { type: "error", error }, { "x-should-retry": "false" });
  } else if (path.endsWith("/messages")) answerAsAnthropic(asked, step, response);
  else answerAsOpenAi(asked, step, response);
}

interface Asked {
  model?: string;
  stream?: boolean;
  messages?: { role: string; content: unknown }[];
  tools?: (Tool & { function?: Tool })[];
}

interface Tool {
  name?: string;
  input_schema?: Schema;
  parameters?: Schema;
}

interface Schema {
  properties?: Record<string, unknown>;
}

/** One answer of the model. */
interface Step {
  say: string;
  failWith?: number | undefined;
  call?: { tool: string; input: string } | undefined;
}

function nextStep({ messages = [], tools = [] }: Asked): Step {
  // Requests for a title or a summary carry no tools, and are no part of the turn.
  if (tools.length === 0) return { say: "A title" };
  const last = messages.findLastIndex(({ role, content }) => role === "user" && textOf(content).includes(mark));
  const act = actIn(textOf(messages[last]?.content));
  const say = act.say ?? plainAnswer;
  const hasRun = messages.slice(last + 1).some(({ role, content }) => role === "tool" || hasToolResult(content));
  const shell = tools.map((tool) => tool.function ?? tool).find(({ name }) => /^(bash|execute)$/i.test(name ?? ""));
  if (act.run === undefined || hasRun || shell?.name === undefined) return { say, failWith: act.failWith };
  return { say, call: { tool: shell.name, input: JSON.stringify(shellInput(act.run, shell)) } };
}

/** Agents refuse arguments that their schema does not name. */
function shellInput(command: string, { input_schema, parameters }: Tool): object {
  const known = { command, description: "as told", summary: "as told", riskLevel: "low", riskLevelReason: "as told" };
  const properties = (input_schema ?? parameters)?.properties ?? {};
  return Object.fromEntries(Object.entries(known).filter(([name]) => Object.hasOwn(properties, name)));
}

function actIn(text: string): Act {
  const json = /^\{.*\}/m.exec(text.slice(text.lastIndexOf(mark) + mark.length))?.[0];
  return json === undefined ? {} : (JSON.parse(json) as Act);
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return partsOf(content)
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .join("\n");
}

function hasToolResult(content: unknown): boolean {
  return partsOf(content).some(({ type }) => type === "tool_result");
}

function partsOf(content: unknown): { type?: unknown; text?: unknown }[] {
  return Array.isArray(content) ? content : [];
}

/** https://docs.anthropic.com/en/api/messages-streaming */
function answerAsAnthropic({ model, stream }: Asked, { say, call }: Step, response: ServerResponse): void {
  const stopReason = call === undefined ? "end_turn" : "tool_use";
  const message = { id: "msg_pretended", type: "message", role: "assistant", model, stop_sequence: null };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const empty =
    call === undefined
      ? { type: "text", text: "" }
      : { type: "tool_use", id: "toolu_pretended", name: call.tool, input: {} };
  if (stream !== true) {
    const block = call === undefined ? { ...empty, text: say } : { ...empty, input: JSON.parse(call.input) as unknown };
    sendJson(response, 200, { ...message, content: [block], stop_reason: stopReason, usage });
    return;
  }
  const delta =
    call === undefined ? { type: "text_delta", text: say } : { type: "input_json_delta", partial_json: call.input };
  const events = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null, usage } },
    { type: "content_block_start", index: 0, content_block: empty },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ];
  sendEvents(
    response,
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
  );
}

/** https://platform.openai.com/docs/api-reference/chat-streaming */
function answerAsOpenAi({ model, stream }: Asked, { say, call }: Step, response: ServerResponse): void {
  const finishReason = call === undefined ? "stop" : "tool_calls";
  const toolCalls = call && [
    { index: 0, id: "call_pretended", type: "function", function: { name: call.tool, arguments: call.input } },
  ];
  const message = { role: "assistant", content: call === undefined ? say : null, tool_calls: toolCalls };
  const completion = { id: "chatcmpl-pretended", created: 1, model };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  if (stream !== true) {
    const choices = [{ index: 0, message, finish_reason: finishReason }];
    sendJson(response, 200, { ...completion, object: "chat.completion", choices, usage });
    return;
  }
  const chunk = (delta: object, reason: string | null): string =>
    `data: ${JSON.stringify({
      ...completion,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: reason }],
      ...(reason === null ? {} : { usage }),
    })}\n\n`;
  sendEvents(response, [chunk(message, null), chunk({}, finishReason), "data: [DONE]\n\n"]);
}

function sendJson(response: ServerResponse, status: number, value: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(value));
}

function sendEvents(response: ServerResponse, events: string[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(events.join(""));
}
