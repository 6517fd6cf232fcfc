// A message's title, body and fields as text, before a channel's own syntax.
import { titleAndBody } from "../../model/message.ts";
import { type Block, plainBlocks } from "../../model/rich-text/rich-text.ts";
import { plainSyntax, render, type Syntax } from "../../model/rich-text/render.ts";
import { cutEnd, questionFirst, shorten } from "../../model/rich-text/shorten.ts";
import { cut, cutWords, type Measure, measures, printableLine } from "../../model/text.ts";
import type { RichMessage, Limit } from "../channel-type.ts";
import { levelLooks } from "./levels.ts";
import { fitTitle, titleLine } from "./title.ts";

export function bodyBlocks({ blocks, body }: RichMessage): readonly Block[] {
  return blocks ?? plainBlocks(body);
}

/** Its beginning and its closing question where not all of it fits; may be empty. */
export function fitBody(message: RichMessage, most: number, measure: Measure, syntax: Syntax = plainSyntax): string {
  const written = (blocks: readonly Block[]): string => render(blocks, syntax);
  return written(shorten(bodyBlocks(message), (blocks) => measure(written(blocks)) <= most));
}

/** For a first look: the question that an agent's last message ends with comes first, and the end is cut. May be empty. */
export function fitLook(message: RichMessage, most: number, measure: Measure, syntax: Syntax = plainSyntax): string {
  const written = (blocks: readonly Block[]): string => render(blocks, syntax);
  const blocks = bodyBlocks(message);
  // Other texts, such as a list of questions, are in an order of their own.
  const inOrder = message.isMarkdown === true ? questionFirst(blocks) : blocks;
  return written(cutEnd(inOrder, (part) => measure(written(part)) <= most));
}

type Escape = (text: string) => string;
const unescaped: Escape = (text) => text;

export function escapedSyntax(escape: Escape): Syntax {
  const quote = (inner: string): string => inner.replace(/^/gm, escape("> "));
  return { ...plainSyntax, text: escape, code: escape, codeBlock: escape, quote };
}

export function bodyLine(
  message: RichMessage,
  most: number,
  measure: Measure = measures.codePoints,
  escape: Escape = unescaped,
): string {
  const spaced: Escape = (text) => escape(text.replace(/\s+/g, " "));
  const syntax: Syntax = {
    ...escapedSyntax(spaced),
    break: " ",
    gap: " ",
    list: (items) => items.join(" · "),
    quote: (inner) => inner,
    table: (rows) => rows.map((row) => row.join(" ")).join(" · "),
  };
  return fitLook(message, most, measure, syntax);
}

/** The line is for a phone's notification of a chat message. */
export function lineOfAll(
  message: RichMessage,
  eventName: string,
  most: number,
  measure: Measure = measures.codePoints,
  escape: Escape = unescaped,
): string {
  const title = titleLine(message, eventName);
  const escapedTitle = fitTitle(message, eventName, most, measure, escape);
  if (bodyBlocks(message).length === 0) return escapedTitle;
  const body = bodyLine(message, Math.max(most - measure(escapedTitle) - 2, 0), measure, escape);
  return body === ""
    ? cut(titleAndBody(title, message.body.slice(0, most)), most, measure, escape)
    : titleAndBody(escapedTitle, body);
}

/** Cleaning a hundred fields of 1 MB would take seconds. */
const maxFieldReadLength = 10_000;

/** On one line each, without those that have no value. */
export function shownFields(message: RichMessage, most: number): { label: string; value: string }[] {
  const shown: { label: string; value: string }[] = [];
  for (const { label, value } of message.fields) {
    if (shown.length === most) break;
    const line = printableLine(value.slice(0, maxFieldReadLength));
    if (line !== "") shown.push({ label: printableLine(label.slice(0, maxFieldReadLength)), value: line });
  }
  return shown;
}

/** `project: shop` */
export function fieldLines(message: RichMessage, most: number): string[] {
  return shownFields(message, most).map(({ label, value }) => (label === "" ? value : `${label}: ${value}`));
}

/** What was added when it was sent, such as how long a question is open; for channels that show no context. */
export function notesOf(message: Pick<RichMessage, "fields">): string {
  return message.fields.flatMap(({ label, value }) => (label === "" ? [printableLine(value)] : [])).join("; ");
}

/** The room of one channel. */
export interface NotificationRoom {
  maxTitle: number;
  maxBody: number;
  measure: Measure;
  /** A title is enough. */
  mayLackBody?: true;
  /** The body's only. */
  escape?: Escape;
}

/** hookbell's own limit, in the vendor's unit. */
export const maxContext = 200;

/** Text that looks like the separator of two fields. */
const imitations = /\s[\u00B7\u2022\u2027\u2219\u22C5\u30FB\uFF65]\s/g;

/**
 * Title, what to decide on or to know, and one line of context, for phones and desktops. No part is empty where vendors
 * refuse that.
 */
export function toNotification(
  message: RichMessage,
  eventName: string,
  { maxTitle, maxBody, measure, mayLackBody, escape = unescaped }: NotificationRoom,
): { title: string; body: string } {
  const title = fitTitle(message, eventName, maxTitle, measure);
  const facts = shownFields(message, maxFields).map(({ value }) => value.replace(imitations, " - "));
  const context = cutWords(facts.join(" · "), maxContext, measure, escape);
  const lines = (text: string): string => [text, context].filter((part) => part !== "").join("\n");
  const room = maxBody - measure(lines("\n")) + measure("\n");
  const body = lines(fitLook(message, room, measure, escapedSyntax(escape)));
  if (body !== "" || mayLackBody) return { title, body };
  return { title, body: cut(printableLine(eventName) || title, maxBody, measure, escape) };
}

/** The body gets the rest. */
const titleShare = 1 / 8;
const fieldShare = 1 / 20;
/** hookbell's own limit: ten fields take half of the limit at most. */
const maxFields = 10;

/** `note` says how they are counted. */
export function plainLimits(most: number, note = ""): Limit[] {
  return [
    { what: `title of a plain text${note}`, most: Math.floor(most * titleShare), unit: "bytes", source: "ours" },
    { what: `one field of a plain text${note}`, most: Math.floor(most * fieldShare), unit: "bytes", source: "ours" },
    { what: "fields", most: maxFields, unit: "items", source: "ours" },
  ];
}

/** For vendors without markup, or with markup that has no escape. */
export function toPlainMessage(
  message: RichMessage,
  eventName: string,
  most: number,
  measure: Measure = measures.bytes,
  escape: Escape = unescaped,
): string {
  const fit = (text: string, limit: number): string => cut(text, Math.floor(limit), measure, escape);
  const title = fitTitle(message, eventName, Math.floor(most * titleShare), measure, escape);
  const head = `${levelLooks[message.level].mark} ${title}`;
  const tail = fieldLines(message, maxFields)
    .map((field) => fit(field, most * fieldShare))
    .join("\n");
  const around = [head, tail].filter((part) => part !== "");
  const room = most - measure([...around, ""].join("\n\n"));
  const body = fitBody(message, room, measure, escapedSyntax(escape));
  return [head, body, tail].filter((part) => part !== "").join("\n\n");
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes text between HTML tags; attributes need more. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>]/g, (character) => entities[character] ?? "");
}

/** Escapes for full HTML or XML. */
export function escapeMarkupAndQuotes(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
}

/** For syntaxes without an escape: with a space of no width behind it, a `<` begins no tag and no mention. */
export function withoutTags(text: string): string {
  return text.replaceAll("<", "<\u200B");
}

/** The bytes of a well-formed text inside JSON. */
export const jsonBytes: Measure = (text) => Buffer.byteLength(JSON.stringify(text), "utf8") - 2;

/** Mails and Matrix use it. */
export function htmlSyntax(escape: Escape): Syntax {
  const row = (cells: readonly string[], tag: string): string =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  return {
    text: escape,
    break: "<br>",
    strong: (inner) => `<strong>${inner}</strong>`,
    emphasis: (inner) => `<em>${inner}</em>`,
    strike: (inner) => `<del>${inner}</del>`,
    code: (text) => `<code>${escape(text)}</code>`,
    link: (inner, url, aside) => `<a href="${escapeMarkupAndQuotes(url)}">${inner}</a>${aside}`,
    paragraph: (inner) => inner,
    heading: (inner) => `<strong>${inner}</strong>`,
    codeBlock: (text) => `<pre><code>${escape(text)}</code></pre>`,
    quote: (inner) => `<blockquote>${inner}</blockquote>`,
    list(items, start) {
      const inner = items.map((item) => `<li>${item}</li>`).join("");
      return start === undefined ? `<ul>${inner}</ul>` : `<ol start="${start}">${inner}</ol>`;
    },
    table: (rows) => `<table>${rows.map((cells, index) => row(cells, index === 0 ? "th" : "td")).join("")}</table>`,
    rule: "<hr>",
    gap: "<br><br>",
  };
}
