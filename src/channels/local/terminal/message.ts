// The escape sequences of a notification.
import { titleAndBody } from "../../../model/message.ts";
import { levelLooks } from "../../rendering/levels.ts";
import type { RichMessage } from "../../channel-type.ts";
import { bodyLine, notesOf } from "../../rendering/compose.ts";
import { fitTitle } from "../../rendering/title.ts";
import type { TerminalManner, TerminalStyle } from "./style.ts";
import type { Level } from "../../../model/level.ts";

/** hookbell's own limit, in code points. Both together stay below kitty's 2,048 bytes for one sequence. */
export const maxTitle = 80;
export const maxBody = 200;

const escape = "\u001B";
export const bell = "\u0007";
/** String terminator. */
const end = `${escape}\\`;

/** All sequences for one notification, without the wrapping of tmux or screen. */
export function toSequences(message: RichMessage, eventName: string, style: TerminalStyle, id: string): string[] {
  const { title, body } = textsOf(message, eventName);
  switch (style) {
    case "osc9":
      return [`${escape}]9;${notACommand(titleAndBody(title, body))}${bell}`];
    case "osc777":
      return [`${escape}]777;notify;${withoutSemicolons(title)};${withoutSemicolons(body)}${bell}`];
    case "osc99": {
      if (body === "") return [kittyTitle(message.level, id, title)];
      return [kittyTitle(message.level, id, title, { d: "0" }), kittySequence({ i: id, p: "body" }, body)];
    }
    case "bel":
      return [bell];
  }
}

/** The same in one sequence, for agents that pass on only one. */
export function toOneSequence(message: RichMessage, eventName: string, style: TerminalStyle, id: string): string {
  const { title, body } = textsOf(message, eventName);
  if (style === "osc99") return kittyTitle(message.level, id, titleAndBody(title, body));
  return toSequences(message, eventName, style, id).join("");
}

function textsOf(message: RichMessage, eventName: string): { title: string; body: string } {
  return {
    title: fitTitle(message, eventName, maxTitle),
    body: [notesOf(message), bodyLine(message, maxBody)].filter((part) => part !== "").join(": "),
  };
}

/** Closes a notification of kitty: https://sw.kovidgoyal.net/kitty/desktop-notifications/ */
export function closingSequence(id: string): string {
  return kittySequence({ i: id, p: "close" }, "");
}

/** OSC 9 with a number is a command of ConEmu: https://ghostty.org/docs/vt/osc/conemu */
function notACommand(text: string): string {
  return /^\d/.test(text) ? ` ${text}` : text;
}

/** The first semicolon ends the title; some terminals end the body at the next. */
function withoutSemicolons(text: string): string {
  return text.replaceAll(";", ",");
}

/** https://sw.kovidgoyal.net/kitty/desktop-notifications/#icons */
const kittyIcons: Readonly<Record<Level, string>> = {
  info: "info",
  success: "info",
  attention: "warning",
  error: "error",
};
const kittyUrgencies = { low: "0", normal: "1", critical: "2" };

function kittyTitle(level: Level, id: string, title: string, more: Readonly<Record<string, string>> = {}): string {
  const look = {
    u: kittyUrgencies[levelLooks[level].urgency],
    f: base64("hookbell"),
    n: base64(kittyIcons[level]),
  };
  return kittySequence({ i: id, p: "title", ...look, ...more }, title);
}

function kittySequence(keys: Readonly<Record<string, string>>, payload: string): string {
  const all = Object.entries({ ...keys, e: "1" }).map(([key, value]) => `${key}=${value}`);
  return `${escape}]99;${all.join(":")};${base64(payload)}${end}`;
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}

/** GNU screen's buffer is 768 bytes. */
const maxScreenBytes = 700;

/** The sequence in the wrapping that makes the multiplexer pass it on. */
export function wrapped(sequence: string, inside: TerminalManner["inside"]): string {
  switch (inside) {
    // https://github.com/tmux/tmux/wiki/FAQ#what-is-the-passthrough-escape-sequence-and-how-do-i-use-it
    case "tmux":
      return `${escape}Ptmux;${sequence.replaceAll(escape, escape + escape)}${end}`;
    case "screen": {
      // A terminator inside would end the wrapping.
      const pieces = inPieces(asLatin1(sequence.replaceAll(end, bell)), maxScreenBytes);
      return pieces.map((piece) => `${escape}P${piece}${end}`).join("");
    }
    case undefined:
      return sequence;
  }
}

const latin1: Readonly<Record<string, string>> = { "…": "...", "‘": "'", "’": "'", "“": '"', "”": '"' };

/** screen 4.9 passes on only the lowest byte of a code point, which turns a Cyrillic letter into an escape. */
function asLatin1(text: string): string {
  return text.replace(/[\u2010-\u2015]/g, "-").replace(/[^\0-\u00FF]/gu, (sign) => latin1[sign] ?? "?");
}

/** Never splits a character. */
function inPieces(text: string, mostBytes: number): string[] {
  const pieces: string[] = [];
  let piece = "";
  for (const character of text) {
    if (Buffer.byteLength(piece + character, "utf8") > mostBytes) {
      pieces.push(piece);
      piece = "";
    }
    piece += character;
  }
  return [...pieces, piece];
}
