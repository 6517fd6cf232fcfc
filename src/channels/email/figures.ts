// An event's table and chart in a mail: as HTML with an inline picture, and as text.
import { encode } from "fast-png";
import type { Figures } from "../../model/event.ts";
import { formatNumber, sparkline } from "../../model/figures/numbers.ts";
import { printableLine } from "../../model/text.ts";

/** Refers to the picture in the same mail: https://www.rfc-editor.org/rfc/rfc2392 */
const chartId = "chart@hookbell";

/** Fine screens show two pixels for each. */
const scale = 2;
const shownWidth = 480;
const shownHeight = 120;
const barColor = [0x3b, 0x82, 0xf6, 0xff] as const;
const lineColor = [0x8a, 0x8a, 0x8a, 0xff] as const;

export interface MailFigures {
  html: string;
  text: string;
  attachments: { filename: string; content: Buffer; contentType: string; contentDisposition: "inline"; cid: string }[];
}

export function showFigures(
  { table, chart }: Figures,
  escape: (text: string) => string,
  quietColor: string,
): MailFigures {
  const clean = (text: string): string => escape(printableLine(text));
  return {
    html: [table && tableHtml(table, clean), chart && chartHtml(chart, clean, quietColor)].filter(Boolean).join("\n"),
    text: [table && tableText(table), chart && chartText(chart)].filter(Boolean).join("\n\n"),
    attachments:
      chart === undefined
        ? []
        : [
            {
              filename: "chart.png",
              content: Buffer.from(drawChart(chart.values)),
              contentType: "image/png",
              contentDisposition: "inline",
              cid: chartId,
            },
          ],
  };
}

function tableHtml({ columns, rows }: NonNullable<Figures["table"]>, clean: (text: string) => string): string {
  const cell = (tag: "th" | "td", text: string, index: number): string =>
    `<${tag} style="padding:2px 14px 2px 0;text-align:${index === 0 ? "left" : "right"};white-space:nowrap">${clean(text)}</${tag}>`;
  const line = (tag: "th" | "td", texts: readonly string[]): string =>
    `<tr>${texts.map((text, index) => cell(tag, text, index)).join("")}</tr>`;
  return [
    `<table style="margin:12px 0 0;border-collapse:collapse;font-variant-numeric:tabular-nums">`,
    line("th", columns),
    ...rows.map((row) => line("td", row)),
    "</table>",
  ].join("\n");
}

/** The picture has no words, so that it needs no font. */
function chartHtml(
  { title, labels, values }: NonNullable<Figures["chart"]>,
  clean: (text: string) => string,
  quietColor: string,
): string {
  const quiet = `font-size:12px;color:${quietColor}`;
  const described = labels.map((label, index) => `${label}: ${formatNumber(values[index] ?? 0)}`).join(", ");
  return [
    `<p style="margin:14px 0 4px;font-size:13px;font-weight:600">${clean(title)}, up to ${clean(formatNumber(Math.max(...values)))}</p>`,
    `<img src="cid:${chartId}" width="${shownWidth}" height="${shownHeight}" alt="${clean(described)}" style="max-width:100%;height:auto">`,
    `<table width="${shownWidth}" style="max-width:100%;border-collapse:collapse"><tr>`,
    `<td style="${quiet}">${clean(labels[0] ?? "")}</td>`,
    `<td style="${quiet};text-align:right">${clean(labels.at(-1) ?? "")}</td></tr></table>`,
  ].join("\n");
}

function tableText({ columns, rows }: NonNullable<Figures["table"]>): string {
  const all = [columns, ...rows].map((row) => row.map(printableLine));
  const widths = columns.map((_, index) => Math.max(...all.map((row) => row[index]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((text, index) => (index === 0 ? text.padEnd(widths[index] ?? 0) : text.padStart(widths[index] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function chartText({ title, labels, values }: NonNullable<Figures["chart"]>): string {
  const span = `${labels[0] ?? ""} to ${labels.at(-1) ?? ""}`;
  return printableLine(`${title}, ${span}: ${sparkline(values)} up to ${formatNumber(Math.max(...values))}`);
}

function drawChart(values: readonly number[]): Uint8Array {
  const width = shownWidth * scale;
  const height = shownHeight * scale;
  const data = new Uint8Array(width * height * 4);
  const fill = (x: number, y: number, right: number, bottom: number, color: readonly number[]): void => {
    for (let row = Math.max(0, y); row < bottom; row += 1) {
      for (let column = x; column < right; column += 1) data.set(color, (row * width + column) * 4);
    }
  };
  const base = height - scale;
  const max = Math.max(...values, 0);
  const step = width / values.length;
  for (const [index, value] of values.entries()) {
    const barHeight = max === 0 ? 0 : Math.round((Math.max(0, value) / max) * base);
    const left = Math.round(index * step + step * 0.1);
    const right = Math.max(left + 1, Math.round((index + 1) * step - step * 0.1));
    fill(left, base - barHeight, Math.min(right, width), base, barColor);
  }
  fill(0, base, width, height, lineColor);
  return encode({ width, height, data, channels: 4, depth: 8 });
}
