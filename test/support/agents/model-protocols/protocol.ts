import type { ServerResponse } from "node:http";

/** A tool that the agent offers, with the JSON Schema of its arguments. */
export interface Tool {
  name: string;
  schema: Schema;
  /** The group that some protocols want named in a call. */
  namespace?: string | undefined;
}

export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
}

/** One thing said in the conversation so far; `tool` is the result of a call. */
export interface Turn {
  role: "user" | "assistant" | "tool";
  text: string;
}

/** A request in the form that all protocols share. */
export interface Asked {
  turns: Turn[];
  tools: Tool[];
  /** The schema that the answer must follow, where one is asked for. */
  answerSchema: Schema | undefined;
  isStream: boolean;
  model: string;
}

export interface Call {
  tool: Tool;
  input: object;
}

/** One answer of the model. */
export interface Step {
  say: string;
  failWith?: number | undefined;
  /** At least one, where there are any. */
  calls?: Call[];
  /** It follows what a prompt says, and is not a title or a summary. */
  isAct?: boolean;
  /** The model answers after so long. Milliseconds. */
  thinkMs?: number | undefined;
}

/** A vendor's way of asking a model. */
export interface Protocol {
  /** Whether a request to this path, without its query, is meant for a model. */
  matches(path: string): boolean;
  read(body: Record<string, unknown>, path: string): Asked;
  answer(asked: Asked, step: Step, response: ServerResponse): void;
  /** What its clients ask for besides, by path, with the answers. */
  aside?: Record<string, object>;
}

export type Json = Record<string, unknown>;

export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

/** The id of a call in an answer. */
export function callId(index: number): string {
  return index === 0 ? "call_pretended" : `call_pretended_${index}`;
}

/** The text of a content that is a string or a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .join("\n");
}

export function sendJson(
  response: ServerResponse,
  status: number,
  value: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(value));
}

/** Server-sent events: each with its name, where the protocol has names. */
export function sendEvents(response: ServerResponse, events: readonly { name?: string; data: unknown }[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const lines = events.map(({ name, data }) => {
    const text = typeof data === "string" ? data : JSON.stringify(data);
    return `${name === undefined ? "" : `event: ${name}\n`}data: ${text}\n\n`;
  });
  response.end(lines.join(""));
}

/** One JSON value a line. */
export function sendLines(response: ServerResponse, values: readonly object[]): void {
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  response.end(values.map((value) => `${JSON.stringify(value)}\n`).join(""));
}
