// Makes a unified diff of a settings file.
import { structuredPatch } from "diff";
import { scrub } from "../model/privacy/scrub.ts";
import { printable } from "../model/text.ts";

export interface DiffLine {
  kind: "file" | "hunk" | "added" | "removed" | "same";
  text: string;
}

const contextLines = 3;
const maxShownCharacters = 240;
const shownAround = 60;

/** The diff has no credentials, so that it can be pasted. A missing side is a missing file. */
export function unifiedDiff(
  path: string,
  before: string | undefined,
  after: string | undefined,
  isWhole = false,
): DiffLine[] {
  const names = [before === undefined ? "/dev/null" : path, after === undefined ? "/dev/null" : path] as const;
  const patch = structuredPatch(...names, before ?? "", after ?? "", "", "", { context: contextLines });
  return [
    { kind: "file", text: `--- ${printable(names[0])}` },
    { kind: "file", text: `+++ ${printable(names[1])}` },
    ...patch.hunks.flatMap((hunk): DiffLine[] => [
      {
        kind: "hunk",
        text: `@@ -${rangeOf(hunk.oldStart, hunk.oldLines)} +${rangeOf(hunk.newStart, hunk.newLines)} @@`,
      },
      ...shownLines(hunk.lines, isWhole).map((line) => ({
        kind: kinds[line.charAt(0)] ?? "same",
        text: printable(line.replace(/\r$/, "")),
      })),
    ]),
  ];
}

/** Scrub the lines before they are cut: half a key would not be recognised. */
function shownLines(lines: readonly string[], isWhole: boolean): readonly string[] {
  const scrubbed = lines.map((line) => line.charAt(0) + scrub(line.slice(1)).text);
  return isWhole ? scrubbed : shorten(scrubbed);
}

/** An empty range counts from the line before it. */
function rangeOf(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}

const kinds: Record<string, DiffLine["kind"]> = { "+": "added", "-": "removed" };

function shorten(lines: readonly string[]): string[] {
  return lines.map((line, index) => {
    if (line.length <= maxShownCharacters) return line;
    const other = counterpart(lines, index);
    if (other === undefined) return line.startsWith(" ") ? `${line.slice(0, maxShownCharacters)}…` : line;
    const [own, its] = [line.slice(1), other.slice(1)];
    const prefix = commonLength(own.length, (at) => own[at] === its[at], Math.min(own.length, its.length));
    const room = Math.min(own.length, its.length) - prefix;
    const suffix = commonLength(own.length, (at) => own[own.length - 1 - at] === its[its.length - 1 - at], room);
    const start = Math.max(0, prefix - shownAround);
    const end = Math.min(own.length, own.length - suffix + shownAround);
    return `${line.charAt(0)}${start > 0 ? "…" : ""}${own.slice(start, end)}${end < own.length ? "…" : ""}`;
  });
}

/** The line's other version, past a note about a missing final line break. */
function counterpart(lines: readonly string[], index: number): string | undefined {
  const sign = lines[index]?.charAt(0);
  if (sign !== "-" && sign !== "+") return undefined;
  const neighbours =
    sign === "-" ? lines.slice(index + 1, index + 3) : lines.slice(Math.max(0, index - 2), index).toReversed();
  const neighbour = neighbours.find((line) => !line.startsWith("\\"));
  return neighbour?.startsWith(sign === "-" ? "+" : "-") === true ? neighbour : undefined;
}

function commonLength(length: number, isSame: (at: number) => boolean, most: number): number {
  let count = 0;
  while (count < most && count < length && isSame(count)) count += 1;
  return count;
}
