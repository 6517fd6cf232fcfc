// "Usage": which figures are shown. Loaded when the tab is opened, with the library that draws.
import { useState } from "preact/hooks";
import type { Now } from "../../src/wings/page/contract.ts";
import type { UsageNow } from "../../src/wings/platform/page-tab/contract.ts";
import { Computers } from "./computers.tsx";
import { Figures } from "./figures.tsx";
import { Readiness } from "./readiness.tsx";

const views = {
  tokens: "Tokens",
  tools: "Tools",
  activity: "Activity",
  productivity: "Productivity",
  users: "Users",
  readiness: "Readiness",
  computers: "Computers",
} as const;
type ViewName = keyof typeof views;

export function UsageTab({ now }: { now: Now }) {
  const [chosen, setView] = useState<ViewName>("tokens");
  const { views: has = {} } = now as Now & Partial<Omit<UsageNow, "views"> & { views: Record<string, boolean> }>;
  const offered = Object.entries(views).filter(([name]) => has[name] !== false);
  const view = has[chosen] === false ? "tokens" : chosen;
  return (
    <div class="usage">
      <div class="choice" role="group" aria-label="Show">
        {offered.map(([name, title]) => (
          <button key={name} type="button" aria-pressed={view === name} onClick={() => setView(name as ViewName)}>
            {title}
          </button>
        ))}
      </div>
      <View view={view} now={now} />
    </div>
  );
}

function View({ view, now }: { view: ViewName; now: Now }) {
  if (view === "readiness") return <Readiness />;
  if (view === "computers") return <Computers now={now} />;
  return <Figures key={view} of={view} />;
}
