// Loads the tab "What if" when it is opened: few browsers may use it.
import type { Now } from "../src/wings/page/contract.ts";
import { LateTab, loadLate } from "./late-tab.tsx";

export const whatIfTab = (now: Now) => <LateTab load={load} now={now} />;

async function load() {
  await loadLate("what-if-tab.js");
  return (await import("./what-if-tab.tsx")).WhatIfTab;
}
