// A connection to an X server, and what is published there: https://specifications.freedesktop.org/wm-spec/latest/
import type { X11Client, X11Display } from "x11/lib/xcore.js";

export async function withX11<T>(
  display: string,
  signal: AbortSignal,
  use: (display: X11Display, root: number) => Promise<T>,
): Promise<T> {
  const { createClient } = await import("x11/lib/xcore.js");
  signal.throwIfAborted();
  let client: X11Client | undefined;
  // A frozen server would keep a connection that is only ended.
  const stop = (): void => client?.stream?.destroy();
  try {
    return await new Promise<T>((resolve, reject) => {
      signal.addEventListener(
        "abort",
        () => {
          stop();
          reject(new Error("the X server does not answer"));
        },
        { once: true },
      );
      const connected = settle<X11Display>((found) => {
        const [{ root } = { root: 0 }] = found.screen;
        use(found, root).then(resolve, reject);
      }, reject);
      client = createClient({ display, shm: false, disableBigRequests: true }, connected);
      client.on("error", () => reject(new Error("the X server closed the connection")));
    });
  } finally {
    stop();
  }
}

export function settle<T>(
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): (error: unknown, value: T) => void {
  return (error, value) => (error ? reject(error) : resolve(value));
}

/** 0 if no program has used it. */
export function atomOf(client: X11Client, name: string): Promise<number> {
  return new Promise((resolve, reject) => client.InternAtom(true, name, settle(resolve, reject)));
}

/** Units of four bytes; enough for thousands of windows. */
const maxLength = 4096;

export async function readProperty(client: X11Client, window: number, name: string): Promise<Buffer> {
  const atom = await atomOf(client, name);
  if (atom === 0) return Buffer.alloc(0);
  const { data } = await new Promise<{ data?: Buffer }>((resolve, reject) =>
    client.GetProperty(0, window, atom, 0, 0, maxLength, settle(resolve, reject)),
  );
  return data ?? Buffer.alloc(0);
}

export async function readNumbers(client: X11Client, window: number, name: string): Promise<number[]> {
  const data = await readProperty(client, window, name);
  return Array.from({ length: Math.floor(data.length / 4) }, (_, index) => data.readUInt32LE(index * 4));
}
