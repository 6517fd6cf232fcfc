// `npm run bench`: what the agent waits for, and what the dispatcher does meanwhile, as ratios to floors that were
// measured in the same run. A report, not a test: Markdown on standard output, what it is doing on standard error.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeMachine } from "./machine.ts";
import { postLoop } from "./post-loop.ts";
import { programsIn } from "./programs.ts";
import { receive } from "./receive.ts";
import { startReceiver } from "./receiver.ts";
import { reportBursts } from "./report-bursts.ts";
import { reportDispatcher } from "./report-dispatcher.ts";
import { reportWaits } from "./report-waits.ts";
import { stopOnSignals, stopping } from "./stopping.ts";
import { renderTable } from "./table.ts";

const say = (line: string) => process.stderr.write(`${line}\n`);
const rounds = 40;
const burst = 200;
const backlog = 1000;
const usage = `usage: npm run bench

Measures for four minutes what an agent waits for, and what the dispatcher does; Markdown on standard output.
`;

async function bench(): Promise<void> {
  stopOnSignals(say);
  const folder = mkdtempSync(join(tmpdir(), "hookbell-bench-"));
  const receiver = await startReceiver();
  try {
    const programs = programsIn(folder);
    say(`what the agent waits for, ${rounds} rounds: two minutes`);
    const rows = await reportWaits(programs, { folder, receiver, rounds });
    say(`${burst} at once: one minute`);
    rows.push(...(await reportBursts(programs, { folder, receiver, count: burst })));
    say(`a backlog of ${backlog}: ten seconds\n`);
    rows.push(...(await reportDispatcher({ folder, receiver, count: backlog })));
    process.stdout.write(`# Results\n\n\`npm run bench\`, ${describeMachine()}, ${rounds} rounds.\n\n`);
    process.stdout.write(renderTable(rows));
  } catch (error) {
    if (!stopping.aborted) throw error;
  } finally {
    receiver.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

// Two parts of it run in processes of their own.
const [part, url = "", count = ""] = process.argv.slice(2);
if (part === "receive") receive();
else if (part === "post-loop") await postLoop(url, Number(count));
else if (part === "--help" || part === "-h") process.stdout.write(usage);
else if (part !== undefined) {
  process.stderr.write(`bench takes no ${JSON.stringify(part)}\n\n${usage}`);
  process.exitCode = 64;
} else if (process.platform === "win32") say("half of what this compares runs in a POSIX shell: not on Windows");
else await bench();
