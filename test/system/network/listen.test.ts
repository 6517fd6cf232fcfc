// A client that reads nothing does not keep its connection.
import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { listen } from "../../../src/system/network/listen.ts";

test("a client that asks for a large answer and reads nothing loses its connection", async () => {
  let pieces = 0;
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const endless = (): Response =>
    new Response(
      new ReadableStream<Uint8Array>({
        pull(controller) {
          pieces += 1;
          controller.enqueue(new Uint8Array(64 * 1024));
        },
        cancel: end,
      }),
    );
  const { url, close } = await listen({ host: "127.0.0.1", port: 0, fetch: endless, idleMs: 100 });
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await ended;
  // No more than the system's own buffers have been filled.
  expect(pieces).toBeLessThan(1000);
  socket.destroy();
  await close();
});
