// A finding of `doctor`, and how findings are printed.
import { printableLine } from "../../model/text.ts";
import { paint } from "./text.ts";

export interface Finding {
  area: "agents" | "rules" | "channels" | "platform" | "state" | "queue";
  status: "ok" | "warning" | "broken";
  text: string;
  /** What to do about it, best a command; absent when all is well. */
  fix?: string;
}

const marks = { ok: ["green", "ok     "], warning: ["yellow", "warning"], broken: ["red", "broken "] } as const;

export function showFindings(findings: readonly Finding[], io: { isColor: boolean }): string {
  const areas = [...new Set(findings.map(({ area }) => area))];
  const blocks = areas.map((area) => {
    const rows = findings
      .filter((finding) => finding.area === area)
      .map(({ status, text, fix }) => {
        const [style, mark] = marks[status];
        const below = fix === undefined ? "" : `\n           ${printableLine(fix)}`;
        return `  ${paint(io, style, mark)}  ${printableLine(text)}${below}\n`;
      });
    return `${paint(io, "bold", area)}\n${rows.join("")}`;
  });
  return blocks.join("\n");
}
