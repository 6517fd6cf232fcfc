// A port for a program that cannot be told to take any and say which.
import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** A system gives the ports from 32768 on, or from 49152 on, to a program that takes any: those are taken again at once. */
const lowest = 12_000;
const highest = 32_767;

/** A port of the loopback interface that is free. Only a program that asks for its number can take it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest + 1);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return await new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
