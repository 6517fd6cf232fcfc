import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

/** What a receiver got, as text to show. */
export interface Receivers {
  slackUrl: string;
  webhookUrl: string;
  smtpUrl: string;
  slack: Record<string, unknown>[];
  webhooks: { headers: Record<string, unknown>; body: Record<string, unknown> }[];
  mails: string[];
  close(): void;
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

/** Small receivers on loopback: a Slack webhook, a generic webhook, a mail server. */
export async function startReceivers(): Promise<Receivers> {
  const slack: Receivers["slack"] = [];
  const webhooks: Receivers["webhooks"] = [];
  const mails: string[] = [];
  const http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Record<string, unknown>;
      if (request.url?.startsWith("/services/")) slack.push(body);
      else webhooks.push({ headers: request.headers, body });
      response.end("ok");
    });
  });
  const smtp = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        mails.push(Buffer.concat(chunks).toString("utf8"));
        done();
      });
    },
  });
  const base = await listen(http);
  const smtpPort = await new Promise<number>((resolve) => {
    const server = smtp.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
  return {
    slackUrl: `${base}/services/T000/B000/demo`,
    webhookUrl: `${base}/agents`,
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    slack,
    webhooks,
    mails,
    close() {
      http.close();
      smtp.close();
    },
  };
}
