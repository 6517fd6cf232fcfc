// Ten thousand event streams on a real server, and readers that do not read: it stays up and small, and answers others.
import { readFileSync } from "node:fs";
import { Agent, request, type IncomingMessage } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { maxStreams } from "../../../src/wings/page/stream.ts";
import { writeSession } from "../../../src/outbox/sessions.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { temporaryProject, type Project } from "../../support/project/running-project.ts";
import { servePage } from "../../support/usage/browser.ts";
import {
  openSessionOf,
  senderTo,
  signatureFor,
  storeDevice,
  type TestDevice,
} from "../../support/usage/page-browser.ts";

const asked = 10_000;
/** More wait for their answer at once than the server has connections for. */
const atOnce = 600;
/** A state folder has at most 100. */
const devices = 90;
/** 240 was seen. */
const mostMegabytes = 400;

interface Opened {
  status: number | "reset";
  end(): void;
}

async function pair({ layout }: Project, url: string): Promise<TestDevice> {
  const device = storeDevice(layout);
  await openSessionOf(senderTo(url), url, device);
  return device;
}

/** Resolves with the head of the answer; what follows is read, unless `onOpen` does otherwise. */
function open(
  url: string,
  path: string,
  device: TestDevice,
  onOpen?: (body: IncomingMessage) => void,
): Promise<Opened> {
  return new Promise((resolve) => {
    const sent = request(
      `${url}${path}`,
      { headers: signatureFor(device, path), agent: new Agent({ keepAlive: false }) },
      (response) => {
        (onOpen ?? ((body) => body.resume()))(response);
        response.on("error", () => {});
        const { statusCode: status = 0 } = response;
        resolve({ status, end: () => sent.destroy() });
      },
    );
    sent.on("error", () => resolve({ status: "reset", end() {} }));
    sent.end();
  });
}

/** The server's own ends of connections that are established. */
function connectionsTo(url: string): number {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, "0");
  const lines = readFileSync("/proc/net/tcp", "utf8").split("\n");
  return lines.filter((line) => new RegExp(`^ *\\d+: [0-9A-F]{8}:${port} \\S+ 01 `).test(line)).length;
}

function mostMegabytesOf(pid: number | undefined): number {
  return Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

describe.runIf(process.platform === "linux")("the page's server", () => {
  it(`refuses all but ${maxStreams} of ${asked} streams with 503, and answers others meanwhile`, async () => {
    const project = temporaryProject();
    const { server } = await servePage(project);
    const owner = await pair(project, server.url);
    const paired: TestDevice[] = [];
    for (let count = 0; count < devices; count += 1) paired.push(await pair(project, server.url));
    const held: Opened[] = [];
    onTestFinished(() => held.forEach(({ end }) => end()));
    const statuses = new Map<Opened["status"], number>();
    for (let from = 0; from < asked; from += atOnce) {
      const some = Array.from({ length: Math.min(atOnce, asked - from) }, (_, index) => {
        return open(server.url, "/page/events", paired[(from + index) % devices] ?? owner);
      });
      for (const each of await Promise.all(some)) {
        held.push(each);
        statuses.set(each.status, (statuses.get(each.status) ?? 0) + 1);
      }
      expect((await open(server.url, "/page/deliveries", owner)).status).toBe(200);
    }
    console.log(
      `${asked} streams:`,
      Object.fromEntries(statuses),
      `${mostMegabytesOf(server.child.pid).toFixed(0)} MB`,
    );
    // 408: this process was too busy to write its request in time.
    expect([...statuses.keys()].filter((status) => ![200, 408, 429, 503, "reset"].includes(status))).toEqual([]);
    expect(statuses.get(503) ?? 0).toBeGreaterThan(0);
    expect(mostMegabytesOf(server.child.pid)).toBeLessThan(mostMegabytes);
    for (const { end } of held) end();
    await project.until("the end of the streams", () => connectionsTo(server.url) === 0);
    expect((await open(server.url, "/page/events", owner)).status).toBe(200);
    expect(server.stderr()).not.toMatch(/mistake|Error/);
  });

  it("cuts readers that do not read", async () => {
    const project = temporaryProject();
    const { server } = await servePage(project);
    const readers = 20;
    for (let index = 0; index < readers; index += 1) {
      const opened = await open(server.url, "/page/events", await pair(project, server.url), (body) => body.pause());
      onTestFinished(opened.end);
      expect(opened.status).toBe(200);
    }
    // The exchanges before left some open, too.
    expect(connectionsTo(server.url)).toBeGreaterThanOrEqual(readers);
    const since = Date.now();
    let change = 0;
    // Each second brings more than the system keeps of a connection that no one reads.
    const words = "x".repeat(4_000_000);
    await project.until("the end of the connections", () => {
      if (Date.now() - since >= change * 1000) {
        change += 1;
        const turn = { helpers: 0, tool: { since, words: `${change} ${words}` } };
        const state = { kind: "working", since, reason: "It works.", source: "hook", turn } as const;
        writeSession(project.layout, recordOf({ agent: "claude-code", session: "one", lastSeenAt: since, state }));
      }
      return connectionsTo(server.url) === 0;
    });
    console.log(
      `${readers} slow readers: cut after ${Math.round((Date.now() - since) / 1000)} s, ${mostMegabytesOf(server.child.pid).toFixed(0)} MB`,
    );
    expect((await open(server.url, "/page/events", await pair(project, server.url))).status).toBe(200);
  });
});
