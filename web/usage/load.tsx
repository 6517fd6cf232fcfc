// Loads the tab "Usage" when it is opened: it has the library that draws, which the other tabs do not need.
import type { Now } from "../../src/wings/page/contract.ts";
import { LateTab, loadLate } from "../late-tab.tsx";

export const usageTab = (now: Now) => <LateTab load={load} now={now} />;

async function load() {
  await loadLate("usage.js", "usage.css");
  return (await import("./usage.tsx")).UsageTab;
}
