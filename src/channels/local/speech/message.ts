// What is said of a message.
import type { Message } from "../../../model/message.ts";
import { cut, printable, printableLine } from "../../../model/text.ts";
import { titleLine } from "../../compose.ts";

/** Ours, in code points: about fifteen seconds of speech. */
export const maxSpoken = 220;
/** Ours, in code points. */
export const maxSpokenTitle = 80;

/** One line, without what makes sense only to the eye, and without commands to the program. */
export function toSpokenText(message: Message, eventName: string): string {
  const title = cut(sayable(titleLine(message, eventName)), maxSpokenTitle) || "hookbell";
  // Cleaning 10 MB that is not spoken takes seconds.
  const body = sayable(message.body.slice(0, 16 * maxSpoken));
  const between = /[.!?…]$/.test(title) ? " " : ". ";
  return body === "" ? title : cut(title + between + body, maxSpoken);
}

const codeFence = /```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)/g;
const markdownLink = /!?\[([^\][\n]{0,200})\]\([^()\s]{0,2000}\)/g;
const webAddress = /\bhttps?:\/\/(?:[^\s/?#@]{0,200}@)?(?:www\.)?([^\s/:?#<>"'`()]{1,253})[^\s<>"'`()]*/gi;
/** Of a file's path, only the name is spoken. */
const filePath = /(?<![\p{L}\p{N}])(?:~|\.{1,2})?(?:\/[\p{L}\p{N}._@+-]{1,80}){2,}\/?/gu;
const tag = /<\/?[A-Za-z!][^<>]{0,200}>/g;
/** Signs of headings, bullets, tables, emphasis, code and rules. */
const marks = /[*_`~#|=<>{}\\^\u2500-\u257F]+/g;
/** `[[` starts a command of `say` and phonemes of espeak; `!-!` starts a command of `spd-say`. */
const readerCommands = /\[{2,}|\]{2,}|!-!/g;

function sayable(text: string): string {
  let said = printable(text)
    .replace(codeFence, " ")
    .replace(markdownLink, "$1")
    .replace(webAddress, "$1")
    .replace(filePath, (path) => ` ${path.split("/").findLast((part) => part !== "") ?? ""}`)
    .replace(tag, " ")
    .replace(marks, " ");
  // What remains may be a command again.
  while (said.search(readerCommands) >= 0) said = said.replace(readerCommands, " ");
  return printableLine(said).replace(/^[-–—•\s]+/, "");
}
