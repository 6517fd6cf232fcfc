// Connections to receivers, by undici: direct ones, and tunnels through a proxy.
import type { Duplex } from "node:stream";
import type { buildConnector, Dispatcher } from "undici";
import { connectTimeoutMs } from "./http.ts";
import { lookUpPublic } from "./public-address.ts";

/** How requests get to their receivers. */
export interface Route {
  /** The proxy that opens a tunnel for each connection. */
  tunnel?: URL | undefined;
  /** No connection leads to a private address. */
  isPublicOnly?: boolean;
  /** Ends a tunnel that is not open yet. */
  signal?: AbortSignal;
}

/** Node's servers close an idle connection after five seconds, most others later. */
const keptMs = 2000;

/** Only what sends a request loads it. */
async function loadUndici() {
  // Node 20 would not end before V8 has compiled the WebAssembly of undici's parser once more: 0.1 s.
  if (process.version.startsWith("v20.")) {
    const { setFlagsFromString } = process.getBuiltinModule("node:v8");
    for (const flag of ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) setFlagsFromString(flag);
  }
  return await import("undici");
}

/** An idle connection does not keep the process running. The caller ends all of them with `destroy()`. */
export async function openConnections({ tunnel, isPublicOnly = false, signal }: Route): Promise<Dispatcher> {
  const { Agent, buildConnector } = await loadUndici();
  const secure = buildConnector(isPublicOnly ? { lookup: lookUpPublic } : {});
  const connectThrough = async (
    proxy: URL,
    options: buildConnector.Options,
    done: buildConnector.Callback,
  ): Promise<void> => {
    try {
      const socket = await openTunnel(proxy, `${options.hostname}:${options.port || 443}`, signal);
      secure({ ...options, httpSocket: socket as buildConnector.Options["httpSocket"] }, done);
    } catch (error) {
      done(error as Error, null);
    }
  };
  const connect: buildConnector.connector = ({ servername: _, ...options }, done) => {
    // The certificate is the host's to which it connects, which may be a proxy that the `Host` header does not name.
    if (tunnel === undefined) secure(options, done);
    else void connectThrough(tunnel, options, done);
  };
  return new Agent({ connect, keepAliveTimeout: keptMs, keepAliveMaxTimeout: keptMs, headersTimeout: 0 });
}

/** A proxy opened no tunnel. It has no code, since undici asks again and again after some. */
export class TunnelError extends Error {
  /** The proxy's answer, if it gave one. */
  readonly status: number | undefined;

  constructor({ status, cause }: { status?: number; cause?: unknown }) {
    super("the proxy opened no tunnel", { cause });
    this.status = status;
  }
}

/** A connection through the proxy to `host`, which has a port. Rejects with a `TunnelError`. */
export async function openTunnel(proxy: URL, host: string, signal?: AbortSignal): Promise<Duplex> {
  const { buildConnector, Client } = await loadUndici();
  const secure = buildConnector({});
  const client = new Client(proxy.origin, { connect: ({ servername: _, ...options }, done) => secure(options, done) });
  const deadline = AbortSignal.timeout(connectTimeoutMs);
  const answer = await client
    .connect({
      path: host,
      headers: { host, ...proxyAuthorization(proxy) },
      signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
    })
    .catch((cause: unknown) => {
      throw new TunnelError({ cause });
    });
  if (answer.statusCode === 200) return answer.socket;
  answer.socket.destroy();
  throw new TunnelError({ status: answer.statusCode });
}

export function proxyAuthorization({ username, password }: URL): { "proxy-authorization"?: string } {
  if (username === "" && password === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}
