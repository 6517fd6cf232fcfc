// A language model on loopback that does what the prompt says: enough of the vendors' protocols for real agents to
// believe in it.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { anthropic } from "./model-protocols/anthropic.ts";
import { augment } from "./model-protocols/augment.ts";
import { chatCompletions } from "./model-protocols/chat-completions.ts";
import { gemini } from "./model-protocols/gemini.ts";
import {
  sendJson,
  type Asked,
  type Call,
  type Json,
  type Schema,
  type Step,
  type Tool,
} from "./model-protocols/protocol.ts";
import { responses } from "./model-protocols/responses.ts";

/** What the model is to do; goes into the prompt, so that the model needs no state. One line of JSON. */
export interface Act {
  /** Its final text. */
  say?: string;
  /** Answer with this HTTP status instead. */
  failWith?: number;
  /** Think for so long before each answer; or before the last one only. Milliseconds. */
  thinkMs?: number;
  thinkLastMs?: number;
  /** First have the agent run this in its shell. */
  run?: string;
  /** First have the agent give this to a subagent of its own. */
  delegate?: string;
  /** First have the agent use the tool of this name, with `callWith`. */
  use?: string;
  /** Further arguments of the call: what makes the agent ask, or which subagent it is. */
  callWith?: Record<string, unknown>;
  /** Further calls in the same answer. */
  also?: Pick<Act, "run" | "delegate" | "use" | "callWith">[];
}

export interface ModelRequest {
  path: string;
  body: string;
}

/** An answer to a prompt of `promptFor`, or its beginning: the model thinks. */
export interface ModelAnswer {
  what: "thinks" | "calls" | "says" | "fails" | "aborted";
  say: string;
}

export interface PretendModel {
  /** `http://127.0.0.1:PORT`; each vendor's protocol at its usual path below it. */
  origin: string;
  requests: ModelRequest[];
  /** Sent with each answer, such as what a vendor says of its limits. */
  headers: Record<string, string>;
  /** Answers wait for this. */
  gate?: Promise<void>;
  /** Is told of each answer at the moment when it is sent. */
  onAnswer?: (answer: ModelAnswer) => void;
  close(): Promise<void>;
}

/** A prompt that has the pretend model act. What it delegates may be such a prompt, too. */
export function promptFor(act: Act): string {
  return `${mark}${JSON.stringify(act).replaceAll(mark, "\\u0050lease act: ")}`;
}

const mark = "Please act: ";
const plainAnswer = "There is nothing to do.";
const protocols = [anthropic, chatCompletions, responses, gemini, augment];

export async function startPretendModel(): Promise<PretendModel> {
  const requests: ModelRequest[] = [];
  const headers: Record<string, string> = {};
  const sockets = new Set<Socket>();
  const model: Omit<PretendModel, "origin" | "close"> = { requests, headers };
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("error", () => {});
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const path = (incoming.url ?? "").split("?")[0] ?? "";
      const body = Buffer.concat(chunks).toString("utf8");
      requests.push({ path, body });
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      const answerNow = (): void => answer(path, body, response, (given) => model.onAnswer?.(given));
      if (model.gate === undefined) answerNow();
      else void model.gate.then(answerNow);
    });
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(model, {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function answer(path: string, body: string, response: ServerResponse, tell: (answer: ModelAnswer) => void): void {
  const protocol = protocols.find(({ matches }) => matches(path));
  if (protocol === undefined) {
    answerAside(path, response);
    return;
  }
  const asked = protocol.read(JSON.parse(body) as Json, path);
  const step = nextStep(asked);
  const send = (): void => {
    if (response.destroyed) return;
    const what = step.failWith !== undefined ? "fails" : step.calls === undefined ? "says" : "calls";
    if (step.isAct === true) tell({ what, say: step.say });
    if (step.failWith === undefined) {
      protocol.answer(asked, step, response);
      return;
    }
    const type = errorTypes[step.failWith] ?? "api_error";
    const error = { type, code: step.failWith, message: `pretended failure ${step.failWith}` };
    // What the vendors' clients understand as: do not try again.
    sendJson(response, step.failWith, { type: "error", error }, { "x-should-retry": "false" });
  };
  if (step.thinkMs === undefined) return send();
  tell({ what: "thinks", say: step.say });
  const thinking = setTimeout(send, step.thinkMs);
  response.on("close", () => {
    clearTimeout(thinking);
    if (!response.writableFinished) tell({ what: "aborted", say: step.say });
  });
}

const errorTypes: Readonly<Record<number, string>> = { 401: "authentication_error", 429: "rate_limit_error" };

/** What clients ask for besides: tokens to be counted, and which models there are. */
function answerAside(path: string, response: ServerResponse): void {
  const known = protocols.map(({ aside }) => aside?.[path]).find((value) => value !== undefined);
  if (known !== undefined) sendJson(response, 200, known);
  else if (path.endsWith("/count_tokens")) sendJson(response, 200, { input_tokens: 1 });
  else if (path.endsWith(":countTokens")) sendJson(response, 200, { totalTokens: 1 });
  else if (path.endsWith("/models")) {
    sendJson(response, 200, {
      object: "list",
      data: [{ id: "pretended", object: "model", owned_by: "us" }],
      models: [],
    });
  } else sendJson(response, 404, { error: { message: "no such thing" } });
}

function nextStep({ turns, tools, answerSchema }: Asked): Step {
  if (answerSchema !== undefined) return { say: JSON.stringify(sampleOf(answerSchema)) };
  // Requests for a title or a summary carry no tools, and are no part of the turn.
  if (tools.length === 0) return { say: "A title" };
  const last = turns.findLastIndex(({ role, text }) => role === "user" && text.includes(mark));
  const act = actIn(turns[last]?.text ?? "");
  const say = act.say ?? plainAnswer;
  const isAct = last >= 0;
  const hasRun = turns.slice(last + 1).some(({ role }) => role === "tool");
  const { failWith, thinkMs, thinkLastMs = thinkMs, also = [] } = act;
  const calls = hasRun ? [] : [act, ...also].flatMap((each) => callOf(each, tools) ?? []);
  if (calls.length === 0) return { say, failWith, isAct, thinkMs: thinkLastMs };
  return { say, calls, isAct, thinkMs };
}

function callOf({ run, delegate, use, callWith }: Act, tools: Tool[]): Call | undefined {
  const names = run === undefined ? subagentNames : shellNames;
  const tool = tools.find(({ name }) => (use === undefined ? names.test(name) : name === use));
  const task = run ?? delegate ?? use;
  if (task === undefined || tool === undefined) return undefined;
  return { tool, input: { ...(use === undefined ? inputOf(task, tool) : {}), ...callWith } };
}

/** What agents call the tool that runs a command, and the one that starts a subagent. */
const shellNames =
  /^(?:bash|shell|shell_command|exec_command|execute|run_shell_command|run_commands?|launch-process)$/i;
const subagentNames = /^(?:task|agent|spawn_agent)$/i;

/** Agents refuse arguments that their schema does not name, and calls without those that it requires. */
function inputOf(task: string, { schema }: Tool): object {
  const { properties = {}, required = [] } = schema;
  const known: Record<string, unknown> = {
    command: task,
    cmd: task,
    commands: [task],
    prompt: task,
    message: task,
    description: "as told",
    summary: "as told",
    riskLevel: "low",
    riskLevelReason: "as told",
  };
  const names = Object.keys(properties).filter((name) => Object.hasOwn(known, name) || required.includes(name));
  return Object.fromEntries(names.map((name) => [name, known[name] ?? sampleOf(properties[name] ?? {})]));
}

function actIn(text: string): Act {
  const json = /^\{.*\}/m.exec(text.slice(text.lastIndexOf(mark) + mark.length))?.[0];
  return json === undefined ? {} : (JSON.parse(json) as Act);
}

/** The least that follows a schema. */
function sampleOf({ type, enum: values, properties = {} }: Schema): unknown {
  if (values !== undefined) return values[0];
  const [kind] = [type].flat();
  switch (kind?.toLowerCase()) {
    case "object":
      return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, sampleOf(schema)]));
    case "array":
      return [];
    case "boolean":
      return false;
    case "integer":
    case "number":
      return 1;
    default:
      return "as told";
  }
}
