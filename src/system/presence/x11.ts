// The time since the last input and the focused window, from an X server.
import type { X11Client, X11Display } from "x11";
import type { Observed } from "./observed.ts";

export async function observeX11(display: string, signal: AbortSignal): Promise<Observed> {
  const { createClient } = await import("x11");
  signal.throwIfAborted();
  let client: X11Client | undefined;
  // A frozen server would keep a connection that is only ended.
  const stop = (): void => client?.stream?.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const connected = await new Promise<X11Display>((resolve, reject) => {
      client = createClient({ display, shm: false, disableBigRequests: true }, settle(resolve, reject));
      client.on("error", () => reject(new Error("the X server hung up")));
    });
    const [{ root } = { root: 0 }] = connected.screen;
    const [idleMs, focus] = await Promise.all([
      readIdle(connected, root).catch(() => undefined),
      readFocus(connected.client, root).catch(() => undefined),
    ]);
    return { idleMs, focus };
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

function settle<T>(resolve: (value: T) => void, reject: (error: unknown) => void): (error: unknown, value: T) => void {
  return (error, value) => (error ? reject(error) : resolve(value));
}

async function readIdle(display: X11Display, root: number): Promise<number> {
  const { requireExt } = await import("x11/lib/ext/screen-saver.js");
  return new Promise((resolve, reject) => {
    requireExt(
      display,
      settle(
        (saver) =>
          saver.QueryInfo(
            root,
            settle(({ idle }) => resolve(idle), reject),
          ),
        reject,
      ),
    );
  });
}

/** Needs a window manager: https://specifications.freedesktop.org/wm-spec/latest/ */
async function readFocus(client: X11Client, root: number): Promise<Observed["focus"]> {
  const windowId = await readNumber(client, root, "_NET_ACTIVE_WINDOW");
  if (windowId === undefined || windowId === 0) return undefined;
  const pid = await readNumber(client, windowId, "_NET_WM_PID");
  return pid === undefined ? undefined : { pid, windowId };
}

async function readNumber(client: X11Client, window: number, name: string): Promise<number | undefined> {
  const atom = await new Promise<number>((resolve, reject) => client.InternAtom(true, name, settle(resolve, reject)));
  if (atom === 0) return undefined;
  const { data } = await new Promise<{ data?: Buffer }>((resolve, reject) =>
    client.GetProperty(0, window, atom, 0, 0, 1, settle(resolve, reject)),
  );
  return data !== undefined && data.length >= 4 ? data.readUInt32LE(0) : undefined;
}
