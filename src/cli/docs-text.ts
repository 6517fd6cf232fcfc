// A page of the documents as a terminal shows it: wrapped at its width, with readable links. Blocks of code stay as they are.
import { widthOf, wrap } from "../console/output/text.ts";

/** `nameOf` is how a page that a link leads to is read; undefined for what is no page. */
export function forTerminal(text: string, columns: number, nameOf: (link: string) => string | undefined): string {
  const out: string[] = [];
  let paragraph: { indent: string; text: string } | undefined;
  let fence: string | undefined;
  const end = (): void => {
    if (paragraph !== undefined) out.push(wrapItem(paragraph, columns, nameOf));
    paragraph = undefined;
  };
  for (const line of text.split("\n")) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    const [, indent = "", marker = "", rest = ""] = /^( *)([-*] +|\d{1,3}\. +)?([^ ].*)?$/.exec(line) ?? [];
    if (mark !== undefined || fence !== undefined) {
      end();
      if (mark !== undefined) fence = fence === undefined ? mark : mark.startsWith(fence) ? undefined : fence;
      out.push(line);
    } else if (line.startsWith("|")) {
      end();
      out.push(...rowsOf(line, columns, nameOf));
    } else if (line.trim() === "" || /^(?:#|<!--)/.test(line)) {
      end();
      if (!line.startsWith("<!--")) out.push(withLinks(line, nameOf));
    } else if (paragraph !== undefined && marker === "") {
      paragraph.text += ` ${rest}`;
    } else {
      end();
      paragraph = { indent: indent + " ".repeat(marker.length), text: `${indent}${marker}${rest}` };
    }
  }
  end();
  return out.join("\n");
}

type NameOf = (link: string) => string | undefined;

function wrapItem({ indent, text }: { indent: string; text: string }, columns: number, nameOf: NameOf): string {
  const start = text.slice(0, indent.length);
  const room = Math.max(columns - indent.length, 1);
  return start + wrap(withLinks(text.slice(indent.length), nameOf), room, indent);
}

/** A row that is wider than the screen has its first cell above the others. */
function rowsOf(line: string, columns: number, nameOf: NameOf): string[] {
  if (/^[|\s:-]+$/.test(line)) return [];
  const cells = line
    .replace(/^\||\|\s*$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => withLinks(cell.trim().replaceAll("\\|", "|"), nameOf));
  const whole = `  ${cells.join("  ")}`;
  if (widthOf(whole) <= columns) return [whole];
  const [first = "", ...others] = cells;
  return [
    wrapItem({ indent: "  ", text: `  ${first}` }, columns, () => undefined),
    ...others.map((cell) => wrapItem({ indent: "      ", text: `      ${cell}` }, columns, () => undefined)),
  ];
}

/** `text (address)`; a link within the page is its text, and a picture its description. */
function withLinks(text: string, nameOf: NameOf): string {
  return text.replace(
    /(!?)\[([^\][]{0,200})\]\(([^()\s]{1,300})\)/g,
    (_, picture: string, shown: string, link: string) => {
      if (picture !== "" || link.startsWith("#") || link === shown) return shown;
      return `${shown} (${nameOf(link) ?? link})`;
    },
  );
}
