// `hookbell usage users` of a large organization: how long it takes and what memory it needs, beside a bare program that
// reads the same pages and writes the same columns, and beside jq on the same rows.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { addDays } from "../../src/wings/platform/contract/dates.ts";
import { ownPackageFolder } from "../../src/system/package.ts";
import { findProgram } from "../../src/system/process/find-program.ts";
import { stopping } from "../stopping.ts";
import { countRow, percentile, remarkRow, timeRow, type Row } from "../table.ts";

export const manyUsers = 10_000;
const days = 31;
const firstDay = "2026-02-01";
const lastDay = addDays(firstDay, days - 1);
const rounds = 3;
/** Of what Node may have for objects; the rows have three times as much as JSON. */
const heapMegabytes = 256;
/** The command checks each row and makes each text safe for a terminal and a spreadsheet; the floor does neither. */
const wantedRatio = 6;
const wantedMemory = 2;

const models = ["opus", "sonnet", "haiku"];

function rowOf(user: number, day: number): Record<string, unknown> {
  const name = nameOf(user);
  return {
    user_id: name,
    user_email: name,
    date: addDays(firstDay, day),
    tool_calls: (user * 7 + day) % 90,
    billable_tokens: user * 13 + day + 0.25,
    primary_model: models[(user + day) % models.length],
    primary_model_tier: "standard",
    files_created: day % 3,
    files_edited: user % 9,
    git_commits: day % 4,
    git_prs_created: user % 2,
    mcp_calls: 1,
    skill_calls: 2,
    slash_commands: 3,
    hooks: 40,
    sessions: 4,
    messages: 60,
    user_messages: 20,
    assistant_messages: 40,
    autonomy_ratio: 1.5,
    delegation_level: "auto-high",
    languages: ["Go", "TypeScript"],
  };
}

function nameOf(user: number): string {
  return `user${String(user).padStart(5, "0")}@example.org`;
}

/** A platform that has nothing else to do: it answers every question for users with the rows of the next 100. */
export function serveManyUsers(): void {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://localhost");
    const from = Number(/\d+/.exec(searchParams.get("cursor") ?? "")?.[0] ?? -1) + 1;
    const to = Math.min(manyUsers, from + Number(searchParams.get("limit")));
    const rows: string[] = [];
    for (let user = from; user < to; user += 1) {
      for (let day = 0; day < days; day += 1) rows.push(JSON.stringify(rowOf(user, day)));
    }
    const more = to < manyUsers ? { has_more: true, next_cursor: nameOf(to - 1) } : { has_more: false };
    const meta = { org_id: "bench", start_date: firstDay, end_date: lastDay, ...more };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(`{"data":[${rows.join(",")}],"meta":${JSON.stringify(meta)}}`);
  });
  server.listen(0, "127.0.0.1", () => {
    process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
  });
}

/** The floor: the same pages, parsed, and their columns joined. */
export async function readManyUsers(url: string): Promise<void> {
  const columns = Object.keys(rowOf(0, 0));
  process.stdout.write(`${columns.join(",")}\n`);
  const cell = (value: unknown): string =>
    typeof value === "number" ? String(value) : JSON.stringify(value).replaceAll('"', '""');
  for (let cursor: string | undefined, isLast = false; !isLast;) {
    const search = new URLSearchParams({ startDate: firstDay, endDate: lastDay, limit: "100" });
    if (cursor !== undefined) search.set("cursor", cursor);
    const response = await fetch(`${url}/api/v1/analytics/users?${search.toString()}`);
    const { data, meta } = (await response.json()) as {
      data: Record<string, unknown>[];
      meta: { has_more: boolean; next_cursor?: string };
    };
    process.stdout.write(data.map((row) => `${columns.map((name) => cell(row[name])).join(",")}\n`).join(""));
    cursor = meta.next_cursor;
    isLast = !meta.has_more;
  }
}

export async function reportManyUsers(folder: string): Promise<Row[]> {
  const own = process.argv[1] ?? "";
  const server = spawn(process.execPath, [own, "serve-users"], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = (await once(server.stdout, "data")) as [Buffer];
    const url = line.toString().trim();
    const env = {
      ...process.env,
      HOME: folder,
      HOOKBELL_CONFIG_DIR: join(folder, "config"),
      HOOKBELL_STATE_DIR: join(folder, "state"),
      HOOKBELL_PLATFORM_URL: url,
      HOOKBELL_PLATFORM_KEY: "bench",
    };
    const cli = join(ownPackageFolder(), "dist", "cli.js");
    const usage = (...more: string[]): string[] => {
      const range = ["--from", firstDay, "--to", lastDay];
      return [process.execPath, `--max-old-space-size=${heapMegabytes}`, cli, "usage", "users", ...range, ...more];
    };
    const rowsFile = join(folder, "users.json");
    const programs: Record<"floor" | "csv" | "json" | "table", { argv: string[]; file: string }> = {
      floor: { argv: [process.execPath, own, "read-users", url], file: join(folder, "floor.csv") },
      csv: { argv: usage("--format", "csv"), file: join(folder, "users.csv") },
      json: { argv: usage("--json"), file: rowsFile },
      table: { argv: usage("--top", "20"), file: join(folder, "users.txt") },
    };
    const runs = { floor: [], csv: [], json: [], table: [] } as Record<keyof typeof programs, Run[]>;
    // In turns, since other programs take away from each alike.
    for (let round = 0; round < rounds; round += 1) {
      for (const name of Object.keys(programs) as (keyof typeof programs)[]) {
        runs[name].push(await run(programs[name].argv, programs[name].file, env));
      }
    }
    const timesOf = (name: keyof typeof programs): number[] => runs[name].map(({ ms }) => ms);
    const memoryOf = (name: keyof typeof programs): number =>
      Math.round(Math.max(...runs[name].map(({ peak }) => peak)));
    const time = { name: "plain Node", value: percentile(timesOf("floor"), 0.5) };
    const memory = { name: "plain Node", value: memoryOf("floor") };
    const of = `${manyUsers} users x ${days} days`;
    return [
      timeRow(`plain Node: ${of} as CSV`, timesOf("floor"), time),
      timeRow("`hookbell usage users --format csv`", timesOf("csv"), time, wantedRatio),
      timeRow("`hookbell usage users --json`", timesOf("json"), time, wantedRatio),
      timeRow("`hookbell usage users --top 20`, a table", timesOf("table"), time, wantedRatio),
      countRow("MB of memory of plain Node, at most", memoryOf("floor"), memory),
      countRow(`MB as CSV with a heap of ${heapMegabytes} MB, at most`, memoryOf("csv"), memory, wantedMemory),
      countRow("MB as JSON, at most", memoryOf("json"), memory, wantedMemory),
      countRow("MB as a table, at most", memoryOf("table"), memory, wantedMemory),
      ...(await jqRows(rowsFile, folder, { time, memory })),
    ];
  } finally {
    server.kill("SIGTERM");
    if (server.exitCode === null) await once(server, "exit");
  }
}

/** What reads the rows as one file, as most scripts do. */
async function jqRows(
  rowsFile: string,
  folder: string,
  { time, memory }: Record<"time" | "memory", Parameters<typeof timeRow>[2]>,
): Promise<Row[]> {
  const program = findProgram("jq", process.env, process.platform);
  if (program === undefined) return [remarkRow("jq on the same rows", "it is not installed")];
  const filter = ".data[] | [.[] | tostring] | @csv";
  const { ms, peak } = await run([program, "-r", filter, rowsFile], join(folder, "jq.csv"), process.env);
  return [
    timeRow("jq: the same rows as CSV, of a file", [ms], time),
    countRow("MB of memory of jq, at most", Math.round(peak), memory),
  ];
}

interface Run {
  ms: number;
  /** Megabytes. */
  peak: number;
}

async function run(argv: readonly string[], file: string, env: NodeJS.ProcessEnv): Promise<Run> {
  stopping.throwIfAborted();
  const [program = "", ...args] = argv;
  const output = openSync(file, "w");
  const startedAt = performance.now();
  const child = spawn(program, args, { env, stdio: ["ignore", output, "inherit"] });
  const ended = once(child, "exit");
  let peak = 0;
  while (child.exitCode === null && child.signalCode === null) {
    peak = Math.max(peak, peakMegabytes(child.pid ?? 0));
    await Promise.race([ended, sleep(20)]);
  }
  const ms = performance.now() - startedAt;
  closeSync(output);
  if (child.exitCode !== 0) throw new Error(`${args.join(" ")} ended with ${child.exitCode ?? child.signalCode}`);
  return { ms, peak };
}

/** 0 for a process that has just ended. */
function peakMegabytes(pid: number): number {
  try {
    return Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
