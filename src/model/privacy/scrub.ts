// Replaces what looks like a credential in a text with `[redacted: KIND]`.
import { cut, printable, printableLine } from "../text.ts";
import { createBlockEnds, type CredentialShape, privateKey, tokenShapes, urlShapes } from "./credential-shapes.ts";
import {
  authorization,
  contentAfter,
  credentialsAfter,
  element,
  login,
  named,
  optionAfter,
  passwordAfter,
  passwordOption,
  type SecretPlace,
  valueAfter,
} from "./named-secrets.ts";
import { isRandomLooking } from "./random-looking.ts";

export interface Scrubbed {
  text: string;
  found: string[];
}

interface Pass {
  beginning: RegExp;
  place(match: RegExpExecArray): SecretPlace;
}

const minVagueLength = 20;

/** Invisible characters, and the backslash of `\_`. */
const splitting = /[\u00AD\u180E\u200B-\u200D\u2060-\u2064]|\\(?=_)/g;

export function scrub(text: string): Scrubbed {
  const plain = scrubPlain(text);
  // Invisible characters and Markdown's escapes can split a credential.
  const shown = printable(plain.text).replace(splitting, "");
  if (shown === plain.text) return plain;
  const hidden = scrubPlain(shown);
  return hidden.found.length === 0 ? plain : { text: hidden.text, found: [...plain.found, ...hidden.found] };
}

/** Shapes first: they name the kind best. */
function scrubPlain(text: string): Scrubbed {
  const found: string[] = [];
  let scrubbed = text;
  for (const pass of [keys, tokens, urls, headers, logins, options, names, elements])
    scrubbed = replaceSecrets(scrubbed, pass, found);
  return { text: scrubbed, found };
}

const keys = (text: string): Pass => {
  const endOfBlock = createBlockEnds(text);
  return {
    beginning: privateKey,
    place: ({ index, 0: { length } }) => ({ start: index, end: endOfBlock(index + length), kind: "private key" }),
  };
};
const tokens = shapePass(tokenShapes, "(?<![A-Za-z\\d-])");
const urls = shapePass(urlShapes, "");
const headers = (text: string): Pass => ({ beginning: authorization, place: (match) => credentialsAfter(text, match) });
const logins = (text: string): Pass => ({ beginning: login, place: (match) => passwordAfter(text, match) });
const options = (text: string): Pass => ({ beginning: passwordOption, place: (match) => optionAfter(text, match) });
const elements = (text: string): Pass => ({ beginning: element, place: (match) => contentAfter(text, match) });
const names = (text: string): Pass => ({ beginning: named, place: (match) => valueAfter(text, match) });

/** For the test of bounds. */
export const searched: readonly RegExp[] = [keys, tokens, urls, headers, logins, options, names, elements].map(
  (of) => of("").beginning,
);

function replaceSecrets(text: string, passOf: (text: string) => Pass, found: string[]): string {
  const { beginning, place } = passOf(text);
  let result = "";
  let done = 0;
  beginning.lastIndex = 0;
  for (let match = beginning.exec(text); match !== null; match = beginning.exec(text)) {
    const { start, end, kind } = place(match);
    if (kind !== undefined) {
      result += `${text.slice(done, start)}[redacted: ${kind}]`;
      done = end;
      found.push(kind);
    }
    beginning.lastIndex = Math.max(end, match.index + 1);
  }
  return done === 0 ? text : result + text.slice(done);
}

const dotted = /[\w.-]/;

function shapePass(shapes: readonly CredentialShape[], before: string): (text: string) => Pass {
  const beginnings = shapes.map(({ after = "", beginning }) => `(?:(${after})${beginning})`);
  const beginning = new RegExp(`${before}(?:${beginnings.join("|")})`, "g");
  const parts = shapes.map((shape) => ({
    shape,
    goesOn: shape.goesOnWith === undefined ? undefined : new RegExp(`[${shape.goesOnWith}]`),
    next: shape.next === undefined ? undefined : new RegExp(shape.next, "y"),
  }));
  return (text) => ({
    beginning,
    place(match) {
      const which = match.findIndex((group, index) => index > 0 && group !== undefined);
      const start = match.index + (match[which] ?? "").length;
      const found = parts[which - 1];
      if (found === undefined) return { start, end: start };
      const { shape, goesOn, next } = found;
      let end = goOn(text, match.index + match[0].length, goesOn);
      if (shape.endsBefore !== undefined) {
        const length = text.slice(start, end).lastIndexOf(shape.endsBefore);
        return length === -1 ? { start, end: start } : { start, end: start + length, kind: shape.name };
      }
      if (next !== undefined) {
        next.lastIndex = end;
        if (!next.test(text)) return { start, end };
        end = goOn(text, next.lastIndex, dotted);
      }
      const isSecret = shape.isVague !== true || isRandomLooking(text.slice(start, end), minVagueLength);
      return isSecret ? { start, end, kind: shape.name } : { start, end };
    },
  });
}

function goOn(text: string, start: number, characters: RegExp | undefined): number {
  let end = start;
  while (end < text.length && characters?.test(text.charAt(end)) === true) end += 1;
  return end;
}

/** In code points. */
const maxPreviewLength = 60;

/** Scrubbed before it is cut: half a credential is not recognised. */
export function preview(text: string): string {
  return cut(printableLine(scrub(text).text), maxPreviewLength);
}
