// One chart: bars on top of each other where its series add up, else lines. The canvas says nothing to a screen reader; its
// name, the list of series and the table behind it do.
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { formatNumber, formatShort } from "../../src/model/figures/numbers.ts";
import type { UsageChart } from "../../src/wings/platform/figures/charts.ts";

const height = 260;
/** Days between two labels of the axis. */
const dayIncrements = [1, 2, 7, 14, 28, 56, 112];
const widestBar = 48;

export function Chart({ chart, days }: { chart: UsageChart; days: readonly string[] }) {
  const place = useRef<HTMLDivElement>(null);
  /** The day under the pointer. */
  const [day, setDay] = useState<number>();
  useEffect(() => {
    const { current: target } = place;
    if (target === null) return undefined;
    let plot: uPlot | undefined;
    const draw = (): void => {
      plot?.destroy();
      plot = drawIn(target, chart, days, setDay);
    };
    draw();
    const themes = matchMedia("(prefers-color-scheme: dark)");
    themes.addEventListener("change", draw);
    const sizes = new ResizeObserver(() => plot?.setSize({ width: target.clientWidth, height }));
    sizes.observe(target);
    return () => {
      themes.removeEventListener("change", draw);
      sizes.disconnect();
      plot?.destroy();
      setDay(undefined);
    };
  }, [chart, days]);
  return (
    <figure class="chart">
      <figcaption>
        <strong>{chart.label}</strong>{" "}
        <span class="facts">{day === undefined ? `a day, ${days[0]} to ${days.at(-1)} (UTC)` : days[day]}</span>
      </figcaption>
      {chart.series.length === 0 ? <p class="empty">There is nothing on these days.</p> : null}
      <div ref={place} role="img" aria-label={describe(chart, days)} />
      <ul class="legend">
        {chart.series.map(({ name, total, perDay }, index) => (
          <li key={name} class={`series series${index}`}>
            {name} <b>{day === undefined ? total : formatDay(perDay[day])}</b>
          </li>
        ))}
      </ul>
    </figure>
  );
}

/** A day without this figure is no zero. */
export function formatDay(value: number | null | undefined): string {
  return typeof value === "number" ? formatNumber(value) : "–";
}

function describe({ label, series }: UsageChart, days: readonly string[]): string {
  const sums = days.map((_, day) => series.reduce((sum, { perDay }) => sum + (perDay[day] ?? 0), 0));
  const highest = sums.indexOf(Math.max(...sums));
  const most = sums.length === 0 || sums[highest] === 0 ? "nothing" : `most on ${days[highest]}`;
  return `${label} a day, ${days[0]} to ${days.at(-1)}: ${most}. The table has every value.`;
}

function drawIn(
  target: HTMLElement,
  { series, isSum }: UsageChart,
  days: readonly string[],
  onDay: (day: number | undefined) => void,
): uPlot {
  const style = getComputedStyle(target);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const axis = { stroke: colour("--soft"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
  const values = isSum ? stacked(series.map(({ perDay }) => perDay)) : series.map(({ perDay }) => perDay);
  // A bar is as high as all series below it and its own, so the highest is drawn first.
  const drawn = series.map((_, index) => index).toReversed();
  const { bars } = uPlot.paths;
  const shape = isSum && bars !== undefined ? { paths: bars({ size: [0.8, widestBar] }) } : {};
  const font = `12px ${style.fontFamily}`;
  return new uPlot(
    {
      width: target.clientWidth,
      height,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
      scales: {
        x: { time: false, range: [-0.5, days.length - 0.5] },
        y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.05 : 1] },
      },
      axes: [
        {
          ...axis,
          font,
          size: 32,
          incrs: dayIncrements,
          space: 64,
          grid: { show: false },
          values: (_plot, ticks) => ticks.map((tick) => dayLabel(days[tick])),
        },
        { ...axis, font, size: 60, values: (_plot, ticks) => ticks.map(formatShort) },
      ],
      series: [
        {},
        ...drawn.map((index) => {
          const stroke = colour(`--series${index}`);
          return isSum ? { fill: stroke, width: 0, points: { show: false }, ...shape } : { stroke, width: 2 };
        }),
      ],
      hooks: { setCursor: [({ cursor }) => onDay(cursor.idx ?? undefined)] },
    },
    [days.map((_, index) => index), ...drawn.map((index) => values[index] ?? [])],
    target,
  );
}

/** Each series with all before it. */
function stacked(series: readonly (readonly (number | null)[])[]): number[][] {
  const sums: number[][] = [];
  for (const values of series) sums.push(values.map((value, day) => (value ?? 0) + (sums.at(-1)?.[day] ?? 0)));
  return sums;
}

/** `Nov 3`: the days are those of UTC. */
function dayLabel(day: string | undefined): string {
  if (day === undefined) return "";
  return new Date(day).toLocaleDateString([], { month: "short", day: "numeric", timeZone: "UTC" });
}
