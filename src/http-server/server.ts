// The server: one process that listens, hands requests to its parts, and ends with all of them.
import type { HttpBindings } from "@hono/node-server";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import { codeOf, describeWriteError, UserError } from "../model/errors.ts";
import { type Clock, untilAborted } from "../system/clock.ts";
import { randomId } from "../system/crypto.ts";
import { isLoopback } from "../system/network/destination.ts";
import { keepConnection, listen, type Listener } from "../system/network/listen.ts";
import { isOfAnotherUser } from "../system/network/peer.ts";
import { createApp } from "./app.ts";
import type { Served } from "./served.ts";

export interface ServerOptions {
  host: string;
  port: number;
  tls?: { cert: string; key: string } | undefined;
  /** Requests come through a proxy of the user's, which says for whom. */
  isBehindProxy: boolean;
  clock: Clock;
  /** Ends the server. */
  stop: AbortSignal;
  onListening(url: string): void;
  onNote(text: string): void;
}

/** Undefined: this server goes without that part, or was ended while it waited. */
export type OpenServed = () => Promise<Served | undefined>;

/** Runs until `stop`, with the parts in this order. Throws a `UserError` when the address, or what a part needs, cannot be used. */
export async function runServer(options: ServerOptions, open: readonly OpenServed[]): Promise<void> {
  const served: Served[] = [];
  try {
    for (const each of open) {
      const part = await each();
      if (part !== undefined) served.push(part);
      if (options.stop.aborted) return;
    }
    await serve(options, served);
  } finally {
    for (const each of served.toReversed()) each.close?.();
  }
}

async function serve(options: ServerOptions, served: readonly Served[]): Promise<void> {
  const { clock, stop, onNote } = options;
  const parts = {
    clock,
    randomId,
    isForLocalHosts: !options.isBehindProxy && isLoopbackAddress(options.host),
    addressOf: (context: Context) => addressOf(context, options.isBehindProxy),
    // With a certificate, no other program can have answered in this server's place.
    isOfAnotherUser: (context: Context) =>
      options.tls === undefined && !options.isBehindProxy && isOfAnotherUser(socketOf(context)),
    onProven: (context: Context) => keepConnection(socketOf(context)),
    onError: onNote,
  };
  const count = served.flatMap((each) => each.count ?? [])[0];
  let listener: Listener | undefined;
  try {
    listener = await startListening(options, createApp(parts, served).fetch);
    const { url } = listener;
    for (const each of served) each.begin?.(count);
    for (const each of served) each.onListening?.(url);
    options.onListening(url);
    await untilAborted(stop);
  } finally {
    const ends = served.map(async (each) => await each.end?.());
    await Promise.all([listener?.close(), ...ends]);
  }
}

async function startListening(
  { host, port, tls }: ServerOptions,
  fetch: (request: Request, env: never) => Response | Promise<Response>,
): Promise<Listener> {
  try {
    return await listen({ host, port, tls, fetch: fetch as Parameters<typeof listen>[0]["fetch"] });
  } catch (error) {
    const why =
      { EADDRINUSE: "another program has this port", EADDRNOTAVAIL: "this machine has no such address" }[
        codeOf(error) ?? ""
      ] ?? describeWriteError(error);
    throw new UserError("server.listen", `cannot listen on ${host}:${port}: ${why}`, {
      hint: "choose another with --host and --port; --port 0 takes a free one",
    });
  }
}

export function isLoopbackAddress(host: string): boolean {
  const url = `http://${host.includes(":") ? `[${host}]` : host}`;
  return URL.canParse(url) && isLoopback(new URL(url));
}

function socketOf(context: Context): HttpBindings["incoming"]["socket"] {
  return (context.env as HttpBindings).incoming.socket;
}

/** Behind a proxy the last address of the list is the one that the proxy has seen. */
function addressOf(context: Context, isBehindProxy: boolean): string {
  const forwarded = isBehindProxy ? context.req.header("x-forwarded-for")?.split(",").at(-1)?.trim() : undefined;
  return forwarded ?? getConnInfo(context).remote.address ?? "";
}
