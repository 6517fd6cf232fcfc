// `npm run bench`: start times, what an agent waits for, and what the dispatcher does, as ratios to floors of the same
// run. Markdown on standard output, progress on standard error.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, release, tmpdir, type } from "node:os";
import { join } from "node:path";
import { reportAttention } from "./attention/attention.ts";
import { reportExecutable } from "./waits/executable.ts";
import { reportAnswers } from "./waits/answers.ts";
import { newestNode } from "../scripts/node-versions.mjs";
import { reportBursts } from "./waits/bursts.ts";
import { postLoop, reportDispatcher } from "./dispatcher.ts";
import { reportFleet } from "./fleet/fleet.ts";
import { hours as wholeDay } from "./attention/working-day.ts";
import { reportPeers } from "./peers/peers.ts";
import { programsIn } from "./programs.ts";
import { manyUsers, readManyUsers, reportManyUsers, serveManyUsers } from "./storage/many-users.ts";
import { receive, type Receiver, startReceiver } from "./receiver.ts";
import { reportStartTimes } from "./waits/start-times.ts";
import { reportStorage, serveStorage } from "./storage/storage.ts";
import { reportStates } from "./attention/states.ts";
import { stopOnSignals, stopping } from "./stopping.ts";
import { renderTable, type Row } from "./table.ts";
import { reportIdle } from "./waits/idle.ts";
import { reportPage } from "./waits/page.ts";
import { reportWaits } from "./waits/waits.ts";

const say = (line: string) => process.stderr.write(`${line}\n`);
const rounds = 20;
/** A Telegram channel sends five messages at once, and then one every four seconds. */
const answerRounds = 5;
const idleSeconds = 30;
const burst = 200;
const backlogs = [3000, 20_000];
const storedEvents = 10_000_000;
const usage = `usage: npm run bench [-- --long | --backlog | --page | --rest | --storage | --usage | --states | --binary | --fleet | --peers [CLONES [HOURS]]]

Measures for eight minutes how fast hookbell starts, what an agent waits for, and how many notifications a day has; Markdown on standard output. Fetches the
newest Node from npm, to measure the start times with it as well. --long takes five minutes more: ${burst} hooks at once,
backlogs of ${backlogs.join(" and ")} events, and memory. --backlog measures only the backlogs and memory, --page only how smoothly the page moves in Chromium, --rest only
what a dispatcher at rest costs. --storage measures the
server with ${storedEvents} events instead: half an hour. --usage measures only \`hookbell usage\` of ${manyUsers} users: two minutes. --states replays the recorded runs of real agents: five minutes; JSON on standard
output, for test/recorded-runs/states.json. --binary builds the single executable and compares its start times and size: one minute. --fleet starts a nats-server on this machine and compares
a fleet's machines with the bare client, up to 10000 of them in one process: eight minutes at most. --peers installs other notifiers from npm into a temporary folder and runs the same payloads through
them: half an hour. CLONES has clones of those that npm does not have: peon-ping, CCNotify. HOURS of the day instead of ${wholeDay}: the clock of the others is
set for each call, so a shorter day is sooner over.
`;

/** Node 20 reads all of these certificates at every start, which hides the rest; the others change what is measured. */
const removedVariables = ["NODE_EXTRA_CA_CERTS", "NODE_OPTIONS", "NODE_COMPILE_CACHE"];

async function bench(folder: string, { isLong }: { isLong: boolean }): Promise<void> {
  const receiver = await startReceiver();
  try {
    print(`# Results\n\n\`npm run bench\`, ${describeMachine()}, ${rounds} rounds.\n`);
    say(`start times, ${rounds} rounds: half a minute`);
    const startTimes = async (nodePath: string, name: string): Promise<void> => {
      const rows = await reportStartTimes(nodePath, { folder: join(folder, name), receiver, rounds });
      print(`\n## Start times, Node ${name}\n\n${renderTable(rows)}`);
    };
    await startTimes(process.execPath, process.version);
    say("the same with the newest Node");
    const newest = newestNode();
    if ("missing" in newest) print(`\nThe newest Node could not be fetched: ${newest.missing}\n`);
    else if (newest.version !== process.version) await startTimes(newest.path, newest.version);
    const programs = programsIn(folder, process.execPath);
    say(`what the agent waits for, ${rounds} rounds: one minute`);
    const rows = await reportWaits(programs, { folder, receiver, rounds });
    if (isLong) {
      say(`${burst} at once: two minutes`);
      rows.push(...(await reportBursts(programs, { folder, receiver, count: burst })));
      say("backlogs: three minutes");
      rows.push(...(await reportDispatcher({ folder, receiver, counts: backlogs })));
    }
    print(`\n## Work, Node ${process.version}\n\n${renderTable(rows)}`);
    say(`answers, ${answerRounds} rounds: a quarter of a minute`);
    print(
      `\n## Answers, Node ${process.version}\n\n${renderTable(await reportAnswers(join(folder, "answers"), answerRounds))}`,
    );
    say("a dispatcher with nothing to do: three minutes");
    print(`\n## At rest, Node ${process.version}\n\n${renderTable(await reportIdle(folder, idleSeconds))}`);
    say(`usage of ${manyUsers} users: two minutes`);
    print(`\n## Usage\n\n${renderTable(await reportManyUsers(folder))}`);
    say("the page in Chromium: two minutes");
    print(`\n## The page\n\n${renderTable(await reportPage(folder))}`);
    say("sixteen agents for eight hours, on a clock that does not wait: half a minute");
    print(`\n## Attention\n\n${renderTable(await reportAttention(folder))}`);
  } finally {
    receiver.close();
  }
}

/** `work` has a folder of its own, which is gone afterwards. Ctrl+C ends it without an error. */
async function inScratch(work: (folder: string) => Promise<void>): Promise<void> {
  for (const name of removedVariables) delete process.env[name];
  stopOnSignals(say);
  const folder = mkdtempSync(join(tmpdir(), "hookbell-bench-"));
  try {
    await work(folder);
  } catch (error) {
    if (!stopping.aborted) throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** One of the report's tables, of `npm run bench -- OPTION`. */
async function benchOnly(
  option: string,
  title: string,
  report: (folder: string) => Promise<Row[]>,
  more = "",
): Promise<void> {
  await inScratch(async (folder) => {
    const rows = await report(folder);
    print(`# ${title}\n\n\`npm run bench -- ${option}\`, ${describeMachine()}${more}.\n\n${renderTable(rows)}`);
  });
}

async function withReceiver<Result>(work: (receiver: Receiver) => Promise<Result>): Promise<Result> {
  const receiver = await startReceiver();
  try {
    return await work(receiver);
  } finally {
    receiver.close();
  }
}

function print(text: string): void {
  process.stdout.write(text);
}

// Five parts of it run in processes of their own.
const [part, url = "", count = ""] = process.argv.slice(2);
if (part === "receive") receive();
else if (part === "post-loop") await postLoop(url, Number(count));
else if (part === "serve-storage") await serveStorage(url);
else if (part === "serve-users") serveManyUsers();
else if (part === "read-users") await readManyUsers(url);
else if (part === "--usage") await benchOnly(part, "Usage", reportManyUsers);
else if (part === "--storage") {
  await benchOnly(part, "Storage", async (folder) => await reportStorage(folder, storedEvents, say));
} else if (part === "--states") {
  await inScratch(async (folder) => print(`${JSON.stringify(await reportStates(folder, say), undefined, 2)}\n`));
} else if (part === "--binary") {
  const report = async (folder: string) =>
    await withReceiver(async (receiver) => await reportExecutable(folder, { receiver, rounds }, say));
  await benchOnly(part, "The single executable", report, `, ${rounds} rounds`);
} else if (part === "--peers") {
  const [clones, hours] = [url === "" ? undefined : url, Number(count) || wholeDay];
  const report = async (folder: string) =>
    await withReceiver(async (receiver) => await reportPeers(folder, { receiver, rounds, clones, hours }, say));
  await benchOnly(part, "hookbell beside others", report, `, ${rounds} rounds`);
} else if (part === "--backlog") {
  const report = async (folder: string) =>
    await withReceiver(async (receiver) => await reportDispatcher({ folder, receiver, counts: backlogs }));
  await benchOnly(part, "Backlogs", report);
} else if (part === "--fleet") {
  await inScratch(async (folder) => {
    const report = await reportFleet(folder, say);
    print(`# The fleet\n\n\`npm run bench -- --fleet\`, ${describeMachine()}, ${report}`);
  });
} else if (part === "--page") await benchOnly(part, "The page", reportPage);
else if (part === "--rest") {
  await benchOnly(part, "At rest", async (folder) => await reportIdle(folder, idleSeconds));
} else if (part === "--help" || part === "-h") process.stdout.write(usage);
else if (part !== undefined && part !== "--long") {
  process.stderr.write(`bench takes no ${JSON.stringify(part)}\n\n${usage}`);
  process.exitCode = 64;
} else if (process.platform === "win32") say("half of what this compares runs in a POSIX shell: not on Windows");
else await inScratch(async (folder) => await bench(folder, { isLong: part === "--long" }));

/** What the figures depend on, and the day. */
function describeMachine(): string {
  const [cpu] = cpus();
  const day = new Date().toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
  return `${day}, ${systemName()}, ${cpus().length} x ${cpu?.model.trim() ?? "?"}, Node ${process.version}`;
}

function systemName(): string {
  try {
    const name = /^PRETTY_NAME="?([^"\n]+)/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1];
    if (name !== undefined) return name;
  } catch {
    // Only Linux has the file.
  }
  return `${type()} ${release()}`;
}
