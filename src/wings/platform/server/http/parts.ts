// What the routes share, and the checks that each begins with.
import type { Context, Hono } from "hono";
import type { Role } from "../../contract/endpoints.ts";
import type { Clock } from "../../../../system/clock.ts";
import type { RegisteredComputer } from "../computers.ts";
import type { Installs } from "../install-session.ts";
import type { Key } from "../keys.ts";
import type { Database } from "../store/database.ts";
import type { HttpProblem } from "./problems.ts";

export interface AppParts {
  database: Database;
  clock: Clock;
  randomId: () => string;
  keys: () => Key[];
  computers: () => RegisteredComputer[];
  installs: Installs;
  /** Whether requests for other hosts than this machine itself are refused. */
  isForLocalHosts: boolean;
  /** Whom a request comes from, for the limit on wrong keys. */
  addressOf: (context: Context) => string;
  /** Whether another user of this computer sent the request, where the system says it. */
  isOfAnotherUser: (context: Context) => boolean;
  /** Is told of a request that has proved whose it is, so that strangers cannot have its connection closed. */
  onProven: (context: Context) => void;
  /** Takes in what agents elsewhere post. */
  hooks?: HookReceiver | undefined;
  /** Adds routes that are no part of the API. */
  addPage?: ((app: App, parts: AppParts) => void) | undefined;
  /** Hears of what the server itself got wrong. */
  onError: (what: string) => void;
}

export interface HookCall {
  /** The machine, as the secret names it. */
  remote: string;
  agentId: string;
  eventName: string | undefined;
  text: string;
}

export interface HookReceiver {
  /** The machine that has this secret. */
  remoteOf(secret: string): string | undefined;
  /** When it resolves to anything but a problem, the event is durable. */
  take(call: HookCall): Promise<Taken>;
}

export type Taken =
  | { what: "taken" }
  /** Resolves to what the agent's hook would print, empty for no decision. `gone`: the agent waits no longer. Never rejects. */
  | { what: "asked"; answer(gone: AbortSignal): Promise<string> }
  | { what: "invalid"; why: string }
  | { what: "notKept"; why: string };

export interface AppEnv {
  Variables: { requestId: string };
}
export type App = Hono<AppEnv>;

export interface Guard {
  /** The key of the request, if it may do this. Throws the answer otherwise. */
  requireKey(context: Context<AppEnv>, roles: readonly Role[]): Key;
  /** Counts a wrong credential against its sender's address. */
  refuse(context: Context<AppEnv>, detail: string): HttpProblem;
  /** Throws the answer when the caller has sent too much. */
  limit(name: string): void;
  /** Throws the answer when the key has stored too many new reports. */
  limitReports(name: string): void;
  /** The body as text. Without a key it is a stranger's. Throws the answer if it is too large or not UTF-8. */
  readText(context: Context<AppEnv>, key: Key | undefined, maxBytes: number): Promise<string>;
}

/** `/a/{b}` as Hono writes it. */
export function routeOf(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}
