// The platform as its document describes it, over real sockets: strict about every request, with figures of a test's own.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as examples from "./examples.ts";

type Row = Record<string, unknown>;
export interface ScriptedAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

export interface PlatformReceiver {
  origin: string;
  /** Every request, as `GET /path?query`. */
  requests: string[];
  /** What was wrong with requests, by the document; a client must never cause any. */
  violations: string[];
  /** The next answers, in place of the usual ones; "hangUp" reads the request and closes the connection. */
  next: (ScriptedAnswer | "hangUp")[];
  /** Rows by the endpoint's last path part (`tokens`, `tokens:model`); a test replaces them. */
  rows: Record<string, Row[]>;
  reports: Row[];
  /** A service's own maximum, which the document does not give. */
  maxReports: number;
  runningComputers: Set<string>;
  computers: Record<string, Row>;
  /** How many there have been. */
  connections(): number;
  close(): Promise<void>;
}

type Role = "Owner" | "Manager" | "Member" | "Guest";
type Reply = [status: number, body: unknown];

/** Keys that it takes; each has the role that it names. */
const receiverKeys: Record<string, Role> = {
  "key-owner": "Owner",
  "key-manager": "Manager",
  "key-member": "Member",
  "key-guest": "Guest",
};

const groupings: Record<string, string> = { tokens: "model", tools: "tool_name", activity: "client" };

export async function startPlatformReceiver(today: string): Promise<PlatformReceiver> {
  const server = createServer((request, response) => void answer(request, response));
  let connections = 0;
  server.on("connection", () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const receiver: PlatformReceiver = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    violations: [],
    next: [],
    rows: {
      tokens: [examples.exampleTokensRow],
      "tokens:model": [examples.exampleTokensByModelRow],
      tools: [examples.exampleToolsRow],
      "tools:tool_name": [examples.exampleToolsByNameRow],
      activity: [examples.exampleActivityRow],
      "activity:client": [examples.exampleActivityByClientRow],
      productivity: [examples.exampleProductivityRow],
      users: [examples.exampleUsersRow],
    },
    reports: [examples.exampleReadinessReport],
    maxReports: 100,
    runningComputers: new Set(),
    computers: { [examples.exampleComputer.id]: examples.exampleComputer },
    connections: () => connections,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    receiver.requests.push(`${request.method} ${request.url}`);
    if (body !== "") receiver.violations.push("no operation has a request body");
    const scripted = receiver.next.shift();
    if (scripted === "hangUp") return void request.socket.destroy();
    if (scripted !== undefined) {
      response.writeHead(scripted.status, scripted.headers).end(scripted.body ?? "");
      return;
    }
    const [status, reply] = route(request);
    if (status === 400) receiver.violations.push(`${request.method} ${request.url}: ${JSON.stringify(reply)}`);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(reply));
  }

  function route(request: IncomingMessage): Reply {
    const url = new URL(request.url ?? "", receiver.origin);
    const computer = /^\/api\/v0\/computers\/([^/]+)\/install-deps$/.exec(url.pathname)?.[1];
    const figures = /^\/api\/v1\/analytics\/(tokens|tools|activity|productivity|users)$/.exec(url.pathname)?.[1];
    const isReadiness = url.pathname === "/api/organization/maturity-level-reports";
    const fail: (status: number, detail: string) => Reply =
      computer === undefined
        ? (status, detail) => [status, { title: `Error ${status}`, detail, status, requestId: "req_7" }]
        : (status, detail) => [status, { title: `Error ${status}`, detail, status }];
    if (request.method !== (computer === undefined ? "GET" : "POST")) return fail(400, "wrong method");
    const key = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    const role = Object.hasOwn(receiverKeys, key) ? receiverKeys[key] : undefined;
    if (role === undefined) return fail(401, "missing or invalid credential");
    if (computer !== undefined) return retryInstall(decodeURIComponent(computer), url, fail);
    if (figures !== undefined) {
      if (role !== "Owner" && role !== "Manager") return fail(403, "Manager or Owner role required");
      return analytics(figures, url.searchParams, fail);
    }
    return isReadiness ? readiness(url.searchParams, fail) : fail(404, "no such path");
  }

  function retryInstall(id: string, url: URL, fail: (status: number, detail: string) => Reply): Reply {
    if (url.search !== "") return fail(400, "no query is declared");
    const computer = Object.hasOwn(receiver.computers, id) ? receiver.computers[id] : undefined;
    if (computer === undefined) return fail(404, "no such computer");
    if (receiver.runningComputers.has(id)) return fail(409, "an install session is already running");
    receiver.runningComputers.add(id);
    return [202, computer];
  }

  function analytics(name: string, query: URLSearchParams, fail: (status: number, detail: string) => Reply): Reply {
    const known = ["startDate", "endDate", ...(name === "users" ? ["limit", "cursor"] : ["group_by"])];
    const unknown = [...query.keys()].find((key) => !known.includes(key));
    if (unknown !== undefined) return fail(400, `unknown parameter ${unknown}`);
    const start_date = query.get("startDate") ?? "";
    const end_date = query.get("endDate") ?? "";
    for (const date of [start_date, end_date]) {
      if (!/^\d{4}-\d\d-\d\d$/.test(date)) return fail(400, "invalid date");
      if (date >= today || date < "2026-01-14") return fail(400, `no data on ${date}`);
    }
    if (start_date > end_date) return fail(400, "reversed range");
    const groupBy = query.get("group_by");
    if (groupBy !== null && groupBy !== groupings[name]) return fail(400, "unknown group_by");
    const rows = (receiver.rows[groupBy === null ? name : `${name}:${groupBy}`] ?? []).filter(
      ({ date }) => String(date) >= start_date && String(date) <= end_date,
    );
    const meta = { org_id: "org_1", start_date, end_date };
    if (name !== "users") return [200, { data: rows, meta }];
    const limit = Number(query.get("limit") ?? 20);
    if (!Number.isInteger(limit) || limit < 1 || limit > 100) return fail(400, "limit out of range");
    const cursor = query.get("cursor");
    // A page has so many users, each with all of their days.
    const ids = [...new Set(rows.map(({ user_id }) => user_id))];
    const from = cursor === null ? 0 : ids.indexOf(cursor) + 1;
    const page = ids.slice(from, from + limit);
    const has_more = from + limit < ids.length;
    const data = rows.filter(({ user_id }) => page.includes(user_id));
    return [200, { data, meta: { ...meta, has_more, ...(has_more ? { next_cursor: page.at(-1) } : {}) } }];
  }

  function readiness(query: URLSearchParams, fail: (status: number, detail: string) => Reply): Reply {
    const unknown = [...query.keys()].find((key) => !["repoId", "limit", "startAfter"].includes(key));
    if (unknown !== undefined) return fail(400, `unknown parameter ${unknown}`);
    const limit = Number(query.get("limit") ?? receiver.maxReports);
    if (!Number.isInteger(limit) || limit < 1) return fail(400, "limit must be a positive integer");
    const repoId = query.get("repoId");
    const all = receiver.reports.filter(({ repoUrl }) => repoId === null || String(repoUrl).endsWith(repoId));
    const after = query.get("startAfter");
    const from = after === null ? 0 : all.findIndex(({ reportId }) => reportId === after) + 1;
    return [200, { reports: all.slice(from, from + Math.min(limit, receiver.maxReports)) }];
  }
}
