// https://github.com/sidorares/node-x11 has no types.
declare module "x11/lib/xcore.js" {
  export interface X11Client {
    InternAtom(onlyIfExists: boolean, name: string, callback: (error: unknown, atom: number) => void): void;
    GetProperty(
      remove: 0,
      window: number,
      property: number,
      type: 0,
      offset: 0,
      length: number,
      callback: (error: unknown, value: { data?: Buffer }) => void,
    ): void;
    /** To the root window by default, as window managers expect it. */
    SendClientMessage(destination: number, window: number, type: number, format: 32, data: number[]): void;
    on(event: "error", listener: () => void): void;
    /** Absent until it is connected. */
    stream?: { destroy(): void };
  }
  export interface X11Display {
    client: X11Client;
    screen: { root: number }[];
  }
  export function createClient(
    options: { display: string; shm: false; disableBigRequests: true },
    callback: (error: unknown, display: X11Display) => void,
  ): X11Client;
}

declare module "x11/lib/ext/screen-saver.js" {
  import type { X11Display } from "x11/lib/xcore.js";
  interface ScreenSaver {
    QueryInfo(root: number, callback: (error: unknown, info: { idle: number }) => void): void;
  }
  export function requireExt(display: X11Display, callback: (error: unknown, extension: ScreenSaver) => void): void;
}
