// How smoothly the page of `hookbell serve` moves, beside a page that only scrolls in the same browser, and how large it is there.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium, type Browser } from "playwright-core";
import { pairingLink } from "../../src/wings/page/trust/devices.ts";
import { ownPackageFolder } from "../../src/system/package.ts";
import { findProgram } from "../../src/system/process/find-program.ts";
import { framesOf, keepWorking, plainPage, writeEntries, writeWorking } from "../../test/support/usage/frames.ts";
import { settingIn } from "../setting.ts";
import { stopping } from "../stopping.ts";
import { countRow, percentile, remarkRow, type Row, valueRow } from "../table.ts";

const entries = 50_000;
const sessionCounts = [200, 1000];
const rounds = 3;
const viewport = { width: 1280, height: 800 };
/** Of the frames of the plain page. */
const wantedShare = 0.95;
const loadMs = 3000;

export async function reportPage(folder: string): Promise<Row[]> {
  const program = findProgram("chromium", process.env, process.platform);
  if (program === undefined) return [remarkRow("frames of the page", "chromium is not installed")];
  const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
  try {
    const rows = [];
    for (const count of sessionCounts) rows.push(...(await measure(join(folder, `page-${count}`), browser, count)));
    return rows;
  } finally {
    await browser.close();
  }
}

async function measure(folder: string, browser: Browser, sessions: number): Promise<Row[]> {
  const { layout, env } = settingIn(folder, "http://127.0.0.1:9/");
  writeEntries(layout, entries);
  for (let index = 0; index < sessions; index += 1) writeWorking(layout, index, "run `npm test`?");
  const server = await serve(env);
  const stop = keepWorking(layout, sessions);
  const context = await browser.newContext({ viewport });
  try {
    const plain = await context.newPage();
    await plain.setContent(plainPage);
    const tab = await context.newPage();
    await tab.goto(pairingLink(layout, server.url, { name: "bench", rights: ["read"] }, Date.now()));
    await tab
      .locator(".sessions > li")
      .nth(sessions - 1)
      .waitFor();
    await sleep(loadMs);
    const nodes = await tab.evaluate<number>("document.querySelectorAll('*').length");
    const frames: Record<"plain" | "now" | "why", number[]> = { plain: [], now: [], why: [] };
    // In turns, since other programs take away from each alike.
    for (let round = 0; round < rounds; round += 1) {
      stopping.throwIfAborted();
      await plain.bringToFront();
      frames.plain.push(await framesOf(browser, plain, "html"));
      await tab.bringToFront();
      await tab.goto(`${server.url}/#now`);
      await tab.locator(".sessions > li").first().waitFor();
      frames.now.push(await framesOf(browser, tab, "html"));
      await tab.goto(`${server.url}/#why`);
      await tab.getByText(`notice ${entries - 1}`).waitFor();
      frames.why.push(await framesOf(browser, tab, ".list"));
    }
    const floor = { name: "a plain page", value: percentile(frames.plain, 0.5) };
    const what = `page, ${sessions} sessions that work, ${entries} entries`;
    return [
      valueRow(`${what}: Now scrolls`, percentile(frames.now, 0.5), "frames/s", floor, wantedShare),
      valueRow(`${what}: Why scrolls`, percentile(frames.why, 0.5), "frames/s", floor, wantedShare),
      countRow(`${what}: elements of Now`, nodes),
    ];
  } finally {
    stop();
    await context.close();
    server.end();
  }
}

function serve(env: NodeJS.ProcessEnv): Promise<{ url: string; end: () => void }> {
  const argv = [join(ownPackageFolder(), "dist/cli.js"), "serve", "--port", "0", "--user", "bench"];
  const child = spawn(process.execPath, argv, { env, stdio: ["ignore", "pipe", "ignore"] });
  return new Promise((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const url = /^listening on (\S+)\n/.exec(said)?.[1];
      if (url !== undefined) resolve({ url, end: () => void child.kill("SIGTERM") });
    });
    child.once("exit", (code) => reject(new Error(`hookbell serve ended with ${code}`)));
  });
}
