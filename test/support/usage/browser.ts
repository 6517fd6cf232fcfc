// Chromium, and the page of a real server in it.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import type { Right } from "../../../src/answers/browsers/devices.ts";
import { pairingLink } from "../../../src/wings/page/trust/devices.ts";
import { longestWaitMs } from "../longest-wait.ts";
import { findPart } from "../parts.ts";
import type { Project } from "../project/running-project.ts";
import { startServerProcess, type ServerProcess } from "./server-process.ts";

export const browserParts = ["chromium"];

export const sizes = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 800 } };

/** A browser of the test's own. */
export async function openBrowser(): Promise<Browser> {
  const browser = await launch();
  onTestFinished(() => browser.close());
  return browser;
}

/** One browser for all tests of a `describe`: each has contexts of its own, which share nothing. */
export function browserForAll(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());
  return () => {
    if (browser === undefined) throw new Error("the browser is there when the tests run");
    return browser;
  };
}

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: findPart("chromium") ?? "",
    // The tests of CI run as root.
    args: ["--no-sandbox"],
  });
}

export async function openContext(
  browser: Browser,
  viewport: { width: number; height: number } = sizes.phone,
): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport, hasTouch: viewport.width < 500 });
  context.setDefaultTimeout(longestWaitMs);
  onTestFinished(() => context.close());
  return context;
}

/** A browser with a window and a profile of its own: a page can be installed there, and its notifications reach the desktop. */
export async function openWithProfile(desktop: Record<string, string>): Promise<BrowserContext> {
  const profile = mkdtempSync(join(tmpdir(), "hookbell-profile-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: findPart("chromium") ?? "",
    headless: false,
    args: ["--no-sandbox"],
    env: desktop,
  });
  context.setDefaultTimeout(longestWaitMs);
  onTestFinished(async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
  });
  return context;
}

export interface Served {
  server: ServerProcess;
  /** What the page's console said that is no good: errors, and what the content policy refused. */
  complaints: string[];
  /** A tab whose browser is paired with these rights. */
  pairedTab(context: BrowserContext, rights?: readonly Right[], name?: string): Promise<Page>;
}

export async function servePage(project: Project, args: readonly string[] = []): Promise<Served> {
  const server = await startServerProcess(project, args);
  onTestFinished(async () => void (await server.end("SIGTERM")));
  const complaints: string[] = [];
  return {
    server,
    complaints,
    async pairedTab(context, rights = ["read"], name = "Ann's phone") {
      const tab = await newTab(context, complaints);
      await tab.goto(pairingLink(project.layout, server.url, { name, rights }, Date.now()));
      await tab.getByText("live", { exact: true }).waitFor();
      return tab;
    },
  };
}

export async function newTab(context: BrowserContext, complaints: string[]): Promise<Page> {
  const tab = await context.newPage();
  tab.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  tab.on("pageerror", (error) => complaints.push(error.message));
  return tab;
}

/** Waits for the words. A tab that is looked at again asks its server at once, which saves the pause between two tries. */
export async function shows(tab: Page, words: string, { exact = false } = {}): Promise<void> {
  for (;;) {
    await tab.evaluate('document.dispatchEvent(new Event("visibilitychange"))').catch(() => {});
    const isThere = tab.getByText(words, { exact }).first().waitFor({ timeout: nudgeMs });
    if (
      await isThere.then(
        () => true,
        () => false,
      )
    )
      return;
  }
}

const nudgeMs = 1000;

export async function isLive(tab: Page): Promise<void> {
  await shows(tab, "live", { exact: true });
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe-core finds, at every level that it knows. */
export async function findingsOf(tab: Page): Promise<string[]> {
  // The page's content policy lets no other script in; the debugger is not bound by it.
  const client = await tab.context().newCDPSession(tab);
  const { frameTree } = await client.send("Page.getFrameTree");
  const { executionContextId } = await client.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id });
  const run = async (expression: string): Promise<unknown> => {
    const options = { expression, contextId: executionContextId, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await client.send("Runtime.evaluate", options);
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description);
    return result.value;
  };
  await run(axe);
  const found = await run(
    "axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`))",
  );
  return found as string[];
}
