// A connection to the D-Bus session bus with a deadline.
import { createConnection, type Socket } from "node:net";
import { codeOf, messageOf } from "../../model/errors.ts";
import type { Environment } from "../environment.ts";
import { percentDecoded } from "../../model/text.ts";

// The package's own types lack this.
declare module "@homebridge/dbus-native" {
  export function createClient(options: { stream: Socket; authMethods: string[] }): MessageBus;
}

/** The names under which the bus itself answers. */
export const bus = {
  destination: "org.freedesktop.DBus",
  path: "/org/freedesktop/DBus",
  interface: "org.freedesktop.DBus",
} as const;

export interface BusMessage {
  destination: string;
  path: string;
  interface: string;
  member: string;
  /** D-Bus types of `body`. */
  signature?: string;
  body?: unknown[];
  /** `doNotStart`, or nothing. */
  flags?: number;
}

/** The flag by which a call starts no service. */
export const doNotStart = 2;

/** Rejects with `BusError` if the peer answered with an error. */
export type BusCall = (message: BusMessage) => Promise<unknown[]>;

/** A signal of a service; `member` is its name. */
export interface BusSignal {
  /** The sender's unique name on the bus, which no other program can take. */
  sender: string;
  interface: string;
  member: string;
  body: readonly unknown[];
}

type OnSignal = (listener: (signal: BusSignal) => void) => void;

/** What other programs may ask of this connection. */
export interface BusObject {
  path: string;
  interface: string;
  /** By name: the D-Bus type, and the value now. */
  properties: Readonly<Record<string, readonly [type: string, value: () => unknown]>>;
  /** By name: the types of the arguments, and what to do. They return nothing. */
  methods: Readonly<Record<string, readonly [types: string, run: (...given: readonly unknown[]) => void]>>;
}

/** Sends one of the object's signals. */
type EmitSignal = (member: string, types?: string, body?: readonly unknown[]) => void;

/** A peer's or the bus's answer. */
class BusError extends Error {
  /** Such as `org.freedesktop.DBus.Error.ServiceUnknown`. */
  readonly errorName: string;

  constructor(errorName: string, message: string) {
    super(message);
    this.name = "BusError";
    this.errorName = errorName;
  }
}

export type BusSession<T> =
  | { status: "done"; value: T }
  | { status: "noBus"; detail: string }
  | { status: "refused"; error: BusError }
  | { status: "timedOut" }
  | { status: "broken"; detail: string };

/** `call` goes to the first socket that answers, and always closes it. Without `timeoutMs`, it stays until one side ends it. */
export function withSessionBus<T>(
  socketPaths: readonly string[],
  limits: { timeoutMs?: number; signal: AbortSignal },
  use: (call: BusCall, onSignal: OnSignal, serve: (object: BusObject) => EmitSignal) => Promise<T>,
): Promise<BusSession<T>> {
  return new Promise((resolve, reject) => {
    let socket: Socket | undefined;
    const cleanUp = (): void => {
      clearTimeout(timer);
      limits.signal.removeEventListener("abort", stop);
      socket?.destroy();
    };
    const finish = (session: BusSession<T>): void => {
      cleanUp();
      resolve(session);
    };
    const stop = (): void => finish({ status: "timedOut" });
    const timer = limits.timeoutMs === undefined ? undefined : setTimeout(stop, limits.timeoutMs);
    limits.signal.addEventListener("abort", stop, { once: true });
    if (limits.signal.aborted) {
      stop();
      return;
    }
    const run = async (): Promise<void> => {
      const { createClient } = await import("@homebridge/dbus-native");
      const connected = await connectFirst(socketPaths);
      if ("detail" in connected) {
        finish({ status: "noBus", detail: connected.detail });
        return;
      }
      socket = connected.socket;
      if (limits.signal.aborted) {
        stop();
        return;
      }
      socket.on("close", () => finish({ status: "broken", detail: "the bus closed the connection" }));
      // The other methods read the home folder.
      const bus = createClient({ stream: socket, authMethods: ["EXTERNAL"] });
      bus.connection.on("error", (error: unknown) => finish({ status: "broken", detail: messageOf(error) }));
      finish({ status: "done", value: await use(callOn(bus), signalsOf(bus.connection), serveOn(bus)) });
    };
    run().catch((error: unknown) => {
      if (error instanceof BusError) {
        finish({ status: "refused", error });
        return;
      }
      cleanUp();
      reject(error);
    });
  });
}

/** https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-types */
const signalType = 4;

function signalsOf(connection: {
  on(event: "message", listener: (message: Partial<BusSignal> & { type: number }) => void): void;
}): OnSignal {
  return (listener) =>
    connection.on("message", ({ type, sender = "", interface: name = "", member = "", body = [] }) => {
      if (type === signalType) listener({ sender, interface: name, member, body });
    });
}

interface Invoker {
  invoke(
    message: unknown,
    callback: (error: { name: string; message: unknown } | undefined, value: unknown) => void,
  ): void;
}

function callOn(bus: Invoker): BusCall {
  return (message) =>
    new Promise((resolve, reject) => {
      // The library adds to the message it is given.
      bus.invoke({ ...message }, (error, ...values: unknown[]) => {
        if (error) reject(new BusError(error.name, String(error.message)));
        else resolve(values);
      });
    });
}

/** The package's own types lack this. */
interface Server {
  exportInterface(
    object: object,
    path: string,
    description: { name: string; methods: object; properties: object; signals: object },
  ): void;
  sendSignal(path: string, name: string, member: string, types?: string, body?: readonly unknown[]): void;
}

function serveOn(bus: unknown): (object: BusObject) => EmitSignal {
  const { exportInterface, sendSignal } = bus as Server;
  return ({ path, interface: name, properties, methods }) => {
    const members = {};
    for (const [member, [, value]] of Object.entries(properties)) {
      Object.defineProperty(members, member, { get: value });
    }
    for (const [member, [, run]] of Object.entries(methods)) Object.defineProperty(members, member, { value: run });
    const types = Object.fromEntries(Object.entries(properties).map(([member, [type]]) => [member, type]));
    const taken = Object.fromEntries(Object.entries(methods).map(([member, [given]]) => [member, [given, ""]]));
    exportInterface(withDefault(members, ""), path, {
      name,
      methods: withDefault(taken, ["", ""]),
      properties: withDefault(types, "s"),
      signals: {},
    });
    return (member, signature, body) => sendSignal(path, name, member, signature, body);
  };
}

/** The library reads a member by any name that another program sends, and throws where it finds none. */
function withDefault(members: object, value: unknown): object {
  const get = (of: object, name: string | symbol): unknown => (Object.hasOwn(of, name) ? Reflect.get(of, name) : value);
  return new Proxy(Object.freeze(members), { get });
}

async function connectFirst(socketPaths: readonly string[]): Promise<{ socket: Socket } | { detail: string }> {
  const refusals: string[] = [];
  for (const path of socketPaths) {
    const connected = await connect(path);
    if ("socket" in connected) return connected;
    refusals.push(connected.detail);
  }
  return { detail: refusals.join(", ") };
}

function connect(path: string): Promise<{ socket: Socket } | { detail: string }> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once("connect", () => resolve({ socket }));
    // The listener stays for the socket's life: an unhandled error would end the process.
    socket.on("error", (error) => {
      resolve({ detail: `${path.replace("\0", "@")}: ${codeOf(error) ?? error.message}` });
    });
  });
}

/**
 * The buses to ask, in order: a program that outlived a login has an old address, so the login's own bus comes last. An
 * abstract socket starts with NUL.
 */
export function findSessionBuses(env: Environment, userId: number | null = process.getuid?.() ?? null): string[] {
  const runtimeDir = env.XDG_RUNTIME_DIR || (userId === null ? undefined : `/run/user/${userId}`);
  const runtimeBus = runtimeDir === undefined ? [] : [`${runtimeDir}/bus`];
  const listed = (env.DBUS_SESSION_BUS_ADDRESS ?? "").split(";").flatMap((address) => {
    const [transport, rest = ""] = splitOnce(address, ":");
    if (transport !== "unix") return [];
    const keys = new Map(rest.split(",").map((pair) => splitOnce(pair, "=")));
    if (keys.get("runtime") === "yes") return runtimeBus;
    const path = percentDecoded(keys.get("path") ?? "");
    if (path) return [path];
    const abstract = percentDecoded(keys.get("abstract") ?? "");
    return abstract ? [`\0${abstract}`] : [];
  });
  const buses = [...new Set([...listed, ...runtimeBus])];
  const ofLogin = buses.indexOf(`/run/user/${userId}/bus`);
  return ofLogin === -1 ? buses : buses.slice(0, ofLogin + 1);
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
