// Brings a window of an X server to the front: https://specifications.freedesktop.org/wm-spec/latest/
import type { X11Client } from "x11";
import { atomOf, readNumbers, readProperty, withX11 } from "../desktop/x11.ts";

export interface WantedWindow {
  /** The terminal's process and its ancestors. */
  pids: readonly number[];
  /** The terminal's `WINDOWID`. */
  windowId: number | undefined;
  /** Tells the windows of one program apart. */
  folder: string | undefined;
}

/** Window managers obey a taskbar. */
const fromPager = 2;

/** False when it cannot. */
export function raiseWindow(display: string, wanted: WantedWindow, signal: AbortSignal): Promise<boolean> {
  return withX11(display, signal, async ({ client }, root) => {
    const window = (await isManaged(client, root)) ? await findWindow(client, root, wanted) : undefined;
    if (window === undefined) return false;
    const message = await atomOf(client, "_NET_ACTIVE_WINDOW");
    client.SendClientMessage(root, window, message, 32, [fromPager, 0, 0, 0, 0]);
    // Its answer comes after the message was taken.
    await readNumbers(client, root, "_NET_ACTIVE_WINDOW");
    return true;
  });
}

export function hasWindowManager(display: string, signal: AbortSignal): Promise<boolean> {
  return withX11(display, signal, ({ client }, root) => isManaged(client, root));
}

/** A window manager that was killed leaves the name of its window behind. */
async function isManaged(client: X11Client, root: number): Promise<boolean> {
  const [window] = await readNumbers(client, root, "_NET_SUPPORTING_WM_CHECK");
  if (window === undefined) return false;
  const [itself] = await readNumbers(client, window, "_NET_SUPPORTING_WM_CHECK").catch((): number[] => []);
  return itself === window;
}

/** A program that a terminal started inherits its `WINDOWID`. */
async function findWindow(
  client: X11Client,
  root: number,
  { pids, windowId, folder }: WantedWindow,
): Promise<number | undefined> {
  // The topmost last.
  const ids = await readNumbers(client, root, "_NET_CLIENT_LIST_STACKING");
  const windows = await Promise.all(
    ids.map(async (id) => {
      const [pid] = await readNumbers(client, id, "_NET_WM_PID").catch((): number[] => []);
      return { id, pid };
    }),
  );
  const owner = pids.find((each) => windows.some(({ pid }) => pid === each));
  const own = windows
    .filter(({ id, pid }) => (pid === undefined ? id === windowId : pid === owner))
    .map(({ id }) => id);
  if (windowId !== undefined && own.includes(windowId)) return windowId;
  if (own.length < 2 || folder === undefined) return own.at(-1);
  const titles = await Promise.all(own.map((id) => readTitle(client, id)));
  return own.findLast((_id, index) => titles[index]?.includes(folder)) ?? own.at(-1);
}

async function readTitle(client: X11Client, window: number): Promise<string> {
  const title = await readProperty(client, window, "_NET_WM_NAME").catch(() => Buffer.alloc(0));
  return title.toString("utf8");
}
