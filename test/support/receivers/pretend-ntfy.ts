// An ntfy server with access control, on loopback, that behaves as its documentation and its source say: https://docs.ntfy.sh/subscribe/api/
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const ntfyTopics = { questions: "agent-questions", replies: "agent-replies" };
const tokenOf = (user: string): string => `tk_${user.padEnd(29, "0")}`;
/** The machine's and its owner's read and write both topics; the phone's only writes answers, the publisher's only questions. */
export const ntfyTokens = {
  machine: tokenOf("machine"),
  owner: tokenOf("owner"),
  phone: tokenOf("phone"),
  publisher: tokenOf("publisher"),
};

interface Action {
  action: string;
  label: string;
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface NtfyMessage {
  id: string;
  time: number;
  event: "message";
  topic: string;
  message: string;
  title?: string;
  priority?: number;
  sequence_id?: string;
  actions?: Action[];
}

export interface PretendNtfy {
  origin: string;
  /** Of the topic for questions, in order. */
  shown: NtfyMessage[];
  /** Of the topic for answers. */
  replies: NtfyMessage[];
  /** Presses a button as the phone does; resolves to the server's status. */
  tap(message: NtfyMessage | undefined, label: string): Promise<number>;
  /** Another program that writes to the topic for answers. */
  write(body: string, token?: string): Promise<number>;
  /** How many streams are open. */
  listeners(): number;
  /** Cuts them; with `isDown`, no new one is accepted either. */
  cut(isDown?: boolean): void;
  close(): Promise<void>;
}

/** `open`: what everyone may do with any topic. */
export async function startPretendNtfy(open: { read?: boolean; write?: boolean } = {}): Promise<PretendNtfy> {
  const cache: NtfyMessage[] = [];
  const streams = new Map<ServerResponse, string>();
  let isDown = false;
  let count = 0;

  const mayDo = (request: IncomingMessage, topic: string, what: "read" | "write"): boolean => {
    const { authorization } = request.headers;
    if (authorization === `Bearer ${ntfyTokens.machine}` || authorization === `Bearer ${ntfyTokens.owner}`) return true;
    if (authorization === `Bearer ${ntfyTokens.phone}`) return topic === ntfyTopics.replies && what === "write";
    if (authorization === `Bearer ${ntfyTokens.publisher}`) return topic === ntfyTopics.questions;
    return open[what] === true;
  };
  const reply = (response: ServerResponse, status: number, body: object): void => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(`${JSON.stringify(body)}\n`);
  };
  const refuse = (response: ServerResponse, http: number, code: number, error: string): void =>
    reply(response, http, { code, http, error });
  const eventOf = (event: string, topic: string): object => ({
    id: `ntfy${String((count += 1)).padStart(8, "0")}`,
    time: Math.floor(Date.now() / 1000),
    event,
    topic,
  });
  const publish = (response: ServerResponse, topic: string, own: object): void => {
    const message = { ...eventOf("message", topic), ...own } as NtfyMessage;
    if (message.message === "") message.message = "triggered";
    cache.push(message);
    for (const [stream, of] of streams) if (of === topic) stream.write(`${JSON.stringify(message)}\n`);
    reply(response, 200, message);
  };
  const stream = (response: ServerResponse, topic: string, since: string | null): void => {
    response.writeHead(200, { "content-type": "application/x-ndjson; charset=utf-8" });
    streams.set(response, topic);
    response.on("close", () => streams.delete(response));
    response.write(`${JSON.stringify(eventOf("open", topic))}\n`);
    const known = cache.findIndex(({ id }) => id === since);
    const old = since === null ? [] : cache.slice(known + 1).filter((each) => each.topic === topic);
    for (const each of old) response.write(`${JSON.stringify(each)}\n`);
  };
  const handle = (request: IncomingMessage, response: ServerResponse, body: string): void => {
    const url = new URL(request.url ?? "/", "http://ntfy");
    const [, topic = "", what = ""] = url.pathname.split("/");
    const isPost = request.method === "POST";
    if (isPost && topic === "") {
      if (Buffer.byteLength(body) > 8192) return refuse(response, 413, 41303, "JSON body too large");
      const own = JSON.parse(body) as NtfyMessage;
      if (!mayDo(request, own.topic, "write")) return refuse(response, 403, 40301, "forbidden");
      if ((own.actions?.length ?? 0) > 3) return refuse(response, 400, 40018, "only 3 actions allowed");
      if (Buffer.byteLength(own.message) > 4096) return refuse(response, 400, 40010, "message too long");
      return publish(response, own.topic, own);
    }
    if (isPost) {
      if (!mayDo(request, topic, "write")) return refuse(response, 403, 40301, "forbidden");
      const { priority = "3" } = request.headers;
      if (!/^[1-5]$/.test(String(priority))) return refuse(response, 400, 40007, "invalid priority");
      return publish(response, topic, { message: body });
    }
    if (url.pathname === "/v1/account") return reply(response, 200, { username: "machine", role: "user" });
    if (!mayDo(request, topic, "read")) return refuse(response, 403, 40301, "forbidden");
    if (what === "auth") return reply(response, 200, { success: true });
    if (what === "json") return stream(response, topic, url.searchParams.get("since"));
    refuse(response, 404, 40401, "page not found");
  };
  const server = createServer((request, response) => {
    if (isDown) return request.socket.destroy();
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => handle(request, response, Buffer.concat(chunks).toString("utf8")));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const statusOf = async (answer: Promise<Response>): Promise<number> => (await answer).status;
  return {
    origin,
    get shown() {
      return cache.filter(({ topic }) => topic === ntfyTopics.questions);
    },
    get replies() {
      return cache.filter(({ topic }) => topic === ntfyTopics.replies);
    },
    async tap(message, label) {
      const action = message?.actions?.find((each) => each.label === label);
      if (action?.action !== "http") throw new Error(`no button ${label}`);
      const { url, method = "POST", headers = {}, body = "" } = action;
      return await statusOf(fetch(url, { method, headers, body }));
    },
    write(body, token) {
      const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
      return statusOf(fetch(`${origin}/${ntfyTopics.replies}`, { method: "POST", headers, body }));
    },
    listeners: () => [...streams.values()].filter((topic) => topic === ntfyTopics.replies).length,
    cut(nowDown = false) {
      isDown = nowDown;
      for (const response of streams.keys()) response.destroy();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
