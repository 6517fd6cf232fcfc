// Sessions that change all the time and a long journal, and how many frames a page draws while it scrolls, by Chromium's own trace.
import type { Browser, Page } from "playwright-core";
import { writeJournal } from "../../../src/outbox/journal.ts";
import { ensureLayout, type Layout } from "../../../src/outbox/layout.ts";
import { writeSession } from "../../../src/outbox/sessions.ts";
import { recordOf } from "../project/session-record.ts";

const scrollMs = 4000;

/** What a browser draws at best: a page that only scrolls. */
export const plainPage = `<!doctype html><main>${"<p>A line of text that scrolls.</p>".repeat(2000)}</main>`;

export function writeEntries(layout: Layout, count: number): void {
  ensureLayout(layout);
  const notices = Array.from({ length: count }, (_, index) => {
    return { kind: "notice" as const, title: `notice ${index}`, body: "It says a few words about what has happened." };
  });
  writeJournal(layout, Date.now(), ...notices);
}

export function writeWorking(layout: Layout, index: number, words: string): void {
  const since = Date.now();
  const turn = { helpers: 0, tool: { since, words } };
  const state = { kind: "working", since, reason: "It works.", source: "hook", turn } as const;
  const facts = { agent: "claude-code", session: `s${index}`, project: `project-${index}`, lastSeenAt: since, state };
  writeSession(layout, recordOf(facts));
}

/** Sessions change ten times a second, as those of real agents do, until the returned function is called. */
export function keepWorking(layout: Layout, sessions: number): () => void {
  let change = 0;
  const busy = setInterval(() => {
    change += 1;
    writeWorking(layout, change % sessions, `run step ${change}?`);
  }, 100);
  return () => clearInterval(busy);
}

/** What the browser runs: it scrolls up and down, a step in each frame. */
function scrolling(selector: string): string {
  return `new Promise((resolve) => {
    const place = document.querySelector(${JSON.stringify(selector)});
    const end = performance.now() + ${scrollMs};
    let step = 40;
    const scroll = () => {
      const before = place.scrollTop;
      place.scrollTop += step;
      if (place.scrollTop === before) step = -step;
      if (performance.now() < end) requestAnimationFrame(scroll);
      else resolve();
    };
    requestAnimationFrame(scroll);
  })`;
}

/** Frames a second while the element scrolls. */
export async function framesOf(browser: Browser, tab: Page, selector: string): Promise<number> {
  const categories = ["disabled-by-default-devtools.timeline.frame", "devtools.timeline.frame"];
  await browser.startTracing(tab, { categories });
  await tab.evaluate(scrolling(selector));
  const trace = JSON.parse((await browser.stopTracing()).toString("utf8")) as { traceEvents: { name: string }[] };
  const drawn = trace.traceEvents.filter(({ name }) => name === "DrawFrame").length;
  return (drawn / scrollMs) * 1000;
}
