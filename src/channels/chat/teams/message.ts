// What Teams is sent: an adaptive card.
import { type Block, type Inline } from "../../../model/rich-text/rich-text.ts";
import { linkTarget, renderInlines } from "../../../model/rich-text/render.ts";
import { shorten } from "../../../model/rich-text/shorten.ts";
import type { RichMessage } from "../../channel-type.ts";
import { cut, printable } from "../../../model/text.ts";
import { alignedTable } from "../../rendering/aligned-table.ts";
import { bodyBlocks, fieldLines, jsonBytes } from "../../rendering/compose.ts";
import { fitTitle } from "../../rendering/title.ts";
import type { Level } from "../../../model/level.ts";

/** https://learn.microsoft.com/connectors/teams/ says about 28 KB, but Teams has refused less. */
export const maxRequest = 20_000;
/** hookbell's own limit. */
export const maxTitle = 1000;
export const maxBody = 15_000;
export const maxField = 300;
export const maxFields = 10;

/** https://adaptivecards.io/explorer/TextRun.html */
const colours = { info: "Accent", success: "Good", attention: "Warning", error: "Attention" } as const satisfies Record<
  Level,
  string
>;

interface Run extends RunStyle {
  type: "TextRun";
  text: string;
}
interface RunStyle {
  size?: "Small" | "Large";
  weight?: "Bolder";
  color?: (typeof colours)[Level];
  isSubtle?: true;
  italic?: true;
  strikethrough?: true;
  fontType?: "Monospace";
  selectAction?: { type: "Action.OpenUrl"; url: string };
}

/** hookbell's own limit: a run without its text. */
const runBytes = 90;

/** Text blocks and fact sets read Markdown. */
export function toTeamsMessage(message: RichMessage, eventName: string) {
  const title = fitTitle(message, eventName, maxTitle, jsonBytes, withoutDates);
  const body = toRuns(shorten(bodyBlocks(message), (blocks) => bytesOf(toRuns(blocks)) <= maxBody));
  const fields = fieldLines(message, maxFields).map((line) => cut(withoutDates(line), maxField, jsonBytes));
  return {
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body: [
            richText([run(title, { size: "Large", weight: "Bolder", color: colours[message.level] })]),
            ...(body.length === 0 ? [] : [richText(body)]),
            ...(fields.length === 0 ? [] : [richText([run(fields.join("\n"), { size: "Small", isSubtle: true })])]),
          ],
          msteams: { width: "full" },
        },
      },
    ] as const,
  };
}

function bytesOf(runs: readonly Run[]): number {
  return runs.reduce((sum, { text }) => sum + jsonBytes(text) + runBytes, -runBytes);
}

function run(text: string, style: RunStyle): Run {
  return { type: "TextRun", text, ...style };
}

function richText(inlines: Run[]) {
  return { type: "RichTextBlock", inlines };
}

function toRuns(blocks: readonly Block[]): Run[] {
  const runs: Run[] = [];
  for (const { text, ...style } of blockRuns(blocks, "\n\n", "", {})) {
    const last = runs.at(-1);
    if (last !== undefined && JSON.stringify({ ...last, text: "" }) === JSON.stringify({ text: "", ...style })) {
      last.text += text;
    } else runs.push({ text, ...style });
  }
  return runs.map((each) => ({ ...each, text: withoutDates(each.text) }));
}

function blockRuns(blocks: readonly Block[], gap: string, indent: string, style: RunStyle): Run[] {
  return blocks.flatMap((block, index) => [
    ...(index === 0 ? [] : [run(gap.replaceAll("\n", `\n${indent}`), {})]),
    ...runsOf(block, indent, style),
  ]);
}

function runsOf(block: Block, indent: string, style: RunStyle): Run[] {
  const mono = (text: string): Run[] => [
    run(printable(text).replaceAll("\n", `\n${indent}`), { ...style, fontType: "Monospace" }),
  ];
  switch (block.type) {
    case "paragraph":
      return inlineRuns(block.children, indent, style);
    case "heading":
      return inlineRuns(block.children, indent, { ...style, weight: "Bolder" });
    case "code":
      return mono(block.text);
    case "quote":
      return [run("> ", style), ...blockRuns(block.blocks, "\n", `${indent}> `, { ...style, isSubtle: true })];
    case "list":
      return block.items.flatMap((item, index) => {
        const marker = block.start === undefined ? "• " : `${block.start + index}. `;
        const before = index === 0 ? marker : `\n${indent}${marker}`;
        return [run(before, {}), ...blockRuns(item, "\n", indent + " ".repeat(marker.length), style)];
      });
    case "table":
      return mono(alignedTable(block.rows.map((row) => row.map((cell) => renderInlines(cell)))));
    case "rule":
      return [run("———", style)];
  }
}

function inlineRuns(inlines: readonly Inline[], indent: string, style: RunStyle): Run[] {
  return inlines.flatMap((inline): Run[] => {
    switch (inline.type) {
      case "text":
        return [run(printable(inline.text), style)];
      case "code":
        return [run(printable(inline.text), { ...style, fontType: "Monospace" })];
      case "break":
        return [run(`\n${indent}`, {})];
      case "strong":
        return inlineRuns(inline.children, indent, { ...style, weight: "Bolder" });
      case "emphasis":
        return inlineRuns(inline.children, indent, { ...style, italic: true });
      case "strike":
        return inlineRuns(inline.children, indent, { ...style, strikethrough: true });
      case "link": {
        const target = linkTarget(inline);
        if (target === undefined) return inlineRuns(inline.children, indent, style);
        const selectAction = { type: "Action.OpenUrl", url: target.href } as const;
        return [...inlineRuns(inline.children, indent, { ...style, selectAction }), run(target.aside, style)];
      }
    }
  });
}

/** Cards turn `{{DATE(…)}}` and `{{TIME(…)}}` into the reader's own: https://learn.microsoft.com/adaptive-cards/authoring-cards/text-features */
function withoutDates(text: string): string {
  return text.replace(/\{(?=\{(?:DATE|TIME)\()/gi, "{\u200B");
}
