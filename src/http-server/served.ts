// What the server is put together from: each part that it serves, and what it hands to the parts.
import type { Context, Hono } from "hono";
import type * as z from "zod";
import type { Device, Right } from "../answers/browsers/devices.ts";
import type { Clock } from "../system/clock.ts";
import type { HttpProblem } from "./problems.ts";

export interface AppEnv {
  Variables: { requestId: string };
}
export type App = Hono<AppEnv>;

/** An operation of the server, for its OpenAPI document and for requests with another method. */
export interface Operation {
  method: string;
  /** Such as `/a/{b}`. */
  path: string;
  roles: readonly string[];
  summary: string;
  query?: z.ZodObject;
  success: { status: number; body: z.ZodType | undefined };
  repeatedStatus?: number;
  grouped?: z.ZodType;
  body?: z.ZodType;
  maxBodyBytes?: number;
  errors: { statuses: readonly number[]; body: z.ZodType };
  /** What the request shows: one of the security schemes; by default `key`. */
  credential?: string;
}

export interface AppParts {
  clock: Clock;
  randomId: () => string;
  /** Whether requests for other hosts than this machine itself are refused. */
  isForLocalHosts: boolean;
  /** Whom a request comes from, for the limit on wrong keys. */
  addressOf: (context: Context) => string;
  /** Whether another user of this computer sent the request, where the system says it. */
  isOfAnotherUser: (context: Context) => boolean;
  /** Is told of a request that has proved whose it is, so that strangers cannot have its connection closed. */
  onProven: (context: Context) => void;
  /** Hears of what the server itself got wrong. */
  onError: (what: string) => void;
}

export interface Guard {
  /** Counts a wrong credential against its sender's address. */
  refuse(context: Context, detail: string): HttpProblem;
  /** Throws the answer when the caller has sent too much. */
  limit(name: string): void;
  /** The body as text. Without a sender's name it is a stranger's. Throws the answer if it is too large or not UTF-8. */
  readText(context: Context, sender: string | undefined, maxBytes: number): Promise<string>;
}

/** What each part is given to add its routes. */
export interface AddParts extends AppParts {
  guard: Guard;
  /** The tabs that the parts bring for the page. */
  tabs: readonly PageTab[];
}

/** An event of someone in a fleet, as the machine that published it has read it. Times are milliseconds since the epoch. */
export interface FedEvent {
  /** The broker's word: a machine publishes under its own name only. */
  person: string;
  eventId: string;
  body: {
    agentId?: string | undefined;
    eventName?: string | undefined;
    from?: string | undefined;
    at: number;
    silence?: "repeat" | "ignored" | undefined;
    text: string;
  };
}

/** A part of the server. */
export interface Served {
  add(app: App, parts: AddParts): void;
  operations?: Readonly<Record<string, Operation>>;
  /** https://spec.openapis.org/oas/v3.1.1.html#security-scheme-object, by their names. */
  securitySchemes?: Readonly<Record<string, object>>;
  /** How an error of this path carries the request's id, if not in a member of its own. */
  withRequestId?(path: string, requestId: string): object | undefined;
  tab?: PageTab;
  /** Counts events that came otherwise than by a request. */
  count?(events: readonly FedEvent[]): void;
  /** Begins what it does besides answering requests. `count` is that of the part that counts events. */
  begin?(count: ((events: readonly FedEvent[]) => void) | undefined): void;
  onListening?(url: string): void;
  /** Ends its streams and its work; resolves when they have ended. */
  end?(): Promise<void> | void;
  /** Closes its files, when no request is under way any more. */
  close?(): void;
}

/** What a part brings for the page of this machine's sessions. */
export interface PageTab {
  /** As the page's address has it. */
  name: string;
  add(routes: PageRoutes): void;
  /** What it adds to the tab "Now", and calls when that may have changed, until the returned function is called. */
  now?: { current(): object; watch(onChange: () => void): () => void };
}

export interface PageRoutes {
  app: App;
  access: PageAccess;
  /** The answer is sent as JSON to a device with this right. */
  get(path: string, right: Right, answer: (context: Context) => object | Promise<object>): void;
  post<Asked>(
    path: string,
    right: Right,
    schema: z.ZodType<Asked>,
    act: (asked: Asked, device: Device) => Done | Promise<Done>,
  ): void;
}

export interface PageAccess {
  /** The device of the request, if it has the right. Throws the answer otherwise. */
  requireDevice(context: Context, right: Right): Device;
  /** The device of the request as it is now; undefined if it was revoked. */
  currentDevice(context: Context): Device | undefined;
  readBody<Body>(context: Context, sender: string, schema: z.ZodType<Body>, maxBytes?: number): Promise<Body>;
}

/** The page's answer to each request that changes something. `text` is for the user. */
export interface Done {
  isDone: boolean;
  text: string;
}

/** A problem of a rules file, as the page shows it. `line` and `column` count from 1. */
export interface RulesProblem {
  line: number;
  column: number;
  text: string;
  hint?: string | undefined;
}

/** `/a/{b}` as Hono writes it. */
export function routeOf(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}
