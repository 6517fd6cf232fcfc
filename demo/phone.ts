// A phone with the ntfy app, and the ntfy server behind it, on loopback. The phone taps "Allow" on each question.
// The server's side follows https://docs.ntfy.sh/subscribe/api/ and https://docs.ntfy.sh/publish/
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const questions = "agent-questions";
const replies = "agent-replies";
const machineToken = "tk_demo_machine_of_hookbell_0000";
const phoneToken = "tk_demo_phone_of_hookbell_000000";

interface Shown {
  title?: string;
  message: string;
  actions?: { label: string; url: string; method: string; headers: Record<string, string>; body: string }[];
}

export interface Phone {
  /** The channel's settings in the rules file. */
  channel: Record<string, unknown>;
  /** What it showed, in order. */
  shown: Shown[];
  close(): void;
}

export async function startPhone(): Promise<Phone> {
  const shown: Shown[] = [];
  const streams = new Set<ServerResponse>();

  const mayUse = ({ headers: { authorization } }: IncomingMessage, topic: string, isWriting: boolean): boolean =>
    authorization === `Bearer ${machineToken}` ||
    (authorization === `Bearer ${phoneToken}` && topic === replies && isWriting);

  const show = (message: Shown): void => {
    shown.push(message);
    const allow = message.actions?.find(({ label }) => label === "Allow");
    if (allow !== undefined) void fetch(allow.url, allow);
  };

  const answer = (request: IncomingMessage, response: ServerResponse, body: string): void => {
    const [, path = "", what] = new URL(request.url ?? "/", "http://ntfy").pathname.split("/");
    const isWriting = request.method === "POST";
    const published = path === "" ? (JSON.parse(body) as Shown & { topic: string }) : undefined;
    const topic = published?.topic ?? path;
    if (!mayUse(request, topic, isWriting)) return void response.writeHead(403).end("{}");
    if (what === "json") {
      streams.add(response);
      return void response.write('{"id":"0","event":"open"}\n');
    }
    if (published !== undefined) show(published);
    else if (isWriting) {
      const message = { id: `${shown.length}`, event: "message", topic, message: body };
      for (const stream of streams) stream.write(`${JSON.stringify(message)}\n`);
    }
    response.end('{"id":"1"}');
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => answer(request, response, Buffer.concat(chunks).toString("utf8")));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    channel: {
      type: "ntfy",
      server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      topic: questions,
      token: machineToken,
      replyTopic: replies,
      replyToken: phoneToken,
      answers: true,
    },
    shown,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
