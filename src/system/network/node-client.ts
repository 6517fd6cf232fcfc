// Node's own HTTP client, and the connections that it keeps for requests that may be repeated.
import type * as http from "node:http";
import type * as https from "node:https";

/** Node's servers close an idle connection after five seconds, most others later. */
const keptMs = 2000;
const keptAgents = new Map<string, http.Agent>();

/** An idle connection does not keep the process running. */
export function keptAgent(protocol: string): http.Agent {
  const { Agent } = clientFor(protocol);
  const agent = keptAgents.get(protocol) ?? new Agent({ keepAlive: true, timeout: keptMs });
  keptAgents.set(protocol, agent);
  return agent;
}

/** An import() of node:http would load fetch and WebSocket, too: 20 ms. */
export function clientFor(protocol: string): typeof http | typeof https {
  return process.getBuiltinModule(protocol === "https:" ? "node:https" : "node:http");
}
