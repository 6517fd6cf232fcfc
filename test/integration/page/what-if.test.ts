// The tab "What if" and the rule tester: rules that a browser sends, replayed in a process of their own, and shown in Chromium.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { OwnRules, WhatIfLine } from "../../../src/wings/replay/page-tab/contract.ts";
import { deliveryIdOf } from "../../../src/outbox/deliveries/deliveries.ts";
import { ensureLayout, type Layout } from "../../../src/outbox/layout.ts";
import { writeJournal, type JournalEntry } from "../../../src/outbox/journal.ts";
import { longestWaitMs } from "../../support/longest-wait.ts";
import { describeWithParts } from "../../support/parts.ts";
import { processesWithEnvironment } from "../../support/project/processes.ts";
import { temporaryProject, type Project } from "../../support/project/running-project.ts";
import { browserParts, findingsOf, browserForAll, openContext, servePage, sizes } from "../../support/usage/browser.ts";
import { type PageServer, startPage, type TestDevice } from "../../support/usage/page-server.ts";

const minute = 60_000;

/** An event that was told, as the dispatcher records it. */
function told(layout: Layout, id: string, at: number, name = "Stop"): void {
  writeJournal(layout, at, ...entriesOf(id, at, name));
}

function entriesOf(id: string, at: number, name = "Stop"): Omit<JournalEntry, "at">[] {
  const level = name === "Stop" ? "success" : "attention";
  const facts = { agent: "claude-code", session: id, cwd: "/srv/shop", project: "shop", host: "desk" };
  const delivery = deliveryIdOf(id, "phone");
  const deliveries = [{ id: delivery, channel: "phone", rule: "all" }];
  const about = { agent: "claude-code", project: "shop", event: name, words: `Words of ${id}` };
  const event = { id, name, ...facts, level, message: `Words of ${id}`, at: new Date(at).toISOString() };
  const attempt = { delivery, event: id, channel: "phone", attempt: 1, outcome: "delivered", about };
  return [
    { kind: "event", event, known: {} },
    {
      kind: "decision",
      event: id,
      rules: [{ name: "all", held: true, why: "it has no conditions" }],
      deliveries,
      silent: [],
    },
    { kind: "attempt", ...attempt },
  ];
}

function rulesText(notify: string[], channels: object = { phone: { type: "ntfy", topic: "shop" } }): string {
  return JSON.stringify({ channels, rules: [{ name: "all", notify }] }, null, 2);
}

async function linesOf(response: Response): Promise<WhatIfLine[]> {
  return (await response.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as WhatIfLine);
}

const run = (server: PageServer, device: TestDevice, rules: string, days = 7): Promise<Response> =>
  server.post("/page/replay", { days, rules }, device);

describe("a replay that a browser asks for", () => {
  it("says what the rules would have sent, reads no secret, starts no program, and sends nothing", async () => {
    const server = await startPage();
    const device = await server.pair(["read", "administer"]);
    told(server.layout, "evt_a", Date.now() - 30 * minute);
    told(server.layout, "evt_b", Date.now() - 20 * minute, "PermissionRequest");
    const folder = dirname(server.layout.root);
    const marks = ["secret", "channel", "sound"].map((name) => join(folder, `${name}-was-started`));
    const [secret = "", channel = "", sound = ""] = marks;
    const secretFile = join(folder, "secret-file");
    writeFileSync(secretFile, "the-words-of-the-secret", { mode: 0o600 });
    const rules = rulesText(["a", "b", "c", "d"], {
      a: { type: "ntfy", topic: "shop", token: { command: ["touch", secret] } },
      b: { type: "ntfy", topic: "shop", server: { file: secretFile }, token: { file: secretFile } },
      c: { type: "command", argv: ["touch", channel] },
      d: { type: "webhook", url: server.url, headers: { "x-a": { command: ["touch", sound] } } },
    });
    const text = await (await run(server, device, rules)).text();
    expect(text).not.toContain("the-words-of-the-secret");
    const last = JSON.parse(text.trim().split("\n").at(-1) ?? "") as WhatIfLine;
    expect(last).toMatchObject({
      what: "report",
      report: {
        headline: "2 notifications in the last 7d; these rules: 8 (+300 %); every question was sent at once.",
        was: { notifications: 2 },
        wouldBe: { notifications: 8, questions: { asked: 1, notified: 1 } },
        differenceCount: 10,
      },
    });
    expect(marks.filter((mark) => existsSync(mark))).toEqual([]);
  });

  it("names what is wrong with the rules, and where", async () => {
    const server = await startPage();
    const device = await server.pair(["read", "administer"]);
    told(server.layout, "evt_a", Date.now() - minute);
    const broken = rulesText(["phone"]).replace('"notify"', '"notfy"');
    const line = 1 + broken.split("\n").findIndex((text) => text.includes("notfy"));
    const lines = await linesOf(await run(server, device, broken));
    expect(lines.at(-1)).toMatchObject({
      what: "refused",
      text: "the rules file is broken",
      problems: expect.arrayContaining([
        { line, column: 7, text: 'there is no setting "notfy" here', hint: 'did you mean "notify"?' },
      ]),
    });
    expect((await run(server, device, "{}", 8)).status).toBe(400);
  });

  it("runs alone, and ends with all it has started when the browser leaves (posix)", async () => {
    const server = await startPage();
    const device = await server.pair(["read", "administer"]);
    // Long enough to be stopped on the way.
    const hourAgo = Date.now() - 60 * minute;
    const events = Array.from({ length: 3000 }, (_, index) => entriesOf(`evt_${index}`, hourAgo + index));
    writeJournal(server.layout, hourAgo, ...events.flat());
    const leave = new AbortController();
    const first = await server.request("/page/replay", {
      method: "POST",
      body: JSON.stringify({ days: 1, rules: rulesText(["phone"]) }),
      headers: { "content-type": "application/json" },
      device,
      signal: leave.signal,
    });
    await until(() => children(server).length > 0);
    expect((await run(server, device, rulesText(["phone"]))).status).toBe(409);
    expect((await server.request("/page/deliveries", { device })).status).toBe(200);
    leave.abort();
    await first.text().catch(() => {});
    await until(() => children(server).length === 0);
    await until(async () => (await run(server, device, "{")).status === 200);
  });

  it("shows the reader's own rules without the secrets that stand in them", async () => {
    const project = temporaryProject();
    project.writeRules(`{
  // My phone
  "channels": { "phone": { "type": "ntfy", "topic": "shop", "token": "tk_verysecret" } },
  "rules": [{ "name": "all", "notify": ["phone"] }],
}`);
    const { readOwnRules } = await import("../../../src/wings/replay/page-tab/what-if.ts");
    const own: OwnRules = await readOwnRules(project.rulesFile);
    expect(own.text).not.toContain("tk_verysecret");
    expect(own.text).toContain('// My phone\n  "channels"');
    expect(own.text).toContain('"token": { "env": "HIDDEN" }');
    expect(own.note).toContain('{ "env": "HIDDEN" }');
    expect((await readOwnRules(join(project.home, "absent"))).note).toContain("built-in rules");
  });
});

/** The processes that this server has started: their temporary folders are of their own. */
function children(server: PageServer): number[] {
  return processesWithEnvironment(server.layout.root);
}

async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + longestWaitMs;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error("it never came");
    await sleep(20);
  }
}

function toldProject(): Project {
  const project = temporaryProject();
  ensureLayout(project.layout);
  mkdirSync(dirname(project.rulesFile), { recursive: true });
  const quiet = { ranges: [{ from: "22:00", to: "07:00" }] };
  project.writeRules({
    channels: { phone: { type: "ntfy", topic: "shop" } },
    quietHours: quiet,
    rules: [{ name: "all", notify: ["phone"], focused: false }],
  });
  const noon = new Date().setHours(0, 0, 0, 0) - 12 * 60 * minute;
  told(project.layout, "evt_a", noon);
  told(project.layout, "evt_b", noon + minute, "PermissionRequest");
  return project;
}

describeWithParts("the page in a browser", browserParts, () => {
  const browser = browserForAll();

  it("replays edited rules, shows the result beside what was, and where the rules are wrong", async () => {
    const project = toldProject();
    const { pairedTab, complaints } = await servePage(project);
    const reader = await pairedTab(await openContext(browser()), ["read"]);
    // It is offered only where it may be used; its address says how.
    expect(await reader.getByRole("link", { name: "What if" }).count()).toBe(0);
    await reader.goto(`${new URL(reader.url()).origin}/#what-if`);
    await reader.getByText("hookbell devices add --administer").waitFor();
    const tab = await pairedTab(await openContext(browser(), sizes.desk), ["read", "administer"], "desk");
    await tab.getByRole("link", { name: "What if" }).click();
    const editor = tab.getByLabel("Rules");
    await expect.poll(() => editor.inputValue(), { timeout: longestWaitMs }).toContain('"quietHours"');
    const own = await editor.inputValue();
    await editor.fill(own.replace('"notify"', '"notfy"'));
    await tab.getByRole("button", { name: "Replay" }).click();
    await tab.getByRole("alert").getByText("These rules have a mistake; your file is unchanged.").waitFor();
    const problem = tab.getByRole("listitem").filter({ hasText: 'no setting "notfy"' });
    await problem.getByRole("button").click();
    const selected = await tab.evaluate<string>("getSelection().toString()");
    expect(selected).toContain('"notfy"');
    await tab.getByRole("button", { name: "Back to your rules" }).click();
    await expect.poll(() => editor.inputValue(), { timeout: longestWaitMs }).toBe(own);
    await editor.fill(own.replace('"name": "all"', '"name": "all", "when": { "event": "PermissionRequest" }'));
    await tab.getByLabel("How far back").selectOption("7 days");
    await tab.getByRole("button", { name: "Replay" }).click();
    await tab
      .getByRole("heading", {
        name: "2 notifications in the last 7d; these rules: 1 (-50 %); every question was sent at once.",
      })
      .waitFor();
    await tab.getByText("gone").waitFor();
    await tab.getByRole("row", { name: "Of them at night 0 0" }).waitFor();
    await tab.getByText("was: at once; would be: at once").waitFor();
    await tab.getByRole("row", { name: "Notifications 2 1 (-50 %)" }).waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await tab.emulateMedia({ colorScheme });
      expect(await findingsOf(tab), colorScheme).toEqual([]);
    }
    await tab.setViewportSize(sizes.phone);
    const isWide = await tab.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth");
    expect(isWide).toBe(false);
    // What was found stays while another tab is shown.
    await tab.getByRole("link", { name: "Now" }).click();
    await tab.getByRole("link", { name: "What if" }).click();
    await tab.getByRole("heading", { name: /^2 notifications/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("tries the rules of now on a past event, at another hour and with the person elsewhere", async () => {
    const project = toldProject();
    const { pairedTab, complaints } = await servePage(project);
    const tab = await pairedTab(await openContext(browser()));
    await tab.getByRole("link", { name: "Why", exact: true }).click();
    await tab.getByRole("option", { name: /Words of evt_a/ }).click();
    const tester = tab.getByRole("region", { name: "Rule tester" });
    await tester.getByText("At 12:00 PM").waitFor();
    await tester.getByText("shop: is done").waitFor();
    expect(await findingsOf(tab)).toEqual([]);
    await tester.getByRole("slider").fill("92");
    await tester.getByText(/held until .*: quiet hours/).waitFor();
    await tester.getByLabel("You are").selectOption("here, at its terminal");
    await tester.getByText("Nothing would be sent.").waitFor();
    await tester.getByText("The other rules").click();
    await tester.getByText(/silent {2}phone {2}.*focus/).waitFor();
    expect(complaints).toEqual([]);
  });
});
