// The state folder of 1.0.0-rc.1 with 336 deliveries that wait, 24 dead letters, open questions, held messages and lists, taken over.
// A dispatcher built from commit 14ba2789 made it on a clock of its own: receivers failed one after the other, a channel was
// muted, quiet hours began, hooks died with their questions open, and it was stopped with five payloads in incoming/.
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { listDeliveries, readDelivery } from "../../../src/outbox/deliveries/deliveries.ts";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { prepareDispatcher, type RunningDispatcher } from "../../support/project/running-dispatcher.ts";

interface Recorded {
  /** Milliseconds since the epoch. */
  recordedAt: number;
  /** With `@ORIGIN@` in place of the receivers' origin, `@STATE@` in place of the state folder. */
  rules: unknown;
  files: Record<string, string>;
}

/** What a receiver was told; each event of the recording says a mark of its own. */
interface Told {
  /** A topic of ntfy, or a path. */
  to: string;
  title: string;
  marks: string[];
}

const minute = 60_000;
/** The longest waits of the recording: escalations, groups and throttles of three hours, quiet hours, a limit of four. */
const allIsDueAfter = 8 * 60 * minute;
/** On a busy machine, reading a file before a request takes longer than one look. */
const looksAtRest = 6;

const isPoll = (path: string): boolean => path.endsWith("/getUpdates");

/** Several questions are one message there. */
const isListed = (to: string): boolean => to === "phone" || to.startsWith("/api/") || to === "/sendMessage";

/** They take everything, as the servers of Slack, Telegram and ntfy do. */
async function startReceivers(): Promise<{ origin: string; told: Told[] }> {
  const told: Told[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const { topic, title, text } = JSON.parse(body || "{}") as Record<string, string | undefined>;
      const marks = [...new Set(body.match(/mark-\d{4}/g))].sort();
      if (!isPoll(path)) told.push({ to: topic ?? path.replace(/^\/bot[^/]*/, ""), title: title ?? text ?? "", marks });
      const id = told.length;
      const result = isPoll(path) ? [] : { message_id: id, chat: { id: 77 } };
      const answer = {
        ok: true,
        id: `n${id}`,
        channel: "C0123456789",
        ts: `1763740000.${String(id).padStart(6, "0")}`,
      };
      response.writeHead(200, { "content-type": "application/json" });
      setTimeout(() => response.end(JSON.stringify({ ...answer, result })), isPoll(path) ? 200 : 0);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, told };
}

/** Puts the recording into the state folder, and sets the clock to the moment after it. */
function takeOver({ clock, dispatcher, writeRules }: RunningDispatcher, origin: string): Recorded {
  const recording = gunzipSync(readFileSync(new URL("rc1-state.json.gz", import.meta.url))).toString();
  const recorded = JSON.parse(recording.replaceAll("@ORIGIN@", origin)) as Recorded;
  const { root } = dispatcher.layout;
  // It stands in texts of JSON.
  const state = JSON.stringify(root).slice(1, -1);
  for (const [name, content] of Object.entries(recorded.files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, content.replaceAll("@STATE@", state), { mode: 0o600 });
    utimesSync(path, recorded.recordedAt / 1000, recorded.recordedAt / 1000);
  }
  clock.set(recorded.recordedAt + 1000);
  writeRules(recorded.rules);
  return recorded;
}

/** Turns the clock until all that waits is due; each turn gets the time to do its work. */
async function turnUntilAllIsDue({ clock, dispatcher, journal }: RunningDispatcher, told: Told[]): Promise<void> {
  const { tools } = dispatcher;
  const { http } = tools;
  let underWay = 0;
  tools.http = async (...request) => {
    const counts = isPoll(request[0].url) ? 0 : 1;
    underWay += counts;
    return await http(...request).finally(() => (underWay -= counts));
  };
  const isAtWork = (): boolean => underWay > 0;
  const end = clock.now() + allIsDueAfter;
  for (let stepMs = 1000; clock.now() < end; stepMs = Math.min(10 * minute, stepMs * 1.5)) {
    for (let before = -1, quietLooks = 0; quietLooks < looksAtRest; await sleep(10)) {
      const now = told.length + journal().length;
      quietLooks = now === before && !isAtWork() ? quietLooks + 1 : 0;
      before = now;
    }
    clock.turn(stepMs);
  }
}

it("what 1.0.0-rc.1 left is delivered, each message once", async () => {
  const { origin, told } = await startReceivers();
  const running = prepareDispatcher();
  const { files } = takeOver(running, origin);
  const { layout } = running.dispatcher;
  const waiting = listDeliveries(layout, "outbox").flatMap((file) => {
    const reading = readDelivery(layout, "outbox", file);
    return reading.status === "read" ? [reading.delivery] : [];
  });
  expect(waiting).toHaveLength(336);
  expect(Object.keys(files)).toHaveLength(488);
  void running.run();
  await turnUntilAllIsDue(running, told);

  expect(listIncoming(layout)).toEqual([]);
  // What the receivers have refused stays; a turn that may be stuck is looked at again for as long as its session asks.
  expect(listDeliveries(layout, "dead")).toHaveLength(24);
  const left = listDeliveries(layout, "outbox").map((file) => readDelivery(layout, "outbox", file));
  expect(left.filter((reading) => reading.status !== "read" || reading.delivery.event.name !== "Stuck")).toEqual([]);
  const cameTo = (to: string) => {
    const messages = told.filter((each) => each.to === to);
    const marks = messages.flatMap((each) => each.marks);
    const events = new Set(marks).size;
    // Each question rings once; a list that is edited says it again. How many are one message depends on when each is tried again.
    if (isListed(to)) return { events };
    const standsFor = ({ title }: Told): number => Number(/^\d+(?= notifications| earlier)/.exec(title)?.[0] ?? 1);
    const sum = messages.reduce((so, each) => so + standsFor(each), 0);
    return { events, repeats: marks.length - events, messages: sum };
  };
  expect(Object.fromEntries([...new Set(told.map(({ to }) => to))].map((to) => [to, cameTo(to)]))).toEqual({
    "/hook": { events: 93, repeats: 0, messages: 93 },
    "/sendMessage": { events: 5 },
    "/api/chat.postMessage": { events: 18 },
    phone: { events: 18 },
    // A summary shows the first forty.
    grouped: { events: 40, repeats: 0, messages: 70 },
    throttled: { events: 40, repeats: 0, messages: 69 },
    slow: { events: 65, repeats: 0, messages: 70 },
    later: { events: 25, repeats: 0, messages: 25 },
    muted: { events: 5, repeats: 0, messages: 5 },
    team: { events: 23, repeats: 0, messages: 23 },
  });
});
