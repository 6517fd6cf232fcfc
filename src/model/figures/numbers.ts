// Numbers as people read them: shares, changes, sparklines, and short forms where there is no room.

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });
const percent = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });
const hundredths = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
const precise = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });
const longestWhole = 9_999_999;

/** `1,204`, `12,345,678.25`, `4.58`: whole numbers are exact, since people pay by them. */
export function formatNumber(value: number): string {
  return value === 0 || Math.abs(value) >= 1 ? hundredths.format(value) : precise.format(value);
}

/** `1,204`, `12.3M`: for the axis of a chart. */
export function formatShort(value: number): string {
  return Math.abs(value) > longestWhole ? compact.format(value) : formatNumber(value);
}

/** `54 %`; empty for a total of 0. */
export function formatShare(part: number, total: number): string {
  return total === 0 ? "" : `${percent.format((part / total) * 100)} %`;
}

/** `+12 %`, `new`; empty if the value before is unknown. */
export function formatChange(now: number, before: number | undefined): string {
  if (before === undefined || (before === 0 && now === 0)) return "";
  if (before === 0) return "new";
  const change = ((now - before) / before) * 100;
  const text = whole.format(Math.abs(change));
  if (text === "0") return "±0 %";
  return `${change < 0 ? "-" : "+"}${text} %`;
}

/** `61 (-71 %)`; the number alone if it is the same, or was 0. */
export function withChange(now: number, before: number): string {
  return now === before || before === 0 ? formatNumber(now) : `${formatNumber(now)} (${formatChange(now, before)})`;
}

const levels = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** A value that is not known leaves a blank. */
export function sparkline(values: readonly (number | undefined)[], maxWidth = 30): string {
  const points = squeeze(values, maxWidth);
  const max = Math.max(...points.map((value) => value ?? 0));
  return points
    .map((value) => {
      if (value === undefined) return " ";
      return levels[max <= 0 ? 0 : Math.round((Math.max(0, value) / max) * (levels.length - 1))] ?? "";
    })
    .join("");
}

function squeeze(values: readonly (number | undefined)[], maxWidth: number): (number | undefined)[] {
  if (values.length <= maxWidth) return [...values];
  return Array.from({ length: maxWidth }, (_, index) => {
    const part = values
      .slice(Math.floor((index * values.length) / maxWidth), Math.floor(((index + 1) * values.length) / maxWidth))
      .filter((value) => value !== undefined);
    return part.length === 0 ? undefined : part.reduce((sum, value) => sum + value, 0) / part.length;
  });
}
