// The day of each project: its turns, questions and failures in quarters of an hour.
import type { Day } from "../src/overview/day.ts";
import { hourOf, useNow } from "./time.ts";

const quarters = 96;
const hours = [0, 6, 12, 18, 24];
const rows = ["turns", "questions", "failures"] as const;

export function DayStrips({ day: { start, projects } }: { day: Day }) {
  const time = useNow();
  if (projects.length === 0) return null;
  const now = Math.max(0, Math.min(quarters, (time - start) / (15 * 60_000)));
  return (
    <section class="group days" aria-label="today">
      <h2>Today</h2>
      {projects.map((day) => (
        <figure key={day.project}>
          <figcaption>
            <strong>{day.project}</strong>
            <span>{day.summary}</span>
          </figcaption>
          <svg viewBox={`0 0 ${quarters} 12`} preserveAspectRatio="none" aria-hidden="true">
            <rect class="past" x={0} y={0} width={now} height={12} />
            {rows.map((name, row) =>
              day[name].map((count, quarter) =>
                count === 0 ? null : (
                  <rect key={`${name}${quarter}`} class={name} x={quarter} y={row * 4} width={1} height={4} />
                ),
              ),
            )}
          </svg>
        </figure>
      ))}
      <p class="hours" aria-hidden="true">
        {hours.map((hour) => (
          <span key={hour}>{hourOf(hour)}</span>
        ))}
      </p>
      <p class="legend" aria-hidden="true">
        {rows.map((name) => (
          <span key={name} class={name}>
            {name}
          </span>
        ))}
      </p>
    </section>
  );
}
