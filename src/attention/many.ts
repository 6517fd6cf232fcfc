// The text of one message that stands for many.

/** The first lines, and how many more there are. `rest` says which: "more", "before that". */
export function linesOfMany(lines: readonly string[], most: number, rest: string): string {
  const left = lines.length - most;
  return [...lines.slice(0, most), ...(left > 0 ? [`… and ${left} ${rest}`] : [])].join("\n");
}
