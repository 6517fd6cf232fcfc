// The time since the last input and the focused window, from an X server.
import type { X11Client, X11Display } from "x11/lib/xcore.js";
import { readNumbers, settle, withX11 } from "../desktop/x11.ts";
import type { PresenceSignals } from "./observed.ts";

export function observeX11(display: string, signal: AbortSignal): Promise<PresenceSignals> {
  return withX11(display, signal, async (connected, root) => {
    const [idleMs, focus] = await Promise.all([
      readIdle(connected, root).catch(() => undefined),
      readFocus(connected.client, root).catch(() => undefined),
    ]);
    return { idleMs, focus };
  });
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

/** The answer comes from the window manager, if there is one. */
async function readFocus(client: X11Client, root: number): Promise<PresenceSignals["focus"]> {
  const [windowId = 0] = await readNumbers(client, root, "_NET_ACTIVE_WINDOW");
  if (windowId === 0) return undefined;
  const [pid] = await readNumbers(client, windowId, "_NET_WM_PID");
  return pid === undefined ? undefined : { pid, windowId };
}
