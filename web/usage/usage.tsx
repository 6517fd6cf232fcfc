// "Usage": which figures are shown. Loaded when the tab is opened, with the library that draws.
import { useState } from "preact/hooks";
import { Figures } from "./figures.tsx";

const views = {
  tokens: "Tokens",
  tools: "Tools",
  activity: "Activity",
  productivity: "Productivity",
  users: "Users",
} as const;
type ViewName = keyof typeof views;

export function UsageTab() {
  const [view, setView] = useState<ViewName>("tokens");
  return (
    <div class="usage">
      <div class="choice" role="group" aria-label="Figures">
        {Object.entries(views).map(([name, title]) => (
          <button key={name} type="button" aria-pressed={view === name} onClick={() => setView(name as ViewName)}>
            {title}
          </button>
        ))}
      </div>
      <Figures key={view} of={view} />
    </div>
  );
}
