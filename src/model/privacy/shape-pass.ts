// Searches a text for credentials by their shapes, with one expression for all of them.
import type { CredentialShape } from "./credential-shapes.ts";
import { isRandomLooking } from "./random-looking.ts";
import { endOf, type Pass } from "./secret-place.ts";

const minVagueLength = 20;
const dotted = /[\w.-]/;
/** A word that goes on before it, unless that is the letter of an escaped line break. */
const notInWord = "(?:(?<![A-Za-z\\d-])|(?<=\\\\[nrt]))";

export function shapePass(shapes: readonly CredentialShape[]): Pass {
  const inWords = shapes.filter(({ isWord }) => isWord !== true);
  const words = shapes.filter(({ isWord }) => isWord === true);
  const anyOf = (some: readonly CredentialShape[]): string =>
    some.map(({ after = "", beginning }) => `(?:(${after})(?:${beginning}))`).join("|");
  const parts = [...inWords, ...words].map((shape) => ({
    shape,
    goesOn: shape.goesOnWith === undefined ? undefined : new RegExp(`[${shape.goesOnWith}]`),
    next: shape.next === undefined ? undefined : new RegExp(shape.next, "y"),
  }));
  const alternatives = [anyOf(inWords), words.length === 0 ? "" : `${notInWord}(?:${anyOf(words)})`];
  return {
    beginning: new RegExp(alternatives.filter((each) => each !== "").join("|"), "g"),
    place(match, text) {
      const which = match.findIndex((group, index) => index > 0 && group !== undefined);
      const start = match.index + (match[which] ?? "").length;
      const found = parts[which - 1];
      if (found === undefined) return { start, end: start };
      const { shape, goesOn, next } = found;
      const goOn = (from: number, characters: RegExp | undefined): number =>
        characters === undefined ? from : endOf(text, from, (char) => !characters.test(char));
      let end = goOn(match.index + match[0].length, goesOn);
      if (shape.endsBefore !== undefined) {
        const length = text.slice(start, end).lastIndexOf(shape.endsBefore);
        return length === -1 ? { start, end: start } : { start, end: start + length, kind: shape.name };
      }
      if (next !== undefined) {
        next.lastIndex = end;
        if (!next.test(text)) return { start, end };
        end = goOn(next.lastIndex, dotted);
      }
      const isSecret = shape.isVague !== true || isRandomLooking(text.slice(start, end), minVagueLength);
      return isSecret ? { start, end, kind: shape.name } : { start, end };
    },
  };
}
