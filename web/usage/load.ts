// Loads the tab "Usage" when it is opened: it has the library that draws, which the other tabs do not need.
import { loadLate } from "../late-tab.tsx";

export async function loadUsage() {
  await loadLate("usage.js", "usage.css");
  return (await import("./usage.tsx")).UsageTab;
}
