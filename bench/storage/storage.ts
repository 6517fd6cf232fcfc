// The server's storage at size: how long each query takes until its last byte, beside the same query over raw rows.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { addKey } from "../../src/wings/platform/server/keys.ts";
import { openDatabase, type Database } from "../../src/wings/platform/server/store/database.ts";
import { markAllStale, renderStaleDays } from "../../src/wings/platform/server/store/days.ts";
import { runServer } from "../../src/http-server/server.ts";
import { openPlatformServer } from "../../src/wings/platform/server/server.ts";
import type { UsageObservation } from "../../src/wings/platform/server/analytics/observation.ts";
import { dateOf, forgetSeenBefore, ingest } from "../../src/wings/platform/server/store/ingest.ts";
import { migrate } from "../../src/wings/platform/server/store/schema.ts";
import { systemClock } from "../../src/system/clock.ts";
import { randomKey } from "../../src/system/crypto.ts";
import { createRawTable, days, eventsOfDay, firstDay, insertRaw, nameOf, rawQueries, users } from "./raw-events.ts";
import type { Data, RawEvent } from "./raw-events.ts";
import { stopping } from "../stopping.ts";
import { remarkRow, timeRow, type Row } from "../table.ts";

const lastDay = firstDay + days - 1;
const batch = 500;
const rounds = 5;
const dayMs = 86_400_000;
/** As the server forgets the ids of hook events. */
const rememberedDays = 31;

const levels = ["auto-high", "auto-medium", "auto-low", "manual"];

function observationOf({ user, kind, name, input, output }: RawEvent, id: string, day: number): UsageObservation {
  const named = (word: string): UsageObservation["counts"] => ({ [`${word}:${name}`]: 1 });
  const counts = {
    prompt: () => ({ prompt: 1 }),
    answer: () => ({ answer: 1, [`request:${name}`]: 1, [`input:${name}`]: input, [`output:${name}`]: output }),
    tool: () => ({ ...named("tool"), [`level:${levels[user % levels.length]}`]: 1 }),
    edited: () => named("edited"),
    commit: () => ({ commit: 1 }),
  }[kind]();
  const source = kind === "answer" ? "transcript" : "hook";
  const place = { agent: "claude-code", session: `${day} ${user}`, user: nameOf(user) };
  return { id, atMs: (day + 0.5) * dayMs, source, ...place, counts };
}

export async function reportStorage(folder: string, events: number, say: (line: string) => void): Promise<Row[]> {
  const dataDir = join(folder, "data");
  const key = (await addKey(dataDir, { name: "bench", role: "Owner" }, systemClock, randomKey())).key;
  const databasePath = join(dataDir, "usage.db");
  const rawPath = join(folder, "raw.db");
  const [database, raw] = [await openDatabase(databasePath, Date.now()), await openDatabase(rawPath, Date.now())];
  migrate(database);
  createRawTable(raw);
  const spent = { counting: 0, rendering: 0, raw: 0 };
  const timed = (part: keyof typeof spent, work: () => void): void => {
    const startedAt = performance.now();
    work();
    spent[part] += performance.now() - startedAt;
  };
  let total = 0;
  for (let day = firstDay; day <= lastDay; day += 1) {
    stopping.throwIfAborted();
    const rows = [...eventsOfDay(day, events / users / days)];
    for (let at = 0; at < rows.length; at += batch) {
      const some = rows.slice(at, at + batch);
      const seen = some.map((row, index) => observationOf(row, `${total + at + index}`, day));
      timed("counting", () => ingest(database, seen, [{ name: "journal", value: total + at }]));
      timed("raw", () => insertRaw(raw, day, some));
    }
    total += rows.length;
    timed("rendering", () => {
      renderStaleDays(database, day + 1);
      forgetSeenBefore(database, day - rememberedDays);
    });
    if ((day - firstDay) % 50 === 49) say(`${day - firstDay + 1} of ${days} days, ${total} events`);
  }
  const before = digestOfRows(database);
  const recountMs = elapsed(() => {
    markAllStale(database);
    renderStaleDays(database, lastDay + 1);
  });
  if (digestOfRows(database) !== before) throw new Error("a recount gives other rows");
  database.close();
  const sizes = { counts: bytesOf(databasePath), raw: bytesOf(rawPath) };
  say("queries");
  const served = await measureServer(dataDir, key);
  const rows = [
    remarkRow(`events counted, of ${users} users in ${days} days`, total.toLocaleString("en")),
    remarkRow("size of the database; of raw rows alone", `${megabytes(sizes.counts)}; ${megabytes(sizes.raw)}`),
    remarkRow(
      "events counted in a second; raw rows inserted",
      `${rate(total, spent.counting)}; ${rate(total, spent.raw)}`,
    ),
    remarkRow("the rows of one day are made in", `${(spent.rendering / days).toFixed(0)} ms`),
    remarkRow("a recount of the year: the same rows", `${(recountMs / 1000).toFixed(1)} s`),
    ...served.queries.map(({ name, samplesMs, body }) => {
      let rawAnswer = "";
      const ms = elapsed(() => (rawAnswer = JSON.stringify(rawQueries[name]?.ask(raw))));
      const { data } = JSON.parse(body.toString("utf8")) as { data: Data };
      if (rawAnswer !== JSON.stringify(rawQueries[name]?.of(data)))
        throw new Error(`${name}: raw rows say something else`);
      return timeRow(`${name}, a year`, samplesMs, { name: "raw rows", value: ms });
    }),
    remarkRow("memory of the server after them, at most", `${served.megabytes.toFixed(0)} MB`),
  ];
  raw.close();
  return rows;
}

/** A digest of what answers are put together from: every row of each day, and of some users. */
function digestOfRows(database: Database): string {
  const hash = createHash("sha256");
  for (const { rows } of database.all("SELECT rows FROM day_rows ORDER BY report, day"))
    hash.update(rows as Uint8Array);
  const users = database.all("SELECT row FROM user_days WHERE user % 50 = 0 ORDER BY day, user");
  for (const { row } of users) hash.update(row as Uint8Array);
  return hash.digest("hex");
}

interface Served {
  queries: { name: string; samplesMs: number[]; body: Buffer }[];
  megabytes: number;
}

/** Asks a server in a process of its own, over HTTP, until the last byte is there. */
async function measureServer(dataDir: string, key: string): Promise<Served> {
  const args = [process.argv[1] ?? "", "serve-storage", dataDir];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const url = /http\S+/.exec(line.toString())?.[0] ?? "";
    const queries: Served["queries"] = [];
    const headers = { authorization: `Bearer ${key}` };
    const search = `startDate=${dateOf(firstDay)}&endDate=${dateOf(lastDay)}`;
    for (const name of Object.keys(rawQueries)) {
      const address = `${url}/api/v1/analytics/${name}?${search}${name === "users" ? "&limit=100" : ""}`;
      const query = { name, samplesMs: [] as number[], body: await download(address, headers) };
      for (let round = 0; round < rounds; round += 1) {
        stopping.throwIfAborted();
        query.samplesMs.push(await timeToLastByte(address, headers));
      }
      queries.push(query);
    }
    return { queries, megabytes: peakMegabytes(child.pid ?? 0) };
  } finally {
    child.kill("SIGTERM");
    if (child.exitCode === null) await once(child, "exit");
  }
}

/** Keeps nothing of the answer: what the bench does with it takes longer than the server needs. */
async function timeToLastByte(url: string, headers: Record<string, string>): Promise<number> {
  const startedAt = performance.now();
  const [response] = (await once(get(url, { headers }), "response")) as [IncomingMessage];
  response.resume();
  await once(response, "end");
  return performance.now() - startedAt;
}

async function download(url: string, headers: Record<string, string>): Promise<Buffer> {
  const [response] = (await once(get(url, { headers }), "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode}`);
  return Buffer.concat(chunks);
}

/** For that server the year is over. */
export async function serveStorage(dataDir: string): Promise<void> {
  const aheadMs = (lastDay + 1.5) * dayMs - Date.now();
  const stop = new AbortController();
  process.once("SIGTERM", () => stop.abort());
  const options = {
    host: "127.0.0.1",
    port: 0,
    isBehindProxy: false,
    dataDir,
    isBackfill: false,
    user: "bench",
    stateDir: join(dataDir, "state"),
    home: dataDir,
    env: {},
    clock: { ...systemClock, now: () => Date.now() + aheadMs },
    stop: stop.signal,
    onListening: (url: string) => process.stdout.write(`${url}\n`),
    onInstallEnded: async () => {},
    onNote: (text: string) => process.stderr.write(`${text}\n`),
  };
  await runServer(options, [async () => await openPlatformServer(options)]);
}

function peakMegabytes(pid: number): number {
  return Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

function elapsed(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

function bytesOf(path: string): number {
  return statSync(path).size + (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MB`;
}

function rate(count: number, ms: number): string {
  return `${Math.round((count * 1000) / ms).toLocaleString("en")} a second`;
}
