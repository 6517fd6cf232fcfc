// The tray of a desktop, in the test's own process: the watcher with which items register, asked and told over a real bus.
import { createConnection } from "node:net";
import { onTestFinished } from "vitest";
import type { DesktopSession } from "./desktop-session.ts";
import { findSessionBuses } from "../../../src/system/desktop/session-bus.ts";

interface Bus {
  name?: string;
  invoke(
    message: object,
    callback: (error: { name: string; message: unknown } | null, ...values: unknown[]) => void,
  ): void;
  exportInterface(object: object, path: string, description: object): void;
  connection: { on(event: "message" | "error", listener: (message: Message) => void): void; end(): void };
}
interface Message {
  type: number;
  sender?: string;
  interface?: string;
  member?: string;
  body?: unknown[];
}

export interface Tray {
  /** The names under which items have registered. */
  registered: string[];
  /** The names of the signals that items have sent. */
  signals: string[];
  call(member: string, signature?: string, ...body: unknown[]): Promise<unknown[]>;
  property(name: string): Promise<unknown>;
  stop(): void;
}

const watcherName = "org.kde.StatusNotifierWatcher";
const itemInterface = "org.kde.StatusNotifierItem";

export async function startTray(desktop: DesktopSession): Promise<Tray> {
  const { createClient } = (await import("@homebridge/dbus-native")) as unknown as {
    createClient(options: object): Bus;
  };
  const [path = ""] = findSessionBuses(desktop.env);
  const stream = createConnection(path);
  stream.on("error", () => {});
  const bus = createClient({ stream, authMethods: ["EXTERNAL"] });
  // A test ends the bus under it.
  bus.connection.on("error", () => {});
  const invoke = (message: object): Promise<unknown[]> =>
    new Promise((resolve, reject) => {
      bus.invoke({ ...message }, (error, ...values) => {
        if (error) reject(new Error(`${error.name}: ${String(error.message)}`));
        else resolve(values);
      });
    });
  const ofBus = {
    destination: "org.freedesktop.DBus",
    path: "/org/freedesktop/DBus",
    interface: "org.freedesktop.DBus",
  };
  const registered: string[] = [];
  const signals: string[] = [];
  bus.exportInterface(
    { RegisterStatusNotifierItem: (name: string) => void registered.push(name) },
    "/StatusNotifierWatcher",
    { name: watcherName, methods: { RegisterStatusNotifierItem: ["s", "", [], []] }, properties: {} },
  );
  bus.connection.on("message", ({ type, interface: from, member = "" }) => {
    if (type === 4 && from === itemInterface) signals.push(member);
  });
  await invoke({ ...ofBus, member: "AddMatch", signature: "s", body: [`type='signal',interface='${itemInterface}'`] });
  await invoke({ ...ofBus, member: "RequestName", signature: "su", body: [watcherName, 4] });
  const item = () => ({ destination: registered.at(-1) ?? "", path: "/StatusNotifierItem" });
  let isStopped = false;
  const stop = (): void => {
    if (!isStopped) bus.connection.end();
    isStopped = true;
  };
  onTestFinished(stop);
  return {
    registered,
    signals,
    call: (member, signature, ...body) =>
      invoke({ ...item(), interface: itemInterface, member, ...(signature !== undefined && { signature, body }) }),
    async property(name) {
      const properties = { interface: "org.freedesktop.DBus.Properties", member: "Get", signature: "ss" };
      const [[, [value]]] = (await invoke({ ...item(), ...properties, body: [itemInterface, name] })) as [
        [unknown, [unknown]],
      ];
      return value;
    },
    stop,
  };
}
