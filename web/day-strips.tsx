// The day of each project: its turns, waits and failures in quarters of an hour.
import type { ProjectDay } from "../src/commands/page/contract.ts";

const quarters = 96;
const rows = [
  ["turns", "turn"],
  ["waits", "wait"],
  ["failures", "failure"],
] as const;

export function DayStrips({ days, dayStart, time }: { days: readonly ProjectDay[]; dayStart: number; time: number }) {
  if (days.length === 0) return null;
  const now = Math.min(quarters, (time - dayStart) / (15 * 60_000));
  return (
    <section class="group days" aria-label="today">
      <h2>Today</h2>
      {days.map((day) => (
        <figure key={day.project}>
          <figcaption>
            <strong>{day.project}</strong>
            <span>{describe(day)}</span>
          </figcaption>
          <svg viewBox={`0 0 ${quarters} 12`} preserveAspectRatio="none" aria-hidden="true">
            <rect class="past" x={0} y={0} width={now} height={12} />
            {rows.map(([name], row) =>
              day[name].map((count, quarter) =>
                count === 0 ? null : (
                  <rect key={`${name}${quarter}`} class={name} x={quarter} y={row * 4} width={1} height={4} />
                ),
              ),
            )}
          </svg>
        </figure>
      ))}
      <p class="legend" aria-hidden="true">
        {rows.map(([name]) => (
          <span key={name} class={name}>
            {name}
          </span>
        ))}
        <span class="hours">0–24 h</span>
      </p>
    </section>
  );
}

/** `12 turns, 3 waits, 1 failure` */
function describe(day: ProjectDay): string {
  return rows
    .flatMap(([name, one]) => {
      const total = day[name].reduce((sum, count) => sum + count, 0);
      return total === 0 ? [] : [`${total} ${total === 1 ? one : name}`];
    })
    .join(", ");
}
