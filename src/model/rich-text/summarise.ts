// Shortens Markdown to Markdown. It loads the parser.
import { measures } from "../text.ts";
import { parseMarkdown } from "./parse-markdown.ts";
import { markdownSyntax, render, type Syntax } from "./render.ts";
import { shorten } from "./shorten.ts";

/** The summary has at most `limit` code points. */
export function summarise(text: string, limit: number): string {
  if (measures.codePoints(text) <= limit) return text;
  const fits = (markdown: string): boolean => measures.codePoints(markdown) <= limit;
  return render(
    shorten(parseMarkdown(text), (blocks) => fits(render(blocks, summarySyntax))),
    summarySyntax,
  );
}

const summarySyntax: Syntax = {
  ...markdownSyntax,
  text: (text) =>
    text
      .replace(/[\\`*[\]<]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|~~|^[#>+|-]/gmu, "\\$&")
      .replace(/^\d+(?=[.)])/gm, "$&\\"),
  link: (inner, url, aside) => (aside === "" ? url : `[${inner}](${url})`),
};
