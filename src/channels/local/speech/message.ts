import type { Message } from "../../../model/message.ts";
import { cut, printable, printableLine } from "../../../model/text.ts";
import { titleLine } from "../../compose.ts";

/** Ours, in code points: some fifteen seconds of speech. */
export const maxSpoken = 220;
/** Ours, in code points. */
export const maxSpokenTitle = 80;

/** The message as one line to be read out: without what only the eye makes sense of, and without commands to the reader. */
export function toSpokenText(message: Message, eventName: string): string {
  const title = cut(sayable(titleLine(message, eventName)), maxSpokenTitle) || "hookbell";
  // What is thrown away need not be cleaned first.
  const body = sayable(message.body.slice(0, 16 * maxSpoken));
  const between = /[.!?…]$/.test(title) ? " " : ". ";
  return body === "" ? title : cut(title + between + body, maxSpoken);
}

const codeFence = /```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)/g;
const markdownLink = /!?\[([^\][\n]{0,200})\]\([^()\s]{0,2000}\)/g;
const webAddress = /\bhttps?:\/\/(?:[^\s/?#@]{0,200}@)?(?:www\.)?([^\s/:?#<>"'`()]{1,253})[^\s<>"'`()]*/gi;
/** A file's path: only its name is worth saying. */
const filePath = /(?<![\p{L}\p{N}])(?:~|\.{1,2})?(?:\/[\p{L}\p{N}._@+-]{1,80}){2,}\/?/gu;
const tag = /<\/?[A-Za-z!][^<>]{0,200}>/g;
/** What is drawn or marked up, and is silent: headings, bullets, tables, emphasis, code, rules. */
const marks = /[*_`~#|=<>{}\\^\u2500-\u257F]+/g;
/** Two brackets enclose commands for `say` and sounds for espeak; three signs begin a command for `spd-say`. */
const readerCommands = /\[{2,}|\]{2,}|!-!/g;

function sayable(text: string): string {
  let said = printable(text)
    .replace(codeFence, " ")
    .replace(markdownLink, "$1")
    .replace(webAddress, "$1")
    .replace(filePath, (path) => ` ${path.split("/").findLast((part) => part !== "") ?? ""}`)
    .replace(tag, " ")
    .replace(marks, " ");
  // Taken out once, the rest may be one again.
  while (said.search(readerCommands) >= 0) said = said.replace(readerCommands, " ");
  return printableLine(said).replace(/^[-–—•\s]+/, "");
}
