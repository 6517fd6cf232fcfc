// What is said of a message.
import { plainSyntax, type Syntax } from "../../../model/rich-text/render.ts";
import { measures, printable, printableLine } from "../../../model/text.ts";
import type { RichMessage } from "../../channel-type.ts";
import { fitLook, notesOf } from "../../rendering/compose.ts";
import { fitTitle } from "../../rendering/title.ts";

/** hookbell's own limit, in code points: about fifteen seconds of speech. */
export const maxSpoken = 220;
/** hookbell's own limit, in code points. */
export const maxSpokenTitle = 80;

/** One line, without what makes sense only to the eye, and without commands to the program. */
export function toSpokenText(message: RichMessage, eventName: string): string {
  const title = fitTitle(message, eventName, maxSpokenTitle, measures.codePoints, sayable) || "hookbell";
  const start = title + (/[.!?…]$/.test(title) ? " " : ". ");
  const notes = notesOf(message);
  const spokenLength = (text: string): number => measures.codePoints(sayable(text));
  const room = maxSpoken - measures.codePoints(start);
  const body = sayable(`${notes === "" ? "" : `${notes}. `}${fitLook(message, room, spokenLength, spokenSyntax)}`);
  return body === "" ? title : start + body;
}

/** Blocks of code and tables make sense only to the eye. */
const spokenSyntax: Syntax = {
  ...plainSyntax,
  link: (inner) => inner,
  heading: (inner) => (/[.!?:]$/.test(inner) ? inner : `${inner}.`),
  codeBlock: () => "",
  list: (items) => items.map((item) => (/[.!?,;:]$/.test(item) ? item : `${item},`)).join("\n"),
  table: () => "",
  rule: "",
};

const webAddress = /\bhttps?:\/\/(?:[^\s/?#@]{0,200}@)?(?:www\.)?([^\s/:?#<>"'`()]{1,253})[^\s<>"'`()]*/gi;
/** A file's path is spoken by its name only. */
const filePath = /(?<![\p{L}\p{N}])(?:~|\.{1,2})?(?:\/[\p{L}\p{N}._@+-]{1,80}){2,}\/?/gu;
const tag = /<\/?[A-Za-z!][^<>]{0,200}>/g;
/** Signs of headings, bullets, tables, emphasis, code and rules. */
const marks = /[*_`~#|=<>{}\\^\u2500-\u257F]+/g;
/** `[[` starts a command of `say` and phonemes of espeak; `!-!` starts a command of `spd-say`. */
const readerCommands = /\[{2,}|\]{2,}|!-!/g;

function sayable(text: string): string {
  let said = printable(text)
    .replace(webAddress, "$1")
    .replace(filePath, (path) => ` ${path.split("/").findLast((part) => part !== "") ?? ""}`)
    .replace(tag, " ")
    .replace(marks, " ");
  // Removing a command may leave another one behind.
  while (said.search(readerCommands) >= 0) said = said.replace(readerCommands, " ");
  return printableLine(said).replace(/^[-–—•\s]+/, "");
}
