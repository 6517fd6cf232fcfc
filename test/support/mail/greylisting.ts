// Greylisting as Postfix asks for it: an unknown sender is told to come again, and is let in the next time.
// https://www.postfix.org/SMTPD_POLICY_README.html
import { createServer, type AddressInfo, type Socket } from "node:net";

export interface Greylisting {
  port: number;
  /** Sender and recipient of everything that was asked about, in order. */
  asked: string[];
  stop(): void;
}

export async function startGreylisting(): Promise<Greylisting> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let text = "";
    socket.setEncoding("utf8");
    socket.on("error", () => {});
    socket.on("data", (chunk: string) => {
      text += chunk;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const attributes = new Map(
          text
            .slice(0, end)
            .split("\n")
            .map((line) => line.split(/=(.*)/s) as [string, string]),
        );
        text = text.slice(end + 2);
        const triplet = ["client_address", "sender", "recipient"].map((name) => attributes.get(name)).join(" ");
        const isKnown = asked.includes(triplet);
        asked.push(triplet);
        socket.write(`action=${isKnown ? "DUNNO" : "DEFER_IF_PERMIT 4.2.0 Greylisted, see you in a moment"}\n\n`);
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
