// An SMTP server that says what a test tells it to, for what no sound server does.
import { createServer, type AddressInfo, type Socket } from "node:net";

/** What to do with a line: answer, answer and hang up, hang up, or say nothing. `.` ends the content. */
export type Answer = string | { last: string } | typeof drop | typeof silence;
export const drop = Symbol("drop");
export const silence = Symbol("silence");

export interface ScriptedSmtp {
  port: number;
  /** Lines that came, without the content of mails. */
  lines: string[];
  /** Resolves when it has come to a `silence`. */
  silenced: Promise<void>;
  stop(): Promise<void>;
}

const polite: Record<string, Answer> = {
  "": "220 test ESMTP",
  EHLO: "250-test\r\n250 8BITMIME",
  MAIL: "250 2.1.0 Ok",
  RCPT: "250 2.1.5 Ok",
  DATA: "354 End data with <CR><LF>.<CR><LF>",
  ".": "250 2.0.0 Ok: queued as TEST",
  QUIT: { last: "221 Bye" },
};

/** `script`: by the first word of a line what to do; the empty word is the connection itself. The rest is polite. */
export async function startScriptedSmtp(script: Record<string, Answer>): Promise<ScriptedSmtp> {
  const answers = { ...polite, ...script };
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  let fallSilent = (): void => {};
  const silenced = new Promise<void>((resolve) => {
    fallSilent = resolve;
  });
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    const answer = (word: string): void => {
      const what = answers[word] ?? "502 5.5.1 not implemented";
      if (what === drop) socket.destroy();
      else if (what === silence) fallSilent();
      else if (typeof what === "object") socket.end(`${what.last}\r\n`);
      else socket.write(`${what}\r\n`);
    };
    let rest = "";
    let isContent = false;
    socket.on("data", (chunk) => {
      const received = (rest + chunk.toString("latin1")).split("\r\n");
      rest = received.pop() ?? "";
      for (const line of received) {
        if (isContent && line !== ".") continue;
        isContent = line === "DATA";
        lines.push(line);
        answer(line.split(" ")[0] ?? "");
      }
    });
    answer("");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    lines,
    silenced,
    stop() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
